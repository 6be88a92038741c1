# SPDX-License-Identifier: MIT
"""`pack gradescope` and `pack github`: what is in them, and their scripts run as the platforms run
them, with this build of the kit. tests/platforms/container.py does that in a container's place."""

import base64
import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from driver import PASSED, ROOT, USED_WRONGLY, Convkit, changed, submission
from schemas import WORKFLOW, faults, github_faults, gradescope_faults, junit_faults

STAGE = "01_cpu_conv"
SECRET = "the secret of a test"


def run(command: list, **options) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)


def pack(convkit: Convkit, what: str, archive: Path, *words: object, hidden: Path | None = None):
    env = {"CONVKIT_HIDDEN": str(hidden)} if hidden else {}
    ran = convkit.run("pack", what, "--out", archive, *words, env=env, timeout=300)
    assert ran.code == PASSED, ran.err
    return ran


def unpack(archive: Path, folder: Path) -> Path:
    """As unzip does: with the permissions."""
    with zipfile.ZipFile(archive) as zipped:
        for member in zipped.infolist():
            Path(zipped.extract(member, folder)).chmod(member.external_attr >> 16 & 0o777)
    return folder


@pytest.fixture(scope="module")
def hidden(tmp_path_factory, cache) -> Path:
    folder = tmp_path_factory.mktemp("hidden")
    ran = Convkit(folder / "home", cache).run(
        "refgen", "--stage", 1, "--seed", SECRET, "--out", folder / "cases", timeout=120
    )
    assert ran.code == PASSED, ran.err
    return folder / "cases"


@pytest.fixture(scope="module")
def autograder(tmp_path_factory, cache, hidden) -> Path:
    """/autograder, after setup.sh."""
    folder = tmp_path_factory.mktemp("gradescope")
    convkit = Convkit(folder / "home", cache)
    ran = pack(convkit, "gradescope", folder / "a.zip", "--stage", "1", hidden=hidden)
    assert "20 of these points are for speed. They stay pending there" in ran.out
    assert "Hidden cases are in it; students see what they say: after_published." in ran.out
    made = folder / "autograder"
    unpack(folder / "a.zip", made / "source")
    shutil.copy(made / "source/run_autograder", made)
    ran = run([made / "source/setup.sh"], env=gradescopes(made))
    assert ran.returncode == 0, ran.stderr
    assert re.search(r"^sandbox ", ran.stdout, re.M), "the log says what the sandbox can do"
    return made


def gradescopes(folder: Path) -> dict[str, str]:
    path = "/usr/local/bin:/usr/bin:/bin"
    return {"CONVKIT_AUTOGRADER": str(folder), "PATH": path, "CONVKIT_AUTOGRADER_MIB": "768"}


def graded(folder: Path, handed_in: Path | None) -> tuple[dict, str]:
    """The page, and what the instructor sees."""
    for name in ("submission", "results"):
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).mkdir()
    if handed_in:
        shutil.copytree(handed_in, folder / "submission", dirs_exist_ok=True)
    (folder / "submission_metadata.json").write_text('{"assignment": {"total_points": "100.0"}}')
    ran = run([folder / "run_autograder"], env=gradescopes(folder), cwd=folder)
    assert ran.returncode == 0, ran.stderr
    text = (folder / "results/results.json").read_text()
    assert gradescope_faults(text) == []
    return json.loads(text), ran.stdout


def test_the_zip_holds_its_scripts_at_the_top_and_neither_solutions_nor_the_secret(autograder):
    source = autograder / "source"
    assert sorted(path.name for path in source.iterdir()) == [
        *("convkit.tar.gz", "hidden", "run_autograder", "setup.sh")
    ]
    for script in ("run_autograder", "setup.sh"):
        assert (source / script).stat().st_mode & 0o777 == 0o755
        assert "@" not in (source / script).read_text().replace("[@]", "")
    kit = autograder / "convkit"
    assert not (kit / "solutions").exists() and not list(kit.glob("assignments/*/wrong"))
    assert SECRET.encode() not in b"".join(
        p.read_bytes() for p in (source / "hidden").rglob("*.json")
    )


def test_the_solution_gets_all_points_but_those_for_speed(autograder, tmp_path):
    page, seen = graded(autograder, submission(tmp_path / "ada"))
    assert page["score"] == 80 and page["output"].startswith("20 points are PENDING")
    assert "576 of it for a submission" in seen and "80 of 100 points, 20 pending" in seen
    hidden = [test for test in page["tests"] if test["name"].endswith(", hidden cases")]
    assert len(hidden) == 8
    assert {test["visibility"] for test in hidden} == {"after_published"}
    assert sum(test["score"] for test in hidden) > 30


