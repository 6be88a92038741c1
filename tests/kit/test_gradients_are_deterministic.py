# SPDX-License-Identifier: MIT
"""The filter gradients of stage 05 have the same bits in every order of the blocks."""

import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BINARY = Path(os.environ.get("CONVKIT_BINARY", ROOT / "build/dev/bin/convkit"))
SEEDS = 20


@pytest.fixture(scope="module")
def bits(tmp_path_factory):
    """What the program prints for each seed: {function: [bits, ...]}."""
    folder = tmp_path_factory.mktemp("gradients")
    environment = os.environ | {"CONVKIT_ROOT": str(ROOT), "CONVKIT_CACHE": str(folder / "cache")}
    solution = ROOT / "solutions/05_backward"
    sources = [HERE / "gradient_bits.cu", solution / "wgrad.cu", solution / "gemm_grad.cu"]
    includes = [f"-I{ROOT}/runtime/include", f"-I{ROOT}/assignments/05_backward", f"-I{solution}"]
    program = folder / "gradient_bits"
    command = [BINARY, "cc", *sources, *includes, "-std=c++17", "-O2", "-o", program]
    subprocess.run(command, check=True, env=environment, timeout=300)
    found = {}
    for seed in range(SEEDS):
        ran = subprocess.run(
            [program],
            check=True,
            capture_output=True,
            text=True,
            timeout=60,
            env=environment | {"CONVKIT_SIMT_SEED": str(seed)},
        )
        *lines, error = ran.stdout.splitlines()
        assert error == "cudaSuccess"
        for line in lines:
            function, value = line.split()
            found.setdefault(function, []).append(value)
    return found


@pytest.mark.parametrize("function", ["conv2d_wgrad", "conv2d_wgrad_gemm", "conv2d_wgrad_gemm_any"])
def test_twenty_orders_of_the_blocks_give_the_same_bits(bits, function):
    assert len(bits[function]) == SEEDS
    assert len(set(bits[function])) == 1


def test_atomics_give_other_bits_in_another_order(bits):
    """Without this, the test above would prove nothing."""
    assert len(set(bits["conv2d_wgrad_scatter"])) > 1
