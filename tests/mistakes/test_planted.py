# SPDX-License-Identifier: MIT
"""`check` catches the planted mistakes and names their causes, and accepts correct programs."""

import zlib

import pytest
from catalogue import Mistake, Variation, load, words_of
from driver import FALLS_SHORT, PASSED


def pytest_generate_tests(metafunc):
    if "planted" not in metafunc.fixturenames:
        return
    part, parts = map(int, metafunc.config.getoption("--part").split("/"))
    kind = Mistake if "mistake" in metafunc.function.__name__ else Variation
    # By name, so that a new entry does not move the others to other days.
    chosen = [one for one in load(kind) if zlib.crc32(one.id.encode()) % parts == part - 1]
    metafunc.parametrize("planted", [pytest.param(one, id=one.id) for one in chosen])


def test_a_mistake_is_caught_and_named(planted: Mistake, checks):
    ran = checks.result(planted)
    assert ran.code == (PASSED if planted.escapes else FALLS_SHORT), ran.out + ran.err
    if planted.named:
        assert planted.is_named_in(ran), words_of(ran)


def test_a_correct_program_passes_in_silence(planted: Variation, checks):
    ran = checks.result(planted)
    assert ran.code == PASSED, ran.out + ran.err
    assert ran.stage["notes"] == [] or planted.notes, ran.stage["notes"]


def test_every_entry_still_fits_the_solutions(tmp_path):
    for one in [*load(Mistake), *load(Variation)]:
        one.hand_in(tmp_path / type(one).__name__ / one.id)
