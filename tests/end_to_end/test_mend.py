# SPDX-License-Identifier: MIT
"""One small change with which a function passes, found by trying: by `check` itself, where no known
mistake explains an output, and by `check --mend`."""

import re
import shutil

import pytest
from driver import FALLS_SHORT, ROOT, USED_WRONGLY, kit_copy


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
        r"(Another variable is meant|With any of these changes all \d+ visible cases of "
        r"dense_forward pass), in line \d+ of dense\.cpp:\n"
    )
    assert re.search(told, said)
    weights = "const float* weights = w + int64_t(o) * "
    assert f"\n- {weights}out;\n+ {weights}in;\n" in said
    assert re.search(
        r"(^|\n)With (any of these changes|this one change) all \d+ visible cases of "
        r"dense_forward pass",
        said,
    )
    assert f"  - {weights}out;\n  + {weights}in;\n" in ran.out


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


SLOPE = ("activations.cpp", "x[i] < 0 ? slope * x[i]", "x[i] < slope ? slope * x[i]")
NO_CAUSE = "No known mistake explains leaky_relu_forward: trying small changes of your code"


def test_a_check_tries_by_itself_where_no_cause_is_told(student):
    turned = student("01_cpu_conv", *SLOPE)
    turned.tries_changes = True
    ran = turned.judge("check", 1, "--task", "01.3")
    assert ran.code == FALLS_SHORT
    report, line, rest = ran.out.partition(f"\n{NO_CAUSE} (at most 20 s) ...\n")
    assert line, ran.out
    assert "WRONG  01_cpu_conv / leaky_relu" in report
    finding, line, _ = rest.partition("\nNext: mend leaky_relu.")
    assert line and "Next:" not in report
    assert "in line 20 of activations.cpp:\n  - for (int64_t i = 0;" in finding
    assert finding.startswith(("  Probably", "  Perhaps", "  With any of these changes"))
    told = ran.case("leaky_relu")["message"]
    assert "in line 20 of activations.cpp:\n- for (int64_t i = 0;" in told


def test_a_check_tries_where_an_access_out_of_bounds_is_all_that_is_told(student):
    turned = student("03_tiled_conv", "tile.cuh", "col < s.w", "col <= s.w")
    turned.tries_changes = True
    ran = turned.judge("check", 3, "--task", "03.1", "--device", "cpu", timeout=400)
    report, line, finding = ran.out.partition("conv2d_tiled_single: trying small changes of your")
    assert line, ran.out
    assert re.search(r" at tile\.cuh:\d+, just past the end of `x`", report)
    # What its line depends on is tried first, though the function is in another file.
    assert re.search(r" of tile\.cuh:\n  - .*col <= s\.w;\n  \+ .*col < s\.w;\n", finding), finding


def test_a_function_is_looked_for_in_the_file_that_defines_it(student):
    moved = student("01_cpu_conv", *SLOPE)
    folder = moved.work / "01_cpu_conv"
    text = (folder / "activations.cpp").read_text()
    function = re.search(r"void leaky_relu_forward\(.*?\n}\n", text, re.DOTALL)[0]
    (folder / "activations.cpp").write_text(text.replace(function, ""))
    with (folder / "dense.cpp").open("a") as dense:
        dense.write("\n" + function)
    moved.tries_changes = True
    ran = moved.judge("check", 1, "--task", "01.3")
    assert " of dense.cpp:" in ran.out.partition("trying small changes")[2], ran.out


def test_several_changes_of_a_line_are_no_certain_cause(student):
    turned = student("01_cpu_conv", *SLOPE)
    said = messages(turned.judge("check", 1, "--task", "01.3", "--mend"))
    assert "\nProbably the mistake is in this line: several changes of it mend " in said
    assert "which change is right is yours to judge." in said


def test_a_check_tries_nothing_where_a_cause_is_told(student):
    turned = student("01_cpu_conv", "dense.cpp", "w + int64_t(o) * in", "w + int64_t(o) * out")
    turned.tries_changes = True
    ran = turned.judge("check", 1, "--task", "01.4")
    assert "of a row" in messages(ran) or "instead of" in messages(ran)
    assert "trying small changes" not in ran.out


