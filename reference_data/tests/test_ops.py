# SPDX-License-Identifier: MIT
"""Every operation against its naive twin, on many random shapes."""

import naive
import naive_cudnn
import naive_gradients
import naive_training
import naive_unroll
import numpy as np
import pytest

from convkit_reference.distributions import parse_distribution
from convkit_reference.errors import ParamProblem
from convkit_reference.ops import OPS

# What a random case of each op is drawn from: key -> (low, high).
_CONV = {
    "n": (1, 2), "c": (1, 3), "h": (1, 7), "w": (1, 7), "m": (1, 3), "kh": (1, 4), "kw": (1, 4),
    "pad_h": (0, 3), "pad_w": (0, 3), "stride_h": (1, 3), "stride_w": (1, 3),
    "dilation_h": (1, 3), "dilation_w": (1, 3), "groups": (1, 3),
}  # fmt: skip
_POOL = {
    "n": (1, 2), "c": (1, 3), "h": (1, 8), "w": (1, 8), "kh": (1, 4), "kw": (1, 4),
    "pad_h": (0, 2), "pad_w": (0, 2), "stride_h": (1, 3), "stride_w": (1, 3),
}  # fmt: skip
_IMAGE = {"n": (1, 3), "c": (1, 4), "h": (1, 5), "w": (1, 5)}
_EACH = {"size": (1, 40)}
_TWINS = {
    "conv2d_forward": (naive.conv2d, _CONV),
    "conv2d_fast": (naive.conv2d, _CONV),
    "conv2d_same_forward": (naive.conv2d_same, _CONV | {"pad_h": (0, 0), "pad_w": (0, 0)}),
    "max_pool2d_forward": (naive.max_pool2d, _POOL),
    "avg_pool2d_forward": (naive.avg_pool2d, _POOL | {"count_padding": (0, 1)}),
    "global_avg_pool_forward": (naive.global_avg_pool, _IMAGE),
    "relu_forward": (naive.relu, _EACH),
    "leaky_relu_forward": (naive.leaky_relu, _EACH),
    "sigmoid_forward": (naive.sigmoid, _EACH),
    "tanh_forward": (naive.tanh, _EACH),
    "dense_forward": (naive.dense, {"n": (1, 4), "in": (1, 20), "out": (1, 6)}),
    "softmax_forward": (naive.softmax, {"n": (1, 4), "k": (1, 12)}),
    "nchw_to_nhwc": (naive.nchw_to_nhwc, _IMAGE),
    "nhwc_to_nchw": (naive.nhwc_to_nchw, _IMAGE),
    "same_padding": (
        naive.same_padding,
        {"size": (1, 30), "kernel": (1, 7), "stride": (1, 5), "dilation": (1, 3)},
    ),
    "lenet_forward": (naive.lenet, {"n": (1, 1)}),
    "vector_add": (naive.vector_add, _EACH),
    "vector_add_too_large": (naive.vector_add_too_large, {"log2_size": (40, 44)}),
    "matrix_product": (
        naive.matrix_product,
        {"rows": (1, 6), "inner": (1, 20), "cols": (1, 6)},
    ),
    "conv2d_direct": (naive.conv2d, _CONV),
    "conv2d_constant": (naive.conv2d, _CONV),
    "conv2d_constant_twice": (naive.conv2d_twice, _CONV),
    "conv2d_unrolled": (naive.conv2d, _CONV),
    "conv2d_tiled_single": (naive.conv2d, _CONV),
    "conv2d_tiled": (naive.conv2d, _CONV),
    "conv2d_blocked": (naive.conv2d, _CONV),
    **naive_gradients.TWINS,
    **naive_unroll.TWINS,
    **naive_training.TWINS,
    **naive_cudnn.TWINS,
}
_TRIALS = {"lenet_forward": 1, "same_padding": 300, **naive_training.TRIALS}
_EXACT = (  # whole numbers
    "same_padding", "vector_add_too_large", *naive_gradients.EXACT, *naive_unroll.EXACT,
    *naive_training.EXACT,
    *naive_cudnn.EXACT,
)  # fmt: skip


def _draw(op, ranges, random):
    while True:
        params = {key: random.integers(low, high + 1).item() for key, (low, high) in ranges.items()}
        if "slope" in op.params:
            params["slope"] = float(random.uniform(0, 0.5))
        for key, param in op.params.items():
            params.setdefault(key, param.default)
        try:
            op.check(params)
            return params
        except ParamProblem:
            pass


