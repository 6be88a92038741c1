# SPDX-License-Identifier: MIT
"""The operations once more, from their definitions: plain loops, math.fsum."""

import math

import naive_layers
import numpy as np


def _out(p):
    return tuple(
        naive_layers.count(p[a], p[f"pad_{a}"], p[f"dilation_{a}"] * (p[f"k{a}"] - 1) + 1,
                     p[f"stride_{a}"])
        for a in "hw"
    )  # fmt: skip


def _ways(p):
    """Every place in u, (n, row, column), and the one in x it is copied from, (n, ch, y, x)."""
    oh, ow = _out(p)
    for n, ch, r, s, i, j in np.ndindex(p["n"], p["c"], p["kh"], p["kw"], oh, ow):
        y = i * p["stride_h"] + r * p["dilation_h"] - p["pad_h"]
        x = j * p["stride_w"] + s * p["dilation_w"] - p["pad_w"]
        inside = 0 <= y < p["h"] and 0 <= x < p["w"]
        row = (ch * p["kh"] + r) * p["kw"] + s
        yield (n, row, i * ow + j), (n, ch, y, x) if inside else None


def unroll(p, t):
    oh, ow = _out(p)
    u = np.zeros((p["n"], p["c"] * p["kh"] * p["kw"], oh * ow))
    for there, here in _ways(p):
        if here:
            u[there] = t["x"][here]
    return u


def roll(p, t):
    shape = (p["n"], p["c"], p["h"], p["w"])
    terms = {place: [] for place in np.ndindex(shape)}
    for there, here in _ways(p):
        if here:
            terms[here].append(float(t["u"][there]))
    sums = [math.fsum(values) for values in terms.values()]
    sizes = [math.fsum(map(abs, values)) for values in terms.values()]
    return np.array(sums).reshape(shape), np.array(sizes).reshape(shape)


def gemm(p, t, alpha=1.0, beta=0.0):
    m, n, k = p["rows"], p["cols"], p["inner"]
    c, size = np.zeros((m, n)), np.zeros((m, n))
    for i, j in np.ndindex(m, n):
        terms = [alpha * float(t["a"][i, q]) * float(t["b"][q, j]) for q in range(k)]
        if beta:
            terms.append(beta * float(t["c0"][i, j]))
        c[i, j], size[i, j] = math.fsum(terms), math.fsum(map(abs, terms))
    return c, size


def scaled(p, t):
    return gemm(p, t, float(np.float32(p["alpha"])), float(np.float32(p["beta"])))


def _words(number):
    lower = number & 0xFFFFFFFF
    return number >> 32, lower - 2**32 if lower >= 2**31 else lower


def _rows_and_columns(p):
    oh, ow = _out(p)
    return p["c"] * p["kh"] * p["kw"], oh * ow


def offsets(p, t):
    rows, columns = _rows_and_columns(p)
    return tuple(
        _words(image * rows * columns + row * columns + column)
        for image in (0, p["n"] // 2, p["n"] - 1)
        for row in (0, rows // 2, rows - 1)
        for column in (0, columns // 2, columns - 1)
    )


def workspace(p, t):
    rows, columns = _rows_and_columns(p)
    return (_words(rows * columns * 4),)


def refusals(count):
    return lambda p, t: (0,) + (1,) * (count - 1)
