#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The CPU device's cublasSgemm against OpenBLAS called directly, in turn in the same process.

On one core, by the CPU time of the process, so that waiting for other programs does not count.
Prints JSON; with --readme the table, too.

    benchmarks/simt_blas/run.py [--rounds 31] [--convkit build/default/bin/convkit] [--json FILE]
"""

import argparse
import ctypes.util
import datetime
import json
import os
import platform
import statistics
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BEGIN, END = "<!-- figures: written by run.py --readme -->", "<!-- end of figures -->"
COLUMNS = ("direct", "queued", "waited_for")
SIZES = ("512", "4")


def spread(values: list[float]) -> dict[str, float]:
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return {"median": median, "lower_quartile": low, "upper_quartile": high, "best": min(values)}


def measure(program: Path, rounds: int, **variables: str) -> dict:
    """Microseconds of each, and ratios and differences of what ran in one round."""
    done = subprocess.run(
        [program, str(rounds)],
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"} | variables,
        preexec_fn=lambda: os.sched_setaffinity(0, {max(os.sched_getaffinity(0))}),
        capture_output=True,
        text=True,
        timeout=300,
    )
    if done.returncode != 0:
        raise SystemExit(f"{program.name}: exit code {done.returncode}. {done.stderr}")
    table = [[float(word) for word in line.split()] for line in done.stdout.splitlines()]
    columns = list(zip(*table))
    result: dict[str, dict] = {}
    for number, size in enumerate(SIZES):
        seen = dict(zip(COLUMNS, columns[3 * number : 3 * number + 3]))
        result[size] = {f"{name}_us": spread(list(values)) for name, values in seen.items()}
        for name in COLUMNS[1:]:
            pairs = list(zip(seen["direct"], seen[name]))
            result[size][f"direct / {name}"] = spread([a / b for a, b in pairs])
            result[size][f"{name} - direct, us"] = spread([b - a for a, b in pairs])
    return result


def first_line(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]


def cpu() -> dict[str, str]:
    lines = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if ":" in line]
    fields = {key.strip(): value.strip() for key, value in (line.split(":", 1) for line in lines)}
    return {key: fields.get(key, "") for key in ("model name", "cpu family", "model")}


def range_of(figures: dict[str, float], digits: int) -> str:
    low, high = figures["lower_quartile"], figures["upper_quartile"]
    return f"{figures['median']:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def table(figures: dict) -> str:
    both = [("OpenBLAS", figures["with_openblas"]), ("own loops", figures["without_openblas"])]
    rows = ["| cublasSgemm on | | median (quartiles) |", "| --- | --- | --- |"]
    for name, seen in both:
        large, small = seen["512"], seen["4"]
        rows += [
            f"| {name} | 512^3, eight queued, share of OpenBLAS's speed called directly | "
            f"{range_of(large['direct / queued'], 3)}x |",
            f"| {name} | 512^3, waited for one by one, likewise | "
            f"{range_of(large['direct / waited_for'], 3)}x |",
            f"| {name} | 4^3, a thousand queued: beyond OpenBLAS called directly | "
            f"{range_of(small['queued - direct, us'], 2)} us a call |",
            f"| {name} | 4^3, waited for one by one, likewise | "
            f"{range_of(small['waited_for - direct, us'], 0)} us a call |",
        ]
    machine = figures["machine"]
    name = f"{machine['cpu']['model name']} (family {machine['cpu']['cpu family']}, "
    name += f"model {machine['cpu']['model']})"
    load = machine["load_average"]
    head = f"{figures['date']}: {name}, one core of {machine['cores']}; {machine['openblas']}; "
    head += f"{figures['rounds']} rounds; load average {load['before'][0]:.1f} before, "
    head += f"{load['after'][0]:.1f} after. OpenBLAS called directly takes "
    direct = figures["with_openblas"]["512"]["direct_us"]["median"] / 1000
    head += f"{direct:.2f} ms for 512^3.\n"
    return head + "\n" + "\n".join(rows) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--convkit", type=Path, default=ROOT / "build/default/bin/convkit")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--readme", action="store_true", help="write the table of README.md anew")
    arguments = parser.parse_args()

    library = ctypes.util.find_library("openblas")
    if library is None:
        raise SystemExit("OpenBLAS is not installed (package libopenblas0): nothing to compare.")
    load_before = os.getloadavg()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "products"
        command = [arguments.convkit, "cc", "-O3", HERE / "products.cu", "-o", program]
        subprocess.run([*command, "-lcublas", f"-l:{library}"], check=True)
        figures = {
            "benchmark": "simt_blas",
            "date": datetime.date.today().isoformat(),
            "rounds": arguments.rounds,
            "with_openblas": measure(program, arguments.rounds),
            "without_openblas": measure(program, arguments.rounds, CONVKIT_SIMT_OPENBLAS="0"),
        }
    loaded = ctypes.CDLL(library)
    loaded.openblas_get_config.restype = ctypes.c_char_p
    figures["machine"] = {
        "cpu": cpu(),
        "cores": len(os.sched_getaffinity(0)),
        "system": platform.platform(),
        "openblas": loaded.openblas_get_config().decode(),
        "convkit": first_line(arguments.convkit, "--version"),
        "compiler": first_line(os.environ.get("CXX", "g++"), "--version"),
        "load_average": {"before": load_before, "after": os.getloadavg()},
    }
    text = json.dumps(figures, indent=1)
    if arguments.json:
        arguments.json.write_text(text + "\n")
    if arguments.readme:
        readme = HERE / "README.md"
        before, _, rest = readme.read_text().partition(BEGIN)
        readme.write_text(f"{before}{BEGIN}\n{table(figures)}{END}{rest.partition(END)[2]}")
    print(text)


if __name__ == "__main__":
    main()
