# SPDX-License-Identifier: MIT
"""The operations of the stage are one convolution under three names."""

from proof import CONV2D

PROOFS = dict.fromkeys(("conv2d_tiled_single", "conv2d_tiled", "conv2d_blocked"), CONV2D)
