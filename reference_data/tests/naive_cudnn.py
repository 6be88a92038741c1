# SPDX-License-Identifier: MIT
"""The operations of stage 06 once more, by plain loops: sums of scaled products, math.fsum.

As in naive.py: no code of convkit_reference.
"""

import math

import naive
import naive_gradients
import numpy as np

_PLAIN = {
    "n": (1, 2), "c": (1, 3), "h": (1, 7), "w": (1, 7), "m": (1, 3), "kh": (1, 4), "kw": (1, 4),
    "pad_h": (0, 3), "pad_w": (0, 3), "stride_h": (1, 3), "stride_w": (1, 3),
    "dilation_h": (1, 3), "dilation_w": (1, 3),
}  # fmt: skip
_FACTORS = {"alpha": (-2, 2), "beta": (-2, 2)}
_ONE_GROUP = _PLAIN | {"groups": (1, 1)}
_GROUPS = _PLAIN | {"groups": (1, 3)}
_ALGORITHM = {"algo": (0, 7)}


def _blended(p, product, before):
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
    return _blended(p, naive.conv2d(p, no_bias), t.get("y0"))


def _gradient(of, name):
    def apply(p, t):
        alone = {key: tensor for key, tensor in t.items() if key != name}
        return _blended(p, of(p, alone), t.get(name))

    return apply


def softmax_backward(p, t):
    """Element by element through the derivatives: sum over j of y_j (1 if i = j - y_i) dy_j."""
    dx, magnitude = np.zeros((p["n"], p["k"])), np.zeros((p["n"], p["k"]))
    for n, i in np.ndindex(p["n"], p["k"]):
        y = [float(value) for value in t["y"][n]]
        dy = [float(value) for value in t["dy"][n]]
        terms = [y[i] * dy[i], *(-y[i] * a * b for a, b in zip(y, dy))]
        dx[n, i], magnitude[n, i] = math.fsum(terms), math.fsum(map(abs, terms))
    return dx, magnitude


TWINS = {
    "conv2d_dims": (dims, _GROUPS),
    # Categories of cudnnStatus_t: 2 is BAD_PARAM, 3 is NOT_SUPPORTED.
    "conv2d_dims_statuses": (lambda p, t: (2, 2, 2), {}),
    "conv2d_forward_statuses": (lambda p, t: (3, 3), {}),
    "conv2d_cudnn": (naive.conv2d, _GROUPS | _ALGORITHM),
    "conv2d_blend": (blend, _GROUPS | _FACTORS | _ALGORITHM),
    "conv2d_heuristic": (lambda p, t: (1, 1, 1, 1), _ONE_GROUP | {"limit": (0, 9)}),
    "conv2d_measured": (lambda p, t: (1, 1, 1), _ONE_GROUP | {"limit": (0, 9)}),
    "conv2d_xgrad_cudnn": (
        _gradient(naive_gradients.xgrad, "dx0"),
        _ONE_GROUP | _FACTORS | _ALGORITHM,
    ),
    "conv2d_wgrad_cudnn": (
        _gradient(naive_gradients.wgrad, "dw0"),
        _ONE_GROUP | _FACTORS | _ALGORITHM,
    ),
    "conv2d_bgrad_cudnn": (
        _gradient(naive_gradients.bgrad, "db0"),
        _ONE_GROUP | _FACTORS | _ALGORITHM,
    ),
    "softmax_backward": (softmax_backward, {"n": (1, 4), "k": (1, 12)}),
    "algorithm_table": (lambda p, t: [(1, 1, 1, 1)] * 8, _ONE_GROUP),
}
EXACT = (
    "conv2d_dims", "conv2d_dims_statuses", "conv2d_forward_statuses", "conv2d_heuristic",
    "conv2d_measured", "algorithm_table",
)  # fmt: skip
