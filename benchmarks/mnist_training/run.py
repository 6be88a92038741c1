#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Training of stage 07 against PyTorch: the same network, batches and order of images.

    run.py [--device cpu|gpu] [--models mlp,cnn] [--batch 256] [--limit N] [--rounds N] [--epochs N]
           [--prepared] [--json FILE]

On the CPU both have one thread and one core. The contestants take turns in each round, and each
round has a seed of its own; a ratio is taken within a round. What is timed is the second and later
epochs' steps, from the second batch on: no start, no test. Both begin with bytes in memory and turn
each batch into numbers; with --prepared PyTorch does that once, before it is timed. Without PyTorch
the kit's own figures are printed alone.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
STAGE = "07_mnist_cnn"
sys.path.insert(0, str(ROOT / "reference_data"))

from convkit_reference.ops.counter import epoch_order  # noqa: E402

RATE = {"mlp": 0.05, "cnn": 0.05}


def build(device: str, folder: Path, binaries: Path) -> Path:
    """The reference solution as a shared library."""
    library = folder / "solution.so"
    sources = sorted((ROOT / "solutions" / STAGE).glob("*.cu"))
    flags = ["-std=c++17", "-O3", f"-I{ROOT}/runtime/include", f"-I{ROOT}/assignments/{STAGE}"]
    if device == "gpu":
        command = ["nvcc", "-arch=native", "-shared", "-Xcompiler", "-fPIC"]
    else:
        host = "-march=native,-ffp-contract=fast,-fPIC"
        command = [binaries / "convkit", "cc", "-shared", "-Xcompiler", host]
    libraries = ["-lcublas", "-lcudnn"]
    subprocess.run([*command, *flags, *sources, "-o", library, *libraries], check=True)
    return library


def data_files(name: str) -> list[Path]:
    folder = Path(os.environ.get("CONVKIT_DATA", ROOT / "datasets/cache")) / name
    kinds = ("train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1")
    found = [next(folder.glob(f"{kind}-ubyte*"), None) for kind in kinds]
    if None in found:
        missing = kinds[found.index(None)]
        raise SystemExit(f"{folder} has no {missing}-ubyte: datasets/fetch.py brings it.")
    return found


def kit(o, model: str, backend: str, seed: int, library: Path, out: Path) -> list[tuple]:
    """Images a second and test accuracy of each epoch."""
    program = o.binaries / f"{STAGE}.train{'_gpu' if o.device == 'gpu' else ''}"
    if not program.exists():  # built when it is first used
        subprocess.run([ROOT / "convkit", "--build-part", program.name], check=True)
    names = ("--images", "--labels", "--test-images", "--test-labels")
    files = [str(word) for pair in zip(names, data_files("mnist")) for word in pair]
    settings = {
        "--submission": library, "--out": out, "--model": model, "--backend": backend,
        "--seed": seed, "--epochs": o.epochs, "--batch": o.batch, "--lr": RATE[model],
        "--limit": o.limit,
    }  # fmt: skip
    words = [str(word) for pair in settings.items() for word in pair]
    environment = os.environ | {"CONVKIT_SIMT_THREADS": "1", "OMP_NUM_THREADS": "1"}
    ran = subprocess.run(
        [program, *files, *words], check=True, capture_output=True, text=True, env=environment
    )
    ends = re.findall(r"100 %.* (\d+) images/s  test ([\d.]+) %", ran.stdout)
    return [(float(rate), float(accuracy)) for rate, accuracy in ends]


def torch_model(torch, model: str):
    nn = torch.nn
    if model == "mlp":
        return nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))
    return nn.Sequential(
        nn.Conv2d(1, 32, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(1024, 128), nn.ReLU(), nn.Linear(128, 10),
    )  # fmt: skip


def read_idx(file: Path) -> np.ndarray:
    raw = file.read_bytes()
    raw = gzip.decompress(raw) if file.suffix == ".gz" else raw
    rank = raw[3]
    dims = np.frombuffer(raw, ">u4", rank, 4)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * rank).reshape(dims)


