# SPDX-License-Identifier: MIT
"""Small networks: forward, backward and training steps, with running error bounds.

The texts are those of the harness (../network_texts.h), by number.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from convkit_reference import decimal_math
from convkit_reference.ops.bounded import Bounded, bilinear, gamma, ordered_sum, summed, where
from convkit_reference.ops.correlation import Geometry, correlate
from convkit_reference.ops.counter import uniform
from convkit_reference.ops.dense import multiply
from convkit_reference.ops.error_model import ELEMENTARY, softmax_error
from convkit_reference.ops.gradients import filter_gradient, input_gradient
from convkit_reference.ops.op import UNIT_ROUNDOFF, Shape

TEXTS = (
    "input 1x4x5, flatten, dense 7, relu, dense 4",
    "input 2x9x8, conv 3 3x2 pad 1, relu, maxpool 2x2, conv 4 2x3, avgpool 2x1, flatten, dense 5",
    "input 2x7x6, conv 3 3x3, batchnorm, relu, maxpool 2x2, flatten, dense 6, dense 4",
    "input 1x4x4, flatten, dense 8, relu, dropout 0.25, dense 4",
    "input 1x28x28, conv 4 5x5, relu, maxpool 2x2, conv 6 5x5, maxpool 2x2, flatten, dense 10",
    "input 2x5x6, conv 3 2x3 pad 1, flatten, dense 4",
    "input 2x5x6, conv 3 3x3, maxpool 2x2, flatten, dense 4",
    "input 1x6x6, conv 3 3x3, batchnorm, flatten, batchnorm, dense 4, batchnorm",
    "input 1x6x5, conv 3 3x3, flatten, batchnorm, relu, dense 6, batchnorm, batchnorm, dense 4",
    "input 2x6x5, batchnorm, conv 3 3x2, relu, batchnorm, maxpool 2x2, batchnorm, flatten, dense 4",
    "input 2x5x4, maxpool 2x2, flatten, dense 40, dense 4",
    "input 2x4x5, avgpool 2x2, flatten, dense 40, dense 4",
)  # fmt: skip
EPSILON = float(np.float32(1e-5))
MOMENTUM = float(np.float32(0.1))


@dataclass(frozen=True)
class LayerSpec:
    kind: str
    name: str
    index: int  # among all layers
    in_shape: Shape
    out_shape: Shape
    kernel: tuple[int, int] = (0, 0)
    pad: int = 0
    probability: float = 0.0


def layers_of(net: int) -> list[LayerSpec]:
    lines = TEXTS[net].split(", ")
    shape = tuple(map(int, lines[0].split()[1].split("x")))
    layers, counts = [], {}
    for index, line in enumerate(lines[1:]):
        kind, *words = line.split()
        counts[kind] = counts.get(kind, 0) + 1
        kernel, pad, probability, out = (0, 0), 0, 0.0, shape
        if kind == "conv":
            kernel = tuple(map(int, words[1].split("x")))
            pad = int(words[3]) if len(words) > 2 else 0
            out = (int(words[0]), *(s + 2 * pad - k + 1 for s, k in zip(shape[1:], kernel)))
        elif kind in ("maxpool", "avgpool"):
            kernel = tuple(map(int, words[0].split("x")))
            out = (shape[0], *(s // k for s, k in zip(shape[1:], kernel)))
        elif kind == "dense":
            out = (int(words[0]), 1, 1)
        elif kind == "flatten":
            out = (shape[0] * shape[1] * shape[2], 1, 1)
        elif kind == "dropout":
            probability = float(words[0])
        name = f"{kind}{counts[kind]}"
        layers.append(LayerSpec(kind, name, index, shape, out, kernel, pad, probability))
        shape = out
    return layers


def input_shape(net: int) -> Shape:
    return layers_of(net)[0].in_shape


def classes(net: int) -> int:
    return layers_of(net)[-1].out_shape[0]


def parameter_shapes(net: int) -> dict[str, Shape]:
    """In the order of mnist_parameters; "conv1_weight" for conv1.weight."""
    shapes: dict[str, Shape] = {}
    for layer in layers_of(net):
        c = layer.in_shape[0]
        if layer.kind == "conv":
            m = layer.out_shape[0]
            shapes |= {f"{layer.name}_weight": (m, c, *layer.kernel), f"{layer.name}_bias": (m,)}
        elif layer.kind == "dense":
            out = layer.out_shape[0]
            shapes |= {f"{layer.name}_weight": (out, c), f"{layer.name}_bias": (out,)}
        elif layer.kind == "batchnorm":
            for part in ("scale", "shift", "mean", "variance"):
                shapes[f"{layer.name}_{part}"] = (c,)
    return shapes


def is_trained(name: str) -> bool:
    return not name.endswith(("_mean", "_variance"))


# --- layers -----------------------------------------------------------------------------------


def _geometry(layer: LayerSpec) -> Geometry:
    return Geometry(layer.out_shape[1:], (layer.pad, layer.pad))


def _channels(a: Bounded, shape: Shape) -> Bounded:
    """[n][c][h][w] -> [c][n h w]."""
    c = shape[0]

    def turn(v: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(v.reshape(len(v), c, -1).transpose(1, 0, 2)).reshape(c, -1)

    return Bounded(turn(a.value), turn(a.error))


def _images(a: Bounded, n: int, shape: Shape) -> Bounded:
    """[c][n h w] -> [n][c][h][w]."""

    def turn(v: np.ndarray) -> np.ndarray:
        return v.reshape(shape[0], n, -1).transpose(1, 0, 2).reshape(n, *shape)

    return Bounded(turn(a.value), turn(a.error))


def _column(a: Bounded) -> Bounded:
    return a.reshape(-1, 1)


@dataclass(frozen=True)
class Normalised:
    """What a batch normalisation computed: all [c] but h and y, which are [c][count]."""

    mean: Bounded
    variance: Bounded  # divided by the count
    inverse: Bounded
    h: Bounded
    y: Bounded


def _variance(x: Bounded, mean: Bounded) -> Bounded:
    """The mean of squared differences. About a mean that is off by r it is r^2 more, and nothing in
    first order, because the differences add up to 0; errors E of the x themselves do count."""
    count = x.value.shape[1]
    difference = np.abs(x.value - mean.value[:, None])
    given = ordered_sum(x.error) / count
    error = x.error + given[:, None]
    r = mean.error - given
    moved = ordered_sum(2 * difference * error + error**2) / count
    moved += 2 * r * ordered_sum(error) / count + r**2
    value = ordered_sum(difference**2) / count
    return Bounded(value, moved + gamma(count + 4) * (value + moved))


def normalise(x: Bounded, scale: Bounded, shift: Bounded, epsilon: float) -> Normalised:
    """x [c][count]. The variance is the mean of squared differences."""
    count = x.value.shape[1]
    mean = summed(x).scaled(1.0 / count)
    difference = x - _column(mean)
    variance = _variance(x, mean)
    inverse = (variance + Bounded.exact(np.full(len(x.value), epsilon))).inverse_root()
    h = difference * _column(inverse)
    y = _column(scale) * h + _column(shift)
    # x (scale inverse) + (shift - mean scale inverse) has the same value and larger terms.
    larger = (x.most + mean.most[:, None]) * (scale.most * inverse.most)[:, None]
    return Normalised(mean, variance, inverse, h, Bounded(y.value, y.error + gamma(4) * larger))


def normalise_by(
    x: Bounded, scale: Bounded, shift: Bounded, mean: Bounded, variance: Bounded, epsilon: float
) -> Bounded:
    """By given means; folded or not."""
    inverse = (variance + Bounded.exact(np.full(len(x.value), epsilon))).inverse_root()
    y = _column(scale) * ((x - _column(mean)) * _column(inverse)) + _column(shift)
    larger = (x.most + mean.most[:, None]) * (scale.most * inverse.most)[:, None]
    return Bounded(y.value, y.error + gamma(4) * larger)


def normalise_gradients(
    dy: Bounded, h: Bounded, scale: Bounded, inverse: Bounded
) -> tuple[Bounded, Bounded, Bounded]:
    """dx [c][count], dscale [c], dshift [c]."""
    count = dy.value.shape[1]
    dshift, dscale = summed(dy), summed(dy * h)
    inner = dy - _column(dshift.scaled(1.0 / count)) - h * _column(dscale.scaled(1.0 / count))
    dx = _column(scale * inverse) * inner
    # Multiplied out: the terms of the difference are rounded one by one.
    larger = (dy.most + dshift.most[:, None] / count + h.most * dscale.most[:, None] / count) * (
        scale.most * inverse.most
    )[:, None]
    return Bounded(dx.value, dx.error + gamma(4) * larger), dscale, dshift


def _windows(v: np.ndarray, layer: LayerSpec) -> np.ndarray:
    """[n][c][h][w] -> [n][c][oh][ow][kh kw]."""
    (c, oh, ow), (kh, kw) = layer.out_shape, layer.kernel
    v = v[:, :, : oh * kh, : ow * kw].reshape(len(v), c, oh, kh, ow, kw)
    return v.transpose(0, 1, 2, 4, 3, 5).reshape(len(v), c, oh, ow, kh * kw)


def _unwindowed(v: np.ndarray, layer: LayerSpec) -> np.ndarray:
    (c, oh, ow), (kh, kw) = layer.out_shape, layer.kernel
    full = np.zeros((len(v), *layer.in_shape))
    v = v.reshape(len(v), c, oh, ow, kh, kw).transpose(0, 1, 2, 4, 3, 5)
    full[:, :, : oh * kh, : ow * kw] = v.reshape(len(v), c, oh * kh, ow * kw)
    return full


def kept(seed: int, step: int, layer: LayerSpec, n: int) -> np.ndarray:
    """What dropout keeps: bool [n][...]."""
    size = n * int(np.prod(layer.in_shape))
    numbers = uniform(seed, (step + 1) * 65536 + layer.index, size)
    return (numbers >= np.float64(np.float32(layer.probability))).reshape(n, *layer.in_shape)


@dataclass
class Run:
    """A forward pass: what went into each layer, and the running means afterwards."""

    inputs: list[Bounded]
    logits: Bounded
    normalised: dict[str, Normalised]
    running: dict[str, Bounded]
    kept: dict[str, np.ndarray]


def forward(
    net: int, x: Bounded, p: dict[str, Bounded], training: bool, seed: int = 0, step: int = 0
) -> Run:
    run = Run([], x, {}, {}, {})
    for layer in layers_of(net):
        run.inputs.append(x)
        n, name = len(x.value), layer.name
        if layer.kind == "conv":
            w, b = p[f"{name}_weight"], p[f"{name}_bias"]
            terms = int(np.prod(w.value.shape[1:]))
            geometry = _geometry(layer)
            x = bilinear(lambda a, k, g=geometry: correlate(a, k, g), x, w, terms + 1)
            most = x.most + np.abs(b.value)[None, :, None, None]
            bias = b.value[None, :, None, None], b.error[None, :, None, None]
            x = Bounded(x.value + bias[0], x.error + bias[1] + UNIT_ROUNDOFF * most)
        elif layer.kind == "dense":
            w, b = p[f"{name}_weight"], p[f"{name}_bias"]
            x = bilinear(multiply, x.reshape(n, -1), w, w.value.shape[1] + 1)
            x = (x + Bounded(b.value[None], b.error[None])).reshape(n, *layer.out_shape)
        elif layer.kind == "relu":
            x = Bounded(np.maximum(x.value, 0.0), np.where(x.value + x.error > 0, x.error, 0.0))
        elif layer.kind == "maxpool":
            x = Bounded(
                _windows(x.value, layer).max(axis=-1), _windows(x.error, layer).max(axis=-1)
            )
        elif layer.kind == "avgpool":
            windows = Bounded(_windows(x.value, layer), _windows(x.error, layer))
            x = summed(windows).scaled(1.0 / windows.value.shape[-1])
        elif layer.kind == "flatten":
            x = x.reshape(n, *layer.out_shape)
        elif layer.kind == "batchnorm":
            parts = [p[f"{name}_{part}"] for part in ("scale", "shift", "mean", "variance")]
            rows = _channels(x, layer.in_shape)
            if training:
                result = normalise(rows, parts[0], parts[1], EPSILON)
                run.normalised[name] = result
                run.running |= running_means(name, result, parts[2], parts[3], MOMENTUM)
                y = result.y
            else:
                y = normalise_by(rows, *parts, EPSILON)
            x = _images(y, n, layer.in_shape)
        elif layer.kind == "dropout" and training:
            mask = kept(seed, step, layer, n)
            run.kept[name] = mask
            x = where(mask, x.scaled(1.0 / (1.0 - layer.probability)))
    run.logits = x.reshape(len(x.value), -1)
    return run


def running_means(
    name: str, result: Normalised, mean: Bounded, variance: Bounded, momentum: float
) -> dict[str, Bounded]:
    count = result.h.value.shape[1]
    unbiased = result.variance.scaled(count / max(count - 1, 1))
    moved = {}
    for part, old, new in (("mean", mean, result.mean), ("variance", variance, unbiased)):
        moved[f"{name}_{part}"] = old + (new - old).scaled(momentum)
    return moved


def backward(
    net: int, run: Run, p: dict[str, Bounded], dlogits: Bounded
) -> tuple[dict[str, Bounded], Bounded]:
    """The gradients of the trained parameters, and that of x."""
    layers = layers_of(net)
    n = len(dlogits.value)
    dy = dlogits.reshape(n, *layers[-1].out_shape)
    gradients: dict[str, Bounded] = {}
    for layer, x in zip(reversed(layers), reversed(run.inputs)):
        name = layer.name
        if layer.kind == "conv":
            w, geometry = p[f"{name}_weight"], _geometry(layer)
            kernel, places = layer.kernel, n * layer.out_shape[1] * layer.out_shape[2]
            gradients[f"{name}_weight"] = bilinear(
                lambda a, d, g=geometry, k=kernel: filter_gradient(a, d, g, k), x, dy, places
            )
            gradients[f"{name}_bias"] = summed(_channels(dy, layer.out_shape))
            terms = layer.out_shape[0] * kernel[0] * kernel[1]
            image = layer.in_shape[1:]
            dy = bilinear(
                lambda d, k, g=geometry, i=image: input_gradient(d, k, g, i), dy, w, terms
            )
        elif layer.kind == "dense":
            w = p[f"{name}_weight"]
            dy, x = dy.reshape(n, -1), x.reshape(n, -1)
            gradients[f"{name}_weight"] = bilinear(lambda d, a: multiply(d.T, a.T), dy, x, n)
            gradients[f"{name}_bias"] = summed(Bounded(dy.value.T, dy.error.T))
            dy = bilinear(lambda d, k: multiply(d, k.T), dy, w, w.value.shape[0])
            dy = dy.reshape(n, *layer.in_shape)
        elif layer.kind == "relu":
            dy = _gated(dy, x)
        elif layer.kind == "maxpool":
            dy = _to_winner(dy, x, layer)
        elif layer.kind == "avgpool":
            area = layer.kernel[0] * layer.kernel[1]
            share = dy.scaled(1.0 / area)
            spread = [np.repeat(v[..., None], area, axis=-1) for v in (share.value, share.error)]
            dy = Bounded(*(_unwindowed(v, layer) for v in spread))
        elif layer.kind == "flatten":
            dy = dy.reshape(n, *layer.in_shape)
        elif layer.kind == "batchnorm":
            result = run.normalised[name]
            rows = _channels(dy, layer.in_shape)
            dx, dscale, dshift = normalise_gradients(
                rows, result.h, p[f"{name}_scale"], result.inverse
            )
            gradients |= {f"{name}_scale": dscale, f"{name}_shift": dshift}
            dy = _images(dx, n, layer.in_shape)
        elif layer.kind == "dropout":
            dy = where(run.kept[name], dy.scaled(1.0 / (1.0 - layer.probability)))
    return gradients, dy


def _gated(dy: Bounded, x: Bounded) -> Bounded:
    """Through ReLU. Where rounding may have moved x to the other side of 0, either is right."""
    doubtful = (np.abs(x.value) <= x.error) & (x.error > 0)
    passed = where(x.value > 0, dy)
    return Bounded(passed.value, np.where(doubtful, dy.most, passed.error))


def _to_winner(dy: Bounded, x: Bounded, layer: LayerSpec) -> Bounded:
    """Through max pooling: to the first largest. Where rounding may choose another, both are."""
    value, error = _windows(x.value, layer), _windows(x.error, layer)
    winner = np.arange(value.shape[-1]) == value.argmax(axis=-1)[..., None]
    least = (value - error).max(axis=-1, keepdims=True)
    possible = value + error >= least
    doubtful = (possible.sum(axis=-1, keepdims=True) > 1) & possible & (error > 0)
    spread = Bounded(dy.value[..., None] * winner, dy.error[..., None] * winner)
    error = np.where(doubtful, dy.most[..., None], spread.error)
    return Bounded(_unwindowed(spread.value, layer), _unwindowed(error, layer))


# --- softmax and cross entropy -------------------------------------------------------------------


def probabilities(logits: Bounded) -> tuple[Bounded, np.ndarray]:
    """And ln of the sum of exp(logit - largest), exactly."""
    rows = [decimal_math.softmax_row(row) for row in logits.value.tolist()]
    y = np.array([row for row, _ in rows])
    log_sum = np.array([log for _, log in rows])
    below = logits.value.max(axis=1, keepdims=True) - logits.value
    local = softmax_error(y, below, log_sum) * UNIT_ROUNDOFF
    # Logits off by e move y_i by the factor exp(e_i + max e) at most, and exp(t) - 1 <= 2 t here.
    moved = logits.error + logits.error.max(axis=1, keepdims=True)
    return Bounded(y, local + y * np.minimum(2.0 * moved, 1.0)), log_sum


def cross_entropy(logits: Bounded, labels: np.ndarray) -> tuple[Bounded, Bounded]:
    """Losses [n], and the gradient of their mean [n][k]."""
    n, k = logits.value.shape
    y, log_sum = probabilities(logits)
    rows = np.arange(n)
    below = logits.value.max(axis=1) - logits.value[rows, labels]
    # ln of a sum that is off by E + ... of itself, ln's own error, a difference and a sum.
    all_below = logits.value.max(axis=1, keepdims=True) - logits.value
    in_sum = ordered_sum(y.value * (ELEMENTARY + all_below)) + k
    units = in_sum + ELEMENTARY * log_sum + 2.0 * below + log_sum + np.abs(logits.value).max(axis=1)
    error = units * UNIT_ROUNDOFF + 2.0 * logits.error.max(axis=1)
    hot = np.zeros((n, k))
    hot[rows, labels] = 1.0
    return Bounded(log_sum + below, error), (y - Bounded.exact(hot)).scaled(1.0 / n)
