# SPDX-License-Identifier: MIT
"""The dense layer y = x w^T + b and softmax."""

from __future__ import annotations

import numpy as np

from .. import decimal_math
from .error_model import softmax_error
from .op import Op, Output, Params, Tensors, size


def multiply(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """x [n][in] times w [out][in] -> [n][out], summed in the order of `in`."""
    x, w = x.astype(np.float64), w.astype(np.float64)
    y = np.zeros((x.shape[0], w.shape[0]))
    for i in range(x.shape[1]):
        y += x[:, i, None] * w[None, :, i]
    return y


def dense(x: np.ndarray, w: np.ndarray, b: np.ndarray) -> Output:
    """The bound is that of a convolution with `in` products and a bias:
    gamma(in + 1) * (sum |x||w| + |b|)."""
    bias = b.astype(np.float64)
    magnitude = multiply(np.abs(x), np.abs(w)) + np.abs(bias)
    return Output(multiply(x, w) + bias, x.shape[1] + 1, magnitude)


def softmax(x: np.ndarray) -> Output:
    """Softmax of each row of x [n][k]."""
    rows = [decimal_math.softmax_row(row) for row in x.tolist()]
    y = np.array([row for row, _ in rows], dtype=np.float64)
    log_sum = np.array([log for _, log in rows], dtype=np.float64)
    x = x.astype(np.float64)
    below = x.max(axis=1, keepdims=True) - x
    return Output(y, 1, softmax_error(y, below, log_sum))


def _dense(p: Params, t: Tensors) -> dict[str, Output]:
    return {"y": dense(t["x"], t["w"], t["b"])}


def _softmax(p: Params, t: Tensors) -> dict[str, Output]:
    return {"y": softmax(t["x"])}


OPS = (
    Op(
        "dense_forward",
        {"n": size(1), "in": size(), "out": size()},
        inputs=lambda p: {"x": (p["n"], p["in"]), "w": (p["out"], p["in"]), "b": (p["out"],)},
        outputs=lambda p: {"y": (p["n"], p["out"])},
        compute=_dense,
        distributions={"x": "uniform(-1, 1)", "w": "uniform(-1, 1)", "b": "uniform(-1, 1)"},
    ),
    Op(
        "softmax_forward",
        {"n": size(1), "k": size()},
        inputs=lambda p: {"x": (p["n"], p["k"])},
        outputs=lambda p: {"y": (p["n"], p["k"])},
        compute=_softmax,
        distributions={"x": "uniform(-4, 4)"},
    ),
)
