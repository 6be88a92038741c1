# SPDX-License-Identifier: MIT
"""The library of operations: those that several stages use, and the parts of operations.

A stage declares its operations in assignments/NN_name/reference/ops.py; stages.py finds them.
"""

from ..errors import UserError
from . import activations, conv2d, dense, layers_backward, lenet, pooling
from .op import Op

_FAMILIES = (conv2d, pooling, activations, dense, lenet, layers_backward)

OPS: dict[str, Op] = {op.name: op for family in _FAMILIES for op in family.OPS}


def shared(*names: str) -> tuple[Op, ...]:
    """Operations of the library, for a stage that uses them unchanged."""
    for name in names:
        if name not in OPS:
            raise UserError(f'The library has no operation "{name}"; there are: {", ".join(OPS)}.')
    return tuple(OPS[name] for name in names)
