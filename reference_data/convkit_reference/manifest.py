# SPDX-License-Identifier: MIT
"""manifest.json: what a folder of cases holds and how it was made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from .case_file import CaseFile
from .errors import UserError
from .spec import Spec

SCHEMA = "convkit-manifest-1"
NAME = "manifest.json"
_KIT_VERSION = Path(__file__).resolve().parents[2] / "VERSION"


def secret_mark(secret: str) -> str:
    """Enough to recognise the secret, not enough to learn a good one."""
    return "sha256:" + hashlib.sha256(f"convkit\0{secret}".encode()).hexdigest()[:8]


def spec_sha256(spec: Spec) -> str:
    return hashlib.sha256(spec.text.bytes).hexdigest()


def write_set(
    folder: Path, spec: Spec, cases: Iterable[CaseFile], secret: str | None
) -> list[dict]:
    """Writes the cases and then the manifest; returns the entries. Removes only what an earlier
    manifest of this folder names. Raises UserError rather than mixing visible and hidden cases."""
    folder.mkdir(parents=True, exist_ok=True)
    before = _files_before(folder, hidden=secret is not None)
    entries = []
    for case in cases:
        archive = case.npz()
        _replace(folder / case.name, archive)
        entries.append(case.entry(archive))
    manifest = {
        "schema": SCHEMA,
        "stage": spec.stage,
        "kit_version": _KIT_VERSION.read_text().strip(),
        "numpy_version": np.__version__,
        "seed": None if secret is None else secret_mark(secret),
        "spec": spec.path.name,
        "spec_sha256": spec_sha256(spec),
        "cases": entries,
    }
    _replace(folder / NAME, (json.dumps(manifest, indent=1) + "\n").encode())
    for stale in before - {entry["file"] for entry in entries}:
        (folder / stale).unlink(missing_ok=True)
    return entries


def _files_before(folder: Path, hidden: bool) -> set[str]:
    try:
        manifest = read(folder)
    except UserError:  # there is none, or a damaged one that is replaced now
        return set()
    if (manifest.get("seed") is not None) != hidden:
        old, new = ("visible", "hidden") if hidden else ("hidden", "visible")
        raise UserError(f"{folder}: it holds {old} cases; choose another --out for {new} ones.")
    return {entry["file"] for entry in manifest["cases"]}


def read(folder: Path) -> dict:
    """The manifest of a folder, its outline checked. Raises UserError."""
    path = folder / NAME
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{path}: there is no manifest; make the cases first.") from None
    except (ValueError, UnicodeDecodeError):
        raise UserError(f"{path}: the manifest is not JSON.") from None
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        raise UserError(f'{path}: the manifest\'s schema is not "{SCHEMA}".')
    cases = manifest.get("cases")
    if not isinstance(cases, list) or not all(_is_entry(entry) for entry in cases):
        raise UserError(f"{path}: the manifest's cases lack a name, a file or tensors.")
    return manifest


def _is_entry(entry: object) -> bool:
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("name"), str)
        and isinstance(entry.get("file"), str)
        and Path(entry["file"]).name == entry["file"]
        and isinstance(entry.get("tensors"), dict)
    )


def _replace(path: Path, content: bytes) -> None:
    """A reader sees the old file or the new one, never a half."""
    temporary = path.with_name(path.name + ".part")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
