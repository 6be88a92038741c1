# SPDX-License-Identifier: MIT
"""A kit with one stage, whose submissions train: the network stores the mean of each class."""

import hashlib
import json
from pathlib import Path

import numpy as np
from driver import ROOT

STAGE = "training_test"

STAGE_FILE = """\
id = "training_test"
title = "Training"
summary = "A stage for tests."
device = "cpu"
api = "training.h"
files = ["train.cpp"]

[build]
flags = ["-std=c++17", "-O2"]

[limits]
stage_s = 60

[[task]]
id = "90.1"
title = "Train"
file = "train.cpp"

[[group]]
name = "training"
title = "Training"
points = 100

[[training]]
name = "digits"
title = "A network learns digits"
task = "90.1"
group = "training"
op = "train"
data = "mnist"
train = 500
held_back = 200
seeds = 2
accuracy = 0.7
synthetic = 0.4
params = {epochs = 3, lr = 0.25}
seconds = 5

[[training]]
name = "permuted_digits"
title = "A network learns digits under other names"
task = "90.1"
group = "training"
op = "train"
data = "mnist"
labels = "permuted"
train = 500
held_back = 200
seeds = 1
accuracy = 0.7
synthetic = 0.4
params = {epochs = 3, lr = 0.25}
seconds = 5

[[training]]
name = "secret_fashion"
title = "A network learns pictures of clothes"
hidden = true
task = "90.1"
group = "training"
op = "train"
data = "fashion"
train = 500
held_back = 200
accuracy = 0.7
synthetic = 0.4
params = {epochs = 3, lr = 0.25}
seconds = 5
"""

HEADER = """\
#pragma once
#include <cstdint>
extern "C" void train_classifier(const uint8_t* images, const uint8_t* labels, int64_t train,
                                 const uint8_t* queries, int64_t held_back, int64_t seed,
                                 int64_t epochs, double lr, float* losses, int32_t* answers);
extern "C" void doubles(const float* x, float* y, int64_t n);
"""

# Learns the mean image of each class. Tests replace the comments.
SOURCE = """\
#include "training.h"
#include "convkit/todo.h"
#include <cmath>
#include <vector>
/*prelude*/
extern "C" void doubles(const float* x, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = 2 * x[i];
  /*doubles*/
}
extern "C" void train_classifier(const uint8_t* images, const uint8_t* labels, int64_t train,
                                 const uint8_t* queries, int64_t held_back, int64_t seed,
                                 int64_t epochs, double lr, float* losses, int32_t* answers) {
  /*start*/
  std::vector<double> mean(10 * 784), count(10);
  for (int64_t i = 0; i < train; ++i) {
    ++count[labels[i]];
    for (int p = 0; p < 784; ++p) mean[labels[i] * 784 + p] += images[i * 784 + p];
  }
  for (int k = 0; k < 10; ++k)
    for (int p = 0; p < 784; ++p) mean[k * 784 + p] /= count[k] + 1e-9;
  for (int64_t e = 0; e < epochs; ++e) losses[e] = float(lr / 0.25 * (2 - 0.5 * e));
  for (int64_t i = 0; i < held_back; ++i) {
    double best = 1e300;
    for (int k = 0; k < 10; ++k) {
      double distance = 0;
      for (int p = 0; p < 784; ++p) {
        double d = queries[i * 784 + p] - mean[k * 784 + p];
        distance += d * d;
      }
      if (distance < best) best = distance, answers[i] = k;
    }
  }
  /*end*/
}
"""


def training_kit(folder: Path, edits=()) -> Path:
    """A checkout whose only stage trains. `edits`: (text, replacement) in its stage.toml."""
    for part in ("VERSION", "runtime"):
        (folder / part).symlink_to(ROOT / part)
    stage = folder / "assignments" / STAGE
    stage.mkdir(parents=True)
    text = STAGE_FILE
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    (stage / "stage.toml").write_text(text)
    (stage / "training.h").write_text(HEADER)
    (stage / "README.md").write_text("# Training\n")
    write_cases(folder / "reference_data" / "visible" / STAGE, visible=True)
    return folder


def write_cases(folder: Path, visible: bool, sizes=(5,)) -> Path:
    """Stored cases, of which a stage must have one: y = 2 x for so many elements."""
    folder.mkdir(parents=True)
    archive, cases = {}, []
    for n in sizes:
        name = "doubles" if n == 5 else f"doubles_{n}"
        x = np.arange(n, dtype=np.float32)
        y = 2 * x.astype(np.float64)
        tensors = {"in.x": x, "out.y": y, "mag.y": np.abs(y)}
        archive |= {f"{name}/{part}": tensor for part, tensor in tensors.items()}
        cases.append(stored_case(name, n, tensors))
    np.savez(folder / "cases.npz", **archive)
    manifest = {"schema": "convkit-manifest-2", "stage": STAGE, "cases": cases}
    if not visible:
        manifest["seed"] = "a mark"
        for case in cases:
            case["visible"] = False
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


def stored_case(name: str, n: int, tensors: dict[str, np.ndarray]) -> dict:
    return {
        "name": name,
        "op": "doubles",
        "task": "90.1",
        "group": "training",
        "visible": True,
        "summary": "It doubles.",
        "tensors": {
            name: {
                "dtype": tensor.dtype.name,
                "shape": list(tensor.shape),
                "sha256": hashlib.sha256(tensor.tobytes()).hexdigest(),
            }
            for name, tensor in tensors.items()
        },
        "params": {"n": n},
        "inputs": ["x"],
        "outputs": [{"name": "y", "terms": 1}],
    }


def hand_in(folder: Path, **parts: str) -> Path:
    """A submission; parts: what replaces /*prelude*/, /*doubles*/, /*start*/ and /*end*/."""
    text = SOURCE
    for name, code in parts.items():
        assert f"/*{name}*/" in text
        text = text.replace(f"/*{name}*/", code)
    stage = folder / STAGE
    stage.mkdir(parents=True)
    (stage / "train.cpp").write_text(text)
    return folder


def write_idx(folder: Path, prefix: str, images: np.ndarray, labels: np.ndarray) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    head = b"\0\0\x08\x03" + b"".join(n.to_bytes(4, "big") for n in images.shape)
    (folder / f"{prefix}-images-idx3-ubyte").write_bytes(head + images.tobytes())
    head = b"\0\0\x08\x01" + len(labels).to_bytes(4, "big")
    (folder / f"{prefix}-labels-idx1-ubyte").write_bytes(head + labels.tobytes())


def easy_data(folder: Path, name: str = "mnist", columns: bool = True) -> Path:
    """A data set of bars: image k has a bright bar at row or column 2 k + 4, and noise."""
    random = np.random.default_rng(1)
    for prefix, count in (("train", 800), ("t10k", 400)):
        labels = random.integers(0, 10, count).astype(np.uint8)
        images = random.integers(0, 60, (count, 28, 28)).astype(np.uint8)
        for image, label in zip(images, labels):
            at = 2 * int(label) + 4
            (image.T if columns else image)[at : at + 2] = 250
        write_idx(folder / name, prefix, images, labels)
    return folder
