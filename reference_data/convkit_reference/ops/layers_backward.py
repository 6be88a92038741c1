# SPDX-License-Identifier: MIT
"""Gradients of pooling, of activations and of the dense layer."""

from __future__ import annotations

import numpy as np

from .correlation import Geometry, padded
from .gradients import accumulated, bias_gradient
from .op import Op, Output, Param, Params, Shape, Tensors, size
from .pooling import _PARAMS as _POOL
from .pooling import _check, _geometry, _inputs, _outputs, window_sum

_UNIFORM = "uniform(-1, 1)"
_BOTH = (slice(None), slice(None))


# --- pooling -----------------------------------------------------------------------------------


def first_maximum(x: np.ndarray, geometry: Geometry, kernel: tuple[int, int]) -> np.ndarray:
    """For each window, p * kw + q of its first largest element, row by row. Padding never wins."""
    frame = padded(x, geometry, kernel, -np.inf)
    inside = padded(np.ones_like(x), geometry, kernel, 0.0) > 0
    best = np.full(x.shape[:2] + geometry.out, -np.inf)
    place = np.full(best.shape, -1)
    for p in range(kernel[0]):
        for q in range(kernel[1]):
            at = (*_BOTH, *geometry.window(p, q))
            better = inside[at] & ((frame[at] > best) | (place < 0))
            best = np.where(better, frame[at], best)
            place = np.where(better, p * kernel[1] + q, place)
    return place


def spread(share, p: Params) -> np.ndarray:
    """dx: share(p, q) [n][c][oh][ow] is what each window sends to its element (p, q)."""
    geometry, kernel = _geometry(p), (p["kh"], p["kw"])
    rows, columns = geometry.reach(kernel)
    top, left = geometry.before
    shape = (p["n"], p["c"], max(rows, top + p["h"]), max(columns, left + p["w"]))
    frame = np.zeros(shape)
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            frame[(*_BOTH, *geometry.window(i, j))] += share(i, j)
    return np.ascontiguousarray(frame[:, :, top : top + p["h"], left : left + p["w"]])


