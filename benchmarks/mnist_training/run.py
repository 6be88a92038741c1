#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Training of stage 07 against PyTorch: the same network, batches and order of images.

    run.py [--device cpu|gpu] [--models mlp,cnn] [--limit N] [--rounds N] [--epochs N] [--json FILE]

On the CPU both have one thread. The contestants take turns in each round; a ratio is taken within a
round. What is timed is the second and later epochs' steps, from the second batch on: no start, no
test. Without PyTorch the kit's own figures are printed alone.
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

BATCH = {"mlp": 64, "cnn": 64}
GPU_BATCH = {"mlp": 256, "cnn": 256}
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
    folder = Path(os.environ.get("CONVKIT_DATA", ROOT / "datasets/cache")) / "mnist"
    return [
        next(folder.glob(f"{part}-{kind}-ubyte*"))
        for part, kind in (
            ("train", "images-idx3"),
            ("train", "labels-idx1"),
            ("t10k", "images-idx3"),
            ("t10k", "labels-idx1"),
        )
    ]


def kit(o, model: str, backend: str, library: Path, binaries: Path, out: Path) -> tuple:
    """Images a second of each epoch but the first, and the last test accuracy."""
    program = binaries / f"{STAGE}.train{'_gpu' if o.device == 'gpu' else ''}"
    names = ("--images", "--labels", "--test-images", "--test-labels")
    files = [str(word) for pair in zip(names, data_files("mnist")) for word in pair]
    settings = {
        "--submission": library, "--out": out, "--model": model, "--backend": backend,
        "--epochs": o.epochs, "--batch": o.batch[model], "--lr": RATE[model], "--limit": o.limit,
    }  # fmt: skip
    words = [str(word) for pair in settings.items() for word in pair]
    environment = os.environ | {"CONVKIT_SIMT_THREADS": "1", "OMP_NUM_THREADS": "1"}
    ran = subprocess.run(
        [program, *files, *words], check=True, capture_output=True, text=True, env=environment
    )
    ends = re.findall(r"100 %.* (\d+) images/s  test ([\d.]+) %", ran.stdout)
    return [float(rate) for rate, _ in ends[1:]], float(ends[-1][1])


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


def pytorch(o, torch, model: str) -> tuple:
    device = "cuda" if o.device == "gpu" else "cpu"
    images, labels, test_images, test_labels = map(read_idx, data_files("mnist"))
    if o.limit:
        images, labels = images[: o.limit], labels[: o.limit]

    def numbers(values):
        tensor = torch.tensor(values, device=device, dtype=torch.float32)
        return ((tensor / 255 - 0.1307) / 0.3081)[:, None]

    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    net = torch_model(torch, model).to(device)
    sgd = torch.optim.SGD(net.parameters(), lr=RATE[model], momentum=0.9)
    loss_of = torch.nn.CrossEntropyLoss()
    x, y = numbers(images), torch.tensor(labels.astype(np.int64), device=device)
    batch, rates = o.batch[model], []
    for epoch in range(o.epochs):
        order = torch.tensor(epoch_order(1, epoch, len(images)).astype(np.int64), device=device)
        for first in range(0, len(images), batch):
            part = order[first : first + batch]
            loss = loss_of(net(x[part]), y[part])
            sgd.zero_grad()
            loss.backward()
            sgd.step()
            if first == 0:
                start = _now(torch, device)
        rates.append((len(images) - batch) / (_now(torch, device) - start))
    with torch.no_grad():
        answers = net(numbers(test_images)).argmax(1).cpu().numpy()
    return rates[1:], 100 * float((answers == test_labels).mean())


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
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--binaries", type=Path, default=ROOT / "build/default/bin")
    parser.add_argument("--json", type=Path)
    o = parser.parse_args()
    o.batch = GPU_BATCH if o.device == "gpu" else BATCH
    os.environ["OMP_NUM_THREADS"] = "1"
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
    rates: dict[str, list[float]] = {}
    accuracy: dict[str, float] = {}
    for _ in range(o.rounds):
        for backend in o.backends.split(","):
            found, accuracy[backend] = kit(o, model, backend, library, o.binaries, folder / "out")
            rates.setdefault(backend, []).append(statistics.median(found))
        if torch:
            found, accuracy["pytorch"] = pytorch(o, torch, model)
            rates.setdefault("pytorch", []).append(statistics.median(found))
    rows = []
    count = o.limit or 60000
    for name, found in rates.items():
        median = statistics.median(found)
        row = {
            "model": model, "device": o.device, "batch": o.batch[model], "contestant": name,
            "images_per_second": round(median), "epoch_s": round(count / median, 4),
            "test_accuracy": round(accuracy[name], 2), "epochs": o.epochs,
        }  # fmt: skip
        if torch and name != "pytorch":
            ratios = [a / b for a, b in zip(found, rates["pytorch"])]
            row["of_pytorch"] = round(statistics.median(ratios), 3)
        print(json.dumps(row), flush=True)
        rows.append(row)
    return rows


if __name__ == "__main__":
    main()
