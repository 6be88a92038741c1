# SPDX-License-Identifier: MIT
"""generate.py as a command."""

import subprocess
import sys
from pathlib import Path

import pytest

from convkit_reference import cli
from convkit_reference.stages import SPEC, stage_folders
from convkit_reference.toml_text import TomlText

GENERATE = Path(__file__).resolve().parents[1] / "generate.py"
FOLDER = stage_folders()[0]
STAGE, CASES = FOLDER.name, TomlText(FOLDER / SPEC).data["case"]


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


@pytest.mark.parametrize("stage", [STAGE[:2].lstrip("0"), STAGE[:2], STAGE])
def test_a_stage_is_named_by_its_number_or_name(stage):
    done = _run("--stage", stage, "--list")
    assert done.returncode == 0 and CASES[0]["name"] in done.stdout


def test_list_writes_nothing_and_shows_hidden_cases_only_with_a_secret(capsys):
    hidden = next(case["name"] for case in CASES if not case.get("visible", True))
    assert cli.main(["--stage", STAGE, "--list"]) == 0
    visible = capsys.readouterr().out
    assert cli.main(["--stage", STAGE, "--list", "--seed", "x"]) == 0
    assert hidden not in visible and hidden in capsys.readouterr().out


@pytest.mark.parametrize("secret", ["", "  ", "\n"])
def test_an_empty_secret_makes_no_set(secret, capsys, tmp_path):
    file = tmp_path / "secret"
    file.write_text(secret)
    for option in (["--seed", secret], ["--seed-file", str(file)]):
        assert cli.main(["--stage", STAGE, "--out", str(tmp_path / "out"), *option]) == 2
        assert f"{option[0]} is empty; give any word or number" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_secret_from_a_file_is_its_one_line(capsys, tmp_path):
    file = tmp_path / "secret"
    wanted = None
    for text in ("x", "x\n", "x\r\n"):
        file.write_bytes(text.encode())
        assert cli.main(["--stage", STAGE, "--list", "--seed-file", str(file)]) == 0
        out = capsys.readouterr().out
        assert wanted in (None, out)
        wanted = out
    assert cli.main(["--stage", STAGE, "--list", "--seed", "x"]) == 0
    assert capsys.readouterr().out == wanted
    file.write_bytes(b"x\ny\n")
    assert cli.main(["--stage", STAGE, "--list", "--seed-file", str(file)]) == 2
    assert "must hold one line, the secret" in capsys.readouterr().err
    file.write_bytes(b"\xff\n")
    assert cli.main(["--stage", STAGE, "--list", "--seed-file", str(file)]) == 2
    assert "is not UTF-8" in capsys.readouterr().err
    assert cli.main(["--stage", STAGE, "--list", "--seed-file", str(tmp_path / "none")]) == 2
    assert f"{tmp_path / 'none'} cannot be read" in capsys.readouterr().err


def test_an_unknown_stage_is_named_with_those_that_exist(capsys):
    assert cli.main(["--stage", "99"]) == 2
    message = capsys.readouterr().err
    assert f'there is no cases.toml for stage "99"; there are: {STAGE}' in message


def test_the_message_says_where_missing_operations_belong(write_spec, capsys):
    spec = write_spec()
    (spec.parent / "reference" / "ops.py").unlink()
    assert cli.main(["--spec", str(spec), "--list"]) == 2
    message = capsys.readouterr().err
    assert "assignments/90_sample/reference/ops.py is missing; docs/references.md says" in message


@pytest.mark.parametrize("text", ["", "OPS = []", "OPS = (1,)"])
def test_operations_that_are_not_declared_are_named(text, write_spec, capsys):
    spec = write_spec()
    (spec.parent / "reference" / "ops.py").write_text(text)
    assert cli.main(["--spec", str(spec), "--list"]) == 2
    assert "reference/ops.py: OPS is missing or not a tuple of Op" in capsys.readouterr().err


def test_an_operation_that_the_library_lacks_is_named(write_spec, capsys):
    spec = write_spec()
    (spec.parent / "reference" / "ops.py").write_text(
        'from convkit_reference.ops import shared\nOPS = shared("conv9d")\n'
    )
    assert cli.main(["--spec", str(spec), "--list"]) == 2
    assert 'The library has no operation "conv9d"; there are: conv2d_' in capsys.readouterr().err


_OPERATION = """import numpy as np
from convkit_reference.ops.op import Op, Output, Param

SIZES = {name: Param() for name in ("h", "w", "kh", "kw")}

def compute(p, t):
    y = np.zeros((p["h"], p["w"]))
    return {"y": Output(y)}

OPS = (
    Op("conv2d_forward", SIZES, lambda p: {}, lambda p: {"y": (p["h"], p["w"])}, compute),
)
"""


def _written(write_spec, old, new):
    """A spec of which the stage's Python has `new` in place of `old`, and that Python's file."""
    spec = write_spec()
    ops = spec.parent / "reference" / "ops.py"
    assert old in _OPERATION
    ops.write_text(_OPERATION.replace(old, new))
    return spec, ops


@pytest.mark.parametrize(
    ("old", "new", "line", "sentence"),
    [
        ("compute(p, t):", "compute(p:", 6, "SyntaxError: "),
        ("y = np.zeros(", "y = zeros(", 7, "NameError: name 'zeros' is not defined."),
        ('"w"]))\n', '"w"]))[9]\n', 7, "IndexError: index 9 is out of bounds"),
        ("    y = np", "    assert t\n    y = np", 7, "AssertionError."),
        ("import numpy", "import no_such_module", 1, "ModuleNotFoundError: No module named"),
        ("y = np.zeros(", "y = np.reshape(3, ", 7, "ValueError: cannot reshape"),  # in NumPy
    ],
)
def test_an_error_in_a_stages_python_is_one_sentence(
    old, new, line, sentence, write_spec, tmp_path, capsys
):
    spec, ops = _written(write_spec, old, new)
    assert cli.main(["--spec", str(spec), "--out", str(tmp_path / "out")]) == 3
    message = capsys.readouterr().err
    assert message.startswith(f"generate.py: {ops}:{line}: {sentence}")
    assert message.count("\n") == 1 and message.endswith(".\n")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('{"y": Output', '{"z": Output', "z, but its outputs are y."),
        ('return {"y": Output(y)}', "return {}", "nothing, but its outputs are y."),
        ('{"y": (p["h"], p["w"])}', '{"y": (p["h"],)}', "y the shape (4, 5), but its outputs "),
        ("Output(y)", "Output(y, 1, y[0])", "the magnitude of y the shape (5,), but its outputs "),
        ("Output(y)", "Output(y, 1)", "the magnitude of y the shape (), but its outputs declare "),
    ],
)
def test_outputs_that_are_not_as_declared_are_refused(
    old, new, sentence, write_spec, tmp_path, capsys
):
    spec, _ = _written(write_spec, old, new)
    assert cli.main(["--spec", str(spec), "--out", str(tmp_path / "out")]) == 3
    where = f'generate.py: {spec}: case "small": compute of conv2d_forward gives {sentence}'
    assert capsys.readouterr().err.startswith(where)
    assert not (tmp_path / "out" / "cases.npz").exists()


@pytest.mark.parametrize("arguments", [["--colour"], ["--stage", STAGE, "--spec", "x"]])
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
