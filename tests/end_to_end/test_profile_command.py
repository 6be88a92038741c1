# SPDX-License-Identifier: MIT
"""`profile`: what a profiler of a GPU would count, under the lines of a student's source."""

import json
import re
import shutil
from pathlib import Path

import pytest
from driver import FALLS_SHORT, PASSED, ROOT, USED_WRONGLY

TILED = ROOT / "solutions/03_tiled_conv"

# In the place of nvcc: says of what it is given what ptxas would say of a solution of 03.1.
NVCC = """#!/bin/sh
case "$*" in *tiled_single.cu*)
echo "ptxas info    : Compiling entry function '_Z26conv2d_tiled_single_kernelPKf' for 'sm_80'" >&2
echo "ptxas info    : Used 38 registers, used 1 barriers, 2048 bytes smem" >&2
esac
case "$*" in *-shared*) exit 1; esac
for word; do
  [ "$before" = -o ] && : > "$word"
  before=$word
done
"""


@pytest.fixture
def no_cuda(no_cuda, tmp_path):
    """A user without CUDA, also where a toolkit lies in /usr/local/cuda: an nvcc that fails."""
    nvcc = tmp_path / "nvcc" / "nvcc"
    nvcc.parent.mkdir()
    nvcc.write_text("#!/bin/sh\nexit 1\n")
    nvcc.chmod(0o755)
    no_cuda.environment["PATH"] = f"{nvcc.parent}:{no_cuda.environment['PATH']}"
    return no_cuda


def test_the_counts_stand_under_the_source_lines(no_cuda):
    json_file, page = no_cuda.home / "profile.json", no_cuda.home / "profile.html"
    where = ("--dir", TILED, "--json", json_file, "--html", page)
    ran = no_cuda.run("profile", 3, "3.1", *where)
    assert ran.code == PASSED, ran.out + ran.err
    assert "conv2d_tiled_single, case " in ran.out
    assert "\n  tiled_single.cu\n" in ran.out
    lines = ran.out.splitlines()
    barrier = next(i for i, line in enumerate(lines) if "^ barrier " in line)
    assert "__syncthreads();" in lines[barrier - 1]
    assert any("^ shared load " in line and "bank conflicts" in line for line in lines)
    cases = json.loads(json_file.read_text())["cases"]
    (case,) = [case for case in cases if case["kernels"]]  # in one its launches fail
    (kernel,) = case["kernels"]
    stores = [line for line in kernel["lines"] if line["kind"] == "global_store"]
    assert sum(line["lanes"] for line in stores) > 0
    assert kernel["sentence"] in ran.out
    assert "__syncthreads();" in page.read_text() and "tiled_single.cu" in page.read_text()


def test_a_file_is_shown_once_however_its_folder_is_named(no_cuda):
    shutil.copytree(TILED, no_cuda.home / "mine")
    ran = no_cuda.run("profile", 3, "3.1", "--dir", "mine", cwd=no_cuda.home)
    assert ran.code == PASSED, ran.out + ran.err
    assert ran.out.count("\n  tiled_single.cu\n") == 1


def test_a_change_is_compared_with_a_folder_and_with_what_was_saved(no_cuda):
    saved = no_cuda.home / "before.json"
    case = ("--case", "four_tiles")
    narrow = shutil.copytree(TILED, no_cuda.home / "narrow")
    single = narrow / "tiled_single.cu"
    text = single.read_text()
    assert "kBlockW = 32;" in text
    single.write_text(text.replace("kBlockW = 32;", "kBlockW = 16;"))
    assert no_cuda.run("profile", 3, *case, "--dir", TILED, "--json", saved).code == PASSED
    with_folder = no_cuda.run("profile", 3, *case, "--dir", narrow, "--compare", TILED)
    assert with_folder.code == PASSED, with_folder.out + with_folder.err
    assert "conv2d_tiled_single, case " in with_folder.out
    assert re.search(r"^  threads +[\d,]+ +[\d,]+ +0\.75x$", with_folder.out, re.M)
    assert "\n  Before, conv2d_tiled_single_kernel: " in with_folder.out
    with_file = no_cuda.run("profile", 3, *case, "--dir", narrow, "--compare", saved)
    assert with_file.out == with_folder.out
    unchanged = no_cuda.run("profile", 3, *case, "--dir", TILED, "--compare", saved)
    assert "\n  Every count is the same.\n" in unchanged.out
    other = no_cuda.run("profile", 3, "3.2", "--dir", TILED, "--compare", saved)
    assert f" is not in {saved}.\n" in other.out
    ran = no_cuda.run("profile", 3, "--dir", TILED, "--compare", no_cuda.home / "none")
    assert ran.code == USED_WRONGLY
    assert ran.err == f"{no_cuda.home / 'none'} cannot be read.\n"


