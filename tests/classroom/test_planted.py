# SPDX-License-Identifier: MIT
"""A class of which it is known what each submission must get: its book, row by row, also after ten
times kill -9."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import planted_class as planting
import pytest
from convkit_class.book import Book
from driver import Convkit
from test_batch import running, start, wait_until


@pytest.fixture(scope="module", params=["moodle", "canvas"])
def graded(request, tmp_path_factory):
    """(book, class, sha256 by login): one of each kind, and of each stage."""
    home = tmp_path_factory.mktemp(request.param)
    class_ = one_of_each_kind() if request.param == "moodle" else one_of_each_kind()[:2]
    digests = planting.write_download(class_, home / "download.zip", request.param)
    user = Convkit(home / "user", home / "cache")
    if kept := os.environ.get("CONVKIT_TEST_CACHE"):
        shutil.copytree(kept, home / "cache", dirs_exist_ok=True)
    words = ("--book", home / "course.db", "--roster", home / "roster.csv", "--no-speed")
    ran = user.run("class", "grade", home / "download.zip", *words, timeout=600)
    assert ran.code == 0, ran.out + ran.err
    with closing(Book(home / "course.db")) as book:
        yield book, class_, digests


def one_of_each_kind():
    """The first of each kind in a large class, without what takes its whole time limit."""
    found = {}
    for planted in planting.planned(120):
        if planted.what != "loops_for_ever":
            found.setdefault(planted.kind, planted)
    assert set(found) == {*planting.SHARES, "solution"}
    return sorted(found.values(), key=lambda planted: planted.number)


def test_the_book_has_what_was_planted_row_by_row(graded):
    book, class_, digests = graded
    assert planting.problems(book, class_, digests) == []


def test_a_row_that_is_otherwise_is_told(graded):
    book, class_, digests = graded
    first = class_[0]
    assert planting.problems(book, class_[1:], digests)
    other = replace(first, status="TIMED_OUT" if first.status else "PASS")
    told = planting.problems(book, [other, *class_[1:]], digests)
    assert len(told) >= 1 and all(text.startswith(first.login) for text in told)
    assert planting.problems(book, class_, digests | {first.login: "0" * 64}) == [
        f"{first.login} ({first.what}): the sha256 is another one"
    ]


def test_the_class_of_the_benchmark_has_every_kind_in_every_stage():
    class_ = planting.planned(300)
    assert len({p.login for p in class_}) == len({p.name for p in class_}) == 300
    assert {p.stage for p in class_} == {planting.ONE, planting.TWO, planting.THREE}
    assert {p.what for p in class_} >= {*planting.BROKEN, *planting.HOSTILE}
    assert class_ == planting.planned(300)


def test_ten_times_kill_9_leaves_the_book_of_an_undisturbed_batch(room):
    seed = random.randrange(10**9)
    print(f"the seed of this run: {seed}")
    draw = random.Random(seed)
    for number in range(24):
        told = {"points": draw.choice([0, 40, 80]), "number": number}
        room.hand_in(f"student{number}.zip", sleep=draw.uniform(0, 0.2), **told)
    ours, room.book = room.book, room.folder / "undisturbed.db"
    assert room.grade("--no-speed") == 0
    undisturbed = planting.contents(Book(room.book))
    room.book = ours
    for number in range(10):
        before = running(room)
        batch = start(room, room.submissions, "--workers", "2", "--no-speed")
        wait_until(lambda: running(room) > before or batch.poll() is not None)  # noqa: B023
        with suppress(subprocess.TimeoutExpired):
            batch.wait(draw.uniform(0, 0.3))
        # The batch alone, whose gradings then see that it is gone, or all of them; the batch first,
        # which would write down that a grading was killed.
        gradings = children(batch.pid) if number % 2 else []
        batch.kill()
        for child in gradings:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        batch.wait()
    assert room.grade("--resume", "--no-speed") == 0
    assert planting.contents(Book(ours)) == undisturbed


def children(process):
    listed = Path(f"/proc/{process}/task/{process}/children")
    with suppress(FileNotFoundError):  # it may have ended
        return [int(number) for number in listed.read_text().split()]
    return []


def test_a_grading_that_was_killed_at_its_very_end_is_not_left_open(room):
    """Its result is whole, and its journal is still there."""
    room.hand_in("ann.zip")
    assert room.grade("--no-speed") == 0
    undisturbed = planting.contents(Book(room.book))
    book = Book(room.book)
    db = sqlite3.connect(room.book, isolation_level=None)
    db.execute("UPDATE grading SET state = 'running', document = ''")
    results = room.folder / "course.db.files/results"
    (results / "1.json.journal").write_text("False")
    assert room.grade("--no-speed") == 0
    assert [g.state for g in book.gradings()] == ["done"]
    assert planting.contents(book) == undisturbed
