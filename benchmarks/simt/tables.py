# SPDX-License-Identifier: MIT
"""The tables of README.md, from the figures of run.py."""

from pathlib import Path

BEGIN, END = "<!-- figures: written by run.py --readme -->", "<!-- end of figures -->"
NAMES = {
    "conv": "5x5 direct convolution, 1024 x 1024",
    "add": "one addition a thread, 1 M threads",
    "matmul": "16x16-tiled matrix product, 512^3",
    "ring": "values handed round the block",
    "barriers": "bare `__syncthreads()`",
    "shuffles": "`__shfl_xor_sync`",
}


def number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def range_of(figures: dict) -> str:
    """The median with its quartiles."""
    low, high = number(figures["lower_quartile"]), number(figures["upper_quartile"])
    return f"{number(figures['median'])} ({low} to {high})"


def table(header: list[str], rows: list[list[str]]) -> list[str]:
    lines = [header, ["---"] * len(header), *rows]
    return ["| " + " | ".join(line) + " |" for line in lines] + [""]


def speed(figures: dict) -> list[str]:
    rows = []
    for workload, seen in figures["one_core"].items():
        row = [NAMES[workload], seen["unit"]]
        row += [number(seen["rate"]["cpu_device"]["best"]), range_of(seen["rate"]["cpu_device"])]
        for peer in ("plain", "pocl"):
            against = seen["times_faster_than"].get(peer)
            row.append(f"{number(against['median'])}x" if against else "-")
            row.append(number(seen["rate"][peer]["best"]) if against else "-")
        rows.append(row)
    header = ["one core", "unit", "best round", "median (quartiles)"]
    header += ["/ plain loops", "plain loops, best", "/ PoCL", "PoCL, best"]
    return table(header, rows)


def check_mode(figures: dict) -> list[str]:
    rows = []
    for workload, seen in figures["check_mode"].items():
        plain, oclgrind = seen["plain_mode"], seen.get("oclgrind")
        slower = 1 / plain["times_faster_than"]["cpu_device"]["median"]
        row = [NAMES[workload].split(",")[0], plain["unit"]]
        row += [number(plain["rate"]["cpu_device_check"]["median"]), f"{number(slower)}x"]
        faster = oclgrind and oclgrind["times_faster_than"]["oclgrind"]["median"]
        rows.append([*row, f"{number(faster)}x" if faster else "-"])
    header = ["check mode", "unit", "median", "slower than plain mode"]
    return table([*header, "faster than Oclgrind's race check"], rows) if rows else []


def others(figures: dict) -> list[str]:
    rows = []
    for workload, seen in figures["two_cores"].items():
        best = number(seen["times_faster"]["best_to_best"])
        name = f"two cores against one, {NAMES[workload].split(',')[0]}"
        rows.append([name, f"{range_of(seen['times_faster'])}x; best rounds {best}x"])
        text = f"{range_of(seen['times_faster_by_cpu_time'])}x"
        rows.append([f"{name}, by CPU time: were both cores free", text])
    launches = figures["launch_us"]
    for name, seen in launches["waited_for"].items():
        rows.append([f"a launch and its end: {name}", f"{range_of(seen)} us"])
    for name, seen in launches["queued"].items():
        rows.append([f"one of {launches['launches']} launches: {name}", f"{range_of(seen)} us"])
    for label, seen in figures["compiling"].items():
        ours, plain = (seen[name]["cpu_s"]["median"] for name in ("convkit cc", "plain"))
        text = f"{ours:.2f} s against {plain:.2f} s: {range_of(seen['ratio'])}x"
        rows.append([f"compiling hundred_lines.cu, {label}, against plain C++", text])
    return table(["others", "median (quartiles)"], rows)


def write_tables(figures: dict, readme: Path) -> None:
    machine = figures["machine"]
    cpu, versions = machine["cpu"], [v for v in machine["versions"].values() if v]
    load = machine["load_average"]
    lines = [
        f"{figures['date']}: {cpu['model name']} (family {cpu['cpu family']}, model "
        f"{cpu['model']}), {machine['cores']} virtual cores; {'; '.join(versions)}; "
        f"`{' '.join(machine['flags'])}`; {figures['rounds']} rounds; load average "
        f"{load['before'][0]:.1f} before, {load['after'][0]:.1f} after.",
        "",
        *figures["left_out"],
        *([""] if figures["left_out"] else []),
        *speed(figures),
        *check_mode(figures),
        *others(figures),
    ]
    text = readme.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    readme.write_text(before + BEGIN + "\n" + "\n".join(lines) + END + after)
