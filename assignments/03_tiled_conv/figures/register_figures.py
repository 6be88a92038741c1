# SPDX-License-Identifier: MIT
"""Figures of register blocking: the strip of a thread, and what it saves."""

from __future__ import annotations

import tile_counts
from canvas import (
    INPUT,
    INPUT_EDGE,
    KERNEL,
    KERNEL_EDGE,
    OUTPUT,
    OUTPUT_EDGE,
    RULE,
    SOFT,
    WRONG,
    Svg,
    paragraph,
)


def register_strip() -> str:
    rows, kernel, maps, side = 4, 3, 4, 34
    loaded = rows + kernel - 1
    s = Svg(
        780,
        430,
        "The strip of one thread",
        "For one column tap a thread loads six elements of a column; they serve the windows of "
        "four rows, three taps each, in four maps: 48 multiply-adds for six loads of x and three "
        "of four weights each.",
    )
    title = "one thread, one channel, one column q of a 3\u00d73 kernel"
    s.text(40, 34, title, 15, "start", bold=True)
    s.text(40, 66, "x, in registers", 13, "start", INPUT_EDGE, True)
    for r in range(loaded):
        s.cell(70, 84 + r * side, side, f"x{r}", INPUT, INPUT_EDGE, size=13)
    s.text(70, 84 + loaded * side + 20, f"{loaded} loads", 13, "start", INPUT_EDGE)
    s.text(165, 148, "\u00d7", 26, colour=SOFT)
    s.text(230, 66, "weights of 4 maps", 13, "start", KERNEL_EDGE, True)
    for p in range(kernel):
        top = 84 + p * (side + 8)
        for m in range(maps):
            s.cell(230 + m * side, top, side, f"w{p}", KERNEL, KERNEL_EDGE, size=12)
        s.text(230 + maps * side + 8, top + 22, f"p = {p}", 12, "start", SOFT)
    s.text(230, 226, "a row is one load of 16 bytes:", 13, "start", KERNEL_EDGE)
    s.text(230, 244, f"{kernel} loads, the same for the whole warp", 13, "start", KERNEL_EDGE)
    s.line(426, 140, 486, 140, arrow=True)
    s.text(500, 66, "sums, in registers", 13, "start", OUTPUT_EDGE, True)
    for m in range(maps):
        for r in range(rows):
            s.cell(500 + m * 48, 84 + r * side, side, f"y{r}", OUTPUT, OUTPUT_EDGE, size=13)
        s.text(500 + m * 48 + 17, 84 + rows * side + 18, f"map {m}", 11, colour=SOFT)
    s.text(500, 268, "y1 += w0 x1 + w1 x2 + w2 x3", 13, "start", mono=True)
    s.text(500, 290, "y2 += w0 x2 + w1 x3 + w2 x4", 13, "start", mono=True)
    s.text(500, 312, "x2 and x3 are used again", 13, "start", SOFT)
    products = rows * kernel * maps
    ratio = tile_counts.loads_per_product(maps, rows, kernel, True)
    s.line(40, 340, 740, 340, RULE)
    said = (
        f"{loaded} + {kernel} = {loaded + kernel} loads for {rows} \u00b7 {kernel} \u00b7 {maps} = "
        f"{products} multiply-adds: {ratio:.2f} loads each, instead of 2"
    )
    s.text(40, 368, said, 14, "start", OUTPUT_EDGE, True)
    paragraph(
        s,
        40,
        394,
        f"The {rows * maps} sums and {loaded} elements have no addresses: all loops over them have "
        "constant bounds and unroll.",
        "The neighbour thread does the same one column further on.",
    )
    return s.finish()


def loads_per_product() -> str:
    s = Svg(
        780,
        400,
        "Loads from shared memory for each multiply-add",
        "Bars for one output per thread, four maps, four maps of eight rows without and with "
        "shared windows, eight maps of seven rows, for a 7x7 kernel, against what a "
        "multiprocessor can do.",
    )
    title = "loads from shared memory for each multiply-add, 7\u00d77"
    s.text(40, 34, title, 15, "start", bold=True)
    names = (
        "one output per thread",
        "4 maps, weights as float4",
        "4 maps \u00d7 8 rows",
        "the same, windows share their loads",
        "8 maps \u00d7 7 rows, shared",
    )
    left, unit, limit = 320, 190, 0.25
    for k, (name, tile) in enumerate(zip(names, tile_counts.REGISTER_TILES, strict=True)):
        maps, rows, shared = tile
        loads = tile_counts.loads_per_product(maps, rows, 7, shared)
        top = 70 + 48 * k
        fill, edge = (OUTPUT, OUTPUT_EDGE) if loads <= limit else (INPUT, RULE)
        s.text(left - 14, top + 22, name, 13, "end")
        s.rect(left, top, loads * unit, 32, fill, edge)
        x = left + max(loads, limit) * unit + 8
        s.text(x, top + 22, f"{loads:.2f}", 14, "start", bold=True)
    s.line(left + limit * unit, 58, left + limit * unit, 316, WRONG, 2, dash="6 4")
    s.text(left + limit * unit, 334, "0.25", 13, colour=WRONG, bold=True)
    paragraph(
        s,
        40,
        362,
        "A multiprocessor starts 4 warps of multiply-adds in a cycle, and shared memory answers "
        "one",
        "load of a warp. Right of the red line the arithmetic waits for shared memory.",
    )
    return s.finish()
