# SPDX-License-Identifier: MIT
"""Slurm's commands, and what their answers mean. Nothing here knows of submissions."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from dataclasses import dataclass

# The commands answer within a second, or the controller is away.
_PATIENCE_S = 60

# Of a job that has not ended. All others, known or not, have.
_ALIVE = {
    "PENDING", "CONFIGURING", "RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "RESIZING",
    "SIGNALING", "STAGE_OUT", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT",
    "RESV_DEL_HOLD", "REVOKED",
}  # fmt: skip
# What the script of a job and task.py end with where the node lacks something.
NO_PROGRAM, NO_FOLDER, CANNOT_WRITE = 95, 96, 97
REST = -1
_NOT_FOUND = (126, 127)
_OPEN_FAILED = 53  # slurmstepd: a file or folder of the job


class Refused(Exception):
    """What sbatch says instead of taking a job."""

    @property
    def of_a_limit(self) -> bool:
        """A smaller array, or the same one later, may be taken."""
        return bool(re.search(r"limit|polic|array|temporarily|too many", str(self), re.IGNORECASE))


class Unreachable(Exception):
    """The controller does not answer now."""


@dataclass(frozen=True)
class TaskState:
    state: str  # as Slurm calls it; "" where it does not know the task any more
    reason: str = ""
    node: str = ""
    exit_code: int = 0
    exit_signal: int = 0

    @property
    def alive(self) -> bool:
        return self.state in _ALIVE

    @property
    def waits(self) -> bool:
        return self.alive and self.state not in ("CONFIGURING", "RUNNING", "COMPLETING")

    @property
    def fault_of_node(self) -> bool:
        """Another node may do it: nothing that the submission did has ended the task."""
        return (
            self.state in ("", "NODE_FAIL", "BOOT_FAIL", "PREEMPTED", "COMPLETED")
            or self.node_lacks_something
        )

    @property
    def node_lacks_something(self) -> bool:
        """It would spoil other tasks, too."""
        lacks = (NO_PROGRAM, NO_FOLDER, CANNOT_WRITE, *_NOT_FOUND)
        return self.exit_code in lacks or self.exit_signal == _OPEN_FAILED

    def words(self, folder: str, program: str) -> str:
        """Why there is no result, for people."""
        on = f" on {self.node}" if self.node else ""
        if self.state == "":
            return f"the task ended{on} without a result, and Slurm does not know it any more"
        known = {
            "NODE_FAIL": f"the node{on.replace(' on', '')} was lost (NODE_FAIL)",
            "BOOT_FAIL": f"the node{on.replace(' on', '')} did not start (BOOT_FAIL)",
            "TIMEOUT": f"the time limit of the job ended it{on} (TIMEOUT); --time sets it",
            "DEADLINE": f"the deadline of the job ended it{on} (DEADLINE)",
            "OUT_OF_MEMORY": f"it used more memory than its job may{on} (OUT_OF_MEMORY); "
            "--sbatch=--mem=4G gives more",
            "PREEMPTED": f"other jobs took its place{on} (PREEMPTED)",
            "CANCELLED": f"somebody cancelled the task{on} (CANCELLED)",
            "COMPLETED": f"the task ended{on}, but {folder} has no result here (is it the same "
            "folder there?)",
        }
        if self.exit_code == NO_FOLDER or self.exit_signal == _OPEN_FAILED:
            return f"the node{on.replace(' on', '')} does not have {folder}: --shared must be a \
folder of all nodes"
        if self.exit_code == NO_PROGRAM:
            return f"the node{on.replace(' on', '')} does not have {program}"
        if self.exit_code in _NOT_FOUND:
            return f"the node{on.replace(' on', '')} does not have Python 3"
        if self.exit_code == CANNOT_WRITE:
            return f"the task could not write to {folder}{on} (full, a quota, or no permission)"
        if self.state in known:
            return known[self.state]
        how = f"exit code {self.exit_code}"
        if self.exit_signal:
            how = f"signal {self.exit_signal}"
            if self.exit_signal == signal.SIGKILL:
                how += " (killed by somebody, or by the system for memory)"
        return f"the task ended{on} with {how} (state {self.state}) and without a result"


def _call(words: list[str], text: str | None = None) -> subprocess.CompletedProcess:
    # Long lists of tasks are abbreviated otherwise.
    environment = {**os.environ, "SLURM_BITSTR_LEN": "0", "LC_ALL": "C"}
    try:
        return subprocess.run(
            words,
            env=environment,
            input=text if text is not None else "",
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unreachable(f"{words[0]}: {error}") from None


def _said(ran: subprocess.CompletedProcess, program: str) -> str:
    lines = [line.removeprefix(f"{program}: ") for line in ran.stderr.strip().splitlines()]
    lines = [line.removeprefix("error: ") for line in lines if line]
    return "; ".join(lines) or f"exit code {ran.returncode}"


def submit(script: str, words: list[str]) -> str:
    """The number of the job. Refused: sbatch's words."""
    try:
        ran = _call(["sbatch", *words, "--parsable"], script)
    except Unreachable as error:
        raise Refused(str(error)) from None
    found = re.match(r"(\d+)", ran.stdout.strip())
    if ran.returncode != 0 or not found:
        raise Refused(_said(ran, "sbatch"))
    return found[1]


