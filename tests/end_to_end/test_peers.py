# SPDX-License-Identifier: MIT
"""The vendors' libraries that `bench` compares with: cuDNN's, by its stand-in."""

import subprocess

import pytest
from driver import PASSED, ROOT

FORWARD = {
    "02_direct_conv": ("direct_conv.h", "conv2d_unrolled"),
    "03_tiled_conv": ("tiled_conv.h", "conv2d_blocked"),
    "04_unroll_gemm": ("unroll_gemm.h", "conv2d_implicit"),
}

SHAPES = r"""
#include <cstdio>
#include <vector>

struct Array {
  explicit Array(size_t n, int first) : host(n) {
    for (size_t i = 0; i < n; ++i) host[i] = static_cast<float>((i * 7 + first) % 5) - 2;
    cudaMalloc(&device, 4 * n);
    cudaMemcpy(device, host.data(), 4 * n, cudaMemcpyHostToDevice);
  }
  ~Array() { cudaFree(device); }
  std::vector<float> read() const {
    std::vector<float> out(host.size());
    cudaMemcpy(out.data(), device, 4 * out.size(), cudaMemcpyDeviceToHost);
    return out;
  }
  std::vector<float> host;
  float* device = nullptr;
};

// The same shape twice, because a plan is kept, and then others.
std::vector<Conv2dShape> shapes() {
  Conv2dShape first, second, third;
  first.n = 3, first.c = 4, first.h = 9, first.w = 7, first.m = 6, first.kh = 3, first.kw = 2;
  first.pad_h = 1, first.stride_w = 2;
  second = first;
  second.groups = 2, second.dilation_h = 2;
  third.n = 2, third.h = 5, third.w = 5, third.m = 2;
  return {first, first, second, third};
}

// visit(place in x, in w, in y) for each product.
template <class Visit>
void for_each_product(const Conv2dShape& s, Visit visit) {
  const int channels = s.c / s.groups, filters = s.m / s.groups;
  for (int i = 0; i < s.y_size(); ++i) {
    const int q = i % s.ow(), p = i / s.ow() % s.oh(), m = i / (s.ow() * s.oh()) % s.m;
    const int image = i / (s.ow() * s.oh() * s.m);
    for (int j = 0; j < channels * s.kh * s.kw; ++j) {
      const int v = j % s.kw, u = j / s.kw % s.kh, c = j / (s.kw * s.kh);
      const int y = p * s.stride_h - s.pad_h + u * s.dilation_h;
      const int x = q * s.stride_w - s.pad_w + v * s.dilation_w;
      if (y < 0 || y >= s.h || x < 0 || x >= s.w) continue;
      visit(((image * s.c + m / filters * channels + c) * s.h + y) * s.w + x,
            m * channels * s.kh * s.kw + j, i);
    }
  }
}

// The numbers are small integers, so a mistake is much larger than the rounding of a transform.
int differing(const std::vector<float>& seen, const std::vector<float>& wanted) {
  int wrong = 0;
  for (size_t i = 0; i < seen.size(); ++i) {
    const float off = seen[i] - wanted[i];
    wrong += !(off < 0.01f && off > -0.01f);
  }
  return wrong;
}
"""

FORWARD_MAIN = r"""
int main() {
  for (const Conv2dShape& s : shapes()) {
    Array x(s.x_size(), 0), w(s.w_size(), 1), b(s.m, 2), y(s.y_size(), 3);
    std::vector<float> wanted(s.y_size());
    for (int i = 0; i < s.y_size(); ++i) wanted[i] = b.host[i / (s.oh() * s.ow()) % s.m];
    for_each_product(s, [&](int i, int j, int k) { wanted[k] += x.host[i] * w.host[j]; });
    if (ENTRY(x.device, w.device, b.device, y.device, &s, 0) != cudaSuccess) return 1;
    cudaDeviceSynchronize();
    std::printf("%d ", differing(y.read(), wanted));
  }
}
"""

BACKWARD_MAIN = r"""
int main() {
  for (const Conv2dShape& s : shapes()) {
    for (int accumulate : {0, 1}) {
      Array x(s.x_size(), 0), w(s.w_size(), 1), dy(s.y_size(), 2), dx(s.x_size(), 3);
      Array dw(s.w_size(), 4);
      std::vector<float> in(s.x_size()), filters(s.w_size());
      if (accumulate) in = dx.host, filters = dw.host;
      for_each_product(s, [&](int i, int j, int k) {
        in[i] += w.host[j] * dy.host[k];
        filters[j] += x.host[i] * dy.host[k];
      });
      if (conv2d_xgrad_gemm(dy.device, w.device, dx.device, &s, accumulate, 0, 0, 0) ||
          conv2d_wgrad_gemm(x.device, dy.device, dw.device, &s, accumulate, 0, 0, 0)) {
        return 1;
      }
      cudaDeviceSynchronize();
      std::printf("%d %d ", differing(dx.read(), in), differing(dw.read(), filters));
    }
  }
}
"""

# A Find put the first way first; the second fails; the third is much faster.
CHOICE = r"""
#include <cstdio>
#include "convkit/peers/cudnn_convolution.h"

__global__ void nothing() {}

int main() {
  convkit::peers::Plan<int> plan{Conv2dShape{}};
  int failed = 0;
  const auto run = [&](const convkit::peers::Way<int>& way) {
    if (way.algorithm == 1 && ++failed) return CUDNN_STATUS_NOT_SUPPORTED;
    nothing<<<way.algorithm == 0 ? 100000 : 1, 32>>>();
    return CUDNN_STATUS_SUCCESS;
  };
  const bool one = plan.choose({{0, 64}, {1, 64}, {2, 64}, {3, size_t(1) << 60}}, 0, run);
  std::printf("%d %d %d %d ", one, plan.way.algorithm, failed, plan.way.workspace != nullptr);
  convkit::peers::Plan<int> none{Conv2dShape{}};
  std::printf("%d %d", none.choose({{1, 64}}, 0, run), cudaGetLastError());
}
"""


@pytest.fixture
def printed(no_cuda, tmp_path):
    """printed(text, stage, *sources): what a program prints that is compiled with them."""

    def run(text, stage, *sources):
        (tmp_path / "main.cu").write_text(text)
        folders = [ROOT / "assignments" / stage, ROOT / "runtime" / "include"]
        includes = [f"-I{folder}" for folder in folders]
        built = no_cuda.run(
            "cc", tmp_path / "main.cu", *sources, *includes, "-lcudnn",
            "-o", tmp_path / "program", timeout=180,
        )  # fmt: skip
        assert built.code == PASSED, built.err
        done = subprocess.run(
            [tmp_path / "program"], env=no_cuda.environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.mark.parametrize("stage", FORWARD)
def test_cudnn_as_a_peer_computes_the_convolution_of_the_stage(printed, stage):
    header, entry = FORWARD[stage]
    main = f'#include "{header}"\n' + SHAPES + FORWARD_MAIN.replace("ENTRY", entry)
    assert printed(main, stage, ROOT / "assignments" / stage / "peers/cudnn.cu") == "0 0 0 0 "


def test_cudnn_as_a_peer_of_the_backward_pass_writes_or_adds(printed):
    main = '#include "backward.h"\n' + SHAPES + BACKWARD_MAIN
    peer = ROOT / "assignments/05_backward/peers/cudnn.cu"
    assert printed(main, "05_backward", peer) == "0 " * 16


def test_a_peer_keeps_the_fastest_way_and_passes_over_those_that_fail(printed):
    assert printed(CHOICE, "02_direct_conv") == "1 2 1 1 0 0"
