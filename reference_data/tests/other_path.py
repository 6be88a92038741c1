# SPDX-License-Identifier: MIT
"""The operations by NumPy's own means (einsum over windows, exp), with a switch for
the precision and one for each mistake that students make. Shared by the tests of the cases."""

import naive_training
import numpy as np
import other_path_cudnn
import other_path_gradients
import other_path_unroll

MISTAKES = {
    "flipped_kernel": "conv",
    "swapped_hw": "conv",
    "pad_ignored": "conv",
    "pad_value_in_max_pool": "pooling",
    "stride_on_input_only": "conv",
    "dilation_ignored": "conv",
    "bias_per_element": "conv",
    "channels_wrong_place": "conv",
    "off_by_one_border": "conv",
    "nan_output": "activations",
    "average_wrong_count": "pooling",
    "softmax_overflow": "dense",
    "nhwc_as_nchw": "layout",
    "only_first_image": "conv",
}


def compute(op, p, t, dtype=np.float64, mistake=None):
    """The output of `op`; elements that the mistake leaves unwritten are NaN."""
    t = {name: tensor.astype(dtype) for name, tensor in t.items()}
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        return _BY_NAME[op](p, t, mistake)


def _windows(x, p):
    """[n][c][oh][ow][kh][kw] of the padded x."""
    reach = [p[f"dilation_{a}"] * (p[f"k{a}"] - 1) + 1 for a in "hw"]
    windows = np.lib.stride_tricks.sliding_window_view(x, reach, axis=(2, 3))
    windows = windows[:, :, :: p["stride_h"], :: p["stride_w"]]
    return windows[..., :: p["dilation_h"], :: p["dilation_w"]]


def _frame(x, before, after, value=0.0):
    pads = ((0, 0), (0, 0), (before[0], after[0]), (before[1], after[1]))
    return np.pad(x, pads, constant_values=value)


def _conv(p, t, mistake=None, before=None, after=None):
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
    if mistake == "pad_ignored":  # reads the image at the indices of the frame
        framed = _frame(x, (0, 0), [a + c for a, c in zip(before, after)])
    windows = _windows(framed, p)[:, :, : right_shape[2], : right_shape[3]]
    y = np.einsum("ncijpq,mcpq->nmij", windows, w)
    times = w[0].size if mistake == "bias_per_element" else 1
    y = y + times * b[None, :, None, None]
    if mistake == "only_first_image":
        y[1:] = np.nan
    return y


def _conv_twice(p, t, mistake=None):
    calls = zip(np.split(t["w"], 2), np.split(t["b"], 2))
    return np.concatenate([_conv(p, {"x": t["x"], "w": w, "b": b}, mistake) for w, b in calls])


