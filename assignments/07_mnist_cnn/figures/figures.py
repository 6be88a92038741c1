# SPDX-License-Identifier: MIT
"""The figures of the handout; docs/pictures/draw.py draws them."""

from network_figures import folding, pipeline, strip, two_ways

FIGURES = [two_ways, pipeline, strip, folding]
