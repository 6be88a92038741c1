# SPDX-License-Identifier: MIT
"""Submissions for a GPU stage that differ from the solution in one thing."""

from pathlib import Path

from driver import ROOT, Convkit, Ran

DIRECT = "02_direct_conv"
DIRECT_SOLUTION = ROOT / "solutions" / DIRECT

# A submission's conv2d_constant.cu: one thread for each output. It is right, though it does not use
# constant memory; a test puts its mistake into the kernel, into the launch or around both. (Of the
# convolutions, this one has the fewest cases.)
FILE, OP = "conv2d_constant.cu", "conv2d_constant"
SOURCE = """\
#include "direct_conv.h"
{prelude}
__global__ void conv(const float* x, const float* w, const float* b, float* y, Conv2dShape s) {{
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  int n = blockIdx.z / s.m, m = blockIdx.z % s.m;
  {kernel}
  if (j >= s.ow()) return;
  float sum = b[m];
  for (int c = 0; c < s.c; c++)
    for (int p = 0; p < s.kh; p++)
      for (int q = 0; q < s.kw; q++) {{
        int row = i * s.stride_h - s.pad_h + p * s.dilation_h;
        int col = j * s.stride_w - s.pad_w + q * s.dilation_w;
        if (row < 0 || row >= s.h || col < 0 || col >= s.w) continue;
        sum += x[((n * s.c + c) * s.h + row) * s.w + col] *
               w[((m * s.c + c) * s.kh + p) * s.kw + q];
      }}
  y[((n * s.m + m) * s.oh() + i) * s.ow() + j] = sum;
}}
cudaError_t conv2d_constant(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                            const Conv2dShape* shape, cudaStream_t stream) {{
  dim3 block({threads}), grid((shape->ow() + 63) / 64, shape->oh(), shape->n * shape->m);
  {host}
  conv<<<grid, block, 0, stream>>>({pointers}, *shape);
  return {returns};
}}
"""
PARTS = {
    "prelude": "",
    "kernel": "",
    "threads": "64",
    "host": "",
    "pointers": "d_x, d_w, d_b, d_y",
    "returns": "cudaGetLastError()",
}


def source(**parts: str) -> str:
    return SOURCE.format(**PARTS | parts)


def line_of(text: str, part: str) -> int:
    return 1 + text[: text.index(part)].count("\n")


def grade(
    convkit: Convkit, folder: Path, *arguments: object, check: bool = False, **options
) -> Ran:
    """Check mode costs a second compilation; test_check_in_grade.py is about it."""
    more = arguments if check else (*arguments, "--no-check")
    return convkit.grade(folder, "--stage", 2, "--device", "cpu", *more, **options)


def others_pass(ran: Ran) -> bool:
    others = [case for case in ran.stage["cases"] if not case["op"].startswith(OP)]
    assert len(others) > 10
    return {case["status"] for case in others} == {"PASS"}
