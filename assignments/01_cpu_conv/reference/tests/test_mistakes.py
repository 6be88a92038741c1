# SPDX-License-Identifier: MIT
"""The visible cases tell every common mistake from a right answer, and float32 from half."""

from pathlib import Path

import committed
import numpy as np
import other_path_layers
import pytest
from proof import proof_of

from convkit_reference.stages import operations

STAGE = Path(__file__).resolve().parents[2]
OPS = operations(STAGE)
CASES = committed.load(STAGE.name)
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


def _answer(case, *precision, inputs=None, **mistake):
    function = proof_of(STAGE, OPS[case.op]).other_path
    return other_path_layers.compute(
        function, case.params, inputs or case.inputs, *precision, **mistake
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_plain_float32_passes(case):
    assert case.passes(_answer(case, np.float32))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_caught(mistake):
    group = MISTAKES[mistake]
    caught = [
        case.name
        for case in CASES
        if case.group.startswith(group) and not _passes_with(case, mistake)
    ]
    assert len(caught) >= (1 if group == "pooling" or group == "activations" else 2), caught


@pytest.mark.parametrize(
    "mistake", [mistake for mistake, group in MISTAKES.items() if group == "conv"]
)
def test_a_mistake_in_a_fast_convolution_is_caught(mistake):
    caught = [c.name for c in CASES if c.group == "fast" and not _passes_with(c, mistake)]
    assert len(caught) >= 2


def test_a_convolution_with_a_mistake_still_passes_where_it_makes_no_difference():
    """The tests above would be worthless if everything failed for another reason."""
    for mistake, group in MISTAKES.items():
        if group == "conv":
            assert any(c.group == "conv" and _passes_with(c, mistake) for c in CASES), mistake


@pytest.mark.parametrize("group", ["conv", "conv_shapes", "fast"])
def test_half_precision_inputs_are_caught(group):
    caught = 0
    for case in CASES:
        if case.group == group:
            half = {name: x.astype(np.float16) for name, x in case.inputs.items()}
            caught += not case.passes(_answer(case, inputs=half))
    assert caught >= sum(case.group == group for case in CASES) / 2


def test_a_missing_bias_or_activation_in_lenet_is_caught():
    (case,) = [case for case in CASES if case.op == "lenet_forward"]
    for name in case.inputs:
        if name.endswith("_b"):
            without = case.inputs | {name: np.zeros_like(case.inputs[name])}
            assert not case.passes(_answer(case, inputs=without)), name


def _passes_with(case, mistake):
    try:
        return case.passes(_answer(case, mistake=mistake))
    except ValueError:  # the mistake leaves no window at all
        return False
