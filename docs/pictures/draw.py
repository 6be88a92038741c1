#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the figures of a handout, or proves that the committed ones are what is drawn.

    docs/pictures/draw.py [--check] assignments/NN_name/figures

The folder's figures.py lists functions in FIGURES; each returns the picture <its name>.svg. Python
3.10 and its standard library are all that is needed.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="with figures.py and the pictures")
    parser.add_argument(
        "--check", action="store_true", help="compare with what is there instead of writing"
    )
    options = parser.parse_args()

    # The figures import the canvas, which lies beside this file, and each other.
    sys.path.insert(0, str(options.folder.resolve()))
    figures = importlib.import_module("figures").FIGURES
    drawn = {f"{figure.__name__}.svg": figure().encode() for figure in figures}
    stale = sorted(
        f"{path.name} (not drawn by figures.py)"
        for path in options.folder.glob("*.svg")
        if path.name not in drawn
    )
    for name, picture in drawn.items():
        path = options.folder / name
        if not options.check:
            path.write_bytes(picture)
        elif not path.is_file() or path.read_bytes() != picture:
            stale.append(name)
    if stale:
        sentence = f"Not what is drawn: {', '.join(stale)}. Draw it again with {sys.argv[0]}"
        print(f"{sentence} {options.folder}", file=sys.stderr)
        return 1
    print(f"{len(drawn)} figures {'are up to date' if options.check else 'drawn'}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
