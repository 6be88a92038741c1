#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The speed of the CPU device against plain loops, PoCL and Oclgrind, in turn in the same run.

Rounds are short and many, and the contestants take turns within each, because machines are shared.
On one core the CPU time of the process counts. Prints JSON; with --readme the tables, too.

    benchmarks/simt/run.py [--rounds 15] [--convkit build/default/bin/convkit] [--json FILE]
"""

import argparse
import datetime
import json
import os
import platform
import resource
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from contestants import FLAGS, HERE, NVCC_FLAGS, ONE_THREAD, Contestant, Run, build_all
from tables import write_tables

ROOT = HERE.parent.parent
BLOCK, TILE = 256, 16
# Of each: size, repeats, what is counted, and how many of those one repeat has (see workload.h).
WORKLOADS: dict[str, tuple[int, int, str, Callable[[int], int]]] = {
    "conv": (1024, 2, "threads", lambda edge: edge * edge),
    "add": (4096, 4, "threads", lambda blocks: blocks * BLOCK),
    "matmul": (512, 1, "thread-barriers", lambda edge: edge * edge * 2 * edge // TILE),
    "ring": (32, 1, "thread-barriers", lambda blocks: blocks * BLOCK * 512),
    "barriers": (32, 1, "thread-barriers", lambda blocks: blocks * BLOCK * 512),
    "shuffles": (32, 1, "thread-shuffles", lambda blocks: blocks * BLOCK * 320),
}
SMALL = {"conv": 512, "add": 1024, "matmul": 128, "ring": 2, "shuffles": 4}  # for check mode
TINY = {"conv": 64, "add": 32, "matmul": 64, "ring": 1}  # for Oclgrind
LAUNCHES = 500


def spread(values: list[float]) -> dict[str, float]:
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return {"median": median, "lower_quartile": low, "upper_quartile": high}


def agree(workload: str, runs: dict[str, Run]) -> None:
    sums = {name: run.checksum for name, run in runs.items()}
    low, high = min(sums.values()), max(sums.values())
    if not high - low <= 1e-4 * max(1.0, abs(low), abs(high)):
        raise SystemExit(f"{workload}: the contestants' results differ: {sums}")


def rates(workload: str, sizes: dict[str, int], repeats: int, rounds: int, found: list) -> dict:
    """Each contestant's rate on one core, and the ratio of each pair that ran in one round."""
    _, _, unit, count = WORKLOADS[workload]
    core = {max(os.sched_getaffinity(0))}
    seen: dict[str, list[float]] = {contestant.name: [] for contestant in found}
    for number in range(rounds):
        first = number % len(found)
        runs = {}
        for contestant in found[first:] + found[:first]:
            size = sizes[contestant.name]
            run = contestant.run(workload, size, repeats, core, **ONE_THREAD)
            runs[contestant.name] = run
            seen[contestant.name].append(count(size) * repeats / run.cpu_s / 1e6)
        if len(set(sizes.values())) == 1:
            agree(workload, runs)
    first = found[0].name
    return {
        "unit": f"M {unit}/s",
        "sizes": {name: sizes[name] for name in seen},
        "rate": {name: spread(values) | {"best": max(values)} for name, values in seen.items()},
        "times_faster_than": {
            name: spread([a / b for a, b in zip(seen[first], values)])
            | {"best_to_best": max(seen[first]) / max(values)}
            for name, values in seen.items()
            if name != first
        },
    }


def one_core(found: dict[str, Contestant], rounds: int) -> dict:
    result = {}
    for workload, (size, repeats, _, _) in WORKLOADS.items():
        taking_part = [
            found[name]
            for name in ("cpu_device", "plain", "pocl")
            if name in found and workload in found[name].workloads
        ]
        sizes = {contestant.name: size for contestant in taking_part}
        result[workload] = rates(workload, sizes, repeats, rounds, taking_part)
    return result


