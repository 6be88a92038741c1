# SPDX-License-Identifier: MIT
"""Submissions with functions that misbehave: each function gets its status and its sentence, and
the rest of the submission is judged as usual.

One submission has several misbehaviours: each replaces a function that no other function calls.
"""

import re

import pytest
from driver import FALLS_SHORT, SOLUTION, Convkit, changed, replace_body, submission
from hostile_behaviours import BEHAVIOURS, FORGE

VICTIMS = {  # function: its file
    "avg_pool2d_forward": "pooling.cpp",
    "global_avg_pool_forward": "pooling.cpp",
    "leaky_relu_forward": "activations.cpp",
    "sigmoid_forward": "activations.cpp",
    "tanh_forward": "activations.cpp",
    "nchw_to_nhwc": "layout.cpp",
    "nhwc_to_nchw": "layout.cpp",
    "conv2d_same_forward": "layout.cpp",
    "conv2d_fast": "conv2d_fast.cpp",
}
PLACES = {
    behaviour.name: (i // len(VICTIMS), list(VICTIMS)[i % len(VICTIMS)])
    for i, behaviour in enumerate(BEHAVIOURS)
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory, cache, strict_kit):
    """graded(i): the result of the i-th submission, with the user who graded it."""
    results = {}

    def grade(i: int):
        if i in results:
            return results[i]
        home = tmp_path_factory.mktemp("hostile")
        files = {file: (SOLUTION / file).read_text() for file in set(VICTIMS.values())}
        for behaviour in BEHAVIOURS:
            number, victim = PLACES[behaviour.name]
            if number == i:
                file = VICTIMS[victim]
                text = replace_body(files[file], victim, behaviour.body)
                files[file] = text if behaviour.prelude in text else behaviour.prelude + text
        convkit = Convkit(home / "home", cache)
        ran = convkit.grade(
            submission(home / "mallory", files), env={"CONVKIT_ROOT": str(strict_kit)}
        )
        results[i] = ran, convkit.left_behind()
        return results[i]

    return grade


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda b: b.name)
def test_a_submission_that(behaviour, graded):
    number, victim = PLACES[behaviour.name]
    ran, _ = graded(number)
    assert ran.code == FALLS_SHORT, ran.err + ran.out
    first = ran.cases_of(victim)[0]
    assert re.fullmatch(behaviour.status, first["status"]), first
    assert re.search(behaviour.message.replace("FUNCTION", victim), first["message"]), first


@pytest.mark.parametrize("number", sorted({number for number, _ in PLACES.values()}))
def test_the_other_functions_are_judged_as_usual(number, graded):
    ran, _ = graded(number)
    taken = {victim for n, victim in PLACES.values() if n == number}
    others = [case for case in ran.stage["cases"] if case["op"] not in taken]
    assert len(others) > 40
    assert [case for case in others if case["status"] != "PASS"] == []


@pytest.mark.parametrize("number", sorted({number for number, _ in PLACES.values()}))
def test_a_hostile_submission_leaves_no_files_or_processes(number, graded):
    assert graded(number)[1] == []


def test_forged_replies_spoil_no_other_case(convkit, handed_in):
    body = "for (int i = 0; i < 40; ++i) forge(), usleep(50000);"
    forging = changed("activations.cpp", "sigmoid_forward", body, FORGE)
    ran = convkit.grade(handed_in(forging))
    others = {case["status"] for case in ran.stage["cases"] if case["op"] != "sigmoid_forward"}
    assert others == {"PASS"}