def pytorch(o, torch, model: str, seed: int) -> list[tuple]:
    """As kit()."""
    device = "cuda" if o.device == "gpu" else "cpu"
    images, labels, test_images, test_labels = map(read_idx, data_files("mnist"))
    if o.limit:
        images, labels = images[: o.limit], labels[: o.limit]

    def numbers(values):
        return values[:, None].float().mul_(1 / (255 * 0.3081)).sub_(0.1307 / 0.3081)

    def tensor(values):
        return torch.tensor(values, device=device)

    torch.manual_seed(seed)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    net = torch_model(torch, model).to(device)
    sgd = torch.optim.SGD(net.parameters(), lr=RATE[model], momentum=0.9)
    loss_of = torch.nn.CrossEntropyLoss()
    x, y = tensor(images), tensor(labels.astype(np.int64))
    x = numbers(x) if o.prepared else x
    test_x, test_y = numbers(tensor(test_images)), tensor(test_labels.astype(np.int64))
    result = []
    for epoch in range(o.epochs):
        order = tensor(epoch_order(seed, epoch, len(images)).astype(np.int64))
        for first in range(0, len(images), o.batch):
            part = order[first : first + o.batch]
            batch_x = x[part] if o.prepared else numbers(x[part])
            loss = loss_of(net(batch_x), y[part])
            sgd.zero_grad()
            loss.backward()
            sgd.step()
            if first == 0:
                start = _now(torch, device)
        rate = (len(images) - o.batch) / (_now(torch, device) - start)
        with torch.no_grad():
            right = net(test_x).argmax(1) == test_y
        result.append((rate, 100 * right.float().mean().item()))
    return result


def _now(torch, device: str) -> float:
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu")
    parser.add_argument("--models", default="mlp,cnn")
    parser.add_argument("--backends", default="own,libraries")
    parser.add_argument("--limit", type=int, default=0, help="training images, 0: all")
    parser.add_argument(
        "--prepared", action="store_true", help="PyTorch gets its images as float32 numbers"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--binaries", type=Path, default=ROOT / "build/default/bin")
    parser.add_argument("--json", type=Path)
    o = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    if o.device == "cpu":
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    try:
        import torch

        torch.set_num_threads(1)
    except ImportError:
        torch = None
        print("PyTorch is not there: no ratios.", file=sys.stderr)
    result = []
    with tempfile.TemporaryDirectory() as folder:
        library = build(o.device, Path(folder), o.binaries)
        for model in o.models.split(","):
            result += measure(o, torch, model, library, Path(folder))
    if o.json:
        o.json.write_text(json.dumps(result, indent=2) + "\n")


def measure(o, torch, model: str, library: Path, folder: Path) -> list[dict]:
    contestants = {
        backend: lambda seed, name=backend: kit(o, model, name, seed, library, folder / "out")
        for backend in o.backends.split(",")
    }
    if torch:
        contestants["pytorch"] = lambda seed: pytorch(o, torch, model, seed)
    rates = {name: [] for name in contestants}
    accuracies = {name: [] for name in contestants}
    for number in range(o.rounds):
        for name, train in contestants.items():
            epochs = train(number + 1)
            rates[name].append(statistics.median(rate for rate, _ in epochs[1:] or epochs))
            accuracies[name].append([accuracy for _, accuracy in epochs])
    rows = []
    count = o.limit or 60000
    for name, found in rates.items():
        median = statistics.median(found)
        row = {
            "model": model, "device": o.device, "batch": o.batch, "contestant": name,
            "images_per_second": round(median), "epoch_s": round(count / median, 4),
            "test_accuracy": [spread(after) for after in zip(*accuracies[name])],
        }  # fmt: skip
        if torch and name != "pytorch":
            row["of_pytorch"] = spread([a / b for a, b in zip(found, rates["pytorch"])], 3)
        print(json.dumps(row), flush=True)
        rows.append(row)
    return rows


def spread(values: list[float], digits: int = 2) -> dict[str, float]:
    ends = {"median": statistics.median(values), "least": min(values), "most": max(values)}
    return {name: round(value, digits) for name, value in ends.items()}


if __name__ == "__main__":
    main()
