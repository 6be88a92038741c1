# SPDX-License-Identifier: MIT
"""The visible cases as committed: reproduced, small, and enough to tell right from wrong."""

import json

import committed
import numpy as np
import other_path_layers
import pytest
from proof import proof_of

from convkit_reference.cli import main
from convkit_reference.stages import ASSIGNMENTS, operations
from convkit_reference.toml_text import TomlText

CASES = [case for stage in committed.STAGES for case in committed.load(stage)]
LARGEST_SET_BYTES = 900_000


def _proof(case):
    stage = ASSIGNMENTS / case.stage
    return proof_of(stage, operations(stage)[case.op])


def test_every_committed_case_is_reproduced():
    assert main(["--check"]) == 0


@pytest.mark.parametrize("stage", committed.STAGES)
def test_the_committed_set_is_small(stage):
    size = sum(path.stat().st_size for path in (committed.VISIBLE / stage).iterdir())
    assert size <= LARGEST_SET_BYTES


@pytest.mark.parametrize("stage", committed.STAGES)
def test_every_op_has_a_visible_case(stage):
    used = {case.op for case in CASES if case.stage == stage}
    assert used == set(operations(ASSIGNMENTS / stage))


@pytest.mark.parametrize("stage", committed.STAGES)
def test_every_group_has_a_visible_case(stage):
    groups = TomlText(ASSIGNMENTS / stage / "stage.toml").data["group"]
    used = {case.group for case in CASES if case.stage == stage}
    assert used == {group["name"] for group in groups}


def test_every_result_and_bound_can_be_compared():
    for case in CASES:
        assert np.isfinite(case.allowed).all(), case.name
        assert (case.allowed >= 0).all(), case.name
        assert not np.isinf(case.expected).any(), case.name
        assert np.isnan(case.expected).any() == case.name.endswith("_keeps_nan"), case.name


def test_every_bound_is_small_compared_with_the_answers():
    """Wide enough for any order of summation, too narrow for half precision."""
    for case in CASES:
        narrow = _proof(case).narrow
        if np.isnan(case.expected).any() or narrow is None or not case.allowed.any():
            continue
        largest = np.abs(case.expected).max()
        # A result that is 0 except for rounding, such as the gradient of a bias before a
        # normalisation, has a bound, but its size says nothing.
        if narrow > 2.0**-11 and largest < 1e-9:
            continue
        assert case.allowed.max() <= max(narrow * largest, 1e-37), (case.name, case.output)


@pytest.mark.parametrize("stage", committed.STAGES)
def test_a_summary_is_a_sentence_for_students(stage):
    manifest = json.loads((committed.VISIBLE / stage / "manifest.json").read_text())
    for entry in manifest["cases"]:
        assert not entry["summary"][0].islower(), entry["name"]
        assert len(entry["summary"]) <= 100, entry["name"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.stage}/{case.name}/{case.output}")
def test_another_path_in_float64_passes_every_case(case):
    """This is not the generator's code but NumPy's own functions: no case asks the impossible."""
    proof = _proof(case)
    got = other_path_layers.compute(proof.other_path or proof.naive, case.params, case.inputs)
    assert case.passes(got[case.output] if isinstance(got, dict) else got)
