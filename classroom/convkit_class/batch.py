# SPDX-License-Identifier: MIT
"""Grades many submissions: several `convkit grade` side by side, then the timings one at a time.

Each grading is a process of its own with a result file and a journal, so a submission that breaks
one stops no other. The book knows which run: after kill -9 the next batch takes their results
where they had ended, and resumes the others."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections import deque
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TextIO

from .book import Book, Grading, Submission
from .errors import UsageError
from .kit import Kit
from .live import LiveView
from .names import HandedIn

_USED_WRONGLY, _INTERRUPTED = 2, 130
_PR_SET_PDEATHSIG = 1
_ENDS_WITHIN_S = 30  # a grading that got SIGINT


class Files:
    """The folder beside the book: what was handed in, and the result files of gradings."""

    def __init__(self, book: Path):
        self.folder = book.with_name(book.name + ".files")

    def submission(self, number: int) -> Path:
        """What is handed to `grade`: one file or folder, or a folder of several."""
        folder = self.folder / "submissions" / str(number)
        inside = list(folder.iterdir()) if folder.is_dir() else []
        return inside[0] if len(inside) == 1 else folder

    def keep(self, number: int, handed_in: HandedIn) -> None:
        """Copies what was handed in; links and special files stay behind."""
        folder = self.folder / "submissions" / str(number)
        if folder.exists():
            return
        unfinished = folder.with_name(folder.name + ".part")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        for name, part in handed_in.parts:
            if part.is_dir():
                shutil.copytree(part, unfinished / name, symlinks=True, ignore=_not_submitted)
            else:
                shutil.copy2(part, unfinished / name)
        unfinished.rename(folder)

    def result(self, grading: int) -> Path:
        return self.folder / "results" / f"{grading}.json"

    def printed(self, grading: int) -> Path:
        return self.folder / "results" / f"{grading}.txt"

    def forget(self, submissions: list[int], gradings: list[int]) -> None:
        for number in submissions:
            for folder in self.folder.glob(f"submissions/{number}*"):
                if folder.name in (str(number), f"{number}.part"):
                    shutil.rmtree(folder)
        for number in gradings:
            for file in self.folder.glob(f"results/{number}.*"):
                file.unlink()


def locked(book: Path) -> int:
    """A descriptor: until it is closed, nobody else grades with this book."""
    lock = os.open(book.with_name(book.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise UsageError(f"Another `class grade` is at work on {book}.") from None
    return lock


def _is_unlocked(file: TextIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass  # some file systems have no locks
    return True


def _not_submitted(folder: str, names: list[str]) -> set[str]:
    special = {n for n in names if not ((p := Path(folder, n)).is_file() or p.is_dir())}
    return special | {".git"} & set(names)


@dataclass
class Plan:
    """How to grade."""

    device: str = "cpu"
    stages: list[str] = field(default_factory=list)  # ids; empty: all
    speed: bool = True
    hidden: bool = True
    workers: int = os.cpu_count() or 1
    again: bool = False  # also what has been graded
    changed: bool = False  # also what was graded with another kit, other cases or other limits


@dataclass
class _Run:
    submission: Submission
    grading: int
    process: subprocess.Popen
    began: float
    timing: bool
    goes_on: bool


class Batch:
    def __init__(self, book: Book, kit: Kit, plan: Plan, view: LiveView):
        self._book, self._kit, self._plan, self._view = book, kit, plan, view
        self._files = Files(book.file)
        (self._files.folder / "results").mkdir(parents=True, exist_ok=True)
        self._lock = locked(book.file)
        try:
            self._depends = self._depends_now() if plan.changed else {}
        except BaseException:
            os.close(self._lock)
            raise

    def _depends_now(self) -> dict[str, str]:
        return self._ask_machine(self._book.graded_stages())

    def _ask_machine(self, stages: list[str]) -> dict[str, str]:
        return self._kit.depends(self._plan.device, stages)

    def run(self, submissions: list[Submission]) -> bool:
        """False: the user pressed Ctrl-C. The book has what is known; the next batch goes on."""
        try:
            self._settle_earlier()
            wanted = deque(s for s in submissions if self._is_open(s))
            self._view.begin(len(wanted))
            self._work(wanted, self._plan.workers, timing=False)
            if self._plan.speed:
                untimed = deque(self._to_time(submissions))
                self._view.begin_timing(len(untimed))
                self._work(untimed, 1, timing=True)
        except KeyboardInterrupt:
            return False
        finally:
            self._view.end()
            os.close(self._lock)
        return True

    def _alike(self, submission: Submission) -> list[Grading]:
        """Its runs on this device and for these stages, without documents; the newest is last."""
        asked = (self._plan.device, " ".join(self._plan.stages))
        runs = self._book.runs(submission.id)
        return [run for run in runs if (run.device, run.stages) == asked]

    def _last(self, submission: Submission) -> Grading | None:
        runs = self._alike(submission)
        return runs[-1] if runs else None

    def _is_open(self, submission: Submission) -> bool:
        last = self._last(submission)
        if last is None or self._plan.again or last.state in ("running", "failed"):
            return True
        return self._plan.changed and self._differs(json.loads(last.depends or "{}"))

    def _differs(self, before: dict) -> bool:
        """Of the stages that the grading had: another kit, other cases, other limits."""
        return any(self._depends.get(what) != which for what, which in before.items())

    def _to_time(self, submissions: list[Submission]) -> list[Submission]:
        return [s for s in submissions if (last := self._last(s)) and last.state == "untimed"]

    def _settle_earlier(self) -> None:
        """Of runs that an earlier batch could not wait for: those that had ended all the same."""
        for grading in self._book.runs():
            if grading.state in ("running", "untimed"):
                self._wait_until_free(grading.id)
            result = self._result_of(grading.id) if grading.state == "running" else None
            # Killed between its result and the end of its journal: it is resumed.
            at_its_end = self._journal(grading.id).exists() and not self._plan.speed
            if result and not result["interrupted"] and not at_its_end:
                self._keep(grading.id, result, exit_code=None, seconds=0, timing_s=0)

    def _result_of(self, grading: int) -> dict | None:
        try:
            return json.loads(self._files.result(grading).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def _journal(self, grading: int) -> Path:
        return self._files.result(grading).with_suffix(".json.journal")

    def _wait_until_free(self, grading: int) -> None:
        """A grading whose batch was killed still writes what it has got to; until then nobody else
        may work on its files. `grade` locks its journal."""
        journal = self._journal(grading)
        deadline = time.monotonic() + _ENDS_WITHIN_S
        with contextlib.suppress(FileNotFoundError), journal.open() as open_journal:
            while not _is_unlocked(open_journal):
                if time.monotonic() > deadline:
                    raise UsageError(
                        f"A `convkit grade` of an earlier batch is still at work on {journal}. "
                        "End it first."
                    )
                time.sleep(0.05)

    def _work(self, wanted: deque[Submission], workers: int, timing: bool) -> None:
        running: dict[int, _Run] = {}
        with selectors.DefaultSelector() as ends:
            try:
                while wanted or running:
                    while wanted and len(running) < workers:
                        run = self._start(wanted.popleft(), timing)
                        pidfd = os.pidfd_open(run.process.pid)
                        running[pidfd] = run
                        ends.register(pidfd, selectors.EVENT_READ)
                        self._view.started(run.submission)
                    for key, _ in ends.select(timeout=1):
                        ends.unregister(key.fd)
                        os.close(key.fd)
                        run = running.pop(key.fd)
                        if self._is_refused(run):
                            wanted.appendleft(run.submission)
                        else:
                            self._ended(run)
                    self._view.refresh()
            except BaseException:
                for run in running.values():
                    run.process.send_signal(signal.SIGINT)
                for run in running.values():
                    self._wait_for_interrupted(run)
                raise

    def _wait_for_interrupted(self, run: _Run) -> None:
        with contextlib.suppress(KeyboardInterrupt):
            try:
                run.process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                run.process.kill()
                run.process.wait()
            self._ended(run)

    def _begin(self, submission: Submission, timing: bool) -> tuple[int, bool]:
        """The number of the grading, and whether an earlier run has begun it."""
        last = self._last(submission)
        if last is not None and last.state == ("untimed" if timing else "running"):
            return last.id, True
        stages = " ".join(self._plan.stages)
        return self._book.begin(submission.id, self._plan.device, stages), False

    def _grade_options(self, timing: bool) -> list[str]:
        options = ["--device", self._plan.device]
        if not timing:
            options.append("--speed-later")  # also without speed: a later batch can time it then
        if not self._plan.hidden:
            options.append("--no-hidden")
        for stage in self._plan.stages:
            options += ["--stage", stage]
        return options

    def _start(self, submission: Submission, timing: bool) -> _Run:
        number, goes_on = self._begin(submission, timing)
        command = [
            self._kit.program,
            "grade",
            str(self._files.submission(submission.id)),
            "--json",
            str(self._files.result(number)),
            *self._grade_options(timing),
        ]
        if goes_on:
            command.append("--resume")
        elif self._plan.changed and (earlier := self._earlier(submission, number)):
            command += ["--keep-verdicts", str(earlier)]
        with self._files.printed(number).open("w") as printed:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=subprocess.STDOUT,
                preexec_fn=partial(end_with, os.getpid()),
            )
        return _Run(submission, number, process, time.monotonic(), timing, goes_on)

    def _is_refused(self, run: _Run) -> bool:
        """Whether the run could not go on with a journal, of another kit or with other options: it
        starts from the beginning then."""
        journal = self._journal(run.grading)
        if run.process.wait() != _USED_WRONGLY or not run.goes_on or not journal.exists():
            return False
        self._wait_until_free(run.grading)  # of a killed batch, which had not locked it before
        journal.unlink(missing_ok=True)
        self._files.result(run.grading).unlink(missing_ok=True)
        return True

    def _earlier(self, submission: Submission, number: int) -> Path | None:
        """The last whole result that may have verdicts to keep."""
        for run in reversed(self._alike(submission)):
            if run.state not in ("done", "untimed") or run.id == number:
                continue
            if self._book.grading(run.id).result().get("choices"):  # else it is of an older kit
                file = self._files.result(run.id)
                return file if file.exists() else None
        return None

    def _ended(self, run: _Run) -> None:
        code = run.process.wait()
        seconds = time.monotonic() - run.began
        self._record(run.submission, run.grading, code, seconds, run.timing)

    def _record(
        self, submission: Submission, grading: int, code: int, seconds: float, timing: bool
    ) -> None:
        """What a run has ended with, from its result file."""
        result = self._result_of(grading)
        if code == _INTERRUPTED:
            return  # the book says that it runs: the next batch resumes it
        if result and not result["interrupted"]:
            timed = {"seconds": 0, "timing_s": seconds}
            untimed = {"seconds": seconds, "timing_s": 0}
            self._keep(grading, result, exit_code=code, **(timed if timing else untimed))
            self._view.ended(submission, self._book.grading(grading))
        else:
            self._fail(submission, grading, self._last_words(grading, code), code, seconds)

    def _fail(
        self,
        submission: Submission,
        grading: int,
        error: str,
        code: int | None = None,
        seconds: float = 0,
    ) -> None:
        self._book.end(grading, "failed", exit_code=code, seconds=seconds, error=error)
        self._view.ended(submission, self._book.grading(grading))

    def _keep(
        self, grading: int, result: dict, *, exit_code: int | None, seconds: float, timing_s: float
    ) -> str:
        state = "untimed" if self._journal(grading).exists() else "done"
        self._book.end(
            grading,
            state,
            document=json.dumps(result),
            depends=json.dumps(result.get("depends", {})),
            exit_code=exit_code,
            seconds=seconds,
            timing_s=timing_s,
        )
        return state

    def _last_words(self, grading: int, code: int) -> str:
        lines = self._files.printed(grading).read_text(errors="replace").strip().splitlines()
        ended = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
        return f"`convkit grade` ended with {ended}{': ' + lines[-1] if lines else '.'}"


def end_with(parent: int) -> None:
    """In a child: Ctrl-C for it when its parent dies, so that its journal is whole."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGINT)
    if os.getppid() != parent:  # it died before
        os._exit(_INTERRUPTED)
