// SPDX-License-Identifier: MIT
// Convolution layers, stride 1. Task 07.2: forward; task 07.3: backward.
#include <algorithm>

#include "batch_norm.cuh"
#include "layer.cuh"
// BEGIN SOLUTION(07.2)
#include "conv_strip.cuh"
#include "parts.cuh"
// END SOLUTION

namespace {

// BEGIN SOLUTION(07.2)
//> // TODO(07.2): a kernel for y = conv(x, w) + b with stride 1 and padding: yours of stages 02 to
//> // 04.
using strip::Tap;

// One tap of a window for each (c, p, q), as w [m][c][kh][kw] has them.
std::vector<Tap> forward_taps(const LayerSpec& s) {
  std::vector<Tap> taps;
  for (int c = 0; c < s.in.c; ++c) {
    for (int p = 0; p < s.kh; ++p) {
      for (int q = 0; q < s.kw; ++q) {
        taps.push_back({(c * s.in.h + p) * s.in.w + q, p, q, static_cast<int>(taps.size())});
      }
    }
  }
  return taps;
}

DeviceArray<Tap> on_device(const std::vector<Tap>& taps) {
  DeviceArray<Tap> result(static_cast<int64_t>(taps.size()));
  check(cudaMemcpy(result.data(), taps.data(), sizeof(Tap) * taps.size(), cudaMemcpyHostToDevice));
  return result;
}

template <bool kChecked>
cudaError_t conv_forward(const LayerSpec& s, const Tap* d_taps, const float* d_x, const float* d_w,
                         const float* d_b, float* d_y, int n, cudaStream_t stream) {
  strip::Gather<kChecked> product{};
  product.images = d_x, product.w = d_w, product.bias = d_b, product.taps = d_taps;
  product.out = d_y;
  product.rows = s.out.c, product.terms = product.w_step = s.in.c * s.kh * s.kw;
  product.image = {static_cast<int>(s.in.size()), s.in.h, s.in.w};
  product.out_area = s.out.h * s.out.w, product.out_w = s.out.w;
  product.cols = n * product.out_area;
  product.first_row = product.first_col = -s.pad;
  return strip::launch<128, true>(product, 1, stream);
}
// END SOLUTION

// BEGIN SOLUTION(07.3)
//> // TODO(07.3): kernels for dx, dw and db: yours of stage 05. The same bits on every run.
// The outputs that element (row, col) of the input went into: those at (row + pad - p, col + pad -
// q), one for each (m, p, q). Their weights are a row (c) of w turned by its first two axes.
std::vector<Tap> backward_taps(const LayerSpec& s) {
  std::vector<Tap> taps;
  for (int m = 0; m < s.out.c; ++m) {
    for (int p = 0; p < s.kh; ++p) {
      for (int q = 0; q < s.kw; ++q) {
        taps.push_back(
            {(m * s.out.h - p) * s.out.w - q, -p, -q, (m * s.in.c * s.kh + p) * s.kw + q});
      }
    }
  }
  return taps;
}

cudaError_t conv_xgrad(const LayerSpec& s, const Tap* d_taps, const float* d_dy, const float* d_w,
                       float* d_dx, int n, cudaStream_t stream) {
  strip::Gather<true> product{};
  product.images = d_dy, product.w = d_w, product.taps = d_taps, product.out = d_dx;
  product.rows = s.in.c, product.terms = s.out.c * s.kh * s.kw, product.w_step = s.kh * s.kw;
  product.image = {static_cast<int>(s.out.size()), s.out.h, s.out.w};
  product.out_area = s.in.h * s.in.w, product.out_w = s.in.w;
  product.cols = n * product.out_area;
  product.first_row = product.first_col = s.pad;
  return strip::launch<128, true>(product, 1, stream);
}

int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

// Columns of the filters' gradient that a block computes.
int filter_threads(const LayerSpec& s) {
  return s.in.c * s.kh * s.kw < 32 ? 32 : 64;
}

// Images that a part of the filters' gradient sums over, from the shape alone: so many parts that
// a large GPU has enough blocks.
int images_of_part(const LayerSpec& s, int n) {
  constexpr int kBlocks = 528;
  const int tiles = ceil_div(s.out.c, 64) * ceil_div(s.in.c * s.kh * s.kw + 1, filter_threads(s));
  return ceil_div(n, std::max(1, kBlocks / tiles));
}

int64_t partial_floats(const LayerSpec& s, int n) {
  return int64_t(ceil_div(n, images_of_part(s, n))) * s.out.c * (s.in.c * s.kh * s.kw + 1);
}

template <bool kChecked>
cudaError_t conv_wgrad(const LayerSpec& s, const Tap* d_taps, const float* d_one, const float* d_x,
                       const float* d_dy, float* d_partial, float* d_dw, float* d_db, int n,
                       cudaStream_t stream) {
  strip::Filter<kChecked> product{};
  product.images = d_x, product.dy = d_dy, product.one = d_one, product.taps = d_taps;
  product.partial = d_partial;
  product.rows = s.out.c, product.cols = s.in.c * s.kh * s.kw + 1;
  product.image = {static_cast<int>(s.in.size()), s.in.h, s.in.w};
  product.out_area = s.out.h * s.out.w, product.out_w = s.out.w;
  product.first_row = product.first_col = -s.pad;
  product.n = n, product.images_of_part = images_of_part(s, n);
  product.counted_area = ceil_div(product.out_area, strip::kDepth) * strip::kDepth;
  const int parts = ceil_div(n, product.images_of_part);
  const cudaError_t error = filter_threads(s) == 32
                                ? strip::launch<32, false>(product, parts, stream)
                                : strip::launch<64, false>(product, parts, stream);
  if (error != cudaSuccess) return error;
  return add_parts(d_partial, d_dw, d_db, product.rows, product.cols - 1, parts, stream);
}
// END SOLUTION

class Convolution final : public Layer {
 public:
  Convolution(const LayerSpec& spec, int max_batch) : Layer(spec) {
    const int taps = spec.in.c * spec.kh * spec.kw;
    weight_.name = name() + ".weight", bias_.name = name() + ".bias";
    weight_.dims = {spec.out.c, spec.in.c, spec.kh, spec.kw}, bias_.dims = {spec.out.c};
    weight_.start = Start::lecun;
    weight_.fan_in = taps, weight_.fan_out = spec.out.c * spec.kh * spec.kw;
    folded_weight_ = DeviceArray<float>(weight_.size());
    folded_bias_ = DeviceArray<float>(spec.out.c);
    // BEGIN SOLUTION(07.2)
    //> (void)max_batch;
    forward_taps_ = on_device(forward_taps(spec));
    backward_taps_ = on_device(backward_taps(spec));
    one_ = DeviceArray<float>(1);
    const float one = 1.0f;
    check(cudaMemcpy(one_.data(), &one, sizeof one, cudaMemcpyHostToDevice));
    // A batch of any size up to the largest must find room.
    int64_t floats = 0;
    for (int n = 1; n <= max_batch; ++n) floats = std::max(floats, partial_floats(spec, n));
    partial_ = DeviceArray<float>(floats);
    // END SOLUTION
  }

