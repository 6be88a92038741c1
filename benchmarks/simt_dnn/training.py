#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Steps of training a small network by the CPU device's cuDNN and cuBLAS, and by PyTorch, in turn.

The same network, parameters and batch; one core and one thread for both; CPU time. The losses must
agree. Prints JSON.

    benchmarks/simt_dnn/training.py [--rounds 15] [--batch 64] [--convkit FILE] [--json FILE]
"""

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Before PyTorch is loaded: set_num_threads() does not reach the threads of the BLAS behind it; they
# would spin against each other on the one core.
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

try:
    import torch
    from torch.nn import functional
except ImportError as error:
    raise SystemExit(f"PyTorch is not there ({error}): nothing to compare.") from error

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from library_benchmark import ROOT, spread  # noqa: E402

SHAPES = {
    "conv1.weight": (32, 1, 5, 5),
    "conv1.bias": (32,),
    "conv2.weight": (64, 32, 5, 5),
    "conv2.bias": (64,),
    "dense1.weight": (128, 1024),
    "dense1.bias": (128,),
    "dense2.weight": (10, 128),
    "dense2.bias": (10,),
}
LEAST_AGREEMENT = 1e-3  # of the losses, after tens of steps of rounding in another order


class Torch:
    """The network, in eager mode."""

    def __init__(self, folder: Path, batch: int):
        torch.set_num_threads(1)
        torch.manual_seed(1)
        # Labels that can be learned: where in the picture it is bright.
        self.labels = torch.arange(batch) % 10
        self.images = torch.randn(batch, 1, 28, 28) * 0.5
        for i, label in enumerate(self.labels):
            self.images[i, 0, 2 * label : 2 * label + 8, 4:24] += 1
        self.parameters = {}
        for name, shape in SHAPES.items():
            inputs = torch.Size(shape[1:]).numel()
            bound = (6 / inputs) ** 0.5 if len(shape) > 1 else 0
            value = (torch.rand(shape) * 2 - 1) * bound
            (folder / name).write_bytes(value.numpy().tobytes())
            self.parameters[name] = value.requires_grad_()
        (folder / "images.f32").write_bytes(self.images.numpy().tobytes())
        (folder / "labels.i32").write_bytes(self.labels.int().numpy().tobytes())
        self.optimizer = torch.optim.SGD(self.parameters.values(), lr=0.05, momentum=0.9)

    def layer(self, name: str, x: torch.Tensor, apply) -> torch.Tensor:
        return apply(x, self.parameters[f"{name}.weight"], self.parameters[f"{name}.bias"])

    def step(self) -> float:
        x = functional.max_pool2d(self.layer("conv1", self.images, functional.conv2d).relu(), 2)
        x = functional.max_pool2d(self.layer("conv2", x, functional.conv2d).relu(), 2)
        x = self.layer("dense1", x.flatten(1), functional.linear).relu()
        loss = functional.cross_entropy(self.layer("dense2", x, functional.linear), self.labels)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def measure(self, steps: int) -> tuple[float, float]:
        begin = time.process_time()
        losses = [self.step() for _ in range(steps)]
        return (time.process_time() - begin) / steps * 1e6, losses[-1]


class Program:
    """The same through cuDNN and cuBLAS."""

    def __init__(self, program: Path, folder: Path, batch: int):
        self.process = subprocess.Popen(
            [program, folder, str(batch)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"CONVKIT_SIMT_THREADS": "1"},
        )

    def measure(self, steps: int) -> tuple[float, float]:
        self.process.stdin.write(f"{steps}\n")
        self.process.stdin.flush()
        words = self.process.stdout.readline().split()
        if len(words) != 2:
            raise SystemExit(f"the program ended with exit code {self.process.wait()}")
        return float(words[0]), float(words[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--convkit", type=Path, default=ROOT / "build/default/bin/convkit")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    arguments = parser.parse_args()

    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    load_before = os.getloadavg()
    steps = 3
    pairs = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [arguments.convkit, "cc", "-O2", HERE / "training.cu", "-o", folder / "training"]
        subprocess.run([*command, "-lcudnn", "-lcublas"], check=True)
        contestants = [Torch(folder, arguments.batch)]
        contestants.append(Program(folder / "training", folder, arguments.batch))
        for round_number in range(-1, arguments.rounds):
            turn = [0, 1] if round_number % 2 == 0 else [1, 0]
            seen = dict(sorted((i, contestants[i].measure(steps)) for i in turn))
            losses = [loss for _, loss in seen.values()]
            if not abs(losses[0] - losses[1]) <= LEAST_AGREEMENT:
                raise SystemExit(f"the losses differ in round {round_number}: {losses}")
            if round_number >= 0:
                pairs.append(tuple(seconds for seconds, _ in seen.values()))
    figures = {
        "benchmark": "simt_dnn_training",
        "date": datetime.date.today().isoformat(),
        "batch": arguments.batch,
        "rounds": arguments.rounds,
        "steps_a_round": steps,
        "pytorch": torch.__version__,
        "pytorch_us": spread([theirs for theirs, _ in pairs]),
        "cudnn_us": spread([ours for _, ours in pairs]),
        "pytorch / cudnn": spread([theirs / ours for theirs, ours in pairs]),
        "last_losses": losses,
        "load_average": {"before": load_before, "after": os.getloadavg()},
    }
    text = json.dumps(figures, indent=1)
    if arguments.json:
        arguments.json.write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
