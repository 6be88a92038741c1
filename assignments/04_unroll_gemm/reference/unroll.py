# SPDX-License-Identifier: MIT
"""The unrolled matrix of a mini-batch (im2col), and its adjoint (col2im).

u [n][c * kh * kw][oh * ow]: row (ch * kh + p) * kw + q, column i * ow + j. Each element of u is an
element of the padded x, so unrolling is exact.
"""

from __future__ import annotations

import numpy as np

from convkit_reference.ops.conv2d import PARAMS, check, geometry_of
from convkit_reference.ops.correlation import Geometry, padded
from convkit_reference.ops.op import Op, Output, Params, Shape, Tensors


def unroll(x: np.ndarray, geometry: Geometry, kernel: tuple[int, int]) -> np.ndarray:
    """x [n][c][h][w] -> u, in float64."""
    n, c = x.shape[:2]
    kh, kw = kernel
    frame = padded(x, geometry, kernel, 0.0)
    u = np.empty((n, c, kh, kw, *geometry.out))
    for p in range(kh):
        for q in range(kw):
            rows, columns = geometry.window(p, q)
            u[:, :, p, q] = frame[:, :, rows, columns]
    return u.reshape(n, c * kh * kw, -1)


def roll(
    u: np.ndarray, geometry: Geometry, kernel: tuple[int, int], image: tuple[int, int, int]
) -> np.ndarray:
    """u -> for each element of an image [c][h][w], the sum of the elements of u to which unroll
    copies it, added in the order p, q."""
    c, h, w = image
    kh, kw = kernel
    u = u.astype(np.float64).reshape(len(u), c, kh, kw, *geometry.out)
    top, left = geometry.before
    rows, columns = geometry.reach(kernel)
    frame = np.zeros((len(u), c, max(rows, top + h), max(columns, left + w)))
    for p in range(kh):
        for q in range(kw):
            down, across = geometry.window(p, q)
            frame[:, :, down, across] += u[:, :, p, q]
    return frame[:, :, top : top + h, left : left + w]


def _size(p: Params) -> tuple[int, int, int]:
    """n, rows and columns of u."""
    oh, ow = geometry_of(p).out
    return p["n"], p["c"] * p["kh"] * p["kw"], oh * ow


def _kernel(p: Params) -> tuple[int, int]:
    return p["kh"], p["kw"]


def _x(p: Params) -> Shape:
    return p["n"], p["c"], p["h"], p["w"]


def _unroll(name: str) -> Op:
    return Op(
        name,
        PARAMS,
        inputs=lambda p: {"x": _x(p)},
        outputs=lambda p: {"u": _size(p)},
        compute=lambda p, t: {"u": Output(unroll(t["x"], geometry_of(p), _kernel(p)))},
        distributions={"x": "uniform(-1, 1)"},
        check=check,
    )


def _roll(name: str) -> Op:
    """A sum of kh * kw elements at most, without products: gamma(kh * kw) * sum |u|."""

    def compute(p: Params, t: Tensors) -> dict[str, Output]:
        def rolled(u: np.ndarray) -> np.ndarray:
            return roll(u, geometry_of(p), _kernel(p), (p["c"], p["h"], p["w"]))

        return {"x": Output(rolled(t["u"]), p["kh"] * p["kw"], rolled(np.abs(t["u"])))}

    return Op(
        name,
        PARAMS,
        inputs=lambda p: {"u": _size(p)},
        outputs=lambda p: {"x": _x(p)},
        compute=compute,
        distributions={"u": "uniform(-1, 1)"},
        check=check,
    )


# --- Offsets, without any memory ----------------------------------------------------------------


def words(numbers: list[int]) -> np.ndarray:
    """Each number as its upper and its lower 32 bits."""
    return np.array(numbers, dtype="<i8").view("<i4").reshape(-1, 2)[:, ::-1].astype(np.int32)


def places(p: Params) -> list[tuple[int, int, int]]:
    """27 places (image, row, column): each first, in the middle and last."""
    marks = [(0, size // 2, size - 1) for size in _size(p)]
    return [(a, b, c) for a in marks[0] for b in marks[1] for c in marks[2]]


def _offset(p: Params, t: Tensors) -> dict[str, Output]:
    _, rows, columns = _size(p)
    return {
        "offset": Output(words([(a * rows + b) * columns + c for a, b, c in places(p)])),
    }


def _workspace(p: Params, t: Tensors) -> dict[str, Output]:
    _, rows, columns = _size(p)
    return {"bytes": Output(words([4 * rows * columns]))}


def _exact(name: str, output: str, count: int, compute) -> Op:
    return Op(
        name,
        PARAMS,
        inputs=lambda p: {},
        outputs=lambda p: {output: (count, 2)},
        compute=compute,
        check=check,
    )


OPS = (
    _unroll("unroll_elements"),
    _unroll("unroll_columns"),
    _roll("roll_scatter"),
    _roll("roll_gather"),
    _exact("unroll_offset", "offset", 27, _offset),
    _exact("workspace_size", "bytes", 1, _workspace),
)
