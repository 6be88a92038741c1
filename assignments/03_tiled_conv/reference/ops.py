# SPDX-License-Identifier: MIT
"""The operations of the stage: one convolution, in three ways, and what each returns on failure."""

from convkit_reference.ops.conv2d import conv2d, failing_conv2d

NAMES = ("conv2d_tiled_single", "conv2d_tiled", "conv2d_blocked")
OPS = (*map(conv2d, NAMES), *(failing_conv2d(f"{name}_failing") for name in NAMES))