def _windows_of_an_element(p: Params) -> int:
    return -(-p["kh"] // p["stride_h"]) * -(-p["kw"] // p["stride_w"])


def _max_pool(p: Params, t: Tensors) -> dict[str, Output]:
    """Each element gets the sum of the gradients of the windows whose maximum it is; for one
    window, this is a copy."""
    place = first_maximum(t["x"], _geometry(p), (p["kh"], p["kw"]))

    def won(gradient):
        return lambda i, j: np.where(place == i * p["kw"] + j, gradient, 0.0)

    dy = t["dy"].astype(np.float64)
    terms = _windows_of_an_element(p) - 1
    magnitude = spread(won(np.abs(dy)), p) if terms else None
    return {"dx": Output(spread(won(dy), p), terms, magnitude)}


def _avg_pool(p: Params, t: Tensors) -> dict[str, Output]:
    """A division for each window (or a product with a rounded reciprocal), and the sum of them."""
    geometry, kernel = _geometry(p), (p["kh"], p["kw"])
    whole = float(kernel[0] * kernel[1])
    ones = np.ones((p["n"], p["c"], p["h"], p["w"]))
    count = whole if p["count_padding"] else window_sum(ones, geometry, kernel)
    part = t["dy"].astype(np.float64) / count
    value, magnitude = (spread(lambda i, j, a=a: a, p) for a in (part, np.abs(part)))
    return {"dx": Output(value, _windows_of_an_element(p) + 1, magnitude)}


def _pool(name: str, compute, tensors: tuple[str, ...], params: dict[str, Param]) -> Op:
    def inputs(p: Params) -> dict[str, Shape]:
        return {key: (_inputs(p)["x"] if key == "x" else _outputs(p)["y"]) for key in tensors}

    return Op(
        name,
        _POOL | params,
        inputs,
        lambda p: {"dx": _inputs(p)["x"]},
        compute,
        dict.fromkeys(tensors, _UNIFORM),
        _check,
    )


# --- activations -------------------------------------------------------------------------------


def _relu(p: Params, t: Tensors) -> dict[str, Output]:
    return {"dx": Output(np.where(t["y"] > 0, t["dy"], 0).astype(np.float64))}


def _leaky_relu(p: Params, t: Tensors) -> dict[str, Output]:
    slope = float(np.float32(p["slope"]))  # the function under test takes a float
    dy = t["dy"].astype(np.float64)
    dx = np.where(t["y"] > 0, dy, slope * dy)
    return {"dx": Output(dx, 1, np.abs(dx))}


def _sigmoid(p: Params, t: Tensors) -> dict[str, Output]:
    """dy y (1 - y), or dy (y - y y): three roundings, of terms no larger than |dy| (|y| + y y)."""
    y, dy = t["y"].astype(np.float64), t["dy"].astype(np.float64)
    return {"dx": Output(dy * y * (1 - y), 3, np.abs(dy) * (np.abs(y) + y * y))}


def _tanh(p: Params, t: Tensors) -> dict[str, Output]:
    """dy (1 - y y), dy (1 - y) (1 + y) or dy - dy y y: at most four roundings."""
    y, dy = t["y"].astype(np.float64), t["dy"].astype(np.float64)
    return {"dx": Output(dy * (1 - y * y), 4, np.abs(dy) * (1 + y * y))}


def _activation(name: str, compute, y: str, params: dict[str, Param] | None = None) -> Op:
    return Op(
        name,
        {"size": size()} | (params or {}),
        inputs=lambda p: {"y": (p["size"],), "dy": (p["size"],)},
        outputs=lambda p: {"dx": (p["size"],)},
        compute=compute,
        distributions={"y": y, "dy": _UNIFORM},
    )


# --- dense -------------------------------------------------------------------------------------


def multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a [i][k] times b [k][j], summed in the order of k."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    c = np.zeros((a.shape[0], b.shape[1]))
    for k in range(a.shape[1]):
        c += a[:, k, None] * b[None, k]
    return c


def _dense(name: str, of: str, operands: tuple[str, ...], compute, accumulates: bool) -> Op:
    def shapes(p: Params) -> dict[str, Shape]:
        n, width, out = p["n"], p["in"], p["out"]
        return {"x": (n, width), "w": (out, width), "b": (out,), "dy": (n, out)}

    def inputs(p: Params) -> dict[str, Shape]:
        given = {key: shapes(p)[key] for key in operands}
        return given | ({f"d{of}0": shapes(p)[of]} if p.get("accumulate") else {})

    params = {"n": size(1), "in": size(), "out": size()}
    if of == "b":
        params["in"] = Param(1, 1, 1)
    return Op(
        name,
        params | ({"accumulate": Param(0, 0, 1)} if accumulates else {}),
        inputs,
        outputs=lambda p: {f"d{of}": shapes(p)[of]},
        compute=compute,
        distributions=dict.fromkeys((*operands, *([f"d{of}0"] if accumulates else [])), _UNIFORM),
    )


def _dense_dx(p: Params, t: Tensors) -> dict[str, Output]:
    dy, w = t["dy"], t["w"]
    return {"dx": accumulated(multiply(dy, w), p["out"], multiply(np.abs(dy), np.abs(w)))}


def _dense_dw(p: Params, t: Tensors) -> dict[str, Output]:
    dy, x = t["dy"].T, t["x"]
    magnitude = multiply(np.abs(dy), np.abs(x))
    return {"dw": accumulated(multiply(dy, x), p["n"], magnitude, t.get("dw0"))}


def _dense_db(p: Params, t: Tensors) -> dict[str, Output]:
    magnitude = bias_gradient(np.abs(t["dy"]))
    return {"db": accumulated(bias_gradient(t["dy"]), p["n"], magnitude, t.get("db0"))}


OPS = (
    _pool("max_pool2d_backward", _max_pool, ("x", "dy"), {}),
    _pool("avg_pool2d_backward", _avg_pool, ("dy",), {"count_padding": Param(0, 0, 1)}),
    _activation("relu_backward", _relu, "uniform(-1, 1)"),
    _activation(
        "leaky_relu_backward", _leaky_relu, "uniform(-1, 1)", {"slope": Param(0.01, 0, None, float)}
    ),
    _activation("sigmoid_backward", _sigmoid, "uniform(0, 1)"),
    _activation("tanh_backward", _tanh, "uniform(-1, 1)"),
    _dense("dense_xgrad", "x", ("dy", "w"), _dense_dx, False),
    _dense("dense_wgrad", "w", ("x", "dy"), _dense_dw, True),
    _dense("dense_bgrad", "b", ("dy",), _dense_db, True),
)
