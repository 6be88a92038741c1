# SPDX-License-Identifier: MIT
"""The naive twins of the library's operations: plain loops over single elements, with math.fsum.
Those of a stage's operations are in the stage's folder.

This file shares no code with convkit_reference, so that a mistake cannot be in both.
"""

import math
from itertools import product

import numpy as np


def conv2d(p, t, before=None, out=None):
    """y and sum |x||w| + |b|, by the definition of cross-correlation."""
    x, w, b = t["x"], t["w"], t["b"]
    top, left = before or (p["pad_h"], p["pad_w"])
    if out is None:
        out = (
            count(p["h"], p["pad_h"], p["dilation_h"] * (p["kh"] - 1) + 1, p["stride_h"]),
            count(p["w"], p["pad_w"], p["dilation_w"] * (p["kw"] - 1) + 1, p["stride_w"]),
        )
    y = np.zeros((p["n"], p["m"], *out))
    size = np.zeros_like(y)
    c_group, m_group = p["c"] // p["groups"], p["m"] // p["groups"]
    for n, m, i, j in np.ndindex(*y.shape):
        first = (m // m_group) * c_group
        terms = [float(b[m])]
        for c, r, s in product(range(c_group), range(p["kh"]), range(p["kw"])):
            row = i * p["stride_h"] - top + r * p["dilation_h"]
            column = j * p["stride_w"] - left + s * p["dilation_w"]
            if 0 <= row < p["h"] and 0 <= column < p["w"]:
                terms.append(float(x[n, first + c, row, column]) * float(w[m, c, r, s]))
        y[n, m, i, j] = math.fsum(terms)
        size[n, m, i, j] = math.fsum(map(abs, terms))
    return y, size


def max_pool2d(p, t):
    return _pool(p, t["x"], max)


def avg_pool2d(p, t):
    """y and the mean of |x| over each window."""

    def mean(values):
        return math.fsum(values) / (p["kh"] * p["kw"] if p["count_padding"] else len(values))

    return _pool(p, t["x"], mean), _pool(p, np.abs(t["x"]), mean)


def global_avg_pool(p, t):
    y = np.zeros((p["n"], p["c"]))
    size = np.zeros_like(y)
    for n, c in np.ndindex(*y.shape):
        values = [float(v) for v in t["x"][n, c].ravel()]
        y[n, c] = math.fsum(values) / len(values)
        size[n, c] = math.fsum(map(abs, values)) / len(values)
    return y, size


def relu(p, t):
    return _each(t["x"], lambda v: v if v > 0 else 0.0)


def leaky_relu(p, t):
    slope = float(np.float32(p["slope"]))
    return _each(t["x"], lambda v: v if v > 0 else slope * v)


def sigmoid(p, t):
    return _each(t["x"], lambda v: 1 / (1 + math.exp(-v)) if v > -700 else 0.0)


def tanh(p, t):
    return _each(t["x"], math.tanh)


def dense(p, t):
    y = np.zeros((p["n"], p["out"]))
    size = np.zeros_like(y)
    for n, o in np.ndindex(*y.shape):
        terms = [float(t["x"][n, i]) * float(t["w"][o, i]) for i in range(p["in"])]
        terms.append(float(t["b"][o]))
        y[n, o], size[n, o] = math.fsum(terms), math.fsum(map(abs, terms))
    return y, size


def softmax(p, t):
    y = np.zeros((p["n"], p["k"]))
    for n in range(p["n"]):
        row = [float(v) for v in t["x"][n]]
        powers = [math.exp(v - max(row)) for v in row]
        y[n] = [power / math.fsum(powers) for power in powers]
    return y


def lenet(p, t):
    """The naive layers above, one after the other."""
    x = t["x"]
    for layer, size, maps, channels, pad in (("conv1", 28, 6, 1, 2), ("conv2", 14, 16, 6, 0)):
        conv = {"n": p["n"], "c": channels, "h": size, "w": size, "m": maps, "kh": 5, "kw": 5}
        conv |= {"pad_h": pad, "pad_w": pad, "stride_h": 1, "stride_w": 1}
        conv |= {"dilation_h": 1, "dilation_w": 1, "groups": 1}
        y, _ = conv2d(conv, {"x": x, "w": t[f"{layer}_w"], "b": t[f"{layer}_b"]})
        pool = {"n": p["n"], "c": maps, "h": y.shape[2], "w": y.shape[3], "kh": 2, "kw": 2}
        pool |= {"pad_h": 0, "pad_w": 0, "stride_h": 2, "stride_w": 2}
        x = max_pool2d(pool, {"x": relu(None, {"x": y})})
    x = x.reshape(p["n"], -1)
    for layer in ("fc1", "fc2", "fc3"):
        w, b = t[f"{layer}_w"], t[f"{layer}_b"]
        y, _ = dense({"n": p["n"], "in": w.shape[1], "out": w.shape[0]}, {"x": x, "w": w, "b": b})
        x = y if layer == "fc3" else relu(None, {"x": y})
    return softmax({"n": p["n"], "k": 10}, {"x": x})


def windows(length, reach, stride):
    return len(range(0, length - reach + 1, stride))


def count(length, pad, reach, stride):
    return windows(length + 2 * pad, reach, stride)


def _pool(p, x, reduce):
    rows = count(p["h"], p["pad_h"], p["kh"], p["stride_h"])
    columns = count(p["w"], p["pad_w"], p["kw"], p["stride_w"])
    y = np.zeros((p["n"], p["c"], rows, columns))
    for n, c, i, j in np.ndindex(*y.shape):
        y[n, c, i, j] = reduce(
            [
                float(x[n, c, row, column])
                for row in range(i * p["stride_h"] - p["pad_h"], p["h"])
                for column in range(j * p["stride_w"] - p["pad_w"], p["w"])
                if row >= 0 and column >= 0
                and row < i * p["stride_h"] - p["pad_h"] + p["kh"]
                and column < j * p["stride_w"] - p["pad_w"] + p["kw"]
            ]
        )  # fmt: skip
    return y


def _each(x, function):
    flat = [v if math.isnan(v) else function(v) for v in map(float, x.ravel())]
    return np.array(flat).reshape(x.shape)