def job_named(name: str) -> str | None:
    """The array job of this name, if Slurm knows one."""
    ran = _call(["squeue", "--noheader", "--states=all", f"--name={name}", "--format=%F"])
    if ran.returncode != 0:
        raise Unreachable(_said(ran, "squeue"))
    return next(iter(ran.stdout.split()), None)


def tasks(job: str) -> dict[int, TaskState]:
    """By index, of those tasks that Slurm still knows; under REST, what all others are."""
    ran = _call(["squeue", "--noheader", "--states=all", f"--jobs={job}", "--format=%K|%T|%N|%r"])
    if ran.returncode != 0:
        if "Invalid job id" in ran.stderr:
            return {}
        raise Unreachable(_said(ran, "squeue"))
    found: dict[int, TaskState] = {}
    for line in ran.stdout.splitlines():
        indices, state, node, reason = line.strip().split("|", 3)
        # `scancel --user` leaves of the tasks that have not begun one line without their indices.
        for index in [REST] if indices == "N/A" else _indices(indices):
            found[index] = TaskState(state, reason if reason != "None" else "", node)
    return found


def _indices(text: str) -> list[int]:
    """Of "7" or "0-3,8,10-14:2%4"."""
    found: list[int] = []
    for part in text.strip("[]").split("%")[0].split(","):
        if match := re.fullmatch(r"(\d+)(?:-(\d+)(?::(\d+))?)?", part):
            first, last, step = match[1], match[2] or match[1], match[3] or 1
            found += range(int(first), int(last) + 1, int(step))
    return found


def how_it_ended(job: str, index: int, seen: TaskState) -> TaskState:
    """With its exit code, from the controller, else from accounting; else what was seen last."""
    try:
        ran = _call(["scontrol", "--oneliner", "show", "job", f"{job}_{index}"])
        fields = dict(re.findall(r"(\w+)=(\S*)", ran.stdout))
        if ran.returncode == 0 and "JobState" in fields:
            return _ended(fields["JobState"], fields.get("ExitCode", ""), seen, fields["NodeList"])
    except Unreachable:
        pass
    try:
        fields = ["sacct", "--noheader", "--parsable2", "--allocations", f"--jobs={job}_{index}"]
        ran = _call([*fields, "--format=State,ExitCode,NodeList"])
        line = ran.stdout.strip().splitlines()
        if ran.returncode == 0 and line:
            state, code, node = line[-1].split("|")
            return _ended(state.split()[0], code, seen, node)
    except (Unreachable, ValueError, IndexError):
        pass
    return seen


def _ended(state: str, code: str, seen: TaskState, node: str) -> TaskState:
    first, _, second = code.partition(":")
    return TaskState(
        state,
        seen.reason,
        seen.node or node.replace("(null)", "").replace("None assigned", ""),
        int(first) if first.isdigit() else 0,
        int(second) if second.isdigit() else 0,
    )


def cancel(job: str) -> None:
    _call(["scancel", job])


def largest_array() -> int:
    """Tasks in one array that the cluster takes."""
    try:
        ran = _call(["scontrol", "show", "config"])
    except Unreachable:
        return 1000
    found = re.search(r"^MaxArraySize\s*=\s*(\d+)", ran.stdout, re.MULTILINE)
    return max(1, int(found[1]) - 1) if found else 1000
