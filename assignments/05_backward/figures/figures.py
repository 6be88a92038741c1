# SPDX-License-Identifier: MIT
"""The figures of the handout; docs/pictures/draw.py draws them."""

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
