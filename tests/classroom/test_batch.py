# SPDX-License-Identifier: MIT
"""`class grade`: every submission once, whatever happens to the batch or to a grading."""

import fcntl
import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from conftest import ROOT
from convkit_class.book import Book


def states(room):
    book = Book(room.book)
    return {s.source: book.gradings(s.id)[-1].state for s in book.submissions()}


def test_all_are_graded_and_a_second_time_nothing_is_run(room):
    for name in ("ann.zip", "bob.zip", "eve.zip"):
        room.hand_in(name, points=random.random())
    assert room.grade() == 0
    assert set(states(room).values()) == {"done"}
    assert len(room.calls()) == 3
    assert room.grade() == 0
    assert room.calls() == []


def test_a_grading_that_breaks_stops_no_other_and_is_tried_again(room, capsys):
    room.hand_in("ann.zip", do="crash")
    room.hand_in("bob.zip")
    assert room.grade() == 0
    assert states(room) == {"ann.zip": "failed", "bob.zip": "done"}
    assert "FAILED  ann.zip: `convkit grade` ended with exit code 3: GRADER_ERROR  it broke" in (
        capsys.readouterr().out
    )
    room.calls()
    room.grade()
    assert len(room.calls()) == 1


def test_timing_comes_last_one_at_a_time_and_its_time_is_apart(room):
    for name in ("ann.zip", "bob.zip"):
        room.hand_in(name, untimed=True, note=name)
    room.grade("--workers", 2)
    calls = room.calls()
    assert ["--speed-later" in c for c in calls] == [True, True, False, False]
    assert ["--resume" in c for c in calls] == [False, False, True, True]
    book = Book(room.book)
    for grading in book.gradings():
        assert grading.timing_s > 0 and grading.seconds > 0
        assert grading.result()["points"] == 100


def test_without_speed_it_is_graded_and_a_later_batch_times_it(room, capsys):
    room.hand_in("ann.zip", untimed=True)
    room.grade("--no-speed")
    out = capsys.readouterr().out
    assert "1 graded, 0 failed, 0 open" in out and "1 have speed points to earn" in out
    room.grade("--no-speed")
    assert len(room.calls()) == 1
    room.grade()
    assert ["--resume" in c for c in room.calls()] == [True]
    assert [g.result()["points"] for g in Book(room.book).gradings()] == [100]


def test_new_content_of_a_student_is_another_attempt(room):
    room.hand_in("ann.zip", points=10)
    room.grade()
    room.hand_in("ann.zip", points=20)
    room.grade()
    book = Book(room.book)
    assert len(book.submissions("ann")) == 2
    assert len(room.calls()) == 2


def test_only_what_is_named_is_graded(room):
    for name in ("ann.zip", "bob.zip"):
        room.hand_in(name, note=name)
    room.grade("--only", "bob")
    assert len(room.calls()) == 1
    assert room.grade("--only", "nobody") == 2


def test_another_kit_or_case_regrades_what_it_concerns(room):
    room.set("DEPENDS", json.dumps({"compiler": "1"}))
    room.hand_in("ann.zip")
    room.grade()
    room.calls()
    room.grade("--regrade-changed")
    assert room.calls() == []
    room.set("DEPENDS", json.dumps({"compiler": "2"}))
    room.grade()
    assert room.calls() == []
    room.grade("--regrade-changed")
    [call] = room.calls()
    first = room.book.with_name(room.book.name + ".files") / "results/1.json"
    assert call[call.index("--keep-verdicts") + 1] == str(first)
    room.grade("--regrade-all")
    [call] = room.calls()
    assert "--keep-verdicts" not in call


def test_of_many_earlier_results_only_the_last_is_read(room, monkeypatch):
    room.hand_in("ann.zip")
    for version in "123":
        room.set("DEPENDS", json.dumps({"compiler": version}))
        room.grade("--regrade-changed")
    room.set("DEPENDS", json.dumps({"compiler": "4"}))
    read = []
    of_one = Book.grading
    monkeypatch.setattr(Book, "grading", lambda book, n: read.append(n) or of_one(book, n))
    monkeypatch.setattr(Book, "gradings", None)  # of all documents
    room.calls()
    assert room.grade("--regrade-changed") == 0
    [call] = room.calls()
    assert call[call.index("--keep-verdicts") + 1].endswith("results/3.json")
    assert 1 not in read and 2 not in read


