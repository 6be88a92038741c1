# SPDX-License-Identifier: MIT
"""The figures of the handout; docs/pictures/draw.py draws them."""

from layout_figures import dense_as_convolution, strides
from library_figures import blending, choosing, nd_flow

FIGURES = [nd_flow, strides, blending, choosing, dense_as_convolution]
