# SPDX-License-Identifier: MIT
import io
import zipfile

import numpy as np
import pytest

from convkit_reference.made_case import rounded_up
from convkit_reference.npz import npy_bytes, npz_bytes, tensor_sha256

_SHAPES = [(), (0,), (3,), (2, 3), (2, 3, 4, 5), (1, 1, 1, 1)]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint8"])
@pytest.mark.parametrize("shape", _SHAPES)
def test_numpy_reads_what_is_written(shape, dtype):
    tensor = (np.arange(int(np.prod(shape))) * 3).reshape(shape).astype(dtype)
    back = np.load(io.BytesIO(npy_bytes(tensor)), allow_pickle=False)
    assert back.dtype == tensor.dtype and back.shape == shape and np.array_equal(back, tensor)


@pytest.mark.parametrize("shape", _SHAPES)
def test_the_header_is_numpys_own(shape):
    tensor = np.zeros(shape, np.float32)
    expected = io.BytesIO()
    np.lib.format.write_array(expected, tensor, version=(1, 0))
    mine, numpys = npy_bytes(tensor), expected.getvalue()
    assert len(mine) % 64 == tensor.nbytes % 64
    assert mine[:128].split(b"}")[0].split() == numpys[:128].split(b"}")[0].split()


def test_big_endian_and_strided_tensors_are_written_in_order():
    tensor = np.arange(12, dtype=">f4").reshape(3, 4).T
    assert np.array_equal(np.load(io.BytesIO(npy_bytes(tensor))), tensor)
    assert tensor_sha256(tensor) == tensor_sha256(np.ascontiguousarray(tensor).astype("<f4"))


def test_the_archive_has_no_time_and_keeps_the_order():
    archive = npz_bytes({"in.x": np.ones(3), "out.y": np.zeros((2, 2))})
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        assert file.namelist() == ["in.x.npy", "out.y.npy"]
        assert {entry.date_time for entry in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {entry.compress_type for entry in file.infolist()} == {zipfile.ZIP_DEFLATED}


def test_magnitudes_are_rounded_up_by_less_than_one_in_32768():
    values = np.random.default_rng(1).uniform(0, 100, 1000) * 10.0 ** np.arange(-20, 20).repeat(25)
    values[:3] = [0, 1, 1 + 2.0**-40]
    up = rounded_up(values)
    assert (up >= values).all() and (up <= values * (1 + 2.0**-15)).all()
    assert up[0] == 0 and up[1] == 1 and up[2] == 1 + 2.0**-15
