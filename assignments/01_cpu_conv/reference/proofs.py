# SPDX-License-Identifier: MIT
"""The stage's own operations once more: by plain loops, and by NumPy's own means."""

import math

import naive_layers
import numpy as np
import other_path_layers
from proof import CONV, CONV2D, IMAGE, Proof


def conv2d_same(p, t):
    before = tuple(same_padding(p, a)[0] for a in "hw")
    out = tuple(math.ceil(p[a] / p[f"stride_{a}"]) for a in "hw")
    return naive_layers.conv2d(p, t, before, out)


def same_padding(p, axis=None):
    """The smallest total padding that gives ceil(size / stride) outputs, found by trying."""
    key = {"size": "size", "kernel": "kernel", "stride": "stride", "dilation": "dilation"}
    if axis:
        key = {"size": axis, "kernel": f"k{axis}"}
        key |= {"stride": f"stride_{axis}", "dilation": f"dilation_{axis}"}
    size, kernel, stride, dilation = (p[key[k]] for k in ("size", "kernel", "stride", "dilation"))
    total = 0
    while naive_layers.windows(size + total, dilation * (kernel - 1) + 1, stride) < math.ceil(
        size / stride
    ):
        total += 1
    return total // 2, total - total // 2


def nchw_to_nhwc(p, t):
    y = np.zeros((p["n"], p["h"], p["w"], p["c"]))
    for n, c, i, j in np.ndindex(p["n"], p["c"], p["h"], p["w"]):
        y[n, i, j, c] = t["x"][n, c, i, j]
    return y


def nhwc_to_nchw(p, t):
    y = np.zeros((p["n"], p["c"], p["h"], p["w"]))
    for n, c, i, j in np.ndindex(*y.shape):
        y[n, c, i, j] = t["x"][n, i, j, c]
    return y


# --- NumPy's own means --------------------------------------------------------------------------


def conv_same(p, t, mistake=None):
    total = []
    for a in "hw":
        out = -(-p[a] // p[f"stride_{a}"])
        reach = p[f"dilation_{a}"] * (p[f"k{a}"] - 1) + 1
        total.append(max(0, (out - 1) * p[f"stride_{a}"] + reach - p[a]))
    before = tuple(k // 2 for k in total)
    return other_path_layers.conv(
        p, t, mistake, before, tuple(k - b for k, b in zip(total, before))
    )


def to_nhwc(p, t, mistake=None):
    if mistake == "nhwc_as_nchw":
        return t["x"].reshape(p["n"], p["h"], p["w"], p["c"])
    return t["x"].transpose(0, 2, 3, 1)


def to_nchw(p, t, mistake=None):
    if mistake == "nhwc_as_nchw":
        return t["x"].reshape(p["n"], p["c"], p["h"], p["w"])
    return t["x"].transpose(0, 3, 1, 2)


def same_padding_at_once(p, t, mistake=None):
    out = (p["size"] + p["stride"] - 1) // p["stride"]
    total = (out - 1) * p["stride"] + p["dilation"] * (p["kernel"] - 1) + 1 - p["size"]
    return np.array([max(total, 0) // 2, (max(total, 0) + 1) // 2])


PROOFS = {
    "conv2d_fast": CONV2D,
    "conv2d_same_forward": Proof(conv2d_same, CONV | {"pad_h": (0, 0), "pad_w": (0, 0)}, conv_same),
    "nchw_to_nhwc": Proof(nchw_to_nhwc, IMAGE, to_nhwc),
    "nhwc_to_nchw": Proof(nhwc_to_nchw, IMAGE, to_nchw),
    "same_padding": Proof(
        same_padding,
        {"size": (1, 30), "kernel": (1, 7), "stride": (1, 5), "dilation": (1, 3)},
        same_padding_at_once,
        trials=300,
        exact=True,
    ),
}
