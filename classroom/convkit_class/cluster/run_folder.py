# SPDX-License-Identifier: MIT
"""One array job in the shared folder: what is sent to the nodes, and what comes back.

manifest.json   the tasks, written last
task.py         what a node runs
submissions/7/  what task 7 grades, under its own name
before/7/       result and journal of an earlier run, where task 7 goes on
earlier/7.json  an earlier result of which task 7 may keep verdicts
attempts/7.*/   what runs of task 7 write
results/7/      the attempt that has ended first
given_up        the head wants nothing of it any more
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from ..errors import UsageError
from .slurm import NO_FOLDER, NO_PROGRAM
from .task import KEPT, newest_attempt

_TASK = Path(__file__).with_name("task.py")


@dataclass
class Task:
    grading: int
    submission: int
    name: str  # of what is graded, in its folder
    words: list[str]  # of `grade`
    timing: bool
    tries: int = 0  # that nodes have spoiled


@dataclass
class RunFolder:
    path: Path
    tasks: list[Task]

    def fill(
        self, program: str, sources: list[Path], results: Path, earlier: list[Path | None]
    ) -> None:
        """`sources`: what each task grades. `results`: where the book keeps journals. `earlier`:
        of each task a result of which it may keep verdicts."""
        try:
            for name in ("submissions", "before", "earlier", "attempts", "results"):
                (self.path / name).mkdir(parents=True)
            self.path.chmod(0o700)  # students' work
            for index, (task, source, kept) in enumerate(zip(self.tasks, sources, earlier)):
                _copy(source, self.path / "submissions" / str(index) / task.name)
                _send_journal(results / f"{task.grading}.json", self.path / "before" / str(index))
                if kept:
                    shutil.copyfile(kept, self.path / "earlier" / f"{index}.json")
            shutil.copyfile(_TASK, self.path / "task.py")
            manifest = {
                "program": program,
                "environment": {k: v for k, v in os.environ.items() if k.startswith("CONVKIT_")},
                "tasks": [asdict(task) for task in self.tasks],
            }
            unfinished = self.path / "manifest.part"
            unfinished.write_text(json.dumps(manifest))
            unfinished.rename(self.path / "manifest.json")
        except OSError as error:
            raise UsageError(f"{self.path} cannot be written: {error.strerror}.") from None

    @staticmethod
    def read(path: Path) -> RunFolder:
        """OSError, ValueError: there is none, or not a whole one."""
        manifest = json.loads((path / "manifest.json").read_text())
        return RunFolder(path, [Task(**task) for task in manifest["tasks"]])

    def script(self, program: str) -> str:
        """For sbatch. Says by its exit code what a node lacks: it may not be able to write."""
        folder, python = shlex.quote(str(self.path)), shlex.quote(sys.executable)
        return (
            "#!/bin/sh\n"
            f"cd {folder} 2>/dev/null && [ -r manifest.json ] || exit {NO_FOLDER}\n"
            f"[ -x {shlex.quote(program)} ] || exit {NO_PROGRAM}\n"
            f"[ -x {python} ] && exec {python} -B task.py {folder}\n"
            f"exec python3 -B task.py {folder}\n"
        )

    def ended(self) -> set[int]:
        """The tasks that have a result. UsageError where the folder is gone."""
        results = self.path / "results"
        try:
            with contextlib.suppress(OSError):
                # A change of one's own makes NFS look again at what others have changed.
                probe = self.path / "results" / f".look-{os.getpid()}"
                probe.touch()
                probe.unlink()
            return {int(entry.name) for entry in results.iterdir() if entry.name.isdigit()}
        except OSError as error:
            raise UsageError(
                f"{self.path}, with the tasks of an array job, cannot be read: {error.strerror}."
            ) from None

    def collect(self, index: int, result: Path, printed: Path) -> dict:
        """Copies what a task has ended with to the book's files; its exit code, seconds, node."""
        folder = self.path / "results" / str(index)
        _replace(folder / "result.json.journal", Path(f"{result}.journal"))
        _replace(folder / "result.json", result)
        _replace(folder / "printed.txt", printed)
        try:
            return json.loads((folder / "end.json").read_text())
        except (OSError, ValueError):
            return {"exit_code": 3, "seconds": 0, "node": ""}

    def collect_unfinished(self, index: int, result: Path) -> None:
        """Of a task that has not ended: its journal, so that the next run goes on from it."""
        attempt = newest_attempt(self.path, str(index))
        if attempt is not None:
            _replace(attempt / "result.json.journal", Path(f"{result}.journal"))
            _replace(attempt / "result.json", result)

    def node_of(self, index: int) -> str:
        """Where the task ran last, "" if it never has."""
        nodes = sorted(
            self.path.glob(f"attempts/{index}.*/node"), key=lambda p: p.stat().st_mtime_ns
        )
        return nodes[-1].read_text() if nodes else ""

    def give_up(self) -> None:
        with contextlib.suppress(OSError):
            (self.path / "given_up").touch()

    @property
    def given_up(self) -> bool:
        return (self.path / "given_up").exists()

    def remove(self) -> None:
        # First what makes it whole: a head that is killed here leaves nothing that is read again.
        with contextlib.suppress(OSError):
            (self.path / "manifest.json").unlink()
        shutil.rmtree(self.path, ignore_errors=True)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True)
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True)
    else:
        shutil.copy2(source, target)


def _send_journal(result: Path, before: Path) -> None:
    journal = Path(f"{result}.journal")
    if journal.exists():
        before.mkdir()
        for source, name in zip((result, journal), KEPT):
            with contextlib.suppress(FileNotFoundError):
                shutil.copyfile(source, before / name)


def _replace(source: Path, target: Path) -> None:
    """A copy of it, or nothing where it is not there."""
    if not source.exists():
        target.unlink(missing_ok=True)
        return
    unfinished = target.with_name(target.name + ".part")
    shutil.copyfile(source, unfinished)
    unfinished.replace(target)