def check_mode(found: dict[str, Contestant], rounds: int) -> dict:
    """The check mode against the plain mode, and against Oclgrind's check for data races."""
    if "cpu_device_check" not in found:
        return {}
    check, result = found["cpu_device_check"], {}
    for workload, size in SMALL.items():
        sizes = {"cpu_device_check": size, "cpu_device": size}
        pair = [check, found["cpu_device"]]
        result[workload] = {"plain_mode": rates(workload, sizes, 1, rounds, pair)}
        if "oclgrind" in found and workload in TINY:
            pair, sizes["oclgrind"] = [check, found["oclgrind"]], TINY[workload]
            few = max(2, rounds // 5)
            result[workload]["oclgrind"] = rates(workload, sizes, 1, few, pair)
    return result


def two_cores(device: Contestant, rounds: int) -> dict:
    """One worker against two: by the time that passes, and by the CPU time, which tells what two
    cores would give that nobody else uses."""
    if len(os.sched_getaffinity(0)) < 2:
        return {}
    result = {}
    for workload, size, repeats in (("conv", 1024, 8), ("matmul", 512, 1)):
        seen: dict[str, list[Run]] = {"1": [], "2": []}
        for number in range(rounds):
            for threads in ("1", "2") if number % 2 else ("2", "1"):
                run = device.run(workload, size, repeats, None, CONVKIT_SIMT_THREADS=threads)
                seen[threads].append(run)
        pairs = list(zip(seen["1"], seen["2"]))
        best = [min(run.wall_s for run in runs) for runs in seen.values()]
        result[workload] = {
            "wall_s": {name: spread([run.wall_s for run in runs]) for name, runs in seen.items()},
            "times_faster": spread([one.wall_s / two.wall_s for one, two in pairs])
            | {"best_to_best": best[0] / best[1]},
            "times_faster_by_cpu_time": spread([2 * one.cpu_s / two.cpu_s for one, two in pairs]),
        }
    return result


def launches(found: dict[str, Contestant], rounds: int) -> dict:
    """Microseconds for a launch of one block that does nothing."""
    core = {max(os.sched_getaffinity(0))}
    result: dict[str, dict] = {}
    for label, workload in (("queued", "launches"), ("waited_for", "launches_waited_for")):
        seen: dict[str, list[float]] = {}
        for _ in range(rounds):
            for name in ("cpu_device", "pocl"):
                if name not in found:
                    continue
                run = found[name].run(workload, 1, LAUNCHES, core, **ONE_THREAD)
                seen.setdefault(f"{name}, CPU time on one core", []).append(run.cpu_s)
                run = found[name].run(workload, 1, LAUNCHES, None)
                seen.setdefault(f"{name}, time that passes", []).append(run.wall_s)
        result[label] = {
            name: spread([1e6 * s / LAUNCHES for s in values])
            | {"best": 1e6 * min(values) / LAUNCHES}
            for name, values in seen.items()
        }
    return result | {"launches": LAUNCHES}


def children_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def compiling(convkit: Path, compiler: str, rounds: int, folder: Path) -> dict:
    """A .cu of about 100 lines, its headers precompiled, against its host code in plain C++."""
    ours, theirs = HERE / "hundred_lines.cu", HERE / "hundred_lines_plain.cpp"
    result = {}
    for label, nvcc_flags, flags in (("optimised", NVCC_FLAGS, FLAGS), ("no options", [], [])):
        commands = {
            "convkit cc": [convkit, "cc", *nvcc_flags, "-c", ours, "-o", folder / "ours.o"],
            "plain": [compiler, "-std=gnu++17", *flags, "-c", theirs, "-o", folder / "theirs.o"],
        }
        seen: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for number in range(-1, rounds):
            for name, command in commands.items():
                cpu, wall = children_s(), time.perf_counter()
                subprocess.run(command, check=True, capture_output=True)
                if number >= 0:  # the first makes the precompiled header
                    seen[name].append((children_s() - cpu, time.perf_counter() - wall))
        result[label] = {
            name: {"cpu_s": spread(list(cpu)) | {"best": min(cpu)}, "wall_s": spread(list(wall))}
            for name, (cpu, wall) in ((name, zip(*pairs)) for name, pairs in seen.items())
        }
        pairs = zip(seen["convkit cc"], seen["plain"])
        result[label]["ratio"] = spread([a[0] / b[0] for a, b in pairs])
    return result


def first_line(command: list) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]
    except (OSError, IndexError):
        return ""


def machine(convkit: Path, compiler: str, found: dict[str, Contestant]) -> dict:
    fields = dict(
        line.split(":", 1) for line in Path("/proc/cpuinfo").read_text().splitlines() if ":" in line
    )
    cpu = {key.strip(): value.strip() for key, value in fields.items()}
    keys = ("model name", "cpu family", "model", "cpu MHz")
    versions = {"compiler": first_line([compiler, "--version"])}
    versions["convkit"] = first_line([convkit, "--version"])
    if "pocl" in found:
        versions["OpenCL"] = first_line([*found["pocl"].command, "describe"])
    if "oclgrind" in found:
        text = subprocess.run(["oclgrind", "--version"], capture_output=True, text=True).stdout
        versions["oclgrind"] = " ".join(text.split()[:2])
    return {
        "cpu": {key: cpu.get(key, "") for key in keys},
        "cores": len(os.sched_getaffinity(0)),
        "system": platform.platform(),
        "flags": FLAGS,
        "versions": versions,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--convkit", type=Path, default=ROOT / "build/default/bin/convkit")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--readme", action="store_true", help="write the tables of README.md anew")
    arguments = parser.parse_args()

    compiler = os.environ.get("CXX", "g++")
    load_before = os.getloadavg()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found, left_out = build_all(arguments.convkit, compiler, folder)
        figures = {
            "benchmark": "simt",
            "date": datetime.date.today().isoformat(),
            "rounds": arguments.rounds,
            "machine": machine(arguments.convkit, compiler, found),
            "left_out": left_out,
            "one_core": one_core(found, arguments.rounds),
            "check_mode": check_mode(found, arguments.rounds),
            "two_cores": two_cores(found["cpu_device"], arguments.rounds),
            "launch_us": launches(found, arguments.rounds),
            "compiling": compiling(arguments.convkit, compiler, arguments.rounds, folder),
        }
    figures["machine"]["load_average"] = {"before": load_before, "after": os.getloadavg()}
    text = json.dumps(figures, indent=1)
    if arguments.json:
        arguments.json.write_text(text + "\n")
    if arguments.readme:
        write_tables(figures, HERE / "README.md")
    print(text)


if __name__ == "__main__":
    main()
