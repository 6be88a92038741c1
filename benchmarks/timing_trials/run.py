#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does the timing of speed points tell what is true?

Two kinds of trials on shapes of stages 01 and 03, with the code that `convkit grade` uses: the
baseline against itself, whose ratio is 1, and against a copy that takes 3 % longer, whose ratio is
below 1. Prints a table; --json FILE keeps every trial. On a CPU the machine must be quiet.
"""

import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONGER = 0.03

GPU_END = "  return cudaGetLastError();\n}"
GPU_WAIT = """  wait_for<<<1, 32, 0, stream>>>(%d);
  return cudaGetLastError();
}"""
GPU_KERNEL = """__global__ void wait_for(unsigned nanoseconds) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}

}  // namespace
"""

CPU_LOOPS = "__attribute__((noipa, aligned(4096))) void loops("
CPU_WAIT = """
void conv2d_fast(const float* x, const float* w, const float* b, float* y,
                 const Conv2dShape* shape) {
  const auto begin = std::chrono::steady_clock::now();
  loops(x, w, b, y, shape);
  const auto end = begin + (std::chrono::steady_clock::now() - begin) * %g;
  while (std::chrono::steady_clock::now() < end) {
  }
}
"""


def trials(program, stage, shape, number, first, second):
    """Each trial as it ends."""
    command = [program, stage, shape, str(number), first, second]
    with subprocess.Popen(command, text=True, stdout=subprocess.PIPE) as running:
        for line in running.stdout:
            trial = json.loads(line)
            if trial["pairs"] == 0:
                raise SystemExit(f"Nothing was measured: {trial['message']}")
            yield trial
    if running.returncode != 0:
        raise SystemExit(f"{program} ended with exit code {running.returncode}.")


def longer_on_gpu(folder, milliseconds):
    """The kernel and a second one behind it, whose launch takes time, too."""
    source = pathlib.Path(folder, "blocked.cu")
    text = source.read_text().replace("}  // namespace\n", GPU_KERNEL, 1)
    source.write_text(text.replace(GPU_END, GPU_WAIT % int(LONGER * milliseconds * 1e6)))


def longer_on_cpu(folder, share):
    """The same loops, then the core is kept busy for a share of their time. Loops that begin at
    another offset in a line of the cache differ by more than is to be told apart (10 % were seen),
    so both of a pair are made here, and their loops begin with a page."""
    source = pathlib.Path(folder, "conv2d_fast.cpp")
    text = source.read_text().replace("void conv2d_fast(", CPU_LOOPS, 1)
    source.write_text("#include <chrono>\n" + text + CPU_WAIT % (1 + share))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help="convkit-timing-trials")
    parser.add_argument("--device", choices=["cpu", "gpu"], required=True)
    parser.add_argument("--trials", type=int, default=30)
    parser.add_argument("--shape", action="append", help="these shapes only")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    stage, shapes = (
        ("03", ["images_7x7", "layer_3x3"]) if options.device == "gpu" else ("01", ["digits_5x5"])
    )
    baseline = next((ROOT / "assignments").glob(stage + "_*")) / "baseline"
    kept = {}

    def run(shape, kind, first, second):
        done = kept.setdefault(shape, {}).setdefault(kind, [])
        for trial in trials(options.program, stage, shape, options.trials, first, second):
            done.append(trial)
            if options.json:
                options.json.write_text(json.dumps(kept, indent=1) + "\n")
        return done

    for shape in options.shape or shapes:
        same = run(shape, "same", baseline, baseline)
        ratios = sorted(trial["ratio"] for trial in same)
        print(f"{shape}: {len(ratios)} trials of the baseline against itself:", end=" ")
        print(f"{ratios[0]:.4f} to {ratios[-1]:.4f};", end=" ", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            first, slower = baseline, shutil.copytree(baseline, f"{folder}/slower")
            if options.device == "gpu":
                longer_on_gpu(slower, statistics.median(trial["first_ms"] for trial in same))
            else:
                first = shutil.copytree(baseline, f"{folder}/first")
                longer_on_cpu(first, 0)
                longer_on_cpu(slower, LONGER)
            below = [trial["ratio"] for trial in run(shape, "apart", first, slower)]
        print(
            f"against {LONGER:.0%} more {min(below):.4f} to {max(below):.4f}, "
            f"below 1 in {sum(ratio < 1 for ratio in below)} of {len(below)}"
        )


if __name__ == "__main__":
    main()
