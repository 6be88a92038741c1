# SPDX-License-Identifier: MIT
"""`run`: a student's functions on visible cases, under a tool and without a verdict."""

import pytest
from driver import FALLS_SHORT, PASSED, SOLUTION, STAGE, USED_WRONGLY
from gpu_submission import DIRECT_SOLUTION

TOOL = """#!/bin/sh
echo "watching: $*"
"$@"
code=$?
echo "the program ended with $code"
exit ${TOOL_EXIT:-$code}
"""


@pytest.fixture
def tool(convkit):
    path = convkit.home / "watch"
    path.write_text(TOOL)
    path.chmod(0o755)
    return path


def test_a_tool_watches_the_runner_until_it_ends(convkit, tool):
    ran = convkit.run(
        "run", 1, "--dir", SOLUTION, "--case", "dense_batch", "--", tool, "--level", "2"
    )
    assert ran.code == FALLS_SHORT  # `--level` is not a program
    assert "watching: --level 2 " in ran.out
    ran = convkit.run("run", 1, "--dir", SOLUTION, "--case", "dense_batch", "--", tool)
    assert ran.code == PASSED, ran.out + ran.err
    assert "the program ended with 0\n" in ran.out
    assert f"{STAGE}: 1 of 1 cases ran to their end. Nothing was judged.\n" in ran.out


def test_the_tools_verdict_is_the_exit_code(convkit, tool):
    tool.write_text(TOOL.replace("${TOOL_EXIT:-$code}", "9"))
    ran = convkit.run("run", 1, "--dir", SOLUTION, "--case", "dense_batch", "--", tool)
    assert ran.code == FALLS_SHORT
    assert "1 of 1 cases ran" in ran.out


def test_without_a_tool_all_cases_run_and_what_they_print_is_shown(convkit, handed_in):
    dense = (SOLUTION / "dense.cpp").read_text()
    talking = dense.replace("float sum", 'std::puts("summing"); float sum', 1)
    folder = handed_in({"dense.cpp": "#include <cstdio>\n" + talking}) / STAGE
    ran = convkit.run("run", 1, "--dir", folder)
    assert ran.code == PASSED, ran.out + ran.err
    assert "summing\n" in ran.out and "WRONG" not in ran.out


def test_a_gpu_stage_runs_on_the_cpu_device(no_cuda, tool):
    case = "blocks_images_and_maps"
    ran = no_cuda.run("run", 2, "--dir", DIRECT_SOLUTION, "--case", case, "--", tool)
    assert ran.code == PASSED, ran.out + ran.err
    assert "02_direct_conv.runner" in ran.out


def test_a_crash_is_reported_and_exits_with_1(convkit, handed_in):
    dense = (SOLUTION / "dense.cpp").read_text()
    folder = handed_in(
        {"dense.cpp": dense.replace("float sum", "*(volatile int*)8 = 1; float sum")}
    )
    ran = convkit.run("run", 1, "--dir", folder / STAGE, "--case", "dense_batch")
    assert ran.code == FALLS_SHORT
    assert "dense_batch: " in ran.out and "0 of 1 cases ran" in ran.out


def test_an_unknown_case_or_tool_is_named(convkit):
    ran = convkit.run("run", 1, "--dir", SOLUTION, "--case", "dense_bach")
    assert ran.code == USED_WRONGLY and "Did you mean `dense_batch`?" in ran.err
    ran = convkit.run("run", 1, "--dir", SOLUTION, "--", "no-such-tool")
    assert ran.code == USED_WRONGLY and "cannot start 'no-such-tool'" in ran.err
