# SPDX-License-Identifier: MIT
"""What ties unrolling, its adjoint and the matrix product to the convolution."""

from pathlib import Path

import numpy as np
from proof import CONV_OF_ONE_GROUP

from convkit_reference.errors import ParamProblem
from convkit_reference.ops.conv2d import geometry_of
from convkit_reference.ops.correlation import correlate
from convkit_reference.stages import operations, reference_module

STAGE = Path(__file__).resolve().parents[2]
OPS = operations(STAGE)
product = reference_module(STAGE, "gemm").product
roll, unroll = (getattr(reference_module(STAGE, "unroll"), name) for name in ("roll", "unroll"))


def random_shapes(count, seed):
    random = np.random.default_rng(seed)
    while count:
        p = {key: random.integers(a, b + 1).item() for key, (a, b) in CONV_OF_ONE_GROUP.items()}
        try:
            OPS["unroll_elements"].check(p)
        except ParamProblem:
            continue
        count -= 1
        yield p, random


def test_roll_is_the_adjoint_of_unroll(record_property):
    """<unroll(x), u> = <x, roll(u)>, relative to the sum of |terms|."""
    largest, shapes = 0.0, 600
    for p, random in random_shapes(shapes, 41):
        geometry, kernel = geometry_of(p), (p["kh"], p["kw"])
        x = random.uniform(-1, 1, (p["n"], p["c"], p["h"], p["w"]))
        there = unroll(x, geometry, kernel)
        u = random.uniform(-1, 1, there.shape)
        back = roll(u, geometry, kernel, x.shape[1:])
        size = np.vdot(np.abs(there), np.abs(u))
        difference = abs(np.vdot(there, u) - np.vdot(x, back))
        assert difference <= 1e-12 * size, p  # both are 0 where windows see only padding
        largest = max(largest, difference / size if size else 0.0)
    record_property("shapes", shapes)
    record_property("largest_deviation", float(largest))
    print(f"adjoint of unroll: {shapes} shapes, largest relative deviation {largest:.2e}")


def test_the_product_of_the_filters_and_the_unrolled_matrix_is_the_convolution():
    for p, random in random_shapes(100, 42):
        geometry, kernel = geometry_of(p), (p["kh"], p["kw"])
        x = random.uniform(-1, 1, (p["n"], p["c"], p["h"], p["w"]))
        w = random.uniform(-1, 1, (p["m"], p["c"], *kernel))
        y = correlate(x, w, geometry)
        for image, matrix in zip(y, unroll(x, geometry, kernel)):
            result = product(w.reshape(p["m"], -1), matrix)
            np.testing.assert_allclose(image.reshape(p["m"], -1), result.value, atol=1e-12)


def test_beta_zero_does_not_look_at_c():
    a, b = np.ones((2, 3)), np.ones((3, 4))
    nan = np.full((2, 4), np.nan)
    result = product(a, b, nan, 2.0, 0.0)
    assert (result.value == 6).all() and (result.magnitude == 6).all()
    assert np.isnan(product(a, b, nan, 2.0, 1.0).value).all()


def test_offsets_above_2_to_the_31_keep_all_their_bits():
    p = dict.fromkeys(CONV_OF_ONE_GROUP, 1) | {"n": 3, "c": 512, "h": 1026, "w": 1026}
    p |= {"kh": 3, "kw": 3, "pad_h": 0, "pad_w": 0}
    value = OPS["unroll_offset"].compute(p, {})["offset"].value
    upper, lower = value[-1].tolist()
    assert upper * 2**32 + (lower & 0xFFFFFFFF) == 3 * 512 * 9 * 1024 * 1024 - 1
