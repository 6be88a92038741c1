# SPDX-License-Identifier: MIT
"""A batch whose gradings are tasks of Slurm's array jobs.

The head (this process) only sends and collects. Which arrays there are is on the disk before they
are submitted: a head that dies leaves them working, and the next one finds them."""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

from ..batch import Batch, Plan
from ..book import Book, Submission
from ..errors import GraderError, UsageError
from ..kit import Kit
from ..live import LiveView, plain_text
from . import slurm
from .ask import asked_node
from .options import ClusterOptions
from .own import OwnNames
from .run_folder import RunFolder, Task

# A shared folder may show a result some time after Slurm has said that the task has ended.
_LOOKS = 6
_MOST_TRIES = 2
# Between SIGTERM and SIGKILL a task closes its journal; Slurm's KillWait is 30 s.
_LAST_WORDS_S = 60


_ORDINARY_REASONS = ("JobArrayTaskLimit", "Resources", "Priority", "BeginTime")


@dataclass
class _Array:
    folder: RunFolder
    job: str
    open: set[int]  # indices of tasks that are not in the book
    looks: dict[int, int] = field(default_factory=dict)  # since a task ended without a result
    seen: dict[int, slurm.TaskState] = field(default_factory=dict)


class ArrayList:
    """Which arrays may be at work for a book: their folders and jobs, beside the book."""

    def __init__(self, files: Path):
        self.file = files / "cluster.json"

    def read(self) -> dict[str, str]:
        """Jobs by folder; "" while sbatch has not answered."""
        try:
            return json.loads(self.file.read_text())
        except (OSError, ValueError):
            return {}

    def write(self, arrays: dict[str, str]) -> None:
        if not arrays:
            self.file.unlink(missing_ok=True)
            return
        self.file.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.file.with_suffix(".part")
        unfinished.write_text(json.dumps(arrays))
        unfinished.replace(self.file)

    def refuse(self) -> None:
        """For a batch on this machine, which would do the same work."""
        if jobs := [job or "?" for job in self.read().values()]:
            raise UsageError(
                f"Tasks of this book may be at work on the cluster (job {', '.join(jobs)}): use "
                f"--executor slurm, or delete {self.file} to give them up."
            )


