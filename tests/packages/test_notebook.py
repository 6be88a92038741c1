# SPDX-License-Identifier: MIT
"""docs/convkit.ipynb runs from top to bottom with the wheel, as it is and with work in its cell."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from packages import package  # isort: skip
from driver import ROOT

NOTEBOOK = ROOT / "docs/convkit.ipynb"
STARTER = ROOT / "starter/01_cpu_conv"
SOLUTION = ROOT / "solutions/01_cpu_conv"
# Prints what each cell printed, by its id.
EXECUTE = """
import json, sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
print(json.dumps({
    cell.id: "".join(output.get("text", "") for output in cell.outputs)
    for cell in notebook.cells if cell.cell_type == "code"
}))
"""


def cells() -> dict[str, str]:
    notebook = json.loads(NOTEBOOK.read_text())
    return {c["id"]: "".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"}


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> Path:
    """A Python that can execute notebooks, and into which the notebook may install."""
    package("wheel")
    folder = tmp_path_factory.mktemp("jupyter")
    made = subprocess.run([sys.executable, "-m", "venv", folder], capture_output=True)
    if made.returncode != 0:
        pytest.skip("this Python cannot make a virtual environment (python3-venv)")
    python = folder / "bin/python"
    pip = [python, "-m", "pip", "install", "-q", "nbclient", "ipykernel"]
    if subprocess.run(pip, capture_output=True).returncode != 0:
        pytest.skip("pip cannot install nbclient and ipykernel (is there a network?)")
    return python


def execute(python: Path, folder: Path, notebook: Path) -> dict[str, str]:
    folder.mkdir(exist_ok=True)
    ran = subprocess.run(
        [python, "-c", EXECUTE, notebook],
        cwd=folder,
        env={
            **{k: v for k, v in os.environ.items() if not k.startswith("CONVKIT_")},
            "PATH": f"{python.parent}:/usr/bin:/bin",
            "HOME": str(folder),
            "CONVKIT_WHEEL": str(package("wheel")),
        },
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


def test_the_cell_to_fill_in_is_the_starter():
    magic, text = cells()["write"].split("\n", 1)
    name = magic.split("/")[-1]
    assert magic == f"%%writefile work/01_cpu_conv/{name}"
    assert text.rstrip() == (STARTER / name).read_text().rstrip()


def test_the_notebook_has_no_outputs_of_somebody():
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        assert not cell.get("outputs") and cell.get("execution_count") is None


def test_the_notebook_runs_as_it_is(python, tmp_path):
    printed = execute(python, tmp_path / "her notebook", NOTEBOOK)
    assert "convkit " + (ROOT / "VERSION").read_text().strip() in printed["install"]
    assert "02_direct_conv" in printed["list"]
    assert "work/01_cpu_conv" in printed["start"]
    assert "NOT_STARTED" in printed["check"]
    assert re.search(r"\b0 of \d+ cases pass", printed["check"])
    assert "NOT_STARTED" in printed["gpu"]
    assert "A grader finds in it: 01_cpu_conv." in printed["submit"]


def test_work_in_the_cell_is_checked_and_timed(python, tmp_path):
    notebook = json.loads(NOTEBOOK.read_text())
    folder = tmp_path / "solved"
    (folder / "work/01_cpu_conv").mkdir(parents=True)
    for cell in notebook["cells"]:
        if cell["id"] == "write":
            magic, name = cell["source"][0], cell["source"][0].strip().split("/")[-1]
            cell["source"] = magic + (SOLUTION / name).read_text()
        if cell["id"] == "check":  # the other tasks
            copy = f"import shutil; shutil.copytree({str(SOLUTION)!r}, 'work/01_cpu_conv', "
            cell["source"] = copy + "dirs_exist_ok=True)\n!convkit check 1"
    shutil.rmtree(folder / "work")
    (tmp_path / "solved.ipynb").write_text(json.dumps(notebook))
    printed = execute(python, folder, tmp_path / "solved.ipynb")
    assert "Every visible case passes" in printed["check"]
    assert "yours" in printed["bench"] and "baseline" in printed["bench"]
    assert "PASS on the visible cases" in printed["submit"]
