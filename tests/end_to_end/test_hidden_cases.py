# SPDX-License-Identifier: MIT
"""Hidden cases, which `refgen` makes with a secret seed, and what a student sees of them."""

import hashlib
import json
import re
import subprocess
import sys

import pytest
from driver import FALLS_SHORT, GRADER_FAILED, PASSED, ROOT, STAGE, Convkit, changed

# Each set draws its own.
STAGE_TOML = (ROOT / "assignments" / STAGE / "stage.toml").read_text()
DRAWN = re.findall(r'\[\[drawn\]\]\nname = "(\w+)"', STAGE_TOML)


@pytest.fixture(scope="module")
def hidden(tmp_path_factory, cache):
    """A hidden set of the stage."""
    folder = tmp_path_factory.mktemp("hidden")
    convkit = Convkit(folder / "home", cache)
    ran = convkit.run("refgen", "--stage", 1, "--seed", "autumn", "--out", folder)
    assert ran.code == PASSED, ran.err + ran.out
    return folder


def manifest(hidden):
    return json.loads((hidden / STAGE / "manifest.json").read_text())


def test_the_solution_passes_a_hidden_set(convkit, solved, hidden):
    ran = convkit.grade(solved, env={"CONVKIT_HIDDEN": str(hidden)})
    assert ran.code == PASSED, ran.out
    names = {case["name"] for case in ran.stage["cases"] if case["hidden"]}
    assert names == {case["name"] for case in manifest(hidden)["cases"]} | {*DRAWN}
    assert len(names) >= 5


def test_the_result_names_both_sets(convkit, solved, hidden):
    ran = convkit.grade(solved, env={"CONVKIT_HIDDEN": str(hidden)})
    visible, secret = ran.stage["references"]
    assert (visible["set"], visible["seed"]) == ("visible", None)
    assert (secret["set"], secret["seed"]) == ("hidden", manifest(hidden)["seed"])
    file = hidden / STAGE / "manifest.json"
    assert secret["manifest_sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert secret["cases"] == len(manifest(hidden)["cases"])


def test_a_missing_hidden_set_is_reported(convkit, solved, tmp_path):
    ran = convkit.grade(solved, env={"CONVKIT_HIDDEN": str(tmp_path / "hiden")})
    assert ran.code == GRADER_FAILED
    assert str(tmp_path / "hiden" / STAGE) in ran.stage["message"]
    assert ran.stage["pending_points"] == ran.stage["max_points"]


def test_a_secret_seed_is_not_told_in_the_result(convkit, solved, hidden):
    ran = convkit.grade(solved, env={"CONVKIT_HIDDEN": str(hidden)})
    assert "autumn" not in json.dumps(ran.result) + ran.out


BAD = changed(
    "conv2d.cpp",
    "conv2d_forward",
    'std::puts("the student prints"); for (int64_t i = 0; i < shape->y_size(); ++i) y[i] = 7;',
    "#include <cstdio>\n",
)


def test_a_hidden_case_reports_its_public_sentence_and_nothing_else(convkit, handed_in, hidden):
    ran = convkit.grade(handed_in(BAD), "-v", env={"CONVKIT_HIDDEN": str(hidden)})
    assert ran.code == FALLS_SHORT
    public = {case["name"]: case["summary"] for case in manifest(hidden)["cases"]}
    public |= dict.fromkeys(DRAWN, "Sums of 1152 products have float32's precision.")
    failed = [c for c in ran.stage["cases"] if c["hidden"] and c["status"] != "PASS"]
    assert failed
    for case in failed:
        assert case["message"] == public[case["name"]]
        assert case["hint"] == ""
        assert set(case) <= {"name", "group", "task", "op", "status", "message", "hint", "hidden"}
        section = ran.out.partition(f" {STAGE} / {case['name']} (hidden)\n")[2].partition("\n\n")[0]
        assert section.strip() == public[case["name"]]
    printed = "".join(case.get("printed", "") for case in ran.stage["cases"])
    assert ran.out.count("the student prints") == printed.count("the student prints") > 0


# Tells everybody what it is given, in every way that it has.
TELLS = changed(
    "conv2d.cpp",
    "conv2d_forward",
    "static std::string seen;\n"
    "for (int i = 0; i < 4; ++i) {\n"
    '  char text[32]; std::snprintf(text, sizeof text, "<%08x>", reinterpret_cast<const unsigned&>('
    "x[i % (shape->n * shape->c * shape->h * shape->w)]));\n"
    "  seen += text;\n}\n"
    "std::puts(seen.c_str());\n"
    "throw std::runtime_error(seen.substr(seen.size() - 40));",
    "#include <cstdio>\n#include <stdexcept>\n#include <string>\n",
)


def test_no_hidden_input_reaches_anything_that_is_shown(convkit, handed_in, hidden, tmp_path):
    numpy = pytest.importorskip("numpy")

    def canaries(file):
        first = {}
        for name, array in numpy.load(file).items():
            if name.endswith("/in.x") and array.dtype == numpy.float32:
                first[name] = {f"<{bits:08x}>" for bits in array.ravel()[:4].view(numpy.uint32)}
        return set().union(*first.values())

    visible = canaries(ROOT / "reference_data/visible" / STAGE / "cases.npz")
    secret = canaries(hidden / STAGE / "cases.npz") - visible
    assert secret
    ran = convkit.grade(handed_in(TELLS), "-v", env={"CONVKIT_HIDDEN": str(hidden)})
    files = [file for file in convkit.home.rglob("*") if file.is_file()]
    shown = ran.out + ran.err + json.dumps(ran.result)
    shown += "".join(file.read_text(errors="replace") for file in files)
    assert any(canary in shown for canary in visible)  # the submission does tell
    assert not [canary for canary in secret if canary in shown]


def test_staff_may_see_the_report_of_a_hidden_case(convkit, handed_in, hidden):
    env = {"CONVKIT_HIDDEN": str(hidden)}
    ran = convkit.grade(handed_in(BAD), "--reveal-hidden", env=env)
    failed = [c for c in ran.stage["cases"] if c["hidden"] and c["status"] == "WRONG"]
    assert any("expected" in case["message"] for case in failed)


def test_no_hidden_leaves_hidden_cases_out_and_check_never_runs_them(convkit, solved, hidden):
    env = {"CONVKIT_HIDDEN": str(hidden)}
    ran = convkit.grade(solved, "--no-hidden", env=env)
    assert not any(case["hidden"] for case in ran.stage["cases"])
    ran = convkit.judge("check", 1, "--dir", solved / STAGE, env=env)
    assert not any(case["hidden"] for case in ran.stage["cases"])


def test_two_hundred_random_shapes_raise_no_false_alarm(convkit, solved, tmp_path):
    subprocess.run(
        [
            convkit.environment["CONVKIT_PYTHON"] or sys.executable,
            ROOT / "reference_data/generate.py",
            "--spec",
            ROOT / "assignments" / STAGE / "reference/random_shapes.toml",
            "--out",
            tmp_path / "random" / STAGE,
        ],
        check=True,
        capture_output=True,
    )
    ran = convkit.grade(solved, env={"CONVKIT_HIDDEN": str(tmp_path / "random")})
    assert ran.code == PASSED, ran.out
    assert sum(case["hidden"] for case in ran.stage["cases"]) == 200 + len(DRAWN)
    assert ran.statuses() == {"PASS"}
