# SPDX-License-Identifier: MIT
"""The programs that run.py compares: how each is built and started, and what it printed."""

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
FLAGS = ["-O3", "-march=native"]
NVCC_FLAGS = ["-O3", "-Xcompiler", "-march=native"]
ONE_THREAD = {
    "CONVKIT_SIMT_THREADS": "1",
    "POCL_MAX_PTHREAD_COUNT": "1",
    "POCL_CPU_MAX_CU_COUNT": "1",
}
RUN_LIMIT_S = 120


@dataclass
class Run:
    cpu_s: float
    wall_s: float
    checksum: float


@dataclass
class Contestant:
    name: str
    command: list[str]
    workloads: set[str]
    environment: dict[str, str] = field(default_factory=dict)

    def run(
        self, workload: str, size: int, repeats: int, cores: set[int] | None, **environment: str
    ) -> Run:
        """One process; its work runs `repeats` times after one run that is not timed."""
        done = subprocess.run(
            [*self.command, workload, str(size), str(repeats)],
            env=os.environ | self.environment | environment,
            preexec_fn=(lambda: os.sched_setaffinity(0, cores)) if cores else None,
            capture_output=True,
            text=True,
            timeout=RUN_LIMIT_S,
        )
        if done.returncode != 0:
            raise SystemExit(f"{self.name} {workload}: exit code {done.returncode}. {done.stderr}")
        cpu_s, wall_s, checksum = map(float, done.stdout.split()[-3:])
        return Run(cpu_s, wall_s, checksum)


def built(command: list[str | Path]) -> str:
    """Empty when the command succeeded, else the first line of its complaint."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        return str(error)
    complaint = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[0]
    return "" if done.returncode == 0 else complaint.replace(f"{HERE}/", "")


def build_all(
    convkit: Path, compiler: str, folder: Path
) -> tuple[dict[str, Contestant], list[str]]:
    """The contestants that this machine has, and a sentence for each that it has not."""
    loops = {"conv", "add", "matmul", "ring", "shuffles"}
    launches = {"launches", "launches_waited_for"}
    found: dict[str, Contestant] = {}
    left_out: list[str] = []

    def offer(contestant: Contestant, *commands: list[str | Path]) -> None:
        for command in commands:
            if complaint := built(command):
                left_out.append(f"{contestant.name} is left out: {complaint}")
                return
        found[contestant.name] = contestant

    def program(name: str) -> str:
        return str(folder / name)

    cc = [convkit, "cc", *NVCC_FLAGS, HERE / "kernels.cu", "-o"]
    device = Contestant("cpu_device", [program("plain_mode")], loops | launches | {"barriers"})
    offer(device, [*cc, program("plain_mode")])
    if not found:
        raise SystemExit(left_out[0])
    check = Contestant("cpu_device_check", [program("check_mode")], device.workloads)
    offer(check, [*cc, program("check_mode"), "--check"])
    build = [compiler, "-std=c++20", *FLAGS, HERE / "plain.cpp", "-o", program("loops")]
    offer(Contestant("plain", [program("loops")], loops), build)

    # PoCL 3 has no shuffles, and an OpenCL compiler may drop barriers with nothing between them.
    (folder / "cache").mkdir()
    pocl = Contestant(
        "pocl",
        [program("opencl")],
        (loops - {"shuffles"}) | launches,
        {"POCL_CACHE_DIR": program("cache")},
    )
    build = [compiler, "-std=c++20", "-O2", f'-DKERNELS="{HERE / "kernels.cl"}"']
    build += [HERE / "opencl.cpp", "-o", program("opencl"), "-lOpenCL"]
    offer(pocl, build, [program("opencl"), "describe"])
    command = ["oclgrind", "--num-threads", "1", "--data-races", program("opencl")]
    offer(Contestant("oclgrind", command, loops - {"shuffles"}), build, [*command, "describe"])
    return found, left_out
