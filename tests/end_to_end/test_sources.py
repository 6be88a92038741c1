# SPDX-License-Identifier: MIT
"""Sources that do not build, must not build, or use the compiler to attack the grader."""

import re

import pytest
from driver import FALLS_SHORT, GRADER_FAILED, PASSED, ROOT, SOLUTION, changed

DENSE = (SOLUTION / "dense.cpp").read_text()
SECRET = ROOT / "reference_data/visible/01_cpu_conv"

# Of tests/corpus, which has more sources that do not build.
FAILING = {
    "calls a function that is nowhere": "float gone(float);\n"
    + DENSE.replace("float sum = 0;", "float sum = gone(0);"),
    "assembles the reference data": DENSE + f'\nasm(".incbin \\"{SECRET}/cases.npz\\"");\n',
}


@pytest.mark.parametrize("case", FAILING)
def test_messages_of_the_compiler_name_no_folder_of_the_grader(convkit, handed_in, case):
    ran = convkit.grade(handed_in({"dense.cpp": FAILING[case]}))
    for folder in (convkit.environment["CONVKIT_CACHE"], str(convkit.temporary)):
        assert folder not in ran.out


def test_what_was_compiled_in_a_weaker_sandbox_is_compiled_again(convkit, handed_in, tmp_path):
    folder = handed_in({"dense.cpp": DENSE + '\nasm(".incbin \\"/etc/passwd\\"");\n'})
    own_cache = {"CONVKIT_CACHE": str(tmp_path / "cache")}
    weaker = convkit.grade(folder, env=own_cache | {"CONVKIT_SANDBOX": "limits"})
    assert weaker.code == PASSED, weaker.out
    full = convkit.grade(folder, env=own_cache)
    if full.result["sandbox"] == weaker.result["sandbox"]:
        pytest.skip("this machine has no stronger sandbox")
    assert full.stage["status"] == "BUILD_FAILED"
    assert full.stage["message"].startswith("The assembler: file not found: /etc/passwd")


def test_a_missing_function_fails_only_its_own_cases(convkit, handed_in):
    source = (SOLUTION / "activations.cpp").read_text().replace("tanh_forward", "tanh_foward")
    ran = convkit.grade(handed_in({"activations.cpp": source}))
    assert ran.code == FALLS_SHORT
    for case in ran.cases_of("tanh_forward"):
        assert case["status"] == "WRONG"
        assert case["message"] == "The submission does not define tanh_forward()."
        assert case["hint"] == "Its declaration is in cpu_conv.h."
    others = [c["status"] for c in ran.stage["cases"] if c["op"] != "tanh_forward"]
    assert set(others) == {"PASS"}


def test_main_in_a_submission_is_noted_and_not_called(convkit, handed_in):
    source = DENSE + "\nint main() { __builtin_trap(); }\n"
    ran = convkit.grade(handed_in({"dense.cpp": source}))
    assert ran.code == PASSED, ran.out
    assert ran.stage["notes"] == ["The submission defines main(); the grader does not call it."]


def test_without_a_compiler_nothing_is_judged_and_no_points_are_lost(convkit, solved):
    ran = convkit.grade(solved, env={"PATH": "/nonexistent"})
    assert ran.code == GRADER_FAILED
    assert ran.stage["status"] == "GRADER_ERROR"
    assert ran.stage["message"] == (
        "No C++ compiler was found on PATH. On Debian and Ubuntu: apt-get install g++. "
        "Your code was not judged and no points were lost."
    )
    assert ran.statuses() == {"PENDING"}
    assert ran.result["pending_points"] == ran.result["max_points"] == 100
    assert {speed["status"] for speed in ran.stage["speed"]} == {"PENDING"}


def test_an_unchanged_submission_is_graded_again_without_compiling(convkit, handed_in, tmp_path):
    body = "for (int i = 0; i < n * k; ++i) y[i] = 0.5f;  // this test's own"
    folder = handed_in(changed("dense.cpp", "softmax_forward", body))
    own_cache = {"CONVKIT_CACHE": str(tmp_path / "cache")}
    first = convkit.grade(folder, env=own_cache)

    # A compiler that prints its version, which the cache needs, but cannot compile.
    compiler = tmp_path / "bin" / "g++"
    compiler.parent.mkdir()
    objects = {file: file.stat().st_ino for file in (tmp_path / "cache").iterdir()}
    again = convkit.grade(folder, env=own_cache)
    assert [c["status"] for c in again.stage["cases"]] == [
        c["status"] for c in first.stage["cases"]
    ]
    assert {file: file.stat().st_ino for file in (tmp_path / "cache").iterdir()} == objects
    assert again.stage["build_s"] < 0.5 * first.stage["build_s"]


INITIALISERS = {
    "crashes": (
        "static int v = [] { __builtin_trap(); return 0; }();",
        "CRASHED",
        r"^A static initialiser ran an illegal instruction\.$",
    ),
    "loops": (
        "static int v = [] { for (volatile int i = 0;; i = 1 - i) {} return 0; }();",
        "TIMED_OUT",
        r"^A static initialiser did not return within 1 s\.$",
    ),
    "exits": (
        "#include <unistd.h>\nstatic int v = [] { _exit(0); return 0; }();",
        "CRASHED",
        r"^The process ended \(exit code 0\) while the submission was loaded\.$",
    ),
    "throws": (
        "static int v = [] { throw 1; return 0; }();",
        "CRASHED",
        r"^A static initialiser called abort\(\)\.$",
    ),
    "opens a socket": (
        "#include <sys/socket.h>\nstatic int v = socket(AF_INET, SOCK_STREAM, 0);",
        "POLICY",
        r"^A static initialiser made the system call socket, which submissions may not make\.$",
    ),
    "prints without end": (
        '#include <cstdio>\nstatic int v = [] { for (;;) std::puts("more"); return 0; }();',
        "LIMIT",
        r"^A static initialiser printed more than 64 KiB\.$",
    ),
}


@pytest.mark.parametrize("case", INITIALISERS)
def test_a_static_initialiser_that(convkit, handed_in, strict_kit, case):
    code, status, message = INITIALISERS[case]
    ran = convkit.grade(
        handed_in({"dense.cpp": DENSE + code + "\n"}), env={"CONVKIT_ROOT": str(strict_kit)}
    )
    assert ran.code == FALLS_SHORT
    first, *others = ran.stage["cases"]
    assert first["status"] == status, first
    assert re.search(message, first["message"]), first
    assert first["op"] not in first["message"]  # it was never called
    # It is reported once, and the grader waits for it once.
    assert {case["status"] for case in others} == {"SKIPPED"}
