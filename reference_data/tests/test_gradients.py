# SPDX-License-Identifier: MIT
"""The gradients proven from the forward pass alone: no second implementation of them is trusted."""

import numpy as np

from convkit_reference.errors import ParamProblem
from convkit_reference.ops import OPS
from convkit_reference.ops.conv2d import check, geometry_of
from convkit_reference.ops.correlation import correlate
from convkit_reference.ops.gradients import bias_gradient, dw, filter_gradient, input_gradient

_SIZES = {"n": 3, "c": 4, "h": 9, "w": 9, "m": 4, "kh": 5, "kw": 5}
_MODES = {"pad": (0, 4), "stride": (1, 4), "dilation": (1, 3)}


def random_shape(random):
    """A possible shape; all sizes, pads, strides and dilations are drawn independently."""
    while True:
        p = {key: int(random.integers(1, most + 1)) for key, most in _SIZES.items()}
        for key, (low, high) in _MODES.items():
            p |= {f"{key}_{axis}": int(random.integers(low, high + 1)) for axis in "hw"}
        p |= {"groups": 1}
        try:
            check(p)
            return p
        except ParamProblem:
            pass


def draw(random, p):
    """x, w and dy in float64."""
    return (
        random.uniform(-1, 1, (p["n"], p["c"], p["h"], p["w"])),
        random.uniform(-1, 1, (p["m"], p["c"], p["kh"], p["kw"])),
        random.uniform(-1, 1, (p["n"], p["m"], *geometry_of(p).out)),
    )


def test_adjoint_identity(record_property):
    """<conv(x, w), dy> = <x, xgrad(w, dy)> = <w, wgrad(x, dy)>, relative to the sum of |terms|."""
    random, shapes, largest = np.random.default_rng(50), 600, 0.0
    for _ in range(shapes):
        p = random_shape(random)
        geometry, (x, w, dy) = geometry_of(p), draw(random, p)
        forward = np.vdot(correlate(x, w, geometry), dy)
        by_x = np.vdot(x, input_gradient(dy, w, geometry, (p["h"], p["w"])))
        by_w = np.vdot(w, filter_gradient(x, dy, geometry, (p["kh"], p["kw"])))
        size = np.vdot(correlate(np.abs(x), np.abs(w), geometry), np.abs(dy))
        if size == 0:  # the windows see only padding
            assert forward == by_x == by_w == 0, p
            continue
        off = max(abs(by_x - forward), abs(by_w - forward)) / size
        assert off <= 1e-12, p
        largest = max(largest, off)
    record_property("shapes", shapes)
    record_property("largest_deviation", float(largest))
    print(f"adjoint identity: {shapes} shapes, largest relative deviation {largest:.2e}")


def test_central_finite_differences(record_property):
    """E = <conv(x, w) + b, dy> is linear in each of x, w and b, so a large step is exact except for
    rounding."""
    random, shapes, largest, step = np.random.default_rng(51), 60, 0.0, 0.5
    for _ in range(shapes):
        p = random_shape(random)
        geometry, (x, w, dy) = geometry_of(p), draw(random, p)
        gradients = {
            "x": input_gradient(dy, w, geometry, (p["h"], p["w"])),
            "w": filter_gradient(x, dy, geometry, (p["kh"], p["kw"])),
            "b": bias_gradient(dy),
        }
        tensors = {"x": x, "w": w, "b": random.uniform(-1, 1, p["m"])}
        for name, gradient in gradients.items():
            tensor = tensors[name]
            for place in random.choice(tensor.size, min(6, tensor.size), replace=False):
                energies = []
                for sign in (1, -1):
                    moved = tensor.copy()
                    moved.flat[place] += sign * step
                    t = tensors | {name: moved}
                    y = correlate(t["x"], t["w"], geometry) + t["b"][None, :, None, None]
                    energies.append(np.vdot(y, dy))
                difference = (energies[0] - energies[1]) / (2 * step)
                scale = max(1.0, np.abs(dy).sum())
                off = abs(difference - gradient.flat[place]) / scale
                assert off <= 1e-12, (name, p)
                largest = max(largest, off)
    record_property("largest_deviation", float(largest))
    print(f"finite differences: {shapes} shapes, largest relative deviation {largest:.2e}")


