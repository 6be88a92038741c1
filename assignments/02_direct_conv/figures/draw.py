#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the figures of the stage-02 handout (Python 3.10+, standard library only).

python3 draw.py            write every figure beside this script
python3 draw.py --check    prove that the committed figures are what this script draws
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from device_figures import constant_parts, round_trip, when_errors_show
from grid_figures import coalescing, constant_broadcast, grid_to_output, warp_on_a_row

FIGURES = [
    round_trip,
    when_errors_show,
    grid_to_output,
    warp_on_a_row,
    coalescing,
    constant_broadcast,
    constant_parts,
]


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw the figures of the stage-02 handout.")
    parser.add_argument(
        "--check",
        action="store_true",
        help="compare with the committed figures instead of writing them",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path(__file__).resolve().parent,
        help="folder of the figures (default: beside this script)",
    )
    arguments = parser.parse_args()

    stale = []
    for figure in FIGURES:
        path = arguments.out / f"{figure.__name__}.svg"
        drawn = figure().encode()
        if arguments.check:
            if not path.is_file() or path.read_bytes() != drawn:
                stale.append(path.name)
        else:
            path.write_bytes(drawn)
    names = {f"{figure.__name__}.svg" for figure in FIGURES}
    stale += sorted(
        f"{p.name} (not drawn by this script)"
        for p in arguments.out.glob("*.svg")
        if p.name not in names
    )
    if stale:
        print(
            f"Not what draw.py draws: {', '.join(stale)}. Run python3 draw.py and commit.",
            file=sys.stderr,
        )
        return 1
    print(f"{len(FIGURES)} figures {'are up to date' if arguments.check else 'drawn'}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
