#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains the LeNet-like network (ops/lenet.py) on MNIST and writes its weights.

    conv1 5x5, pad 2 -> ReLU -> max pool 2x2 -> conv2 5x5 -> ReLU -> max pool 2x2
    -> fc1 -> ReLU -> fc2 -> ReLU -> fc3 -> softmax

Plain NumPy in float32: im2col, Adam with a falling learning rate, images shifted by up to two
pixels. The last bits of the result depend on the machine's BLAS, so the weights are committed and
not trained again.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
SHAPES = {
    "conv1_w": (6, 1, 5, 5), "conv1_b": (6,),
    "conv2_w": (16, 6, 5, 5), "conv2_b": (16,),
    "fc1_w": (120, 400), "fc1_b": (120,),
    "fc2_w": (84, 120), "fc2_b": (84,),
    "fc3_w": (10, 84), "fc3_b": (10,),
}  # fmt: skip


def read_idx(path: Path, header: int) -> np.ndarray:
    with gzip.open(path) as file:
        return np.frombuffer(file.read(), np.uint8, offset=header)


def read_mnist(folder: Path, part: str) -> tuple[np.ndarray, np.ndarray]:
    """Images [n][1][28][28] in [0, 1], labels [n]."""
    images = read_idx(folder / f"{part}-images-idx3-ubyte.gz", 16).reshape(-1, 1, 28, 28)
    labels = read_idx(folder / f"{part}-labels-idx1-ubyte.gz", 8)
    return images.astype(np.float32) / np.float32(255), labels.astype(np.int64)


def initial_weights(random: np.random.Generator) -> dict[str, np.ndarray]:
    """He initialisation; zero biases."""
    weights = {}
    for name, shape in SHAPES.items():
        fan_in = int(np.prod(shape[1:]))
        scale = np.sqrt(2 / fan_in) if name.endswith("_w") else 0.0
        weights[name] = (random.standard_normal(shape) * scale).astype(np.float32)
    return weights


def im2col(x: np.ndarray) -> np.ndarray:
    """Every 5x5 window of x [n][c][h][w] as a row [n * oh * ow][c * 25]."""
    windows = np.lib.stride_tricks.sliding_window_view(x, (5, 5), axis=(2, 3))
    n, c, oh, ow = windows.shape[:4]
    return windows.transpose(0, 2, 3, 1, 4, 5).reshape(n * oh * ow, c * 25)


