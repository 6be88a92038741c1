// SPDX-License-Identifier: MIT
// Max and average pooling over windows that do not overlap. Task 07.2: forward; task 07.3:
// backward. Rows and columns that fill no window are left out.
#include "convkit/grid_stride_range.h"
#include "layer.cuh"

namespace {

[[maybe_unused]] constexpr int kThreads = 256;

// BEGIN SOLUTION(07.2)
//> // TODO(07.2): a kernel for both kinds of pooling, one thread for each output.
// The corner of the window of output `at` in the input.
__device__ int64_t corner_of(int64_t at, const Shape3& in, const Shape3& out, int kh, int kw) {
  const int j = static_cast<int>(at % out.w), i = static_cast<int>(at / out.w % out.h);
  return (at / out.w / out.h * in.h + i * kh) * in.w + j * kw;
}

template <bool kMax>
__global__ void pool_kernel(const float* __restrict__ x, float* __restrict__ y, const Shape3 in,
                            const Shape3 out, int kh, int kw, int64_t size) {
  for (const int64_t at : grid_stride_range(size)) {
    const float* window = x + corner_of(at, in, out, kh, kw);
    float result = kMax ? window[0] : 0.0f;
    for (int p = 0; p < kh; ++p) {
      for (int q = 0; q < kw; ++q) {
        const float value = window[p * in.w + q];
        result = kMax ? (value > result ? value : result) : result + value;
      }
    }
    y[at] = kMax ? result : result / (kh * kw);
  }
}
// END SOLUTION

// BEGIN SOLUTION(07.3)
//> // TODO(07.3): kernels for dx. Windows do not overlap, so each element has one writer; elements
//> // outside all windows get 0.
// One thread for each window: it writes all of the window's elements.
template <bool kMax>
__global__ void pool_backward_kernel(const float* __restrict__ x, const float* __restrict__ dy,
                                     float* __restrict__ dx, const Shape3 in, const Shape3 out,
                                     int kh, int kw, int64_t size) {
  for (const int64_t at : grid_stride_range(size)) {
    const int64_t corner = corner_of(at, in, out, kh, kw);
    int winner = 0;  // the first largest
    if (kMax) {
      float best = x[corner];
      for (int k = 1; k < kh * kw; ++k) {
        const float value = x[corner + k / kw * in.w + k % kw];
        if (value > best) best = value, winner = k;
      }
    }
    const float gradient = kMax ? dy[at] : dy[at] / (kh * kw);
    for (int k = 0; k < kh * kw; ++k) {
      dx[corner + k / kw * in.w + k % kw] = !kMax || k == winner ? gradient : 0.0f;
    }
  }
}
// END SOLUTION

class Pool final : public Layer {
 public:
  using Layer::Layer;

  void forward(const Pass& pass, const float* d_x, float* d_y) override {
    // BEGIN SOLUTION(07.2)
    //> // TODO(07.2): pass.n * output().size() outputs; spec().kind is "maxpool" or "avgpool".
    //> (void)pass, (void)d_x, (void)d_y;
    //> CONVKIT_TODO("07.2");
    const int64_t size = pass.n * output().size();
    const auto kernel = is_max() ? pool_kernel<true> : pool_kernel<false>;
    kernel<<<grid_stride_blocks(size, kThreads), kThreads, 0, pass.stream>>>(
        d_x, d_y, input(), output(), spec().kh, spec().kw, size);
    check(cudaGetLastError());
    // END SOLUTION
  }

  void backward(const Pass& pass, const float* d_x, const float*, const float* d_dy,
                float* d_dx) override {
    if (!d_dx) return;
    // BEGIN SOLUTION(07.3)
    //> // TODO(07.3): dx.
    //> (void)pass, (void)d_x, (void)d_dy;
    //> CONVKIT_TODO("07.3");
    if (input().h % spec().kh != 0 || input().w % spec().kw != 0) {
      check(cudaMemsetAsync(d_dx, 0, sizeof(float) * pass.n * input().size(), pass.stream));
    }
    const int64_t size = pass.n * output().size();
    const auto kernel = is_max() ? pool_backward_kernel<true> : pool_backward_kernel<false>;
    kernel<<<grid_stride_blocks(size, kThreads), kThreads, 0, pass.stream>>>(
        d_x, d_dy, d_dx, input(), output(), spec().kh, spec().kw, size);
    check(cudaGetLastError());
    // END SOLUTION
  }

 private:
  // BEGIN SOLUTION(07.2)
  bool is_max() const { return spec().kind == "maxpool"; }
  // END SOLUTION
};

}  // namespace

std::unique_ptr<Layer> make_pool(const LayerSpec& spec) {
  return std::make_unique<Pool>(spec);
}
