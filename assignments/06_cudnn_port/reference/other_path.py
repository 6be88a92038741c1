# SPDX-License-Identifier: MIT
"""The stage's own operations by NumPy's own means."""

import numpy as np


def conv(p, t):
    """einsum over windows, a group of channels after the other."""
    pads = ((0, 0), (0, 0), (p["pad_h"],) * 2, (p["pad_w"],) * 2)
    reach = [p[f"dilation_{a}"] * (p[f"k{a}"] - 1) + 1 for a in "hw"]
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(t["x"], pads), reach, axis=(2, 3))
    windows = windows[:, :, :: p["stride_h"], :: p["stride_w"]]
    windows = windows[..., :: p["dilation_h"], :: p["dilation_w"]]
    parts = zip(np.split(windows, p["groups"], 1), np.split(t["w"], p["groups"], 0))
    y = np.concatenate([np.einsum("ncijpq,mcpq->nmij", *part) for part in parts], axis=1)
    return y + t["b"][None, :, None, None] if "b" in t else y


def blended(of, before):
    def apply(p, t):
        alone = {key: tensor for key, tensor in t.items() if key != before}
        alpha, beta = (np.float64(np.float32(p[key])) for key in ("alpha", "beta"))
        result = alpha * of(p, alone)
        return result + beta * t[before] if before in t else result

    return apply


def biased_blend(p, t):
    without = {key: tensor for key, tensor in t.items() if key != "b"}
    return blended(conv, "y0")(p, without) + t["b"][None, :, None, None]


def dims(p, t):
    out = [
        1 + (p[a] + 2 * p[f"pad_{a}"] - p[f"dilation_{a}"] * (p[f"k{a}"] - 1) - 1)
        // p[f"stride_{a}"]
        for a in "hw"
    ]  # fmt: skip
    return np.array([p["n"], p["m"], *out])


def softmax_backward(p, t):
    y, dy = t["y"], t["dy"]
    jacobian = np.einsum("ni,ij->nij", y, np.eye(p["k"])) - np.einsum("ni,nj->nij", y, y)
    return np.einsum("nij,nj->ni", jacobian, dy)