def test_what_students_see_at_once_says_nothing_about_hidden_cases(autograder, tmp_path):
    handed_in = submission(
        tmp_path / "ada", changed("activations.cpp", "relu_forward", "  y[0] = 42;")
    )
    page, _ = graded(autograder, handed_in)
    shown = [test for test in page["tests"] if "visibility" not in test]
    assert not any("hidden" in test["name"] + test["output"] for test in shown)
    assert "hidden" not in page["output"]


def test_nothing_handed_in_gives_a_sentence(autograder):
    page, _ = graded(autograder, None)
    assert page["score"] == 0
    assert page["output"].startswith("`submission` holds no files.")


BROKEN = ["convkit/build/default/bin/convkit", f"source/hidden/{STAGE}/cases.npz"]


@pytest.mark.parametrize("file", BROKEN)
def test_a_kit_that_fails_says_whose_fault_it_is(autograder, tmp_path, file):
    shutil.move(autograder / file, tmp_path / "away")
    (autograder / file).write_text("")
    try:
        page, _ = graded(autograder, submission(tmp_path / "ada"))
    finally:
        shutil.move(tmp_path / "away", autograder / file)
    assert re.search(r"the course('s fault)? and not yours", page["output"])
    judged = [test for test in page["tests"] if "score" in test]
    assert page["score"] == pytest.approx(sum(test["score"] for test in judged), abs=0.05)
    # What could be judged is; no test of the rest is red.
    assert not any(test.get("status") == "failed" for test in judged)


def test_a_grading_that_is_killed_has_left_a_page(autograder, tmp_path):
    script = autograder / "run_autograder"
    text = script.read_text()
    script.write_text(
        text.replace('"$kit/convkit" grade', "sh -c 'kill -9 $PPID; kill -9 $$' grade")
    )
    try:
        page, _ = graded(autograder, submission(tmp_path / "ada"))
    finally:
        script.write_text(text)
    assert "is the fault of the course and not yours" in page["output"]
    assert page["score"] == 0


def test_a_grading_that_takes_too_long_shows_what_it_knows(autograder, tmp_path):
    nap = changed("conv2d.cpp", "conv2d_forward", "  usleep(400000);", "#include <unistd.h>\n")
    slow = submission(tmp_path / "ada", nap)
    script = autograder / "run_autograder"
    whole = script.read_text()
    script.write_text(whole.replace("seconds=$((", "seconds=$((12 + 0 * ("))
    script.write_text(script.read_text().replace("60 : 30)))", "60 : 30))))"))
    try:
        page, seen = graded(autograder, slow)
    finally:
        script.write_text(whole)
    assert page["output"].startswith("The grading was ended before its time"), seen
    assert "ended after 12 seconds" in seen


def test_without_hidden_cases_the_command_says_how_to_make_some(convkit, tmp_path):
    ran = pack(convkit, "gradescope", tmp_path / "a.zip", "--stage", "1,2", "--minutes", 20)
    assert "No hidden cases are in it, so only visible cases count." in ran.out
    text = (unpack(tmp_path / "a.zip", tmp_path / "z") / "run_autograder").read_text()
    assert "stages=(01_cpu_conv 02_direct_conv)\n" in text and "\nminutes=20 " in text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["gradescope"], "pack gradescope needs the stages of the assignment"),
        (["github"], "pack github needs the stages of the assignment"),
        (["students", "--stage", "1"], "--stage belongs to pack gradescope and pack github"),
        (["github", "--stage", "1", "--points", "5"], "belong to pack gradescope"),
        (["gradescope", "--stage", "1", "--minutes", "41"], "--minutes must be from 2 to 40"),
        (["gradescope", "--stage", "1", "--points", "nan"], "--points: nan is not a number"),
        (["gradescope", "--stage", "99"], "99"),
        (["gradescope", "--stage", "1", "--show-hidden", "never"], "after_published"),
    ],
)
def test_a_wrong_command_line_packs_nothing(convkit, tmp_path, words, says):
    ran = convkit.run("pack", *words, "--out", tmp_path / "a.zip")
    assert ran.code == USED_WRONGLY and says in ran.err
    assert not (tmp_path / "a.zip").exists()


# GitHub Classroom


@pytest.fixture(scope="module")
def repository(tmp_path_factory, cache) -> Path:
    folder = tmp_path_factory.mktemp("github")
    pack(Convkit(folder / "home", cache), "github", folder / "a.zip", "--stage", "1")
    return unpack(folder / "a.zip", folder / "repository")


