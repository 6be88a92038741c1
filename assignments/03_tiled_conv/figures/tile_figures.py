# SPDX-License-Identifier: MIT
"""Figures of tiles: the halo, the two ways to load one, its size, and the two barriers."""

from __future__ import annotations

import tile_counts
from canvas import (
    INK,
    INPUT,
    INPUT_EDGE,
    KERNEL,
    KERNEL_EDGE,
    OUTPUT,
    OUTPUT_EDGE,
    PADDING,
    PLAIN,
    RULE,
    SOFT,
    WRONG,
    Svg,
    paragraph,
)

HALO, SECOND_OUTPUT = "#9cc4ff", "#93d79c"


def tile_halo() -> str:
    size, tile, kernel, side = 12, 4, 3, 24
    extent = tile_counts.input_extent(tile, 1, kernel, 1)
    s = Svg(
        780,
        420,
        "An output tile and the input tile it reads",
        "An input of 12 x 12 and its output of 10 x 10, divided into tiles of 4 x 4. The tile in "
        "the middle reads 6 x 6 inputs: 4 x 4 and a halo of two rows and two columns, which its "
        "neighbours read as well.",
    )
    left, top = 40, 70
    s.text(left, 36, "input x, 12 \u00d7 12", anchor="start", bold=True)
    own = {(r, c) for r in range(4, 8) for c in range(4, 8)}
    read = {(r, c) for r in range(4, 4 + extent) for c in range(4, 4 + extent)}
    for r in range(size):
        for c in range(size):
            at = (r, c)
            fill = INPUT if at in own else HALO if at in read else PLAIN
            edge = INPUT_EDGE if at in read else RULE
            s.cell(left + c * side, top + r * side, side, "", fill, edge)
    s.rect(left + 4 * side, top + 4 * side, extent * side, extent * side, "none", INPUT_EDGE, 3)
    s.text(left + 144, 380, "the tile's input: 6 \u00d7 6 = 36", 13, colour=INPUT_EDGE, bold=True)

    x0 = 480
    s.text(x0, 36, "output y, 10 \u00d7 10, tiles of 4 \u00d7 4", anchor="start", bold=True)
    for r in range(size - kernel + 1):
        for c in range(size - kernel + 1):
            inside = r // tile == 1 and c // tile == 1
            s.cell(x0 + c * side, top + r * side, side, "", OUTPUT if inside else PLAIN, RULE)
    for k in range(1, 3):
        s.line(x0 + k * tile * side, top, x0 + k * tile * side, top + 240, INK, 2)
        s.line(x0, top + k * tile * side, x0 + 240, top + k * tile * side, INK, 2)
    s.rect(x0, top, 240, 240, "none", INK, 2)
    s.rect(x0 + 4 * side, top + 4 * side, 4 * side, 4 * side, "none", OUTPUT_EDGE, 3)
    s.text(x0 + 120, 334, "16 outputs of one block", 13, colour=OUTPUT_EDGE, bold=True)
    s.text(x0 + 120, 358, "the last row and column of tiles", 13, colour=SOFT)
    s.text(x0 + 120, 376, "are cut off: 10 = 4 + 4 + 2", 13, colour=SOFT)
    s.line(x0 + 4 * side - 6, top + 6 * side, left + 10 * side + 8, top + 6 * side, arrow=True)
    s.text(405, top + 6 * side - 10, "reads", 13, colour=SOFT)
    direct, tiled = tile * tile * kernel * kernel, extent * extent
    paragraph(
        s,
        left,
        406,
        f"Dark blue is the halo. Loads of x, directly: 16 \u00b7 9 = {direct}; "
        f"through the tile: {tiled}.",
    )
    return s.finish()


