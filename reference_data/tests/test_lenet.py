# SPDX-License-Identifier: MIT
"""The trained network: its weights, its derivative and its error bound."""

import json
import os
from pathlib import Path

import naive_layers
import numpy as np
import other_path_layers
import pytest

import train_lenet
from convkit_reference.distributions import parse_distribution
from convkit_reference.ops import OPS, lenet
from convkit_reference.ops.op import UNIT_ROUNDOFF, Output

_WEIGHTS = Path(train_lenet.__file__).parent / "weights" / "lenet_mnist.npz"
_DATA = Path(os.environ.get("CONVKIT_DATA") or _WEIGHTS.parents[2] / "datasets" / "cache")


@pytest.fixture(scope="module")
def weights():
    with np.load(_WEIGHTS) as file:
        return dict(file)


def _digits(count, seed):
    return parse_distribution("x", "digits").fill("x", (count, 1, 28, 28), seed)


def test_the_weights_are_those_of_the_network_and_small(weights):
    shapes = {name: tensor.shape for name, tensor in weights.items()}
    assert shapes == train_lenet.SHAPES
    assert all(tensor.dtype == np.float32 for tensor in weights.values())
    assert _WEIGHTS.stat().st_size <= 400_000


def test_the_stated_accuracy_is_good(weights):
    facts = json.loads(_WEIGHTS.with_suffix(".json").read_text())
    assert facts["test_digits"] == 10000 and facts["test_accuracy"] >= 0.98
    assert facts["parameters"] == sum(tensor.size for tensor in weights.values())


@pytest.mark.skipif(
    not (_DATA / "mnist" / "t10k-images-idx3-ubyte.gz").exists(),
    reason="MNIST is not there: run datasets/fetch.py or set CONVKIT_DATA",
)
def test_the_stated_accuracy_is_true(weights):
    facts = json.loads(_WEIGHTS.with_suffix(".json").read_text())
    images, labels = train_lenet.read_mnist(_DATA / "mnist", "t10k")
    # Another BLAS may change the answer for one or two digits.
    assert abs(train_lenet.accuracy(weights, images, labels) - facts["test_accuracy"]) <= 2e-4


def test_the_network_reads_the_drawn_digits(weights):
    """It was trained on MNIST only, so this shows that the drawn digits look like digits."""
    logits, _ = train_lenet.forward(weights, _digits(200, 3))
    assert (logits.argmax(axis=1) == np.arange(200) % 10).mean() >= 0.95


def test_the_trainers_gradients_are_those_of_its_loss():
    """Finite differences in float64, in each of the ten tensors."""
    random = np.random.default_rng(1)
    weights = {
        # The biases are not 0: on a black background with bias 0, ReLU has no derivative.
        name: tensor + random.uniform(0.01, 0.1, tensor.shape) * name.endswith("_b")
        for name, tensor in train_lenet.initial_weights(random).items()
    }
    x, labels = _digits(3, 1).astype(np.float64), np.array([3, 1, 4])

    def loss():
        logits, _ = train_lenet.forward(weights, x)
        powers = np.exp(logits)
        return -np.log(powers[np.arange(3), labels] / powers.sum(axis=1)).mean()

    gradients = train_lenet.gradients(weights, x, labels)
    for name, tensor in weights.items():
        for flat in random.integers(0, tensor.size, 4):
            place = np.unravel_index(flat, tensor.shape)
            old, step = tensor[place], 1e-6
            tensor[place] = old + step
            above = loss()
            tensor[place] = old - step
            below = loss()
            tensor[place] = old
            slope = (above - below) / (2 * step)
            assert gradients[name][place] == pytest.approx(slope, rel=1e-4, abs=1e-7), name


def _logits_after(layer, out, t):
    """The logits as a function of the output of `layer`, by NumPy's own functions."""
    if layer == "conv1":
        shape = dict.fromkeys(["stride_h", "stride_w", "dilation_h", "dilation_w"], 1)
        shape |= {"kh": 5, "kw": 5, "pad_h": 0, "pad_w": 0}
        y = other_path_layers.compute(
            other_path_layers.conv, shape, {"x": out, "w": t["conv2_w"], "b": t["conv2_b"]}
        )
        out = np.maximum(y, 0).reshape(len(y), 16, 5, 2, 5, 2).max(axis=(3, 5))
    y = out.reshape(len(out), -1)
    for name in {"fc1": ("fc2", "fc3"), "fc2": ("fc3",)}.get(layer, ("fc1", "fc2", "fc3")):
        y = y @ t[f"{name}_w"].astype(np.float64).T + t[f"{name}_b"]
        if name != "fc3":
            y = np.maximum(y, 0)
    return y


@pytest.mark.parametrize("layer", ["conv1", "conv2", "fc1", "fc2"])
def test_the_derivative_behind_the_bound_is_that_of_the_network(layer, weights, monkeypatch):
    """An error of 1 in one element alone must give |d logits / d element| (finite differences)."""
    t = {"x": _digits(1, 5), **weights}
    layers = lenet.forward(t["x"], t)
    out = layers[layer].out
    alive = np.argwhere(out > 0)
    for place in map(tuple, np.random.default_rng(2).permutation(alive)[:8]):
        local = {name: np.zeros_like(other.out) for name, other in layers.items()}
        local[layer][place] = 1.0
        by_identity = {id(other): local[name] for name, other in layers.items()}
        with monkeypatch.context() as patch:
            patch.setattr(lenet, "_NEAR", 0.0)  # the derivative at this point
            patch.setattr(lenet.Layer, "local_error", lambda self, by=by_identity: by[id(self)])
            slope = lenet.logit_error(layers, t)
        step = 1e-6
        above, below = out.copy(), out.copy()
        above[place] += step
        below[place] -= step
        change = _logits_after(layer, above, t) - _logits_after(layer, below, t)
        np.testing.assert_allclose(slope, np.abs(change) / (2 * step), rtol=1e-5, atol=1e-7)


def test_float32_stays_inside_the_bound_and_uses_little_of_it(weights):
    x = np.concatenate(
        [_digits(20, 9), np.random.default_rng(3).uniform(0, 1, (10, 1, 28, 28)).astype(np.float32)]
    )
    layers = lenet.forward(x, weights)
    bound = lenet.logit_error(layers, weights) * UNIT_ROUNDOFF
    logits, _ = train_lenet.forward(weights, x)
    assert (np.abs(logits - layers["fc3"].sums.value) <= bound).all()
    assert bound.max() < 0.02


def test_a_layer_grants_its_sums_the_bound_of_a_convolution():
    sums = Output(np.zeros((1, 1, 2, 2)), 5, np.array([[[[1.0, 2.0], [3.0, 4.0]]]]))
    error = lenet.Layer(sums, np.zeros((1, 1, 1, 1))).local_error()
    assert error.shape == (1, 1, 1, 1) and error[0, 0, 0, 0] == pytest.approx(20, rel=1e-5)


def test_the_naive_network_agrees_on_noise(weights):
    x = np.random.default_rng(8).uniform(0, 1, (1, 1, 28, 28)).astype(np.float32)
    t = {"x": x, **weights}
    result = OPS["lenet_forward"].compute({"n": 1}, t)["y"]
    np.testing.assert_allclose(result.value, naive_layers.lenet({"n": 1}, t), rtol=1e-9)
