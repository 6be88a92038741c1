#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints how well `class similar` tells disguised copies from honest solutions of one task."""

import re
import sys
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "classroom"), str(Path(__file__).parent)]

from convkit_class.similarity import compare as comparing  # noqa: E402
from convkit_class.similarity.compare import Work, compare  # noqa: E402
from convkit_class.similarity.sources import StageText  # noqa: E402
from disguises import DISGUISES, disguised  # noqa: E402

STAGES = {"tiled": "03_tiled_conv"}


@dataclass(frozen=True)
class Measured:
    kind: str  # "honest", or a disguise
    name: str
    share: float


def honest_sources(file: Path) -> dict[str, str]:
    """The programs of a file of honest/ by style: each begins behind a line `// ==== STYLE`."""
    licence, *parts = re.split(r"(?m)^// ==== (\w+)\n", file.read_text(encoding="utf-8"))
    first_line = licence.splitlines()[0]
    return {
        style: f"{first_line}\n{text.rstrip()}\n"
        for style, text in zip(parts[::2], parts[1::2], strict=True)
    }


def bases() -> dict[str, dict[str, str]]:
    """The honest sources by task and style."""
    files = sorted(Path(__file__).with_name("honest").iterdir())
    return {file.stem: honest_sources(file) for file in files}


def share_of(task: str, one: str, other: str) -> float:
    """The number of a pair that hands in these sources and nothing else."""
    stage = StageText(ROOT, STAGES.get(task, "01_cpu_conv"))
    file = f"{task}.cu" if task == "tiled" else f"{task}.cpp"
    works = [Work("one", {file: one}), Work("other", {file: other})]
    found = compare(stage, works, threshold=0).pairs
    return found[0].share if found else 0


def measured() -> list[Measured]:
    found = []
    for task, styles in bases().items():
        for one, other in combinations(styles, 2):
            share = share_of(task, styles[one], styles[other])
            found.append(Measured("honest", f"{task}: {one}, {other}", share))
        for style, source in styles.items():
            for kind in DISGUISES:
                copy = disguised(source, kind, style)
                found.append(Measured(kind, f"{task}: {style}", share_of(task, source, copy)))
    return found


def precision_and_recall(all_pairs: list[Measured], threshold: float) -> tuple[float, float]:
    listed = [p for p in all_pairs if p.share >= threshold]
    right = sum(p.kind != "honest" for p in listed)
    copies = sum(p.kind != "honest" for p in all_pairs)
    return (right / len(listed) if listed else 1), right / copies


def main() -> None:
    pairs = measured()
    print(f"{'pairs':>5}  {'least':>5}  {'mean':>5}  {'most':>5}")
    for kind in ("honest", *DISGUISES):
        shares = [p.share for p in pairs if p.kind == kind]
        mean = sum(shares) / len(shares)
        print(
            f"{len(shares):>5}  {min(shares):5.0%}  {mean:5.0%}  {max(shares):5.0%}  {kind}",
        )
    print("\nthreshold  precision  recall")
    for percent in range(10, 80, 5):
        precision, recall = precision_and_recall(pairs, percent / 100)
        mark = "  <- in use" if percent / 100 == comparing.THRESHOLD else ""
        print(f"{percent:>8}%  {precision:>9.1%}  {recall:>6.1%}{mark}")
    if "-v" in sys.argv:
        for pair in sorted(pairs, key=lambda p: p.share):
            print(f"{pair.share:5.0%}  {pair.kind}  {pair.name}")


if __name__ == "__main__":
    main()
