# SPDX-License-Identifier: MIT
"""Submissions for a GPU stage that do not build or do not run: what the grader says of each."""

import re
import shutil

import pytest
from driver import FALLS_SHORT, ROOT
from gpu_submission import DIRECT, DIRECT_SOLUTION, FILE, OP, grade, line_of, others_pass, source

pytestmark = pytest.mark.usefixtures("few_cases")

# --- What does not build -------------------------------------------------------------------------

# A mistake, its place (a part of the line), and the message.
BROKEN = {
    "forgets a semicolon": (
        {"kernel": "int k = 1 int l;"},
        "int k",
        r"A semicolon is missing before this place.*",
    ),
    "forgets to close a launch": (
        {"host": "conv<<<grid, block(d_x, d_w, d_b, d_y, *shape);"},
        "conv<<<grid, block(",
        r".*`>>>`.*",
    ),
    "calls its kernel": (
        {"host": "conv(d_x, d_w, d_b, d_y, *shape);"},
        "conv(d_x",
        r"`conv` is a kernel .*",
    ),
    "gives a kernel too little": (
        {"pointers": "d_x, d_w, d_b"},
        "conv<<<grid",
        r"cannot convert .*",
    ),
    "misspells a CUDA function": ({"host": "cudaMemst(d_y, 0, 4);"}, "cudaMemst", r".*cudaMemst.*"),
    "has a barrier in host code": (
        {"host": "__syncthreads();"},
        "__syncthreads",
        r"`__syncthreads\(\)` .*",
    ),
    "uses a texture": (
        {"prelude": "texture<float, 2> t;"},
        "texture<",
        r"`texture`.*",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_submission_does_not_build_that(no_cuda, handed_in_cuda, what):
    parts, where, said = BROKEN[what]
    text = source(**parts)
    ran = grade(no_cuda, handed_in_cuda({FILE: text}))
    assert ran.code == FALLS_SHORT, ran.err + ran.out
    assert ran.stage["status"] == "BUILD_FAILED", ran.stage["message"]
    place = rf"conv2d_constant\.cu:{line_of(text, where)}:\d+: "
    assert re.match(place + said, ran.stage["message"]), ran.stage["message"]
    assert ran.statuses() == {"BUILD_FAILED", "PASS"}
    assert {case["status"] for case in ran.cases_of(OP)} == {"BUILD_FAILED"}
    first = next(line for line in ran.stage["log"].splitlines() if "error: " in line)
    assert re.match(place + "error: ", first), ran.stage["log"]
    for inside in ("CONVKIT_SIMT", "simt/", str(ROOT), str(no_cuda.temporary)):
        assert inside not in ran.stage["log"]


def test_an_error_in_a_header_of_the_students_own_is_named_there(no_cuda, handed_in_cuda):
    header = "#pragma once\ntemplate <class T>\n__device__ T twice(T x) { return 2 * y; }\n"
    files = {
        FILE: source(prelude='#include "mine.cuh"'),
        "mine.cuh": header,
    }
    ran = grade(no_cuda, handed_in_cuda(files))
    assert ran.stage["status"] == "BUILD_FAILED"
    assert re.match(r"mine\.cuh:3:\d+: .*\by\b", ran.stage["message"]), ran.stage["message"]


# --- What does not run ---------------------------------------------------------------------------

# A mistake in the kernel or its launch, and what `grade` says about it.
FAULTS = {
    "writes far out of bounds": (
        {"kernel": "y[1 << 28] = 1;"},
        r"\bconv\b.*thread \(\d+,\d+,\d+\)",
    ),
    "writes before its output": (
        {"kernel": "if (j == 0) y[-1] = 1;"},
        r"^conv2d_constant wrote before the beginning of `y`\.$",
    ),
    "writes past its output": (
        {"kernel": "if (j == 0) y[s.n * s.m * s.oh() * s.ow()] = 1;"},
        r"^conv2d_constant wrote past the end of `y`\.$",
    ),
    "writes to its input": (
        {"kernel": "const_cast<float*>(x)[0] += 1;"},
        r"^conv2d_constant wrote to its input `x`\.$",
    ),
    "follows a null pointer": ({"pointers": "d_x, d_w, nullptr, d_y"}, r"null"),
    "is given a host pointer": (
        {"host": "float* bias = new float[99];", "pointers": "d_x, d_w, bias, d_y"},
        r"argument 3 of conv is a host pointer",
    ),
    "is given a host variable's address": (
        {"host": "float bias = 0;", "pointers": "d_x, d_w, &bias, d_y"},
        r"argument 3 of conv is a host pointer",
    ),
    "touches device memory on the host": (
        {"host": "d_y[0] = 1;"},
        r"host code wrote device memory",
    ),
    "launches 2048 threads and does not ask": (
        {"threads": "2048", "returns": "cudaSuccess"},
        r"returned cudaSuccess, but a call or a launch in it had failed: cudaErrorInvalid\w+ ",
    ),
    "launches 2048 threads": ({"threads": "2048"}, r"returned cudaErrorInvalid\w+ \("),
    "has a barrier in a branch": (
        {"kernel": "if (threadIdx.x < 7) { __syncthreads(); j = j; } else {\n__syncthreads(); }"},
        r"conv2d_constant\.cu:\d+.*conv2d_constant\.cu:\d+",
    ),
    "overflows a thread's stack": (
        {
            "prelude": "__device__ __attribute__((noinline)) int deeper(int n) {\n"
            "  volatile char frame[256] = {};\n  return n > 0 ? deeper(n + 1) + frame[0] : 0;\n}",
            "kernel": "j += deeper(j + 1) & 0;",
        },
        r"stack",
    ),
    "divides an integer by zero": (
        {"kernel": "volatile int zero = 0; j += 7 / zero;"},
        r"zero",
    ),
    "fails an assertion": (
        {"prelude": "#include <cassert>", "kernel": "assert(s.n == 77);"},
        r"s\.n == 77",
    ),
    "asks for too much shared memory": (
        {"host": "conv<<<1, 1, 64 << 10, stream>>>(d_x, d_w, d_b, d_y, *shape);"},
        r"cudaErrorInvalidValue \(invalid argument\)\. The launch of conv at conv2d_constant\.cu:"
        r"\d+ was refused: it asks for 65536 bytes of dynamic shared memory; this kernel may have "
        r"49152",
    ),
    "has too many threads in a block": (
        {"threads": "64, 32"},
        r"was refused: its block of 64 x 32 x 1 has 2048 threads; at most 1024 are allowed\.",
    ),
    "has no blocks": (
        {"host": "grid.y = 0;"},
        r"was refused: its grid is \d+ x 0 x \d+; each size must be at least 1",
    ),
    "has too many blocks in an axis": (
        {"host": "grid.z = 70000;"},
        r"x 65535 is the most: gridDim\.z is 70000, above 65535\.",
    ),
}


@pytest.mark.parametrize("what", FAULTS)
def test_a_kernel_crashes_that(no_cuda, handed_in_cuda, what):
    parts, said = FAULTS[what]
    ran = grade(no_cuda, handed_in_cuda({FILE: source(**parts)}))
    assert ran.code == FALLS_SHORT, ran.err + ran.out
    case = ran.case("constant_one_filter")
    assert case["status"] == "CRASHED", case
    assert case["message"].startswith(OP), case
    assert re.search(said, case["message"]), case
    assert others_pass(ran)
    assert no_cuda.left_behind() == []


@pytest.mark.parametrize(
    "where",
    [
        {"kernel": "for (volatile int k = 0;; k = 1 - k) {}"},
        {"kernel": "__shared__ volatile int flag; flag = 0; while (flag == 0) __syncwarp();"},
        {"host": "for (volatile int k = 0;; k = 1 - k) {}"},
    ],
    ids=["kernel", "waiting_kernel", "host"],
)
def test_what_never_ends_is_stopped_at_the_limit(no_cuda, handed_in_cuda, quick_gpu_kit, where):
    files = {FILE: source(**where)}
    ran = grade(no_cuda, handed_in_cuda(files), env={"CONVKIT_ROOT": str(quick_gpu_kit)})
    assert ran.code == FALLS_SHORT
    first, *rest = ran.cases_of(OP)
    assert first["status"] == "TIMED_OUT", first
    assert first["message"] == f"{OP} did not return within 2 s."
    assert {case["status"] for case in rest} == {"SKIPPED"}
    assert others_pass(ran)
    assert no_cuda.left_behind() == []


# --- Check mode ----------------------------------------------------------------------------------

# Mistakes that only `check` sees, and what it says about them.
CHECKED = {
    "races": (
        {"kernel": "__shared__ int last; last = threadIdx.x; __syncthreads(); j += last >> 20;"},
        "WRONG",
        [r"thread \(\d+,0,0\)", r"conv2d_constant\.cu:6\b", r"\blast\b"],
    ),
    "reads what nobody has written": (
        {
            "kernel": "__shared__ float part[64]; if (threadIdx.x < 32) part[threadIdx.x] = b[0]; "
            "__syncthreads(); j += part[63 - threadIdx.x] > 1e30f;"
        },
        "WRONG",
        [r"part", r"conv2d_constant\.cu:6\b"],
    ),
    "leaves a shared array": (
        {
            "kernel": "__shared__ float part[64]; part[0] = 0; __syncthreads(); "
            "part[threadIdx.x + 1] = b[0]; __syncthreads(); j += part[63 - threadIdx.x] > 1e30f;"
        },
        "CRASHED|WRONG",
        [r"part", r"conv2d_constant\.cu:6\b"],
    ),
    "writes far out of bounds": (
        {"kernel": "y[1 << 28] = 1;"},
        "CRASHED",
        [r"conv2d_constant\.cu:6\b", r"past the end"],
    ),
    "touches device memory on the host": (
        {"host": "d_y[0] = 1;"},
        "CRASHED",
        [r"host code writes device memory at conv2d_constant\.cu:\d+"],
    ),
    "writes what it does not own on the host": (
        {"host": "static char* volatile far = (char*)0x700000000000; *far = 1;"},
        "CRASHED",
        [r"does not own \(address 0x\w+\), at conv2d_constant\.cu:\d+: static char"],
    ),
    "lets the C library write what it does not own": (
        {"host": "std::memset((char*)0x700000000000, 1, grid.x);"},
        "CRASHED",
        [r"does not own \(address 0x\w+\), at conv2d_constant\.cu:\d+: std::memset"],
    ),
    "has a barrier in a branch": (
        {"kernel": FAULTS["has a barrier in a branch"][0]["kernel"]},
        "CRASHED",
        [r"conv2d_constant\.cu:6\b", r"conv2d_constant\.cu:7\b"],
    ),
}


@pytest.mark.parametrize("what", CHECKED)
def test_check_mode_names_the_line_of_a_kernel_that(no_cuda, what):
    parts, status, said = CHECKED[what]
    shutil.copytree(DIRECT_SOLUTION, no_cuda.work / DIRECT)
    (no_cuda.work / DIRECT / FILE).write_text(source(**parts))
    ran = no_cuda.judge("check", 2, "--device", "cpu", "--case", "constant_one_filter")
    assert ran.code == FALLS_SHORT, ran.err + ran.out
    case = ran.case("constant_one_filter")
    assert re.fullmatch(status, case["status"]), case
    for words in said:
        assert re.search(words, case["message"]), case["message"]
    for inside in ("libc-start", f"0_{FILE}", str(no_cuda.temporary)):
        assert inside not in case["message"] + case["hint"]
    assert not re.search(r"\.cu:\d+: ", case["hint"]), case["hint"]  # a quoted line is not advice
