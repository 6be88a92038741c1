# SPDX-License-Identifier: MIT
"""The figures of the handout; docs/pictures/draw.py draws them."""

from convolution_figures import channels_filters, cross_correlation, flipped_kernel
from machine_figures import error_bound, lenet, nchw_layout, pooling_padding, register_tile
from window_figures import dilation, padding_stride, same_padding

FIGURES = [
    cross_correlation,
    flipped_kernel,
    padding_stride,
    dilation,
    channels_filters,
    nchw_layout,
    pooling_padding,
    same_padding,
    lenet,
    register_tile,
    error_bound,
]
