# SPDX-License-Identifier: MIT
"""The example of cuDNN's graph API compiles with nvcc; without nvcc its error message says why."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "assignments/06_cudnn_port/extra/graph_conv.cu"


def has_cudnn(nvcc: str, folder: Path) -> bool:
    probe = folder / "probe.cu"
    probe.write_text("#include <cudnn.h>\nint main() { return cudnnGetVersion() == 0; }\n")
    command = [nvcc, probe, "-lcudnn", "-o", folder / "probe"]
    return subprocess.run(command, capture_output=True).returncode == 0


def test_it_compiles_with_nvcc(tmp_path):
    nvcc = shutil.which("nvcc")
    if nvcc is None or not has_cudnn(nvcc, tmp_path):
        pytest.skip("needs nvcc and cuDNN")
    command = [nvcc, "-arch=sm_90", "-std=c++17", PROGRAM, "-lcudnn", "-o", tmp_path / "graph"]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""


def test_without_nvcc_the_error_names_the_reason(tmp_path):
    command = [os.environ["CONVKIT_BINARY"], "cc", PROGRAM, "-lcudnn", "-o", tmp_path / "graph"]
    ran = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"CONVKIT_ROOT": str(ROOT)}
    )
    assert ran.returncode != 0
    first = ran.stderr.splitlines()[0]
    assert "graph_conv.cu" in first and "compile this with nvcc" in first
