#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the CPU device's profiler counts, beside what ncu counts of the same kernels on a GPU.

    python3 benchmarks/gpu/profile_against_ncu.py --out docs/results/gpu-h200-profile.json

Kernels: those of awkward_kernels.cu, and of the solutions and baselines of stages 02 to 05 on the
cases that `convkit profile` chooses. Launches of one kernel are added up. Needs a GPU, nvcc and ncu
with its hardware counters, and a built kit (CONVKIT_BINARY). Prints a table; --out writes all.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("CONVKIT_BINARY", str(ROOT / "build/default/bin/convkit"))
AWKWARD = ROOT / "benchmarks/gpu/awkward_kernels.cu"
STAGES = ["02_direct_conv", "03_tiled_conv", "04_unroll_gemm", "05_backward"]

# Ours: (what it is, kinds of access, field, the sum of these metrics of ncu).
METRICS = [
    ("global load requests", ["global_load"], "requests",
     ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"]),
    ("global load sectors", ["global_load"], "sectors",
     ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]),
    ("global store requests", ["global_store"], "requests",
     ["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"]),
    ("global store sectors", ["global_store"], "sectors",
     ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"]),
    ("shared load wavefronts", ["shared_load"], "wavefronts",
     ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"]),
    ("shared store wavefronts", ["shared_store"], "wavefronts",
     ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"]),
    ("global atomic requests", ["global_atomic"], "requests",
     ["l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
      "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"]),
    # Of threads. A GPU makes a division and most functions of these; the kit counts them apart.
    ("float fma", ["arithmetic"], "float_fma",
     ["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"]),
    ("float mul", ["arithmetic"], "float_mul",
     ["smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"]),
    ("float add", ["arithmetic"], "float_add",
     ["smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"]),
    ("double fma", ["arithmetic"], "double_fma",
     ["smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"]),
    ("double mul", ["arithmetic"], "double_mul",
     ["smsp__sass_thread_inst_executed_op_dmul_pred_on.sum"]),
    ("double add", ["arithmetic"], "double_add",
     ["smsp__sass_thread_inst_executed_op_dadd_pred_on.sum"]),
]  # fmt: skip
WITHIN = 0.05

# What sets the limit of the blocks on a multiprocessor: the kit's word, and ncu's metric.
LIMITS = {
    "warps": "launch__occupancy_limit_warps",
    "blocks": "launch__occupancy_limit_blocks",
    "registers": "launch__occupancy_limit_registers",
    "shared memory": "launch__occupancy_limit_shared_mem",
}


def run(*command: object) -> str:
    ran = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True)
    if ran.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, command))}: exit code {ran.returncode}\n{ran.stderr}")
    return ran.stdout


def base(kernel: str) -> str:
    """The name without template arguments, parameters, return type and namespaces."""
    plain = re.sub(r"<unnamed>::|\(anonymous namespace\)::", "", kernel.removeprefix("void "))
    return re.split(r"[<(]", plain.strip())[0].split("::")[-1].strip()


def ncu_words(log: Path) -> list[str]:
    counts = (name for *_, names in METRICS for name in names)
    names = ",".join([*counts, *LIMITS.values()])
    return [
        "ncu", "--log-file", str(log), "--csv", "--page", "raw", "--print-units", "base",
        "--clock-control", "none", "--metrics", names,
    ]  # fmt: skip


def number(cell: str | None) -> float:
    """NaN where ncu says that it has no such metric on this GPU."""
    try:
        return float((cell or "0").replace(",", ""))
    except ValueError:
        return float("nan")


def launches(log: Path) -> list[dict[str, str]]:
    lines = [line for line in log.read_text().splitlines() if line.startswith('"')]
    return [row for row in csv.DictReader(lines) if row.get("ID")]  # not the row of units


def of_ncu(log: Path) -> dict[str, dict[str, float]]:
    """By kernel, then by metric of ncu."""
    sums: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for row in launches(log):
        for *_, names in METRICS:
            for name in names:
                sums[base(row["Kernel Name"])][name] += number(row.get(name))
    return sums


def of_kit(kernels: list[dict]) -> dict[str, dict[tuple[str, str], int]]:
    """By kernel, then by kind and field."""
    sums: dict = defaultdict(lambda: defaultdict(int))
    for kernel in kernels:
        for line in kernel["lines"]:
            for field in ("requests", "sectors", "wavefronts"):
                sums[base(kernel["name"])][line["kind"], field] += line.get(field, 0)
        for line in kernel["arithmetic"]:
            for _, kinds, field, _ in METRICS:
                if kinds == ["arithmetic"]:
                    sums[base(kernel["name"])]["arithmetic", field] += line.get(field, 0)
    return sums


