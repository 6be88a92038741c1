# SPDX-License-Identifier: MIT
"""A file that does not compile costs what needs it, and nothing else."""

import json

import pytest
from driver import FALLS_SHORT, SOLUTION, STAGE, submission
from gpu_submission import FILE, OP, source

TEXT = {file.name: file.read_text() for file in SOLUTION.iterdir()}
TYPO = "float sum = 0;", "float sum = 0"
BROKEN_DENSE = TEXT["dense.cpp"].replace(*TYPO)
BROKEN_LAYOUT = TEXT["layout.cpp"] + "\nint half;;\nthis is no C++\n"
OF_DENSE = {"dense_forward", "softmax_forward", "lenet_forward"}
OF_LAYOUT = {"nchw_to_nhwc", "nhwc_to_nchw", "same_padding", "conv2d_same_forward"}


def not_passed(ran) -> set[str]:
    return {case["op"] for case in ran.stage["cases"] if case["status"] != "PASS"}


def group(ran, name: str) -> float:
    return next(group["points"] for group in ran.stage["groups"] if group["name"] == name)


def test_a_typo_in_one_file_keeps_the_points_of_all_others(convkit, handed_in):
    ran = convkit.grade(handed_in({"dense.cpp": BROKEN_DENSE}))
    assert ran.code == FALLS_SHORT
    assert ran.stage["status"] == "BUILD_FAILED"
    assert (ran.result["points"], ran.result["pending_points"]) == (68, 20)
    assert not_passed(ran) == OF_DENSE
    for op in OF_DENSE:
        assert {case["status"] for case in ran.cases_of(op)} == {"BUILD_FAILED"}
    (failed,) = ran.stage["failed_files"]
    assert (failed["file"], failed["status"]) == ("dense.cpp", "BUILD_FAILED")
    assert failed["message"].startswith("dense.cpp:")
    named = f"`dense_forward` is in `dense.cpp`, which does not compile: {failed['message']}"
    assert {case["message"] for case in ran.cases_of("dense_forward")} == {named}
    # It compiles, and calls what does not.
    assert {case["message"] for case in ran.cases_of("lenet_forward")} == {named}
    assert ran.stage["message"] == f"{failed['message']}\n84 of 93 cases pass: 9 not built."
    assert ran.stage["message"].splitlines()[0] in ran.out
    assert convkit.left_behind() == []


def test_of_two_broken_files_each_is_named_with_its_first_error(convkit, handed_in):
    ran = convkit.grade(handed_in({"dense.cpp": BROKEN_DENSE, "layout.cpp": BROKEN_LAYOUT}))
    assert [failed["file"] for failed in ran.stage["failed_files"]] == ["dense.cpp", "layout.cpp"]
    assert not_passed(ran) == OF_DENSE | OF_LAYOUT
    for op in OF_LAYOUT:
        assert all("is in `layout.cpp`, which" in case["message"] for case in ran.cases_of(op))
    assert (ran.result["points"], ran.result["pending_points"]) == (62, 20)
    for failed in ran.stage["failed_files"]:
        assert failed["message"] in ran.stage["message"].splitlines()
        assert f"  {failed['message']}\n" in ran.out


def test_a_typo_in_a_header_that_all_include_fails_the_whole_stage(convkit, handed_in):
    files = {
        name: '#include "mine.h"\n' + text for name, text in TEXT.items() if name.endswith(".cpp")
    }
    ran = convkit.grade(handed_in(files | {"mine.h": "int twice(int x) { return 2 * y; }\n"}))
    assert ran.stage["status"] == "BUILD_FAILED"
    assert ran.stage["message"].startswith("mine.h:1:")
    assert ran.statuses() == {"SKIPPED"}
    assert ran.result["points"] == ran.result["pending_points"] == 0


def test_an_error_in_a_header_names_the_file_that_includes_it(convkit, handed_in):
    text = '#include "mine.h"\n' + TEXT["dense.cpp"]
    ran = convkit.grade(handed_in({"dense.cpp": text, "mine.h": "this is no C++\n"}))
    assert not_passed(ran) == OF_DENSE
    said = ran.stage["message"].splitlines()[0]
    assert said.startswith("mine.h:1:") and said.endswith(" (in `dense.cpp`)")


def test_points_for_the_speed_of_what_is_not_built_are_not_pending(convkit, handed_in):
    ran = convkit.grade(handed_in({"conv2d_fast.cpp": TEXT["conv2d_fast.cpp"] + "\noops\n"}))
    assert not_passed(ran) == {"conv2d_fast"}
    assert (ran.result["points"], ran.result["pending_points"]) == (70, 0)
    assert {speed["status"] for speed in ran.stage["speed"]} == {"SKIPPED"}
    assert all("is BUILD_FAILED." in speed["message"] for speed in ran.stage["speed"])


