# SPDX-License-Identifier: MIT
"""The visible cases as committed: reproduced, small, and enough to tell right from wrong."""

import json
from pathlib import Path

import committed
import numpy as np
import pytest

from convkit_reference.cli import main
from convkit_reference.ops import OPS
from convkit_reference.toml_text import TomlText

CASES = [case for stage in committed.STAGES for case in committed.load(stage)]
ASSIGNMENTS = Path(__file__).resolve().parents[2] / "assignments"
LARGEST_SET_BYTES = 900_000
# Whose bounds are carried through a whole network, or through a normalisation.
_CARRIED = {op for op in OPS if op.startswith(("network_", "train_", "batchnorm_"))}


def test_every_committed_case_is_reproduced():
    assert main(["--check"]) == 0


@pytest.mark.parametrize("stage", committed.STAGES)
def test_the_committed_set_is_small(stage):
    size = sum(path.stat().st_size for path in (committed.VISIBLE / stage).iterdir())
    assert size <= LARGEST_SET_BYTES


def test_every_op_has_a_visible_case():
    assert {case.op for case in CASES} == set(OPS)


@pytest.mark.parametrize("stage", committed.STAGES)
def test_every_group_has_a_visible_case(stage):
    groups = TomlText(ASSIGNMENTS / stage / "stage.toml").data["group"]
    used = {case.group for case in CASES if case.stage == stage}
    assert used == {group["name"] for group in groups}


def test_no_result_or_bound_holds_what_a_comparison_cannot_use():
    for case in CASES:
        assert np.isfinite(case.allowed).all(), case.name
        assert (case.allowed >= 0).all(), case.name
        assert not np.isinf(case.expected).any(), case.name
        assert np.isnan(case.expected).any() == case.name.endswith("_keeps_nan"), case.name


def test_every_bound_is_narrow_beside_the_answers_it_judges():
    """Wide enough for any order of summation, too narrow for half precision."""
    for case in CASES:
        if np.isnan(case.expected).any() or case.op == "lenet_forward" or not case.allowed.any():
            continue
        largest = np.abs(case.expected).max()
        if case.op in _CARRIED:
            # Worst cases of all layers on top of each other. What is 0 but for rounding, such as
            # the gradient of a bias before a normalisation, has a bound and no size.
            assert largest < 1e-9 or case.allowed.max() <= largest / 16, (case.name, case.output)
            continue
        assert case.allowed.max() <= max(2.0**-11 * largest, 1e-37), case.name


@pytest.mark.parametrize("stage", committed.STAGES)
def test_a_summary_is_a_sentence_for_students(stage):
    manifest = json.loads((committed.VISIBLE / stage / "manifest.json").read_text())
    for entry in manifest["cases"]:
        assert not entry["summary"][0].islower(), entry["name"]
        assert len(entry["summary"]) <= 100, entry["name"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.stage}/{case.name}/{case.output}")
def test_another_path_in_float64_passes_every_case(case):
    """Not the generator's code: NumPy's own functions, so that no case asks the impossible."""
    import other_path

    got = other_path.compute(case.op, case.params, case.inputs)
    assert case.passes(got[case.output] if isinstance(got, dict) else got)
