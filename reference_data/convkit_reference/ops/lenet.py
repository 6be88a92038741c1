# SPDX-License-Identifier: MIT
"""The forward pass of a network like LeNet, and a bound for its rounding error.

If the bound |W| e were passed from layer to layer, the error allowed after five layers would be
larger than the answer, because that bound ignores the signs of the weights. So the local error of
each layer is multiplied by the network's own derivative at that layer. To first order in u,

    |error of logit k| <= sum over layers l and elements j of |d logit_k / d a_l[j]| * local_l[j]

where a_l is the sum a layer computes and local_l = gamma(terms) * magnitude its own rounding error.
(This is the running error analysis of Higham, Accuracy and Stability of Numerical Algorithms, 2nd
ed., section 3.3, for a composed function.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .conv2d import biased
from .correlation import Geometry
from .dense import dense, multiply, softmax
from .error_model import closed
from .op import Op, Output, Params, Shape, Tensors, size
from .pooling import max_pool

_WEIGHTS: dict[str, Shape] = {
    "conv1_w": (6, 1, 5, 5), "conv1_b": (6,),
    "conv2_w": (16, 6, 5, 5), "conv2_b": (16,),
    "fc1_w": (120, 400), "fc1_b": (120,),
    "fc2_w": (84, 120), "fc2_b": (84,),
    "fc3_w": (10, 84), "fc3_b": (10,),
}  # fmt: skip
_CONV = {"conv1": Geometry((28, 28), before=(2, 2)), "conv2": Geometry((10, 10))}

_NEAR = 2.0**-10  # a sum smaller than this share of its magnitude may have either sign


@dataclass(frozen=True)
class Layer:
    """The sums of one layer and the input of the next one, both [n][...]."""

    sums: Output
    out: np.ndarray

    def local_error(self) -> np.ndarray:
        """The error of the sums, in units of u; for a maximum, the largest one in its window."""
        error = closed(np.float64(self.sums.terms)) * self.sums.magnitude
        return halved(error) if error.ndim == 4 else error

    def active(self) -> np.ndarray:
        """Where ReLU passes the sum, or could pass it after rounding."""
        most = self.sums.value + _NEAR * self.sums.magnitude
        return (halved(most) if most.ndim == 4 else most) > 0


def halved(x: np.ndarray) -> np.ndarray:
    """Max pooling, 2x2 with stride 2."""
    return max_pool(x, Geometry((x.shape[2] // 2, x.shape[3] // 2), stride=(2, 2)), (2, 2))


def forward(x: np.ndarray, t: Tensors) -> dict[str, Layer]:
    """All layers in float64; the sums of "fc3" are the logits [n][10]."""
    layers = {}
    y = x.astype(np.float64)
    for name, geometry in _CONV.items():
        sums = biased(y, t[f"{name}_w"], t[f"{name}_b"], geometry, 1)
        y = halved(np.maximum(sums.value, 0.0))
        layers[name] = Layer(sums, y)
    y = y.reshape(len(y), -1)
    for name in ("fc1", "fc2", "fc3"):
        sums = dense(y, t[f"{name}_w"], t[f"{name}_b"])
        y = np.maximum(sums.value, 0.0)
        layers[name] = Layer(sums, y)
    return layers


def logit_error(layers: dict[str, Layer], t: Tensors) -> np.ndarray:
    """A bound of the error of the logits [n][10], in units of u.

    ReLU has no derivative where a sum is 0: sums near 0 count as passed, which can only make the
    bound larger. Max pooling has none where two sums are equal: the first one's derivative is used.
    """
    n = len(layers["fc3"].out)
    error = layers["fc3"].local_error().copy()
    # d logit_k / d (output of a layer), one row for each image and logit: [n * 10][...].
    slope = np.tile(t["fc3_w"].astype(np.float64), (n, 1))
    for name in ("fc2", "fc1"):
        slope = slope * np.repeat(layers[name].active(), 10, axis=0)
        error += _weigh(slope, layers[name].local_error())
        slope = multiply(slope, t[f"{name}_w"].T)
    slope = slope.reshape(n * 10, 16, 5, 5) * np.repeat(layers["conv2"].active(), 10, axis=0)
    error += _weigh(slope, layers["conv2"].local_error())
    slope = _through_conv2(slope, layers["conv2"], t["conv2_w"])
    slope = slope * np.repeat(layers["conv1"].active(), 10, axis=0)
    return error + _weigh(slope, layers["conv1"].local_error())


def _weigh(slope: np.ndarray, local: np.ndarray) -> np.ndarray:
    """sum_j |slope[n, k, j]| local[n, j] -> [n][10], in the order of j."""
    n = len(local)
    slope, local = np.abs(slope).reshape(n, 10, -1), local.reshape(n, 1, -1)
    total = np.zeros((n, 10))
    for j in range(slope.shape[2]):
        total += slope[:, :, j] * local[:, :, j]
    return total


def _through_conv2(slope: np.ndarray, layer: Layer, w: np.ndarray) -> np.ndarray:
    """From the pooled output of conv2 [n * 10][16][5][5] to its input [n * 10][6][14][14]."""
    sums = np.zeros((len(slope), 16, 10, 10))
    winner = halved(layer.sums.value)
    left = np.ones(winner.shape, dtype=bool)  # windows whose maximum has not been found yet
    for p in range(2):
        for q in range(2):
            wins = left & (layer.sums.value[:, :, p::2, q::2] == winner)
            left &= ~wins
            sums[:, :, p::2, q::2] = slope * np.repeat(wins, 10, axis=0)
    below = np.zeros((len(slope), 6, 14, 14))
    w = w.astype(np.float64)
    for m in range(16):
        for p in range(5):
            for q in range(5):
                below[:, :, p : p + 10, q : q + 10] += (
                    sums[:, m, None] * w[None, m, :, p, q, None, None]
                )
    return below


def _lenet(p: Params, t: Tensors) -> dict[str, Output]:
    """If the logits have the errors e, the probability y_i changes by at most the factor
    exp(e_i + max e)."""
    layers = forward(t["x"], t)
    result = softmax(layers["fc3"].sums.value)
    error = logit_error(layers, t)
    moved = closed(error + error.max(axis=1, keepdims=True))
    return {"y": Output(result.value, 1, result.value * moved + result.magnitude)}


OPS = (
    Op(
        "lenet_forward",
        {"n": size(1)},
        inputs=lambda p: {"x": (p["n"], 1, 28, 28), **_WEIGHTS},
        outputs=lambda p: {"y": (p["n"], 10)},
        compute=_lenet,
        distributions={"x": "digits", **dict.fromkeys(_WEIGHTS, "weights(lenet_mnist)")},
    ),
)
