#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws race.svg and out_of_bounds.svg: what check mode says of two faulty programs.

    docs/pictures/check_mode.py    # after a build; CONVKIT_BINARY names another program

The programs are two of those in cpu_device/tests/conformance/faulty. Their reports go to standard
error, in plain text on a terminal, too; the colours of this picture are its own.
"""

import os
import tempfile
from pathlib import Path

from terminal_svg import lines_of, picture_of, run_on_terminal

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "cpu_device/tests/conformance/faulty"
PROGRAMS = {"race": "race_missing_second_barrier", "out_of_bounds": "global_no_bounds_check"}
COLUMNS = 116


def picture(name: str) -> Path:
    return Path(__file__).with_name(f"{name}.svg")


def draw(name: str) -> str:
    convkit = os.environ.get("CONVKIT_BINARY", str(ROOT / "build/default/bin/convkit"))
    source = f"{PROGRAMS[name]}.cu"
    prompt = f"convkit cc --check {source} -o prog && ./prog"
    with tempfile.TemporaryDirectory() as work:
        command = f'"$1" cc --check {source} -o "$2/prog" && "$2/prog" 2>&1'
        printed = run_on_terminal(
            ["env", "-C", str(FOLDER), "sh", "-c", command, "sh", convkit, work]
        )
    what, _, rest = printed.partition(" ")
    kind, _, rest = rest.partition(" ")
    text = f"\x1b[90m$\x1b[0m \x1b[1m{prompt}\x1b[0m\n{what} \x1b[31m{kind}\x1b[0m {rest}"
    return picture_of(lines_of(text, COLUMNS), prompt)


if __name__ == "__main__":
    for each in PROGRAMS:
        picture(each).write_text(draw(each), encoding="utf-8")