  std::vector<Parameter*> parameters() override { return {&weight_, &bias_}; }

  void forward(const Pass& pass, const float* d_x, float* d_y) override {
    convolve(pass, d_x, weight_.value, bias_.value, d_y);
  }

  void backward(const Pass& pass, const float* d_x, const float*, const float* d_dy,
                float* d_dx) override {
    // BEGIN SOLUTION(07.3)
    //> // TODO(07.3): the gradients of weight_ and bias_, and dx where it is not null.
    //> (void)pass, (void)d_x, (void)d_dy, (void)d_dx;
    //> CONVKIT_TODO("07.3");
    const auto wgrad = spec().pad == 0 ? conv_wgrad<false> : conv_wgrad<true>;
    check(wgrad(spec(), forward_taps_.data(), one_.data(), d_x, d_dy, partial_.data(),
                weight_.gradient, bias_.gradient, pass.n, pass.stream));
    if (!d_dx) return;
    check(
        conv_xgrad(spec(), backward_taps_.data(), d_dy, weight_.value, d_dx, pass.n, pass.stream));
    // END SOLUTION
  }

  bool fold(const BatchNorm& norm, cudaStream_t stream) override {
    norm.fold_into(weight_.value, bias_.value, folded_weight_.data(), folded_bias_.data(),
                   weight_.fan_in, stream);
    return folded_ = true;
  }
  void infer(const Pass& pass, const float* d_x, float* d_y) override {
    convolve(pass, d_x, folded_ ? folded_weight_.data() : weight_.value,
             folded_ ? folded_bias_.data() : bias_.value, d_y);
  }

 private:
  void convolve(const Pass& pass, const float* d_x, const float* d_w, const float* d_b,
                float* d_y) {
    // BEGIN SOLUTION(07.2)
    //> // TODO(07.2): the shape is in spec(): in, out, kh, kw, pad.
    //> (void)pass, (void)d_x, (void)d_w, (void)d_b, (void)d_y;
    //> CONVKIT_TODO("07.2");
    const auto forward = spec().pad == 0 ? conv_forward<false> : conv_forward<true>;
    check(forward(spec(), forward_taps_.data(), d_x, d_w, d_b, d_y, pass.n, pass.stream));
    // END SOLUTION
  }

  Parameter weight_, bias_;
  DeviceArray<float> folded_weight_, folded_bias_;
  bool folded_ = false;
  // BEGIN SOLUTION(07.2)
  DeviceArray<Tap> forward_taps_, backward_taps_;
  DeviceArray<float> partial_, one_;
  // END SOLUTION
};

}  // namespace

std::unique_ptr<Layer> make_conv(const LayerSpec& spec, int max_batch) {
  return std::make_unique<Convolution>(spec, max_batch);
}
