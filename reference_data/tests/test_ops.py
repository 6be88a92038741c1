# SPDX-License-Identifier: MIT
"""Every operation, the library's and each stage's, against plain loops on many random shapes."""

import dataclasses
import re

import numpy as np
import pytest
from proof import proof_of

from convkit_reference.distributions import parse_distribution
from convkit_reference.errors import ParamProblem
from convkit_reference.ops import OPS
from convkit_reference.stages import operations, stage_folders

# Each operation once: those of the library, then those of the stages.
_STAGES = [None, *stage_folders()]
_ALL = [
    (stage, op)
    for stage in _STAGES
    for op in (OPS if stage is None else operations(stage)).values()
    if stage is None or OPS.get(op.name) is not op
]


def _draw(op, ranges, random):
    while True:
        params = {key: random.integers(low, high + 1).item() for key, (low, high) in ranges.items()}
        if "slope" in op.params:
            params["slope"] = float(random.uniform(0, 0.5))
        for key, param in op.params.items():
            params.setdefault(key, param.default)
        try:
            op.check(params)
            return params
        except ParamProblem:
            pass


@pytest.mark.parametrize(("stage", "op"), _ALL, ids=[op.name for _, op in _ALL])
def test_the_reference_agrees_with_plain_loops(stage, op):
    proof = proof_of(stage, op)
    random = np.random.default_rng(12)
    for trial in range(proof.trials):
        params = _draw(op, proof.ranges, random)
        tensors = {
            key: parse_distribution(key, op.distributions[key]).fill(key, shape, trial)
            for key, shape in op.inputs(params).items()
        }
        expected = proof.naive(params, tensors)
        results = op.compute(params, tensors)
        assert set(results) == set(op.outputs(params)), params
        for output, result in results.items():
            assert result.value.shape == op.outputs(params)[output], (output, params)
            wanted = expected[output] if isinstance(expected, dict) else expected
            _compare(proof, result, wanted, f"{output} {params}")


def _compare(proof, result, expected, where):
    if proof.exact:
        assert result.value.dtype == np.int32, where
        assert np.array_equal(result.value, expected), where
        return
    value, magnitude = expected if isinstance(expected, tuple) else (expected, None)
    assert result.value.dtype == np.float64
    np.testing.assert_allclose(result.value, value, rtol=1e-11, atol=proof.noise, err_msg=where)
    if magnitude is not None:
        np.testing.assert_allclose(result.magnitude, magnitude, rtol=1e-12, err_msg=where)
    assert (result.magnitude is None) == (result.terms == 0)


@pytest.mark.parametrize("groups", [1, 2])
def test_convolution_agrees_with_einsum_over_windows(groups):
    random = np.random.default_rng(5)
    x = random.uniform(-1, 1, (3, 4, 12, 11)).astype(np.float32)
    w = random.uniform(-1, 1, (6, 4 // groups, 3, 4)).astype(np.float32)
    b = random.uniform(-1, 1, 6).astype(np.float32)
    params = dict(n=3, c=4, h=12, w=11, m=6, kh=3, kw=4, pad_h=2, pad_w=1, stride_h=2, stride_w=3)
    params |= dict(dilation_h=2, dilation_w=1, groups=groups)
    frame = np.pad(x, ((0, 0), (0, 0), (2, 2), (1, 1))).astype(np.float64)
    windows = np.lib.stride_tricks.sliding_window_view(frame, (5, 4), axis=(2, 3))
    windows = windows[:, :, ::2, ::3, ::2, :]
    parts = [
        np.einsum("ncijpq,mcpq->nmij", images, maps.astype(np.float64))
        for images, maps in zip(np.split(windows, groups, 1), np.split(w, groups, 0))
    ]
    expected = np.concatenate(parts, axis=1) + b[None, :, None, None]
    result = OPS["conv2d_forward"].compute(params, {"x": x, "w": w, "b": b})["y"]
    np.testing.assert_allclose(result.value, expected, rtol=1e-12, atol=1e-14)
    assert result.terms == (4 // groups) * 12 + 1


def test_a_single_row_agrees_with_numpy_correlate_and_not_with_convolve():
    random = np.random.default_rng(6)
    x = random.uniform(-1, 1, (1, 1, 1, 20)).astype(np.float32)
    w = random.uniform(-1, 1, (1, 1, 1, 5)).astype(np.float32)
    params = dict(n=1, c=1, h=1, w=20, m=1, kh=1, kw=5, pad_h=0, pad_w=0, stride_h=1, stride_w=1)
    params |= dict(dilation_h=1, dilation_w=1, groups=1)
    row, kernel = x.ravel().astype(np.float64), w.ravel().astype(np.float64)
    y = OPS["conv2d_forward"].compute(params, {"x": x, "w": w, "b": np.zeros(1, np.float32)})["y"]
    np.testing.assert_allclose(y.value.ravel(), np.correlate(row, kernel, "valid"), rtol=1e-12)
    assert not np.allclose(y.value.ravel(), np.convolve(row, kernel, "valid"))


@pytest.mark.parametrize(
    "name", ["relu_forward", "leaky_relu_forward", "sigmoid_forward", "tanh_forward"]
)
def test_nan_in_gives_nan_out_and_a_finite_magnitude(name):
    x = np.array([1, np.nan, -2], np.float32)
    result = OPS[name].compute({"size": 3, "slope": 0.5}, {"x": x})["y"]
    assert np.isnan(result.value).tolist() == [False, True, False]
    assert result.magnitude is None or np.isfinite(result.magnitude).all()


@pytest.mark.parametrize(
    ("proofs", "sentence"),
    [
        (None, "90_sample/reference/proofs.py is missing; docs/references.md says what it holds."),
        ("PROOFS = {}", '90_sample/reference/proofs.py: PROOFS has no "x"; add a Proof for it'),
    ],
)
def test_the_message_says_where_a_missing_proof_belongs(proofs, sentence, tmp_path):
    reference = tmp_path / "90_sample" / "reference"
    reference.mkdir(parents=True)
    if proofs is not None:
        (reference / "proofs.py").write_text(proofs)
    op = dataclasses.replace(OPS["relu_forward"], name="x")
    with pytest.raises(pytest.fail.Exception, match=re.escape(sentence)):
        proof_of(reference.parent, op)