@pytest.fixture(scope="module")
def workflow(repository) -> dict:
    yaml = pytest.importorskip("yaml", reason="python3-yaml is not installed")
    text = (repository / ".github/workflows/classroom.yml").read_text()
    made = yaml.safe_load(text)
    made["on"] = made.pop(True)  # YAML 1.1 reads the word as true; GitHub does not
    return made


def test_the_workflow_keeps_githubs_schema(workflow):
    assert faults(WORKFLOW, workflow) == []
    assert list(workflow["jobs"]) == ["run-autograding-tests"], (
        "the name that the reporter looks for"
    )
    steps = workflow["jobs"]["run-autograding-tests"]["steps"]
    ids = {step["id"] for step in steps if "id" in step}
    reporter = steps[-1]
    assert set(reporter["with"]["runners"].split(",")) == ids
    assert list(reporter["env"]) == [f"{name.upper()}_RESULTS" for name in ids]


@pytest.mark.parametrize(
    "change",
    [
        {"on": ["pushed"]},
        {"permissions": {"contents": "read"}},
        {"jobs": {"a": {"steps": []}}},
        {"jobs": {"a": {"runs-on": "x", "steps": [{"name": "a", "run": "true"}]}}},
        {"jobs": {"a": {"runs-on": "x", "steps": [{"name": "a", "uses": "actions/checkout"}]}}},
        {"job": {}},
    ],
)
def test_the_schema_of_workflows_can_fail(workflow, change):
    assert faults(WORKFLOW, workflow | change) != []


def run_steps(workflow: dict, repository: Path, folder: Path) -> tuple[int, dict[str, str], str]:
    """The steps with shell text as they stand: exit code, outputs, summary."""
    folder.mkdir()
    files = {name: folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    base = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    base |= {"RUNNER_TEMP": str(folder)} | {name: str(file) for name, file in files.items()}
    for step in workflow["jobs"]["run-autograding-tests"]["steps"]:
        if "run" not in step:
            continue
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        ran = run(shell, cwd=repository, env=base | step.get("env", {}))
        if ran.returncode != 0:
            return ran.returncode, {}, ran.stdout
    lines = files["GITHUB_OUTPUT"].read_text().splitlines()
    return 0, dict(line.split("=", 1) for line in lines), files["GITHUB_STEP_SUMMARY"].read_text()


@pytest.mark.parametrize("solved", [True, False])
def test_the_steps_report_the_points_of_a_push(workflow, repository, tmp_path, solved):
    pushed = tmp_path / "pushed"
    shutil.copytree(repository, pushed)
    if solved:
        shutil.copytree(ROOT / "solutions" / STAGE, pushed / STAGE, dirs_exist_ok=True)
    code, outputs, summary = run_steps(workflow, pushed, tmp_path / "temp")
    assert code == 0
    text = base64.b64decode(outputs["result"]).decode()
    assert github_faults(text) == [] and len(outputs["result"]) < 128 << 10
    result = json.loads(text)
    assert result["status"] == ("pass" if solved else "fail")
    assert (result["max_score"], sum(t["score"] for t in result["tests"])) == (100, 80 * solved)
    assert ("80 of 100 points" if solved else "NOT_STARTED  01_cpu_conv") in summary
    assert junit_faults((tmp_path / "temp/junit.xml").read_text()) == []


def test_a_kit_that_fails_fails_the_step_and_says_whose_fault_it_is(workflow, repository, tmp_path):
    pushed = tmp_path / "pushed"
    shutil.copytree(repository, pushed)
    broken = workflow | {
        "jobs": {
            "run-autograding-tests": {
                "steps": [
                    step | {"run": step["run"] + '\nrm -r "$RUNNER_TEMP/convkit/assignments"\n'}
                    if step["name"] == "Unpack convkit"
                    else step
                    for step in workflow["jobs"]["run-autograding-tests"]["steps"]
                ]
            }
        }
    }
    code, _, printed = run_steps(broken, pushed, tmp_path / "temp")
    assert code not in (0, 1) and "::error::The grader failed." in printed


def test_the_repository_has_the_starter_and_no_hidden_cases(repository):
    starter = ROOT / "starter" / STAGE
    for file in starter.iterdir():
        assert (repository / STAGE / file.name).read_bytes() == file.read_bytes()
    assert not [path for path in repository.rglob("*") if "hidden" in path.name]
    assert (repository / ".github/convkit.tar.gz").exists()