def test_the_steps_of_one_warp(no_cuda):
    where = ("--dir", TILED, "--case", "inside_one_tile")
    picture = no_cuda.home / "trace.svg"
    ran = no_cuda.run("profile", 3, *where, "--trace", "0:1", "--svg", picture)
    assert ran.code == PASSED, ran.out + ran.err
    assert "conv2d_tiled_single_kernel, block 0, warp 1 (threads 32 to 63)\n" in ran.out
    steps = [re.sub(r"^ *\d+ +", "", line) for line in ran.out.splitlines() if line[6:7].isdigit()]
    # Rows of 9 elements, of which the second is this warp's; the tile has rows of 32.
    assert steps[:4] == [
        "global load    x[0,0,1,0..8] by lanes 0-8: 2 sectors",
        "shared store   tile[32..63] by all 32 lanes: 1 wavefront",
        "barrier: waits for all warps of the block",
        "global load    b[0] by lanes 0-6: 1 sector",
    ]
    assert steps[-1] == "global store   y[0,0,1,0..6] by lanes 0-6: 2 sectors"
    assert picture.read_text().startswith("<svg ")
    ran = no_cuda.run("profile", 3, *where, "--trace", "7:0")
    assert ran.code == PASSED, ran.out + ran.err
    assert "its first launch has no block and warp 7:0 that accesses memory" in ran.out
    none = no_cuda.home / "none.svg"
    ran = no_cuda.run("profile", 3, *where, "--trace", "7:0", "--svg", none)
    assert (ran.code, none.exists()) == (USED_WRONGLY, False)
    assert ran.err == f"No kernel has that block and warp: {none} is not written.\n"
    ran = no_cuda.run("profile", 3, *where, "--trace", "0:0", "--compare", TILED)
    assert ran.code == USED_WRONGLY
    assert ran.err.startswith("--compare tells counts, --trace and --svg show steps: ")
    ran = no_cuda.run("profile", 3, *where, "--trace", "first")
    assert ran.code == USED_WRONGLY
    assert ran.err.startswith(
        "--trace takes the number of a block and of a warp in it, such as 0:1"
    )


def test_occupancy_on_a_card(no_cuda, tmp_path):
    where = ("--dir", TILED, "--card", "a100")
    ran = no_cuda.run("profile", 3, "3.1", *where)
    assert ran.code == PASSED, ran.out + ran.err
    without = "On an A100, 4 blocks of 512 threads are on a multiprocessor at a time: all of its 64"
    assert f"\n  {without} warps. At most: " in ran.out
    (tmp_path / "nvcc" / "nvcc").write_text(NVCC)
    saved = no_cuda.home / "profile.json"
    ran = no_cuda.run("profile", 3, "3.1", *where, "--json", saved)
    assert ran.code == PASSED, ran.out + ran.err
    known = "On an A100, 3 blocks of 512 threads are on a multiprocessor at a time: 48 of its 64"
    assert f"\n  {known} warps, limited by registers. A thread has 38 registers, a block" in ran.out
    occupancy = json.loads(saved.read_text())["cases"][0]["kernels"][0]["occupancy"]
    assert (occupancy["card"], occupancy["registers"], occupancy["blocks"]) == ("a100", 38, 3)
    ran = no_cuda.run("profile", 3, "--dir", TILED, "--card", "a1")
    assert ran.code == USED_WRONGLY
    assert ran.err.startswith("There are no figures of a card `a1`. Known are h200, ")


FUSES = " fma " in Path("/proc/cpuinfo").read_text()


