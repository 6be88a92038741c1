# SPDX-License-Identifier: MIT
"""What `class grade` is told about the cluster."""

from __future__ import annotations

import argparse
import shutil
from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError

_NEEDED = ("sbatch", "squeue", "scancel", "scontrol")


@dataclass(frozen=True)
class ClusterOptions:
    shared: Path  # absolute; every node and this machine see it under this name
    partition: str = ""
    account: str = ""
    time: str = ""  # as sbatch reads it
    gres: str = "gpu:1"  # of tasks on a GPU
    cpus: int = 2  # of a task
    throttle: int = 8  # tasks at a time
    poll_s: float = 5  # between two looks
    sbatch: tuple[str, ...] = ()  # further arguments

    def words(self, device: str) -> list[str]:
        """Of sbatch, for a job that grades on this device."""
        words = [f"--cpus-per-task={self.cpus}"]
        for name in ("partition", "account", "time"):
            if value := getattr(self, name):
                words.append(f"--{name}={value}")
        if device == "gpu" and self.gres:
            words.append(f"--gres={self.gres}")
        return words + list(self.sbatch)


def add_cluster_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("on a cluster (docs/cluster.md)")
    group.add_argument("--executor", choices=("local", "slurm"), default="local")
    group.add_argument("--shared", type=Path, help="a folder that this machine and all nodes have")
    group.add_argument("--partition", default="", help="of Slurm; default: the cluster's")
    group.add_argument("--account", default="", help="of Slurm")
    group.add_argument("--time", default="", help="limit of one submission, such as 00:30:00")
    group.add_argument("--gres", default="gpu:1", help="with --device gpu; default: gpu:1")
    group.add_argument("--cpus", type=int, default=2, help="of a task; default: 2")
    group.add_argument("--throttle", type=int, default=8, help="tasks at a time; default: 8")
    group.add_argument("--poll", type=float, default=5, help="seconds between looks; default: 5")
    group.add_argument(
        "--sbatch", action="append", default=[], metavar="=ARGUMENT", help="one more (repeatable)"
    )


def cluster_options(options: argparse.Namespace) -> ClusterOptions:
    if options.shared is None:
        raise UsageError("--executor slurm needs --shared: a folder that all nodes have, too.")
    for name, least in (("cpus", 1), ("throttle", 1), ("poll", 0.1)):
        if getattr(options, name) < least:
            raise UsageError(f"--{name} is {getattr(options, name)}; it is at least {least}.")
    missing = [name for name in _NEEDED if not shutil.which(name)]
    if missing:
        raise UsageError(f"There is no {missing[0]} here: this machine is none of a Slurm cluster.")
    return ClusterOptions(
        options.shared.absolute(),
        options.partition,
        options.account,
        options.time,
        options.gres,
        options.cpus,
        options.throttle,
        options.poll,
        tuple(options.sbatch),
    )
