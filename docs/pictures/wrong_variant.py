#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lays out a wrong variant: the solution with the variant's edits and files in it.

    docs/pictures/wrong_variant.py 01_cpu_conv flipped_kernel FOLDER

FOLDER must not be there. `verify` and `demo` do the same (grader/stage/wrong_variant.h).
"""

import shutil
import sys
from pathlib import Path

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]


def write_wrong_variant(stage: str, variant: str, folder: Path) -> None:
    shutil.copytree(ROOT / "solutions" / stage, folder)
    stated = ROOT / "assignments" / stage / "wrong" / f"{variant}.toml"
    if not stated.exists():  # whole files
        shutil.copytree(stated.with_suffix(""), folder, dirs_exist_ok=True)
        stated = folder / "expect.toml"
    for edit in tomllib.loads(stated.read_text(encoding="utf-8")).get("edit", []):
        file = folder / edit["file"]
        text = file.read_text(encoding="utf-8")
        assert text.count(edit["find"]) == 1, f"{stated}: `find` must be in {file.name} once"
        file.write_text(text.replace(edit["find"], edit["replace"]), encoding="utf-8")
    (folder / "expect.toml").unlink(missing_ok=True)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    write_wrong_variant(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
