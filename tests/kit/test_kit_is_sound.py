# SPDX-License-Identifier: MIT
"""`convkit verify` on the whole kit, and the handouts' pictures drawn again.

Speed points of the solutions are left out: a test must not depend on how busy the machine is.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONVKIT = os.environ.get("CONVKIT_BINARY", str(ROOT / "build/default/bin/convkit"))


@pytest.fixture(scope="module")
def verified(tmp_path_factory):
    environment = os.environ | {"CONVKIT_CACHE": str(tmp_path_factory.mktemp("cache"))}
    return subprocess.run(
        [CONVKIT, "verify", "--no-speed"],
        env=environment,
        cwd=ROOT,
        text=True,
        capture_output=True,
        timeout=1800,  # stops a hang; with sanitizers on a busy machine, verify takes ten minutes
    )


def test_every_proof_of_verify_holds(verified):
    failed = [line for line in verified.stdout.splitlines() if line.startswith("FAIL")]
    assert not failed, "\n".join(failed)
    assert verified.returncode == 0, verified.stderr


def test_verify_proves_at_least_a_dozen_wrong_variants_by_name(verified):
    named = [line for line in verified.stdout.splitlines() if " variant " in line and "[" in line]
    assert len(named) >= 12


@pytest.mark.parametrize(
    "folder", sorted(ROOT.glob("assignments/*/figures")), ids=lambda folder: folder.parent.name
)
def test_the_pictures_of_the_handout_are_what_is_drawn(folder):
    command = [sys.executable, ROOT / "docs/pictures/draw.py", "--check", folder]
    drawn = subprocess.run(command, text=True, capture_output=True)
    assert drawn.returncode == 0, drawn.stdout + drawn.stderr
