#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The CPU device's cuDNN against oneDNN called directly, in turn in the same process.

On one core, by the CPU time of the process, so that waiting for other programs does not count.
Prints JSON; with --readme the table, too.

    benchmarks/simt_dnn/run.py [--rounds 21] [--convkit build/default/bin/convkit] [--json FILE]
"""

import datetime
import math
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from library_benchmark import heading, lines_of, machine, options, put_out, spread  # noqa: E402

PASSES = ("forward", "backward data", "backward filter")
FIELDS = ("n", "c", "h", "w", "m", "k", "pad", "stride")


def measure(program: Path, rounds: int, **variables: str) -> list[dict]:
    """Of each shape and pass: microseconds of both, and ratios of what ran in one round."""
    seen: dict[tuple, list[tuple[float, float]]] = {}
    for line in lines_of(program, rounds, 1800, variables):
        words = line.split()
        key = tuple(int(word) for word in words[:-2])
        seen.setdefault(key, []).append((float(words[-2]), float(words[-1])))
    return [
        {
            "shape": dict(zip(FIELDS, key)),
            "pass": PASSES[key[-1]],
            "direct_us": spread([direct for direct, _ in pairs]),
            "cudnn_us": spread([ours for _, ours in pairs]),
            "direct / cudnn": spread([direct / ours for direct, ours in pairs]),
        }
        for key, pairs in seen.items()
    ]


def onednn_version() -> str:
    text = '#include <oneapi/dnnl/dnnl_version.h>\nDNNL_VERSION_MAJOR "." DNNL_VERSION_MINOR "." '
    text += "DNNL_VERSION_PATCH\n"
    compiler = os.environ.get("CXX", "g++")
    done = subprocess.run(
        [compiler, "-E", "-P", "-x", "c++", "-"], input=text, capture_output=True, text=True
    )
    if done.returncode != 0:
        raise SystemExit("oneDNN is not installed (package libdnnl-dev): nothing to compare.")
    return "".join(done.stdout.splitlines()[-1].replace('"', "").split())


def shape_name(shape: dict[str, int]) -> str:
    name = "{n}x{c}x{h}x{w} -> {m}, {k}x{k}".format(**shape)
    name += f" s{shape['stride']}" if shape["stride"] > 1 else ""
    return name + (f" p{shape['pad']}" if shape["pad"] > 0 else "")


def geometric_mean(values: list[float]) -> float:
    return math.exp(statistics.fmean(math.log(value) for value in values))


def table(figures: dict) -> str:
    head = heading(figures, f"oneDNN {figures['machine']['onednn']}") + "\n"
    rows = [
        "| shape | pass | oneDNN | cuDNN | oneDNN / cuDNN | without oneDNN |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    ratios, own_ratios = [], []
    for with_it, without in zip(figures["with_onednn"], figures["without_onednn"]):
        ratio = with_it["direct / cudnn"]
        ratios.append(ratio["median"])
        own_ratios.append(without["direct / cudnn"]["median"])
        low, high = ratio["lower_quartile"], ratio["upper_quartile"]
        rows.append(
            f"| {shape_name(with_it['shape'])} | {with_it['pass']} "
            f"| {with_it['direct_us']['median'] / 1000:.3f} ms "
            f"| {with_it['cudnn_us']['median'] / 1000:.3f} ms "
            f"| {ratio['median']:.2f} ({low:.2f} to {high:.2f})x | {own_ratios[-1]:.3f}x |"
        )
    rows.append(
        f"| geometric mean | | | | {geometric_mean(ratios):.2f}x "
        f"| {geometric_mean(own_ratios):.3f}x |"
    )
    return head + "\n" + "\n".join(rows) + "\n"


def main() -> None:
    arguments = options(__doc__.splitlines()[0], 21).parse_args()
    version = onednn_version()
    load_before = os.getloadavg()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "convolutions"
        command = [arguments.convkit, "cc", "-O3", HERE / "convolutions.cu", "-o", program]
        subprocess.run([*command, "-lcudnn", "-ldnnl", "-lgomp"], check=True)
        own_rounds = min(arguments.rounds, 3)  # they take several times as long
        figures = {
            "benchmark": "simt_dnn",
            "date": datetime.date.today().isoformat(),
            "rounds": arguments.rounds,
            "with_onednn": measure(program, arguments.rounds),
            "without_onednn": measure(program, own_rounds, CONVKIT_SIMT_ONEDNN="0"),
        }
    figures["machine"] = machine(arguments.convkit, load_before, onednn=version)
    put_out(arguments, figures, HERE / "README.md", table)


if __name__ == "__main__":
    main()
