# SPDX-License-Identifier: MIT
"""The operations of the stage: its own, and those of the library that it uses."""

from convkit_reference.ops import activations, dense, pooling, shared
from convkit_reference.ops.conv2d import conv2d

from . import layout, same_padding

OPS = (
    *shared("conv2d_forward"),
    conv2d("conv2d_fast"),
    *pooling.OPS,
    *activations.OPS,
    *dense.OPS,
    *layout.OPS,
    *same_padding.OPS,
    *shared("lenet_forward"),
)
