# SPDX-License-Identifier: MIT
"""A new stage: the generator and its tests need nothing but its folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STAGE = "91_new_stage"
FILES = {
    "stage.toml": '[[group]]\nname = "all"\n',
    "cases.toml": f"""stage = "{STAGE}"
[defaults.double]
task = "91.1"
group = "all"
[defaults.relu_forward]
task = "91.2"
group = "all"
[[case]]
name = "seven"
op = "double"
summary = "Seven numbers"
params = {{ size = 7 }}
[[case]]
name = "relu"
op = "relu_forward"
summary = "Nine numbers"
params = {{ size = 9 }}
""",
    "reference/ops.py": """from convkit_reference.ops import shared
from convkit_reference.ops.op import Op, size

from .doubling import double

OPS = (
    *shared("relu_forward"),
    Op(
        "double",
        {"size": size()},
        inputs=lambda p: {"x": (p["size"],)},
        outputs=lambda p: {"y": (p["size"],)},
        compute=lambda p, t: {"y": double(t["x"])},
        distributions={"x": "uniform(-1, 1)"},
    ),
)
""",
    "reference/doubling.py": """import numpy as np
from convkit_reference.ops.op import Output


def double(x):
    return Output(2 * x.astype(np.float64))
""",
    "reference/proofs.py": """import numpy as np
from proof import EACH, Proof

PROOFS = {"double": Proof(lambda p, t: np.array([2 * float(x) for x in t["x"]]), EACH)}
""",
}


@pytest.fixture(scope="module")
def kit(tmp_path_factory):
    """The generator with its tests, and this stage only, its visible cases made."""
    kit = tmp_path_factory.mktemp("kit")
    shutil.copy(ROOT / "VERSION", kit)
    shutil.copytree(
        ROOT / "reference_data",
        kit / "reference_data",
        ignore=shutil.ignore_patterns(
            "visible", "hidden", "weights", "__pycache__", "test_new_stage.py"
        ),
    )
    for name, text in FILES.items():
        file = kit / "assignments" / STAGE / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    made = _run(kit, "reference_data/generate.py")
    assert made.returncode == 0, made.stderr
    return kit


def _run(kit, *arguments):
    return subprocess.run(
        [sys.executable, "-B", *arguments],
        cwd=kit,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )


def _tests(kit):
    select = "double or committed_set or test_modules"
    tests = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "reference_data/tests", "-k", select)
    return _run(kit, *tests)


def test_its_cases_are_made_and_reproduced(kit):
    assert _run(kit, "reference_data/generate.py", "--stage", "91", "--check").returncode == 0


def test_the_generators_tests_pass_without_an_edit(kit):
    ran = _tests(kit)
    assert ran.returncode == 0, ran.stdout
    assert "failed" not in ran.stdout and "error" not in ran.stdout


def test_a_proof_that_is_missing_is_one_sentence(kit):
    proofs = kit / "assignments" / STAGE / "reference" / "proofs.py"
    text = proofs.read_text()
    try:
        proofs.write_text("PROOFS = {}\n")
        ran = _tests(kit)
    finally:
        proofs.write_text(text)
    assert ran.returncode == 1
    assert f'{proofs}: PROOFS has no "double"; add a Proof for it' in ran.stdout
    assert "KeyError" not in ran.stdout
