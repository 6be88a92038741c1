# SPDX-License-Identifier: MIT
"""The bounds hold for every reasonable float32 algorithm, and wrong results exceed them."""

import numpy as np
import pytest

from convkit_reference.distributions import parse_distribution
from convkit_reference.ops import OPS
from convkit_reference.ops.op import UNIT_ROUNDOFF

F = np.float32
_FINE = np.concatenate([np.linspace(-20, 20, 1201), np.geomspace(1e-30, 20, 300)]).astype(F)


def _inside(got, output):
    gamma = output.terms * UNIT_ROUNDOFF / (1 - output.terms * UNIT_ROUNDOFF)
    allowed = gamma * output.magnitude + output.terms * 2.0**-149
    return np.abs(got.astype(np.float64) - output.value) <= allowed


def _conv_case(random, trial):
    p = {"n": 1, "c": 64, "h": 5, "w": 5, "m": 1, "kh": 3, "kw": 3, "pad_h": 1, "pad_w": 1}
    p |= {"stride_h": 1, "stride_w": 1, "dilation_h": 1, "dilation_w": 1, "groups": 1}
    op = OPS["conv2d_forward"]
    t = {
        name: parse_distribution(name, "uniform(-1, 1)").fill(name, shape, trial)
        for name, shape in op.inputs(p).items()
    }
    return t, op.compute(p, t)["y"]


def _terms_at(t, row, column):
    """The float32 products of one inner output, 576 of them."""
    return (t["x"][0, :, row - 1 : row + 2, column - 1 : column + 2] * t["w"][0]).ravel()


def test_any_order_of_summation_in_float32_passes():
    random = np.random.default_rng(1)
    for trial in range(20):
        t, output = _conv_case(random, trial)
        terms = np.append(_terms_at(t, 2, 2), t["b"])
        for order in (terms, terms[::-1], random.permutation(terms), np.sort(terms)):
            got = np.add.accumulate(order.astype(F), dtype=F)[-1]
            assert _inside(np.full((1, 1, 5, 5), got), output)[0, 0, 2, 2]


def test_one_flipped_sign_in_one_product_among_576_fails_in_95_of_100_trials():
    random = np.random.default_rng(2)
    caught = 0
    for trial in range(200):
        t, output = _conv_case(random, trial)
        terms = _terms_at(t, 2, 2)
        terms[random.integers(576)] *= -1
        got = terms.sum(dtype=F) + t["b"][0]
        caught += not _inside(np.full((1, 1, 5, 5), got), output)[0, 0, 2, 2]
    assert caught >= 190


def _exp_half_forms(x):
    e = np.exp(-np.abs(x))
    return np.where(x >= 0, F(1), e) / (F(1) + e)


_SIGMOIDS = {
    "1/(1+exp(-x))": lambda x: F(1) / (F(1) + np.exp(-x)),
    "exp(x)/(1+exp(x)) for x < 0": _exp_half_forms,
    "tanh": lambda x: F(0.5) * np.tanh(F(0.5) * x) + F(0.5),
    "float64": lambda x: (1 / (1 + np.exp(-x.astype(np.float64)))).astype(F),
}
_TANHS = {
    "library": np.tanh,
    "quotient of exp(x) and exp(-x)": lambda x: (np.exp(x) - np.exp(-x)) / (np.exp(x) + np.exp(-x)),
    "quotient of exp(-2|x|)": lambda x: np.copysign(
        (F(1) - np.exp(F(-2) * np.abs(x))) / (F(1) + np.exp(F(-2) * np.abs(x))), x
    ),
    "1 - 2/(exp(2x)+1)": lambda x: F(1) - F(2) / (np.exp(F(2) * x) + F(1)),
    "sigmoid": lambda x: F(2) / (F(1) + np.exp(F(-2) * x)) - F(1),
}


def _moved(function, ulps):
    """The function with an error of so many ulp in every exp, as in a less accurate library."""

    def exp(x, original=np.exp):
        return (original(x) * F(1 + ulps * 2 * UNIT_ROUNDOFF)).astype(F)

    def moved(x):
        saved = np.exp
        np.exp = exp
        try:
            return function(x)
        finally:
            np.exp = saved

    return moved


@pytest.mark.parametrize("ulps", [0, 2, -2])
@pytest.mark.parametrize("form", _SIGMOIDS)
def test_every_form_of_sigmoid_passes(form, ulps):
    output = OPS["sigmoid_forward"].compute({}, {"x": _FINE})["y"]
    assert _inside(_moved(_SIGMOIDS[form], ulps)(_FINE), output).all()


@pytest.mark.parametrize("ulps", [0, 2, -2])
@pytest.mark.parametrize("form", _TANHS)
def test_every_form_of_tanh_passes(form, ulps):
    output = OPS["tanh_forward"].compute({}, {"x": _FINE})["y"]
    assert _inside(_moved(_TANHS[form], ulps)(_FINE), output).all()


def test_sigmoid_without_care_for_large_values_still_passes():
    x = np.array([-1e4, -104, -89, -88, 89, 1e4], F)
    output = OPS["sigmoid_forward"].compute({}, {"x": x})["y"]
    with np.errstate(over="ignore"):
        assert _inside(F(1) / (F(1) + np.exp(-x)), output).all()


