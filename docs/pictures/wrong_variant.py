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


def _stated(wrong: Path, variant: str) -> dict:
    """What a file of `[[variant]]` tables says of the variant."""
    for file in sorted(wrong.glob("*.toml")):
        for table in tomllib.loads(file.read_text(encoding="utf-8"))["variant"]:
            if table["name"] == variant:
                return table
    raise SystemExit(f"{wrong} has no variant {variant}.")


def write_wrong_variant(stage: str, variant: str, folder: Path) -> None:
    wrong = ROOT / "assignments" / stage / "wrong"
    whole_files = wrong / variant
    if whole_files.is_dir():
        stated = tomllib.loads((whole_files / "expect.toml").read_text(encoding="utf-8"))
    else:
        stated = _stated(wrong, variant)
    shutil.copytree(ROOT / "solutions" / stage, folder)
    if whole_files.is_dir():
        shutil.copytree(whole_files, folder, dirs_exist_ok=True)
        (folder / "expect.toml").unlink()
    for edit in stated.get("edit", []):
        file = folder / edit["file"]
        text = file.read_text(encoding="utf-8")
        assert text.count(edit["find"]) == 1, f"{variant}: `find` must be in {file.name} once"
        file.write_text(text.replace(edit["find"], edit["replace"]), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    write_wrong_variant(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
