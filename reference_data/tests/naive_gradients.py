# SPDX-License-Identifier: MIT
"""A second implementation of the gradients, by plain loops over the products of the forward pass.

As in naive_layers.py, it uses no code of convkit_reference, one element at a time, and math.fsum.
"""

import math
from collections import defaultdict

import numpy as np


def _ways(p):
    """(n, m, i, j, c, p, q, row, column) of every product of the forward pass."""
    rows = _count(p["h"], p["pad_h"], p["dilation_h"] * (p["kh"] - 1) + 1, p["stride_h"])
    columns = _count(p["w"], p["pad_w"], p["dilation_w"] * (p["kw"] - 1) + 1, p["stride_w"])
    for n, m, i, j in np.ndindex(p["n"], p["m"], rows, columns):
        for c, r, s in np.ndindex(p["c"], p["kh"], p["kw"]):
            row = i * p["stride_h"] - p["pad_h"] + r * p["dilation_h"]
            column = j * p["stride_w"] - p["pad_w"] + s * p["dilation_w"]
            if 0 <= row < p["h"] and 0 <= column < p["w"]:
                yield n, m, i, j, c, r, s, row, column


def _count(length, pad, reach, stride):
    return len(range(0, length + 2 * pad - reach + 1, stride))


def _summed(shape, terms, before):
    """The value and the magnitude of each element, from its terms."""
    value, magnitude = np.zeros(shape), np.zeros(shape)
    for place in np.ndindex(*shape):
        products = terms[place] + ([] if before is None else [float(before[place])])
        value[place] = math.fsum(products)
        magnitude[place] = math.fsum(map(abs, products))
    return value, magnitude


def xgrad(p, t):
    terms = defaultdict(list)
    for n, m, i, j, c, r, s, row, column in _ways(p):
        terms[n, c, row, column].append(float(t["dy"][n, m, i, j]) * float(t["w"][m, c, r, s]))
    return _summed((p["n"], p["c"], p["h"], p["w"]), terms, t.get("dx0"))


def wgrad(p, t):
    terms = defaultdict(list)
    for n, m, i, j, c, r, s, row, column in _ways(p):
        terms[m, c, r, s].append(float(t["dy"][n, m, i, j]) * float(t["x"][n, c, row, column]))
    return _summed((p["m"], p["c"], p["kh"], p["kw"]), terms, t.get("dw0"))


def bgrad(p, t):
    terms = defaultdict(list)
    for n, m, i, j in np.ndindex(*t["dy"].shape):
        terms[(m,)].append(float(t["dy"][n, m, i, j]))
    return _summed((p["m"],), terms, t.get("db0"))


def _pool_windows(p):
    """(plane and output, the window's elements inside the image, row by row)."""
    rows = _count(p["h"], p["pad_h"], p["kh"], p["stride_h"])
    columns = _count(p["w"], p["pad_w"], p["kw"], p["stride_w"])
    for n, c, i, j in np.ndindex(p["n"], p["c"], rows, columns):
        top, left = i * p["stride_h"] - p["pad_h"], j * p["stride_w"] - p["pad_w"]
        yield (
            (n, c, i, j),
            [
                (n, c, row, column)
                for row in range(max(top, 0), min(top + p["kh"], p["h"]))
                for column in range(max(left, 0), min(left + p["kw"], p["w"]))
            ],
        )


def max_pool2d(p, t):
    dx = np.zeros((p["n"], p["c"], p["h"], p["w"]))
    for output, elements in _pool_windows(p):
        values = [t["x"][element] for element in elements]
        dx[elements[values.index(max(values))]] += float(t["dy"][output])
    return dx


def avg_pool2d(p, t):
    terms = defaultdict(list)
    for output, elements in _pool_windows(p):
        count = p["kh"] * p["kw"] if p["count_padding"] else len(elements)
        for element in elements:
            terms[element].append(float(t["dy"][output]) / count)
    return _summed((p["n"], p["c"], p["h"], p["w"]), terms, None)


def _each(function):
    def apply(p, t):
        slope = float(np.float32(p.get("slope", 0)))
        pairs = zip(map(float, t["y"]), map(float, t["dy"]))
        return np.array([function(y, dy, slope) for y, dy in pairs])

    return apply


relu = _each(lambda y, dy, slope: dy if y > 0 else 0.0)
leaky_relu = _each(lambda y, dy, slope: dy if y > 0 else slope * dy)
sigmoid = _each(lambda y, dy, slope: dy * (y - y * y))
tanh = _each(lambda y, dy, slope: dy - dy * y * y)


def dense_xgrad(p, t):
    terms = defaultdict(list)
    for n, i, o in np.ndindex(p["n"], p["in"], p["out"]):
        terms[n, i].append(float(t["dy"][n, o]) * float(t["w"][o, i]))
    return _summed((p["n"], p["in"]), terms, None)


def dense_wgrad(p, t):
    terms = defaultdict(list)
    for n, i, o in np.ndindex(p["n"], p["in"], p["out"]):
        terms[o, i].append(float(t["dy"][n, o]) * float(t["x"][n, i]))
    return _summed((p["out"], p["in"]), terms, t.get("dw0"))


def dense_bgrad(p, t):
    terms = defaultdict(list)
    for n, o in np.ndindex(p["n"], p["out"]):
        terms[(o,)].append(float(t["dy"][n, o]))
    return _summed((p["out"],), terms, t.get("db0"))


# What a random case of each op is drawn from: key -> (low, high).
