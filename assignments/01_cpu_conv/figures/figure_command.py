# SPDX-License-Identifier: MIT
"""The command line of every stage's draw.py: writes the figures, or proves them up to date."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path


def draw(stage: str, figures: Sequence[Callable[[], str]]) -> int:
    """Writes <name of the function>.svg for each of `figures` beside the running script, or with
    --check compares. Returns the exit code: 1 if a committed figure is not what is drawn."""
    parser = argparse.ArgumentParser(description=f"Draw the figures of the stage-{stage} handout.")
    parser.add_argument(
        "--check",
        action="store_true",
        help="compare with the committed figures instead of writing them",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path(sys.argv[0]).resolve().parent,
        help="folder of the figures (default: beside this script)",
    )
    arguments = parser.parse_args()

    drawn = {f"{figure.__name__}.svg": figure().encode() for figure in figures}
    stale = sorted(
        f"{path.name} (not drawn by this script)"
        for path in arguments.out.glob("*.svg")
        if path.name not in drawn
    )
    for name, picture in drawn.items():
        path = arguments.out / name
        if not arguments.check:
            path.write_bytes(picture)
        elif not path.is_file() or path.read_bytes() != picture:
            stale.append(name)
    if stale:
        print(
            f"Not what draw.py draws: {', '.join(stale)}. Run python3 draw.py and commit.",
            file=sys.stderr,
        )
        return 1
    print(f"{len(drawn)} figures {'are up to date' if arguments.check else 'drawn'}.")
    return 0
