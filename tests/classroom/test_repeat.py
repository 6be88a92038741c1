# SPDX-License-Identifier: MIT
"""`class audit` and `class appeal`: gradings that are repeated, and what a difference means."""

import json
import sqlite3

import pytest
from convkit_class.book import Book
from convkit_class.differences import compare
from documents import case, result, speed, stage


@pytest.fixture
def graded(room):
    for number, name in enumerate(("ann", "bob", "eve", "max")):
        room.hand_in(f"{name}.zip", points=[80, 80, 0, 0][number], n=number)
    room.grade("--no-speed")
    room.calls()
    return room


def said(room, capsys, *words):
    capsys.readouterr()
    code = room.run(*words)
    return code, capsys.readouterr().out


def test_an_audit_of_the_same_verdicts_agrees_and_is_in_the_book(graded, capsys):
    code, out = said(graded, capsys, "audit", "--sample", 2, "--seed", "7")
    assert code == 0
    assert "2 of 4 gradings, drawn with --seed 7." in out
    assert out.count("SAME") == 2 and "2 of 2 agree, 0 differ" in out
    kept = Book(graded.book).repeats()
    assert [(r.kind, r.sample, r.outcome) for r in kept] == [("audit", "7", "same")] * 2
    assert all(r.author and r.machine and r.at and json.loads(r.document) for r in kept)
    assert said(graded, capsys, "audit", "--list")[1].count("seed 7") == 2


def test_a_seed_draws_the_same_sample_again(graded, capsys):
    def sample():
        out = said(graded, capsys, "audit", "--sample", 2, "--seed", "cafe")[1]
        return {line.split()[1] for line in out.splitlines() if line.startswith("SAME")}

    assert sample() == sample()
    assert said(graded, capsys, "audit")[1].startswith("4 of 4 gradings, drawn with --seed ")


def test_a_repeated_grading_has_the_nonce_the_bytes_and_nothing_from_a_cache(graded, capsys):
    said(graded, capsys, "audit", "ann", "bob")
    calls = graded.calls()
    assert len(calls) == 2
    for call in calls:
        assert "--nonce" in call and "--no-speed" in call and "--no-hidden" in call
    files = graded.folder / "course.db.files/submissions"
    for file in files.rglob("*.zip"):
        file.write_text(json.dumps({"points": 80, "n": "changed on the disk"}))
    code, out = said(graded, capsys, "audit", "ann")
    assert code == 3 and "FAILED   ann (grading 1 on cpu): --nonce is of another" in out


def test_a_difference_is_told_verdict_by_verdict_with_what_it_may_mean(graded, capsys):
    graded.set("OTHERWISE", json.dumps({"points": 0, "sandbox": "Landlock"}))
    graded.set("DEPENDS", json.dumps({"compiler": "clang 14"}))
    code, out = said(graded, capsys, "audit", "ann", "eve")
    assert code == 1
    assert "DIFFERS  ann" in out and "SAME     eve" in out
    assert "01_cpu_conv case one: PASS -> WRONG: another compiler" in out
    assert "points of all: 80 -> 0" in out
    assert "other sandbox: none -> Landlock" in out
    outcomes = {r.grading: r.outcome for r in Book(graded.book).repeats()}
    assert sorted(outcomes.values()) == ["differs", "same"]
    code, out = said(graded, capsys, "show", "ann")
    assert "80 of 100" in out  # an audit changes no grade
    assert "audit" in out and "differs" in out


def test_audits_of_a_copy_come_back_into_the_book(graded, capsys):
    copy = graded.folder / "copy.db"
    sqlite3.connect(graded.book).execute("VACUUM INTO ?", [str(copy)])
    (graded.folder / "copy.db.files").symlink_to(graded.folder / "course.db.files")
    ours, graded.book = graded.book, copy
    said(graded, capsys, "audit", "ann")
    graded.book = ours
    assert "1 repeated gradings were taken" in said(graded, capsys, "audit", "--take-from", copy)[1]
    assert "0 repeated gradings" in said(graded, capsys, "audit", "--take-from", copy)[1]
    assert len(Book(ours).repeats()) == 1


def test_an_appeal_is_one_command_and_keeps_its_reason(graded, capsys):
    code, out = said(graded, capsys, "appeal", "ann", 1, "--reason", "mail of Monday")
    assert code == 0
    assert "nonce" in out and "80 of 100" in out and "No grade has changed" in out
    (kept,) = Book(graded.book).repeats()
    assert (kept.kind, kept.reason, kept.outcome) == ("appeal", "mail of Monday", "same")
    assert said(graded, capsys, "appeal", "ann", 2, "--reason", "x")[0] == 2
    with pytest.raises(SystemExit):
        graded.run("appeal", "ann", 1)


def test_an_appeal_that_is_right_can_count(graded, capsys):
    graded.set("OTHERWISE", json.dumps({"points": 80}))
    code, out = said(graded, capsys, "appeal", "eve", 1, "--reason", "a bug of the kit", "--count")
    assert code == 1
    assert "case one" in out and "WRONG" in out and "PASS" in out
    assert ["eve", "80", "20", "80"] in [
        line.split() for line in said(graded, capsys, "show")[1].splitlines()
    ]
    assert len(Book(graded.book).gradings()) == 5


def test_an_appeal_times_again_what_was_timed(room, capsys):
    room.hand_in("ann.zip", untimed=True, ratio=3)
    room.grade()
    room.calls()
    room.set("OTHERWISE", json.dumps({"ratio": 4}))
    code, out = said(room, capsys, "appeal", "ann", 1, "--reason", "x")
    assert code == 0, "times differ from run to run, which is no other verdict"
    assert "--no-speed" not in room.calls()[0]
    assert "3.00 x, 20 points" in out and "4.00 x, 20 points" in out


def test_what_was_not_judged_is_not_compared():
    told = compare(result(), result(stage(cases=[case(n, status="PENDING") for n in "abcde"])))
    assert told.unjudged == 5
    assert {d.what for d in told.differences} == set()


def test_a_case_that_is_there_no_more_is_another_set():
    other = stage(
        cases=[case("a", status="PASS")],
        references=[{"set": "visible", "cases": 1, "seed": None, "manifest_sha256": "d" * 64}],
    )
    told = compare(result(), result(other))
    assert "case d" in {d.what for d in told.differences}
    assert all(d.meaning.startswith("another set of cases") for d in told.differences)


def test_a_limit_is_told_from_another_program():
    late = stage(cases=[case(n, status="TIMED_OUT") for n in "abcde"])
    meanings = {d.meaning for d in compare(result(), result(late)).differences}
    assert any(m.startswith("a limit") for m in meanings)


def test_where_nothing_else_differs_the_program_is_the_cause():
    other = stage(cases=[case(n, status="PASS") for n in "abcde"], status="PASS")
    for d in compare(result(), result(other)).differences:
        assert "depends on time or on memory" in d.meaning


def test_a_speed_whose_outputs_are_wrong_now_is_a_difference():
    wrong = stage(speed=[speed(status="WRONG", points=0)])
    assert [d.what for d in compare(result(), result(wrong)).differences] == [
        "outputs while timed, fast"
    ]


def test_a_book_of_an_earlier_version_gets_what_it_lacks(graded):
    db = sqlite3.connect(graded.book, isolation_level=None)
    for name in ("repeat", "secret", "written"):
        db.execute(f"DROP TABLE {name}")
    db.execute("ALTER TABLE student DROP COLUMN moodle_id")
    db.execute("PRAGMA user_version = 1")
    db.close()
    assert Book(graded.book).repeats() == []
    assert len(Book(graded.book).gradings()) == 4
