# SPDX-License-Identifier: MIT
"""What counts: attempts, lateness, both devices, points by hand, teams; and the exports."""

import csv
import io
import json

import pytest


def exported(room, capsys, *words):
    capsys.readouterr()
    assert room.run("export", *words) == 0
    return capsys.readouterr().out


def points(room, capsys):
    rows = csv.DictReader(io.StringIO(exported(room, capsys, "--stage", "1")))
    return {row["login"]: float(row["01_cpu_conv"]) for row in rows}


def test_the_best_attempt_counts_or_the_last(room, capsys):
    for number, earned in enumerate((30, 70, 50)):
        room.hand_in("ann.zip", f"2026-10-0{number + 1}T12:00:00+00:00", points=earned)
        room.grade()
    assert points(room, capsys) == {"ann": 70}
    room.course('[grading]\nattempt = "last"\n')
    assert points(room, capsys) == {"ann": 50}


def test_late_points_are_fewer_and_an_extension_moves_the_deadline(room, capsys):
    room.course(
        "[grading]\nlate_percent_per_day = 10\nlate_days = 3\ngrace_minutes = 15\n"
        '[deadlines]\n"01_cpu_conv" = 2026-10-15T12:00:00+02:00\n'
    )
    room.hand_in("ann.zip", "2026-10-15T10:14:00+00:00", points=80, n=1)  # within the grace
    room.hand_in("bob.zip", "2026-10-15T10:16:00+00:00", points=80, n=2)
    room.hand_in("eve.zip", "2026-10-17T10:16:00+00:00", points=80, n=3)
    room.hand_in("max.zip", "2026-10-18T11:16:00+00:00", points=80, n=4)
    room.grade()
    assert points(room, capsys) == {"ann": 80, "bob": 72, "eve": 56, "max": 0}
    room.run("extend", "max", 1, "2026-10-18T10:00+00:00", "--reason", "ill")
    assert points(room, capsys)["max"] == 72


def test_points_by_hand_need_a_reason_and_survive_a_regrade(room, capsys):
    room.hand_in("ann.zip", points=50)
    room.grade()
    with pytest.raises(SystemExit):
        room.run("points", "ann", 1, 5)
    assert room.run("points", "ann", 1, 5, "--reason", "explained it well") == 0
    room.grade("--regrade-all")
    assert points(room, capsys) == {"ann": 55}
    room.run("show", "ann")
    assert "explained it well" in capsys.readouterr().out
    assert room.run("points", "nobody", 1, 5, "--reason", "x") == 2


def test_two_devices_make_one_grade(room, capsys):
    """Correctness from the GPU where it judged: what fails there is wrong. Speed from it, too."""
    room.hand_in("ann.zip", points=80, untimed=True)
    room.hand_in("bob.zip", points=80, gpu_points=0, untimed=True)
    room.grade("--no-speed")
    assert points(room, capsys) == {"ann": 80, "bob": 80}
    room.grade("--device", "gpu")
    assert points(room, capsys) == {"ann": 100, "bob": 20}
    room.run("show", "ann")
    assert "on gpu: 100 of 100" in capsys.readouterr().out


def test_a_team_shares_what_one_hands_in(room, capsys):
    roster = room.roster("login,name,team\nann,Ann A,red\nbob,Bob B,red\neve,Eve E,\n")
    room.hand_in("ann.zip", points=40)
    room.grade("--roster", roster)
    assert points(room, capsys) == {"ann": 40, "bob": 40, "eve": 0}


def test_an_unmatched_submission_is_listed_until_somebody_says_whose_it_is(room, capsys):
    roster = room.roster("login,name\nann,Ann A\n")
    room.hand_in("stranger.zip", points=40)
    room.grade("--roster", roster)
    assert "UNMATCHED  stranger (stranger.zip)" in capsys.readouterr().out
    assert points(room, capsys) == {"ann": 0}
    assert room.run("match", "stranger", "ann") == 0
    assert points(room, capsys) == {"ann": 40}
    assert room.run("match", "stranger", "ann") == 2


def test_a_bad_course_file_is_refused_with_its_key(room, capsys):
    room.hand_in("ann.zip")
    room.grade()
    for text, said in (
        ("[grading]\nattempts = 3\n", "no key `attempts`"),
        ('[grading]\nattempt = "first"\n', '"best" or "last"'),
        ("[grading]\nlate_days = -1\n", "at least 0"),
        ('[deadlines]\n"01_cpu_conv" = 2026-10-15\n', "with its zone"),
        ('[deadlines]\n"99_x" = 2026-10-15T00:00:00Z\n', "no such stage"),
        ("[grading\n", "not TOML"),
    ):
        room.course(text)
        assert room.run("show") == 2
        assert said in capsys.readouterr().err


def test_exports_have_the_columns_that_each_system_reads(room, capsys):
    roster = room.roster("login,name,email,lms_id\nann,Ann Marie Bell,a@b.c,17\n")
    room.hand_in("ann.zip", points=40)
    room.grade("--roster", roster)
    canvas = exported(room, capsys, "--to", "canvas").splitlines()
    assert canvas[0] == "Student,ID,SIS User ID,SIS Login ID,Section,01_cpu_conv"
    assert canvas[2] == '"Bell, Ann Marie",17,,ann,,40'
    moodle = exported(room, capsys, "--to", "moodle", "--stage", "1").splitlines()
    assert moodle[1].startswith("Participant 17,Ann Marie Bell,a@b.c,40.00,100.00,")
    told = json.loads(exported(room, capsys, "--to", "json"))
    assert told["students"][0]["stages"]["01_cpu_conv"]["attempt"] == 1
    assert room.run("export", "--to", "moodle", "--out", room.folder / "m.csv") == 0


def test_a_name_is_no_formula_in_a_spreadsheet(room, capsys):
    room.hand_in("=cmd().zip", points=40)
    room.grade()
    assert exported(room, capsys).splitlines()[1].startswith("'=cmd(),")


def test_the_most_frequent_mistakes_of_a_class_are_counted(room, capsys):
    for name in ("ann", "bob", "eve"):
        room.hand_in(f"{name}.zip", points=0, mistake="flipped_kernel" if name != "eve" else "halo")
    room.grade()
    capsys.readouterr()
    room.run("stats")
    out = capsys.readouterr().out
    assert "3 of 3 handed in" in out and "2  f: flipped_kernel" in out


def test_a_leaderboard_has_those_who_asked_for_a_nickname(room, capsys):
    room.hand_in("ann.zip", untimed=True, ratio=3)
    room.hand_in("bob.zip", untimed=True, ratio=5)
    room.hand_in("eve.zip", untimed=True, ratio=9)
    room.grade()
    room.run("nickname", "ann", "tiger")
    room.run("nickname", "bob", "owl")
    capsys.readouterr()
    room.run("leaderboard", 1)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines[1:]] == ["owl", "tiger"]
    assert "eve" not in "".join(lines)
