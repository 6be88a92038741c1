# SPDX-License-Identifier: MIT
"""What the benchmarks of the CPU device's libraries share: one core, spreads, machine, output."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- figures: written by run.py --readme -->", "<!-- end of figures -->"


def options(description: str, rounds: int) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--convkit", type=Path, default=ROOT / "build/default/bin/convkit")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--readme", action="store_true", help="write the table of README.md anew")
    return parser


def spread(values: list[float]) -> dict[str, float]:
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return {"median": median, "lower_quartile": low, "upper_quartile": high, "best": min(values)}


def lines_of(program: Path, rounds: int, timeout_s: int, variables: dict[str, str]) -> list[str]:
    """What `program ROUNDS` prints, on one core."""
    done = subprocess.run(
        [program, str(rounds)],
        env=os.environ | variables,
        preexec_fn=lambda: os.sched_setaffinity(0, {max(os.sched_getaffinity(0))}),
        capture_output=True,
        text=True,
        timeout=timeout_s,
    )
    if done.returncode != 0:
        raise SystemExit(f"{program.name}: exit code {done.returncode}. {done.stderr}")
    return done.stdout.splitlines()


def _first_line(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]


def _cpu() -> dict[str, str]:
    lines = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if ":" in line]
    fields = {key.strip(): value.strip() for key, value in (line.split(":", 1) for line in lines)}
    return {key: fields.get(key, "") for key in ("model name", "cpu family", "model")}


def machine(convkit: Path, load_before: tuple, **libraries: str) -> dict:
    return {
        "cpu": _cpu(),
        "cores": len(os.sched_getaffinity(0)),
        "system": platform.platform(),
        **libraries,
        "convkit": _first_line(convkit, "--version"),
        "compiler": _first_line(os.environ.get("CXX", "g++"), "--version"),
        "load_average": {"before": load_before, "after": os.getloadavg()},
    }


def heading(figures: dict, library: str) -> str:
    """Where and when: a sentence to begin with."""
    seen = figures["machine"]
    load = seen["load_average"]
    return (
        f"{figures['date']}: {seen['cpu']['model name']} (family {seen['cpu']['cpu family']}, "
        f"model {seen['cpu']['model']}), one core of {seen['cores']}; {library}; "
        f"{figures['rounds']} rounds; load average {load['before'][0]:.1f} before, "
        f"{load['after'][0]:.1f} after."
    )


def put_out(o: argparse.Namespace, figures: dict, readme: Path, table: Callable) -> None:
    """Prints JSON, and writes what the options ask for."""
    text = json.dumps(figures, indent=1)
    if o.json:
        o.json.write_text(text + "\n")
    if o.readme:
        before, _, rest = readme.read_text().partition(BEGIN)
        readme.write_text(f"{before}{BEGIN}\n{table(figures)}{END}{rest.partition(END)[2]}")
    print(text)
