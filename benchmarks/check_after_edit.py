#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `convkit check` costs after a one-line edit, against compiling that one file.

Each round edits conv2d_fast.cpp of a copy of the solution (a new constant, so no cache helps),
times the stage's own compiler command on it, then times `check` (which compiles, links, starts the
runner and judges every visible case). Prints JSON: medians, quartiles and the ratio by pairs.

    benchmarks/check_after_edit.py [--rounds 9] [--convkit build/default/bin/convkit]
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STAGE = "01_cpu_conv"
FILE = "conv2d_fast.cpp"


def stage_flags() -> list[str]:
    """The compiler flags of stage.toml, without needing a TOML reader on Python 3.10."""
    for line in (ROOT / "assignments" / STAGE / "stage.toml").read_text().splitlines():
        if line.startswith("flags = "):
            return json.loads(line.removeprefix("flags = "))
    sys.exit("stage.toml has no flags")


def seconds(command: list[str], **options) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **options)
    return time.perf_counter() - start


def quartiles(values: list[float]) -> dict[str, float]:
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return {"median": median, "lower_quartile": low, "upper_quartile": high}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--convkit", type=Path, default=ROOT / "build/default/bin/convkit")
    arguments = parser.parse_args()

    compiler = os.environ.get("CXX", "g++")
    compile_s, check_s = [], []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work" / STAGE
        shutil.copytree(ROOT / "solutions" / STAGE, work)
        environment = os.environ | {
            "CONVKIT_WORK": str(work.parent),
            "CONVKIT_CACHE": str(Path(folder) / "cache"),
            "CONVKIT_ROOT": str(ROOT),
        }
        check = [str(arguments.convkit), "check", STAGE]
        subprocess.run(check, check=True, env=environment, stdout=subprocess.DEVNULL)
        original = (work / FILE).read_text()
        for number in range(arguments.rounds):
            (work / FILE).write_text(f"{original}\nstatic constexpr int kEdit = {number};\n")
            alone = [compiler, *stage_flags(), "-fPIC", f"-I{ROOT}/runtime/include"]
            alone += [f"-I{ROOT}/assignments/{STAGE}", "-c", FILE, "-o", f"{folder}/alone.o"]
            compile_s.append(seconds(alone, cwd=work))
            check_s.append(seconds(check, env=environment))
    ratios = [c / a for c, a in zip(check_s, compile_s)]
    figures = {
        "benchmark": "check_after_edit",
        "rounds": arguments.rounds,
        "compile_alone_s": quartiles(compile_s),
        "check_s": quartiles(check_s),
        "ratio": quartiles(ratios),
    }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
