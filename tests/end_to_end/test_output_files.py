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
    shutil.copy(ROOT / "cpu_device/tests/conformance/programs/language_namespaces.cu", source)
    before = source.read_text()
    ran = convkit.run("cc", source, "-o", tmp_path / "." / "program.cu")
    assert (ran.code, ran.err) == (USED_WRONGLY, f"-o {source} is an input file, too.\n")
    assert source.read_text() == before


GRADESCOPE = '{"score": 1, "output": "", "tests": []}'
RESULT = '{"schema": "convkit-result-1", "points": 1}'


@pytest.mark.parametrize(
    "option, kind, others",
    [
        ("--json", "a result of the kit", ['{"name": "a package"}', GRADESCOPE, "{", "{}"]),
        ("--gradescope", "a result for Gradescope", ['{"name": "a package"}', RESULT, "{"]),
    ],
)
def test_a_json_file_that_is_no_result_stays(convkit, solved, tmp_path, option, kind, others):
    file = tmp_path / "package.json"
    for text in others:
        file.write_text(text)
        ran = convkit.run("grade", solved, option, file)
        assert (ran.code, ran.out) == (USED_WRONGLY, "")
        assert ran.err == f"{file} exists and is not {kind}, so it is not overwritten.\n"
        assert file.read_text() == text


@pytest.mark.parametrize("option", [["--gradescope"], ["--format", "junit", "--out"]])
def test_one_file_is_not_both_results(convkit, solved, tmp_path, option):
    file = tmp_path / "result.json"
    (tmp_path / "link").symlink_to(tmp_path)
    for other in (file, tmp_path / "." / "result.json", tmp_path / "link" / "result.json"):
        ran = convkit.run("grade", solved, "--json", file, *option, other)
        assert (ran.code, ran.out) == (USED_WRONGLY, "")
        assert ran.err == f"--json and {option[-1]} both name {file}.\n"
        assert not file.exists()


@pytest.mark.parametrize("option", ["--nonce", "--json", "--gradescope"])
def test_an_empty_variable_of_the_shell_is_no_value_of_grade(convkit, solved, option):
    ran = convkit.run("grade", solved, option, "")
    assert (ran.code, ran.out) == (USED_WRONGLY, "")
    assert f"{option}: an empty text is no value." in ran.err


def test_a_nonce_is_hexadecimal_of_either_case_and_no_folder(convkit, solved):
    ran = convkit.grade(solved, "--nonce", "0123456789ABCDEF" * 4)
    assert (ran.code, ran.result["nonce"]) == (PASSED, "0123456789abcdef" * 4)
    ran = convkit.run("grade", solved, "--nonce", convkit.home)
    assert (ran.code, ran.out) == (USED_WRONGLY, "")
    assert ran.err.endswith(f"{convkit.home} is a folder.\n")


@pytest.mark.parametrize("letter", ["a", "\u00e9"])
def test_a_name_of_250_bytes_is_graded(convkit, solved, tmp_path, letter):
    folder = tmp_path / (letter * (250 // len(letter.encode())))
    shutil.copytree(solved, folder)
    ran = convkit.run("grade", folder, "--no-speed")
    assert ran.code == PASSED, ran.err
    (result,) = (convkit.work / "results").iterdir()
    assert result.name.startswith(letter * 80) and result.name.endswith(".json")


def test_control_characters_in_a_name_reach_no_terminal(convkit, solved, tmp_path):
    folder = tmp_path / "a\x1b[2Jb\nc\x07"
    shutil.copytree(solved, folder)
    ran = convkit.run("grade", folder, "--no-speed")
    assert ran.code == PASSED, ran.err
    assert ran.out.startswith("Submission a\ufffd[2Jb c\ufffd on ")
    for text in (ran.out, ran.err, convkit.run("grade", f"{folder}/no").err):
        assert "\x1b" not in text and "\x07" not in text
