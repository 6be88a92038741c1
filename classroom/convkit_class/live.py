# SPDX-License-Identifier: MIT
"""What a batch shows while it works: a line in place on a terminal, else a line for each end."""

from __future__ import annotations

import sys
import time

from .book import Grading, Submission


def duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def plain_text(text: str) -> str:
    """On one line of a terminal, whatever a student called a file."""
    return "".join(c if c.isprintable() else "?" for c in text)


class LiveView:
    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._running: dict[int, str] = {}
        self._what, self._total = "graded", 0
        self._done = self._failed = 0
        self._began = time.monotonic()

    def begin(self, total: int) -> None:
        self._restart("graded", total)

    def begin_timing(self, total: int) -> None:
        self._clear()
        self._restart("timed", total)

    def _restart(self, what: str, total: int) -> None:
        self._what, self._total = what, total
        self._done = self._failed = 0
        self._began = time.monotonic()

    def started(self, submission: Submission) -> None:
        self._running[submission.id] = submission.login or submission.claimed
        self.refresh()

    def ended(self, submission: Submission, grading: Grading) -> None:
        self._running.pop(submission.id, None)
        self._done += 1
        self._failed += grading.state == "failed"
        if self._terminal and grading.state != "failed":
            self.refresh()
            return
        self._clear()
        name = plain_text(submission.login or submission.claimed)
        print(f"{self._done:>4} of {self._total}  {name:<24} {_said_of(grading)}", flush=True)

    def refresh(self) -> None:
        if not self._terminal or not self._total:
            return
        parts = [f"{self._done} of {self._total} {self._what}"]
        if self._failed:
            parts.append(f"{self._failed} failed")
        spent = time.monotonic() - self._began
        if self._done:
            parts.append(f"{60 * self._done / spent:.1f} a minute")
            left = spent / self._done * (self._total - self._done)
            parts.append(f"{duration(left)} left")
        running = plain_text(", ".join(self._running.values()))
        line = "; ".join(parts) + (f"; running: {running}" if running else "")
        sys.stderr.write(f"\r\x1b[K{line[:119]}")
        sys.stderr.flush()

    def _clear(self) -> None:
        if self._terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def end(self) -> None:
        self._clear()


def _said_of(grading: Grading) -> str:
    if grading.state == "failed":
        return f"FAILED  {plain_text(grading.error)}"
    result = grading.result()
    if not result["stages"]:
        return plain_text(result.get("error", "no stages"))
    pending = f" ({result['pending_points']:g} pending)" if result["pending_points"] else ""
    return f"{result['points']:g} of {result['max_points']:g}{pending}"
