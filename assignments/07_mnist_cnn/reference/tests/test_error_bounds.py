# SPDX-License-Identifier: MIT
"""The error bounds from both sides, gradients by finite differences, the weights at the start."""

from pathlib import Path

import numpy as np
import pytest

from convkit_reference.distributions import parse_distribution
from convkit_reference.ops.bounded import Bounded
from convkit_reference.ops.op import UNIT_ROUNDOFF
from convkit_reference.stages import operations, reference_module

STAGE = Path(__file__).resolve().parents[2]
OPS = operations(STAGE)
network = reference_module(STAGE, "network")
naive = reference_module(STAGE, "naive")


def _tensors(op, params, seed):
    return {
        key: parse_distribution(key, op.distributions[key]).fill(key, shape, seed)
        for key, shape in op.inputs(params).items()
    }


def _bound(output):
    gamma = output.terms * UNIT_ROUNDOFF / (1 - output.terms * UNIT_ROUNDOFF)
    return gamma * output.magnitude


@pytest.mark.parametrize("net", range(len(network.TEXTS)))
@pytest.mark.parametrize("training", [0, 1])
def test_a_float32_forward_pass_stays_inside_the_bound(net, training):
    op = OPS["network_forward"]
    params = {"net": net, "n": 16, "training": training, "seed": 3, "step": 2}
    for seed in range(5):
        tensors = _tensors(op, params, seed)
        result = op.compute(params, tensors)["logits"]
        known = {name: value for name, value in tensors.items() if name != "x"}
        got, _ = naive.run(net, tensors["x"], known, training == 1, 3, 2)
        assert got.dtype == np.float32
        error = np.abs(got - result.value)
        assert (error <= _bound(result)).all()
        # A bound that is never needed would let mistakes pass.
        assert _bound(result).max() < 0.02 * np.abs(result.value).max()


@pytest.mark.parametrize("net", range(len(network.TEXTS)))
def test_gradients_are_the_slopes_of_the_reference_itself(net):
    """Central differences along random directions, in each parameter and the input."""
    op, random = OPS["network_gradients"], np.random.default_rng(net)
    params = {"net": net, "n": 3, "seed": 1, "step": 0}
    tensors = _tensors(op, params, 40)
    results = op.compute(params, tensors)

    def total(name, direction, step):
        moved = tensors | {name: tensors[name].astype(np.float64) + step * direction}
        known = {key: Bounded.exact(moved[key]) for key in network.parameter_shapes(net)}
        run = network.forward(net, Bounded.exact(moved["x"]), known, True, 1, 0)
        return float((run.logits.value * tensors["dlogits"]).sum())

    for output, result in results.items():
        name = output.removeprefix("d_") if output != "dx" else "x"
        direction = random.uniform(-1, 1, result.value.shape)
        slope = (total(name, direction, 1e-6) - total(name, direction, -1e-6)) / 2e-6
        expected = float((result.value * direction).sum())
        assert slope == pytest.approx(expected, rel=1e-5, abs=1e-6), output


@pytest.mark.parametrize("net", [0, 1, 2, 3])
def test_a_gradient_with_one_product_less_leaves_the_bound(net):
    op = OPS["network_gradients"]
    params = {"net": net, "n": 16, "seed": 1, "step": 0}
    tensors = _tensors(op, params, 7)
    results = op.compute(params, tensors)
    fewer = op.compute(
        params, tensors | {"dlogits": tensors["dlogits"] * (np.arange(16) > 0)[:, None]}
    )
    for name, result in results.items():
        if np.abs(result.value).max() < 1e-9:
            continue  # a bias before a normalisation has no effect
        difference = np.abs(fewer[name].value - result.value)
        assert (difference > _bound(result)).any(), name


@pytest.mark.parametrize("xavier", [0, 1])
def test_weights_start_with_the_stated_mean_and_variance(xavier):
    params = {
        "size": 50_000,
        "fan_in": 75,
        "fan_out": 150,
        "xavier": xavier,
        "seed": 11,
        "stream": 2,
    }
    w = OPS["initialise"].compute(params, {})["w"].value
    variance = 2 / (75 + 150) if xavier else 2 / 75  # limit^2 / 3
    assert abs(w.mean()) < 4 * np.sqrt(variance / len(w))
    assert w.var() == pytest.approx(variance, rel=0.03)
    assert abs(np.corrcoef(w[:-1], w[1:])[0, 1]) < 0.02
    other = OPS["initialise"].compute(params | {"stream": 3}, {})["w"].value
    assert abs(np.corrcoef(w, other)[0, 1]) < 0.02
