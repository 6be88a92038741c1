#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the figures of the stage-05 handout (Python 3.10+, standard library only).

python3 draw.py            write every figure beside this script
python3 draw.py --check    prove that the committed figures are what this script draws
"""

from __future__ import annotations

from canvas import draw
from gradient_figures import (
    filter_gradient,
    full_correlation,
    pooling_ties,
    stride_spread,
    ways_back,
)
from reduction_figures import two_levels, walk_down

FIGURES = [
    ways_back,
    full_correlation,
    stride_spread,
    filter_gradient,
    two_levels,
    walk_down,
    pooling_ties,
]

if __name__ == "__main__":
    raise SystemExit(draw("05", FIGURES))
