#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the figures of the stage-01 handout (Python 3.10+, standard library only).

python3 draw.py            write every figure beside this script
python3 draw.py --check    prove that the committed figures are what this script draws
"""

from __future__ import annotations

from convolution_figures import channels_filters, cross_correlation, flipped_kernel
from figure_command import draw
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

if __name__ == "__main__":
    raise SystemExit(draw("01", FIGURES))