@pytest.mark.skipif(not FUSES, reason="the processor has no fused multiply-add")
def test_arithmetic_and_the_roofline_of_a_card(no_cuda):
    json_file, page = no_cuda.home / "profile.json", no_cuda.home / "profile.html"
    where = ("--dir", TILED, "--case", "four_tiles", "--card", "a100")
    ran = no_cuda.run("profile", 3, *where, "--json", json_file, "--html", page)
    assert ran.code == PASSED, ran.out + ran.err
    assert "case four_tiles  n 1, c 1, h 19, w 37, m 1, kernel 3 x 3\n" in ran.out
    products = 17 * 35 * 3 * 3
    lines = ran.out.splitlines()
    (fused,) = [i for i, line in enumerate(lines) if f"^ arithmetic     {products:,} float" in line]
    assert lines[fused].endswith(" float fma")
    assert any(" sum += " in line for line in lines[fused - 3 : fused])
    (kernel,) = json.loads(json_file.read_text())["cases"][0]["kernels"]
    assert [line["float_fma"] for line in kernel["arithmetic"]] == [products]
    roofline = kernel["roofline"]
    assert (roofline["card"], roofline["flop"], roofline["bound"]) == (
        "a100",
        2 * products,
        "memory",
    )
    sectors = kernel["different_sectors_loaded"] + kernel["different_sectors_stored"]
    # Input, weights, bias and output; each may begin within a sector.
    least = [-(-elements // 8) for elements in (19 * 37, 9, 1, 17 * 35)]
    assert sum(least) <= sectors <= sum(least) + len(least)
    assert roofline["least_bytes"] == 32 * sectors
    most = roofline["flop"] / roofline["least_bytes"] * roofline["memory_gb_s"]
    assert roofline["attainable_gflops"] == pytest.approx(most)
    assert f"On an A100 at most {most:,.0f} of 19,500 GFLOP/s (estimate): memory-bound" in ran.out
    assert "<title>The roofline of an A100</title>" in page.read_text()


def test_a_case_can_be_chosen_and_the_same_figures_come_again(no_cuda):
    words = ("profile", 3, "--dir", TILED, "--case", "inside_one_tile")
    first = no_cuda.run(*words)
    assert first.code == PASSED, first.out + first.err
    assert first.out == no_cuda.run(*words).out
    assert first.out.startswith("conv2d_tiled_single, case inside_one_tile  n 1, ")


def test_what_is_not_started_is_said(no_cuda):
    assert no_cuda.run("start", 3).code == PASSED
    ran = no_cuda.run("profile", 3, "1")
    assert ran.code == FALLS_SHORT
    assert "conv2d_tiled_single (task 03.1) is not started.\n" in ran.out


def test_a_function_may_launch_no_kernel(no_cuda):
    where = ("--dir", ROOT / "solutions/05_backward", "--case", "bad_calls_are_refused")
    ran = no_cuda.run("profile", 5, *where)
    assert ran.code == PASSED, ran.out + ran.err
    assert "  It launches no kernel.\n" in ran.out


def test_a_crash_is_said_and_the_next_case_goes_on(no_cuda, tmp_path):
    folder = shutil.copytree(TILED, tmp_path / "tiled")
    single = folder / "tiled_single.cu"
    text = single.read_text()
    single.write_text(text.replace("__syncthreads();", "__syncthreads(); *(int*)0 = 1;", 1))
    ran = no_cuda.run("profile", 3, "--dir", folder)
    assert ran.code == FALLS_SHORT
    assert "conv2d_tiled_single launched a kernel that " in ran.out
    assert "conv2d_tiled, case " in ran.out and "\n  tiled.cu\n" in ran.out


def test_wrong_use_is_one_sentence(no_cuda):
    ran = no_cuda.run("profile", 1)
    assert ran.code == USED_WRONGLY
    assert ran.err == "01_cpu_conv has no kernels; `profile` is for GPU stages.\n"
    ran = no_cuda.run("profile", 3, "9")
    assert ran.code == USED_WRONGLY
    assert ran.err.startswith("03_tiled_conv has no task `9`. Tasks: 03.1, ")
