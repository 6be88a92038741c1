# SPDX-License-Identifier: MIT
"""ReLU, leaky ReLU, sigmoid and tanh, element by element. NaN in, NaN out."""

from __future__ import annotations

import numpy as np

from .. import decimal_math
from .error_model import (
    closed,
    sigmoid_error,
    sigmoid_error_below_zero,
    tanh_error,
    tanh_error_near_zero,
)
from .op import Op, Output, Param, Params, Tensors, size


def _relu(p: Params, t: Tensors) -> dict[str, Output]:
    x = t["x"].astype(np.float64)
    return {"y": Output(np.where(x < 0, 0.0, x))}


def _leaky_relu(p: Params, t: Tensors) -> dict[str, Output]:
    x = t["x"].astype(np.float64)
    slope = float(np.float32(p["slope"]))  # the function under test takes a float
    y = np.where(x < 0, slope * x, x)
    return {"y": Output(y, 1, _zero_where_nan(np.abs(y)))}


def _sigmoid(p: Params, t: Tensors) -> dict[str, Output]:
    """`relative` asks for right digits far below 0, where a form with tanh loses them."""
    y = decimal_math.sigmoid(t["x"])
    error = sigmoid_error_below_zero if p.get("relative") else sigmoid_error
    return {"y": Output(y, 1, _zero_where_nan(closed(error(y))))}


def _tanh(p: Params, t: Tensors) -> dict[str, Output]:
    """`relative` asks for right digits near zero, where the usual formulas lose them."""
    y = decimal_math.tanh(t["x"])
    error = tanh_error_near_zero if p.get("relative") else tanh_error
    return {"y": Output(y, 1, _zero_where_nan(closed(error(y))))}


def _zero_where_nan(magnitude: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(magnitude), 0.0, magnitude)


def _op(name: str, compute, params: dict[str, Param] | None = None) -> Op:
    return Op(
        name,
        {"size": size()} | (params or {}),
        inputs=lambda p: {"x": (p["size"],)},
        outputs=lambda p: {"y": (p["size"],)},
        compute=compute,
        distributions={"x": "uniform(-4, 4)"},
    )


OPS = (
    _op("relu_forward", _relu),
    _op("leaky_relu_forward", _leaky_relu, {"slope": Param(0.01, None, None, float)}),
    _op("sigmoid_forward", _sigmoid, {"relative": Param(0, 0, 1)}),
    _op("tanh_forward", _tanh, {"relative": Param(0, 0, 1)}),
)