def _conv_same(p, t, mistake=None):
    total = []
    for a in "hw":
        out = -(-p[a] // p[f"stride_{a}"])
        reach = p[f"dilation_{a}"] * (p[f"k{a}"] - 1) + 1
        total.append(max(0, (out - 1) * p[f"stride_{a}"] + reach - p[a]))
    before = tuple(k // 2 for k in total)
    return _conv(p, t, mistake, before, tuple(k - b for k, b in zip(total, before)))


def _pool_windows(p, x, fill):
    pad = (p["pad_h"], p["pad_w"])
    return _windows(_frame(x, pad, pad, fill), p | {"dilation_h": 1, "dilation_w": 1})


def _max_pool(p, t, mistake=None):
    fill = 0.0 if mistake == "pad_value_in_max_pool" else -np.inf
    return _pool_windows(p, t["x"], fill).max(axis=(4, 5))


def _avg_pool(p, t, mistake=None):
    total = _pool_windows(p, t["x"], 0.0).sum(axis=(4, 5))
    counted = p["count_padding"] != (mistake == "average_wrong_count")
    ones = np.ones_like(t["x"])
    count = p["kh"] * p["kw"] if counted else _pool_windows(p, ones, 0.0).sum(axis=(4, 5))
    return total / count


def _global_avg(p, t, mistake=None):
    return t["x"].mean(axis=(2, 3))


def _relu(p, t, mistake=None):
    x = t["x"]
    return np.where(x > 0, x, 0) if mistake == "nan_output" else np.maximum(x, 0)


def _leaky_relu(p, t, mistake=None):
    return np.where(t["x"] < 0, t["x"] * np.float32(p["slope"]), t["x"])


def _sigmoid(p, t, mistake=None):
    return 1 / (1 + np.exp(-t["x"]))


def _tanh(p, t, mistake=None):
    return np.tanh(t["x"])


def _dense(p, t, mistake=None):
    return t["x"] @ t["w"].T + t["b"]


def _softmax(p, t, mistake=None):
    x = t["x"]
    e = np.exp(x if mistake == "softmax_overflow" else x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def _to_nhwc(p, t, mistake=None):
    if mistake == "nhwc_as_nchw":
        return t["x"].reshape(p["n"], p["h"], p["w"], p["c"])
    return t["x"].transpose(0, 2, 3, 1)


def _to_nchw(p, t, mistake=None):
    if mistake == "nhwc_as_nchw":
        return t["x"].reshape(p["n"], p["c"], p["h"], p["w"])
    return t["x"].transpose(0, 3, 1, 2)


def _same_padding(p, t, mistake=None):
    out = (p["size"] + p["stride"] - 1) // p["stride"]
    total = (out - 1) * p["stride"] + p["dilation"] * (p["kernel"] - 1) + 1 - p["size"]
    return np.array([max(total, 0) // 2, (max(total, 0) + 1) // 2])


def _lenet(p, t, mistake=None):
    x = t["x"]
    ones = {"stride_h": 1, "stride_w": 1, "dilation_h": 1, "dilation_w": 1}
    for layer, pad in (("conv1", 2), ("conv2", 0)):
        shape = ones | {"kh": 5, "kw": 5, "pad_h": pad, "pad_w": pad}
        y = _conv(shape, {"x": x, "w": t[f"{layer}_w"], "b": t[f"{layer}_b"]})
        n, c, h, w = y.shape
        x = np.maximum(y, 0).reshape(n, c, h // 2, 2, w // 2, 2).max(axis=(3, 5))
    x = x.reshape(len(x), -1)
    for layer in ("fc1", "fc2", "fc3"):
        x = x @ t[f"{layer}_w"].T + t[f"{layer}_b"]
        if layer != "fc3":
            x = np.maximum(x, 0)
    return _softmax(p, {"x": x})


def _vector_add(p, t, mistake=None):
    return t["a"] + t["b"]


def _too_large(p, t, mistake=None):
    return np.array([2])


def _matrix_product(p, t, mistake=None):
    return t["a"] @ t["b"]


_BY_NAME = {
    "conv2d_forward": _conv,
    "conv2d_fast": _conv,
    "conv2d_same_forward": _conv_same,
    "max_pool2d_forward": _max_pool,
    "avg_pool2d_forward": _avg_pool,
    "global_avg_pool_forward": _global_avg,
    "relu_forward": _relu,
    "leaky_relu_forward": _leaky_relu,
    "sigmoid_forward": _sigmoid,
    "tanh_forward": _tanh,
    "dense_forward": _dense,
    "softmax_forward": _softmax,
    "nchw_to_nhwc": _to_nhwc,
    "nhwc_to_nchw": _to_nchw,
    "same_padding": _same_padding,
    "lenet_forward": _lenet,
    "vector_add": _vector_add,
    "vector_add_too_large": _too_large,
    "matrix_product": _matrix_product,
    "conv2d_direct": _conv,
    "conv2d_constant": _conv,
    "conv2d_constant_twice": _conv_twice,
    "conv2d_unrolled": _conv,
    "conv2d_tiled_single": _conv,
    "conv2d_tiled": _conv,
    "conv2d_blocked": _conv,
    **other_path_gradients.BY_NAME,
    **other_path_unroll.BY_NAME,
    **other_path_cudnn.BY_NAME,
    **{
        op: lambda p, t, mistake, twin=twin: twin(p, t)
        for op, (twin, _) in naive_training.TWINS.items()
    },
}
