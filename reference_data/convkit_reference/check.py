# SPDX-License-Identifier: MIT
"""Proves that a committed set is what the spec makes: nothing is changed, missing or extra."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from .draw import draw_cases
from .errors import UserError
from .made_case import MadeCase, make_case
from .manifest import ARCHIVE, NAME, file_sha256, read, secret_mark, spec_sha256
from .npz import tensor_sha256
from .spec import Spec

# What NumPy raises for an archive or a member that is not complete.
_DAMAGE = (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error)
_FACTS = (
    "op", "task", "group", "visible", "summary", "seed", "params", "inputs", "outputs",
)  # fmt: skip


def check_set(folder: Path, spec: Spec, secret: str | None) -> list[str]:
    """One sentence for each difference; an empty list if there is none."""
    manifest = read(folder)
    mark = None if secret is None else secret_mark(secret)
    if manifest.get("seed") != mark:
        if secret is None:
            raise UserError(f"{folder / NAME}: this is a hidden set; give its --seed to check it.")
        raise UserError(f"{folder / NAME}: this set was not made with the --seed given.")
    with_seed = "" if secret is None else " with the same --seed"
    problems = []
    if manifest.get("spec_sha256") != spec_sha256(spec):
        problems.append(
            f"{spec.path}: the spec has changed since its cases were made; "
            f"run ./convkit refgen --stage {int(spec.stage[:2])}{with_seed} to make them again."
        )
    stored, damage = _stored(folder / ARCHIVE, manifest)
    problems += damage
    entries = {entry["name"]: entry for entry in manifest["cases"]}
    for case in draw_cases(spec, secret):
        entry = entries.pop(case.name, None)
        if entry is None:
            problems.append(f'{folder / NAME}: case "{case.name}" of the spec is not in it.')
        else:
            problems += _check_case(folder, make_case(case), entry, stored)
    problems += [f'{folder / NAME}: case "{name}" is not in the spec.' for name in entries]
    return problems + _extra(folder, manifest, stored)


def _stored(path: Path, manifest: Mapping) -> tuple[dict[str, str | None], list[str]]:
    """The sha256 of each tensor in the archive (None for a damaged one), and the problems of the
    file itself."""
    if not path.exists():
        return {}, [f"{path}: the file is missing."]
    problems = []
    if file_sha256(path) != manifest.get("archive_sha256"):
        problems.append(f"{path}: the file has changed: its sha256 is not the manifest's.")
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: _sha256_in(file, name) for name in file.files}, problems
    except _DAMAGE:
        return {}, [*problems, f"{path}: the file is not a complete .npz file."]


def _sha256_in(file: Mapping[str, np.ndarray], name: str) -> str | None:
    try:
        return tensor_sha256(file[name])
    except _DAMAGE:
        return None


def _check_case(folder: Path, made: MadeCase, entry: dict, stored: Mapping) -> list[str]:
    problems = []
    fresh = made.entry()
    for key in _FACTS:
        if entry.get(key) != fresh[key]:
            problems.append(
                f'{folder / NAME}: "{key}" of case "{made.case.name}" is not what the spec says.'
            )
    for name in sorted({**fresh["tensors"], **entry["tensors"]}):
        member, listed = f"{made.case.name}/{name}", entry["tensors"].get(name)
        if stored and member not in stored:
            problems.append(f"{folder / ARCHIVE}: {member} is missing.")
        elif stored and listed and stored[member] != listed.get("sha256"):
            problems.append(
                f"{folder / ARCHIVE}: {member} has changed: its sha256 is not the manifest's."
            )
        if fresh["tensors"].get(name) != listed:
            problems.append(
                f"{folder / ARCHIVE}: {member} is not reproduced: a new run makes another tensor "
                "than the manifest names."
            )
    return problems


def _extra(folder: Path, manifest: Mapping, stored: Mapping) -> list[str]:
    files = sorted(path for path in folder.iterdir() if path.name not in (ARCHIVE, NAME))
    listed = {f"{entry['name']}/{name}" for entry in manifest["cases"] for name in entry["tensors"]}
    members = [f"{folder / ARCHIVE}: {name}" for name in stored if name not in listed]
    return [f"{path}: the file is not in the manifest." for path in files] + [
        f"{member} is not in the manifest." for member in members
    ]