def test_speed_that_is_measured_is_that_of_the_files_that_compile(convkit, handed_in, strict_kit):
    env = {"CONVKIT_ROOT": str(strict_kit)}
    ran = convkit.grade(handed_in({"dense.cpp": BROKEN_DENSE}), speed=True, env=env)
    (speed,) = ran.stage["speed"]
    assert speed["status"] in ("PASS", "SLOW"), speed
    assert ran.result["pending_points"] == 0


def test_a_function_that_is_nowhere_fails_only_what_calls_it(convkit, handed_in):
    text = "float gone(float);\n" + TEXT["dense.cpp"].replace(
        "float sum = 0;", "float sum = gone(0);"
    )
    ran = convkit.grade(handed_in({"dense.cpp": text}))
    said = "`gone(float)` is used but not defined in any file."
    assert "failed_files" not in ran.stage
    assert ran.stage["message"].startswith(said + "\n")
    assert "softmax_forward" in not_passed(ran) <= OF_DENSE
    for case in ran.stage["cases"]:
        assert case["status"] == "PASS" or (case["status"], case["message"]) == (
            "BUILD_FAILED",
            said,
        )


def test_a_function_of_the_stage_that_was_deleted_is_named_where_it_is_called(convkit, handed_in):
    text = TEXT["conv2d.cpp"].replace("conv2d_forward", "conv2d_froward")
    ran = convkit.grade(handed_in({"conv2d.cpp": text}))
    for case in ran.cases_of("conv2d_forward"):
        assert case["status"] == "WRONG"
        assert case["message"] == "The submission does not define conv2d_forward()."
    (lenet,) = ran.cases_of("lenet_forward")
    assert lenet["status"] == "BUILD_FAILED"
    assert lenet["message"] == "`conv2d_forward` is used but not defined in any file."
    assert {case["status"] for case in ran.cases_of("conv2d_fast")} == {"PASS"}


FORGED = """
#include <sys/mman.h>
#include <cstdlib>
#include <cstring>
static void forge() {
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
  std::memcpy((char*)page + 104, "convkit: missing function 0", 28);
  std::abort();
}
"""


@pytest.mark.parametrize("with_stubs", [True, False])
def test_a_submission_that_speaks_as_a_stub_gains_nothing(convkit, handed_in, with_stubs):
    text = TEXT["activations.cpp"].replace(
        "void relu_forward(",
        "void relu_forward(const float*, float*, int64_t) { forge(); }\nvoid x(",
    )
    text = text.replace('#include "cpu_conv.h"', '#include "cpu_conv.h"\n' + FORGED)
    files = {"activations.cpp": text} | ({"dense.cpp": BROKEN_DENSE} if with_stubs else {})
    ran = convkit.grade(handed_in(files))
    cases = ran.cases_of("relu_forward")
    assert {case["status"] for case in cases} == {"BUILD_FAILED" if with_stubs else "CRASHED"}
    assert group(ran, "activations") < 6
    assert ran.result["pending_points"] == 20


def test_check_and_its_sanitizers_know_partial_work_too(convkit, tmp_path):
    folder = submission(tmp_path / "ada", {"dense.cpp": BROKEN_DENSE}) / STAGE
    for how in [[], ["--sanitize"]]:
        ran = convkit.judge("check", 1, "--dir", folder, *how)
        assert ran.code == FALLS_SHORT
        assert not_passed(ran) == OF_DENSE, ran.out
        assert ran.result["points"] > 50
        assert all("`dense.cpp`" in case["message"] for case in ran.cases_of("lenet_forward"))


def test_a_kernel_that_does_not_compile_fails_its_own_cases(no_cuda, handed_in_cuda):
    folder = handed_in_cuda({FILE: source(kernel="int k = 1 int l;")})
    ran = no_cuda.grade(folder, "--device", "cpu")
    ops = {OP, OP + "_twice", OP + "_failing"}  # all in that file
    assert not_passed(ran) == ops
    (failed,) = ran.stage["failed_files"]
    assert failed["file"] == FILE and failed["message"].startswith(f"{FILE}:")
    assert all(failed["message"] in case["message"] for op in ops for case in ran.cases_of(op))
    assert ran.result["points"] > 0
    assert 0 < ran.result["pending_points"] <= ran.result["max_points"] - ran.result["points"]


def test_gradescope_shows_each_group_of_partial_work(convkit, handed_in):

    file = convkit.home / "results.json"
    convkit.grade(handed_in({"dense.cpp": BROKEN_DENSE}), "--gradescope", file)
    form = json.loads(file.read_text())
    assert form["score"] == 68
    (dense,) = [test for test in form["tests"] if "Dense" in test["name"]]
    assert dense["score"] == 0 and "dense.cpp:" in dense["output"]
