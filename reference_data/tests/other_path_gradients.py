# SPDX-License-Identifier: MIT
"""The gradients by NumPy's own functions: einsum over windows, and the positions of the windows."""

import numpy as np


def _places(p):
    """Row and column in the padded image of output (i, j) and tap (r, s): [oh][ow][kh][kw]."""
    d = {"dilation_h": 1, "dilation_w": 1} | p
    out = [
        (d[a] + 2 * d[f"pad_{a}"] - d[f"dilation_{a}"] * (d[f"k{a}"] - 1) - 1) // d[f"stride_{a}"]
        + 1
        for a in "hw"
    ]
    rows = np.arange(out[0])[:, None] * d["stride_h"] + np.arange(d["kh"]) * d["dilation_h"]
    columns = np.arange(out[1])[:, None] * d["stride_w"] + np.arange(d["kw"]) * d["dilation_w"]
    return np.broadcast_arrays(rows[:, None, :, None], columns[None, :, None, :])


def _frame(p, x, fill=0.0):
    pads = ((0, 0), (0, 0), (p["pad_h"],) * 2, (p["pad_w"],) * 2)
    return np.pad(x, pads, constant_values=fill)


def _unframed(p, frame):
    top, left = p["pad_h"], p["pad_w"]
    return frame[:, :, top : top + p["h"], left : left + p["w"]]


def _scattered(p, values):
    """values [n][c][oh][ow][kh][kw], added up at the positions of the windows."""
    frame = np.zeros((*values.shape[:2], p["h"] + 2 * p["pad_h"], p["w"] + 2 * p["pad_w"]))
    np.add.at(frame, (slice(None), slice(None), *_places(p)), values)
    return _unframed(p, frame)


def _before(t, name):
    return t.get(name, 0.0)


def xgrad(p, t):
    values = np.einsum("nmij,mcpq->ncijpq", t["dy"], t["w"])
    return _scattered(p, values) + _before(t, "dx0")


def wgrad(p, t):
    windows = _frame(p, t["x"])[(slice(None), slice(None), *_places(p))]
    return np.einsum("ncijpq,nmij->mcpq", windows, t["dy"]) + _before(t, "dw0")


def bgrad(p, t):
    return t["dy"].sum(axis=(0, 2, 3)) + _before(t, "db0")


def max_pool(p, t):
    windows = _frame(p, t["x"], -np.inf)[(slice(None), slice(None), *_places(p))]
    flat = windows.reshape(*windows.shape[:4], -1)
    won = np.arange(flat.shape[-1]) == flat.argmax(axis=-1)[..., None]
    return _scattered(p, won.reshape(windows.shape) * t["dy"][..., None, None])


def avg_pool(p, t):
    ones = np.ones((p["n"], p["c"], p["h"], p["w"]))
    inside = _frame(p, ones)[(slice(None), slice(None), *_places(p))]
    count = p["kh"] * p["kw"] if p["count_padding"] else inside.sum(axis=(4, 5))
    return _scattered(p, inside * (t["dy"] / count)[..., None, None])


def relu(p, t):
    return t["dy"] * (t["y"] > 0)


def leaky_relu(p, t):
    return t["dy"] * np.where(t["y"] > 0, 1, float(np.float32(p["slope"])))


def sigmoid(p, t):
    return t["dy"] * t["y"] * (1 - t["y"])


def tanh(p, t):
    return t["dy"] * (1 - t["y"] ** 2)


def dense_xgrad(p, t):
    return t["dy"] @ t["w"]


def dense_wgrad(p, t):
    return t["dy"].T @ t["x"] + _before(t, "dw0")


def dense_bgrad(p, t):
    return t["dy"].sum(axis=0) + _before(t, "db0")