@pytest.mark.parametrize("name", OPS)
def test_the_reference_agrees_with_plain_loops(name):
    op = OPS[name]
    twin, ranges = _TWINS[name]
    random = np.random.default_rng(12)
    for trial in range(_TRIALS.get(name, 60)):
        params = _draw(op, ranges, random)
        tensors = {
            key: parse_distribution(key, op.distributions[key]).fill(key, shape, trial)
            for key, shape in op.inputs(params).items()
        }
        expected = twin(params, tensors)
        results = op.compute(params, tensors)
        assert set(results) == set(op.outputs(params)), params
        for output, result in results.items():
            assert result.value.shape == op.outputs(params)[output], (output, params)
            wanted = expected[output] if isinstance(expected, dict) else expected
            _compare(name, result, wanted, f"{output} {params}")


def _compare(name, result, expected, where):
    if name in _EXACT:
        assert result.value.dtype == np.int32, where
        assert np.array_equal(result.value, expected), where
        return
    value, magnitude = expected if isinstance(expected, tuple) else (expected, None)
    assert result.value.dtype == np.float64
    np.testing.assert_allclose(result.value, value, rtol=1e-11, atol=1e-13, err_msg=where)
    if magnitude is not None:
        np.testing.assert_allclose(result.magnitude, magnitude, rtol=1e-12, err_msg=where)
    assert (result.magnitude is None) == (result.terms == 0)


@pytest.mark.parametrize("groups", [1, 2])
def test_convolution_agrees_with_einsum_over_windows(groups):
    random = np.random.default_rng(5)
    x = random.uniform(-1, 1, (3, 4, 12, 11)).astype(np.float32)
    w = random.uniform(-1, 1, (6, 4 // groups, 3, 4)).astype(np.float32)
    b = random.uniform(-1, 1, 6).astype(np.float32)
    params = dict(n=3, c=4, h=12, w=11, m=6, kh=3, kw=4, pad_h=2, pad_w=1, stride_h=2, stride_w=3)
    params |= dict(dilation_h=2, dilation_w=1, groups=groups)
    frame = np.pad(x, ((0, 0), (0, 0), (2, 2), (1, 1))).astype(np.float64)
    windows = np.lib.stride_tricks.sliding_window_view(frame, (5, 4), axis=(2, 3))
    windows = windows[:, :, ::2, ::3, ::2, :]
    parts = [
        np.einsum("ncijpq,mcpq->nmij", images, maps.astype(np.float64))
        for images, maps in zip(np.split(windows, groups, 1), np.split(w, groups, 0))
    ]
    expected = np.concatenate(parts, axis=1) + b[None, :, None, None]
    result = OPS["conv2d_forward"].compute(params, {"x": x, "w": w, "b": b})["y"]
    np.testing.assert_allclose(result.value, expected, rtol=1e-12, atol=1e-14)
    assert result.terms == (4 // groups) * 12 + 1


def test_a_single_row_agrees_with_numpy_correlate_and_not_with_convolve():
    random = np.random.default_rng(6)
    x = random.uniform(-1, 1, (1, 1, 1, 20)).astype(np.float32)
    w = random.uniform(-1, 1, (1, 1, 1, 5)).astype(np.float32)
    params = dict(n=1, c=1, h=1, w=20, m=1, kh=1, kw=5, pad_h=0, pad_w=0, stride_h=1, stride_w=1)
    params |= dict(dilation_h=1, dilation_w=1, groups=1)
    row, kernel = x.ravel().astype(np.float64), w.ravel().astype(np.float64)
    y = OPS["conv2d_forward"].compute(params, {"x": x, "w": w, "b": np.zeros(1, np.float32)})["y"]
    np.testing.assert_allclose(y.value.ravel(), np.correlate(row, kernel, "valid"), rtol=1e-12)
    assert not np.allclose(y.value.ravel(), np.convolve(row, kernel, "valid"))


@pytest.mark.parametrize(
    "name", ["relu_forward", "leaky_relu_forward", "sigmoid_forward", "tanh_forward"]
)
def test_nan_in_gives_nan_out_and_a_finite_magnitude(name):
    x = np.array([1, np.nan, -2], np.float32)
    result = OPS[name].compute({"size": 3, "slope": 0.5}, {"x": x})["y"]
    assert np.isnan(result.value).tolist() == [False, True, False]
    assert result.magnitude is None or np.isfinite(result.magnitude).all()


def test_the_two_layout_changes_undo_each_other():
    params = dict(n=2, c=3, h=4, w=5)
    x = np.arange(120, dtype=np.float32).reshape(2, 3, 4, 5)
    there = OPS["nchw_to_nhwc"].compute(params, {"x": x})["y"].value
    assert np.array_equal(OPS["nhwc_to_nchw"].compute(params, {"x": there})["y"].value, x)
