# SPDX-License-Identifier: MIT
"""Which names in the shared folder are of this book, and which of them nobody wants any more.

A head that is killed cannot remove what it has begun to write there. So each name has a mark, which
only this book can make, at this place: a copy of the book, which may be at work elsewhere, has
another."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from pathlib import Path

from ..book import Book
from . import slurm


class OwnNames:
    def __init__(self, book: Book, shared: Path):
        key = book.secret("cluster") + bytes(book.file.resolve())
        self._shared = shared
        self._begin = f"convkit-{hashlib.sha256(key).hexdigest()[:12]}-"

    def new(self, what: str = "") -> Path:
        """A path that nothing has yet; its last part is also the name of a job."""
        return self._shared / f"{self._begin}{what}{secrets.token_hex(6)}"

    def abandoned(self, wanted: Iterable[Path]) -> tuple[list[Path], list[str]]:
        """(what may be removed, jobs that still work in the rest). `wanted`: what the book still
        counts on. Only for who holds the lock of the book: no other head is at work then."""
        free, jobs = [], []
        kept = {path.name for path in wanted}  # names, for the shared folder may have several
        for path in self._shared.glob(f"{self._begin}*"):
            if path.name in kept:
                continue
            try:
                job = slurm.job_named(path.stem)
                if job is None or not any(task.alive for task in slurm.tasks(job).values()):
                    free.append(path)
                else:
                    jobs.append(job)
            except slurm.Unreachable:
                continue  # a later head may ask
        return free, sorted(set(jobs))