def conv(x: np.ndarray, w: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    n, _, h, width = x.shape
    columns = im2col(x)
    y = columns @ w.reshape(w.shape[0], -1).T + b
    return y.reshape(n, h - 4, width - 4, -1).transpose(0, 3, 1, 2), columns


def conv_backward(dy: np.ndarray, columns: np.ndarray, w: np.ndarray, x_shape, want_dx: bool):
    """Gradients of w and b, and of x if wanted."""
    rows = np.ascontiguousarray(dy.transpose(0, 2, 3, 1)).reshape(-1, w.shape[0])
    dw, db = (rows.T @ columns).reshape(w.shape), rows.sum(axis=0)
    if not want_dx:
        return dw, db, None
    n, _, oh, ow = dy.shape
    patches = (rows @ w.reshape(w.shape[0], -1)).reshape(n, oh, ow, w.shape[1], 5, 5)
    dx = np.zeros(x_shape, dy.dtype)
    for p in range(5):
        for q in range(5):
            dx[:, :, p : p + oh, q : q + ow] += patches[..., p, q].transpose(0, 3, 1, 2)
    return dw, db, dx


def pool(x: np.ndarray) -> np.ndarray:
    """ReLU, then the maximum of each 2x2 block."""
    n, c, h, w = x.shape
    return np.maximum(x.reshape(n, c, h // 2, 2, w // 2, 2).max(axis=(3, 5)), 0)


def pool_backward(dy: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Elements that are equal maxima (as on a black background) share the gradient."""
    n, c, h, w = x.shape
    blocks = x.reshape(n, c, h // 2, 2, w // 2, 2)
    winner = (blocks == y[:, :, :, None, :, None]) & (blocks > 0)
    ties = np.maximum(winner.sum(axis=(3, 5), keepdims=True), 1).astype(x.dtype)
    return (winner * (dy[:, :, :, None, :, None] / ties)).reshape(x.shape)


def forward(weights: dict[str, np.ndarray], x: np.ndarray):
    """Logits [n][10], and what the backward pass needs."""
    keep = {"x": np.pad(x, ((0, 0), (0, 0), (2, 2), (2, 2)))}
    keep["a1"], keep["col1"] = conv(keep["x"], weights["conv1_w"], weights["conv1_b"])
    keep["p1"] = pool(keep["a1"])
    keep["a2"], keep["col2"] = conv(keep["p1"], weights["conv2_w"], weights["conv2_b"])
    keep["p2"] = pool(keep["a2"])
    keep["flat"] = keep["p2"].reshape(len(x), -1)
    keep["h1"] = np.maximum(keep["flat"] @ weights["fc1_w"].T + weights["fc1_b"], 0)
    keep["h2"] = np.maximum(keep["h1"] @ weights["fc2_w"].T + weights["fc2_b"], 0)
    return keep["h2"] @ weights["fc3_w"].T + weights["fc3_b"], keep


def gradients(weights: dict[str, np.ndarray], x: np.ndarray, labels: np.ndarray):
    """The gradient of the mean cross-entropy."""
    logits, keep = forward(weights, x)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    d = powers / powers.sum(axis=1, keepdims=True)
    d[np.arange(len(x)), labels] -= 1
    d /= d.dtype.type(len(x))
    grad = {}
    for layer, below in (("fc3", "h2"), ("fc2", "h1"), ("fc1", "flat")):
        grad[f"{layer}_w"], grad[f"{layer}_b"] = d.T @ keep[below], d.sum(axis=0)
        d = d @ weights[f"{layer}_w"]
        d *= keep[below] > 0
    d = pool_backward(d.reshape(keep["p2"].shape), keep["a2"], keep["p2"])
    grad["conv2_w"], grad["conv2_b"], d = conv_backward(
        d, keep["col2"], weights["conv2_w"], keep["p1"].shape, True
    )
    d = pool_backward(d, keep["a1"], keep["p1"])
    grad["conv1_w"], grad["conv1_b"], _ = conv_backward(
        d, keep["col1"], weights["conv1_w"], None, False
    )
    return grad


def shifted(x: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """The batch, moved by up to two pixels in each direction; zeros fill the gap."""
    frame = np.pad(x, ((0, 0), (0, 0), (2, 2), (2, 2)))
    top, left = random.integers(0, 5, 2)
    return frame[:, :, top : top + 28, left : left + 28]


def train(images: np.ndarray, labels: np.ndarray, epochs: int, batch: int, seed: int):
    random = np.random.default_rng(seed)
    weights = initial_weights(random)
    mean = {name: np.zeros_like(value) for name, value in weights.items()}
    square = {name: np.zeros_like(value) for name, value in weights.items()}
    steps = epochs * (len(images) // batch)
    step = 0
    for epoch in range(epochs):
        order = random.permutation(len(images))
        for start in range(0, len(images) - batch + 1, batch):
            chosen = order[start : start + batch]
            step += 1
            rate = 0.002 * 0.5 * (1 + np.cos(np.pi * step / steps))
            grad = gradients(weights, shifted(images[chosen], random), labels[chosen])
            for name, value in weights.items():  # Adam (Kingma and Ba, 2015), weight decay 1e-4
                g = grad[name]
                mean[name] += np.float32(0.1) * (g - mean[name])
                square[name] += np.float32(0.001) * (g * g - square[name])
                corrected = mean[name] / (1 - 0.9**step)
                scale = np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8
                value -= (rate * (corrected / scale + 1e-4 * value)).astype(np.float32)
        print(f"epoch {epoch + 1} of {epochs}", file=sys.stderr, flush=True)
    return weights


def accuracy(weights: dict[str, np.ndarray], images: np.ndarray, labels: np.ndarray) -> float:
    right = 0
    for start in range(0, len(images), 500):
        logits, _ = forward(weights, images[start : start + 500])
        right += int((logits.argmax(axis=1) == labels[start : start + 500]).sum())
    return right / len(images)


def main() -> int:
    data = os.environ.get("CONVKIT_DATA") or HERE.parent / "datasets" / "cache"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(data), help="folder holding mnist/")
    parser.add_argument("--out", type=Path, default=HERE / "weights" / "lenet_mnist.npz")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        train_set = read_mnist(options.data / "mnist", "train")
        test_set = read_mnist(options.data / "mnist", "t10k")
    except OSError as problem:
        print(
            f"Cannot read {problem.filename}: {problem.strerror}. "
            "Fetch MNIST with datasets/fetch.py, or set CONVKIT_DATA to the folder above mnist/.",
            file=sys.stderr,
        )
        return 2
    weights = train(*train_set, options.epochs, options.batch, options.seed)

    from convkit_reference.npz import npz_bytes

    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_bytes(npz_bytes(weights))
    facts = {
        "trained_on": "MNIST, 60000 training digits",
        "test_digits": len(test_set[0]),
        "test_accuracy": accuracy(weights, *test_set),
        "parameters": int(sum(value.size for value in weights.values())),
        "epochs": options.epochs,
        "batch": options.batch,
        "seed": options.seed,
        "numpy_version": np.__version__,
    }
    options.out.with_suffix(".json").write_text(json.dumps(facts, indent=2) + "\n")
    print(json.dumps(facts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
