#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables "The ladder" of the handouts: what each step of `convkit bench NN --ladder` took.

python3 benchmarks/gpu/ladders.py --measure    time all steps on this machine's GPU, and write
python3 benchmarks/gpu/ladders.py              write the tables from the figures in docs/results
python3 benchmarks/gpu/ladders.py --check      prove that the handouts hold what the figures say

A step that has not been measured yet has a dash.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from gpu_figures import time
from markdown_text import between, number, paragraph, table

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
STAGES = ["03_tiled_conv", "04_unroll_gemm", "05_backward", "07_mnist_cnn"]
BEGIN, END = "<!-- ladder: written by benchmarks/gpu/ladders.py -->", "<!-- end of ladder -->"
UNKNOWN = "—"


def figures_file(stage: str) -> str:
    return f"docs/results/gpu-h200-ladder-{stage[:2]}.json"


def bench_command(stage: str) -> list[str]:
    folder, figures = f"solutions/{stage}", figures_file(stage)
    where = ["--dir", folder, "--json", figures]
    return ["./convkit", "bench", str(int(stage[:2])), "--ladder", "--device", "gpu", *where]


def ladder_table(ladder: dict, measured: dict) -> list[str]:
    """One row a step; `measured` has the steps of the same ladder by title, or nothing."""
    rows, before = [], None
    for step in ladder["step"]:
        code = step.get("rung") or step.get("from")
        seen = measured.get(step["title"])
        if seen and "error" in seen:
            sys.exit(f'The step "{step["title"]}" was not timed: {seen["error"]}')
        faster = number(before["median_ms"] / seen["median_ms"]) + "x" if seen and before else "-"
        took = [time(seen), faster] if seen else [UNKNOWN, UNKNOWN]
        rows.append([step["title"], f"`{code}`" if code else "the solution", *took])
        before = seen or before
    return table(["step", "file", "ms", "times as fast as the step before"], rows)


def shape_title(stage: dict, ladder: dict) -> str:
    if "shape" in ladder:
        return ladder["shape"]
    return next(speed["title"] for speed in stage["speed"] if speed["name"] == ladder["speed"])


def section(root: Path, stage_id: str) -> list[str]:
    stage = tomllib.loads((root / f"assignments/{stage_id}/stage.toml").read_text())
    file = root / figures_file(stage_id)
    figures = json.loads(file.read_text()) if file.exists() else {"ladders": []}
    seen = {ladder["name"]: ladder["steps"] for ladder in figures["ladders"]}
    lines = paragraph(
        f"{figures['device']}; medians, every step checked before it was timed."
        if seen
        else "Not measured yet.",
        f"The command: `{' '.join(bench_command(stage_id))}`.",
        "Files of `ladder/` are those of the solution.",
        "The folder `solutions/` is in the course's checkout, not in a student's copy.",
    )
    for ladder in stage["ladder"]:
        lines += paragraph(f"{ladder['title']} ({shape_title(stage, ladder)}):")
        steps = {step["title"]: step for step in seen.get(ladder["name"], [])}
        lines += ladder_table(ladder, steps)
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("--measure", action="store_true", help="run the benches first, on a GPU")
    parser.add_argument("--root", type=Path, default=ROOT, help="of the kit (default: this one)")
    arguments = parser.parse_args()
    root = arguments.root
    if arguments.measure:
        for stage in STAGES:
            subprocess.run(bench_command(stage), cwd=root, check=True)
    stale = []
    for stage in STAGES:
        handout = root / f"assignments/{stage}/README.md"
        text = handout.read_text(encoding="utf-8")
        fresh = between((BEGIN, END), text, section(root, stage))
        if not arguments.check:
            handout.write_text(fresh, encoding="utf-8")
        elif fresh != text:
            stale.append(str(handout.relative_to(root)))
    if stale:
        said = f"Not what ladders.py writes: {', '.join(stale)}. Run it and commit."
        print(said, file=sys.stderr)
        return 1
    print(f"{len(STAGES)} handouts {'are up to date' if arguments.check else 'written'}.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
