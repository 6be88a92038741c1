# SPDX-License-Identifier: MIT
"""The operations of the stage: parts of a training, and whole small networks (network.py)."""

from __future__ import annotations

import math

import numpy as np

from convkit_reference.ops import shared
from convkit_reference.ops.bounded import Bounded, gamma
from convkit_reference.ops.counter import epoch_order, uniform
from convkit_reference.ops.op import UNIT_ROUNDOFF, Op, Output, Param, Params, Shape, Tensors, size

from . import network

_UNIFORM = "uniform(-1, 1)"
_POSITIVE = "uniform(0.25, 2)"  # variances, and 1 / sqrt of them


def _single(value: float) -> float:
    """What a function that takes a float is given."""
    return float(np.float32(value))


def _exact(t: Tensors, *names: str) -> list[Bounded]:
    return [Bounded.exact(t[name]) for name in names]


def _outputs(**values: Bounded) -> dict[str, Output]:
    return {name: value.output() for name, value in values.items()}


def _labels(t: Tensors) -> np.ndarray:
    return t["labels"].astype(np.int64)


# --- loss, batch normalisation, dropout ---------------------------------------------------------


def _cross_entropy(p: Params, t: Tensors) -> dict[str, Output]:
    losses, dlogits = network.cross_entropy(Bounded.exact(t["logits"]), _labels(t))
    return _outputs(losses=losses, dlogits=dlogits)


def _rows(x: np.ndarray) -> np.ndarray:
    """[n][c][area] -> [c][n area]."""
    return np.ascontiguousarray(x.transpose(1, 0, 2)).reshape(x.shape[1], -1)


def _images(a: Bounded, p: Params) -> Bounded:
    def turn(v: np.ndarray) -> np.ndarray:
        return v.reshape(p["c"], p["n"], p["area"]).transpose(1, 0, 2)

    return Bounded(turn(a.value), turn(a.error))


def _batchnorm(p: Params, t: Tensors) -> dict[str, Output]:
    scale, shift, mean, variance = _exact(t, "scale", "shift", "mean0", "variance0")
    rows = Bounded.exact(_rows(t["x"]))
    result = network.normalise(rows, scale, shift, _single(p["epsilon"]))
    moved = network.running_means("b", result, mean, variance, _single(p["momentum"]))
    return _outputs(
        y=_images(result.y, p), mean=result.mean, inverse=result.inverse,
        running_mean=moved["b_mean"], running_variance=moved["b_variance"],
    )  # fmt: skip


def _batchnorm_backward(p: Params, t: Tensors) -> dict[str, Output]:
    scale, mean, inverse = _exact(t, "scale", "mean", "inverse")
    x, dy = Bounded.exact(_rows(t["x"])), Bounded.exact(_rows(t["dy"]))
    h = (x - mean.reshape(-1, 1)) * inverse.reshape(-1, 1)
    dx, dscale, dshift = network.normalise_gradients(dy, h, scale, inverse)
    return _outputs(dx=_images(dx, p), dscale=dscale, dshift=dshift)


def _batchnorm_shapes(*images: str, channels: tuple[str, ...]):
    def shapes(p: Params) -> dict[str, Shape]:
        image = (p["n"], p["c"], p["area"])
        return dict.fromkeys(images, image) | dict.fromkeys(channels, (p["c"],))

    return shapes


def _dropout(p: Params, t: Tensors) -> dict[str, Output]:
    x = Bounded.exact(t["x"]).scaled(1.0 / (1.0 - _single(p["probability"])))
    value = np.where(t["keep"] > 0, x.value, 0.0)
    return {"y": Bounded(value, np.where(t["keep"] > 0, x.error, 0.0)).output()}


def _fold(p: Params, t: Tensors) -> dict[str, Output]:
    w, b, scale, shift, mean = _exact(t, "w", "b", "scale", "shift", "mean")
    epsilon = Bounded.exact(np.full(p["m"], _single(p["epsilon"])))
    factor = scale * (Bounded.exact(t["variance"]) + epsilon).inverse_root()
    bias = factor * (b - mean) + shift
    larger = factor.most * (np.abs(b.value) + np.abs(mean.value))  # multiplied out
    bias = Bounded(bias.value, bias.error + gamma(3) * larger)
    return _outputs(folded_w=factor.reshape(-1, 1) * w, folded_b=bias)


