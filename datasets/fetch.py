#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fetches MNIST and Fashion-MNIST and verifies every byte. Python's standard library only.

A download goes to NAME.part, is resumed where it stopped, and gets its name only when its size and
sha256 are right. Files that are already there and right are left alone.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import os
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

TIMEOUT_S = 30
_BLOCK_BYTES = 1 << 16


@dataclass(frozen=True)
class File:
    name: str
    bytes: int
    sha256: str


MIRRORS = {
    "mnist": (
        "https://ossci-datasets.s3.amazonaws.com/mnist/",
        "https://storage.googleapis.com/cvdf-datasets/mnist/",
    ),
    "fashion-mnist": (
        "https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/",
        "https://storage.googleapis.com/tensorflow/tf-keras-datasets/",
    ),
}

FILES = {
    "mnist": (
        File(
            "t10k-images-idx3-ubyte.gz", 1648877,
            "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
        ),
        File(
            "t10k-labels-idx1-ubyte.gz", 4542,
            "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
        ),
        File(
            "train-images-idx3-ubyte.gz", 9912422,
            "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
        ),
        File(
            "train-labels-idx1-ubyte.gz", 28881,
            "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
        ),
    ),
    "fashion-mnist": (
        File(
            "t10k-images-idx3-ubyte.gz", 4422102,
            "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073",
        ),
        File(
            "t10k-labels-idx1-ubyte.gz", 5148,
            "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5",
        ),
        File(
            "train-images-idx3-ubyte.gz", 26421880,
            "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84",
        ),
        File(
            "train-labels-idx1-ubyte.gz", 29515,
            "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845",
        ),
    ),
}  # fmt: skip


class FetchError(Exception):
    """One sentence for the user."""


def defect(path: Path, file: File) -> str | None:
    """What is wrong with a file, or None if it is the right one."""
    try:
        size = path.stat().st_size
        if size != file.bytes:
            return f"has {size} bytes, not {file.bytes}"
        if hashlib.sha256(path.read_bytes()).hexdigest() != file.sha256:
            return "has the right size but the wrong sha256"
    except FileNotFoundError:
        return "is missing"
    return None


def fetch(folder: Path, file: File, mirrors: tuple[str, ...]) -> None:
    """Tries each mirror in turn. Raises FetchError if none has the file."""
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f"{file.name}.part"
    reasons = []
    for mirror in mirrors:
        try:
            _download(mirror + file.name, part, file.bytes)
        except (OSError, http.client.HTTPException) as problem:
            of_network = isinstance(problem, (urllib.error.URLError, http.client.HTTPException))
            if not of_network and problem.filename is not None:
                raise  # the disk's fault
            reasons.append(f"{mirror}: {getattr(problem, 'reason', problem)}")
            continue
        wrong = defect(part, file)
        if wrong is None:
            part.replace(folder / file.name)
            return
        if part.stat().st_size >= file.bytes:
            part.unlink()  # not a download to go on with
        reasons.append(f"{mirror}: what it sent {wrong}")
    raise FetchError(
        f"{folder / file.name} could not be fetched ({'; '.join(reasons)}). "
        "Without a network, copy the file there from a machine that has one; "
        "convkit also works without it, on synthetic digits."
    )


def _download(url: str, part: Path, expected: int) -> None:
    """Appends to `part` what is missing, at most one byte more than `expected`."""
    have = part.stat().st_size if part.exists() else 0
    if have >= expected:
        part.unlink()
        have = 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
        if have and answer.status != 206:  # this server starts again from the first byte
            have = 0
        with part.open("ab" if have else "wb") as out:
            while have <= expected:
                block = answer.read(min(_BLOCK_BYTES, expected + 1 - have))
                if not block:
                    return
                out.write(block)
                have += len(block)


def main(arguments: list[str] | None = None) -> int:
    default = os.environ.get("CONVKIT_DATA") or Path(__file__).resolve().parent / "cache"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "dataset", nargs="*", metavar="DATASET",
        help=f"one or more of: {', '.join(FILES)} (default: mnist)",
    )  # fmt: skip
    parser.add_argument(
        "--to", type=Path, default=Path(default), metavar="DIR",
        help="target folder (default: CONVKIT_DATA, else datasets/cache)",
    )  # fmt: skip
    parser.add_argument("--check", action="store_true", help="verify what is there, fetch nothing")
    options = parser.parse_args(arguments)
    for dataset in options.dataset:
        if dataset not in FILES:
            parser.error(f'unknown dataset "{dataset}"; there are: {", ".join(FILES)}')
    status = 0
    try:
        for dataset in options.dataset or ["mnist"]:
            for file in FILES[dataset]:
                path = options.to / dataset / file.name
                wrong = defect(path, file)
                if wrong and options.check:
                    print(f"{path} {wrong}.", file=sys.stderr)
                    status = 1
                    continue
                if wrong:
                    print(f"{path}: fetching {file.bytes / 1e6:.1f} MB", flush=True)
                    fetch(path.parent, file, MIRRORS[dataset])
                print(f"{path}: verified")
    except FetchError as problem:
        print(f"fetch.py: {problem}", file=sys.stderr)
        return 1
    except OSError as problem:
        print(f"fetch.py: {problem.filename}: {problem.strerror}.", file=sys.stderr)
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