def test_pooling_and_layers_by_finite_differences():
    """E = <f(x), dy>. Pooling is piecewise linear: the step stays below half of the smallest gap
    between two elements. The activations take the output, so their forward pass is given here."""
    random = np.random.default_rng(52)
    pool = dict(n=2, c=2, h=7, w=6, kh=3, kw=2, pad_h=1, pad_w=1, stride_h=2, stride_w=1)
    x = random.permutation(2 * 2 * 7 * 6).reshape(2, 2, 7, 6).astype(np.float64)
    for forward, backward, extra in (
        ("max_pool2d_forward", "max_pool2d_backward", {}),
        ("avg_pool2d_forward", "avg_pool2d_backward", {"count_padding": 0}),
        ("avg_pool2d_forward", "avg_pool2d_backward", {"count_padding": 1}),
    ):
        p = pool | extra
        dy = random.uniform(-1, 1, OPS[forward].outputs(p)["y"])
        dx = OPS[backward].compute(p, {"x": x, "dy": dy})["dx"].value

        def function(x, p=p, compute=OPS[forward].compute):
            return compute(p, {"x": x})["y"].value

        _assert_slopes(function, x, dy, dx, 0.25, 1e-9)
    x = random.uniform(-3, 3, 50)
    slope = float(np.float32(0.1))
    for name, function in (
        ("relu_backward", lambda x: np.maximum(x, 0)),
        ("leaky_relu_backward", lambda x: np.where(x > 0, x, slope * x)),
        ("sigmoid_backward", lambda x: 1 / (1 + np.exp(-x))),
        ("tanh_backward", np.tanh),
    ):
        dy = random.uniform(-1, 1, x.shape)
        t = {"y": function(x), "dy": dy}
        dx = OPS[name].compute({"size": x.size, "slope": 0.1}, t)["dx"].value
        _assert_slopes(function, x, dy, dx, 1e-5, 1e-8)


def _assert_slopes(function, x, dy, dx, step, tolerance):
    for place in range(x.size):
        energies = []
        for sign in (1, -1):
            moved = x.copy()
            moved.flat[place] += sign * step
            energies.append(np.vdot(function(moved), dy))
        assert abs((energies[0] - energies[1]) / (2 * step) - dx.flat[place]) <= tolerance, place


def test_any_order_of_summation_of_a_filter_gradient_passes_in_float32():
    random = np.random.default_rng(53)
    p = dict(n=4, c=1, h=9, w=8, m=1, kh=2, kw=2, pad_h=0, pad_w=0, stride_h=1, stride_w=1)
    p |= dict(dilation_h=1, dilation_w=1, groups=1)
    x = random.uniform(-1, 1, (4, 1, 9, 8)).astype(np.float32)
    dy = random.uniform(-1, 1, (4, 1, 8, 7)).astype(np.float32)
    dw0 = random.uniform(-1, 1, (1, 1, 2, 2)).astype(np.float32)
    output = dw(p, {"x": x, "dy": dy, "dw0": dw0})
    assert output.terms == 4 * 8 * 7 + 1
    unit = 2.0**-24
    allowed = output.terms * unit / (1 - output.terms * unit) * output.magnitude[0, 0, 1, 0]
    terms = np.append((x[:, 0, 1:, :7] * dy[:, 0]).ravel(), dw0[0, 0, 1, 0])
    for order in (terms, terms[::-1], np.sort(terms), random.permutation(terms)):
        got = np.add.accumulate(order.astype(np.float32), dtype=np.float32)[-1]
        assert abs(float(got) - output.value[0, 0, 1, 0]) <= allowed
    # Without the last image, it does not pass.
    got = np.add.accumulate(np.delete(terms, range(168, 224)), dtype=np.float32)[-1]
    assert abs(float(got) - output.value[0, 0, 1, 0]) > allowed
