# SPDX-License-Identifier: MIT
"""The stage's operations once more: loops and math.fsum, and complex steps for the gradients.

A network's gradient here is no backward pass: each parameter in turn gets an imaginary part of
1e-30, and that of the result, divided by it, is the derivative (Squire and Trapp 1998), exact to
the last digits because nothing is subtracted. No code of convkit_reference but the names and shapes
of parameters.
"""

import math

import numpy as np

from . import network

_MASK = (1 << 64) - 1
_STEP = 1e-30

NETS = (
    "flatten; dense 7; relu; dense 4",
    "conv 3 3 2 1; relu; maxpool 2 2; conv 4 2 3 0; avgpool 2 1; flatten; dense 5",
    "conv 3 3 3 0; batchnorm; relu; maxpool 2 2; flatten; dense 6; dense 4",
    "flatten; dense 8; relu; dropout 0.25; dense 4",
    "conv 4 5 5 0; relu; maxpool 2 2; conv 6 5 5 0; maxpool 2 2; flatten; dense 10",
    "conv 3 2 3 1; flatten; dense 4",
    "conv 3 3 3 0; maxpool 2 2; flatten; dense 4",
    "conv 3 3 3 0; batchnorm; flatten; batchnorm; dense 4; batchnorm",
    "conv 3 3 3 0; flatten; batchnorm; relu; dense 6; batchnorm; batchnorm; dense 4",
    "batchnorm; conv 3 3 2 0; relu; batchnorm; maxpool 2 2; batchnorm; flatten; dense 4",
    "maxpool 2 2; flatten; dense 40; dense 4",
    "avgpool 2 2; flatten; dense 40; dense 4",
)


# --- random numbers -----------------------------------------------------------------------------


