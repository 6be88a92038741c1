# SPDX-License-Identifier: MIT
"""Mistakes of a beginner that several reports speak of: the cause comes first, and nothing hides
it (docs/results/first-hours.txt)."""

import re
import shutil
from pathlib import Path

import pytest
from driver import FALLS_SHORT, ROOT, Convkit, Ran
from gpu_submission import DIRECT

PORT = "06_cudnn_port"
ADD = """\
#include "direct_conv.h"

__global__ void add(const float* a, const float* b, float* c, int64_t n) {
  int64_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int64_t n) {
  float *d_a, *d_b, *d_c;
  const size_t bytes = n * sizeof(float);
  cudaMalloc(&d_a, bytes);
  cudaMalloc(&d_b, bytes);
  cudaMalloc(&d_c, bytes);
  cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
  cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  return cudaGetLastError();
}

cudaError_t matrix_product(const float*, const float*, float*, int, int, int) {
  CONVKIT_TODO("02.1");
  return cudaSuccess;
}
"""


@pytest.fixture
def added(no_cuda, handed_in_cuda):
    """added(find, replace): what `check` says of vector_of_five with that edit of ADD."""

    def judge(find: str, replace: str) -> dict:
        assert ADD.count(find) >= 1
        folder = handed_in_cuda({"warm_up.cu": ADD.replace(find, replace)})
        command = ["check", 2, "--device", "cpu", "--case", "vector_of_five"]
        ran = no_cuda.judge(*command, "--dir", folder / DIRECT)
        assert ran.code == FALLS_SHORT, ran.out
        return ran.case("vector_of_five") | {"printed_by_kit": ran.out}

    return judge


def test_a_grid_without_blocks_is_named_and_not_the_copy_that_follows(added):
    case = added("(n + 255) / 256", "n / 256")
    first = case["message"].splitlines()[0]
    assert re.search(
        r"The launch of add at warm_up\.cu:\d+ was refused: its grid is 0 x 1 x 1", first
    )


def test_an_allocation_counted_in_elements_is_named(added):
    case = added("n * sizeof(float)", "n")
    assert "The allocation has 5 bytes, and the kernel was given the number 5" in case["hint"]
    assert "cudaMalloc takes bytes" in case["hint"]


def test_an_index_past_an_allocation_of_the_right_size_is_no_matter_of_bytes(added):
    case = added("if (i < n)", "if (i < n + 1)")
    assert case["status"] == "CRASHED" and "cudaMalloc takes bytes" not in case["hint"]


def test_a_leak_stands_behind_a_wrong_output(added):
    case = added("  cudaFree(d_b);\n", "  c[2] += 1;\n")
    assert case["status"] == "WRONG"
    wrong, leak = case["message"].index("c[2] expected "), case["message"].index("Besides, ")
    assert wrong < leak
    assert re.search(
        r"Besides, allocation \d \(20 bytes\), made at warm_up\.cu:12,", case["message"]
    )


def test_the_order_of_a_copys_arguments_is_told_once(added):
    out = added("(d_a, a, bytes", "(a, d_a, bytes")["printed_by_kit"]
    assert out.count("A copy takes the destination first, then the source") == 1
    assert out.count("`vector_add` is in `warm_up.cu`, which does not compile.") == 1
    assert "fpermissive" not in out


# Of the solution of stage 06: the destructor is empty, and more.
NEVER_DESTROYED = ("descriptors.cuh", "if (value_) destroy_it(value_);", "")
BIAS_REPLACES = ("forward.cu", "d_b, &one, c.y.get()", "d_b, &beta, c.y.get()")
TWICE = (
    "descriptors.cuh",
    "return create_it(&value_);",
    "create_it(&value_); return create_it(&value_);",
)


def ported(home: Path, cache: Path, *edits: tuple[str, str, str], task: str) -> Ran:
    folder = home / PORT
    shutil.copytree(ROOT / "solutions" / PORT, folder)
    for file, find, replace in edits:
        text = (folder / file).read_text()
        assert text.count(find) == 1, find
        (folder / file).write_text(text.replace(find, replace))
    user = Convkit(home / "home", cache)
    user.environment["PATH"] = "/usr/bin:/bin"
    return user.judge("check", 6, "--device", "cpu", "--task", task, "--dir", folder, timeout=300)


def test_descriptors_that_are_left_do_not_hide_what_is_wrong(tmp_path, cache):
    ran = ported(tmp_path, cache, NEVER_DESTROYED, BIAS_REPLACES, task="06.2")
    case = ran.case("forward_whole_numbers")
    assert case["status"] == "WRONG" and case["mistake"] == "bias_replaces"
    assert "with beta = 0 it replaces y" in case["hint"]
    left = case["message"].index("Besides, conv2d_cudnn left ")
    assert case["message"].index("the bias has replaced the convolution") < left
    assert re.search(
        r"\d tensor descriptors, a filter descriptor and a convolution descriptor, one of them "
        r"made with cudnnCreateTensorDescriptor at descriptors\.cuh:\d+\.",
        case["message"],
    )


def test_a_descriptor_that_is_created_twice_says_so(tmp_path, cache):
    ran = ported(tmp_path, cache, TWICE, task="06.1")
    case = ran.case("dims_plain")
    assert case["status"] == "CRASHED"
    assert "was then given a second one" in case["message"]
    assert "is the call made twice" in case["message"]


def test_elements_of_a_small_output_are_called_by_what_they_are(tmp_path, cache):
    swapped = ("convolution.cuh", "2, pad, stride, dilation", "2, pad, dilation, stride")
    ran = ported(tmp_path, cache, swapped, task="06.1")
    assert "First: dims[2] (oh) expected " in ran.case("dims_padding_and_stride")["message"]
