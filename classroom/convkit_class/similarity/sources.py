# SPDX-License-Identifier: MIT
"""Which of a submission's sources belong to a stage, and what all students of it were given."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from ..policy import tomllib
from .archives import SUFFIXES

_CODE_BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_STAGE = re.compile(r"[0-9][0-9]_[a-z0-9_]+")


@dataclass(frozen=True)
class StageText:
    """What the kit has of a stage. A copy of the kit that lacks a part has '' for it."""

    root: Path
    stage: str

    @property
    def _assignment(self) -> Path:
        return self.root / "assignments" / self.stage

    @cached_property
    def files(self) -> set[str]:
        return _files_of(self._assignment)

    @cached_property
    def _files_elsewhere(self) -> set[str]:
        """Of other stages alone."""
        others = (f for f in self.root.glob("assignments/*") if f.name != self.stage)
        return set().union(*map(_files_of, others)) - self.files

    @property
    def headers(self) -> str:
        """The declarations whose names nobody may choose."""
        shared = (self.root / "runtime/include/convkit").glob("*.h")
        return "\n".join(map(_read, sorted([*self._assignment.glob("*.h"), *shared])))

    def given(self) -> list[str]:
        """What everybody may have in common: starter, headers, code of the handout, the baseline
        (students have it), and the solutions that course.toml gives to later stages."""
        handout = _CODE_BLOCK.findall(_read(self._assignment / "README.md"))
        folders = [self.root / "starter" / self.stage, self._assignment / "baseline"]
        folders += [
            self.root / "solutions" / stage
            for stage in self._course().get("reference", [])
            if stage < self.stage
        ]
        return [self.headers, *handout, *(t for f in folders for t in _texts(f))]

    def reference(self) -> list[str]:
        return _texts(self.root / "solutions" / self.stage)

    def _course(self) -> dict:
        try:
            return tomllib.loads(_read(self.root / "course.toml"))
        except tomllib.TOMLDecodeError:
            return {}

    def of(self, sources: dict[str, str]) -> dict[str, str]:
        """Of a submission: the sources of the folder that has most of the stage's files, and of
        the folders in it. A student's own headers and sources are among them. {} where no file
        has a name of the stage."""
        known: dict[PurePosixPath, set[str]] = defaultdict(set)
        for path in map(PurePosixPath, sources):
            if path.name in self.files:
                known[path.parent].add(path.name)
        if not known:
            return {}
        best = max(
            known,
            key=lambda f: (f.name == self.stage, len(known[f]), -len(f.parts), str(f)),
        )
        read_only = {p.name for p in self._assignment.glob("*.h")}  # `grade` uses the kit's own
        inside = {
            str(path.relative_to(best)): sources[str(path)]
            for path in map(PurePosixPath, sources)
            if path.is_relative_to(best)
            and path.name not in read_only | self._files_elsewhere
            and not any(_is_another_stage(p, self.stage) for p in path.relative_to(best).parts)
        }
        return dict(sorted(inside.items()))


def _files_of(assignment: Path) -> set[str]:
    try:
        return set(tomllib.loads(_read(assignment / "stage.toml")).get("files", []))
    except tomllib.TOMLDecodeError:
        return set()  # `grade` names what is wrong with it


def _is_another_stage(folder: str, stage: str) -> bool:
    return folder != stage and _STAGE.fullmatch(folder) is not None


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _texts(folder: Path) -> list[str]:
    return [_read(f) for f in sorted(folder.rglob("*")) if f.name.endswith(SUFFIXES)]
