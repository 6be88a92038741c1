# SPDX-License-Identifier: MIT
"""`convkit cc`: from a .cu file to a program that runs, and what is said of wrong ones."""

import re
import subprocess
from pathlib import Path

import pytest
from driver import PASSED, ROOT, USED_WRONGLY

SCALE = """\
#include <cstdio>
#include "kernels.cuh"
int main() {
  const int n = 8;
  float h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i;
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<float><<<2, n / 2>>>(d, 10);
  reverse<<<1, n, n * sizeof(float)>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (float x : h) std::printf("%g ", x);
  std::printf("%s\\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(d);
}
"""
KERNELS = """\
#pragma once
template <class T>
__global__ void scale(T* x, T by) {
  x[blockIdx.x * blockDim.x + threadIdx.x] *= by;
}
inline __global__ void reverse(float* x, int n) {
  extern __shared__ float s[];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[n - 1 - threadIdx.x];
}
"""
PRINTED = "70 60 50 40 30 20 10 0 cudaSuccess\n"


@pytest.fixture
def folder(tmp_path) -> Path:
    """A student's folder with a program of two files, its name not made for shells."""
    folder = tmp_path / "Zoë's programs"
    folder.mkdir()
    (folder / "scale.cu").write_text(SCALE)
    (folder / "kernels.cuh").write_text(KERNELS)
    return folder


def output(program: Path) -> str:
    return subprocess.run([program], capture_output=True, text=True, timeout=30).stdout


@pytest.mark.parametrize(
    "options", [[], ["-O3", "-arch=sm_90", "-lineinfo"], ["-std=c++20", "-g", "-G"]], ids=str
)
def test_a_program_is_compiled_and_runs(convkit, folder, options):
    ran = convkit.run("cc", "scale.cu", "-o", "scale", *options, cwd=folder)
    assert (ran.code, ran.out, ran.err) == (PASSED, "", "")
    assert output(folder / "scale") == PRINTED


# Sums of a warp as older courses teach them: no __syncwarp(), but `volatile`.
IN_STEP = """#include <cstdio>
__device__ void last_warp(volatile int* s, int t) {
  s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8];
  s[t] += s[t + 4]; s[t] += s[t + 2]; s[t] += s[t + 1];
}
__global__ void sum(int* out) {
  extern __shared__ volatile int v[];
  int t = threadIdx.x;
  v[t] = t;
  __syncthreads();
  if (t < 32) last_warp((volatile int*)v, t);
  if (t == 0) out[blockIdx.x] = v[0];
}
int main() {
  int* d; int h[2];
  cudaMalloc(&d, sizeof h);
  sum<<<2, 64, 64 * sizeof(int)>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\\n", h[0], h[1]);
}
"""


def test_lanes_that_sum_in_volatile_memory_keep_in_step(convkit, folder):
    (folder / "sum.cu").write_text(IN_STEP)
    assert convkit.run("cc", "sum.cu", "-o", "sum", cwd=folder).code == PASSED
    assert output(folder / "sum") == "2016 2016\n"
    assert convkit.run("cc", "--check", "sum.cu", "-o", "sum", cwd=folder).code == PASSED
    ran = subprocess.run([folder / "sum"], capture_output=True, text=True, timeout=30)
    assert "race_volatile" in ran.stderr


def test_compiling_and_linking_may_be_two_steps(convkit, folder):
    assert convkit.run("cc", "-dc", "scale.cu", cwd=folder).code == PASSED
    assert convkit.run("cc", "scale.o", "-o", "scale", "-lcudart", cwd=folder).code == PASSED
    assert output(folder / "scale") == PRINTED


def test_nothing_is_left_behind(convkit, folder):
    convkit.run("cc", "-c", "scale.cu", cwd=folder)
    assert convkit.left_behind() == []
    assert sorted(file.name for file in folder.iterdir()) == ["kernels.cuh", "scale.cu", "scale.o"]


# A mistake, the first line of the message, and other words that it must have.
WRONG = {
    "missing_semicolon": ("int a = 1\n", r"bad\.cu:\d+:\d+: error: expected .*", ""),
    "unclosed": ("  k<<<1, 2(x);\n", r"bad\.cu:4:4: error: this launch config.*", "`>>>`"),
    "not_launched": ("  k(x);\n", r"bad\.cu:4:3: error: `k` is a kernel .*", "k<<<grid, block>>>"),
    "device_launched": ("  d<<<1, 2>>>(x);\n", r"bad\.cu:4:3: error: `d` is a `__device__`.*", ""),
    "host_barrier": ("  __syncthreads();\n", r"bad\.cu:4:3: error: `__syncthreads\(\)` .*", "main"),
    "unknown_call": ("  cudaMaloc(&x, 4);\n", r"bad\.cu:4:3: error: .*cudaMaloc.*", "cudaMalloc"),
    "texture": ("  texture<float, 2> t;\n", r"bad\.cu:4:3: error: `texture`.*", ""),
    "wrong_argument": ("  k<<<1, 2>>>(3.5);\n", r"bad\.cu:4:\d+: error: .*", "int*"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_reported_at_the_students_line(convkit, folder, name):
    code, first, also = WRONG[name]
    (folder / "bad.cu").write_text(
        "__global__ void k(int* x) {}\n__device__ void d(int* x) {}\n"
        f"int main() {{ int* x = nullptr;\n{code}}}\n"
    )
    ran = convkit.run("cc", "bad.cu", cwd=folder)
    assert ran.code == 1
    errors = [line for line in ran.err.splitlines() if ": error: " in line]
    assert errors, ran.err
    assert re.match(first, errors[0]), ran.err
    assert also in ran.err
    assert "CONVKIT_SIMT" not in ran.err
    assert "simt/" not in ran.err
    assert not (folder / "a.out").exists()


def test_a_wrong_command_line_is_answered_in_one_sentence(convkit, folder):
    for arguments in (["cc"], ["cc", "-o"], ["cc", "scale.cu", "-ptx"], ["cc", "none.cu"]):
        ran = convkit.run(*arguments, cwd=folder)
        assert ran.code == USED_WRONGLY
        assert len(ran.err.splitlines()) == 1


# What stage 07 gives students: a failing call is named with its place, whatever wraps it.
CHECKED = """\
#include <cstdio>
#include "cuda_check.cuh"
int main() {
  void* data = nullptr;
  const cudaError_t error = guarded([&] {
    check(cudaSetDevice(0));
    check(cudaMalloc(&data,
                     size_t{1} << 60));
  });
  std::printf("%s\\n%s\\n", cudaGetErrorName(error), last_problem().c_str());
}
"""


@pytest.mark.parametrize("kind", ["starter", "solutions"])
def test_the_error_check_of_stage_07_keeps_file_line_and_call(no_cuda, tmp_path, kind):
    (tmp_path / "program.cu").write_text(CHECKED)
    headers = f"-I{ROOT}/{kind}/07_mnist_cnn"
    ran = no_cuda.run("cc", tmp_path / "program.cu", "-o", tmp_path / "program", headers)
    assert ran.code == PASSED, ran.err
    name, problem = output(tmp_path / "program").splitlines()
    assert name == "cudaErrorMemoryAllocation"
    assert re.fullmatch(
        r"program\.cu:[78]: cudaMalloc\(&data, size_t\{1\} << 60\): .+ "
        r"\(cudaErrorMemoryAllocation\)",
        problem,
    )
