# SPDX-License-Identifier: MIT
"""The library's operations by NumPy's own functions (einsum over windows, exp), with a switch for
each mistake that students make in them. The tests of the cases share this file."""

import numpy as np


def compute(function, p, t, dtype=np.float64, mistake=None):
    """The result of `function` for the tensors in that precision; elements that the mistake does
    not write are NaN."""
    t = {name: tensor.astype(dtype) for name, tensor in t.items()}
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        return function(p, t, mistake) if mistake else function(p, t)


def _windows(x, p):
    """[n][c][oh][ow][kh][kw] of the padded x."""
    reach = [p[f"dilation_{a}"] * (p[f"k{a}"] - 1) + 1 for a in "hw"]
    windows = np.lib.stride_tricks.sliding_window_view(x, reach, axis=(2, 3))
    windows = windows[:, :, :: p["stride_h"], :: p["stride_w"]]
    return windows[..., :: p["dilation_h"], :: p["dilation_w"]]


def _frame(x, before, after, value=0.0):
    pads = ((0, 0), (0, 0), (before[0], after[0]), (before[1], after[1]))
    return np.pad(x, pads, constant_values=value)


def conv(p, t, mistake=None, before=None, after=None):
    x, w, b = t["x"], t["w"], t["b"]
    before = before or (p["pad_h"], p["pad_w"])
    after = after or before
    right_shape = _windows(_frame(x, before, after), p).shape
    if mistake == "flipped_kernel":
        w = w[:, :, ::-1, ::-1]
    elif mistake == "swapped_hw" and p["kh"] != p["kw"]:
        w = w.reshape(p["m"], p["c"], p["kw"], p["kh"]).swapaxes(2, 3)
    elif mistake == "channels_wrong_place":
        w = np.roll(w, 1, axis=1)
    elif mistake == "dilation_ignored":
        p = p | {"dilation_h": 1, "dilation_w": 1}
    elif mistake == "stride_on_input_only":
        p = p | {"stride_h": 1, "stride_w": 1}
    elif mistake == "off_by_one_border" and before != (0, 0):
        before, after = [max(0, a - 1) for a in before], [a + 1 for a in after]
    elif mistake == "nhwc_as_nchw":
        x = x.reshape(p["n"], p["h"], p["w"], p["c"]).transpose(0, 3, 1, 2)
    framed = _frame(x, before, after)
    if mistake == "pad_ignored":  # reads the image with indices of the padded image
        framed = _frame(x, (0, 0), [a + c for a, c in zip(before, after)])
    windows = _windows(framed, p)[:, :, : right_shape[2], : right_shape[3]]
    y = np.einsum("ncijpq,mcpq->nmij", windows, w)
    times = w[0].size if mistake == "bias_per_element" else 1
    y = y + times * b[None, :, None, None]
    if mistake == "only_first_image":
        y[1:] = np.nan
    return y


def _pool_windows(p, x, fill):
    pad = (p["pad_h"], p["pad_w"])
    return _windows(_frame(x, pad, pad, fill), p | {"dilation_h": 1, "dilation_w": 1})


def max_pool(p, t, mistake=None):
    fill = 0.0 if mistake == "pad_value_in_max_pool" else -np.inf
    return _pool_windows(p, t["x"], fill).max(axis=(4, 5))


def avg_pool(p, t, mistake=None):
    total = _pool_windows(p, t["x"], 0.0).sum(axis=(4, 5))
    counted = p["count_padding"] != (mistake == "average_wrong_count")
    ones = np.ones_like(t["x"])
    count = p["kh"] * p["kw"] if counted else _pool_windows(p, ones, 0.0).sum(axis=(4, 5))
    return total / count


def global_avg(p, t, mistake=None):
    return t["x"].mean(axis=(2, 3))


def relu(p, t, mistake=None):
    x = t["x"]
    return np.where(x > 0, x, 0) if mistake == "nan_output" else np.maximum(x, 0)


def leaky_relu(p, t, mistake=None):
    return np.where(t["x"] < 0, t["x"] * np.float32(p["slope"]), t["x"])


def sigmoid(p, t, mistake=None):
    return 1 / (1 + np.exp(-t["x"]))


def tanh(p, t, mistake=None):
    return np.tanh(t["x"])


def dense(p, t, mistake=None):
    return t["x"] @ t["w"].T + t["b"]


def softmax(p, t, mistake=None):
    x = t["x"]
    e = np.exp(x if mistake == "softmax_overflow" else x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def lenet(p, t, mistake=None):
    x = t["x"]
    ones = {"stride_h": 1, "stride_w": 1, "dilation_h": 1, "dilation_w": 1}
    for layer, pad in (("conv1", 2), ("conv2", 0)):
        shape = ones | {"kh": 5, "kw": 5, "pad_h": pad, "pad_w": pad}
        y = conv(shape, {"x": x, "w": t[f"{layer}_w"], "b": t[f"{layer}_b"]})
        n, c, h, w = y.shape
        x = np.maximum(y, 0).reshape(n, c, h // 2, 2, w // 2, 2).max(axis=(3, 5))
    x = x.reshape(len(x), -1)
    for layer in ("fc1", "fc2", "fc3"):
        x = x @ t[f"{layer}_w"].T + t[f"{layer}_b"]
        if layer != "fc3":
            x = np.maximum(x, 0)
    return softmax(p, {"x": x})
