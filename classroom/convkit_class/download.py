# SPDX-License-Identifier: MIT
"""The zip that a system for courses gives for "download all submissions"."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from .errors import UsageError

_MOST_BYTES = 8 << 30  # of a class, unpacked


@contextlib.contextmanager
def opened(given: Path) -> Iterator[Path]:
    """The folder itself, or a temporary one with what the zip holds. Files keep their times."""
    if given.is_dir() or not given.exists():
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="convkit-class-") as folder:
        _unpack(given, Path(folder))
        inside = list(Path(folder).iterdir())
        # Some put everything into one folder, which would be one student's otherwise.
        alone = len(inside) == 1 and inside[0].is_dir() and len(list(inside[0].iterdir())) > 1
        yield inside[0] if alone else Path(folder)


def _unpack(archive: Path, folder: Path) -> None:
    try:
        with zipfile.ZipFile(archive) as packed:
            if sum(entry.file_size for entry in packed.infolist()) > _MOST_BYTES:
                raise UsageError(f"{archive} holds more than {_MOST_BYTES >> 30} GiB.")
            for entry in packed.infolist():
                if not entry.is_dir():
                    _write(packed, entry, folder, archive)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise UsageError(f"{archive} cannot be unpacked: {error}.") from None


def _write(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path, archive: Path) -> None:
    path = PurePosixPath(entry.filename.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise UsageError(f"{archive} contains {entry.filename}, a path out of its folder.")
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    with packed.open(entry) as stream, target.open("wb") as out:
        shutil.copyfileobj(stream, out)
    saved = time.mktime((*entry.date_time, 0, 0, -1))
    os.utime(target, (saved, saved))
