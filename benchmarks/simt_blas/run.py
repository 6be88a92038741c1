#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The CPU device's cublasSgemm against OpenBLAS called directly, in turn in the same process.

On one core, by the CPU time of the process, so that waiting for other programs does not count.
Prints JSON; with --readme the table, too.

    benchmarks/simt_blas/run.py [--rounds 31] [--convkit build/default/bin/convkit] [--json FILE]
"""

import ctypes.util
import datetime
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from library_benchmark import heading, lines_of, machine, options, put_out, spread  # noqa: E402

COLUMNS = ("direct", "queued", "waited_for")
SIZES = ("512", "4")


def measure(program: Path, rounds: int, **variables: str) -> dict:
    """Microseconds of each, and ratios and differences of what ran in one round."""
    lines = lines_of(program, rounds, 300, {"OPENBLAS_NUM_THREADS": "1"} | variables)
    table = [[float(word) for word in line.split()] for line in lines]
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
    direct = figures["with_openblas"]["512"]["direct_us"]["median"] / 1000
    head = heading(figures, figures["machine"]["openblas"])
    head += f" OpenBLAS called directly takes {direct:.2f} ms for 512^3.\n"
    return head + "\n" + "\n".join(rows) + "\n"


def main() -> None:
    arguments = options(__doc__.splitlines()[0], 31).parse_args()
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
    figures["machine"] = machine(
        arguments.convkit, load_before, openblas=loaded.openblas_get_config().decode()
    )
    put_out(arguments, figures, HERE / "README.md", table)


if __name__ == "__main__":
    main()
