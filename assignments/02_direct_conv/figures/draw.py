#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the figures of the stage-02 handout (Python 3.10+, standard library only).

python3 draw.py            write every figure beside this script
python3 draw.py --check    prove that the committed figures are what this script draws
"""

from __future__ import annotations

from canvas import draw
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

if __name__ == "__main__":
    raise SystemExit(draw("02", FIGURES))