def start(room, *words):
    return subprocess.Popen(
        [sys.executable, ROOT / "classroom/main.py", "grade", "--book", room.book, *words],
        env=os.environ | room.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # Of what runs in the background of a shell, SIGINT is ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def wait_until(true, seconds=120):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def journals(room):
    """Of gradings that have got so far that Ctrl-C leaves them to be resumed."""
    return list(room.folder.glob("course.db.files/results/*.json.journal"))


def running(room):
    return room.calls_file.read_text().count("\n") if room.calls_file.exists() else 0


def test_ctrl_c_ends_all_and_the_next_batch_resumes(room):
    for name, sleep in (("ann.zip", 600), ("bob.zip", 600), ("eve.zip", 0)):
        room.hand_in(name, sleep=sleep, note=name)
    batch = start(room, room.submissions, "--workers", "2")
    wait_until(lambda: len(journals(room)) == 2)
    batch.send_signal(signal.SIGINT)
    out, _ = batch.communicate(timeout=120)
    assert batch.returncode == 130, out
    assert "3 submissions: 0 graded, 0 failed, 3 open." in out
    room.calls()
    assert room.grade("--resume") == 0
    assert sorted("--resume" in c for c in room.calls()) == [False, True, True]
    assert set(states(room).values()) == {"done"}


def test_what_cannot_be_resumed_begins_again(room):
    """Of another kit, or with other options: `grade` refuses its journal."""
    room.hand_in("ann.zip", sleep=600)
    batch = start(room, room.submissions)
    wait_until(lambda: journals(room))
    batch.send_signal(signal.SIGINT)
    batch.communicate(timeout=120)
    (journal,) = journals(room)
    journal.write_text("of another kit")
    assert room.grade() == 0
    assert states(room) == {"ann.zip": "done"}
    assert len(Book(room.book).gradings()) == 1


@pytest.mark.parametrize("moment", range(3))
def test_kill_9_at_any_moment_loses_nothing(room, moment):
    for number in range(6):
        room.hand_in(f"student{number}.zip", points=number, sleep=0.05)
    batch = start(room, room.submissions, "--workers", "2")
    wait_until(lambda: running(room) >= 1 + 2 * moment)
    batch.kill()
    batch.communicate(timeout=120)
    assert room.grade() == 0
    book = Book(room.book)
    points = {s.login: book.gradings(s.id)[-1].result()["points"] for s in book.submissions()}
    assert points == {f"student{n}": n for n in range(6)}
    assert all(len(book.gradings(s.id)) == 1 for s in book.submissions())


def test_a_grading_that_ends_after_its_batch_was_killed_is_waited_for(room):
    """It writes its interrupted result late: that must not replace the result of the next batch."""
    room.hand_in("ann.zip", sleep=600, late=1)
    batch = start(room, room.submissions)
    wait_until(lambda: journals(room) and journals(room)[0].read_text())
    batch.kill()
    batch.communicate(timeout=120)
    assert room.grade() == 0
    assert states(room) == {"ann.zip": "done"}
    assert ["--resume" in c for c in room.calls()] == [False, True]


def test_a_grading_that_does_not_end_is_named(room, monkeypatch, capsys):
    room.hand_in("ann.zip", untimed=True)
    room.grade("--no-speed")
    monkeypatch.setattr("convkit_class.batch._ENDS_WITHIN_S", 0.1)
    (journal,) = journals(room)
    with journal.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert room.grade() == 2
    assert f"is still at work on {journal}. End it first." in capsys.readouterr().err
    assert room.grade() == 0
    assert [g.result()["points"] for g in Book(room.book).gradings()] == [100]


def test_two_batches_do_not_work_on_one_book(room, capsys):
    room.hand_in("ann.zip", sleep=600)
    batch = start(room, room.submissions)
    wait_until(lambda: running(room) == 1)
    assert room.grade() == 2
    assert "at work on" in capsys.readouterr().err
    batch.send_signal(signal.SIGINT)
    batch.communicate(timeout=120)


def test_without_a_book_or_a_folder_one_sentence_says_so(room, capsys):
    assert room.run("grade") == 2
    assert room.run("grade", room.submissions, "--resume") == 2
    assert room.run("show") == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 3 and "no book" in said[2]
    room.book.write_text("not a book")
    assert room.grade() == 2
    assert "cannot be used as a book" in capsys.readouterr().err
