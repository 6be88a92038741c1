# SPDX-License-Identifier: MIT
"""Proving that a committed set is what the spec makes: nothing changed, missing or extra."""

from __future__ import annotations

import hashlib
from pathlib import Path

from .case_file import CaseFile, make_case
from .draw import draw_cases
from .errors import UserError
from .manifest import NAME, read, secret_mark, spec_sha256
from .spec import Spec

_FACTS = (
    "op", "task", "group", "visible", "summary", "seed", "file", "params", "inputs", "outputs",
)  # fmt: skip


def check_set(folder: Path, spec: Spec, secret: str | None) -> list[str]:
    """One sentence for each thing that does not fit; an empty list if everything does."""
    manifest = read(folder)
    mark = None if secret is None else secret_mark(secret)
    if manifest.get("seed") != mark:
        if secret is None:
            raise UserError(f"{folder / NAME}: this is a hidden set; give its --seed to check it.")
        raise UserError(f"{folder / NAME}: this set was not made with the --seed given.")
    problems = []
    if manifest.get("spec_sha256") != spec_sha256(spec):
        problems.append(f"{spec.path}: the spec has changed since its cases were made.")
    entries = {entry["name"]: entry for entry in manifest["cases"]}
    for case in draw_cases(spec, secret):
        entry = entries.pop(case.name, None)
        if entry is None:
            problems.append(f'{folder / NAME}: case "{case.name}" of the spec is not in it.')
        else:
            problems += _check_case(folder, make_case(case), entry)
    problems += [f'{folder / NAME}: case "{name}" is not in the spec.' for name in entries]
    return problems + _extra_files(folder, manifest)


def _check_case(folder: Path, made: CaseFile, entry: dict) -> list[str]:
    problems = []
    path = folder / entry["file"]
    try:
        if hashlib.sha256(path.read_bytes()).hexdigest() != entry.get("sha256"):
            problems.append(f"{path}: the file has changed: its sha256 is not the manifest's.")
    except FileNotFoundError:
        problems.append(f"{path}: the file is missing.")
    fresh = made.entry(b"")
    for key in _FACTS:
        if entry.get(key) != fresh[key]:
            problems.append(
                f'{folder / NAME}: "{key}" of case "{made.case.name}" is not what the spec says.'
            )
    for name in sorted({**fresh["tensors"], **entry["tensors"]}):
        if fresh["tensors"].get(name) != entry["tensors"].get(name):
            problems.append(
                f"{path}: {name} is not reproduced: a new run makes another tensor than the "
                "manifest names."
            )
    return problems


def _extra_files(folder: Path, manifest: dict) -> list[str]:
    known = {entry["file"] for entry in manifest["cases"]} | {NAME}
    extra = sorted(path for path in folder.iterdir() if path.name not in known)
    return [f"{path}: the file is not in the manifest." for path in extra]
