# SPDX-License-Identifier: MIT
"""A file that a command line names for output: a slip there must not cost a user a file."""

import shutil

import pytest
from driver import FALLS_SHORT, PASSED, ROOT, USED_WRONGLY

SOURCE = "int main() { return 0; }\n"
REFUSED = [
    ("a JSON file", ["check", 1, "--json"]),
    ("a JSON file", ["bench", 1, "--json"]),
    ("a JSON file", ["predict", "model.npz", "photo.png", "--json"]),
    ("an SVG picture", ["bench", 3, "--sweep", "--svg"]),
    ("a ZIP archive", ["submit", 1, "--out"]),
    ("a .tar.gz archive", ["pack", "students", "--out"]),
]


@pytest.mark.parametrize("kind, command", REFUSED, ids=lambda value: str(value[0]))
def test_a_file_of_another_kind_stays(convkit, tmp_path, kind, command):
    convkit.run("start", command[1])
    file = tmp_path / "conv2d.cpp"
    file.write_text(SOURCE)
    ran = convkit.run(*command, file)
    assert (ran.code, ran.out) == (USED_WRONGLY, "")
    assert ran.err == f"{file} exists and is not {kind}, so it is not overwritten.\n"
    assert file.read_text() == SOURCE


@pytest.mark.parametrize("option", ["--json", "--gradescope"])
def test_a_submission_is_not_replaced_by_its_result(convkit, solved, tmp_path, option):
    archive = tmp_path / "ada.zip"
    shutil.make_archive(str(archive.with_suffix("")), "zip", solved)
    before = archive.read_bytes()
    ran = convkit.run("grade", archive, option, archive)
    assert ran.code == USED_WRONGLY
    assert ran.err == f"{archive} exists and is not a JSON file, so it is not overwritten.\n"
    assert archive.read_bytes() == before


def test_an_earlier_file_of_the_same_kind_is_replaced(convkit, tmp_path):
    convkit.run("start", 1)
    result, archive = tmp_path / "result.json", tmp_path / "work.zip"
    for _ in range(2):
        assert convkit.run("check", 1, "--json", result).code == FALLS_SHORT
        assert convkit.run("submit", 1, "--no-check", "--out", archive).code == PASSED
    assert result.read_text().startswith("{") and archive.read_bytes().startswith(b"PK")


@pytest.mark.parametrize("command", [["check", 1, "--json"], ["submit", 1, "--out"]])
def test_a_folder_that_is_not_there_is_a_wrong_use(convkit, tmp_path, command):
    convkit.run("start", 1)
    ran = convkit.run(*command, tmp_path / "nope" / "file")
    assert ran.code == USED_WRONGLY
    assert ran.err.count("\n") == 1 and "nope/file' cannot be written: No such file" in ran.err


def test_a_compiled_program_does_not_replace_its_source(convkit, tmp_path):
    source = tmp_path / "program.cu"
    shutil.copy(ROOT / "cpu_device/tests/conformance/programs/language_kernel_arguments.cu", source)
    before = source.read_text()
    ran = convkit.run("cc", source, "-o", tmp_path / "." / "program.cu")
    assert (ran.code, ran.err) == (USED_WRONGLY, f"-o {source} is an input file, too.\n")
    assert source.read_text() == before
