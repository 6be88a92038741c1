# SPDX-License-Identifier: MIT
"""`bench --sweep` and `bench --ladder` without a GPU: what they print, write and remember."""

import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from driver import (
    FALLS_SHORT,
    GRADER_FAILED,
    PASSED,
    ROOT,
    STAGE,
    USED_WRONGLY,
    kit_copy,
    submission,
)

PRODUCT = "04_unroll_gemm"
SOLUTION = ROOT / "solutions" / PRODUCT
STAGE_FILE = f"assignments/{PRODUCT}/stage.toml"
# Three constants. The tile of a thread cannot be 5: a static_assert refuses it.
SMALL_SWEEP = """
[[sweep]]
name = "small"
title = "Tiles of gemm_blocked"
file = "gemm_blocked.cu"
shape = "64 x 64 x 64"
op = "gemm_blocked"
terms = 64
flop = 524288
params = {rows = 64, inner = 64, cols = 64}
inputs = {a = [64, 64], b = [64, 64]}
output = {c = [64, 64]}
[sweep.macros]
GEMM_TILE_N = [32, 64]
GEMM_TILE_M = [32, 64]
GEMM_THREAD_M = [4, 5]
"""
SMALL_LADDER = """
[[ladder]]
name = "small"
title = "Products"
shape = "64 x 64 x 64"
op = "gemm_fast"
terms = 64
flop = 524288
params = {rows = 64, inner = 64, cols = 64}
inputs = {a = [64, 64], b = [64, 64]}
output = {c = [64, 64]}
[[ladder.step]]
title = "plain"
from = "baseline"
[[ladder.step]]
title = "tiles"
op = "gemm_tiled"
[[ladder.step]]
title = "library"
from = "peers/cublas.cu"
peer = true
"""
# A ladder of two kernels for one operation; the first one is a rung of the real ladder.
RUNGS = """
[[ladder]]
name = "rungs"
title = "Convolutions"
shape = "2x3x9x9 -> 5, 3x3"
op = "conv2d_implicit"
terms = 28
flop = 26460
params = {n = 2, c = 3, h = 9, w = 9, m = 5, kh = 3, kw = 3, pad_h = 0, pad_w = 0, stride_h = 1, \
stride_w = 1, dilation_h = 1, dilation_w = 1, groups = 1}
inputs = {x = [2, 3, 9, 9], w = [5, 3, 3, 3], b = [5]}
output = {y = [2, 5, 7, 7]}
[[ladder.step]]
title = "rung"
rung = "ladder/tiled.cuh"
in_place_of = "fast/implicit.cuh"
[[ladder.step]]
title = "whole"
"""


@pytest.fixture(scope="module")
def small_kit(tmp_path_factory):
    """The kit with one small sweep and one small ladder."""
    kit = kit_copy(tmp_path_factory.mktemp("small_kit"))
    file = kit / STAGE_FILE
    text = file.read_text()
    cut = min(text.index(f"[[{word}]]") for word in ("sweep", "ladder"))
    file.write_text(text[:cut] + SMALL_SWEEP + SMALL_LADDER)
    return kit


@pytest.fixture
def bench(no_cuda, small_kit, tmp_path):
    """bench("--sweep", ...): on the solution, with the figures as `result`."""

    def run(*arguments, folder=SOLUTION):
        figures = tmp_path / "figures.json"
        figures.unlink(missing_ok=True)
        where = ["--dir", folder, "--device", "cpu", "--json", figures]
        ran = no_cuda.run(
            "bench", 4, *arguments, *where, env={"CONVKIT_ROOT": str(small_kit)}, timeout=240
        )
        if figures.exists():
            ran.result = json.loads(figures.read_text())
        return ran

    return run


def picture_of(ran):
    file = re.search(r"^Picture: (.+)$", ran.out, re.MULTILINE)[1]
    return ElementTree.parse(file).getroot()


def texts_of(picture):
    return [child.text for child in picture if child.tag.endswith("text")]


