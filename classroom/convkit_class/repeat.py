# SPDX-License-Identifier: MIT
"""Repeats gradings: the same bytes, nonce and stages, with nothing from a cache."""

from __future__ import annotations

import getpass
import json
import os
import platform
import selectors
import signal
import subprocess
import tempfile
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from .batch import Files, end_with
from .book import Book, Grading, Repeat, now
from .differences import Comparison, compare
from .kit import Kit

_RAN = (0, 1)  # exit codes of `grade` with a verdict


@dataclass(frozen=True)
class Again:
    """How a grading is repeated."""

    grading: Grading
    device: str  # "cpu" or "gpu"
    stages: tuple[str, ...] = ()  # ids; empty: those of the grading
    speed: bool = False


@dataclass(frozen=True)
class Repeated:
    grading: Grading
    document: dict | None  # None: there is none
    error: str = ""  # why
    comparison: Comparison | None = None

    @property
    def outcome(self) -> str:
        if self.comparison is None:
            return "failed"
        return "same" if self.comparison.agrees else "differs"


class Repeater:
    """Runs `convkit grade` in a folder of its own, which goes when the `with` block ends."""

    def __init__(self, kit: Kit, book: Book):
        self._kit, self._files = kit, Files(book.file)
        self._folder = tempfile.TemporaryDirectory(prefix="convkit-again-")
        self._running: dict[Again, subprocess.Popen] = {}

    def __enter__(self) -> Repeater:
        return self

    def __exit__(self, *_) -> None:
        for process in self._running.values():
            process.send_signal(signal.SIGINT)
        for process in self._running.values():
            process.wait()
        self._folder.cleanup()

    def repeat(self, wanted: list[Again], workers: int) -> Iterator[Repeated]:
        """Yields a result for each as it ends."""
        waiting = deque(wanted)
        while waiting or self._running:
            while waiting and len(self._running) < workers:
                again = waiting.popleft()
                if self._files.submission(again.grading.submission).exists():
                    self._running[again] = self._started(again)
                else:
                    yield Repeated(again.grading, None, "Its copy beside the book is not there.")
            with selectors.DefaultSelector() as ends:
                for again, process in self._running.items():
                    ends.register(os.pidfd_open(process.pid), selectors.EVENT_READ, again)
                ended = [key.data for key, _ in ends.select()] if self._running else []
                for key in list(ends.get_map().values()):
                    os.close(key.fd)
            for again in ended:
                yield self._result(again, self._running.pop(again).wait())

    def _file(self, again: Again, ending: str) -> Path:
        return Path(self._folder.name) / f"{again.grading.id}.{ending}"

    def _started(self, again: Again) -> subprocess.Popen:
        grading, before = again.grading, again.grading.result()
        kept = self._file(again, "kept.json")
        kept.write_text(grading.document, encoding="utf-8")
        command = [self._kit.program, "grade", str(self._files.submission(grading.submission))]
        command += ["--json", str(self._file(again, "json")), "--device", again.device]
        for stage in again.stages or grading.stages.split():
            command += ["--stage", stage]
        if before.get("nonce"):  # `grade` refuses a file whose submission is another one
            command += ["--nonce", str(kept)]
        if not any(
            one["set"] == "hidden" for s in before["stages"] for one in s.get("references", [])
        ):
            command.append("--no-hidden")
        if not again.speed:
            command.append("--no-speed")
        with self._file(again, "txt").open("w") as printed:
            return subprocess.Popen(
                command,
                # Nothing that an earlier grading has compiled.
                env=os.environ | {"CONVKIT_CACHE": str(Path(self._folder.name) / "cache")},
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=subprocess.STDOUT,
                preexec_fn=partial(end_with, os.getpid()),
            )

    def _result(self, again: Again, code: int) -> Repeated:
        try:
            after = json.loads(self._file(again, "json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            after = None
        if code not in _RAN or after is None or after["interrupted"]:
            printed = self._file(again, "txt").read_text(errors="replace").strip().splitlines()
            said = printed[-1] if printed else f"`convkit grade` ended with {code}."
            return Repeated(again.grading, None, said)
        comparison = compare(again.grading.result(), after, again.stages or None)
        return Repeated(again.grading, after, "", comparison)


def kept(book: Book, repeated: Repeated, kind: str, *, sample: str = "", reason: str = "") -> int:
    """Keeps it in the book; its number there."""
    comparison = repeated.comparison
    differences = [d.record() for d in comparison.differences] if comparison else []
    return book.add_repeat(
        Repeat(
            0,
            repeated.grading.id,
            kind,
            sample,
            reason,
            getpass.getuser(),
            platform.node(),
            now(),
            repeated.outcome,
            json.dumps(differences),
            json.dumps(repeated.document) if repeated.document else "",
            repeated.error,
        )
    )
