#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The conformance programs on a real GPU.

They are compiled by nvcc and run one after another, and their output is compared with what is
expected. One line each, then the counts. Exit code: 0 all passed, 1 something failed, 2 it could
not be tried.
"""

import argparse
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from programs import compiled_with, programs_in

LIMIT_S = 60


def gpu(what: str) -> str:
    """What nvidia-smi says of the first GPU; "none" where there is no GPU."""
    command = ["nvidia-smi", f"--query-gpu={what}", "--format=csv,noheader"]
    try:
        asked = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return "none"
    return asked.stdout.partition("\n")[0] if asked.returncode == 0 else "none"


def compile_source(nvcc: str, arch: str, source: Path, program: Path) -> str:
    """What nvcc says if it fails, else ""."""
    command = [nvcc, f"-arch={arch}", "-std=c++17", "--Werror", "all-warnings", source]
    ran = subprocess.run(
        [*command, *compiled_with(source), "-o", program], capture_output=True, text=True
    )
    return (ran.stdout + ran.stderr or "no output") if ran.returncode != 0 else ""


def run(command: list, expected: str) -> tuple[str, str]:
    """The status and what there is to say of it."""
    try:
        ran = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S
        )
    except subprocess.TimeoutExpired:
        return "TIMED_OUT", f"It ran for {LIMIT_S} s."
    if ran.returncode != 0:
        return "CRASHED", ran.stdout + ran.stderr
    lines = difflib.unified_diff(
        expected.splitlines(), ran.stdout.splitlines(), "expected", "printed", lineterm=""
    )
    return ("PASS", "") if ran.stdout == expected else ("WRONG", "\n".join(lines))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these programs")
    parser.add_argument("--json", type=Path, help="write the results there, too")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--arch", default="native", help="sm_90, ...; default: that of the GPU")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time")
    parser.add_argument(
        "--compile-only",
        action="store_true",
        help="needs no GPU: compiles everything, the faulty programs as well, and stops",
    )
    options = parser.parse_args()
    if shutil.which(options.nvcc) is None:
        parser.error(f"{options.nvcc} is not on PATH; name it with --nvcc.")
    device = "none" if options.compile_only else gpu("name")
    if device == "none" and not options.compile_only:
        parser.error("no GPU answers nvidia-smi; --compile-only works without one.")
    folders = ["programs", "tricky", *(["faulty"] if options.compile_only else [])]
    chosen = [
        (f"{folder}/{program}", program)
        for folder in folders
        for program in programs_in(folder)
        if not options.names or str(program) in options.names
    ]
    if not chosen:
        parser.error("there is no program of that name.")

    version = subprocess.run([options.nvcc, "--version"], capture_output=True, text=True).stdout
    results = {
        "device": device,
        "driver": "none" if options.compile_only else gpu("driver_version"),
        "cuda": re.search(r"release ([\d.]+)", version)[1],
        "arch": options.arch,
        "compiled_only": options.compile_only,
    }
    print(*results.values(), f"{len(chosen)} programs", sep=", ", flush=True)
    statuses, told = {}, set()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        sources = {program.source for _, program in chosen}
        binaries = {
            source: Path(folder) / f"{source.parent.name}.{source.stem}" for source in sources
        }
        compiled = {
            source: pool.submit(compile_source, options.nvcc, options.arch, source, binary)
            for source, binary in binaries.items()
        }
        for name, program in chosen:
            status, said = "PASS", compiled[program.source].result()
            if said:
                status = "BUILD_FAILED"
                said = said if program.source not in told else "as above"
                told.add(program.source)
            elif not options.compile_only:
                command = [binaries[program.source], *program.arguments]
                status, said = run(command, program.printed)
            statuses[name] = status
            print(f"PASS {name}" if status == "PASS" else f"FAIL {name} ({status})\n{said}")
            sys.stdout.flush()
    passed = sum(status == "PASS" for status in statuses.values())
    failed = len(statuses) - passed
    print(f"{passed} passed, {failed} failed")
    if options.json:
        results |= {"passed": passed, "failed": failed, "programs": statuses}
        options.json.write_text(json.dumps(results, indent=2) + "\n")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
