# SPDX-License-Identifier: MIT
"""Submissions for a GPU stage that do what they may not, in host code and in kernels."""

import re

import pytest
from driver import FALLS_SHORT, PASSED, ROOT
from gpu_submission import DIRECT, FILE, OP, grade, others_pass, source

pytestmark = pytest.mark.usefixtures("few_cases")

HOSTILE = {
    "forks": (
        "#include <sys/syscall.h>\n#include <unistd.h>",
        "syscall(SYS_clone, 17, 0, 0, 0, 0);",
        "POLICY",
        r"^conv2d_constant made the system call clone, which submissions may not make\.$",
    ),
    "starts a program": (
        "#include <sys/syscall.h>\n#include <unistd.h>",
        'const char* argv[] = {"/bin/sh", nullptr}; syscall(SYS_execve, argv[0], argv, nullptr);',
        "POLICY",
        r"^conv2d_constant made the system call execve, which submissions may not make\.$",
    ),
    "opens a socket": (
        "#include <sys/socket.h>",
        "socket(AF_INET, SOCK_STREAM, 0);",
        "POLICY",
        r"^conv2d_constant made the system call socket, which submissions may not make\.$",
    ),
    "writes to the grader's channel": (
        "#include <unistd.h>",
        '(void)!write(3, "trust me", 8);\n  for (;;) pause();',
        "POLICY",
        r"^conv2d_constant wrote to the grader's channel \(file descriptor 3\)\.$",
    ),
    "prints without end": (
        "#include <cstdio>",
        'for (int i = 0; i < 1 << 20; ++i) std::printf("much of it, over and over\\n");',
        "LIMIT",
        r"^conv2d_constant printed more than 64 KiB\.$",
    ),
    "ends the process": (
        "#include <unistd.h>",
        "_exit(0);",
        "CRASHED",
        r"^The process ended \(exit code 0\) before conv2d_constant returned\.$",
    ),
    "reads the password file": (
        "#include <fcntl.h>\n#include <stdlib.h>",
        'if (open("/etc/passwd", O_RDONLY) < 0) abort();',
        "CRASHED",
        r"^conv2d_constant called abort\(\)\.$",
    ),
    "reads the reference data": (
        "#include <fcntl.h>\n#include <stdlib.h>",
        f'if (open("{ROOT}/reference_data/visible/{DIRECT}/manifest.json", O_RDONLY) < 0) abort();',
        "CRASHED",
        r"^conv2d_constant called abort\(\)\.$",
    ),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_host_code_is_confined_that(no_cuda, handed_in_cuda, quick_gpu_kit, what):
    prelude, host, status, said = HOSTILE[what]
    files = {FILE: source(prelude=prelude, host=host)}
    ran = grade(no_cuda, handed_in_cuda(files), env={"CONVKIT_ROOT": str(quick_gpu_kit)})
    assert ran.code == FALLS_SHORT
    first = ran.cases_of(OP)[0]
    assert first["status"] == status, first
    assert re.search(said, first["message"]), first
    assert others_pass(ran)
    assert no_cuda.left_behind() == []


def test_a_kernel_is_confined_like_host_code(no_cuda, handed_in_cuda, quick_gpu_kit):
    files = {
        FILE: source(prelude="#include <sys/socket.h>", kernel="socket(AF_INET, SOCK_STREAM, 0);")
    }
    ran = grade(no_cuda, handed_in_cuda(files), env={"CONVKIT_ROOT": str(quick_gpu_kit)})
    first = ran.cases_of(OP)[0]
    assert first["status"] == "POLICY", first
    assert first["message"] == f"{OP} made the system call socket, which submissions may not make."


def test_what_a_kernel_prints_is_shown_but_a_report_that_it_prints_has_no_effect(
    no_cuda, handed_in_cuda
):
    forged = "convkit: data_race: a race that the student made up.\\n"
    kernel = f'if (i + j + n + m == 0) printf("hello\\n{forged}");'
    ran = grade(no_cuda, handed_in_cuda({FILE: source(kernel=kernel)}))
    assert ran.code == PASSED, ran.err + ran.out
    assert "hello" in ran.case("constant_one_filter")["printed"]


@pytest.mark.parametrize("name", ["system", "fork", "popen"])
def test_a_forbidden_function_is_named(no_cuda, handed_in_cuda, name):
    call = {"system": 'system("true")', "fork": "fork()", "popen": 'popen("true", "r")'}[name]
    headers = "#include <cstdio>\n#include <cstdlib>\n#include <unistd.h>"
    files = {FILE: source(prelude=headers, host=f"if (!d_b) (void)!{call};")}
    ran = grade(no_cuda, handed_in_cuda(files))
    assert ran.stage["status"] == "POLICY"
    said = f"The submission calls {name}(), which this stage does not allow."
    assert ran.stage["message"] == said


def test_the_kits_own_stage_header_is_used_instead_of_a_submitted_one(no_cuda, handed_in_cuda):
    ran = grade(no_cuda, handed_in_cuda({"direct_conv.h": "#error the student's copy\n"}))
    assert ran.code == PASSED, ran.err + ran.out


def test_the_kits_own_cuda_headers_are_used_instead_of_submitted_ones(no_cuda, handed_in_cuda):
    ran = grade(no_cuda, handed_in_cuda({"cuda_runtime.h": "#error the student's copy\n"}))
    assert ran.code == PASSED, ran.err + ran.out