# --- optimizer, schedule, start -----------------------------------------------------------------


def sgd(w: Bounded, g: Bounded, v: Bounded, lr: float, momentum: float, decay: float):
    """New w and velocity."""
    g = g + w.scaled(decay) if decay else g
    v = v.scaled(momentum) + g
    return w - v.scaled(lr), v


def _sgd(p: Params, t: Tensors) -> dict[str, Output]:
    w, g, v = _exact(t, "w0", "gradient", "velocity0")
    lr, momentum, decay = (_single(p[key]) for key in ("lr", "momentum", "weight_decay"))
    new, velocity = sgd(w, g, v, lr, momentum, decay)
    return _outputs(w=new, velocity=velocity)


def _power(base: float, exponent: int) -> float:
    """By squaring, so that the bits are the same everywhere."""
    result = 1.0
    while exponent:
        if exponent & 1:
            result *= base
        base, exponent = base * base, exponent >> 1
    return result


def adam(w: Bounded, g: Bounded, m: Bounded, v: Bounded, lr: float, decay: float, step: int):
    """New w, m and v. Where v may be zero within its error, all that is known of the move is its
    greatest length. With m and v as sums over gradients, by Cauchy and Schwarz,
    m^2 <= v sum_k (0.1 0.9^k)^2 / (0.001 0.999^k)."""
    g = g + w.scaled(decay) if decay else g
    m = m.scaled(0.9) + g.scaled(0.1)
    v = v.scaled(0.999) + (g * g).scaled(0.001)
    # 1 - 0.999 cancels where it is computed in float32: 2^-24 of 1, of a thousandth.
    first, second = 1.0 - _power(0.9, step + 1), 1.0 - _power(0.999, step + 1)
    mean = m.scaled(1.0 / first)
    mean = Bounded(mean.value, mean.error + mean.most * 2 * UNIT_ROUNDOFF / first)
    square = v.scaled(1.0 / second)
    square = Bounded(square.value, square.error + square.most * 2 * UNIT_ROUNDOFF / second)
    root = np.sqrt(square.value)
    least = np.sqrt(np.maximum(square.value - square.error, 0.0))
    divisor = root + 1e-8
    smallest = least + 1e-8 - 3 * UNIT_ROUNDOFF * divisor
    move = mean.value / divisor
    longest = math.sqrt(0.01 / 0.001 / (1.0 - 0.81 / 0.999) * second) / first
    known = least >= root / 2
    greatest = mean.most / np.where(known, smallest, divisor)
    error = np.where(known, greatest - np.abs(move), longest + np.abs(move))
    move = Bounded(move, error + gamma(3) * np.abs(move)).scaled(lr)
    return w - move, m, v


def _adam(p: Params, t: Tensors) -> dict[str, Output]:
    w, g, m, v = _exact(t, "w0", "gradient", "m0", "v0")
    lr, decay = _single(p["lr"]), _single(p["weight_decay"])
    new, m, v = adam(w, g, m, v, lr, decay, p["step"])
    return _outputs(w=new, m=m, v=v)


def _initialise(p: Params, t: Tensors) -> dict[str, Output]:
    fans = p["fan_in"] + (p["fan_out"] if p["xavier"] else 0)
    return {"w": _within(math.sqrt(6.0 / fans), (p["size"],), p["seed"], p["stream"])}


def _within(limit: float, shape: Shape, seed: int, stream: int) -> Output:
    """limit (2 r - 1) for random r."""
    value = limit * (2.0 * uniform(seed, stream, math.prod(shape)) - 1.0).reshape(shape)
    # 2 r - 1 is exact; or limit (2 r) - limit, whose terms are no larger than limit.
    return Output(value, 4, np.full(shape, 2.0 * limit))