def loading_strategies() -> str:
    tile, kernel, side = 6, 3, 30
    extent = tile_counts.input_extent(tile, 1, kernel, 1)
    s = Svg(
        780,
        450,
        "Two ways to load a tile",
        "Strategy 1: a block of 8 x 8 threads loads one element each, and 6 x 6 of them compute. "
        "Strategy 2: a block of 6 x 6 threads loads 8 x 8 elements in four passes, and all "
        "compute.",
    )
    s.text(40, 34, "1. the block is the input tile", anchor="start", bold=True)
    s.text(40, 54, "8 \u00d7 8 = 64 threads, a load each", 13, "start", SOFT)
    for r in range(extent):
        for c in range(extent):
            computes = r < tile and c < tile
            fill, edge = (OUTPUT, OUTPUT_EDGE) if computes else (PADDING, RULE)
            label = "y" if computes else ""
            s.cell(40 + c * side, 70 + r * side, side, label, fill, edge, size=12)
    s.rect(40, 70, extent * side, extent * side, "none", INPUT_EDGE, 3)
    s.text(40, 336, "36 of 64 threads compute, 28 only load.", 13, "start")
    s.text(40, 358, "One load, one barrier, no loop.", 13, "start")

    x0 = 430
    shades = (INPUT, KERNEL, "#e7dcf7", "#f6d9e4")
    s.text(x0, 34, "2. the block is the output tile", anchor="start", bold=True)
    s.text(x0, 54, "6 \u00d7 6 = 36 threads, all compute", 13, "start", SOFT)
    counts = [0, 0, 0, 0]
    for r in range(extent):
        for c in range(extent):
            k = 2 * (r // tile) + c // tile
            counts[k] += 1
            s.cell(x0 + c * side, 70 + r * side, side, str(k + 1), shades[k], RULE, size=12)
    s.rect(x0, 70, tile * side, tile * side, "none", OUTPUT_EDGE, 3)
    s.text(x0, 336, "64 elements in 4 passes of the loops:", 13, "start")
    s.text(x0, 358, f"{', '.join(map(str, counts))} threads have something to do.", 13, "start")
    s.line(40, 386, 740, 386, RULE)
    s.text(40, 412, "With 7\u00d77 and a block of 16 \u00d7 32:", 13, "start", bold=True)
    computing = tile_counts.outputs_of_block(16, 32, 7)
    first, second = 512 / computing, tile_counts.loads_per_output(16, 32, 7)
    one = f"1: {computing} of 512 threads compute, {first:.2f} loads for an output."
    s.text(300, 412, one, 13, "start")
    s.text(300, 434, f"2: all 512 compute, {second:.2f} loads for an output.", 13, "start")
    return s.finish()


def two_barriers() -> str:
    s = Svg(
        780,
        390,
        "Why a loop over channels needs two barriers",
        "Two warps over time. With two barriers per channel, loading and computing never overlap. "
        "Without the second one the fast warp loads channel 1 while the slow one computes "
        "channel 0.",
    )
    step = 62

    def row(top: float, name: str, boxes: list) -> None:
        s.text(40, top + 22, name, 13, "start")
        for begin, length, label, fill, edge in boxes:
            s.rect(120 + begin * step, top, length * step - 4, 34, fill, edge, 1.5, radius=3)
            s.text(120 + (begin + length / 2) * step - 2, top + 22, label, 12)

    def barrier(at: float, top: float) -> None:
        s.line(118 + at * step, top - 8, 118 + at * step, top + 92, KERNEL_EDGE, 4)

    load0, load1 = ("load c = 0", INPUT, INPUT_EDGE), ("load c = 1", HALO, INPUT_EDGE)
    use0 = ("compute c = 0", OUTPUT, OUTPUT_EDGE)
    use1 = ("compute c = 1", SECOND_OUTPUT, OUTPUT_EDGE)
    s.text(40, 34, "load, barrier, compute, barrier", 15, "start", bold=True)
    s.text(740, 34, "\u2502 a barrier", 13, "end", KERNEL_EDGE, True)
    row(56, "fast warp", [(0, 1.5, *load0), (2, 2, *use0), (5, 1.5, *load1), (7, 2, *use1)])
    row(104, "slow warp", [(0, 2, *load0), (2, 3, *use0), (5, 2, *load1), (7, 3, *use1)])
    for at in (2, 5, 7, 10):
        barrier(at, 56)
    s.text(40, 190, "without the second barrier", 15, "start", bold=True)
    row(220, "fast warp", [(0, 1.5, *load0), (2, 2, *use0), (4, 1.5, *load1), (7, 2, *use1)])
    row(268, "slow warp", [(0, 2, *load0), (2, 3, *use0), (5, 2, *load1), (7, 3, *use1)])
    for at in (2, 7):
        barrier(at, 220)
    s.rect(118 + 4 * step, 212, step - 2, 98, "none", WRONG, 2.5, "5 3", 3)
    s.text(118 + 4.5 * step, 204, "race", 14, colour=WRONG, bold=True)
    paragraph(
        s,
        40,
        344,
        "In the red time one warp overwrites the tile that the other still reads. Most of the "
        "time it",
        "does not happen; then the result is right. That is what makes a race hard to find.",
    )
    return s.finish()


def tile_extent() -> str:
    outputs, stride, kernel, dilation, side = 4, 2, 3, 2, 44
    extent = tile_counts.input_extent(outputs, stride, kernel, dilation)
    s = Svg(
        780,
        370,
        "The size of an input tile along one axis",
        "Four outputs with stride 2 and a kernel of three taps two apart read an input of 11: "
        "(4 - 1) * 2 + (3 - 1) * 2 + 1.",
    )
    left = 40
    title = f"{outputs} outputs, stride {stride}, kernel {kernel}, dilation {dilation}"
    s.text(left, 34, title, 15, "start", bold=True)
    for k in range(extent):
        s.cell(left + k * side, 56, side, str(k), INPUT, INPUT_EDGE)
    for j in range(outputs):
        top = 120 + 42 * j
        s.text(left + extent * side + 24, top + 20, f"output {j}", 13, "start", OUTPUT_EDGE, True)
        for q in range(kernel):
            at = j * stride + q * dilation
            s.cell(left + at * side + 6, top, 32, f"w{q}", KERNEL, KERNEL_EDGE, size=13)
            if q:
                s.line(left + (at - dilation) * side + 38, top + 16, left + at * side + 6, top + 16)
    terms = (
        (40, f"({outputs} \u2212 1) \u00b7 {stride}", "start of the last window"),
        (250, f"+ ({kernel} \u2212 1) \u00b7 {dilation}", "reach of a window"),
        (420, "+ 1", "both ends count"),
        (560, f"= {extent}", "elements of the input"),
    )
    for x, term, meaning in terms:
        s.text(x, 322, term, 17, "start", mono=True)
        s.text(x, 346, meaning, 13, "start", SOFT)
    return s.finish()
