#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What grading a stage costs beyond compiling and the student's own run.

Grades the solution with a warm compile cache and without speed points: everything but the
student's functions themselves is overhead then (starting, unpacking, probing the sandbox, starting
runners, reading references, comparing, reporting). The student's own time is bounded from below by
zero, so the figure is an upper bound of the overhead. Prints JSON.

    benchmarks/grading_overhead.py [--rounds 15] [--convkit build/default/bin/convkit]
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--convkit", type=Path, default=ROOT / "build/default/bin/convkit")
    arguments = parser.parse_args()

    samples = []
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"CONVKIT_CACHE": f"{folder}/cache", "CONVKIT_ROOT": str(ROOT)}
        command = [str(arguments.convkit), "grade", str(ROOT / "solutions"), "--no-speed"]
        command += ["--json", f"{folder}/result.json"]
        for number in range(arguments.rounds + 1):
            start = time.perf_counter()
            subprocess.run(command, env=environment, stdout=subprocess.DEVNULL)
            if number > 0:  # the first one compiles
                samples.append(time.perf_counter() - start)
        result = json.loads(Path(folder, "result.json").read_text())
    low, median, high = statistics.quantiles(samples, n=4, method="inclusive")
    peak_kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    figures = {
        "benchmark": "grading_overhead",
        "rounds": arguments.rounds,
        "stages": [stage["id"] for stage in result["stages"]],
        "cases": sum(len(stage["cases"]) for stage in result["stages"]),
        "total_s": {"median": median, "lower_quartile": low, "upper_quartile": high},
        "peak_memory_of_largest_process_mib": peak_kib / 1024,
    }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
