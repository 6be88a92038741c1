# SPDX-License-Identifier: MIT
"""Figures of what a warp reads and writes at a time: lines of memory, banks of shared memory."""

from __future__ import annotations

from collections import Counter

import tile_counts
from canvas import (
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
    paragraph,
)


def coalescing() -> str:
    s = Svg(
        780,
        370,
        "One store instruction of a warp",
        "Threads of a warp that write neighbouring outputs fill four sectors of 32 bytes. Threads "
        "that each own seven neighbouring outputs of a row touch 28 sectors with one instruction.",
    )
    cell, shown = 5.5, 16  # pixels of a float, sectors drawn
    width = tile_counts.SECTOR * cell
    s.text(40, 34, "one store instruction of a warp, 32 floats", 15, "start", bold=True)
    rows = (
        ("thread t writes column t", 1, "strips down: a thread owns 7 rows of a column"),
        ("thread t writes column 7 t", 7, "strips across: a thread owns 7 columns of a row"),
    )
    for k, (name, step, note) in enumerate(rows):
        top = 78 + 120 * k
        addresses = [step * lane for lane in range(tile_counts.WARP)]
        touched = {address // tile_counts.SECTOR for address in addresses}
        count = tile_counts.sectors(addresses)
        s.text(40, top - 12, name, 14, "start", bold=True, mono=True)
        s.text(300, top - 12, note, 13, "start", SOFT)
        for sector in range(shown):
            fill, edge = (OUTPUT, OUTPUT_EDGE) if sector in touched else (PLAIN, RULE)
            s.rect(40 + sector * width, top, width, 36, fill, edge)
        for address in addresses:
            x = 40 + address * cell
            if address < shown * tile_counts.SECTOR:
                s.rect(x + 0.5, top + 6, cell - 1, 24, OUTPUT_EDGE, OUTPUT_EDGE, 0)
        if max(addresses) >= shown * tile_counts.SECTOR:
            s.text(46 + shown * width, top + 23, "\u2026", 18, "start", SOFT)
        used = 4 * len(addresses) / (32 * count)
        said = f"{count} sectors of 32 bytes move, {used:.0%} of their bytes are wanted"
        s.text(40, top + 60, said, 14, "start", WRONG if used < 0.5 else OUTPUT_EDGE, True)
    paragraph(
        s,
        40,
        304,
        "A box is a sector of 8 floats, the smallest piece that moves between the caches. Loads "
        "obey",
        "the same rule. So strips go down: each of the seven stores of a thread is then one of the",
        "first kind, and its warp needs 28 sectors for all seven instead of for each.",
    )
    return s.finish()


def bank_conflicts() -> str:
    s = Svg(
        780,
        440,
        "Banks of shared memory",
        "The banks that the 32 reads of a warp meet: a row of 32 meets each bank once; two rows of "
        "16 of a tile 18 wide meet two banks twice; a column of a tile 32 wide meets one bank 32 "
        "times, of a tile 33 wide each bank once. One address for all is one turn.",
    )
    s.text(40, 34, "element k of shared memory lies in bank k mod 32", 15, "start", bold=True)
    width = 18
    cases = (
        ("a row of 32", [*range(32)]),
        ("two rows of 16, tile 18 wide", [18 * row + col for row in range(2) for col in range(16)]),
        ("a column, tile 32 wide", [32 * row for row in range(32)]),
        ("a column, tile 33 wide", [33 * row for row in range(32)]),
        ("one weight for the whole warp", [7] * 32),
    )
    for k, (name, addresses) in enumerate(cases):
        top = 70 + 68 * k
        turns = tile_counts.bank_turns(addresses)
        meets = Counter(address % tile_counts.BANKS for address in addresses)
        same = len(set(addresses)) == 1
        s.text(40, top - 2, name, 14, "start", bold=True)
        note = "1 turn" if turns == 1 else f"{turns} turns, one after another"
        s.text(616, top - 2, note, 13, "end", OUTPUT_EDGE if turns == 1 else WRONG, True)
        for bank in range(tile_counts.BANKS):
            times = meets[bank]
            fill, edge = INPUT, INPUT_EDGE
            if times == 0:
                fill, edge = PADDING, RULE
            elif times > 1:
                fill, edge = (KERNEL, KERNEL_EDGE) if same else (WRONG_FILL, WRONG)
            s.cell(40 + bank * width, top + 6, width, str(times or ""), fill, edge, size=11)
    s.text(40, 388, "bank 0", 11, "start", SOFT)
    s.text(616, 388, "bank 31", 11, "end", SOFT)
    legend = (
        (INPUT, INPUT_EDGE, "one read"),
        (WRONG_FILL, WRONG, "a conflict"),
        (KERNEL, KERNEL_EDGE, "a broadcast"),
    )
    for k, (fill, edge, meaning) in enumerate(legend):
        s.rect(646, 86 + 28 * k, 18, 18, fill, edge)
        s.text(672, 100 + 28 * k, meaning, 12, "start", SOFT)
    paragraph(s, 40, 420, "The numbers count the threads of the warp that read from the bank.")
    return s.finish()
