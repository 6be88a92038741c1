# SPDX-License-Identifier: MIT
"""The sources in what a student handed in: a file, a folder, an archive, archives in archives.

Nothing is unpacked to the disk, no link is followed, and limits hold for all that is read, because
a student made it."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from ..names import ARCHIVES

SUFFIXES = (".cpp", ".cc", ".cxx", ".c", ".cu", ".cuh", ".h", ".hpp", ".hh", ".hxx", ".inl")

MOST_BYTES = 64 << 20  # of an archive, and of all that comes out of it
MOST_FILES = 2000
MOST_SOURCE_BYTES = 256 << 10  # of one source; students write a page or two
MOST_SOURCES_BYTES = 2 << 20  # of all sources of a submission
_DEEPEST = 3  # archives in archives

_UNREADABLE = (
    *(OSError, EOFError, ValueError, RuntimeError, NotImplementedError, MemoryError),
    *(ArithmeticError, struct.error),
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
)


class Unreadable(Exception):
    """One sentence that says what cannot be read."""


def read_sources(handed_in: Path) -> dict[str, str]:
    """The text of each source by its path with slashes. Archives are opened where there is no
    source beside them, as `grade` does."""
    return _Reader().read(handed_in)


class _Reader:
    def __init__(self) -> None:
        self._bytes = MOST_BYTES
        self._files = MOST_FILES
        self._source_bytes = MOST_SOURCES_BYTES

    def read(self, handed_in: Path) -> dict[str, str]:
        if handed_in.is_symlink():
            raise Unreadable(f"{handed_in.name} is a link.")
        try:
            if handed_in.is_dir():
                return self._sources(_of_folder(handed_in), 0)
            size = handed_in.stat().st_size
            return self._sources([(handed_in.name, size, _opener(handed_in))], 0)
        except FileNotFoundError:
            raise Unreadable("Its copy beside the book is not there.") from None
        except _UNREADABLE as error:
            raise Unreadable(f"{handed_in.name} cannot be read: {error}.") from None

    def _sources(self, files, depth: int) -> dict[str, str]:
        """`files`: (path, size, a function that opens it)."""
        sources: dict[str, str] = {}
        archives: list[tuple[str, bytes]] = []
        for path, size, open_file in files:
            self._files -= 1
            if self._files < 0:
                raise Unreadable(f"It has more than {MOST_FILES} files.")
            lower = path.lower()
            if lower.endswith(SUFFIXES) and size <= MOST_SOURCE_BYTES:
                with open_file() as file:
                    data = file.read(MOST_SOURCE_BYTES)
                self._source_bytes -= len(data)
                if self._source_bytes < 0:
                    raise Unreadable(f"Its sources have more than {MOST_SOURCES_BYTES >> 20} MiB.")
                sources[_plain(path)] = data.decode("utf-8", errors="replace").removeprefix(
                    "\ufeff"
                )
            elif lower.endswith(ARCHIVES) and not sources and depth < _DEEPEST:
                if size > self._bytes:
                    raise Unreadable(f"{path} has more than {MOST_BYTES >> 20} MiB.")
                with open_file() as file:
                    archives.append((path, file.read(self._bytes)))
                self._bytes -= len(archives[-1][1])
        if sources:
            return sources
        for path, data in archives:
            try:
                inside = self._sources(self._of_archive(path.lower(), data), depth + 1)
            except _UNREADABLE as error:
                raise Unreadable(f"{path} cannot be read: {error}.") from None
            sources |= {f"{_plain(path)}/{name}": text for name, text in inside.items()}
        return sources

    def _of_archive(self, name: str, data: bytes) -> Iterator[tuple]:
        stream = io.BytesIO(data)
        if name.endswith(".zip"):
            return self._of_zip(stream)
        if name.endswith((".gz", ".tgz")):
            return self._of_tar(gzip.GzipFile(fileobj=stream))
        if name.endswith((".xz", ".txz")):
            return self._of_tar(lzma.LZMAFile(stream))
        if name.endswith(".bz2"):
            return self._of_tar(bz2.BZ2File(stream))
        if name.endswith(".tar"):
            return self._of_tar(stream)
        raise Unreadable(f"{name} is packed in a way that this command does not read.")

    def _of_zip(self, stream: IO[bytes]) -> Iterator[tuple]:
        with zipfile.ZipFile(stream) as archive:
            for entry in archive.infolist():
                mode = entry.external_attr >> 16
                if entry.is_dir() or (mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG)):
                    continue
                # zipfile gives no more than the size that the archive states.
                yield entry.filename, entry.file_size, lambda e=entry: archive.open(e)

    def _of_tar(self, stream: IO[bytes]) -> Iterator[tuple]:
        # "r|": read once from front to back, so that the limit counts each byte once.
        with tarfile.open(fileobj=_Limited(stream, self), mode="r|") as archive:
            for entry in archive:
                if entry.isreg():
                    yield entry.name, entry.size, lambda e=entry: archive.extractfile(e)

    def take(self, count: int) -> None:
        self._bytes -= count
        if self._bytes < 0:
            raise Unreadable(f"It has more than {MOST_BYTES >> 20} MiB unpacked.")


class _Limited:
    def __init__(self, stream: IO[bytes], reader: _Reader):
        self._stream, self._reader = stream, reader

    def read(self, size: int) -> bytes:
        data = self._stream.read(min(size, MOST_BYTES))
        self._reader.take(len(data))
        return data


def _plain(path: str) -> str:
    """A path as a label: it is never opened."""
    return str(PurePosixPath(path.replace("\\", "/")))


def _opener(file: Path):
    """Opens a file of a folder, and nothing that became a link since."""

    def opened() -> IO[bytes]:
        return os.fdopen(os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")

    return opened


def _of_folder(folder: Path) -> Iterator[tuple]:
    for where, folders, names in os.walk(folder):  # does not follow links
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f != "__MACOSX")
        for name in sorted(names):
            file = Path(where, name)
            status = file.lstat()
            if stat.S_ISREG(status.st_mode):
                yield file.relative_to(folder).as_posix(), status.st_size, _opener(file)
