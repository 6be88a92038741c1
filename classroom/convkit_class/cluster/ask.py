# SPDX-License-Identifier: MIT
"""Runs one command of the kit on a node and reads what it prints."""

from __future__ import annotations

import json
import shlex
import time
from pathlib import Path

from ..errors import GraderError, UsageError
from . import slurm


def asked_node(path: Path, words: list[str], command: list[str], poll_s: float) -> dict:
    """`path`: of the answer, without a suffix, in the shared folder. `words`: of sbatch. The JSON
    that `command` prints there. Waits until a node is free."""
    answer, error = path.with_suffix(".json"), path.with_suffix(".txt")
    script = f"#!/bin/sh\n{shlex.join(command)} >{_quoted(answer)} 2>{_quoted(error)}\n"
    words = [*words, "--array=0-0", f"--job-name={path.name}"]
    words += ["--chdir=/", "--output=/dev/null", "--export=ALL"]
    try:
        job = slurm.submit(script, words)
    except slurm.Refused as refused:
        raise UsageError(f"Slurm refuses the job: {refused}") from None
    try:
        last = slurm.TaskState("")
        while True:
            try:
                state = slurm.tasks(job).get(0, slurm.TaskState(""))
            except slurm.Unreachable:
                state = slurm.TaskState("PENDING")
            if not state.alive:
                break
            last = state
            time.sleep(poll_s)
        return _read(answer, error, job, last, poll_s)
    except KeyboardInterrupt:
        slurm.cancel(job)
        raise
    finally:
        answer.unlink(missing_ok=True)
        error.unlink(missing_ok=True)


def _read(answer: Path, error: Path, job: str, last: slurm.TaskState, poll_s: float) -> dict:
    for _ in range(6):  # a shared folder may show it later
        try:
            return json.loads(answer.read_text())
        except (OSError, ValueError):
            time.sleep(poll_s)
    said = error.read_text(errors="replace").strip() if error.exists() else ""
    ended = slurm.how_it_ended(job, 0, last).words(str(answer.parent), "the kit")
    raise GraderError(f"`convkit doctor --depends` failed on a node: {said or ended}.")


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))
