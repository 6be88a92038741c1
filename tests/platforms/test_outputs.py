# SPDX-License-Identifier: MIT
"""What `grade --format` writes is what each platform's documentation asks for."""

import json

import pytest
from driver import FALLS_SHORT, GRADER_FAILED, PASSED, SOLUTION, USED_WRONGLY, changed
from schemas import (
    FAULTS,
    autolab_faults,
    github_faults,
    gradescope_faults,
    junit_faults,
    prairielearn_faults,
)

EVIL = (
    '</failure>]]> "quoted" <b>&amp; \x1b[31mred\x07 \ufffe \u202e {"scores": {"01_cpu_conv": 999}}'
)
BROKEN = f"#error {EVIL.replace(chr(7), '')}\nint f( {{\n"
LOUD = {"dense.cpp": '#error "' + "x" * 200 + '"\n' + '#warning "é"\n' * 4000}
ALL = [file.name for file in SOLUTION.glob("*.cpp")]
SUBMISSIONS = {
    "the solution": {},
    "a wrong one": changed("dense.cpp", "dense_forward", "  y[0] = x[0] / 0.0f;"),
    "one that crashes": changed("dense.cpp", "dense_forward", "  __builtin_trap();"),
    "one that does not compile": {"dense.cpp": BROKEN},
    "one of which nothing compiles": dict.fromkeys(ALL, BROKEN),
    "one with a long log": LOUD,
}


def grade_to_all(convkit, submission, *words, env=None) -> tuple[int, dict[str, str]]:
    files = {name: convkit.home / f"{name}.out" for name in FAULTS}
    options = [word for name, file in files.items() for word in ("--format", name, "--out", file)]
    ran = convkit.grade(submission, *options, *words, env=env or {}, timeout=300)
    return ran.code, {name: file.read_text() for name, file in files.items() if file.exists()}


def all_faults(texts: dict[str, str]) -> list[str]:
    assert set(texts) == set(FAULTS)
    return [f"{name}: {fault}" for name in FAULTS for fault in FAULTS[name](texts[name])]


@pytest.mark.parametrize("which", SUBMISSIONS)
def test_every_form_of_a_result_keeps_its_schema(convkit, handed_in, which):
    code, texts = grade_to_all(convkit, handed_in(SUBMISSIONS[which]), "--stage", 1)
    assert code == (PASSED if which == "the solution" else FALLS_SHORT)
    assert all_faults(texts) == []
    failed = which != "the solution"
    assert ("<failure" in texts["junit"]) == failed
    assert (json.loads(texts["github"])["status"] == "fail") == failed
    assert json.loads(texts["github"])["max_score"] == 100
    # Nothing of the submission becomes a part of the form.
    assert json.loads(texts["autolab"].splitlines()[-1])["scores"]["01_cpu_conv"] <= 80
    assert not any("\x1b" in text or "\\u001b" in text for text in texts.values())


@pytest.mark.parametrize("what", ["an empty folder", "another stage", "no archive"])
def test_what_cannot_be_graded_gives_a_page_with_a_sentence(convkit, tmp_path, what):
    folder = tmp_path / "handed in"
    folder.mkdir()
    if what == "another stage":
        (folder / "02_direct_conv").mkdir()
        (folder / "02_direct_conv/direct.cu").write_text("int x;\n")
    submission = folder
    if what == "no archive":
        submission = folder / "ada.zip"
        submission.write_bytes(b"PK\x03\x04 no zip")
    code, texts = grade_to_all(convkit, submission, "--stage", 1)
    assert code == FALLS_SHORT
    assert all_faults(texts) == []
    page = json.loads(texts["gradescope"])
    assert page["score"] == 0 and page["output"].strip().endswith(".")
    assert [test["max_score"] for test in page["tests"]] == [100]
    assert json.loads(texts["prairielearn"])["gradable"] is False
    assert '"can be read":{"passed":false' in texts["autolab"].replace(": ", ":")
    assert "<failure" in texts["junit"]
    assert json.loads(texts["github"])["tests"][0]["status"] == "fail"


def test_a_fault_of_the_course_is_called_one_and_takes_no_points(convkit, handed_in, tmp_path):
    nowhere = {"CONVKIT_HIDDEN": str(tmp_path / "nowhere")}
    code, texts = grade_to_all(convkit, handed_in(), env=nowhere)
    assert code == GRADER_FAILED
    assert all_faults(texts) == []
    page = json.loads(texts["gradescope"])
    assert page["output"].startswith(
        "The grader failed, which is the course's fault and not yours."
    )
    assert not any("score" in test for test in page["tests"])
    assert json.loads(texts["prairielearn"])["gradable"] is False
    assert json.loads(texts["autolab"].splitlines()[-1]) == {"scores": {}}, "stays ungraded"
    assert "<error" in texts["junit"]
    assert json.loads(texts["github"])["status"] == "error"


def test_pending_points_are_named_and_are_no_failed_test(convkit, handed_in):
    _, texts = grade_to_all(convkit, handed_in())
    page = json.loads(texts["gradescope"])
    assert page["score"] == 80 and page["output"].startswith("20 points are PENDING")
    pending = [test for test in page["tests"] if "points are pending" in test["name"]]
    assert len(pending) == 3
    assert not any({"score", "status"} & set(test) for test in pending)


def test_points_are_scaled_to_the_assignments(convkit, handed_in, tmp_path):
    (tmp_path / "metadata.json").write_text('{"assignment": {"total_points": "20.0"}}')
    file = tmp_path / "results.json"
    gradescope = [
        "--format",
        "gradescope",
        "--out",
        file,
        "--assignment",
        tmp_path / "metadata.json",
    ]
    ran = convkit.grade(handed_in(), *gradescope)
    assert "The assignment has 20 points, and the autograder gives up to 100." in ran.out
    ran = convkit.grade(tmp_path / "ada", *gradescope, "--points", 20)
    assert "The assignment has" not in ran.out
    page = json.loads(file.read_text())
    assert gradescope_faults(file.read_text()) == []
    assert page["score"] == 16 and page["output"].startswith("4 points are PENDING")
    assert sum(test.get("max_score", 0) for test in page["tests"]) == pytest.approx(16)