def test_a_sweep_counts_every_combination_and_marks_the_best(bench, no_cuda):
    ran = bench("--sweep")
    assert ran.code == PASSED, ran.err + ran.out
    assert "Tiles of gemm_blocked: 8 combinations" in ran.out
    assert "These are counts, not times" in ran.out
    sweep = ran.result["sweeps"][0]
    cells = {tuple(cell["values"].values()): cell for cell in sweep["combinations"]}
    assert list(sweep["combinations"][0]["values"]) == [
        "GEMM_TILE_N",
        "GEMM_TILE_M",
        "GEMM_THREAD_M",
    ]
    assert len(cells) == 8
    # A tile of N x M needs (N + M) / (N M) loads for each product.
    for (n, m, thread), cell in cells.items():
        if thread == 5:
            assert "threads fill the tile" in cell["error"]
        else:
            loads = cell["per_output"]["global_loads"]
            assert loads == pytest.approx(64 * (n + m) / (n * m))
    assert [values for values, cell in cells.items() if cell.get("best")] == [(64, 64, 4)]
    assert ran.out.count("<- fewest loads") == 1
    assert "4 of 8 do not compile" in ran.out
    assert not re.search(r"\bms\b|GFLOP", ran.out)
    texts = texts_of(picture_of(ran))
    assert "Tiles of gemm_blocked" in texts
    assert {"32", "64", "2", "3", "4"} <= set(texts)
    assert no_cuda.left_behind() == []


def test_a_second_sweep_takes_its_figures_from_the_cache(bench, no_cuda):
    first = bench("--sweep", "small")
    assert first.code == PASSED, first.err + first.out
    cache = Path(no_cuda.environment["CONVKIT_CACHE"])
    files = sorted(cache.iterdir())
    again = bench("--sweep", "small")
    assert again.out == first.out
    assert again.result == first.result
    assert sorted(cache.iterdir()) == files


def test_a_macro_that_nobody_uses_is_named(bench, tmp_path):
    folder = tmp_path / "mine"
    shutil.copytree(SOLUTION, folder)
    for file in folder.glob("*.cu"):
        file.write_text(file.read_text().replace("GEMM_TILE_M", "MY_TILE_M"))
    ran = bench("--sweep", folder=folder)
    assert ran.code == USED_WRONGLY, ran.out
    assert "gemm_blocked.cu does not use GEMM_TILE_M." in ran.err
    assert "#ifndef GEMM_TILE_M" in ran.err


def test_a_ladder_counts_its_steps(bench):
    ran = bench("--ladder")
    assert ran.code == PASSED, ran.err + ran.out
    assert "library is left out" in ran.out
    plain, tiles = ran.result["ladders"][0]["steps"]
    assert plain["global_loads"] / plain["outputs"] == 2 * 64
    assert plain["shared_loads"] == plain["barriers"] == 0
    assert plain["multiply_adds_per_output"] == tiles["multiply_adds_per_output"] == 64
    # Each thread reads the values from the tiles once for each product.
    assert tiles["shared_loads"] / tiles["outputs"] == 2 * 64
    assert tiles["global_loads"] < plain["global_loads"] / 8
    assert tiles["global_stores"] == plain["global_stores"] == 64 * 64
    assert re.search(r"^  tiles .* 0\.\d+x the accesses$", ran.out, re.MULTILINE)
    texts = texts_of(picture_of(ran))
    assert {"Products", "plain", "tiles"} <= set(texts)


@pytest.fixture
def rung_kit(small_kit, tmp_path):
    """The small kit with a ladder that has a rung."""
    kit = tmp_path / "kit"
    shutil.copytree(small_kit, kit, symlinks=True)
    file = kit / STAGE_FILE
    file.write_text(file.read_text() + RUNGS)
    return kit


def climb(no_cuda, kit, *options):
    options = ["--ladder", "rungs", "--dir", SOLUTION, "--device", "cpu", *options]
    return no_cuda.run("bench", 4, *options, env={"CONVKIT_ROOT": str(kit)}, timeout=240)


def test_a_rung_is_the_solution_with_one_file_replaced(no_cuda, rung_kit, tmp_path):
    ran = climb(no_cuda, rung_kit, "--json", tmp_path / "figures.json")
    assert ran.code == PASSED, ran.err + ran.out
    rung, whole = json.loads((tmp_path / "figures.json").read_text())["ladders"][0]["steps"]
    assert rung["rung"] == "ladder/tiled.cuh" and "rung" not in whole
    # The figures are for one image: two blocks of 16 x 32 threads wait twice, because a tile of 32
    # holds all 27 products.
    assert rung["barriers"] == 2 * 16 * 32 * 2
    assert rung["global_loads"] != whole["global_loads"]


def test_without_solutions_rungs_are_left_out(no_cuda, rung_kit):
    (rung_kit / "solutions").unlink()
    ran = climb(no_cuda, rung_kit)
    assert ran.code == PASSED, ran.err + ran.out
    assert "rung is left out: this copy of the kit has no solutions." in ran.out
    assert re.search(r"^  whole ", ran.out, re.MULTILINE)


