# SPDX-License-Identifier: MIT
"""The operations of the stage: blended convolutions and gradients, statuses, choices.

    y = alpha * conv(x, w) + beta * y0

where the output holds y0 before the call if beta is not 0. `algo` numbers an algorithm of cuDNN;
the result does not depend on it.
"""

from __future__ import annotations

import numpy as np

from convkit_reference.ops import shared
from convkit_reference.ops.conv2d import PARAMS, UNIFORM, biased, check, geometry_of, inputs_of
from convkit_reference.ops.correlation import correlate
from convkit_reference.ops.gradients import ONE_GROUP, db, dw, dx, shapes_of
from convkit_reference.ops.op import Op, Output, Param, Params, Shape, Tensors, size

_FACTORS = {"alpha": Param(1.0, None, None, float), "beta": Param(0.0, None, None, float)}

# Categories of statuses: the number of cudnnStatus_t divided by 1000.
_BAD_PARAM, _NOT_SUPPORTED = 2, 3
_STATUSES = {
    "conv2d_dims_statuses": (_BAD_PARAM, _BAD_PARAM, _BAD_PARAM),
    "conv2d_forward_statuses": (_NOT_SUPPORTED, _NOT_SUPPORTED),
}

_ALGORITHMS = 8  # CUDNN_CONVOLUTION_FWD_ALGO_COUNT
# Fits the limit, is supported, is reported with its workspace, and comes first in the library's
# list.
_FACTS_OF_A_CHOICE = {"conv2d_heuristic": 4, "conv2d_measured": 3}
_FACTS_OF_A_ROW = 4
# How many algorithms a pass has: CUDNN_CONVOLUTION_FWD_ALGO_COUNT and its like.
_WORKSPACES = {
    "conv2d_workspaces": _ALGORITHMS,
    "conv2d_xgrad_workspaces": 6,
    "conv2d_wgrad_workspaces": 7,
}


def blended(product: Output, before: np.ndarray | None, p: Params) -> Output:
    """alpha * product + beta * before: two products and a sum, each rounded once."""
    alpha, beta = (float(np.float32(p[key])) for key in ("alpha", "beta"))
    value, magnitude = alpha * product.value, abs(alpha) * product.magnitude
    if before is not None:
        before = before.astype(np.float64)
        value, magnitude = value + beta * before, magnitude + np.abs(beta * before)
    return Output(value, product.terms + 3, magnitude)


def _product(p: Params, t: Tensors) -> Output:
    geometry = geometry_of(p)
    return Output(
        correlate(t["x"], t["w"], geometry, p["groups"]),
        t["w"].shape[1] * p["kh"] * p["kw"],
        correlate(np.abs(t["x"]), np.abs(t["w"]), geometry, p["groups"]),
    )


def _biased_blend(p: Params, t: Tensors) -> dict[str, Output]:
    """The bias is added once, and not scaled: a sum more."""
    y, b = blended(_product(p, t), t.get("y0"), p), t["b"].astype(np.float64)[None, :, None, None]
    return {"y": Output(y.value + b, y.terms + 1, y.magnitude + np.abs(b))}


def _output(p: Params) -> Shape:
    return (p["n"], p["m"], *geometry_of(p).out)


def _dims(p: Params, t: Tensors) -> dict[str, Output]:
    return {"dims": Output(np.array(_output(p), np.int32))}


def _table(p: Params, t: Tensors) -> dict[str, Output]:
    """For each algorithm: listed once, with the library's status and workspace, in order."""
    return {"table": Output(np.ones((_ALGORITHMS, _FACTS_OF_A_ROW), np.int32))}


def _gradient(name: str, of: str, operands: tuple[str, ...], compute) -> Op:
    """The gradient of x, w or b (`of`), scaled and added to what is there."""

    def inputs(p: Params) -> dict[str, Shape]:
        shapes = shapes_of(p)
        given = {key: shapes["y" if key == "dy" else key] for key in operands}
        return given | ({f"d{of}0": shapes[of]} if p["beta"] else {})

    def outputs(p: Params, t: Tensors) -> dict[str, Output]:
        alone = {key: t[key] for key in operands}
        return {f"d{of}": blended(compute(p, alone), t.get(f"d{of}0"), p)}

    return Op(
        name,
        ONE_GROUP | _FACTORS | {"algo": Param(1, 0, 7)},
        inputs,
        lambda p: {f"d{of}": shapes_of(p)[of]},
        outputs,
        dict.fromkeys((*operands, f"d{of}0"), "uniform(-1, 1)"),
        check,
    )


