# SPDX-License-Identifier: MIT
"""Figures of threads and what they touch: grid and output, warps, sectors, broadcast."""

from __future__ import annotations

import counts
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
    WRONG_FILL,
    Svg,
)


def grid_to_output() -> str:
    rows, cols = counts.OUTPUT_ROWS, counts.OUTPUT_COLS
    tile_h, tile_w = counts.TILE_ROWS, counts.TILE_COLS
    tiles_h, tiles_w = counts.tiles(rows, tile_h), counts.tiles(cols, tile_w)
    s = Svg(
        780,
        420,
        "From the grid to the output",
        "A feature map of 21 x 43 outputs is covered by six tiles of 8 x 32; threads that lie "
        "outside return. Maps and images are the other two dimensions of the grid.",
    )
    unit, left, top = 7.5, 40, 70
    s.text(left, 34, f"one feature map: {rows} \u00d7 {cols} outputs", 14, "start", bold=True)
    s.text(left, 54, f"tiles of {tile_h} \u00d7 {tile_w}, tiles_w = {tiles_w}", 13, "start", SOFT)
    s.rect(left, top, tiles_w * tile_w * unit, tiles_h * tile_h * unit, PADDING, RULE)
    s.rect(left, top, cols * unit, rows * unit, OUTPUT, OUTPUT_EDGE, 2)
    for block in range(tiles_h * tiles_w):
        y, x = top + block // tiles_w * tile_h * unit, left + block % tiles_w * tile_w * unit
        s.rect(x, y, tile_w * unit, tile_h * unit, "none", INK)
        s.text(x + 8, y + 18, f"blockIdx.x = {block}", 12, "start", SOFT)
    block, tx, ty = 3, 7, 5
    i, j = counts.place(block, tx, ty)
    s.rect(left + j * unit, top + i * unit, unit, unit, KERNEL_EDGE, KERNEL_EDGE)
    s.line(left + j * unit + 4, top + (i + 1) * unit, left + j * unit + 4, 290, KERNEL_EDGE)
    idle, every = counts.idle_threads()
    lines = (
        f"thread ({tx}, {ty}) of block {block}:",
        f"i = {block} / {tiles_w} \u00b7 {tile_h} + {ty} = {i}",
        f"j = {block} % {tiles_w} \u00b7 {tile_w} + {tx} = {j}",
    )
    for k, text in enumerate(lines):
        s.text(left + 190, 308 + 20 * k, text, 13, "start", KERNEL_EDGE, k == 0, k > 0)
    s.rect(left, 296, 14, 14, PADDING, RULE)
    s.text(left + 22, 308, "no output here:", 13, "start")
    s.text(left + 22, 328, f"{idle} of {every} threads", 13, "start")
    s.text(left + 22, 348, "return at once", 13, "start")

    for k in range(2, -1, -1):
        x, y = 580 + 16 * k, 108 - 14 * k
        s.rect(x, y, 120, 66, OUTPUT, OUTPUT_EDGE, 1.5)
    s.text(640, 146, "map m", 13)
    s.text(640, 60, "image 0", 13, bold=True)
    for k in range(2, -1, -1):
        x, y = 580 + 16 * k, 238 - 14 * k
        s.rect(x, y, 120, 66, OUTPUT, OUTPUT_EDGE, 1.5)
    s.text(640, 276, "map m", 13)
    s.text(640, 196, "image 1", 13, bold=True)
    s.text(560, 330, "blockIdx.y: the map", 13, "start", mono=True)
    s.text(560, 350, "blockIdx.z: the image", 13, "start", mono=True)
    s.text(
        left,
        400,
        "dim3 grid(tiles_h * tiles_w, m, n);   dim3 block(32, 8);",
        13,
        "start",
        mono=True,
    )
    return s.finish()


