# SPDX-License-Identifier: MIT
"""A folder of cases: their tensors in cases.npz, and manifest.json, which says what they are and
how they were made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import numpy as np

from .errors import DataError, UserError
from .made_case import MadeCase
from .npz import write_npz
from .spec import Spec

SCHEMA = "convkit-manifest-2"
NAME = "manifest.json"
ARCHIVE = "cases.npz"
_MADE_WITH = ("kit_version", "numpy_version")
_KIT_VERSION = Path(__file__).resolve().parents[2] / "VERSION"


def secret_mark(secret: str) -> str:
    """Enough to recognise the secret, but not enough to find a good one."""
    return "sha256:" + hashlib.sha256(f"convkit\0{secret}".encode()).hexdigest()[:8]


def spec_sha256(spec: Spec) -> str:
    return hashlib.sha256(spec.text.bytes).hexdigest()


def write_set(
    folder: Path, spec: Spec, cases: Iterable[MadeCase], secret: str | None
) -> list[dict]:
    """Writes the cases and then the manifest; returns the entries. Raises UserError rather than
    mixing visible and hidden cases."""
    folder.mkdir(parents=True, exist_ok=True)
    _check_kind(folder, hidden=secret is not None)
    entries = []

    def members() -> Iterator[tuple[str, np.ndarray]]:
        for case in cases:
            entries.append(case.entry())
            yield from case.members()

    with _replaced(folder / ARCHIVE) as file:
        write_npz(file, members())
    manifest = {
        "schema": SCHEMA,
        "stage": spec.stage,
        "kit_version": _KIT_VERSION.read_text().strip(),
        "numpy_version": np.__version__,
        "seed": None if secret is None else secret_mark(secret),
        "spec": spec.path.name,
        "spec_sha256": spec_sha256(spec),
        "archive_sha256": file_sha256(folder / ARCHIVE),
        "cases": entries,
    }
    old = _old(folder)
    if old == manifest | {key: old.get(key) for key in _MADE_WITH}:
        return entries  # the same cases; git shows no change
    with _replaced(folder / NAME) as file:
        file.write((json.dumps(manifest, indent=1) + "\n").encode())
    return entries


def file_sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def _old(folder: Path) -> dict:
    """The manifest that is there; empty if there is none, or a damaged one, which is replaced."""
    try:
        return read(folder)
    except DataError:
        return {}


def _check_kind(folder: Path, hidden: bool) -> None:
    manifest = _old(folder)
    if manifest and (manifest.get("seed") is not None) != hidden:
        old, new = ("visible", "hidden") if hidden else ("hidden", "visible")
        raise UserError(f"{folder}: it holds {old} cases; choose another --out for {new} ones.")


def read(folder: Path) -> dict:
    """The manifest of a folder, with its main keys checked. Raises DataError."""
    path = folder / NAME
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DataError(f"{path}: there is no manifest; make the cases first.") from None
    except (ValueError, UnicodeDecodeError):
        raise DataError(f"{path}: the manifest is not JSON.") from None
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        raise DataError(f'{path}: the manifest\'s schema is not "{SCHEMA}".')
    cases = manifest.get("cases")
    if not isinstance(cases, list) or not all(_is_entry(entry) for entry in cases):
        raise DataError(f"{path}: the manifest's cases lack a name or tensors.")
    return manifest


def _is_entry(entry: object) -> bool:
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("name"), str)
        and isinstance(entry.get("tensors"), dict)
    )


@contextmanager
def _replaced(path: Path) -> Iterator[IO[bytes]]:
    """A reader sees the old file or the new one, never a part of one."""
    temporary = path.with_name(path.name + ".part")
    try:
        with temporary.open("wb") as file:
            yield file
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
