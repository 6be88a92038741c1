# SPDX-License-Identifier: MIT
"""The figures of the handout; docs/pictures/draw.py draws them."""

from memory_figures import bank_conflicts, coalescing
from register_figures import loads_per_product, register_strip
from tile_figures import loading_strategies, tile_extent, tile_halo, two_barriers

FIGURES = [
    tile_halo,
    loading_strategies,
    two_barriers,
    tile_extent,
    coalescing,
    bank_conflicts,
    register_strip,
    loads_per_product,
]
