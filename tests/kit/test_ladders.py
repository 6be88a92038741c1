# SPDX-License-Identifier: MIT
"""The rungs of the solutions: each is a step of a ladder, short, and says what it changes.

That each is right is proved by `convkit verify`.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
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
