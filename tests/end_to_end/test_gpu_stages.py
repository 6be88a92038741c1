# SPDX-License-Identifier: MIT
"""Stages for the GPU on a machine without one: started, checked and graded on the CPU device."""

import re
import shutil
from pathlib import Path

import pytest
from driver import FALLS_SHORT, PASSED, ROOT, USED_WRONGLY
from gpu_submission import DIRECT, DIRECT_SOLUTION, FILE, grade, line_of, source

STAGES = {"02_direct_conv": (80, 20), "03_tiled_conv": (75, 25)}  # points: correctness, speed
SPEED_IS_PENDING = "Pending: speed is measured on a GPU, and this run graded on the CPU device."


@pytest.mark.parametrize("stage", STAGES)
def test_a_starter_is_not_started_rather_than_wrong(no_cuda, stage):
    assert no_cuda.run("start", stage[:2]).code == PASSED
    ran = no_cuda.judge("check", stage[:2])
    assert ran.code == FALLS_SHORT, ran.err + ran.out
    assert ran.statuses() == {"NOT_STARTED"}
    assert ran.stage["status"] == "NOT_STARTED"
    assert ran.stage["points"] == 0


@pytest.mark.parametrize("stage", STAGES)
def test_a_finished_stage_passes_every_visible_case_without_cuda(no_cuda, stage):
    shutil.copytree(ROOT / "solutions" / stage, no_cuda.work / stage)
    ran = no_cuda.judge("check", stage[:2], "--device", "cpu")
    assert ran.code == PASSED, ran.err + ran.out
    assert ran.statuses() == {"PASS"}
    assert ran.result["device"] == "cpu"
    assert "Every visible case passes." in ran.out


@pytest.mark.parametrize("stage", STAGES)
def test_a_solution_has_all_points_except_those_for_speed_which_are_pending(
    no_cuda, tmp_path, stage
):
    correctness, speed = STAGES[stage]
    shutil.copytree(ROOT / "solutions" / stage, tmp_path / "ada" / stage)
    arguments = ["--stage", stage[:2], "--device", "cpu"]
    ran = no_cuda.grade(tmp_path / "ada", *arguments, speed=True)
    assert ran.code == PASSED, ran.err + ran.out
    assert ran.statuses() == {"PASS"}
    assert (ran.stage["points"], ran.stage["pending_points"]) == (correctness, speed)
    assert (ran.result["points"], ran.result["pending_points"]) == (correctness, speed)
    assert {s["status"] for s in ran.stage["speed"]} == {"PENDING"}
    assert {s["message"] for s in ran.stage["speed"]} == {SPEED_IS_PENDING}
    assert SPEED_IS_PENDING in ran.out
    assert f"{correctness} of {correctness + speed} points, {speed} pending" in ran.out


def test_a_header_of_the_starter_that_nothing_includes_is_not_missed(no_cuda, tmp_path):
    folder = tmp_path / "ada" / "03_tiled_conv"
    shutil.copytree(ROOT / "solutions" / folder.name, folder)
    (folder / "tile.cuh").rename(folder / "my_tile.cuh")
    for file in folder.rglob("*.cu*"):
        file.write_text(re.sub(r'(["/])tile\.cuh"', r'\1my_tile.cuh"', file.read_text()))
    ran = no_cuda.grade(tmp_path / "ada", "--stage", 3, "--device", "cpu", "--no-check")
    assert ran.code == PASSED, ran.err + ran.out
    assert not [note for note in ran.stage["notes"] if "is missing" in note]


def test_sanitizers_are_for_cpu_stages(no_cuda):
    no_cuda.run("start", 2)
    ran = no_cuda.run("check", 2, "--sanitize")
    assert ran.code == USED_WRONGLY
    assert ran.err.startswith("--sanitize is for CPU stages.")
    assert len(ran.err.splitlines()) == 1


# --- The device ----------------------------------------------------------------------------------


@pytest.mark.skipif(Path("/dev/nvidiactl").exists(), reason="there is a GPU")
@pytest.mark.parametrize("command", ["check", "bench", "grade", "verify"])
def test_a_missing_gpu_is_reported_in_one_sentence(convkit, handed_in_cuda, command):
    convkit.run("start", 2)
    arguments = {"grade": [handed_in_cuda({})], "verify": ["--stage", 2]}.get(command, [2])
    ran = convkit.run(command, *arguments, "--device", "gpu")
    assert ran.code == USED_WRONGLY, ran.err + ran.out
    assert re.fullmatch(r"No GPU can be used: .+\. --device cpu works without a GPU\.\n", ran.err)
    assert ran.out == ""


