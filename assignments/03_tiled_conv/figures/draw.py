#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the figures of the stage-03 handout (Python 3.10+, standard library only).

python3 draw.py            write every figure beside this script
python3 draw.py --check    prove that the committed figures are what this script draws
"""

from __future__ import annotations

from canvas import draw
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

if __name__ == "__main__":
    raise SystemExit(draw("03", FIGURES))
