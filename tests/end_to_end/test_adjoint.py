# SPDX-License-Identifier: MIT
"""Gradients without a stored reference: the adjoint identity, and the same bits on every run."""

import json
import re
import shutil
import subprocess

import pytest
from driver import (
    FALLS_SHORT,
    GRADER_FAILED,
    PASSED,
    ROOT,
    USED_WRONGLY,
    Convkit,
    kit_copy,
    leave_out_cases,
    leave_out_of,
)

BACKWARD = "05_backward"
SOLUTION = ROOT / "solutions" / BACKWARD
GATHER = "adjoint_conv2d_xgrad_gather"
WGRAD = "adjoint_conv2d_wgrad"
RETURN = "  // END SOLUTION\n}"


@pytest.fixture
def check(no_cuda, tmp_path):
    """check(case, changes): one case of the solution with pieces of text replaced."""

    def run(case, changes=(), **options):
        folder = tmp_path / "work"
        if not folder.exists():
            shutil.copytree(SOLUTION, folder)
        for name, old, new in changes:
            text = (folder / name).read_text()
            assert text.count(old) == 1, f"{old!r} must occur exactly once in {name}"
            (folder / name).write_text(text.replace(old, new))
        arguments = ["--case", case, "--dir", folder, "--device", "cpu"]
        return no_cuda.judge("check", 5, *arguments, timeout=180, **options)

    return run


def stage_kit(folder, *edits):
    file = f"assignments/{BACKWARD}/stage.toml"
    return kit_copy(folder, [(file, *edit) for edit in edits])


def launch_of(name):
    """The launch in the solution's function; a test puts its own code after it."""
    text = (SOLUTION / "xgrad.cu").read_text()
    body = text[text.index(f"cudaError_t {name}(") :]
    return re.search(r"  \w+<<<.*?;\n", body, re.DOTALL)[0]


def test_an_adjoint_check_is_reported_like_any_other_case(check):
    ran = check(GATHER)
    assert ran.code == PASSED, ran.err + ran.out
    assert [case["name"] for case in ran.stage["cases"]] == [GATHER]
    case = ran.case(GATHER)
    assert (case["op"], case["task"], case["group"]) == ("conv2d_xgrad_gather", "05.1", "xgrad")
    assert case["hidden"] is False


def test_a_misspelt_adjoint_check_is_answered_with_the_nearest(check):
    ran = check("adjoint_conv2d_xgrad_gathr")
    assert ran.code == USED_WRONGLY
    assert f"Did you mean `{GATHER}`?" in ran.err


def test_one_wrong_element_is_found_and_named(check):
    prelude = "__global__ void spoil(float* dx) { dx[5] += 0.25f; }\nnamespace {"
    launch = launch_of("conv2d_xgrad_gather")
    spoilt = launch + "  spoil<<<1, 1, 0, stream>>>(d_dx);\n"
    ran = check(GATHER, [("xgrad.cu", "namespace {", prelude), ("xgrad.cu", launch, spoilt)])
    assert ran.code == FALLS_SHORT, ran.err + ran.out
    case = ran.case(GATHER)
    assert (case["status"], case["mistake"]) == ("WRONG", "not_adjoint")
    element = re.search(r"dx\[0,0,\d+,\d+\] should be (\S+) and is (\S+)\.\n", case["message"])
    assert element, case["message"]
    assert float(element[2]) - float(element[1]) == pytest.approx(0.25, abs=1e-4)
    assert (
        "<x, conv2d_xgrad_gather(dy, w)> must equal <conv2d_forward(x, w), dy>" in case["message"]
    )
    assert 'drawn with seed "visible"' in case["message"]
    assert case["hint"]


def test_the_output_of_a_drawn_shape_says_which_mistake_it_is(check):
    edits = [
        (
            "xgrad.cu",
            f"output_of({row}, {tap}, s.stride_{axis}, s.pad_{axis}, s.dilation_{axis}, o{axis})",
            f"output_of({row}, {tap}, s.stride_{axis}, s.pad_{axis}, 1, o{axis})",
        )
        for row, tap, axis in (("row", "p", "h"), ("col", "q", "w"))
    ]
    case = check(GATHER, edits).case(GATHER)
    assert (case["status"], case["mistake"]) == ("WRONG", "dilation_forgotten")
    assert "The dilation is forgotten in the backward pass" in case["message"]
    assert case["message"].startswith("<x, conv2d_xgrad_gather(dy, w)> must equal")


def test_zeros_do_not_pass(check):
    launch = launch_of("conv2d_xgrad_gather")
    zeros = "  cudaMemsetAsync(d_dx, 0, sizeof(float) * shape->x_size(), stream);\n"
    ran = check(GATHER, [("xgrad.cu", launch, zeros)])
    case = ran.case(GATHER)
    assert (case["status"], case["mistake"]) == ("WRONG", "not_adjoint")
    assert "Every part is zero." in case["message"]