def _operands(p: Params) -> dict[str, Shape]:
    return {key: inputs_of(p)[key] for key in ("x", "w")}


def _softmax_backward(p: Params, t: Tensors) -> dict[str, Output]:
    """dx = y (dy - sum y dy): k products and their sum, a difference and a product."""
    y, dy = t["y"].astype(np.float64), t["dy"].astype(np.float64)
    total, size_of_total = np.zeros((p["n"], 1)), np.zeros((p["n"], 1))
    for i in range(p["k"]):
        product = y[:, i : i + 1] * dy[:, i : i + 1]
        total += product
        size_of_total += np.abs(product)
    magnitude = np.abs(y) * (np.abs(dy) + size_of_total)
    return {"dx": Output(y * (dy - total), p["k"] + 3, magnitude)}


def _refused(name: str, categories: tuple[int, ...]) -> Op:
    """The return values of calls with bad arguments, in order."""
    return Op(
        name,
        {},
        lambda p: {},
        lambda p: {"status": (len(categories),)},
        lambda p, t: {"status": Output(np.array(categories, np.int32))},
    )


def _workspaces(name: str) -> Op:
    """For each algorithm of a pass: whether a query gives the library's answer."""
    count = _WORKSPACES[name]
    return Op(
        name,
        ONE_GROUP,
        lambda p: {},
        lambda p: {"workspaces": (count,)},
        lambda p, t: {"workspaces": Output(np.ones(count, np.int32))},
        check=check,
    )


def _choice(name: str) -> Op:
    facts = _FACTS_OF_A_CHOICE[name]
    return Op(
        name,
        ONE_GROUP | {"limit": Param(0, 0), "exact": Param(0, 0, 1)},
        _operands,
        lambda p: {"choice": (facts,)},
        lambda p, t: {"choice": Output(np.ones(facts, np.int32))},
        UNIFORM,
        check,
    )


OPS = (
    Op("conv2d_dims", PARAMS, lambda p: {}, lambda p: {"dims": (4,)}, _dims, check=check),
    *(_refused(name, categories) for name, categories in _STATUSES.items()),
    Op(
        "conv2d_cudnn",
        PARAMS | {"algo": Param(1, 0, 7)},
        inputs_of,
        lambda p: {"y": _output(p)},
        lambda p, t: {"y": biased(t["x"], t["w"], t["b"], geometry_of(p), p["groups"])},
        UNIFORM,
        check,
    ),
    Op(
        "conv2d_blend",
        PARAMS | _FACTORS | {"algo": Param(1, 0, 7)},
        lambda p: _operands(p) | ({"y0": _output(p)} if p["beta"] else {}),
        lambda p: {"y": _output(p)},
        lambda p, t: {"y": blended(_product(p, t), t.get("y0"), p)},
        dict.fromkeys(("x", "w", "y0"), "uniform(-1, 1)"),
        check,
    ),
    Op(
        "conv2d_blend_biased",
        PARAMS | _FACTORS | {"algo": Param(1, 0, 7)},
        lambda p: inputs_of(p) | ({"y0": _output(p)} if p["beta"] else {}),
        lambda p: {"y": _output(p)},
        _biased_blend,
        dict.fromkeys(("x", "w", "b", "y0"), "uniform(-1, 1)"),
        check,
    ),
    *map(_workspaces, _WORKSPACES),
    _choice("conv2d_heuristic"),
    _choice("conv2d_measured"),
    _gradient("conv2d_xgrad_cudnn", "x", ("dy", "w"), dx),
    _gradient("conv2d_wgrad_cudnn", "w", ("x", "dy"), dw),
    _gradient("conv2d_bgrad_cudnn", "b", ("dy",), db),
    Op(
        "softmax_backward",
        {"n": size(1), "k": size()},
        inputs=lambda p: {"y": (p["n"], p["k"]), "dy": (p["n"], p["k"])},
        outputs=lambda p: {"dx": (p["n"], p["k"])},
        compute=_softmax_backward,
        distributions={"y": "uniform(0, 1)", "dy": "uniform(-1, 1)"},
    ),
    Op(
        "algorithm_table",
        ONE_GROUP,
        _operands,
        lambda p: {"table": (_ALGORITHMS, _FACTS_OF_A_ROW)},
        _table,
        UNIFORM,
        check,
    ),
    *shared(
        "max_pool2d_forward", "avg_pool2d_forward", "max_pool2d_backward", "avg_pool2d_backward",
        "relu_forward", "sigmoid_forward", "tanh_forward",
        "relu_backward", "sigmoid_backward", "tanh_backward", "softmax_forward", "lenet_forward",
    ),
)  # fmt: skip
