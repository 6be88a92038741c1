# SPDX-License-Identifier: MIT
"""All operations by name. A new family is one more module with its OPS."""

from . import (
    activations,
    conv2d,
    conv2d_backward,
    cudnn_port,
    dense,
    gemm,
    layers_backward,
    layout,
    lenet,
    pooling,
    same_padding,
    training,
    unroll,
    warm_up,
)
from .op import Op

_FAMILIES = (
    conv2d,
    pooling,
    activations,
    dense,
    layout,
    same_padding,
    lenet,
    warm_up,
    unroll,
    gemm,
    conv2d_backward,
    layers_backward,
    cudnn_port,
    training,
)

OPS: dict[str, Op] = {op.name: op for family in _FAMILIES for op in family.OPS}
