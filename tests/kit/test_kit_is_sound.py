# SPDX-License-Identifier: MIT
"""`convkit verify` on the whole kit, the handouts' pictures drawn again, the solutions' rungs.

Speed points of the solutions are left out: a test must not depend on how busy the machine is.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
CONVKIT = os.environ.get("CONVKIT_BINARY", str(ROOT / "build/default/bin/convkit"))


def variants(wrong: Path) -> list[dict]:
    """The wrong variants of a stage: tables in files, and folders."""
    files = [tomllib.loads(file.read_text()) for file in sorted(wrong.glob("*.toml"))]
    tables = [table for file in files for table in file["variant"]]
    return tables + [tomllib.loads(file.read_text()) for file in wrong.glob("*/expect.toml")]


STAGES = sorted(file.parent.name for file in ROOT.glob("assignments/*/stage.toml"))
WRONG = {stage: variants(ROOT / "assignments" / stage / "wrong") for stage in STAGES}


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """Of compiled objects: stages share headers, and some share sources. In `./convkit test`
    end_to_end finds them there, too."""
    return os.environ.get("CONVKIT_TEST_CACHE") or tmp_path_factory.mktemp("cache")


@pytest.mark.parametrize("stage", STAGES)
def test_every_proof_of_verify_holds(stage, cache):
    verified = subprocess.run(
        [CONVKIT, "verify", "--no-speed", "--stage", stage],
        env=os.environ | {"CONVKIT_CACHE": str(cache)},
        cwd=ROOT,
        text=True,
        capture_output=True,
        timeout=1800,  # stops a hang; with sanitizers on a busy machine, verify takes ten minutes
    )
    lines = verified.stdout.splitlines()
    failed = [line for line in lines if line.startswith("FAIL")]
    assert not failed, "\n".join(failed)
    assert verified.returncode == 0, verified.stderr
    proved = [line for line in lines if " variant " in line]
    assert len(proved) == len(WRONG[stage])


def test_at_least_a_dozen_wrong_variants_are_named():
    """verify() proves that each is named as its table says."""
    assert sum("mistake" in variant for stage in STAGES for variant in WRONG[stage]) >= 12


@pytest.mark.parametrize(
    "folder", sorted(ROOT.glob("assignments/*/figures")), ids=lambda folder: folder.parent.name
)
def test_the_pictures_of_the_handout_are_what_is_drawn(folder):
    command = [sys.executable, ROOT / "docs/pictures/draw.py", "--check", folder]
    drawn = subprocess.run(command, text=True, capture_output=True)
    assert drawn.returncode == 0, drawn.stdout + drawn.stderr


# Each is a step of a ladder, short, and says what it changes. `verify` proves that it is right.
RUNGS = sorted((ROOT / "solutions").glob("*/ladder/*"))
MOST_LINES = 120


def named(rung: Path) -> bool:
    """In stage.toml, or by another rung that includes it."""
    stage = ROOT / "assignments" / rung.parts[-3] / "stage.toml"
    included = any(f'#include "../ladder/{rung.name}"' in other.read_text() for other in RUNGS)
    return f'rung = "ladder/{rung.name}"' in stage.read_text() or included


def test_every_stage_with_tuned_code_has_rungs_before_it():
    tuned = {folder.parent.name for folder in (ROOT / "solutions").glob("*/fast")}
    assert tuned == {rung.parts[-3] for rung in RUNGS}
    assert tuned


@pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: f"{rung.parts[-3]}/{rung.name}")
def test_a_rung_is_a_step_of_a_ladder_and_one_idea(rung):
    assert named(rung)
    lines = rung.read_text().splitlines()
    assert len(lines) <= MOST_LINES
    assert lines[1] == "// SOLUTION ONLY"
    assert re.match(r"// \S", lines[2]), "the comment at the top says what it changes"
