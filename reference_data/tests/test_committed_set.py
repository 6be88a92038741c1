# SPDX-License-Identifier: MIT
"""The visible cases as committed: reproduced, small, and enough to tell right from wrong."""

import json

import committed
import numpy as np
import pytest

from convkit_reference.cli import main
from convkit_reference.ops import OPS

CASES = committed.load()


def test_every_committed_case_is_reproduced():
    assert main(["--check"]) == 0


def test_the_committed_set_is_small():
    size = sum(path.stat().st_size for path in committed.FOLDER.iterdir())
    assert size <= 900_000


def test_every_op_and_group_has_a_visible_case():
    assert {case.op for case in CASES} == set(OPS)
    groups = ["conv", "conv_shapes", "pooling", "activations", "dense", "layout", "lenet", "fast"]
    assert {case.group for case in CASES} == set(groups)


def test_no_result_or_bound_holds_what_a_comparison_cannot_use():
    for case in CASES:
        assert np.isfinite(case.allowed).all(), case.name
        assert (case.allowed >= 0).all(), case.name
        assert not np.isinf(case.expected).any(), case.name
        assert np.isnan(case.expected).any() == case.name.endswith("_keeps_nan"), case.name


def test_every_bound_is_narrow_beside_the_answers_it_judges():
    """Wide enough for any order of summation, too narrow for half precision."""
    for case in CASES:
        if np.isnan(case.expected).any() or case.group == "lenet" or not case.allowed.any():
            continue
        largest = np.abs(case.expected).max()
        assert case.allowed.max() <= max(2.0**-11 * largest, 1e-37), case.name


def test_a_summary_is_a_sentence_for_students():
    manifest = json.loads((committed.FOLDER / "manifest.json").read_text())
    for entry in manifest["cases"]:
        assert not entry["summary"][0].islower(), entry["name"]
        assert len(entry["summary"]) <= 100, entry["name"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_another_path_in_float64_passes_every_case(case):
    """Not the generator's code: NumPy's own functions, so that no case asks the impossible."""
    import other_path

    assert case.passes(other_path.compute(case.op, case.params, case.inputs))