def test_elements_that_were_not_written_are_counted(check):
    ran = check(GATHER, [("xgrad.cu", launch_of("conv2d_xgrad_gather"), "")])
    case = ran.case(GATHER)
    assert case["status"] == "WRONG"
    assert re.match(r"Of the (\d+) elements of `dx`, \1 were never written\.", case["message"])


def test_a_stub_is_not_started(no_cuda):
    no_cuda.run("start", 5)
    ran = no_cuda.judge("check", 5, "--case", GATHER, "--device", "cpu", timeout=180)
    assert ran.statuses() == {"NOT_STARTED"}
    assert ran.case(GATHER)["message"].startswith("Task 05.1 is not started")


def test_the_same_shapes_are_drawn_every_time(check):
    launch = launch_of("conv2d_xgrad_gather")
    first = check(GATHER, [("xgrad.cu", launch, "")]).case(GATHER)["message"]
    assert check(GATHER).case(GATHER)["message"] == first


def test_atomics_are_found_by_running_twice(check):
    body = (SOLUTION / "wgrad.cu").read_text()
    start = body.index("  float* partial = static_cast<float*>(d_workspace);")
    old = body[start : body.index(RETURN, start)]
    ran = check(
        WGRAD,
        [
            (
                "wgrad.cu",
                old,
                "  return conv2d_wgrad_scatter(d_x, d_dy, d_dw, shape, accumulate, stream);\n",
            )
        ],
    )
    case = ran.case(WGRAD)
    assert (case["status"], case["mistake"]) == ("WRONG", "not_deterministic")
    assert "have other bits" in case["message"] and "(a + b) + c" in case["message"]


# --- Hidden sets and faults of the kit -----------------------------------------------------------


@pytest.fixture(scope="module")
def hidden(tmp_path_factory, cache):
    folder = tmp_path_factory.mktemp("hidden_adjoint")
    convkit = Convkit(folder / "home", cache)
    ran = convkit.run("refgen", "--stage", 5, "--seed", "autumn", "--out", folder, timeout=180)
    assert ran.code == PASSED, ran.err + ran.out
    leave_out_of(folder / BACKWARD, of_each=1)
    return folder


def test_a_hidden_set_draws_its_own_shapes_and_does_not_show_them(no_cuda, tmp_path, hidden):
    folder = tmp_path / "ada" / BACKWARD
    shutil.copytree(SOLUTION, folder)
    text = (folder / "xgrad.cu").read_text()
    (folder / "xgrad.cu").write_text(text.replace(launch_of("conv2d_xgrad_gather"), ""))
    arguments = ["--stage", 5, "--device", "cpu", "--no-check"]
    kit = stage_kit(tmp_path)
    leave_out_cases(kit, BACKWARD, of_each=1)
    environment = {"CONVKIT_HIDDEN": str(hidden), "CONVKIT_ROOT": str(kit)}
    ran = no_cuda.grade(folder.parent, *arguments, env=environment, timeout=300)
    told = [case for case in ran.stage["cases"] if case["name"] == GATHER]
    assert [case["hidden"] for case in told] == [False, True]
    visible, secret = told
    title = "The gradients are adjoint to the convolution: <y, dy> = <x, dx> = <w, dw>."
    assert secret["message"] == title
    assert (secret["status"], secret["hint"]) == ("WRONG", "")
    assert "visible" in visible["message"]
    revealed = no_cuda.grade(
        folder.parent, *arguments, "--reveal-hidden", env=environment, timeout=300
    )
    words = [case["message"] for case in revealed.stage["cases"] if case["name"] == GATHER]
    shapes = [re.search(r'with seed "(.+)": (.+)\.', message).groups() for message in words]
    assert shapes[0] != shapes[1]
    assert shapes[1][0] not in json.dumps(ran.result)


def test_a_baseline_that_does_not_build_costs_nobody_points(no_cuda, tmp_path, check):
    kit = stage_kit(tmp_path)
    for source in (kit / "assignments" / BACKWARD / "baseline").glob("*.cu"):
        source.write_text("this is no code\n")
    ran = check(GATHER, env={"CONVKIT_ROOT": str(kit)})
    assert ran.code == GRADER_FAILED
    case = ran.case(GATHER)
    assert case["status"] == "GRADER_ERROR"
    assert "baseline does not build" in case["message"]
    assert "no points were lost" in case["message"]