def test_an_unknown_device_is_answered_with_the_known_ones(convkit):
    convkit.run("start", 2)
    ran = convkit.run("check", 2, "--device", "tpu")
    assert ran.code == USED_WRONGLY
    assert "tpu" in ran.err and "auto,cpu,gpu" in ran.err
    assert ran.err.endswith("See ./convkit check --help.\n")


def test_a_stage_for_the_cpu_ignores_the_device(convkit):
    convkit.run("start", 1)
    ran = convkit.judge("check", 1, "--device", "cpu", "--case", "dense_batch")
    assert ran.statuses() == {"NOT_STARTED"}


# --- Right submissions in unusual forms ----------------------------------------------------------


def test_kernels_may_lie_in_several_files_and_headers(no_cuda, handed_in_cuda):
    text = source()
    kernel = text[text.index("__global__") : text.index("cudaError_t")]
    launcher = text[text.index("cudaError_t") :]
    header = '#pragma once\n#include "direct_conv.h"\nusing Launcher = cudaError_t (*)(int);\n'
    header += "cudaError_t nothing(int);\n" + kernel.replace("__global__", "static __global__")
    files = {
        FILE: '#include "my kernel.cuh"\n'
        + launcher.replace(
            "{\n",
            "{\n  Launcher f = nothing;\n  const cudaError_t first = f(1);\n"
            "  if (first != cudaSuccess) return first;\n",
            1,
        ),
        "my kernel.cuh": header,
        "other.cu": '#include "my kernel.cuh"\n__global__ void none() {}\n'
        "cudaError_t nothing(int n) { none<<<n, n>>>(); return cudaGetLastError(); }\n",
    }
    ran = grade(no_cuda, handed_in_cuda(files))
    assert ran.code == PASSED, ran.err + ran.out
    assert ran.statuses() == {"PASS"}


@pytest.mark.parametrize("form", ["crlf", "bom", "bom_and_crlf", "no_last_newline"])
def test_a_file_may_come_from_another_system(no_cuda, handed_in_cuda, form):
    text = source(prelude="#define TWO \\\n  2").encode()
    if "crlf" in form:
        text = text.replace(b"\n", b"\r\n")
    if "bom" in form:
        text = b"\xef\xbb\xbf" + text
    if form == "no_last_newline":
        text = text.rstrip()
    ran = grade(no_cuda, handed_in_cuda({FILE: text}))
    assert ran.code == PASSED, ran.err + ran.out


def test_a_path_may_hold_spaces_quotes_and_letters_of_any_language(no_cuda, handed_in_cuda):
    text = source(kernel="int k = 1 int l;")
    folder = handed_in_cuda({FILE: text}, 'Zoë\'s "last" try, 50% $HOME')
    ran = grade(no_cuda, folder)
    assert ran.stage["status"] == "BUILD_FAILED"
    assert ran.stage["message"].startswith(f"{FILE}:{line_of(text, 'int k')}:")
    (folder / DIRECT / FILE).write_text(source())
    assert grade(no_cuda, folder).code == PASSED


# --- Times on the CPU device ---------------------------------------------------------------------


def test_bench_counts_what_kernels_do_and_gives_no_times(no_cuda):
    shutil.copytree(DIRECT_SOLUTION, no_cuda.work / DIRECT)
    ran = no_cuda.run("bench", 2, "--device", "cpu", "--shape", "digits_5x5", timeout=120)
    assert ran.code == PASSED, ran.err + ran.out
    assert "does not predict" in ran.out and "GPU" in ran.out
    row = r"^  (\S+) +(\d+) launches +(\d+) threads .* ([\d.]+) loads"
    counted = {
        name: (int(launches), int(threads), float(loads))
        for name, launches, threads, loads in re.findall(row, ran.out, re.M)
    }
    assert set(counted) == {"baseline", "yours"}, ran.out
    launches, threads, loads = counted["baseline"]
    outputs = 32 * 24 * 24
    assert launches == 1 and threads >= outputs
    # Each product needs an input and a weight; each output needs its bias.
    assert loads == pytest.approx(2 * 25 + 1)
    assert counted["yours"][2] == pytest.approx(25 + 1)  # with the filters in constant memory
    assert not re.search(r"\bms\b|GFLOP", ran.out)
