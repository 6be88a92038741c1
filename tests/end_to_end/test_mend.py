# SPDX-License-Identifier: MIT
"""`check --mend`: one small change with which a function passes, found by trying."""

import re
import shutil

import pytest
from driver import FALLS_SHORT, ROOT, USED_WRONGLY


@pytest.fixture
def student(convkit):
    """Hands in a solution with one text for another one."""

    def hands_in(stage, file, before, after):
        folder = convkit.work / stage
        shutil.copytree(ROOT / "solutions" / stage, folder)
        text = (folder / file).read_text()
        assert text.count(before) == 1
        (folder / file).write_text(text.replace(before, after))
        return convkit

    return hands_in


def messages(ran):
    return "\n".join(case["message"] for case in ran.stage["cases"])


def test_the_change_is_told_with_its_line(student):
    turned = student("01_cpu_conv", "dense.cpp", "w + int64_t(o) * in", "w + int64_t(o) * out")
    ran = turned.judge("check", 1, "--task", "01.4", "--mend")
    assert ran.code == FALLS_SHORT
    said = messages(ran)
    told = (
        r"(Another variable is meant|Each of these changes mends it), in line \d+ of dense\.cpp:\n"
    )
    assert re.search(told, said)
    weights = "const float* weights = w + int64_t(o) * "
    assert f"\n- {weights}out;\n+ {weights}in;\n" in said
    assert re.search(
        r"\nWith (any of them|this one change) all \d+ visible cases of dense_forward pass", said
    )
    assert f"    - {weights}out;\n    + {weights}in;\n" in ran.out


def test_a_kernel_is_mended_too(student):
    turned = student(
        "02_direct_conv",
        "warm_up.cu",
        "const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;",
        "const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.y;",
    )
    ran = turned.judge("check", 2, "--task", "02.1", "--device", "cpu", "--mend")
    index = "const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx."
    assert f"\n- {index}y;\n+ {index}x;\n" in messages(ran)


def test_it_says_where_no_change_mends(student):
    ones = student("01_cpu_conv", "dense.cpp", "sum += features[i] * weights[i]", "sum = 1")
    ran = ones.judge("check", 1, "--task", "01.4", "--mend")
    assert re.search(r"No small change that mends it was found: \d+ were tried\.", messages(ran))
    assert "--mend" not in ran.out


def test_a_check_points_to_it_where_no_cause_is_told(student):
    ones = student("01_cpu_conv", "dense.cpp", "sum += features[i] * weights[i]", "sum = 1 + i")
    ran = ones.judge("check", 1, "--task", "01.4")
    assert "change" not in messages(ran)
    assert "--hint gives a hint, and --mend tries small changes of dense.cpp." in ran.out


def test_nothing_is_looked_for_where_all_pass(student):
    same = student("01_cpu_conv", "dense.cpp", "float sum = b[o];", "float sum = b[o] ;")
    ran = same.judge("check", 1, "--task", "01.4", "--mend")
    assert ran.code == 0
    assert "change" not in messages(ran)


def test_it_is_not_for_sanitizers(student):
    same = student("01_cpu_conv", "dense.cpp", "float sum = b[o];", "float sum = b[o] ;")
    ran = same.run("check", 1, "--mend", "--sanitize")
    assert ran.code == USED_WRONGLY
    assert ran.err == "--mend calls your functions without sanitizers: leave one of the two out.\n"
