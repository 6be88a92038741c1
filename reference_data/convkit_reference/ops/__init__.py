# SPDX-License-Identifier: MIT
"""All operations by name. A new family is one more module with its OPS."""

from . import activations, conv2d, dense, layout, lenet, pooling, same_padding, warm_up
from .op import Op

_FAMILIES = (conv2d, pooling, activations, dense, layout, same_padding, lenet, warm_up)

OPS: dict[str, Op] = {op.name: op for family in _FAMILIES for op in family.OPS}
