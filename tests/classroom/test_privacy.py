# SPDX-License-Identifier: MIT
"""What leaves a book without names, and what is left of a student who is forgotten."""

import csv
import io
import json
import sqlite3

import pytest
from convkit_class.book import Book
from documents import stage

ROSTER = """login,name,email,lms_id,github,team
anneliese,Anneliese Quast,quast@uni.example,471123,quastcodes,crimson
bob,Bob Coe,coe@uni.example,471124,bobcodes,
eve,Eve Day,day@uni.example,471125,evecodes,
"""
# All that could say who somebody is, or what they wrote.
NAMES = ("anneliese", "Quast", "quast@uni", "471123", "quastcodes", "crimson", "tigress")
TEXTS = ("Anneliese_final", "/srv/quast", "mail of Mrs Quast", "quast_conv2d", "her aunt")


@pytest.fixture
def classroom(room):
    written = {
        "status": "BUILD_FAILED",
        "message": "/srv/quast/conv.cpp:3: quast_conv2d is not declared",
        "log": "quast_conv2d",
    }
    room.hand_in(
        "anneliese-Anneliese_final.zip", points=40, mistake="quast_conv2d", stage=stage(**written)
    )
    for name, points in (("bob", 50), ("eve", 60)):
        room.hand_in(f"{name}.zip", points=points, note=name)
    room.grade("--roster", room.roster(ROSTER))
    room.run("points", "anneliese", 1, 5, "--reason", "mail of Mrs Quast")
    room.run("extend", "anneliese", 1, "2026-10-18T10:00", "--reason", "her aunt")
    room.run("nickname", "anneliese", "tigress")
    room.run("appeal", "anneliese", 1, "--reason", "mail of Mrs Quast")
    return room


def exported(room, capsys, *words):
    capsys.readouterr()
    assert room.run("export", *words) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("form", ["csv", "json"])
def test_an_anonymous_export_has_nothing_that_says_who_somebody_is(classroom, capsys, form):
    text = exported(classroom, capsys, "--to", form, "--anonymous").lower()
    book = Book(classroom.book)
    for word in (*NAMES, *TEXTS, "bob", "eve", *(s.sha256 for s in book.submissions())):
        assert word.lower() not in text, word
    assert str(classroom.folder) not in text and ".zip" not in text


def test_an_anonymous_export_has_the_grades_in_an_order_that_says_nothing(classroom, capsys):
    rows = list(csv.DictReader(io.StringIO(exported(classroom, capsys, "--anonymous"))))
    logins = [row["login"] for row in rows]
    assert logins == sorted(logins) and all(login.startswith("s-") for login in logins)
    assert sorted(float(row["01_cpu_conv"]) for row in rows) == [50, 60, 63]
    told = json.loads(exported(classroom, capsys, "--anonymous", "--to", "json"))
    by_hand = [s["stages"]["01_cpu_conv"]["by_hand"] for s in told["students"]]
    assert sorted(by_hand) == [0, 0, 5]


def test_a_pseudonym_stays_when_the_class_changes_and_follows_from_a_key(classroom, capsys):
    def names():
        rows = csv.DictReader(io.StringIO(exported(classroom, capsys, "--anonymous")))
        return {row["01_cpu_conv"]: row["login"] for row in rows}

    before = names()
    classroom.hand_in("aaron.zip", points=10)
    classroom.grade("--roster", classroom.roster(ROSTER + "aaron,Aaron A,,,,\n"))
    after = names()
    assert before.items() <= after.items() and len(after) == 4
    sqlite3.connect(classroom.book, isolation_level=None).execute("DELETE FROM secret")
    assert not set(before.values()) & set(names().values()), "another key, other names"


def test_what_needs_names_is_not_exported_without_them(classroom, capsys):
    for form in ("canvas", "moodle", "gradescope"):
        assert classroom.run("export", "--to", form, "--stage", 1, "--anonymous") == 2
        assert "needs names" in capsys.readouterr().err


def test_the_export_as_json_says_what_judged_each_grade(classroom, capsys):
    told = json.loads(exported(classroom, capsys, "--to", "json"))
    bob = next(s for s in told["students"] if s["login"] == "bob")
    assert bob["stages"]["01_cpu_conv"]["judged_by"] == [
        {"kit": "0", "device": "cpu", "sandbox": "none"}
    ]


def files_with(folder, words):
    return [
        (file.relative_to(folder), word)
        for file in folder.rglob("*")
        if file.is_file() and "handed in" not in file.parts
        for word in words
        if word.encode() in file.read_bytes() or word in str(file.relative_to(folder))
    ]


def test_a_student_who_is_forgotten_leaves_nothing(classroom, capsys):
    room = classroom
    pages = room.folder / "pages"
    room.run("report", "--out", pages)
    room.run("similar", "--out", room.folder / "similar.html")
    room.run("export", "--out", room.folder / "grades.csv")
    (room.folder / "course.db.files/submissions/1.part").mkdir()
    (room.folder / "roster.csv").unlink()  # the instructor's own
    (room.folder / "calls").unlink()  # the stand-in's
    assert {word for _, word in files_with(room.folder, NAMES + TEXTS)} >= {*NAMES, TEXTS[0]}
    capsys.readouterr()
    assert room.run("forget", "anneliese") == 0
    out = capsys.readouterr().out
    assert f"Deleted {pages / 'index.html'}; `class report` writes it anew." in out
    assert f"Deleted {pages / 'students/anneliese.html'}." in out
    assert f"{room.folder / 'grades.csv'} may still name anneliese" in out
    (room.folder / "grades.csv").unlink()
    assert files_with(room.folder, NAMES + TEXTS) == []
    assert sorted(p.name for p in (pages / "students").iterdir()) == ["bob.html", "eve.html"]
    assert len(list((room.folder / "course.db.files/submissions").iterdir())) == 2
    book = Book(room.book)
    assert {s.login for s in book.students()} == {"bob", "eve"} and book.repeats() == []


def test_what_another_program_still_reads_is_said(classroom, capsys):
    reader = sqlite3.connect(classroom.book, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM student").fetchall()
    assert classroom.run("forget", "anneliese") == 2
    assert "another program reads" in capsys.readouterr().err
    reader.close()
    assert classroom.run("show") == 0
    rest = files_with(classroom.folder, ("anneliese",))
    assert {str(file) for file, _ in rest} <= {"roster.csv", "calls"}


def test_work_of_a_team_is_not_deleted_for_the_others_unasked(room, capsys):
    roster = room.roster("login,name,team\nann,Ann A,red\nbob,Bob B,red\n")
    room.hand_in("ann.zip", points=40)
    room.grade("--roster", roster)
    assert room.run("forget", "ann") == 2
    assert "counts for bob of team red, too" in capsys.readouterr().err
    assert room.run("forget", "bob") == 0, "who has handed in nothing takes nothing away"
    assert "40" in exported(room, capsys)
