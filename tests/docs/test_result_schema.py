# SPDX-License-Identifier: MIT
"""docs/result.schema.json describes what `grade` and `check` really write."""

import copy
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from schema_check import problems

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/pictures"))

from wrong_variant import write_wrong_variant  # noqa: E402

CONVKIT = Path(os.environ.get("CONVKIT_BINARY", ROOT / "build/default/bin/convkit"))
SCHEMA = json.loads((ROOT / "docs/result.schema.json").read_text())
STATUSES = SCHEMA["$defs"]["stage_status"]["enum"]  # those of a case, and the stage's own
STAGE = "01_cpu_conv"


def overlay(folder: Path, variant: str) -> Path:
    """The solution with a wrong variant's mistake in it."""
    write_wrong_variant(STAGE, variant, folder / STAGE)
    return folder


def without_a_file(folder: Path) -> Path:
    overlay(folder, "flipped_kernel")
    (folder / STAGE / "dense.cpp").unlink()
    return folder


def damaged_archive(file: Path) -> Path:
    archive = file.with_suffix(".zip")
    archive.write_bytes(b"PK\x03\x04 and then nothing")
    return archive


# What is graded, its options, and the status of its stage (None: there is no stage).
SUBMISSIONS = {
    "finished, with speed": (lambda at: ROOT / "solutions" / STAGE, [], None),
    "not started": (lambda at: ROOT / "starter" / STAGE, ["--no-speed"], "NOT_STARTED"),
    "wrong": (lambda at: overlay(at, "flipped_kernel"), ["--no-speed"], "WRONG"),
    "with a map": (lambda at: overlay(at, "pad_value_in_max_pool"), ["--no-speed"], "WRONG"),
    "crashed": (lambda at: overlay(at, "writes_past_end"), ["--no-speed"], "CRASHED"),
    "forbidden": (lambda at: overlay(at, "forks"), ["--no-speed"], "POLICY"),
    # What is there is judged: the flipped kernel. The missing file counts as not started.
    "incomplete": (without_a_file, ["--no-speed"], "WRONG"),
    "unreadable": (damaged_archive, ["--no-speed"], None),
}


@pytest.fixture(scope="module", params=SUBMISSIONS)
def graded(request, tmp_path_factory):
    if not CONVKIT.exists():
        pytest.skip(f"{CONVKIT.name} is not built")
    make, options, status = SUBMISSIONS[request.param]
    folder = tmp_path_factory.mktemp("graded")
    file = folder / "result.json"
    submission = make(folder / "submission")
    command = [CONVKIT, "grade", submission, "--no-hidden", "--json", file, *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(file.read_text()), status


def test_a_real_result_keeps_the_schema(graded):
    result, _ = graded
    assert problems(result, SCHEMA) == []


def test_a_real_result_keeps_the_schema_for_jsonschema_too(graded):
    jsonschema = pytest.importorskip("jsonschema", reason="python3-jsonschema is not installed")
    if not hasattr(jsonschema, "Draft202012Validator"):
        pytest.skip("this jsonschema is older than draft 2020-12")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.Draft202012Validator(SCHEMA).validate(graded[0])


def test_the_stage_has_the_expected_status(graded):
    result, status = graded
    if status is not None:
        assert [stage["status"] for stage in result["stages"]] == [status]


def test_points_are_the_sum_of_their_parts(graded):
    result, _ = graded
    for key in ("points", "max_points", "pending_points"):
        assert result[key] == pytest.approx(sum(stage[key] for stage in result["stages"]))
    for stage in result["stages"]:
        assert stage["points"] + stage["pending_points"] <= stage["max_points"] + 0.005
        parts = [*stage["groups"], *stage["speed"]]
        assert stage["points"] == pytest.approx(sum(part["points"] for part in parts), abs=0.05)


def example() -> dict:
    case = {"name": "a", "group": "g", "task": "01.1", "op": "f", "status": "PASS"}
    case |= {"message": "", "hint": "", "hidden": False}
    points = {"points": 1, "max_points": 2.5, "pending_points": 0}
    speed = {"name": "s", "title": "S", "status": "SLOW", "message": "", **points}
    speed |= {"pairs": 7, "submission_ms": 1, "baseline_ms": 2.5, "gflops": 3}
    speed |= {"ratio": {"median": 2.5, "lower_quartile": 2, "upper_quartile": 3}}
    stage = {"id": STAGE, "title": "", "status": "SLOW", "message": "", **points, "build_s": 0}
    group = {"name": "g", "title": "G", "passed": 1, "total": 1, "points": 1, "max_points": 1}
    visible = {"set": "visible", "cases": 1, "seed": None, "manifest_sha256": "0" * 64}
    stage |= {"references": [visible]}
    stage |= {"run_s": 0.5, "notes": [], "groups": [group], "cases": [case], "speed": [speed]}
    return {
        "schema": "convkit-result-1", "kit_version": "0.1.0", "started": "2026-01-31T23:59:59Z",
        "device": "cpu", "sandbox": "none", "submission": {"name": "x", "sha256": "0" * 64},
        "nonce": "0" * 64, "depends": {"device": "cpu"}, "fingerprints": {"limit case_s": "10"},
        "choices": {"hidden": True}, **points, "interrupted": False,
        "notes": [], "stages": [stage],
    }  # fmt: skip


def changed(path: str, value) -> dict:
    """The example with one member set, or removed where the value is None."""
    result = copy.deepcopy(example())
    *parents, last = [int(p) if p.isdigit() else p for p in path.split(".")]
    node = result
    for part in parents:
        node = node[part]
    if value is None:
        del node[last]
    else:
        node[last] = value
    return result


def test_the_schema_accepts_a_result_with_every_part():
    assert problems(example(), SCHEMA) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("schema", "convkit-result-2"),
        ("started", "yesterday"),
        ("stages", None),
        ("points", -1),
        ("points", "12"),
        ("submission.sha256", "0" * 63),
        ("nonce", "0" * 63),
        ("unheard_of", 1),
        ("stages.0.status", "FAILED"),
        ("stages.0.id", "cpu_conv"),
        ("stages.0.cases.0.status", "pass"),
        ("stages.0.cases.0.hidden", 0),
        ("stages.0.groups.0.passed", 0.5),
        ("stages.0.cases.0.hint", None),
        ("stages.0.speed.0.ratio", None),
        ("stages.0.speed.0.pairs", 0),
        ("stages.0.speed.0.ratio.median", 0),
    ],
)
def test_the_schema_refuses(path, value):
    assert len(problems(changed(path, value), SCHEMA)) == 1


def test_the_schema_lists_the_same_statuses_as_the_program():
    source = (ROOT / "grader/report/result.cpp").read_text()
    names = re.search(r"kNames = \{([^}]*)\}", source)
    assert names and re.findall(r'"(\w+)"', names[1]) == STATUSES


def test_a_stage_has_the_statuses_of_a_case_and_one_more():
    assert [*SCHEMA["$defs"]["status"]["enum"], "UNFINISHED"] == STATUSES


def test_the_instructors_page_explains_every_status():
    page = (ROOT / "docs/course.md").read_text()
    assert re.findall(r"^\| ([A-Z_]+) \|", page, re.M) == STATUSES