def test_a_missing_rung_is_the_kits_own_fault(no_cuda, rung_kit):
    file = rung_kit / STAGE_FILE
    file.write_text(file.read_text().replace("ladder/tiled.cuh", "ladder/lost.cuh"))
    ran = climb(no_cuda, rung_kit)
    assert ran.code == GRADER_FAILED
    assert 'stage.toml: the step "rung" names ladder/lost.cuh, which is not in' in ran.err


def test_verify_names_a_rung_that_is_wrong(no_cuda, tmp_path):
    stage = "03_tiled_conv"
    kit = kit_copy(tmp_path)
    shutil.rmtree(kit / "assignments" / stage / "wrong")
    (kit / "solutions").unlink()
    shutil.copytree(ROOT / "solutions", kit / "solutions")
    file = kit / "assignments" / stage / "stage.toml"
    for rung in ("rows_and_maps", "vector_weights"):
        step = rf'\[\[ladder.step\]\]\ntitle = ".*"\nrung = "ladder/{rung}.cuh"\nin_place_of = .*\n'
        text, count = re.subn(step, "", file.read_text())
        assert count == 1
        file.write_text(text)
    rung = kit / "solutions" / stage / "ladder/four_maps.cuh"
    text, count = re.subn(r"\n    __syncthreads\(\);  // everyone .*", "", rung.read_text())
    assert count == 1
    rung.write_text(text)
    options = ["--stage", 3, "--device", "cpu", "--no-speed", "--no-references", "--no-handouts"]
    ran = no_cuda.run("verify", *options, env={"CONVKIT_ROOT": str(kit)}, timeout=500)
    assert ran.code == GRADER_FAILED, ran.out
    failed = [line for line in ran.out.splitlines() if line.startswith("FAIL")]
    plain, checked = failed
    assert "rung four_maps  " in plain and "outputs differ" in plain
    assert "rung four_maps, check mode" in checked and "no barrier between" in checked


def test_atomics_are_counted_apart(no_cuda, tmp_path):
    figures = tmp_path / "figures.json"
    arguments = ["--ladder", "xgrad", "--solution", "--device", "cpu", "--json", figures]
    ran = no_cuda.run("bench", 5, *arguments, timeout=180)
    assert ran.code == PASSED, ran.err + ran.out
    steps = json.loads(figures.read_text())["ladders"][0]["steps"]
    scatter, gather = (
        next(step for step in steps if step["op"] == f"conv2d_xgrad_{how}")
        for how in ("scatter", "gather")
    )
    # One for each product: 3 x 3 taps over 14 x 14 outputs, without those in the padding.
    assert scatter["global_atomics"] == 2 * 8 * 32 * (3 * 14 - 2) ** 2
    assert gather["global_atomics"] == 0


def test_a_picture_is_written_to_the_file_that_svg_names(bench, tmp_path):
    ran = bench("--ladder", "small", "--svg", tmp_path / "own.svg")
    assert ran.code == PASSED, ran.err + ran.out
    assert ElementTree.parse(tmp_path / "own.svg").getroot().tag.endswith("svg")


def test_a_step_that_fails_is_reported_beside_the_others(bench, tmp_path):
    folder = tmp_path / "mine"
    shutil.copytree(SOLUTION, folder)
    tiled = (folder / "gemm_tiled.cu").read_text()
    text = re.sub(r"gemm_tiled_kernel<<<.*?>>>", "gemm_tiled_kernel<<<0, 0, 0, stream>>>", tiled)
    assert text != tiled
    (folder / "gemm_tiled.cu").write_text(text)
    ran = bench("--ladder", folder=folder)
    assert ran.code == FALLS_SHORT, ran.err + ran.out
    plain, tiles = ran.result["ladders"][0]["steps"]
    assert "error" not in plain
    assert "cudaErrorInvalid" in tiles["error"]


def test_a_step_that_is_not_started_has_no_counts(no_cuda, small_kit):
    environment = {"CONVKIT_ROOT": str(small_kit)}
    assert no_cuda.run("start", 4, env=environment).code == PASSED
    ran = no_cuda.run("bench", 4, "--ladder", "--device", "cpu", env=environment, timeout=240)
    assert ran.code == FALLS_SHORT, ran.err + ran.out
    assert re.search(
        r"^  tiles  gemm_tiled \(task 04\.3\) is not started\.$", ran.out, re.MULTILINE
    )
    assert "nan" not in ran.out and "inf" not in ran.out


@pytest.mark.parametrize("kind", ["sweep", "ladder"])
def test_an_unknown_name_is_answered_with_the_known_ones(bench, kind):
    ran = bench(f"--{kind}", "smal")
    assert ran.code == USED_WRONGLY
    said = f"{PRODUCT} has no {kind} `smal`. Did you mean `small`? There is: small.\n"
    assert ran.err == said