def _start(p: Params, t: Tensors) -> dict[str, Output]:
    """What a network holds when it is new: weights within LeCun's limit sqrt(3 / fan_in)."""
    start = {}
    for stream, (name, shape) in enumerate(network.parameter_shapes(p["net"]).items()):
        if name.endswith("_weight"):
            limit = math.sqrt(3.0 / math.prod(shape[1:]))
            start[f"new_{name}"] = _within(limit, shape, p["seed"], stream)
        else:
            one = name.endswith(("_scale", "_variance"))
            start[f"new_{name}"] = Output((np.ones if one else np.zeros)(shape))
    return start


def rates(p: Params) -> list[float]:
    lr, factor = _single(p["lr"]), _single(p["step_factor"])
    values = []
    for epoch in range(p["epochs"]):
        value = lr
        if p["schedule"] == 1:
            value = lr * _power(factor, epoch // p["step_epochs"])
        elif p["schedule"] == 2:
            value = lr * (1.0 + math.cos(math.pi * epoch / p["epochs"])) / 2.0
        values.append(round(value, 15))  # cos differs in its last bits between C libraries
    return values


def _learning_rate(p: Params, t: Tensors) -> dict[str, Output]:
    """A few roundings of numbers up to lr (1 + cos cancels), and the powers' own."""
    terms = 16 + p["epochs"]
    return {"rates": Output(np.array(rates(p)), terms, np.full(p["epochs"], _single(p["lr"])))}


def _epoch_order(p: Params, t: Tensors) -> dict[str, Output]:
    return {"order": Output(epoch_order(p["seed"], p["epoch"], p["count"]))}


# --- networks -----------------------------------------------------------------------------------

_NET = Param(None, 0, len(network.TEXTS) - 1)


def _network_inputs(p: Params) -> dict[str, Shape]:
    return {"x": (p["n"], *network.input_shape(p["net"])), **network.parameter_shapes(p["net"])}


def parameters(p: Params, t: Tensors) -> dict[str, Bounded]:
    return {name: Bounded.exact(t[name]) for name in network.parameter_shapes(p["net"])}


def _forward(p: Params, t: Tensors) -> dict[str, Output]:
    run = network.forward(
        p["net"], Bounded.exact(t["x"]), parameters(p, t), p["training"] == 1, p["seed"], p["step"]
    )
    return _outputs(logits=run.logits)


def _gradients(p: Params, t: Tensors) -> dict[str, Output]:
    known = parameters(p, t)
    run = network.forward(p["net"], Bounded.exact(t["x"]), known, True, p["seed"], p["step"])
    gradients, dx = network.backward(p["net"], run, known, Bounded.exact(t["dlogits"]))
    return _outputs(dx=dx, **{f"d_{name}": gradient for name, gradient in gradients.items()})


def _gradient_outputs(p: Params) -> dict[str, Shape]:
    shapes = network.parameter_shapes(p["net"])
    trained = {f"d_{name}": shape for name, shape in shapes.items() if network.is_trained(name)}
    return {"dx": (p["n"], *network.input_shape(p["net"])), **trained}


def images(t: Tensors) -> Bounded:
    """(byte / 255 - 0.1307) / 0.3081, with rounded constants."""
    share = t["images"].astype(np.float64) / 255.0
    value = (share - 0.1307) / 0.3081
    return Bounded(value, 6 * UNIT_ROUNDOFF * (share + 0.1307) / 0.3081)


def _predict(p: Params, t: Tensors) -> dict[str, Output]:
    run = network.forward(p["net"], images(t), parameters(p, t), False)
    return _outputs(probabilities=network.probabilities(run.logits)[0])


def steps(p: Params, t: Tensors) -> dict[str, Bounded]:
    """All parameters after p["steps"] steps of a training from p["first"] on.

    With p["schedule"] the learning rate halves from epoch to epoch.
    """
    known, net = parameters(p, t), p["net"]
    nothing = {name: Bounded.exact(np.zeros(v.value.shape)) for name, v in known.items()}
    m, v = nothing, dict(nothing)  # SGD's velocity is in m
    x, labels, batch = images(t), _labels(t), p["batch"]
    lr, momentum, decay = (_single(p[key]) for key in ("lr", "momentum", "weight_decay"))
    in_epoch = -(-p["count"] // batch)
    for step in range(p["first"], p["first"] + p["steps"]):
        epoch, place = divmod(step, in_epoch)
        order = epoch_order(p["seed"], epoch, p["count"])[place * batch : (place + 1) * batch]
        part = Bounded(x.value[order], x.error[order])
        run = network.forward(net, part, known, True, p["seed"], step)
        _, dlogits = network.cross_entropy(run.logits, labels[order])
        gradients, _ = network.backward(net, run, known, dlogits)
        known |= run.running
        rate = lr * 0.5**epoch if p["schedule"] == 1 else lr
        for name, g in gradients.items():
            w = known[name]
            if p["optimizer"] == 1:
                known[name], m[name], v[name] = adam(w, g, m[name], v[name], rate, decay, step)
            else:
                known[name], m[name] = sgd(w, g, m[name], rate, momentum, decay)
    return known


def _steps(p: Params, t: Tensors) -> dict[str, Output]:
    return {f"new_{name}": value.output() for name, value in steps(p, t).items()}


def _real(default: float, maximum: float = 1e6) -> Param:
    return Param(default, 0, maximum, kind=float)


_SEED = {"seed": Param(1, 0), "step": Param(0, 0)}
_DATA = {"images": "integers(0, 255)", "labels": "integers(0, 3)"}
_WEIGHTS = {
    name: _POSITIVE if name.endswith(("_variance", "_scale")) else "uniform(-0.5, 0.5)"
    for net in range(len(network.TEXTS))
    for name in network.parameter_shapes(net)
}
_TRAINING = {
    "net": _NET, "count": size(), "batch": size(), "optimizer": Param(0, 0, 1), "lr": _real(0.1),
    "momentum": _real(0.9, 1), "weight_decay": _real(0, 1), "seed": Param(1, 0),
}  # fmt: skip


def _training_inputs(p: Params) -> dict[str, Shape]:
    return {
        "images": (p["count"], *network.input_shape(p["net"])),
        "labels": (p["count"],),
        **network.parameter_shapes(p["net"]),
    }


_BATCH = {"n": size(), "c": size(), "area": size()}

OPS = (
    *shared("dense_forward", "softmax_forward"),
    Op(
        "softmax_cross_entropy",
        {"n": size(), "k": size()},
        lambda p: {"logits": (p["n"], p["k"]), "labels": (p["n"],)},
        lambda p: {"losses": (p["n"],), "dlogits": (p["n"], p["k"])},
        _cross_entropy,
        {"logits": "uniform(-4, 4)", "labels": "integers(0, 3)"},
    ),
    Op(
        "batchnorm_forward",
        _BATCH | {"momentum": _real(0.1, 1), "epsilon": _real(1e-5, 1)},
        _batchnorm_shapes("x", channels=("scale", "shift", "mean0", "variance0")),
        _batchnorm_shapes(
            "y", channels=("mean", "inverse", "running_mean", "running_variance")
        ),
        _batchnorm,
        {"x": _UNIFORM, "scale": _POSITIVE, "shift": _UNIFORM, "mean0": _UNIFORM,
         "variance0": _POSITIVE},
    ),
    Op(
        "batchnorm_backward",
        _BATCH,
        _batchnorm_shapes("x", "dy", channels=("scale", "mean", "inverse")),
        _batchnorm_shapes("dx", channels=("dscale", "dshift")),
        _batchnorm_backward,
        {"x": _UNIFORM, "dy": _UNIFORM, "scale": _POSITIVE, "mean": _UNIFORM,
         "inverse": _POSITIVE},
    ),
    Op(
        "dropout_forward",
        {"size": size(), "probability": _real(0.5, 0.99)},
        lambda p: {"x": (p["size"],), "keep": (p["size"],)},
        lambda p: {"y": (p["size"],)},
        _dropout,
        {"x": _UNIFORM, "keep": "integers(0, 1)"},
    ),
    Op(
        "batchnorm_fold",
        {"m": size(), "taps": size(), "epsilon": _real(1e-5, 1)},
        lambda p: {"w": (p["m"], p["taps"])}
        | dict.fromkeys(("b", "scale", "shift", "mean", "variance"), (p["m"],)),
        lambda p: {"folded_w": (p["m"], p["taps"]), "folded_b": (p["m"],)},
        _fold,
        {"w": _UNIFORM, "b": _UNIFORM, "scale": _POSITIVE, "shift": _UNIFORM, "mean": _UNIFORM,
         "variance": _POSITIVE},
    ),
    Op(
        "sgd_step",
        {"size": size(), "lr": _real(0.1), "momentum": _real(0.9, 1), "weight_decay": _real(0, 1)},
        lambda p: dict.fromkeys(("w0", "gradient", "velocity0"), (p["size"],)),
        lambda p: dict.fromkeys(("w", "velocity"), (p["size"],)),
        _sgd,
        dict.fromkeys(("w0", "gradient", "velocity0"), _UNIFORM),
    ),
    Op(
        "adam_step",
        {"size": size(), "lr": _real(0.01), "weight_decay": _real(0, 1), "step": Param(0, 0)},
        lambda p: dict.fromkeys(("w0", "gradient", "m0", "v0"), (p["size"],)),
        lambda p: dict.fromkeys(("w", "m", "v"), (p["size"],)),
        _adam,
        {"w0": _UNIFORM, "gradient": _UNIFORM, "m0": _UNIFORM, "v0": _POSITIVE},
    ),
    Op(
        "initialise",
        {"size": size(), "fan_in": size(), "fan_out": size(), "xavier": Param(0, 0, 1),
         "seed": Param(1, 0), "stream": Param(0, 0)},
        lambda p: {},
        lambda p: {"w": (p["size"],)},
        _initialise,
    ),
    Op(
        "learning_rate",
        {"epochs": size(), "schedule": Param(0, 0, 2), "step_epochs": Param(1),
         "step_factor": _real(0.5, 1), "lr": _real(0.1)},
        lambda p: {},
        lambda p: {"rates": (p["epochs"],)},
        _learning_rate,
    ),
    Op(
        "epoch_order",
        {"count": size(), "epoch": Param(0, 0), "seed": Param(1, 0)},
        lambda p: {},
        lambda p: {"order": (p["count"],)},
        _epoch_order,
    ),
    Op(
        "network_start",
        {"net": _NET, "seed": Param(1, 0)},
        lambda p: {},
        lambda p: {f"new_{name}": s for name, s in network.parameter_shapes(p["net"]).items()},
        _start,
    ),
    Op(
        "network_forward",
        {"net": _NET, "n": size(), "training": Param(1, 0, 1), **_SEED},
        _network_inputs,
        lambda p: {"logits": (p["n"], network.classes(p["net"]))},
        _forward,
        {"x": _UNIFORM, **_WEIGHTS},
    ),
    Op(
        "network_gradients",
        {"net": _NET, "n": size(), **_SEED},
        lambda p: _network_inputs(p) | {"dlogits": (p["n"], network.classes(p["net"]))},
        _gradient_outputs,
        _gradients,
        {"x": _UNIFORM, "dlogits": _UNIFORM, **_WEIGHTS},
    ),
    Op(
        "network_predict",
        {"net": _NET, "count": size(), "batch": size()},
        lambda p: {
            "images": (p["count"], *network.input_shape(p["net"])),
            **network.parameter_shapes(p["net"]),
        },
        lambda p: {"probabilities": (p["count"], network.classes(p["net"]))},
        _predict,
        {"images": "integers(0, 255)", **_WEIGHTS},
    ),
    Op(
        "train_steps",
        _TRAINING | {"first": Param(0, 0), "steps": size(), "schedule": Param(0, 0, 1)},
        _training_inputs,
        lambda p: {f"new_{name}": s for name, s in network.parameter_shapes(p["net"]).items()},
        _steps,
        {**_DATA, **_WEIGHTS},
    ),
    Op(
        "network_predict_again",
        _TRAINING,
        _training_inputs,
        lambda p: {"probabilities": (p["count"], network.classes(p["net"]))},
        _predict,
        {**_DATA, **_WEIGHTS},
    ),
    Op(
        "network_lifetime",
        _TRAINING,
        lambda p: {
            "images": (p["count"], *network.input_shape(p["net"])),
            "labels": (p["count"],),
        },
        lambda p: {"good": (p["count"],)},
        lambda p, t: {"good": Output(np.ones(p["count"], np.int32))},
        _DATA,
    ),
)  # fmt: skip
