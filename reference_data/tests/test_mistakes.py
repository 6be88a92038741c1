# SPDX-License-Identifier: MIT
"""The visible cases tell every common mistake from a right answer, and float32 from half."""

import committed
import numpy as np
import other_path
import pytest

CASES = committed.load()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_plain_float32_passes(case):
    assert case.passes(other_path.compute(case.op, case.params, case.inputs, np.float32))


@pytest.mark.parametrize("mistake", other_path.MISTAKES)
def test_a_mistake_is_caught(mistake):
    group = other_path.MISTAKES[mistake]
    caught = [
        case.name
        for case in CASES
        if case.group.startswith(group) and not _passes_with(case, mistake)
    ]
    assert len(caught) >= (1 if group == "pooling" or group == "activations" else 2), caught


@pytest.mark.parametrize(
    "mistake", [mistake for mistake, group in other_path.MISTAKES.items() if group == "conv"]
)
def test_a_mistake_in_a_fast_convolution_is_caught(mistake):
    caught = [c.name for c in CASES if c.group == "fast" and not _passes_with(c, mistake)]
    assert len(caught) >= 2


def test_a_convolution_with_a_mistake_still_passes_where_it_makes_no_difference():
    """The tests above would be worthless if everything failed for another reason."""
    for mistake, group in other_path.MISTAKES.items():
        if group == "conv":
            assert any(c.group == "conv" and _passes_with(c, mistake) for c in CASES), mistake


@pytest.mark.parametrize("group", ["conv", "conv_shapes", "fast"])
def test_half_precision_inputs_are_caught(group):
    caught = 0
    for case in CASES:
        if case.group == group:
            half = {name: x.astype(np.float16) for name, x in case.inputs.items()}
            caught += not case.passes(other_path.compute(case.op, case.params, half))
    assert caught >= sum(case.group == group for case in CASES) / 2


def test_a_missing_bias_or_activation_in_lenet_is_caught():
    (case,) = [case for case in CASES if case.op == "lenet_forward"]
    for name in case.inputs:
        if name.endswith("_b"):
            without = case.inputs | {name: np.zeros_like(case.inputs[name])}
            assert not case.passes(other_path.compute(case.op, case.params, without)), name


def _passes_with(case, mistake):
    try:
        return case.passes(other_path.compute(case.op, case.params, case.inputs, mistake=mistake))
    except ValueError:  # the mistake leaves no window at all
        return False
