# SPDX-License-Identifier: MIT
"""Writes .npz files whose bytes depend on the tensors only.

numpy.savez stores the time of day, and its header depends on NumPy's version. (The deflate
stream can still differ between zlib builds; --check therefore compares tensors, not archives.)
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterable, Mapping
from typing import IO

import numpy as np

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time a zip file can hold


def write_npz(file: IO[bytes], tensors: Iterable[tuple[str, np.ndarray]]) -> None:
    """Writes a deflated .npz with the members in the given order; one at a time is in memory."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, tensor in tensors:
            entry = zipfile.ZipInfo(f"{name}.npy", _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, npy_bytes(tensor))


def npz_bytes(tensors: Mapping[str, np.ndarray]) -> bytes:
    buffer = io.BytesIO()
    write_npz(buffer, tensors.items())
    return buffer.getvalue()


def npy_bytes(tensor: np.ndarray) -> bytes:
    """The .npy format, version 1.0, little-endian and C order."""
    little = little_endian(tensor)
    shape = "".join(f"{size}, " for size in little.shape)
    shape = shape.rstrip() if little.ndim == 1 else shape.rstrip(", ")
    header = f"{{'descr': '{little.dtype.str}', 'fortran_order': False, 'shape': ({shape}), }}"
    padding = -(10 + len(header) + 1) % 64
    text = (header + " " * padding + "\n").encode("ascii")
    magic = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little")
    return magic + text + little.tobytes(order="C")


def little_endian(tensor: np.ndarray) -> np.ndarray:
    return np.asarray(tensor, dtype=tensor.dtype.newbyteorder("<"), order="C")


def tensor_sha256(tensor: np.ndarray) -> str:
    """The sha256 of the raw little-endian bytes in C order."""
    return hashlib.sha256(little_endian(tensor).tobytes(order="C")).hexdigest()