def test_tanh_as_a_quotient_without_care_for_large_values_fails():
    x = np.array([100, -1e4], F)
    output = OPS["tanh_forward"].compute({}, {"x": x})["y"]
    with np.errstate(over="ignore", invalid="ignore"):
        assert not _inside(_TANHS["quotient of exp(x) and exp(-x)"](x), output).any()


_BELOW_ZERO = np.linspace(-80, -5, 2001).astype(F)
_SIGMOIDS_THAT_CANCEL = {
    "tanh": _SIGMOIDS["tanh"],
    "1 - 1/(1+exp(x))": lambda x: F(1) - F(1) / (F(1) + np.exp(x)),
}


@pytest.mark.parametrize("ulps", [0, 2, -2])
@pytest.mark.parametrize("form", [form for form in _SIGMOIDS if form != "tanh"])
def test_a_sigmoid_that_does_not_cancel_passes_far_below_zero(form, ulps):
    output = OPS["sigmoid_forward"].compute({"relative": 1}, {"x": _BELOW_ZERO})["y"]
    assert _inside(_moved(_SIGMOIDS[form], ulps)(_BELOW_ZERO), output).all()


@pytest.mark.parametrize("form", _SIGMOIDS_THAT_CANCEL)
def test_a_sigmoid_that_cancels_fails_far_below_zero(form):
    output = OPS["sigmoid_forward"].compute({"relative": 1}, {"x": _BELOW_ZERO})["y"]
    assert _inside(_SIGMOIDS_THAT_CANCEL[form](_BELOW_ZERO), output).mean() < 0.05


@pytest.mark.parametrize("limit", [-20, -30])
def test_a_sigmoid_of_a_clamped_argument_fails_far_below_zero(limit):
    output = OPS["sigmoid_forward"].compute({"relative": 1}, {"x": _BELOW_ZERO})["y"]
    clamped = _exp_half_forms(np.maximum(_BELOW_ZERO, F(limit)))
    assert not _inside(clamped, output)[limit - 0.01 > _BELOW_ZERO].any()


_NEAR_ZERO = np.linspace(-2e-3, 2e-3, 2001).astype(F)


@pytest.mark.parametrize("by", [np.tanh, lambda x: np.expm1(2 * x) / (np.expm1(2 * x) + F(2))])
def test_a_tanh_that_does_not_cancel_passes_near_zero(by):
    output = OPS["tanh_forward"].compute({"relative": 1}, {"x": _NEAR_ZERO})["y"]
    assert _inside(by(_NEAR_ZERO), output).all()


@pytest.mark.parametrize("form", [form for form in _TANHS if form != "library"])
def test_a_tanh_that_cancels_fails_near_zero(form):
    output = OPS["tanh_forward"].compute({"relative": 1}, {"x": _NEAR_ZERO})["y"]
    assert not _inside(_TANHS[form](_NEAR_ZERO), output).all()


def _log_softmax(x):
    below = x - x.max(axis=1, keepdims=True)
    return np.exp(below - np.log(np.exp(below).sum(axis=1, keepdims=True, dtype=F)))


def _softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True, dtype=F)


def _softmax_reciprocal(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e * (F(1) / e.sum(axis=1, keepdims=True, dtype=F))


@pytest.mark.parametrize("form", [_softmax, _softmax_reciprocal, _log_softmax])
@pytest.mark.parametrize("scale", [1, 30, 1e4])
@pytest.mark.parametrize("ulps", [0, 2])
def test_every_form_of_softmax_passes(form, scale, ulps):
    random = np.random.default_rng(3)
    for k in (1, 2, 10, 100):
        x = random.uniform(-scale, scale, (20, k)).astype(F)
        output = OPS["softmax_forward"].compute({}, {"x": x})["y"]
        assert _inside(_moved(form, ulps)(x), output).all()


@pytest.mark.parametrize(
    ("op", "function"),
    [("sigmoid_forward", _SIGMOIDS["1/(1+exp(-x))"]), ("tanh_forward", np.tanh)],
)
def test_a_result_in_half_precision_fails(op, function):
    output = OPS[op].compute({}, {"x": _FINE})["y"]
    got = function(_FINE).astype(np.float16)
    assert _inside(got, output).mean() < 0.8


def test_softmax_in_half_precision_fails():
    x = np.random.default_rng(4).uniform(-4, 4, (10, 10)).astype(F)
    output = OPS["softmax_forward"].compute({}, {"x": x})["y"]
    assert _inside(_softmax(x).astype(np.float16), output).mean() < 0.1


def test_the_average_may_be_a_product_with_a_rounded_reciprocal():
    p = {"n": 2, "c": 3, "h": 9, "w": 9, "kh": 3, "kw": 3, "pad_h": 1, "pad_w": 1}
    p |= {"stride_h": 2, "stride_w": 2, "count_padding": 1}
    op = OPS["avg_pool2d_forward"]
    x = parse_distribution("x", "uniform(-1, 1)").fill("x", (2, 3, 9, 9), 1)
    frame = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    total = np.zeros((2, 3, 5, 5), F)
    for i in range(3):
        for j in range(3):
            total += frame[:, :, i : i + 9 : 2, j : j + 9 : 2]
    assert _inside(total * F(1 / 9), op.compute(p, {"x": x})["y"]).all()