def _mix(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def bits(seed, stream, i):
    golden = 0x9E3779B97F4A7C15
    key = _mix((_mix((seed + golden) & _MASK) + golden * stream) & _MASK)
    return _mix((key + golden * i) & _MASK)


def unit(seed, stream, i):
    return (bits(seed, stream, i) >> 40) / 2**24


def epoch_order(p, t):
    order = list(range(p["count"]))
    for i in reversed(range(1, p["count"])):
        j = bits(p["seed"], 1000 + p["epoch"], i) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return {"order": np.array(order, np.int32)}


def initialise(p, t):
    limit = math.sqrt(6 / (p["fan_in"] + p["fan_out"] * p["xavier"]))
    numbers = [unit(p["seed"], p["stream"], i) for i in range(p["size"])]
    return {"w": np.array([limit * (2 * r - 1) for r in numbers])}


def start(p, t):
    result = {}
    for i, (name, shape) in enumerate(network.parameter_shapes(p["net"]).items()):
        part, size = name.split("_")[1], int(np.prod(shape))
        if part == "weight":  # Xavier's limit with fan_in for both
            fans = {"fan_in": size // shape[0], "fan_out": size // shape[0], "xavier": 1}
            values = initialise({**fans, "size": size, "seed": p["seed"], "stream": i}, t)["w"]
        else:
            values = np.full(size, {"scale": 1.0, "variance": 1.0}.get(part, 0.0))
        result[f"new_{name}"] = values.reshape(shape)
    return result


# --- parts ----------------------------------------------------------------------------------------


def cross_entropy(p, t):
    losses, gradient = [], np.zeros(t["logits"].shape)
    for i, row in enumerate(t["logits"].astype(np.float64).tolist()):
        label, largest = int(t["labels"][i]), max(row)
        powers = [math.exp(v - largest) for v in row]
        total = math.fsum(powers)
        losses.append(math.log(total) - (row[label] - largest))
        gradient[i] = [power / total for power in powers]
        gradient[i, label] -= 1
    return {"losses": np.array(losses), "dlogits": gradient / len(losses)}


def _single(value):
    return float(np.float32(value))


def batchnorm(p, t):
    x = t["x"].astype(np.float64)
    y, columns = np.zeros(x.shape), {"mean": [], "inverse": [], "running_mean": []}
    columns["running_variance"] = []
    momentum = _single(p["momentum"])
    for c in range(p["c"]):
        values = x[:, c].ravel().tolist()
        mean = math.fsum(values) / len(values)
        squares = math.fsum((v - mean) ** 2 for v in values)
        inverse = 1 / math.sqrt(squares / len(values) + _single(p["epsilon"]))
        y[:, c] = float(t["scale"][c]) * (x[:, c] - mean) * inverse + float(t["shift"][c])
        unbiased = squares / max(len(values) - 1, 1)
        columns["mean"].append(mean)
        columns["inverse"].append(inverse)
        for key, old, new in (("mean", "mean0", mean), ("variance", "variance0", unbiased)):
            before = float(t[old][c])
            columns[f"running_{key}"].append((1 - momentum) * before + momentum * new)
    return {"y": y, **{key: np.array(values) for key, values in columns.items()}}


def batchnorm_backward(p, t):
    x, dy = t["x"].astype(np.float64), t["dy"].astype(np.float64)
    dx, dscale, dshift = np.zeros(x.shape), [], []
    for c in range(p["c"]):
        mean, inverse = float(t["mean"][c]), float(t["inverse"][c])
        h = (x[:, c] - mean) * inverse
        dshift.append(math.fsum(dy[:, c].ravel()))
        dscale.append(math.fsum((dy[:, c] * h).ravel()))
        inner = dy[:, c] - dshift[-1] / h.size - h * (dscale[-1] / h.size)
        dx[:, c] = float(t["scale"][c]) * inverse * inner
    return {"dx": dx, "dscale": np.array(dscale), "dshift": np.array(dshift)}


def dropout(p, t):
    scale = 1 - _single(p["probability"])
    kept = [v / scale if keep else 0.0 for v, keep in zip(t["x"].tolist(), t["keep"].tolist())]
    return {"y": np.array(kept)}


def fold(p, t):
    t = {key: value.astype(np.float64) for key, value in t.items()}
    root = np.sqrt(t["variance"] + _single(p["epsilon"]))
    weight = t["w"] * (t["scale"] / root)[:, None]
    return {"folded_w": weight, "folded_b": (t["b"] - t["mean"]) * t["scale"] / root + t["shift"]}


def sgd(p, t):
    w, g, v = (t[key].astype(np.float64) for key in ("w0", "gradient", "velocity0"))
    lr, momentum, decay = (_single(p[key]) for key in ("lr", "momentum", "weight_decay"))
    velocity = momentum * v + (g + decay * w)
    return {"w": w - lr * velocity, "velocity": velocity}


def adam(p, t):
    w, g, m, v = (t[key].astype(np.float64) for key in ("w0", "gradient", "m0", "v0"))
    return _adam(w, g, m, v, p, p["step"] + 1)


def _adam(w, g, m, v, p, turn):
    g = g + _single(p["weight_decay"]) * w
    m, v = 0.9 * m + (1 - 0.9) * g, 0.999 * v + (1 - 0.999) * g**2
    mean, square = m / (1 - 0.9**turn), v / (1 - 0.999**turn)
    return {"w": w - _single(p["lr"]) * mean / (np.sqrt(square) + 1e-8), "m": m, "v": v}


def learning_rate(p, t):
    lr, rates = _single(p["lr"]), []
    for epoch in range(p["epochs"]):
        steps = _single(p["step_factor"]) ** (epoch // p["step_epochs"])
        cosine = (1 + math.cos(math.pi * epoch / p["epochs"])) / 2
        rates.append(lr * (1, steps, cosine)[p["schedule"]])
    return {"rates": np.array(rates)}


# --- networks ----------------------------------------------------------------------------------


def _windows(x, kh, kw):
    return np.lib.stride_tricks.sliding_window_view(x, (kh, kw), axis=(2, 3))


def run(net, x, p, training, seed=0, step=0):
    """x and parameters may be complex; branches look at real parts. Logits, new running means."""
    counts, moved = {}, {}
    for index, line in enumerate(NETS[net].split("; ")):
        kind, *words = line.split()
        counts[kind] = counts.get(kind, 0) + 1
        name = f"{kind}{counts[kind]}"
        if kind == "conv":
            kh, kw, pad = map(int, words[1:])
            frame = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
            x = np.einsum("ncijpq,mcpq->nmij", _windows(frame, kh, kw), p[f"{name}_weight"])
            x = x + p[f"{name}_bias"][:, None, None]
        elif kind == "dense":
            x = x @ p[f"{name}_weight"].T + p[f"{name}_bias"]
        elif kind == "relu":
            x = np.where(x.real > 0, x, 0)
        elif kind in ("maxpool", "avgpool"):
            kh, kw = map(int, words)
            windows = _windows(x, kh, kw)[:, :, ::kh, ::kw]
            windows = windows.reshape(*windows.shape[:4], kh * kw)
            if kind == "avgpool":
                x = windows.mean(axis=-1)
            else:
                winner = windows.real.argmax(axis=-1)[..., None]
                x = np.take_along_axis(windows, winner, axis=-1)[..., 0]
        elif kind == "flatten":
            x = x.reshape(len(x), -1)
        elif kind == "batchnorm":
            axes = tuple(a for a in range(x.ndim) if a != 1)
            shape = [1, -1] + [1] * (x.ndim - 2)
            parts = (p[f"{name}_{part}"] for part in ("scale", "shift", "mean", "variance"))
            scale, shift, mean, variance = parts
            if training:
                old = mean, variance
                mean = x.mean(axis=axes)
                variance = ((x - mean.reshape(shape)) ** 2).mean(axis=axes)
                count = x.size // len(mean)
                for part, a, b in (
                    ("mean", old[0], mean),
                    ("variance", old[1], variance * count / max(count - 1, 1)),
                ):
                    moved[f"{name}_{part}"] = a + (b - a) * _single(0.1)
            root = np.sqrt(variance + _single(1e-5)).reshape(shape)
            x = (x - mean.reshape(shape)) / root * scale.reshape(shape) + shift.reshape(shape)
        elif kind == "dropout" and training:
            stream, drop = (step + 1) * 65536 + index, float(words[0])
            kept = [unit(seed, stream, i) >= drop for i in range(x.size)]
            x = np.where(np.reshape(kept, x.shape), x / (1 - drop), 0)
    return x, moved


_NOT_PARAMETERS = {"x", "dlogits", "images", "labels"}


def _parameters(t):
    return {k: v.astype(np.float64) for k, v in t.items() if k not in _NOT_PARAMETERS}


def forward(p, t):
    x = t["x"].astype(np.float64)
    logits, _ = run(p["net"], x, _parameters(t), p["training"] == 1, p["seed"], p["step"])
    return {"logits": logits}


def _slopes(result, tensors, wanted):
    """d result(tensors) / d each element of the wanted tensors."""
    slopes = {}
    for name in wanted:
        slope = np.zeros(tensors[name].shape)
        for place in np.ndindex(*slope.shape):
            moved = tensors[name].astype(np.complex128)
            moved[place] += 1j * _STEP
            slope[place] = result(tensors | {name: moved}).imag / _STEP
        slopes[name] = slope
    return slopes


def _trained(names):
    return [name for name in names if not name.endswith(("_mean", "_variance"))]


def gradients(p, t):
    tensors = _parameters(t) | {"x": t["x"].astype(np.float64)}

    def result(known):
        logits, _ = run(p["net"], known["x"], known, True, p["seed"], p["step"])
        return (logits * t["dlogits"]).sum()

    slopes = _slopes(result, tensors, _trained(tensors))
    return {"dx" if name == "x" else f"d_{name}": slope for name, slope in slopes.items()}


def _softmax(logits):
    powers = np.exp(logits - logits.real.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def predict(p, t):
    x = (t["images"].astype(np.float64) / 255 - 0.1307) / 0.3081
    return {"probabilities": _softmax(run(p["net"], x, _parameters(t), False)[0])}


def train_steps(p, t):
    images = (t["images"].astype(np.float64) / 255 - 0.1307) / 0.3081
    labels, known = t["labels"].astype(int), _parameters(t)
    velocity, squares = dict.fromkeys(known, 0.0), dict.fromkeys(known, 0.0)
    lr, momentum, decay = (_single(p[key]) for key in ("lr", "momentum", "weight_decay"))
    in_epoch = math.ceil(p["count"] / p["batch"])
    for step in range(p["first"], p["first"] + p["steps"]):
        epoch = step // in_epoch
        rate = lr / 2**epoch if p["schedule"] == 1 else lr
        order = epoch_order(p | {"epoch": epoch}, t)["order"]
        first = step % in_epoch * p["batch"]
        part = order[first : first + p["batch"]]

        def loss(tensors, part=part, step=step):
            logits, _ = run(p["net"], images[part], tensors, True, p["seed"], step)
            return -np.log(_softmax(logits)[np.arange(len(part)), labels[part]]).mean()

        slopes = _slopes(loss, known, _trained(known))
        moved = run(p["net"], images[part], known, True, p["seed"], step)[1]
        for name, slope in slopes.items():
            if p["optimizer"] == 1:
                turn = p | {"lr": rate}
                new = _adam(known[name], slope, velocity[name], squares[name], turn, step + 1)
                known[name], velocity[name], squares[name] = new["w"], new["m"], new["v"]
                continue
            velocity[name] = momentum * velocity[name] + slope + decay * known[name]
            known[name] = known[name] - rate * velocity[name]
        known |= moved
    return {f"new_{name}": value for name, value in known.items()}