def test_shapes_on_which_zeros_pass_are_the_kits_fault(tmp_path, check):
    kit = stage_kit(tmp_path)
    baseline = kit / "assignments" / BACKWARD / "baseline" / "backward.cu"
    text = baseline.read_text()
    launch = re.search(r"  forward_kernel<<<.*\n", text)[0]
    zeros = "  cudaMemsetAsync({}, 0, sizeof(float) * shape->{}(), stream);\n"
    baseline.write_text(text.replace(launch, zeros.format("d_y", "y_size")))
    changes = [("xgrad.cu", launch_of("conv2d_xgrad_gather"), zeros.format("d_dx", "x_size"))]
    ran = check(GATHER, changes, env={"CONVKIT_ROOT": str(kit)})
    assert ran.code == GRADER_FAILED, ran.err + ran.out
    case = ran.case(GATHER)
    assert case["status"] == "GRADER_ERROR"
    assert "an output of zeros would pass on every shape drawn" in case["message"]
    assert "no points were lost" in case["message"]


def test_ranges_without_an_output_are_the_kits_fault(tmp_path, check):
    kit = stage_kit(
        tmp_path, (r"^(params = \{n = \[1, 3\], c = \[1, 6\], h = )\[1, 20\]", r"\g<1>0")
    )
    (kit / "assignments" / BACKWARD / "stage.toml").write_text(
        re.sub(
            r"(?m)^shapes = .*\n", "", (kit / "assignments" / BACKWARD / "stage.toml").read_text()
        )
    )
    ran = check(GATHER, env={"CONVKIT_ROOT": str(kit)})
    assert ran.code == GRADER_FAILED
    assert "no shape in its ranges has an output" in ran.case(GATHER)["message"]


def test_a_mistake_in_the_table_is_named_with_its_line(no_cuda, tmp_path):
    kit = stage_kit(tmp_path, (r'^pair = "x"', 'pare = "x"'))
    ran = no_cuda.run("list", env={"CONVKIT_ROOT": str(kit)})
    assert ran.code == GRADER_FAILED
    assert re.search(r"stage\.toml:\d+: \[\[check\]\] unknown key `pare`\.", ran.err)


# --- The same bits in any order of blocks --------------------------------------------------------

TWENTY_ORDERS = """
#include <cstdio>
#include <cstring>
#include <vector>
#include "backward.h"

static float value(unsigned i) { return float(i * 2654435761u >> 8) * 0x1p-23f - 1; }

int main(int argc, char**) {
  Conv2dShape s;
  s.n = 3, s.c = 4, s.h = 33, s.w = 29, s.m = 5, s.kh = 3, s.kw = 3, s.pad_h = 1, s.pad_w = 1;
  std::vector<float> x(s.x_size()), dy(s.y_size()), dw(s.w_size());
  for (size_t i = 0; i < x.size(); ++i) x[i] = value(i);
  for (size_t i = 0; i < dy.size(); ++i) dy[i] = value(i + 7777);
  float *d_x, *d_dy, *d_dw;
  void* d_workspace;
  const size_t bytes = conv2d_wgrad_workspace(&s);
  cudaMalloc(&d_x, 4 * x.size()), cudaMalloc(&d_dy, 4 * dy.size());
  cudaMalloc(&d_dw, 4 * dw.size()), cudaMalloc(&d_workspace, bytes);
  cudaMemcpy(d_x, x.data(), 4 * x.size(), cudaMemcpyHostToDevice);
  cudaMemcpy(d_dy, dy.data(), 4 * dy.size(), cudaMemcpyHostToDevice);
  const cudaError_t error =
      argc > 1 ? conv2d_wgrad_scatter(d_x, d_dy, d_dw, &s, 0, 0)
               : conv2d_wgrad(d_x, d_dy, d_dw, &s, 0, d_workspace, bytes, 0);
  if (error != cudaSuccess) return 1;
  cudaMemcpy(dw.data(), d_dw, 4 * dw.size(), cudaMemcpyDeviceToHost);
  for (float element : dw) {
    unsigned bits;
    std::memcpy(&bits, &element, 4);
    std::printf("%08x ", bits);
  }
}
"""


def test_wgrad_gives_the_same_bits_in_twenty_orders_and_atomics_do_not(no_cuda, tmp_path):
    (tmp_path / "main.cu").write_text(TWENTY_ORDERS)
    program = tmp_path / "orders"
    folders = [SOLUTION, ROOT / "assignments" / BACKWARD, ROOT / "runtime" / "include"]
    includes = [f"-I{folder}" for folder in folders]
    sources = [tmp_path / "main.cu", SOLUTION / "wgrad.cu"]
    ran = no_cuda.run("cc", *sources, *includes, "-o", program, timeout=180)
    assert ran.code == PASSED, ran.err

    def bits(seed, *arguments):
        environment = no_cuda.environment | {"CONVKIT_SIMT_SEED": str(seed)}
        done = subprocess.run(
            [program, *arguments], env=environment, capture_output=True, text=True, check=True
        )
        assert len(done.stdout.split()) == 5 * 4 * 3 * 3
        return done.stdout

    assert len({bits(seed) for seed in range(20)}) == 1
    assert len({bits(seed, "atomics") for seed in range(20)}) > 1
