#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the figures of the stage-04 handout (Python 3.10+, standard library only).

python3 draw.py            write every figure beside this script
python3 draw.py --check    prove that the committed figures are what this script draws
"""

from __future__ import annotations

from canvas import draw
from ladder_figure import ladder
from matrix_figures import implicit_tile, roll_counts, two_orders, unrolled
from product_figures import loads_per_product, product_tiles, two_buffers

FIGURES = [
    unrolled,
    roll_counts,
    product_tiles,
    loads_per_product,
    two_buffers,
    two_orders,
    implicit_tile,
    ladder,
]

if __name__ == "__main__":
    raise SystemExit(draw("04", FIGURES))