def compared(program: str, kit: list[dict], log: Path) -> list[dict]:
    ours, theirs = of_kit(kit), of_ncu(log)
    for name in [name for name in theirs if "cublas" in name]:
        del theirs[name]  # what a library launches is not profiled
    # A kernel that is launched by a variable has the variable's name here.
    only_ours, only_theirs = sorted(set(ours) - set(theirs)), sorted(set(theirs) - set(ours))
    if len(only_ours) == len(only_theirs) == 1:
        ours[only_theirs[0]] = ours.pop(only_ours[0])
    unknown = {base(kernel["name"]): kernel["arithmetic_unknown"] for kernel in kit}
    unknown = {kernel: reason for kernel, reason in unknown.items() if reason}
    for kernel, reason in unknown.items():
        print(f"The arithmetic of {kernel} is not known: {reason}", file=sys.stderr)
    rows = []
    for kernel in sorted(set(ours) | set(theirs)):
        for what, kinds, field, names in METRICS:
            counted = sum(ours[kernel][kind, field] for kind in kinds) if kernel in ours else 0
            measured = sum(theirs[kernel][name] for name in names) if kernel in theirs else 0
            if math.isnan(measured):
                print(f"ncu has no {what} of {kernel}.", file=sys.stderr)
            elif kinds == ["arithmetic"] and kernel in unknown:
                continue
            elif counted or measured:
                good = abs(counted - measured) <= WITHIN * max(measured, 1)
                rows.append({"program": program, "kernel": kernel, "metric": what,
                             "kit": counted, "ncu": measured, "within": good})  # fmt: skip
    return rows


def limiters(program: str, kit: list[dict], log: Path) -> list[dict]:
    """Of kernels that have one size of blocks in all launches of ncu."""
    rows = []
    for kernel in kit:
        ours = kernel.get("occupancy")
        theirs = [row for row in launches(log) if base(row["Kernel Name"]) == base(kernel["name"])]
        if not ours or "registers" not in ours or not theirs:
            continue
        limits = [{word: number(row[name]) for word, name in LIMITS.items()} for row in theirs]
        if any(limit != limits[0] for limit in limits):
            continue
        least = min(limits[0].values())
        rows.append({"program": program, "kernel": base(kernel["name"]),
                     "kit": ours["limited_by"], "kit_blocks": ours["blocks"],
                     "ncu": [word for word, blocks in limits[0].items() if blocks == least],
                     "ncu_blocks": least})  # fmt: skip
    return rows


def awkward(folder: Path) -> list[dict]:
    program, profiled = folder / "awkward", folder / "profiled"
    run("nvcc", "-std=c++17", "-arch=native", "-lineinfo", AWKWARD, "-o", program)
    run(BINARY, "cc", "--profile", AWKWARD, "-o", profiled)
    counts = folder / "counts.json"
    subprocess.run([profiled], check=True, capture_output=True,
                   env={**os.environ, "CONVKIT_PROFILE_JSON": str(counts)})  # fmt: skip
    log = folder / "awkward.csv"
    run(*ncu_words(log), program)
    return compared("awkward_kernels", json.loads(counts.read_text())["kernels"], log)


def submission(stage: str, what: str, code: Path, folder: Path) -> tuple[list[dict], list[dict]]:
    """The rows of compared() and of limiters()."""
    counts = folder / f"{stage}-{what}.json"
    words = [BINARY, "profile", stage, "--dir", str(code), "--json", str(counts)]
    ran = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    if not counts.exists():
        print(f"{stage} {what} is left out: {ran.stderr.strip()}", file=sys.stderr)
        return [], []
    rows, limited = [], []
    for case in json.loads(counts.read_text())["cases"]:
        if not case["kernels"]:
            continue
        log = folder / f"{stage}-{what}-{case['case']}.csv"
        run(BINARY, "run", stage, "--device", "gpu", "--dir", code, "--case", case["case"],
            "--", *ncu_words(log))  # fmt: skip
        program = f"{stage} {what}, {case['case']}"
        rows += compared(program, case["kernels"], log)
        limited += limiters(program, case["kernels"], log)
    return rows, limited


def summary(rows: list[dict]) -> dict[str, dict[str, int]]:
    return {
        what: {
            "pairs": sum(row["metric"] == what for row in rows),
            "within": sum(row["metric"] == what and row["within"] for row in rows),
        }
        for what, *_ in METRICS
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows, limited = awkward(folder), []
        for stage in STAGES:
            submissions = [("solution", ROOT / "solutions" / stage)]
            # The solution with the baseline's files in place of its own.
            code = shutil.copytree(ROOT / "solutions" / stage, folder / stage)
            baseline = ROOT / "assignments" / stage / "baseline"
            shutil.copytree(baseline, code, dirs_exist_ok=True)
            submissions.append(("baseline", code))
            for what, its_code in submissions:
                found, its_limiters = submission(stage, what, its_code, folder)
                rows += found
                limited += its_limiters
    for row in rows:
        mark = " " if row["within"] else "!"
        print(f"{mark} {row['program']:<45} {row['kernel']:<32} {row['metric']:<24} "
              f"{row['kit']:>10} {row['ncu']:>10.0f}")  # fmt: skip
    kernels = len({(row["program"], row["kernel"]) for row in rows})
    result = {
        "gpu": run(
            "nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"
        ).strip(),
        "ncu": run("ncu", "--version").strip().splitlines()[-1],
        "nvcc": run("nvcc", "--version").strip().splitlines()[-1],
        "within": WITHIN,
        "kernels": kernels,
        "summary": summary(rows),
        "limiters": {
            "kernels": len(limited),
            "same": sum(row["kit"] in row["ncu"] for row in limited),
            "same_blocks": sum(row["kit_blocks"] == row["ncu_blocks"] for row in limited),
        },
        "rows": rows,
        "limiter_rows": limited,
    }
    print(f"{kernels} kernels")
    for what, count in result["summary"].items():
        print(f"{what:<24} {count['within']:>4} of {count['pairs']}")
    print(f"limiter of the blocks on a multiprocessor {result['limiters']}")
    if options.out:
        options.out.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
