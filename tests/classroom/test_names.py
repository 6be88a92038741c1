# SPDX-License-Identifier: MIT
"""Whose submission it is, from the names that systems for courses give to files and folders."""

import zipfile

import pytest
from convkit_class.book import Student
from convkit_class.download import opened
from convkit_class.errors import UsageError
from convkit_class.names import find_submissions
from convkit_class.roster import Roster, read_roster

CLASS = [
    Student("jdoe", "Jane Doe", "jane.doe@uni.edu", "4711", "janecodes", listed=1),
    Student("ogarcia", "Óscar García López", "oscar@uni.edu", "4712", "og", listed=1),
    Student("li", "Li Wei", "li@uni.edu", "4713", "wei-li", listed=1),
]


@pytest.fixture
def folder(tmp_path):
    return tmp_path


def put(folder, *names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)


def owners(folder, students=CLASS):
    found = find_submissions(folder, Roster(list(students)))
    return {one.source: one.login for one in found}


def test_canvas_names_are_matched_by_number_or_by_name(folder):
    put(
        folder,
        "doejane_4711_90001_conv.zip",
        "garcialopezoscar_LATE_99_90002_stage-1-2.zip",
        "nobodyelse_5_90003_a.zip",
    )
    assert owners(folder) == {
        "doejane_4711_90001_conv.zip": "jdoe",
        "garcialopezoscar_LATE_99_90002_stage-1-2.zip": "ogarcia",
        "nobodyelse_5_90003_a.zip": None,
    }


def test_several_files_of_one_person_at_canvas_are_one_submission(folder):
    put(folder, "doejane_4711_1_conv2d.cpp", "doejane_4711_2_pooling.cpp", "liwei_4713_3_all.zip")
    jane, li = find_submissions(folder, Roster(CLASS))
    assert [name for name, _ in jane.parts] == ["conv2d.cpp", "pooling.cpp"]
    assert (jane.login, li.login) == ("jdoe", "li")


def test_moodle_folders_hold_what_was_handed_in_and_online_text_is_not_code(folder):
    put(
        folder,
        "Jane Doe_31_assignsubmission_file_/conv.zip",
        "Óscar García López_32_assignsubmission_file_/01/conv2d.cpp",
        "Óscar García López_32_assignsubmission_file_/01/dense.cpp",
        "Li Wei_33_assignsubmission_file_lab.tar.gz",
        "Li Wei_33_assignsubmission_onlinetext_/onlinetext.html",
    )
    found = {one.login: one for one in find_submissions(folder, Roster(CLASS))}
    assert {login: [n for n, _ in one.parts] for login, one in found.items()} == {
        "jdoe": ["conv.zip"],
        "ogarcia": ["01"],
        "li": ["lab.tar.gz"],
    }


def test_an_export_of_gradescope_names_people_and_times(folder):
    put(folder, "submission_1/conv2d.cpp", "submission_2/conv2d.cpp")
    (folder / "submission_metadata.yml").write_text(
        """---
submission_1:
  :submitters:
  - :name: Jane Doe
    :sid: '1'
    :email: jane.doe@uni.edu
  - :name: Li Wei
    :sid: li
    :email:
  :created_at: 2026-03-05 18:22:11.123456000 -05:00
  :score: 9.0
  :history:
  - :id: 7
    :submitters:
    - :name: Somebody Else
    :created_at: 2020-01-01 00:00:00 Z
submission_2:
  :submitters:
  - :name: Not Known
    :email: x@y.z
  :created_at: 2026-03-06 00:00:00 Z
"""
    )
    found = find_submissions(folder, Roster(CLASS))
    assert [(one.login, one.source, one.handed_in) for one in found] == [
        ("jdoe", "submission_1", "2026-03-05T23:22:11Z"),
        ("li", "submission_1", "2026-03-05T23:22:11Z"),
        (None, "submission_2", "2026-03-06T00:00:00Z"),
    ]


def test_repositories_of_github_classroom_end_with_the_user(folder):
    put(
        folder,
        "lab-1-janecodes/.git/HEAD",
        "lab-1-janecodes/conv2d.cpp",
        "lab-1-wei-li/.git/HEAD",
        "lab-1-wei-li/conv2d.cpp",
        "lab-1-x/.git/HEAD",
    )
    assert owners(folder) == {
        "lab-1-janecodes": "jdoe",
        "lab-1-wei-li": "li",
        "lab-1-x": None,
    }
    assert set(owners(folder, []).values()) == {"janecodes", "wei-li", "x"}


def test_a_plain_name_is_a_login_also_before_a_separator(folder):
    put(
        folder,
        "jdoe.tar.gz",
        "li-second_try.zip",
        "Óscar García López.zip",
        "jdoer.zip",
        ".DS_Store",
    )
    put(folder, "__MACOSX/x")
    assert owners(folder) == {
        "jdoe.tar.gz": "jdoe",
        "li-second_try.zip": "li",
        "Óscar García López.zip": "ogarcia",
        "jdoer.zip": None,
    }


