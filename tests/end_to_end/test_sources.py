# SPDX-License-Identifier: MIT
"""Sources that do not build, must not build, or use the compiler to attack the grader."""

import re

import pytest
from driver import FALLS_SHORT, GRADER_FAILED, PASSED, ROOT, SOLUTION, changed

DENSE = (SOLUTION / "dense.cpp").read_text()
SECRET = ROOT / "reference_data/visible/01_cpu_conv"

# name: (dense.cpp, status of the stage, its message)
BUILDS = {
    "forgets a semicolon": (
        DENSE.replace("float sum = 0;", "float sum = 0"),
        "BUILD_FAILED",
        r"^dense\.cpp:\d+:\d+: expected .*",
    ),
    "calls a function that is nowhere": (
        "float gone(float);\n" + DENSE.replace("float sum = 0;", "float sum = gone(0);"),
        "BUILD_FAILED",
        r"^`gone\(float\)` is used but not defined in any file\.\n",
    ),
    "defines a function twice": (
        DENSE + '\n#include "lenet.cpp"\n',
        "BUILD_FAILED",
        r"^`lenet_forward` is defined twice\.$",
    ),
    "includes the password file": (
        '#include "/etc/passwd"\n' + DENSE,
        "BUILD_FAILED",
        r"^dense\.cpp:1:10: .*/etc/passwd.* (No such file or directory|Permission denied)\n",
    ),
    "includes the reference data": (
        f'#include "{SECRET}/manifest.json"\n' + DENSE,
        "BUILD_FAILED",
        r"^dense\.cpp:1:10: .*manifest\.json.* (No such file or directory|Permission denied)\n",
    ),
    "assembles the reference data": (
        DENSE + f'\nasm(".incbin \\"{SECRET}/cases.npz\\"");\n',
        "BUILD_FAILED",
        r"^The assembler: file not found: .*cases\.npz \(in `dense\.cpp`\)\n",
    ),
    "includes itself": (
        '#include "dense.cpp"\n' + DENSE,
        "LIMIT|BUILD_FAILED",
        r"dense\.cpp",
    ),
    "is a template bomb": (
        "template <int N, int M> struct T { enum { v = T<N - 1, M>::v + T<N - 1, M + 1>::v }; };\n"
        "template <int M> struct T<0, M> { enum { v = 1 }; };\nint bomb = T<850, 0>::v;\n" + DENSE,
        "LIMIT|TIMED_OUT",
        r"^Compiling dense\.cpp (went over the compiler's limit|took longer than 6 s)",
    ),
    "is an array of 16 GB": (
        "char huge[1l << 34] = {1};\n" + DENSE,
        "LIMIT",
        r"^Compiling dense\.cpp went over the compiler's limit of memory, output or file size\.\n",
    ),
    "makes the compiler print without end": (
        "#define A(x) x x x x x x x x x x\nA(A(A(A(A(A(oops;))))))\n" + DENSE,
        "LIMIT",
        r"^Compiling dense\.cpp went over the compiler's limit of memory, output or file size\.\n",
    ),
    "runs a program": (
        "#include <cstdlib>\n" + DENSE + '\nint run() { return system("id"); }\n',
        "POLICY",
        r"^The submission calls system\(\), which this stage does not allow\.$",
    ),
}

# What is wrong with the library as a whole, not with one file.
FAIL_THE_STAGE = {"defines a function twice", "runs a program"}
OF_DENSE = {"dense_forward", "softmax_forward", "lenet_forward"}
NEED_IT = {"softmax_forward", "lenet_forward"}  # the functions that call gone(), or all of them


@pytest.mark.parametrize("case", BUILDS)
def test_a_submission_that(convkit, handed_in, strict_kit, case):
    source, status, message = BUILDS[case]
    ran = convkit.grade(handed_in({"dense.cpp": source}), env={"CONVKIT_ROOT": str(strict_kit)})
    assert ran.code == FALLS_SHORT, ran.out + ran.err
    assert re.fullmatch(status, ran.stage["status"]), ran.stage["message"]
    assert re.search(message, ran.stage["message"]), ran.stage["message"]
    assert "root:" not in ran.out and '"sha256"' not in ran.out
    if case in FAIL_THE_STAGE:
        assert ran.result["points"] == 0
        assert ran.statuses() == {"SKIPPED"}
    else:
        passed = {case["op"] for case in ran.stage["cases"] if case["status"] == "PASS"}
        assert passed.isdisjoint(NEED_IT)
        assert {case["op"] for case in ran.stage["cases"]} <= passed | OF_DENSE
        assert ran.statuses() <= {"PASS", ran.stage["status"]}
    assert convkit.left_behind() == []


@pytest.mark.parametrize(
    "case", ["calls a function that is nowhere", "assembles the reference data"]
)
def test_messages_of_the_compiler_name_no_folder_of_the_grader(convkit, handed_in, case):
    ran = convkit.grade(handed_in({"dense.cpp": BUILDS[case][0]}))
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