class ClusterBatch(Batch):
    def __init__(self, book: Book, kit: Kit, plan: Plan, view: LiveView, options: ClusterOptions):
        self._options = options
        self._arrays: list[_Array] = []
        self._tries: dict[int, int] = {}  # of gradings, that nodes have spoiled
        self._avoid: set[str] = set()  # nodes that have spoiled one
        self._waits_for = ""
        self._refused_at = sys.maxsize  # tasks that were at work
        self._submissions: dict[int, Submission] = {}
        self._must_exist()
        self._names = OwnNames(book, options.shared)
        super().__init__(book, kit, plan, view)
        self._list = ArrayList(self._files.folder)

    def _must_exist(self) -> None:
        try:
            self._options.shared.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"--shared {self._options.shared} cannot be made: {error.strerror}."
            ) from None

    def _ask_machine(self, stages: list[str]) -> dict[str, str]:
        """A node, for compiler and device are those of nodes."""
        words = self._options.words(self._plan.device)
        command = self._kit.depends_command(self._plan.device, stages)
        self._say("Asking a node what verdicts depend on ...")
        return asked_node(self._names.new("ask-"), words, command, self._options.poll_s)

    # What an earlier head has left

    def _settle_earlier(self) -> None:
        for path, job in self._list.read().items():
            if not Path(path).parent.is_dir():
                raise UsageError(
                    f"{Path(path).parent}, where tasks of this book are, is not there. Mount it, "
                    f"or delete {self._list.file} to give them up."
                )
            try:
                folder = RunFolder.read(Path(path))
            except (OSError, ValueError):
                RunFolder(Path(path), []).remove()  # the head died before sbatch
                continue
            try:
                job = job or slurm.job_named(Path(path).name) or ""
            except slurm.Unreachable as error:
                raise GraderError(f"Slurm does not answer: {error}.") from None
            array = _Array(folder, job, {i for i, t in enumerate(folder.tasks) if self._is_due(t)})
            self._tries.update({t.grading: t.tries for t in folder.tasks})
            self._arrays.append(array)
            if folder.given_up or not job:
                self._give_up(array)
        for array in self._arrays:
            if array.open:
                self._say(f"Array job {array.job} is at work: {len(array.open)} tasks open.")
        self._write_list()
        self._sweep()
        super()._settle_earlier()

    def _sweep(self) -> None:
        """What heads of this book have left that were killed before or after an array."""
        free, jobs = self._names.abandoned([array.folder.path for array in self._arrays])
        for path in free:
            if path.is_dir():
                RunFolder(path, []).remove()
            else:
                path.unlink(missing_ok=True)
        if jobs:
            self._say(
                f"Nobody waits any more for what still works for this book (job {', '.join(jobs)});"
                " `scancel` ends it."
            )

    def _is_due(self, task: Task) -> bool:
        """The book does not have what this task finds out."""
        try:
            state = self._book.grading(task.grading).state
        except IndexError:
            return False  # the student's data was deleted
        return state == ("untimed" if task.timing else "running")

    def _is_open(self, submission: Submission) -> bool:
        return super()._is_open(submission) or self._in_flight(submission)

    def _in_flight(self, submission: Submission) -> bool:
        last = self._last(submission)
        return last is not None and last.id in self._gradings_in_flight()

    def _gradings_in_flight(self) -> set[int]:
        return {a.folder.tasks[index].grading for a in self._arrays for index in a.open}

    # Work

    def _work(self, wanted: deque[Submission], workers: int, timing: bool) -> None:
        wanted = deque(s for s in wanted if not self._in_flight(s))
        most = slurm.largest_array()
        try:
            while wanted or self._arrays:
                flying = len(self._gradings_in_flight())
                if wanted and self._may_send(len(wanted), flying):
                    most = self._submit(wanted, most, timing, flying)
                for again in self._look():
                    wanted.append(again)
                self._view.refresh()
                if self._arrays:
                    time.sleep(self._options.poll_s)
        except KeyboardInterrupt:
            self._cancel()
            raise

    def _may_send(self, count: int, flying: int) -> bool:
        """Not more at a time than --throttle; after a refusal not before some have ended."""
        return not flying or (
            flying < self._refused_at and count <= self._options.throttle - flying
        )

    def _submit(self, wanted: deque[Submission], most: int, timing: bool, flying: int) -> int:
        """Sends as many as one array may have; how many that may be from now on."""
        chosen = [wanted.popleft() for _ in range(min(most, len(wanted)))]
        tasks, earlier, new = [], [], []
        for submission in chosen:
            grading, goes_on = self._begin(submission, timing)
            if not goes_on:
                new.append(grading)
            tasks.append(
                Task(
                    grading,
                    submission.id,
                    self._files.submission(submission.id).name,
                    self._grade_options(timing),
                    timing,
                    self._tries.get(grading, 0),
                )
            )
            keeps = self._plan.changed and not timing
            earlier.append(self._earlier(submission, grading) if keeps else None)
        array = _Array(RunFolder(self._names.new(), tasks), "", set(range(len(tasks))))
        self._arrays.append(array)
        self._write_list()
        throttle = max(1, self._options.throttle - flying)
        try:
            array.folder.fill(
                self._kit.program,
                [self._files.submission(s.id) for s in chosen],
                self._files.folder / "results",
                earlier,
            )
            array.job = self._sbatch(array, throttle, timing)
        except (UsageError, slurm.Refused) as refused:
            self._drop(array)
            for grading in new:  # else a refusal would count as a run that is still open
                self._book.withdraw(grading)
            wanted.extendleft(reversed(chosen))
            self._refused_at = flying
            if flying:
                self._say(f"No more tasks for now: {refused}")
                return most
            if isinstance(refused, UsageError):
                raise
            if refused.of_a_limit and len(chosen) > 1:
                self._say(f"Slurm refuses {len(chosen)} tasks at a time ({refused}).")
                return len(chosen) // 2
            raise UsageError(f"Slurm refuses the job: {refused}") from None
        self._refused_at = sys.maxsize
        self._write_list()
        what = "to be timed, each alone on its node" if timing else "to be graded"
        self._say(f"Array job {array.job}: {len(tasks)} {what}, {throttle} at a time.")
        return most

    def _sbatch(self, array: _Array, throttle: int, timing: bool) -> str:
        words = [
            *self._options.words(self._plan.device),
            f"--job-name={array.folder.path.name}",
            f"--array=0-{len(array.folder.tasks) - 1}%{throttle}",
            "--requeue",
            "--export=ALL",
            "--chdir=/",
            "--output=/dev/null",
        ]
        if timing:
            words.append("--exclusive")  # whatever else runs on a node disturbs a timing
        script = array.folder.script(self._kit.program)
        if self._avoid:
            try:
                return slurm.submit(script, [*words, f"--exclude={','.join(sorted(self._avoid))}"])
            except slurm.Refused:  # there may be no other nodes
                self._avoid.clear()
        return slurm.submit(script, words)

    def _look(self) -> list[Submission]:
        """Collects what has ended; what is to be done again."""
        again = []
        for array in list(self._arrays):
            try:
                # In this order: what Slurm says has ended before the folder is read.
                now = slurm.tasks(array.job) if array.open else {}
            except slurm.Unreachable as error:
                self._waiting(f"Slurm does not answer: {error}")
                continue
            array.seen.update(now)
            ended = array.folder.ended() if array.open else set()
            for index in sorted(array.open):
                state = now.get(index) or now.get(slurm.REST) or slurm.TaskState("")
                if index in ended:
                    self._collect(array, index)
                elif state.alive:
                    self._is_alive(array, index, state)
                elif (spoiled := self._missing(array, index)) is not None:
                    again.append(spoiled)
            if not array.open:
                self._drop(array)
        return again

    def _is_alive(self, array: _Array, index: int, state: slurm.TaskState) -> None:
        array.looks.pop(index, None)
        if state.state == "RUNNING":
            self._view.started(self._submission_of(array, index))
        elif state.waits and state.reason not in ("", *_ORDINARY_REASONS):
            self._waiting(f"Array job {array.job} waits: {state.state}, {state.reason}.")

    def _missing(self, array: _Array, index: int) -> Submission | None:
        """A task has ended, and no result is there yet. The submission, if it is to run again."""
        array.looks[index] = array.looks.get(index, 0) + 1
        if array.looks[index] < _LOOKS:
            return None
        seen = array.seen.get(index) or slurm.TaskState("", node=array.folder.node_of(index))
        if seen.alive and slurm.REST in array.seen:
            seen = array.seen[slurm.REST]
        seen = seen if not seen.alive else slurm.TaskState("", node=seen.node)
        ended = slurm.how_it_ended(array.job, index, seen)
        task, submission = array.folder.tasks[index], self._submission_of(array, index)
        words = ended.words(str(self._options.shared), self._kit.program)
        array.folder.collect_unfinished(index, self._files.result(task.grading))
        array.open.discard(index)
        tries = self._tries[task.grading] = self._tries.get(task.grading, 0) + 1
        if ended.fault_of_node and tries < _MOST_TRIES:
            name = plain_text(submission.login or submission.claimed)
            self._say(f"{name}: {words}; it is sent once more.")
            if ended.node and ended.node_lacks_something:
                self._avoid.add(ended.node)
            return submission
        self._fail(submission, task.grading, f"Array task {array.job}_{index}: {words}.")
        return None

    def _collect(self, array: _Array, index: int) -> None:
        task, submission = array.folder.tasks[index], self._submission_of(array, index)
        end = array.folder.collect(
            index, self._files.result(task.grading), self._files.printed(task.grading)
        )
        array.open.discard(index)
        self._record(submission, task.grading, end["exit_code"], end["seconds"], task.timing)

    def _submission_of(self, array: _Array, index: int) -> Submission:
        if not self._submissions:
            self._submissions = {s.id: s for s in self._book.submissions()}
        return self._submissions[array.folder.tasks[index].submission]

    # The end of arrays

    def _cancel(self) -> None:
        """After Ctrl-C: what has ended is kept, and journals of the rest."""
        self._say("Cancelling the array jobs ...")
        for array in self._arrays:
            array.folder.give_up()
            try:
                array.job = array.job or slurm.job_named(array.folder.path.name) or ""
                if array.job:
                    slurm.cancel(array.job)
            except slurm.Unreachable as error:
                self._say(f"Job {array.job} may go on: {error}")
        deadline = time.monotonic() + _LAST_WORDS_S
        for array in list(self._arrays):
            while self._any_alive(array) and time.monotonic() < deadline:
                time.sleep(min(1, self._options.poll_s))
            self._give_up(array)

    @staticmethod
    def _any_alive(array: _Array) -> bool:
        try:
            return bool(array.job) and any(s.alive for s in slurm.tasks(array.job).values())
        except slurm.Unreachable:
            return False

    def _give_up(self, array: _Array) -> None:
        """Keeps what has ended. The rest stays open, and the next array goes on with it."""
        array.folder.give_up()
        ended = array.folder.ended()
        for index in sorted(array.open):
            if index in ended:
                self._collect(array, index)
            else:
                grading = array.folder.tasks[index].grading
                array.folder.collect_unfinished(index, self._files.result(grading))
        array.open.clear()
        self._drop(array)

    def _drop(self, array: _Array) -> None:
        self._arrays.remove(array)
        array.folder.remove()
        self._write_list()

    def _write_list(self) -> None:
        self._list.write({str(array.folder.path): array.job for array in self._arrays})

    # Words

    def _say(self, words: str) -> None:
        self._view.end()
        print(plain_text(words), flush=True)

    def _waiting(self, words: str) -> None:
        if words != self._waits_for:
            self._waits_for = words
            self._say(words)
