# SPDX-License-Identifier: MIT
"""The proofs of the library's operations, and where to find those of a stage's own operations."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import naive_gradients
import naive_layers
import other_path_gradients
import other_path_layers
import pytest

from convkit_reference.errors import UserError
from convkit_reference.ops import OPS
from convkit_reference.stages import reference_module


@dataclass(frozen=True)
class Proof:
    """One or two other implementations of an operation, which share no code with the generator.

    Both are functions of the parameters and the tensors. They return a value, a pair of a value and
    its magnitude (`naive`), or a value for each output by name.
    """

    naive: Callable  # from the definition: plain loops, math.fsum; compared on random shapes
    ranges: Mapping[str, tuple[int, int]]  # the random shapes: key -> (lowest, highest)
    other_path: Callable | None = (
        None  # by NumPy's own functions, on the committed cases; if there is none, `naive`
    )
    trials: int = 60
    exact: bool = False  # whole numbers
    noise: float = 1e-13  # by how much the definition's answers, in float64, may be off
    # The largest share of the largest answer that a bound may be. None: there is no such limit.
    narrow: float | None = 2.0**-11


CONV = {
    "n": (1, 2), "c": (1, 3), "h": (1, 7), "w": (1, 7), "m": (1, 3), "kh": (1, 4), "kw": (1, 4),
    "pad_h": (0, 3), "pad_w": (0, 3), "stride_h": (1, 3), "stride_w": (1, 3),
    "dilation_h": (1, 3), "dilation_w": (1, 3), "groups": (1, 3),
}  # fmt: skip
CONV_OF_ONE_GROUP = CONV | {"groups": (1, 1)}
IMAGE = {"n": (1, 3), "c": (1, 4), "h": (1, 5), "w": (1, 5)}
EACH = {"size": (1, 40)}
_POOL = {
    "n": (1, 2), "c": (1, 3), "h": (1, 8), "w": (1, 8), "kh": (1, 4), "kw": (1, 4),
    "pad_h": (0, 2), "pad_w": (0, 2), "stride_h": (1, 3), "stride_w": (1, 3),
}  # fmt: skip
_AVERAGE = _POOL | {"count_padding": (0, 1)}
_DENSE = {"n": (1, 5), "in": (1, 9), "out": (1, 6)}

CONV2D = Proof(naive_layers.conv2d, CONV, other_path_layers.conv)

LIBRARY = {
    "conv2d_forward": CONV2D,
    "max_pool2d_forward": Proof(naive_layers.max_pool2d, _POOL, other_path_layers.max_pool),
    "avg_pool2d_forward": Proof(naive_layers.avg_pool2d, _AVERAGE, other_path_layers.avg_pool),
    "global_avg_pool_forward": Proof(
        naive_layers.global_avg_pool, IMAGE, other_path_layers.global_avg
    ),
    "relu_forward": Proof(naive_layers.relu, EACH, other_path_layers.relu),
    "leaky_relu_forward": Proof(naive_layers.leaky_relu, EACH, other_path_layers.leaky_relu),
    "sigmoid_forward": Proof(naive_layers.sigmoid, EACH, other_path_layers.sigmoid),
    "tanh_forward": Proof(naive_layers.tanh, EACH, other_path_layers.tanh),
    "dense_forward": Proof(
        naive_layers.dense, {"n": (1, 4), "in": (1, 20), "out": (1, 6)}, other_path_layers.dense
    ),
    "softmax_forward": Proof(
        naive_layers.softmax, {"n": (1, 4), "k": (1, 12)}, other_path_layers.softmax
    ),
    "lenet_forward": Proof(
        naive_layers.lenet, {"n": (1, 1)}, other_path_layers.lenet, trials=1, narrow=None
    ),
    "max_pool2d_backward": Proof(naive_gradients.max_pool2d, _POOL, other_path_gradients.max_pool),
    "avg_pool2d_backward": Proof(
        naive_gradients.avg_pool2d, _AVERAGE, other_path_gradients.avg_pool
    ),
    "relu_backward": Proof(naive_gradients.relu, EACH, other_path_gradients.relu),
    "leaky_relu_backward": Proof(naive_gradients.leaky_relu, EACH, other_path_gradients.leaky_relu),
    "sigmoid_backward": Proof(naive_gradients.sigmoid, EACH, other_path_gradients.sigmoid),
    "tanh_backward": Proof(naive_gradients.tanh, EACH, other_path_gradients.tanh),
    "dense_xgrad": Proof(naive_gradients.dense_xgrad, _DENSE, other_path_gradients.dense_xgrad),
    "dense_wgrad": Proof(
        naive_gradients.dense_wgrad,
        _DENSE | {"accumulate": (0, 1)},
        other_path_gradients.dense_wgrad,
    ),
    "dense_bgrad": Proof(
        naive_gradients.dense_bgrad,
        _DENSE | {"in": (1, 1), "accumulate": (0, 1)},
        other_path_gradients.dense_bgrad,
    ),
}


def proof_of(stage, op):
    """The proof of a stage's operation (None: of the library's). The test fails without one."""
    if stage is None or OPS.get(op.name) is op:
        proofs, where = LIBRARY, f"{__file__}: LIBRARY"
    else:
        module, missing = None, ""
        try:
            module = reference_module(stage, "proofs")
        except UserError as problem:
            missing = str(problem)
        if module is None:
            pytest.fail(missing, pytrace=False)
        proofs, where = module.PROOFS, f"{module.__file__}: PROOFS"
    if op.name not in proofs:
        pytest.fail(
            f'{where} has no "{op.name}"; add a Proof for it (docs/references.md).', pytrace=False
        )
    return proofs[op.name]
