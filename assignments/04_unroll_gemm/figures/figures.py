# SPDX-License-Identifier: MIT
"""The figures of the handout; docs/pictures/draw.py draws them."""

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