@pytest.mark.parametrize(
    "words",
    [
        ["--points", "20"],
        ["--show-hidden", "after_published", "--format", "junit", "--out", "x.xml"],
        ["--format", "junit"],
        ["--format", "junit", "--out", "x.xml", "--out", "y.xml"],
        ["--format", "gradescope", "--out", "x.json", "--points", "-1"],
        ["--format", "gradescope", "--out", "x.json", "--points", "nan"],
        ["--format", "gradescope", "--out", "x.json", "--show-hidden", "hidden"],
    ],
)
def test_options_that_do_not_fit_are_refused_before_grading(convkit, handed_in, words):
    ran = convkit.grade(handed_in(), *words)
    assert (ran.code, ran.out, ran.result) == (USED_WRONGLY, "", {}), ran.err


# The schemas can fail.

PAGE = {
    "score": 2.5,
    "output": "",
    "output_format": "text",
    "tests": [{"name": "a", "score": 2.5, "max_score": 5, "status": "failed", "output": "x"}],
}
PRAIRIE = {"gradable": True, "score": 0.5, "tests": [{"name": "a", "points": 1, "max_points": 2}]}
GITHUB_PAGE = {
    "version": 1,
    "status": "fail",
    "max_score": 5,
    "tests": [{"name": "a", "status": "fail", "score": 2}],
}


def with_test(page: dict, **changes) -> dict:
    return page | {"tests": [page["tests"][0] | changes]}


@pytest.mark.parametrize(
    ("check", "page"),
    [
        (gradescope_faults, PAGE | {"score": -1}),
        (gradescope_faults, PAGE | {"score": "2.5"}),
        (gradescope_faults, PAGE | {"score": 5}),
        (gradescope_faults, PAGE | {"visibility": "after_publish"}),
        (gradescope_faults, PAGE | {"stdout_visibility": "after_due"}),
        (gradescope_faults, PAGE | {"output_format": "markdown"}),
        (gradescope_faults, {k: v for k, v in PAGE.items() if k != "output_format"}),
        (gradescope_faults, PAGE | {"output": "\x1b[31mred"}),
        (gradescope_faults, with_test(PAGE, visibility="hidden")),
        (gradescope_faults, with_test(PAGE, status="pass")),
        (gradescope_faults, with_test(PAGE, output="\x1b[31mred")),
        (gradescope_faults, with_test(PAGE, name="")),
        (gradescope_faults, with_test(PAGE, points=5)),
        (prairielearn_faults, PRAIRIE | {"score": 50}),
        (prairielearn_faults, PRAIRIE | {"score": None}),
        (prairielearn_faults, PRAIRIE | {"gradable": False}),
        (prairielearn_faults, PRAIRIE | {"message": "x" * 1_000_001}),
        (prairielearn_faults, with_test(PRAIRIE, points=-1)),
        (github_faults, GITHUB_PAGE | {"tests": []}),
        (github_faults, GITHUB_PAGE | {"status": "failed"}),
        (github_faults, with_test(GITHUB_PAGE, score=None)),
        (github_faults, with_test(GITHUB_PAGE, message="x" * 200_000)),
    ],
)
def test_a_schema_refuses_what_its_platform_would(check, page):
    good = {gradescope_faults: PAGE, prairielearn_faults: PRAIRIE, github_faults: GITHUB_PAGE}
    assert check(json.dumps(good[check])) == []
    assert check(json.dumps(page)) != []


@pytest.mark.parametrize("check", [gradescope_faults, prairielearn_faults, github_faults])
@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_a_score_that_is_no_number_is_no_json(check, constant):
    with pytest.raises(AssertionError, match="is not JSON"):
        check(f'{{"score": {constant}}}')


SCORES = '{"scores": {"01_cpu_conv": 80}}'
STAGES = '{"_presentation": "semantic", "stages": ["01"], "01": {"a": {"passed": true}}}'


@pytest.mark.parametrize(
    "text",
    [
        SCORES,
        f"{SCORES}\n{STAGES}\n",
        STAGES + '\n{"scores": {"01_cpu_conv": "80"}}\n',
        STAGES.replace('["01"]', "[]") + f"\n{SCORES}\n",
        STAGES.replace("true", '"yes"') + f"\n{SCORES}\n",
    ],
)
def test_autolabs_lines_have_an_order_and_a_form(text):
    assert autolab_faults(f"some output\n{STAGES}\n{SCORES}\n") == []
    assert autolab_faults(text) != []


SUITE = '<testsuite name="a" tests="1" failures="0" errors="0">'
SUITE += '<testcase name="b" classname="a"/></testsuite>'


@pytest.mark.parametrize(
    "text",
    [
        "<testsuites/>",  # no test at all looks like success
        f"<testsuites>{SUITE.replace('failures', 'failed')}</testsuites>",
        f"<testsuites>{SUITE.replace('name=', 'title=')}</testsuites>",
        f"<testsuites>{SUITE.replace('1', '-1')}</testsuites>",
        f"<testsuites>{SUITE.replace('/>', '>red &#x1b;[31m</testcase>')}</testsuites>",
        f"<testsuites>{SUITE}",
    ],
)
def test_the_xsd_refuses_what_readers_of_junit_would(text):
    assert junit_faults(f"<testsuites>{SUITE}</testsuites>") == []
    assert junit_faults(text) != []
