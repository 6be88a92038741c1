# SPDX-License-Identifier: MIT
"""`show` with the student's own output."""

import re
import shutil

import pytest
from driver import PASSED, SOLUTION, STAGE, USED_WRONGLY, changed
from gpu_submission import DIRECT, DIRECT_SOLUTION


@pytest.fixture
def finished(convkit):
    """A student who has finished the stage."""
    shutil.copytree(SOLUTION, convkit.work / STAGE)
    return convkit


def without_border(convkit):
    """A convolution that begins its kernel at 1, so that a row of products is missing."""
    text = (SOLUTION / "conv2d.cpp").read_text()
    wrong = text.replace("for (int p = 0; p < s.kh; ++p)", "for (int p = 1; p < s.kh; ++p)")
    assert wrong != text
    (convkit.work / STAGE / "conv2d.cpp").write_text(wrong)


def test_own_output_stands_beside_what_is_expected(finished):
    text = (SOLUTION / "conv2d.cpp").read_text()
    wrong = text.replace("float sum = b[m];", "float sum = b[m] + (i == 1 ? 1 : 0);", 1)
    assert wrong != text
    (finished.work / STAGE / "conv2d.cpp").write_text(wrong)
    ran = finished.run("show", 1, "one_channel_3x3")
    assert ran.code == PASSED, ran.err
    assert ran.out.index("\nexpected y [1][1][3][4]\n") < ran.out.index("\nyours: WRONG\n")
    table = ran.out.split("\ngot y [1][1][3][4]\n  y[0][0]\n")[1].splitlines()
    assert [line.count("*") for line in table[:3]] == [0, 4, 0]
    assert "y[0,0,:,:], 3 x 4: . right   # wrong\n....\n####\n....\n" in ran.out


def test_the_worst_element_is_computed_by_hand(finished):
    without_border(finished)
    out = finished.run("show", 1, "one_channel_3x3").out
    found = re.search(
        r"^y\[0,0,(\d),(\d)\] by hand \(image 0, map 0, i \1, j \2\):\n  (.*)\n"
        r" +x +w +product\n((?: .*\n)+?)  Together: sum (\S+) of 9 products; b\[0\] = (\S+)\n"
        r"  expected (\S+), got \S+\.\n",
        out,
        re.MULTILINE,
    )
    assert found, out
    rows = [[float(cell) for cell in row.split()] for row in found[4].splitlines()]
    assert [len(row) for row in rows] == [9, 9, 9]
    for row in rows:
        for x, w, product in zip(row[:3], row[3:6], row[6:]):
            assert abs(x * w - product) <= 2e-3 * max(1, abs(product))
    total = sum(product for row in rows for product in row[6:])
    assert abs(total - float(found[5])) < 1e-2
    assert abs(float(found[5]) + float(found[6]) - float(found[7])) < 1e-3


def test_right_output_is_told_in_one_line(finished):
    ran = finished.run("show", 1, "one_channel_3x3", "--mine")
    assert ran.code == PASSED
    assert ran.out.endswith("\nyours: PASS\n")


def test_without_work_the_case_is_shown_alone_unless_work_is_asked_for(convkit):
    ran = convkit.run("show", 1, "one_channel_3x3")
    assert ran.code == PASSED and "yours" not in ran.out
    ran = convkit.run("show", 1, "one_channel_3x3", "--mine")
    assert ran.code == USED_WRONGLY
    assert "does not exist. Begin with: ./convkit start 1" in ran.err


def test_the_case_can_be_shown_without_running_anything(finished):
    (finished.work / STAGE / "conv2d.cpp").write_text("no C++\n")
    ran = finished.run("show", 1, "one_channel_3x3", "--no-mine")
    assert ran.code == PASSED and "yours" not in ran.out
    ran = finished.run("show", 1, "one_channel_3x3")
    assert ran.code == PASSED
    assert "\nyours: BUILD_FAILED\n" in ran.out


def test_what_crashes_is_told_in_words(finished):
    crash = changed("conv2d.cpp", "conv2d_forward", "*(volatile int*)nullptr = 1;")
    (finished.work / STAGE / "conv2d.cpp").write_text(crash["conv2d.cpp"])
    out = finished.run("show", 1, "one_channel_3x3").out
    assert "\nyours: CRASHED\n" in out and "null pointer" in out


def test_a_window_of_pooling_has_no_products(finished):
    text = (SOLUTION / "pooling.cpp").read_text()
    wrong = re.sub(r"(avg_pool2d_forward\([^{]*\{)", r"\1 y[0] = 7; return;", text, count=1)
    assert wrong != text
    (finished.work / STAGE / "pooling.cpp").write_text(wrong)
    cases = re.findall(r"\bavg\w+", finished.run("check", 1, "-v", "--group", "pooling").out)
    out = finished.run("show", 1, cases[0]).out
    assert re.search(r"Together: sum \S+ of \d+ elements?, divided by \d+\n", out), out
    assert "product" not in out


def test_a_kernels_output_is_shown_on_the_cpu_device(convkit):
    shutil.copytree(DIRECT_SOLUTION, convkit.work / DIRECT)
    file = convkit.work / DIRECT / "conv2d_direct.cu"
    text = file.read_text()
    wrong = text.replace("float sum = b[", "float sum = 1 + b[")
    assert wrong != text
    file.write_text(wrong)
    out = convkit.run("check", 2, "--device", "cpu", "--task", "02.2").out
    case = re.search(rf"WRONG  {DIRECT} / (\w+)", out)[1]
    out = convkit.run("show", 2, case, "--device", "cpu").out
    assert "\nyours: WRONG\n" in out and " by hand (" in out
