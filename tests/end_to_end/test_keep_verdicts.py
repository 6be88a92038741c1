# SPDX-License-Identifier: MIT
"""`grade --keep-verdicts`: of an earlier result of the same submission, what nothing has changed
behind is kept, and only the rest is judged again.
"""

import json
import re

import pytest
from driver import SOLUTION, STAGE, STAGE_FILE, USED_WRONGLY, kit_copy, one_small_shape

MANIFEST = f"reference_data/visible/{STAGE}/manifest.json"
# Every function says when it ran, so a case that was judged again has printed something else.
CLOCK = """
#include <cstdio>
#include <ctime>
static void say_when() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::printf("%lld\\n", static_cast<long long>(now.tv_sec) * 1000000000 + now.tv_nsec);
}
"""


def telling(begin: str = "") -> dict[str, str]:
    """The solution's dense layer and softmax, which print; the first does `begin` before."""
    text = (SOLUTION / "dense.cpp").read_text()
    text = re.sub(r"^(void \w+\([^{]*\{\n)", r"\1  say_when();\n", text, flags=re.MULTILINE)
    return {"dense.cpp": CLOCK + text.replace("say_when();\n", f"say_when();{begin}\n", 1)}


@pytest.fixture
def kit(tmp_path):
    (tmp_path / "kit").mkdir()
    return kit_copy(tmp_path / "kit")


@pytest.fixture
def grader(convkit, handed_in, kit, tmp_path):
    """grader(changes): grade(...) of the same submission, in the kit as it is then."""

    def of(changes):
        folder = handed_in(changes)

        def grade(*arguments, name="result", speed=False, env=()):
            file = tmp_path / f"{name}.json"
            ran = convkit.run(
                "grade", folder, *([] if speed else ["--no-speed"]), "--json", file, *arguments,
                env={"CONVKIT_ROOT": str(kit)} | dict(env), timeout=200,
            )  # fmt: skip
            ran.result = json.loads(file.read_text()) if file.exists() else None
            ran.file = file
            return ran

        grade.folder = folder
        return grade

    return of


@pytest.fixture
def grade(grader):
    return grader(telling())


def edit_case(kit, name: str, **entries) -> None:
    manifest = json.loads((kit / MANIFEST).read_text())
    [case] = [case for case in manifest["cases"] if case["name"] == name]
    case.update(entries)
    (kit / MANIFEST).write_text(json.dumps(manifest))


def edit_stage(kit, before: str, after: str) -> None:
    text = (kit / STAGE_FILE).read_text()
    assert before in text
    (kit / STAGE_FILE).write_text(text.replace(before, after))


def said(ran) -> dict:
    """What each case printed, by its function."""
    by_function = {}
    for case in ran.result["stages"][0]["cases"]:
        by_function.setdefault(case["op"], []).append((case["name"], case.get("printed")))
    return by_function


def judged_again(before, after) -> set[str]:
    was, now = said(before), said(after)
    assert was.keys() == now.keys()
    return {op for op in was if was[op] != now[op]}


def verdicts(ran) -> list:
    """The result without what differs from run to run."""
    return [
        stage | {"build_s": 0, "run_s": 0, "kept": [],
            "references": [],
                 "cases": [case | {"printed": ""} for case in stage["cases"]]}
        for stage in ran.result["stages"]
    ]  # fmt: skip


def telling_functions(ran) -> set[str]:
    return {op for op, cases in said(ran).items() if any(printed for _, printed in cases)}


def test_everything_is_judged_again_without_it(grade):
    first = grade(name="first")
    again = judged_again(first, grade(name="second"))
    assert again == telling_functions(first) >= {"dense_forward", "softmax_forward"}


def test_nothing_is_judged_again_where_nothing_has_changed(grade):
    first = grade(name="first")
    second = grade("--keep-verdicts", first.file, name="second")
    assert judged_again(first, second) == set()
    assert verdicts(second) == verdicts(first)
    assert second.code == first.code
    assert set(second.result["stages"][0]["kept"]) == set(said(first))


def test_a_changed_case_judges_its_function_again_and_no_other(grade, kit):
    first = grade(name="first")
    edit_case(kit, "softmax", summary="Said in other words.")
    second = grade("--keep-verdicts", first.file, name="second")
    assert judged_again(first, second) == {"softmax_forward"}
    assert verdicts(second) == verdicts(first)
    assert second.result["depends"] != first.result["depends"]


def test_points_that_change_are_counted_anew_from_the_same_verdicts(grade, kit):
    first = grade(name="first")
    stage = (kit / STAGE_FILE).read_text()
    group = stage.split("[[group]]")[1]
    edit_stage(kit, group, group.replace("points = ", "points = 1"))
    second = grade("--keep-verdicts", first.file, name="second")
    assert judged_again(first, second) == set()
    assert second.result["points"] > first.result["points"]