@pytest.mark.parametrize("options", [["--no-mend"], ["--case", "leaky_relu"], ["--hint"]])
def test_a_check_can_do_without(student, options):
    turned = student("01_cpu_conv", *SLOPE)
    turned.tries_changes = True
    ran = turned.judge("check", 1, *options)
    assert ran.code == FALLS_SHORT
    assert "trying small changes" not in ran.out


def test_a_course_can_do_without(student, tmp_path):
    turned = student("01_cpu_conv", *SLOPE)
    turned.tries_changes = True
    turned.environment["CONVKIT_ROOT"] = str(kit_copy(tmp_path))
    (tmp_path / "course.toml").write_text("[students]\nmend = false\n")
    ran = turned.judge("check", 1, "--task", "01.3")
    assert ran.code == FALLS_SHORT
    assert "changes" not in ran.out and "--mend" not in ran.out
    asked = turned.run("check", 1, "--mend")
    assert asked.code == USED_WRONGLY
    assert asked.err == ("This course does not try changes of your code (course.toml says so).\n")


def test_a_check_points_to_it_where_no_cause_is_told(student):
    ones = student("01_cpu_conv", "dense.cpp", "sum += features[i] * weights[i]", "sum = 1 + i")
    ran = ones.judge("check", 1, "--task", "01.4")
    assert "change" not in messages(ran)
    assert "--hint gives a hint, and --mend tries small changes of your code." in ran.out


def test_nothing_is_looked_for_where_all_pass(student):
    same = student("01_cpu_conv", "dense.cpp", "float sum = b[o];", "float sum = b[o] ;")
    ran = same.judge("check", 1, "--task", "01.4", "--mend")
    assert ran.code == 0
    assert "change" not in messages(ran)


def test_it_cannot_be_asked_for_and_not(student):
    same = student("01_cpu_conv", "dense.cpp", "float sum = b[o];", "float sum = b[o] ;")
    ran = same.run("check", 1, "--mend", "--no-mend")
    assert ran.code == USED_WRONGLY
    assert ran.err == "--mend and --no-mend exclude each other.\n"


WRONG_KERNEL = """
__global__ void counting_kernel(float* c, int64_t n) {
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x) c[i] = 0.5f;
}

void count(const float*, const float*, float* c, int64_t n) {
  counting_kernel<<<1, 32>>>(c, n);
}

void add(const float* a, const float* b, float* c, int64_t n) {
  vector_add_kernel<<<blocks(n, kVectorThreads), kVectorThreads>>>(a, b, c, n);
}

"""


def test_a_choice_of_the_host_is_not_told_as_the_cause(convkit):
    folder = convkit.work / "02_direct_conv"
    shutil.copytree(ROOT / "solutions/02_direct_conv", folder)
    text = (folder / "warm_up.cu").read_text()
    launch = re.search(r"  vector_add_kernel<<<[^;]*;\n", text)
    host = text.rindex("\n\n", 0, launch.start()) + 2
    chosen = "(d_a.data(), d_b.data(), d_c.data(), n)"
    choice = f"  n > 0 ? count{chosen} : add{chosen};\n"
    text = text[: launch.start()] + choice + text[launch.end() :]
    (folder / "warm_up.cu").write_text(text[:host] + WRONG_KERNEL.lstrip() + text[host:])
    ran = convkit.judge("check", 2, "--task", "02.1", "--device", "cpu", "--mend", timeout=400)
    said = messages(ran)
    assert "\nPerhaps: With another choice in line " in said
    assert "Either this choice is wrong, or the code that it takes now." in said


def test_it_is_not_for_sanitizers(student):
    same = student("01_cpu_conv", "dense.cpp", "float sum = b[o];", "float sum = b[o] ;")
    ran = same.run("check", 1, "--mend", "--sanitize")
    assert ran.code == USED_WRONGLY
    assert ran.err == "--mend calls your functions without sanitizers: leave one of the two out.\n"
