# SPDX-License-Identifier: MIT
"""Gradients of a convolution: of its input, its filters and its bias, in float64.

With y = correlate(x, w) and dy = dE/dy, each product x * w that was added to an element of y gets
the gradient of that element:

    dx[n][c][row][col] = sum over m, i, j, p, q with row = i * stride + p * dilation - top, ... of
                         dy[n][m][i][j] * w[m][c][p][q]
    dw[m][c][p][q]     = sum over n, i, j of dy[n][m][i][j] * x[n][c][row][col]
    db[m]              = sum over n, i, j of dy[n][m][i][j]

The terms of a sum are added one after the other, many sums side by side; see correlation.py.
"""

from __future__ import annotations

import numpy as np

from .conv2d import PARAMS, geometry_of
from .correlation import Geometry, padded
from .op import Output, Param, Params, Shape, Tensors

_GROWN = (slice(None), slice(None))


def input_gradient(
    dy: np.ndarray, w: np.ndarray, geometry: Geometry, image: tuple[int, int]
) -> np.ndarray:
    """dy [n][m][oh][ow] and w [m][c][kh][kw] -> dx [n][c][h][w], without the padding's gradient."""
    m, c, kh, kw = w.shape
    dy, w = dy.astype(np.float64), w.astype(np.float64)
    rows, columns = geometry.reach((kh, kw))
    top, left = geometry.before
    frame = np.zeros((dy.shape[0], c, max(rows, top + image[0]), max(columns, left + image[1])))
    for f in range(m):
        for p in range(kh):
            for q in range(kw):
                window = frame[(*_GROWN, *geometry.window(p, q))]
                window += dy[:, f, None] * w[None, f, :, p, q, None, None]
    return np.ascontiguousarray(frame[:, :, top : top + image[0], left : left + image[1]])


def filter_gradient(
    x: np.ndarray, dy: np.ndarray, geometry: Geometry, kernel: tuple[int, int]
) -> np.ndarray:
    """x [n][c][h][w] and dy [n][m][oh][ow] -> dw [m][c][kh][kw], output after output."""
    frame = padded(x, geometry, kernel, 0.0)
    windows = np.stack(
        [
            frame[(*_GROWN, *geometry.window(p, q))]
            for p in range(kernel[0])
            for q in range(kernel[1])
        ],
        axis=2,
    )
    c, m = x.shape[1], dy.shape[1]
    patches = windows.transpose(0, 3, 4, 1, 2).reshape(-1, c * kernel[0] * kernel[1])
    gradients = dy.astype(np.float64).transpose(0, 2, 3, 1).reshape(-1, m)
    dw = np.zeros((m, patches.shape[1]))
    for patch, gradient in zip(patches, gradients):
        dw += gradient[:, None] * patch[None, :]
    return dw.reshape(m, c, *kernel)


def bias_gradient(dy: np.ndarray) -> np.ndarray:
    """dy [n][m][...] -> [m]."""
    rows = dy.astype(np.float64).reshape(*dy.shape[:2], -1).transpose(0, 2, 1)
    db = np.zeros(dy.shape[1])
    for row in rows.reshape(-1, dy.shape[1]):
        db += row
    return db


def products(geometry: Geometry, kernel: tuple[int, int], image: tuple[int, int], maps: int) -> int:
    """The largest number of products in one element of dx."""
    ones = (np.ones((1, 1, *geometry.out)), np.ones((1, 1, *kernel)))
    return maps * int(input_gradient(*ones, geometry, image).max())


def accumulated(value: np.ndarray, terms: int, magnitude: np.ndarray, before=None) -> Output:
    """Adds what the output held before, which is one more term of the sum."""
    if before is None:
        return Output(value, max(terms, 1), magnitude)
    before = before.astype(np.float64)
    return Output(value + before, terms + 1, magnitude + np.abs(before))


# --- As outputs of an operation: x, w, b and dy as in a case, "dx0", "dw0", "db0" if there are ---

ONE_GROUP = PARAMS | {"groups": Param(1, 1, 1)}


def shapes_of(p: Params) -> dict[str, Shape]:
    return {
        "x": (p["n"], p["c"], p["h"], p["w"]),
        "w": (p["m"], p["c"], p["kh"], p["kw"]),
        "b": (p["m"],),
        "y": (p["n"], p["m"], *geometry_of(p).out),
    }


def dx(p: Params, t: Tensors) -> Output:
    geometry, image = geometry_of(p), (p["h"], p["w"])
    return accumulated(
        input_gradient(t["dy"], t["w"], geometry, image),
        products(geometry, (p["kh"], p["kw"]), image, p["m"]),
        input_gradient(np.abs(t["dy"]), np.abs(t["w"]), geometry, image),
        t.get("dx0"),
    )


def dw(p: Params, t: Tensors) -> Output:
    geometry, kernel = geometry_of(p), (p["kh"], p["kw"])
    return accumulated(
        filter_gradient(t["x"], t["dy"], geometry, kernel),
        p["n"] * geometry.out[0] * geometry.out[1],
        filter_gradient(np.abs(t["x"]), np.abs(t["dy"]), geometry, kernel),
        t.get("dw0"),
    )


def db(p: Params, t: Tensors) -> Output:
    rows, columns = geometry_of(p).out
    terms = p["n"] * rows * columns
    return accumulated(bias_gradient(t["dy"]), terms, bias_gradient(np.abs(t["dy"])), t.get("db0"))
