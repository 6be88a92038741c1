# SPDX-License-Identifier: MIT
"""How many of the planted mistakes one change of `check --mend` would undo: the changes that it
tries are found in the mistaken file, and one of them must give the solution, token by token. It
compiles and runs nothing, so it says at once what a new kind of change is worth.

    python3 tests/mistakes/reach.py build/test/bin/repair_reach [--half look|judge] [--list]

Who adds kinds of changes looks at the half `look` only, and counts with the other one."""

import argparse
import random
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from catalogue import ROOT, Mistake, load

SEED = 18


def halves(mistakes: list[Mistake]) -> dict[str, list[Mistake]]:
    names = sorted(one.id for one in mistakes)
    look = set(random.Random(SEED).sample(names, len(names) // 2))
    return {
        "look": [one for one in mistakes if one.id in look],
        "judge": [one for one in mistakes if one.id not in look],
    }


def headers_in(folder: Path) -> list[Path]:
    return [p for p in sorted(folder.rglob("*")) if p.suffix in (".h", ".cuh", ".hpp")]


def reach(one: Mistake, binary: Path) -> str:
    """What the tool prints, such as `1200 2 A factor is missing`, or `several files`."""
    solution = ROOT / "solutions" / one.stage
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        one.hand_in(folder)
        changed = [
            name
            for name in sorted({edit["file"] for edit in [*one.edit, *one.file]})
            if not (solution / name).exists()
            or (folder / name).read_bytes() != (solution / name).read_bytes()
        ]
        if len(changed) != 1 or not (solution / changed[0]).exists():
            return "0 several files"
        headers = [
            *headers_in(ROOT / "runtime/include/convkit"),
            *sorted((ROOT / "assignments" / one.stage).glob("*.h")),
            *headers_in(folder),
        ]
        command = [binary, folder / changed[0], solution / changed[0], *headers]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", type=Path)
    parser.add_argument("--half", choices=["look", "judge"], default="judge")
    parser.add_argument("--list", action="store_true", help="each mistake with what undoes it")
    options = parser.parse_args()
    planted, undone = Counter(), Counter()
    for one in halves(load(Mistake))[options.half]:
        count, said = reach(one, options.binary).split(" ", 1)
        is_undone = said not in ("outside", "several files")
        planted[one.stage] += 1
        undone[one.stage] += is_undone
        if options.list:
            print(f"{one.id}: {count} changes, {said}")
    for stage in sorted(planted):
        print(f"| {stage} | {planted[stage]} | {undone[stage]} |")
    print(f"| all | {planted.total()} | {undone.total()} |")


if __name__ == "__main__":
    main()
