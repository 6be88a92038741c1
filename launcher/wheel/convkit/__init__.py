# SPDX-License-Identifier: MIT
"""The command `convkit` of the wheel, which holds the copy of the kit for students in kit/."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    """Becomes the program. Work goes to the current folder; this Python has NumPy."""
    launcher = Path(__file__).resolve().parent / "kit" / "convkit"
    os.environ.setdefault("CONVKIT_WORK", str(Path.cwd() / "work"))
    os.environ.setdefault("CONVKIT_PYTHON", sys.executable)
    os.environ.setdefault("CONVKIT_COMMAND", "convkit")
    try:
        os.execv(launcher, [str(launcher), *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"convkit: {launcher} cannot be started: {error.strerror}.")
