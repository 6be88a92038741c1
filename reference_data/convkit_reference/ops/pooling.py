# SPDX-License-Identifier: MIT
"""Max, average and global average pooling."""

from __future__ import annotations

import numpy as np

from ..errors import ParamProblem
from .correlation import Geometry, padded
from .op import Op, Output, Param, Params, Shape, Tensors, size

_PARAMS = {
    "n": size(1), "c": size(1), "h": size(), "w": size(),
    "kh": Param(2), "kw": Param(2),
    "pad_h": Param(0, 0), "pad_w": Param(0, 0),
    "stride_h": Param(2), "stride_w": Param(2),
}  # fmt: skip


def max_pool(x: np.ndarray, geometry: Geometry, kernel: tuple[int, int]) -> np.ndarray:
    """The largest element of each window, never the padding; NaN if one of them is NaN."""
    frame = padded(x, geometry, kernel, -np.inf)
    y = np.full(x.shape[:2] + geometry.out, -np.inf)
    for p in range(kernel[0]):
        for q in range(kernel[1]):
            np.maximum(y, frame[(slice(None), slice(None), *geometry.window(p, q))], out=y)
    return y


def window_sum(x: np.ndarray, geometry: Geometry, kernel: tuple[int, int]) -> np.ndarray:
    """The sum of each window's elements, row by row."""
    frame = padded(x, geometry, kernel, 0.0)
    y = np.zeros(x.shape[:2] + geometry.out)
    for p in range(kernel[0]):
        for q in range(kernel[1]):
            y += frame[(slice(None), slice(None), *geometry.window(p, q))]
    return y


def _geometry(p: Params) -> Geometry:
    out = tuple((p[a] + 2 * p[f"pad_{a}"] - p[f"k{a}"]) // p[f"stride_{a}"] + 1 for a in "hw")
    return Geometry(out, (p["pad_h"], p["pad_w"]), (p["stride_h"], p["stride_w"]))


def _check(p: Params) -> None:
    for a in "hw":
        kernel, pad = p[f"k{a}"], p[f"pad_{a}"]
        if pad >= kernel:
            raise ParamProblem(
                f"pad_{a}", f"is {pad}; with k{a} = {kernel} a window would hold only padding"
            )
        if kernel > p[a] + 2 * pad:
            raise ParamProblem(
                f"k{a}", f"is {kernel}; the padded input has only {p[a] + 2 * pad} elements"
            )


def _inputs(p: Params) -> dict[str, Shape]:
    return {"x": (p["n"], p["c"], p["h"], p["w"])}


def _outputs(p: Params) -> dict[str, Shape]:
    return {"y": (p["n"], p["c"], *_geometry(p).out)}


def _max_pool(p: Params, t: Tensors) -> dict[str, Output]:
    return {"y": Output(max_pool(t["x"], _geometry(p), (p["kh"], p["kw"])))}


def _avg_pool(p: Params, t: Tensors) -> dict[str, Output]:
    """A sum of at most kh * kw elements, and a division (or a product with a reciprocal)."""
    geometry, kernel = _geometry(p), (p["kh"], p["kw"])
    whole = float(kernel[0] * kernel[1])
    count = whole if p["count_padding"] else window_sum(np.ones_like(t["x"]), geometry, kernel)
    return {
        "y": Output(
            window_sum(t["x"], geometry, kernel) / count,
            kernel[0] * kernel[1] + 1,
            window_sum(np.abs(t["x"]), geometry, kernel) / count,
        )
    }


def _global_avg_pool(p: Params, t: Tensors) -> dict[str, Output]:
    count = p["h"] * p["w"]
    whole, kernel = Geometry((1, 1)), (p["h"], p["w"])
    mean = window_sum(t["x"], whole, kernel)[:, :, 0, 0] / count
    magnitude = window_sum(np.abs(t["x"]), whole, kernel)[:, :, 0, 0] / count
    return {"y": Output(mean, count + 1, magnitude)}


_UNIFORM = {"x": "uniform(-1, 1)"}
OPS = (
    Op("max_pool2d_forward", _PARAMS, _inputs, _outputs, _max_pool, _UNIFORM, _check),
    Op(
        "avg_pool2d_forward",
        _PARAMS | {"count_padding": Param(0, 0, 1)},
        _inputs,
        _outputs,
        _avg_pool,
        _UNIFORM,
        _check,
    ),
    Op(
        "global_avg_pool_forward",
        {"n": size(1), "c": size(1), "h": size(), "w": size()},
        _inputs,
        lambda p: {"y": (p["n"], p["c"])},
        _global_avg_pool,
        _UNIFORM,
    ),
)
