# SPDX-License-Identifier: MIT
"""Every entry of the corpus gets the status, the words and the points that it deserves."""

import re
from collections import Counter

import pytest
from corpus import ALL, Entry, earned_by, layers_of, load, submitted_files
from driver import FALLS_SHORT, PASSED

ENTRIES = load()


def pytest_generate_tests(metafunc):
    if "entry" not in metafunc.fixturenames:
        return
    device = metafunc.config.getoption("--device")
    layers = layers_of(metafunc.config)
    chosen = []
    for entry in ENTRIES:
        if entry.device != device or (entry.layers and layers not in entry.layers):
            continue
        marks = [pytest.mark.xfail(strict=True, reason=entry.xfail)] if entry.xfail else []
        chosen.append(pytest.param(entry, id=entry.id, marks=marks))
    metafunc.parametrize("entry", chosen)


def test_the_grader_says_what_it_must_about(entry: Entry, grader):
    graded = grader.result(entry)
    ran = graded.ran
    assert not graded.secrets, "a student could see hidden inputs"
    assert not graded.left
    status, said = graded.sentence
    assert re.fullmatch(entry.status if not entry.speed else entry.speed, status), (status, said)
    assert re.search(entry.says, said), said
    if status == "REFUSED":
        assert ran.code == FALLS_SHORT
        return
    stage = ran.stage
    failed = {case["op"] for case in stage["cases"] if case["status"] != "PASS"}
    expected = failed if entry.failing is ALL else entry.failing
    assert failed == expected, [c for c in stage["cases"] if c["status"] != "PASS"]
    points = earned_by(entry, stage) if entry.points is None else entry.points
    assert sum(group["points"] for group in stage["groups"]) == pytest.approx(points, abs=0.005)
    honest = not entry.speed or re.fullmatch(entry.speed, "PASS")
    assert honest or sum(speed["points"] for speed in stage["speed"]) == 0, said
    slow = any(speed["status"] != "PASS" for speed in stage["speed"]) if entry.speed else False
    assert ran.code == (FALLS_SHORT if failed or slow else PASSED), ran.out
    told = [case for case in stage["cases"] if case["hidden"]]
    assert not any(case.get(key) for case in told for key in ("hint", "map", "mistake", "printed"))
    printed = "".join(case.get("printed", "") for case in stage["cases"])
    assert re.search(entry.prints, printed), printed
    notes = "\n".join(stage["notes"])
    assert re.search(entry.notes, notes, re.M), notes


def test_the_corpus_is_as_large_as_it_is_said_to_be():
    kinds = Counter(entry.kind for entry in ENTRIES)
    assert sum(kinds.values()) >= 120, kinds
    assert kinds["innocents"] >= 30, kinds


def test_all_entries_still_fit_the_solutions():
    for entry in ENTRIES:
        assert entry.training is not None or submitted_files(entry), entry.id
