# SPDX-License-Identifier: MIT
"""The operations of the stage: one convolution, in three ways."""

from convkit_reference.ops.conv2d import conv2d

OPS = tuple(conv2d(name) for name in ("conv2d_tiled_single", "conv2d_tiled", "conv2d_blocked"))