@pytest.mark.parametrize("kind", ["sweep", "ladder"])
def test_a_stage_without_sweeps_or_ladders_says_so(no_cuda, kind):
    ran = no_cuda.run("bench", 2, f"--{kind}", "--solution", "--device", "cpu")
    assert ran.code == USED_WRONGLY
    assert ran.err == f"02_direct_conv has no {kind}.\n"


def test_a_sweep_and_a_ladder_are_two_commands(bench):
    ran = bench("--ladder", "--sweep")
    assert ran.code == USED_WRONGLY
    assert "excludes" in ran.err


def test_a_mistake_in_a_sweep_is_named_with_its_line(no_cuda, tmp_path):
    kit = kit_copy(tmp_path, [(STAGE_FILE, r"^\[sweep\.macros\]", "[sweep.macro]")])
    ran = no_cuda.run("list", env={"CONVKIT_ROOT": str(kit)})
    assert ran.code == GRADER_FAILED
    assert re.search(r"stage\.toml:\d+: \[\[sweep\]\] unknown key `macro`\.", ran.err)


# --- Times, as on a GPU: a stage of the CPU has them everywhere ----------------------------------

CONV = """
#include "cpu_conv.h"
#ifndef WASTE
#define WASTE 1
#endif
static_assert(WASTE != 3, "three is refused");
void conv2d_fast(const float* x, const float* w, const float* b, float* y,
                 const Conv2dShape* shape) {
  for (int turn = 0; turn < WASTE; ++turn) conv2d_forward(x, w, b, y, shape);
  if (WASTE == 2) y[0] += 1;
}
"""
TIMED = """
[[sweep]]
name = "timed"
title = "Waste"
file = "conv2d_fast.cpp"
speed = "small"
[sweep.macros]
WASTE = [40, 1, 2, 3]
[[ladder]]
name = "timed"
title = "Steps"
speed = "small"
[[ladder.step]]
title = "the baseline"
from = "baseline"
peer = true
[[ladder.step]]
title = "another function"
op = "conv2d_forward"
[[ladder.step]]
title = "the fast one"
"""


@pytest.fixture
def timed(convkit, strict_kit, tmp_path):
    """timed("--sweep", ...): of a stage for the CPU, on a submission that can waste time."""
    kit = tmp_path / "kit"
    shutil.copytree(strict_kit, kit, symlinks=True)
    file = kit / "assignments" / STAGE / "stage.toml"
    file.write_text(file.read_text() + TIMED)
    folder = submission(tmp_path / "ada", {"conv2d_fast.cpp": CONV}) / STAGE

    def run(*arguments):
        figures = tmp_path / "figures.json"
        where = ["--dir", folder, "--json", figures, "--seconds", 0.2]
        environment = {"CONVKIT_ROOT": str(kit)}
        ran = convkit.run("bench", 1, *arguments, *where, env=environment, timeout=120)
        ran.result = json.loads(figures.read_text())
        return ran

    return run


def test_a_sweep_times_what_is_right_and_leaves_out_the_rest(timed):
    ran = timed("--sweep")
    assert ran.code == PASSED, ran.err + ran.out
    cells = ran.result["sweeps"][0]["combinations"]
    wasteful, good, wrong, refused = cells
    assert wasteful["median_ms"] > 3 * good["median_ms"]
    assert good["best"] is True and "best" not in wasteful
    assert "are wrong on the timed shape" in wrong["error"]
    assert "three is refused" in refused["error"]
    assert ran.out.count("<- best") == 1
    assert "2 of 4 do not compile, do not launch, or are wrong" in ran.out
    # The figures come from the cache; they are not measured again.
    again = timed("--sweep")
    assert again.result == ran.result
    assert timed("--sweep", "--again").result != ran.result


def test_a_ladder_times_its_steps_against_the_peer(timed):
    ran = timed("--ladder")
    assert ran.code == PASSED, ran.err + ran.out
    peer, other, fast = ran.result["ladders"][0]["steps"]
    assert peer["share_of_peer"] == 1
    assert other["share_of_peer"] == pytest.approx(peer["median_ms"] / other["median_ms"])
    assert fast["gflops"] == pytest.approx(2654208e-6 / fast["median_ms"])
    assert "% of the peer" in ran.out and "x as fast" in ran.out
    assert {"Steps", "GFLOP/s", "the fast one"} <= set(texts_of(picture_of(ran)))