def test_without_a_roster_every_name_is_a_student_of_its_own(folder):
    names = ["anna.jones.zip", "anna.smith.zip", "bo.tar.gz", "c.v2.tar.xz", "d.txz", "a f.b/x"]
    put(folder, *names)
    found = {one.login for one in find_submissions(folder, Roster([]))}
    assert found == {"anna.jones", "anna.smith", "bo", "c.v2", "d", "a f.b"}


def test_the_zip_of_a_download_is_opened_and_files_keep_their_times(folder):
    with zipfile.ZipFile(folder / "all.zip", "w") as packed:
        entry = zipfile.ZipInfo("lab/doejane_4711_1_a.zip", (2026, 10, 15, 12, 0, 0))
        packed.writestr(entry, "x")
        packed.writestr("lab/liwei_4713_2_b.zip", "y")
    with opened(folder / "all.zip") as unpacked:
        jane, li = find_submissions(unpacked, Roster(CLASS))
        assert (jane.login, li.login) == ("jdoe", "li")
        assert jane.handed_in.startswith("2026-10-15T")
    assert not unpacked.exists()


def test_a_download_that_leads_out_of_its_folder_is_refused(folder):
    with zipfile.ZipFile(folder / "all.zip", "w") as packed:
        packed.writestr("../evil.zip", "x")
    with pytest.raises(UsageError, match="a path out of its folder"), opened(folder / "all.zip"):
        pass
    (folder / "no.zip").write_text("not a zip")
    with pytest.raises(UsageError, match="cannot be unpacked"), opened(folder / "no.zip"):
        pass


def test_two_people_of_one_name_are_not_guessed_apart(folder):
    put(folder, "doejane_9_1_a.zip")
    twice = [*CLASS, Student("jdoe2", "Jane Doe", listed=1)]
    assert owners(folder, twice) == {"doejane_9_1_a.zip": None}


def test_the_same_content_has_the_same_digest_and_git_does_not_count(folder):
    put(folder, "a/jdoe/conv.cpp", "b/jdoe/conv.cpp", "b/jdoe/.git/HEAD")
    (folder / "b/jdoe/conv.cpp").write_text("a/jdoe/conv.cpp")
    one, other = (find_submissions(folder / f, Roster(CLASS))[0].sha256() for f in "ab")
    assert one == other
    put(folder, "a/jdoe/more.cpp")
    assert find_submissions(folder / "a", Roster(CLASS))[0].sha256() != one


def test_an_empty_folder_and_a_missing_one_are_said(folder):
    with pytest.raises(UsageError, match="holds no submissions"):
        find_submissions(folder, Roster([]))
    with pytest.raises(UsageError, match="There is no folder"):
        find_submissions(folder / "x", Roster([]))


@pytest.mark.parametrize(
    "text",
    [
        "login,name,email\njdoe,Jane Doe,jane@uni.edu\n",
        "\ufeffFirst name;Last name;Email address\nJane;Doe;jdoe@uni.edu\n",
        "Student,ID,SIS Login ID\nJane Doe,4711,jdoe\n",
    ],
)
def test_rosters_have_the_columns_of_several_systems(folder, text):
    (folder / "r.csv").write_text(text)
    (student,) = read_roster(folder / "r.csv")
    assert (student.login, student.name, student.listed) == ("jdoe", "Jane Doe", 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("login\na\na\n", "twice"),
        ("name\nJane\n", "no login"),
        ("login\n", "names no students"),
    ],
)
def test_a_bad_roster_is_refused_with_its_line(folder, text, said):
    (folder / "r.csv").write_text(text)
    with pytest.raises(UsageError, match=said):
        read_roster(folder / "r.csv")


def test_numbers_of_a_download_are_learned_for_the_import(room, capsys):
    """Moodle's for Moodle and Canvas's for Canvas: one in place of the other is another person."""
    roster = room.roster("login,name\nann,Ann Bell\nbob,Bob Coe\n")
    room.hand_in("Ann Bell_31_assignsubmission_file_/work.zip", n=1)
    room.hand_in("coebob_4711_90001_work.zip", n=2)
    room.grade("--roster", roster)
    capsys.readouterr()
    room.run("export", "--to", "moodle", "--stage", 1)
    assert "Participant 31,Ann Bell" in capsys.readouterr().out
    room.run("export", "--to", "canvas")
    rows = capsys.readouterr().out.splitlines()
    assert rows[2].startswith('"Bell, Ann",,,ann,') and rows[3].startswith('"Coe, Bob",4711,,bob,')