def warp_on_a_row() -> str:
    s = Svg(
        780,
        384,
        "A warp on a row",
        "In a block of 32 x 8 threads a warp is one row of 32 outputs; in one of 16 x 16 it is two "
        "rows of 16. Each reads what lies in memory beside its neighbours.",
    )
    colours = ((INPUT, INPUT_EDGE), (KERNEL, KERNEL_EDGE), (OUTPUT, OUTPUT_EDGE))
    unit = 11
    for x0, cols, rows, title in (
        (30, 32, 8, "dim3 block(32, 8)"),
        (470, 16, 16, "dim3 block(16, 16)"),
    ):
        s.text(x0, 34, title, 14, "start", bold=True, mono=True)
        for y in range(rows):
            for x in range(cols):
                warp = (y * cols + x) // counts.WARP
                fill, edge = colours[warp % 3]
                s.rect(x0 + x * unit, 52 + y * unit, unit, unit, fill, edge, 0.5)
        for warp in range(min(3, rows * cols // counts.WARP)):
            y = 52 + (warp * counts.WARP // cols + counts.WARP / cols / 2) * unit + 4
            s.text(x0 + cols * unit + 8, y, f"warp {warp}", 10, "start", colours[warp % 3][1])
    s.text(
        30,
        164,
        "threads are numbered x first, then y; 32 in a row of numbers are a warp",
        12,
        "start",
        SOFT,
    )
    s.text(
        30,
        268,
        "what warp 0 reads of a row of x, for one tap (p, q), stride 1",
        14,
        "start",
        bold=True,
    )
    for y, title, runs in (
        (290, "32 \u00d7 8", ((2, 32),)),
        (332, "16 \u00d7 16", ((2, 16),)),
    ):
        s.text(30, y + 17, title, 13, "start", SOFT)
        for k in range(48):
            hit = any(first <= k < first + length for first, length in runs)
            s.rect(
                100 + k * unit,
                y,
                unit,
                24,
                INPUT if hit else PLAIN,
                INPUT_EDGE if hit else RULE,
                0.7,
            )
    s.text(640, 307, "one run of 128 bytes", 12, "start", SOFT)
    s.text(640, 342, "two runs of 64 bytes,", 12, "start", SOFT)
    s.text(640, 358, "one in each row", 12, "start", SOFT)
    return s.finish()


def coalescing() -> str:
    s = Svg(
        780,
        404,
        "Coalescing",
        "How many sectors of 32 bytes a warp fetches for 32 floats: 4 where they are neighbours, 5 "
        "where they are shifted, 8 with stride 2, 32 down a column.",
    )
    unit, left, shown = 9.2, 30, 72
    cases = (
        ("neighbours, aligned", list(range(32)), "x[i][j], tap q = 0"),
        ("neighbours, shifted by one", [k + 1 for k in range(32)], "x[i][j + 1], tap q = 1"),
        ("every second one", [2 * k for k in range(32)], "a convolution of stride 2"),
        ("one row apart", [40 * k for k in range(32)], "lanes along a column, rows of 40"),
    )
    s.text(left, 32, "a warp reads 32 floats: 128 bytes that it needs", 14, "start", bold=True)
    s.text(left, 52, "memory, in sectors of 8 floats = 32 bytes", 13, "start", SOFT)
    for row, (title, addresses, example) in enumerate(cases):
        y = 92 + 78 * row
        touched = counts.sectors(addresses)
        s.text(left, y - 8, f"{title}: {example}", 13, "start")
        for k in range(shown):
            sector = k // counts.SECTOR_FLOATS
            fill = KERNEL_EDGE if k in addresses else KERNEL if sector in touched else PLAIN
            s.rect(left + k * unit, y, unit, 20, fill, RULE, 0.5)
        for sector in range(shown // counts.SECTOR_FLOATS):
            s.rect(left + sector * 8 * unit, y, 8 * unit, 20, "none", INK, 1)
        if max(addresses) >= shown:
            s.text(left + shown * unit + 8, y + 15, "...", 14, "start")
        used = 100 * 32 // (len(touched) * counts.SECTOR_FLOATS)
        good = len(touched) <= 5
        s.text(
            left,
            y + 38,
            f"{len(touched)} sectors, {used} % of what is fetched is used",
            13,
            "start",
            OUTPUT_EDGE if good else WRONG,
            True,
        )
    return s.finish()


def constant_broadcast() -> str:
    s = Svg(
        780,
        300,
        "Constant memory and a warp",
        "All lanes read the same weight: one read, handed to all 32. Lanes that read different "
        "weights are served one address after the other.",
    )
    unit = 10
    for x0, title, same in (
        (30, "the same address in all lanes", True),
        (420, "another address in every lane", False),
    ):
        s.text(x0, 34, title, 14, "start", OUTPUT_EDGE if same else WRONG, True)
        s.text(x0, 62, "c_filters", 12, "start", SOFT, mono=True)
        for k in range(32):
            hit = k == 11 if same else True
            fill = (KERNEL if same else WRONG_FILL) if hit else PLAIN
            edge = (KERNEL_EDGE if same else WRONG) if hit else RULE
            s.rect(x0 + k * unit, 70, unit, 22, fill, edge, 0.8)
            s.rect(x0 + k * unit, 170, unit, 22, INPUT, INPUT_EDGE, 0.8)
            source = 11 if same else k
            if k % 3 == 0 or (same and k == 31):
                s.line(
                    x0 + (source + 0.5) * unit,
                    94,
                    x0 + (k + 0.5) * unit,
                    168,
                    KERNEL_EDGE if same else WRONG,
                    1,
                )
        s.text(x0, 212, "lanes 0 ... 31 of a warp", 12, "start", SOFT)
    s.text(30, 248, "w[m][c][p][q]: m belongs to the block, c, p and q", 13, "start")
    s.text(30, 267, "to the loops. One read serves 32 products.", 13, "start")
    s.text(420, 248, "filters[threadIdx.x]: up to 32 reads,", 13, "start")
    s.text(420, 267, "one after the other. Use global memory for this.", 13, "start")
    return s.finish()
