#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The CPU device's cuDNN against oneDNN called directly, in turn in the same process.

On one core, by the CPU time of the process, so that waiting for other programs does not count.
Prints JSON; with --readme the table, too.

    benchmarks/simt_dnn/run.py [--rounds 21] [--convkit build/default/bin/convkit] [--json FILE]
"""

import argparse
import datetime
import json
import math
import os
import platform
import statistics
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BEGIN, END = "<!-- figures: written by run.py --readme -->", "<!-- end of figures -->"
PASSES = ("forward", "backward data", "backward filter")
FIELDS = ("n", "c", "h", "w", "m", "k", "pad", "stride")


def spread(values: list[float]) -> dict[str, float]:
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return {"median": median, "lower_quartile": low, "upper_quartile": high, "best": min(values)}


def measure(program: Path, rounds: int, **variables: str) -> list[dict]:
    """Of each shape and pass: microseconds of both, and ratios of what ran in one round."""
    done = subprocess.run(
        [program, str(rounds)],
        env=os.environ | variables,
        preexec_fn=lambda: os.sched_setaffinity(0, {max(os.sched_getaffinity(0))}),
        capture_output=True,
        text=True,
        timeout=1800,
    )
    if done.returncode != 0:
        raise SystemExit(f"{program.name}: exit code {done.returncode}. {done.stderr}")
    seen: dict[tuple, list[tuple[float, float]]] = {}
    for line in done.stdout.splitlines():
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


def first_line(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]


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


def cpu() -> dict[str, str]:
    lines = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if ":" in line]
    fields = {key.strip(): value.strip() for key, value in (line.split(":", 1) for line in lines)}
    return {key: fields.get(key, "") for key in ("model name", "cpu family", "model")}


def shape_name(shape: dict[str, int]) -> str:
    name = "{n}x{c}x{h}x{w} -> {m}, {k}x{k}".format(**shape)
    name += f" s{shape['stride']}" if shape["stride"] > 1 else ""
    return name + (f" p{shape['pad']}" if shape["pad"] > 0 else "")


def geometric_mean(values: list[float]) -> float:
    return math.exp(statistics.fmean(math.log(value) for value in values))


def table(figures: dict) -> str:
    machine = figures["machine"]
    name = f"{machine['cpu']['model name']} (family {machine['cpu']['cpu family']}, "
    name += f"model {machine['cpu']['model']})"
    load = machine["load_average"]
    head = f"{figures['date']}: {name}, one core of {machine['cores']}; oneDNN "
    head += f"{machine['onednn']}; {figures['rounds']} rounds; load average "
    head += f"{load['before'][0]:.1f} before, {load['after'][0]:.1f} after.\n"
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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--convkit", type=Path, default=ROOT / "build/default/bin/convkit")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--readme", action="store_true", help="write the table of README.md anew")
    arguments = parser.parse_args()

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
    figures["machine"] = {
        "cpu": cpu(),
        "cores": len(os.sched_getaffinity(0)),
        "system": platform.platform(),
        "onednn": version,
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
