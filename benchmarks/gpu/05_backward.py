#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds, checks and times stage 05 on a GPU, and writes what came out as JSON.

python3 benchmarks/gpu/05_backward.py --out FILE

Needs nvcc and cuDNN. Every gradient is checked against the plain kernels of the baseline before it
is timed, and those that must give the same bits are run 20 times.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STAGE, SOLUTION = "assignments/05_backward", "solutions/05_backward"


def renamed(prefix: str) -> list[str]:
    """The functions of another contestant get another name."""
    return [
        f"-Dconv2d_{which}_gemm{suffix}={prefix}_{which}{suffix}"
        for which in ("xgrad", "wgrad")
        for suffix in ("", "_workspace")
    ]


def build(folder: Path) -> Path:
    flags = ["-arch=native", "-std=c++17", "-O3", "-Iruntime/include", f"-I{STAGE}"]
    sources = {str(path.relative_to(ROOT)): [] for path in sorted((ROOT / SOLUTION).glob("*.cu"))}
    sources |= {
        "benchmarks/gpu/05_backward.cu": [],
        f"{STAGE}/baseline/backward.cu": renamed("baseline"),
        f"{STAGE}/peers/cudnn.cu": renamed("cudnn"),
    }
    objects, running = [], []
    for number, (source, names) in enumerate(sources.items()):
        objects.append(str(folder / f"{number}.o"))
        command = ["nvcc", *flags, *names, "-c", source, "-o", objects[-1]]
        running.append((source, subprocess.Popen(command, cwd=ROOT)))
    for source, process in running:
        if process.wait() != 0:
            raise SystemExit(f"{source} does not compile.")
    program = folder / "bench"
    subprocess.run(["nvcc", *objects, "-lcudnn", "-o", str(program)], check=True, cwd=ROOT)
    return program


def table(result: dict) -> None:
    for case in result["results"]:
        first = case["rows"][0]
        for row in case["rows"]:
            ratio = first["median_ms"] / row["median_ms"]
            print(
                f"{case['kind']} {case['shape']:44} {row['name']:22} {row['median_ms']:10.4f} ms "
                f"{row['tflops']:8.2f} TFLOP/s  {ratio:7.3f} x {first['name']}"
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="where the JSON goes")
    arguments = parser.parse_args()
    if not shutil.which("nvcc"):
        raise SystemExit("nvcc is not on the path.")
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        ran = subprocess.run([str(program)], stdout=subprocess.PIPE, text=True)
    result = json.loads(ran.stdout)
    table(result)
    arguments.out.write_text(json.dumps(result, indent=2) + "\n")
    return 0 if result["all_right"] else 1


if __name__ == "__main__":
    raise SystemExit(main())
