# SPDX-License-Identifier: MIT
"""The stage's own operations once more, by plain loops: sums of scaled products, math.fsum."""

import math

import naive_layers
import numpy as np


def blended(p, product, before):
    """alpha * product + beta * before, and the same of magnitudes."""
    value, magnitude = (np.array(each) for each in product)
    if before is None:
        before = np.zeros(value.shape)
    for place in np.ndindex(*value.shape):
        added = float(before[place]) * p["beta"]
        value[place] = math.fsum((p["alpha"] * value[place], added))
        magnitude[place] = math.fsum((abs(p["alpha"]) * magnitude[place], abs(added)))
    return value, magnitude


def dims(p, t):
    out = []
    for a in "hw":
        reach = p[f"dilation_{a}"] * (p[f"k{a}"] - 1) + 1
        first_rows = range(-p[f"pad_{a}"], p[a] + p[f"pad_{a}"] - reach + 1, p[f"stride_{a}"])
        out.append(len(first_rows))
    return (p["n"], p["m"], *out)


def blend(p, t):
    no_bias = {"x": t["x"], "w": t["w"], "b": np.zeros(p["m"])}
    return blended(p, naive_layers.conv2d(p, no_bias), t.get("y0"))


def biased_blend(p, t):
    value, magnitude = blend(p, t)
    for place in np.ndindex(*value.shape):
        b = float(t["b"][place[1]])
        value[place] = math.fsum((value[place], b))
        magnitude[place] = math.fsum((magnitude[place], abs(b)))
    return value, magnitude


def softmax_backward(p, t):
    """Element by element through the derivatives: sum over j of y_j (1 if i = j - y_i) dy_j."""
    dx, magnitude = np.zeros((p["n"], p["k"])), np.zeros((p["n"], p["k"]))
    for n, i in np.ndindex(p["n"], p["k"]):
        y = [float(value) for value in t["y"][n]]
        dy = [float(value) for value in t["dy"][n]]
        terms = [y[i] * dy[i], *(-y[i] * a * b for a, b in zip(y, dy))]
        dx[n, i], magnitude[n, i] = math.fsum(terms), math.fsum(map(abs, terms))
    return dx, magnitude
