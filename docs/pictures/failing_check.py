#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws check.svg, the README's picture of a failing check, from what the program prints.

    docs/pictures/failing_check.py    # after a build; CONVKIT_BINARY names another program

A wrong variant of stage 01 is checked. It is one whose numbers are the same on every machine: a
maximum is exact.
"""

import os
import tempfile
from pathlib import Path

from terminal_svg import lines_of, picture_of, run_on_terminal
from wrong_variant import write_wrong_variant

ROOT = Path(__file__).resolve().parents[2]
PICTURE = Path(__file__).with_name("check.svg")
STAGE, VARIANT = "01_cpu_conv", "pad_value_in_max_pool"
PROMPT, COLUMNS = "./convkit check 1", 116


def draw() -> str:
    program = os.environ.get("CONVKIT_BINARY", str(ROOT / "build/default/bin/convkit"))
    with tempfile.TemporaryDirectory() as work:
        write_wrong_variant(STAGE, VARIANT, Path(work) / STAGE)
        printed = run_on_terminal(["env", f"CONVKIT_WORK={work}", program, "check", "1"])
    text = f"\x1b[90m$\x1b[0m \x1b[1m{PROMPT}\x1b[0m\n{printed}"
    return picture_of(lines_of(text, COLUMNS), PROMPT)


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
