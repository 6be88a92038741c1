# SPDX-License-Identifier: MIT
import numpy as np
import pytest

from convkit_reference.distributions import parse_distribution


def _fill(text, shape=(40, 25), seed=1, name="x"):
    tensor = parse_distribution(name, text).fill(name, shape, seed)
    assert tensor.dtype == np.float32 and tensor.shape == shape
    return tensor


def test_uniform_stays_in_its_range_and_fills_it():
    values = _fill("uniform(-3, 2)")
    assert values.min() >= -3 and values.max() <= 2
    assert values.min() < -2.9 and values.max() > 1.9
    assert abs(values.mean() + 0.5) < 0.2


def test_integers_are_whole_and_reach_both_ends():
    assert set(_fill("integers(-2, 3)").ravel()) == {-2, -1, 0, 1, 2, 3}


@pytest.mark.parametrize(("text", "value"), [("zeros", 0), ("ones", 1), ("constant(2.5)", 2.5)])
def test_constants_are_constant(text, value):
    assert (_fill(text) == value).all()


def test_ramp_counts_from_one():
    assert _fill("ramp", (2, 3)).tolist() == [[1, 2, 3], [4, 5, 6]]


def test_impulse_is_a_single_one_in_the_middle():
    values = _fill("impulse", (1, 1, 5, 7))
    assert values.sum() == 1 and values[0, 0, 2, 3] == 1


def test_large_reaches_its_limits_and_small_values_too():
    values = _fill("large(1e4)")
    assert values.max() == 1e4 and values.min() == -1e4
    assert (np.abs(values) < 10).any()


def test_rectified_is_half_zeros_with_a_first_plane_of_nothing_else():
    values = _fill("rectified(2)", (2, 3, 20, 15))
    assert values.min() == 0 and 1.9 < values.max() <= 2
    assert (values[0, 0] == 0).all() and (values[0, 1] > 0).any()
    assert 0.4 < (values[1] == 0).mean() < 0.6


def test_with_nan_makes_some_nan_all_with_the_same_bits():
    values = _fill("with_nan(2)")
    assert 0.05 < np.isnan(values).mean() < 0.25
    assert set(values[np.isnan(values)].view(np.uint32)) == {0x7FC00000}
    assert np.isnan(_fill("with_nan", (1,))).all()


def test_each_input_has_its_own_stream():
    assert not np.array_equal(_fill("uniform(-1, 1)"), _fill("uniform(-1, 1)", name="w"))
    assert not np.array_equal(_fill("uniform(-1, 1)"), _fill("uniform(-1, 1)", seed=2))


def test_digits_are_bright_figures_on_black_and_no_two_alike():
    images = _fill("digits", (20, 1, 28, 28))
    assert images.min() == 0 and images.max() == 1
    np.testing.assert_allclose(np.round(images * 255), images * 255, atol=1e-4)  # k / 255
    ink = images.mean(axis=(1, 2, 3))
    assert (ink > 0.03).all() and (ink < 0.35).all()
    assert len({image.tobytes() for image in images}) == 20


def test_weights_come_from_their_archive():
    weights = _fill("weights(lenet_mnist)", (6, 1, 5, 5), name="conv1_w")
    assert np.abs(weights).max() > 0.1