def test_under_a_higher_limit_what_had_passed_is_kept(grader, kit):
    grade = grader(telling(begin=" y[0] = 7; return;"))
    first = grade(name="first")
    limit = int(first.result["fingerprints"][f"limit case_s of {STAGE}"])
    edit_stage(kit, f"case_s = {limit}", f"case_s = {limit + 1}")
    second = grade("--keep-verdicts", first.file, name="second")
    assert "dense_forward" in judged_again(first, second)
    assert "softmax_forward" not in judged_again(first, second)
    edit_stage(kit, f"case_s = {limit + 1}", f"case_s = {limit - 1}")
    third = grade("--keep-verdicts", second.file, name="third")
    assert judged_again(second, third) == telling_functions(first)


def test_a_timing_is_kept_until_its_table_changes(grader, kit):
    file, pattern, shape = one_small_shape(none=0.01, full=0.02)
    stage = (kit / file).read_text()
    (kit / file).write_text(re.sub(pattern, shape, stage, flags=re.MULTILINE))
    grade = grader(None)
    first = grade(name="first", speed=True)
    [speed] = first.stage["speed"]
    assert speed["pairs"] > 0 and first.result["pending_points"] == 0
    edit_case(kit, "softmax", summary="Said in other words.")
    second = grade("--keep-verdicts", first.file, name="second", speed=True)
    assert second.stage["speed"] == [speed]
    edit_stage(kit, "flop = 2654208", "flop = 2654209")
    third = grade("--keep-verdicts", second.file, name="third", speed=True)
    assert third.stage["speed"][0]["ratio"] != speed["ratio"]


def test_a_function_that_was_given_up_is_not_run_again(grader, kit):
    edit_stage(kit, "output_kib = 1024", "output_kib = 64")
    grade = grader(telling(begin=' while (true) std::printf("a flood of words\\n");'))
    first = grade(name="first")
    left_out = {case.get("left_out") for case in first.result["stages"][0]["cases"]}
    assert left_out == {None, "given_up"}
    edit_case(kit, "softmax", summary="Said in other words.")
    second = grade("--keep-verdicts", first.file, name="second")
    assert judged_again(first, second) == {"softmax_forward"}
    assert verdicts(second) == verdicts(first)


@pytest.mark.parametrize(
    "option", [["--reveal-hidden"], ["--no-hidden"], ["--no-check"]], ids=lambda o: o[0]
)
def test_with_other_choices_everything_is_judged_again(grade, option):
    first = grade(name="first")
    second = grade("--keep-verdicts", first.file, *option, name="second")
    assert judged_again(first, second) == telling_functions(first)


def test_with_another_api_header_everything_is_judged_again(grade, kit):
    first = grade(name="first")
    header = kit / "assignments" / STAGE / "cpu_conv.h"
    header.write_text(header.read_text() + "\n// another\n")
    second = grade("--keep-verdicts", first.file, name="second")
    assert judged_again(first, second) == telling_functions(first)


def test_a_grading_that_goes_on_has_what_was_kept_before(grade, kit, killer, tmp_path):
    first = grade(name="first")
    edit_case(kit, "softmax", summary="Said in other words.")
    killed = grade(
        "--keep-verdicts", first.file, name="second",
        env={"LD_PRELOAD": str(killer), "KILL_AT": "3"},
    )  # fmt: skip
    assert killed.result["interrupted"]
    second = grade("--resume", name="second")
    assert not second.result["interrupted"]
    assert judged_again(first, second) == {"softmax_forward"}
    assert verdicts(second) == verdicts(first)


def test_another_submission_is_refused(grade):
    first = grade(name="first")
    (grade.folder / STAGE / "notes.txt").write_text("more")
    second = grade("--keep-verdicts", first.file, name="second")
    assert second.code == USED_WRONGLY
    assert "belongs to another submission" in second.err


def test_what_is_no_result_is_refused(grade, tmp_path):
    (tmp_path / "empty.json").write_text("{}")
    for file in (tmp_path / "empty.json", tmp_path / "missing.json"):
        ran = grade("--keep-verdicts", file)
        assert ran.code == USED_WRONGLY
        assert f"takes the result file of a grading, but {file} is none." in ran.err


def test_the_result_it_reads_is_not_the_one_it_writes(grade):
    first = grade(name="first")
    before = first.file.read_bytes()
    ran = grade("--keep-verdicts", first.file, name="first")
    assert ran.code == USED_WRONGLY
    assert first.file.read_bytes() == before
