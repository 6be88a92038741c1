# SPDX-License-Identifier: MIT
"""generate.py as a command."""

import subprocess
import sys
from pathlib import Path

import pytest

from convkit_reference import cli

GENERATE = Path(__file__).resolve().parents[1] / "generate.py"


def _run(*arguments, **options):
    return subprocess.run(
        [sys.executable, str(GENERATE), *map(str, arguments)],
        capture_output=True, text=True, check=False, **options,
    )  # fmt: skip


def test_help_has_examples_and_exit_codes():
    text = _run("--help").stdout
    assert "examples:" in text and "exit codes:" in text


def test_it_works_from_any_folder(tmp_path, write_spec):
    done = _run("--spec", write_spec(), "--out", tmp_path / "set", cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.startswith(f"{tmp_path / 'set'}: 1 visible cases")


@pytest.mark.parametrize("stage", ["1", "01", "01_cpu_conv"])
def test_a_stage_goes_by_number_or_name(stage):
    done = _run("--stage", stage, "--list")
    assert done.returncode == 0 and "one_channel_3x3" in done.stdout


def test_list_makes_nothing_and_shows_hidden_cases_only_with_a_secret(capsys):
    assert cli.main(["--stage", "1", "--list"]) == 0
    visible = capsys.readouterr().out
    assert cli.main(["--stage", "1", "--list", "--seed", "x"]) == 0
    assert "fast_large" not in visible and "fast_large" in capsys.readouterr().out


def test_an_unknown_stage_is_named_with_those_that_exist(capsys):
    assert cli.main(["--stage", "9"]) == 2
    message = capsys.readouterr().err
    assert 'there is no spec for stage "9"; there are: 01_cpu_conv' in message


@pytest.mark.parametrize("arguments", [["--colour"], ["--stage", "1", "--spec", "x"]])
def test_a_wrong_command_exits_with_2(arguments):
    assert _run(*arguments).returncode == 2


def test_a_folder_that_cannot_be_written_is_named(tmp_path, write_spec, capsys):
    (tmp_path / "file").write_text("")
    out = tmp_path / "file" / "set"
    assert cli.main(["--spec", str(write_spec()), "--out", str(out)]) == 3
    message = capsys.readouterr().err
    assert message == f"generate.py: {out}: Not a directory.\n"


def test_a_missing_numpy_is_one_sentence(tmp_path):
    (tmp_path / "numpy.py").write_text("raise ImportError")
    done = _run("--list", env={"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 3
    assert done.stderr.startswith("generate.py needs NumPy 1.21 or newer: apt install")


def test_an_old_numpy_is_one_sentence(tmp_path):
    (tmp_path / "numpy.py").write_text('__version__ = "1.19.5"')
    done = _run("--list", env={"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 3
    assert done.stderr == "generate.py needs NumPy 1.21 or newer; this is NumPy 1.19.5.\n"


def test_the_sweep_of_random_shapes_is_a_sound_spec(capsys):
    sweep = GENERATE.parent / "specs" / "sweeps" / "01_random_conv.toml"
    assert cli.main(["--spec", str(sweep), "--list"]) == 0
    assert capsys.readouterr().out.count("\n") == 200
