# SPDX-License-Identifier: MIT
"""The operations by NumPy's own means: windows of a padded image, @ and np.add.at."""

import numpy as np


def _windows(p, shape):
    """The places of the windows in a padded image: indices [oh * ow] for each tap (r, s)."""
    height, width = shape
    rows = np.arange(0, height - p["dilation_h"] * (p["kh"] - 1), p["stride_h"])
    columns = np.arange(0, width - p["dilation_w"] * (p["kw"] - 1), p["stride_w"])
    for r in range(p["kh"]):
        for s in range(p["kw"]):
            across = np.tile(columns + s * p["dilation_w"], len(rows))
            yield np.repeat(rows + r * p["dilation_h"], len(columns)), across


def _frame(p):
    return p["h"] + 2 * p["pad_h"], p["w"] + 2 * p["pad_w"]


def unroll(p, t):
    x = np.pad(t["x"], ((0, 0), (0, 0), (p["pad_h"],) * 2, (p["pad_w"],) * 2))
    taps = [x[:, :, rows, columns] for rows, columns in _windows(p, _frame(p))]
    return np.stack(taps, axis=2).reshape(p["n"], -1, taps[0].shape[-1])


def roll(p, t):
    u = t["u"].reshape(p["n"], p["c"], p["kh"] * p["kw"], -1)
    frame = np.zeros((p["n"], p["c"], *_frame(p)), t["u"].dtype)
    for tap, (rows, columns) in enumerate(_windows(p, _frame(p))):
        np.add.at(frame, (slice(None), slice(None), rows, columns), u[:, :, tap])
    return frame[:, :, p["pad_h"] :, p["pad_w"] :][:, :, : p["h"], : p["w"]]


def gemm(p, t):
    return t["a"] @ t["b"]


def scaled(p, t):
    c = t["a"].dtype.type(p["alpha"]) * (t["a"] @ t["b"])
    return c if p["beta"] == 0 else c + t["a"].dtype.type(p["beta"]) * t["c0"]


def conv(p, t):
    y = t["w"].reshape(p["m"], -1) @ unroll(p, t) + t["b"][:, None]
    rows, columns = next(_windows(p, _frame(p)))
    return y.reshape(p["n"], p["m"], len(set(rows)), len(set(columns)))


def _sizes(p):
    rows, _ = next(_windows(p, _frame(p)))
    return p["n"], p["c"] * p["kh"] * p["kw"], len(rows)


def _upper_and_lower(numbers):
    lower = np.array([number % 2**32 for number in numbers]).astype(np.uint32).view(np.int32)
    return np.stack([np.array([number // 2**32 for number in numbers]), lower], axis=1)


def offsets(p, t):
    sizes = _sizes(p)
    marks = np.meshgrid(*[[0, size // 2, size - 1] for size in sizes], indexing="ij")
    return _upper_and_lower(np.ravel_multi_index([m.ravel() for m in marks], sizes).tolist())


def workspace(p, t):
    _, rows, columns = _sizes(p)
    return _upper_and_lower([4 * rows * columns])


def refusals(count):
    return lambda p, t: (np.arange(count) > 0).astype(np.int32)
