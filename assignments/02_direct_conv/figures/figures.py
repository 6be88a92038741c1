# SPDX-License-Identifier: MIT
"""The figures of the handout; docs/pictures/draw.py draws them."""

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
