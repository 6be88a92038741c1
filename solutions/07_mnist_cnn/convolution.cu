// SPDX-License-Identifier: MIT
// Convolution layers, stride 1. Task 07.2: forward; task 07.3: backward.
#include "batch_norm.cuh"
#include "layer.cuh"
// BEGIN SOLUTION(07.2)
#include "conv_product.cuh"
#include "parts.cuh"
// END SOLUTION

namespace {

// BEGIN SOLUTION(07.2)
//> // TODO(07.2): a kernel for y = conv(x, w) + b with stride 1 and padding: yours of stages 02 to
//> // 04.
using product::Tap;

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
cudaError_t gather(product::GatherProduct<kChecked> product, cudaStream_t stream) {
  // Few rows fit a flat tile; a tile twice as high is worth it where there are enough of them.
  return product.rows <= 32
             ? product::launch<product::Flat>(product, product.rows, product.cols, 1, stream)
             : product::launch<product::Large>(product, product.rows, product.cols, 1, stream);
}

template <bool kChecked>
cudaError_t conv_forward(const LayerSpec& s, const Tap* d_taps, const float* d_x, const float* d_w,
                         const float* d_b, float* d_y, int n, cudaStream_t stream) {
  product::GatherProduct<kChecked> product{};
  product.images = d_x, product.w = d_w, product.bias = d_b, product.taps = d_taps;
  product.out = d_y;
  product.rows = s.out.c, product.terms = product.w_step = s.in.c * s.kh * s.kw;
  product.in_size = static_cast<int>(s.in.size()), product.in_h = s.in.h, product.in_w = s.in.w;
  product.out_area = s.out.h * s.out.w, product.out_w = s.out.w;
  product.cols = n * product.out_area;
  product.first_row = product.first_col = -s.pad;
  return gather(product, stream);
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
  product::GatherProduct<true> product{};
  product.images = d_dy, product.w = d_w, product.taps = d_taps, product.out = d_dx;
  product.rows = s.in.c, product.terms = s.out.c * s.kh * s.kw, product.w_step = s.kh * s.kw;
  product.in_size = static_cast<int>(s.out.size()), product.in_h = s.out.h;
  product.in_w = s.out.w;
  product.out_area = s.in.h * s.in.w, product.out_w = s.in.w;
  product.cols = n * product.out_area;
  product.first_row = product.first_col = s.pad;
  return gather(product, stream);
}

// Images that a part of the filters' gradient sums over, from the shape alone: so many parts that
// a large GPU has enough blocks.
int images_of_part(const LayerSpec& s, int n) {
  constexpr int kBlocks = 396;
  const int taps = s.in.c * s.kh * s.kw;
  const int tiles = s.out.c <= 32 && taps < 32
                        ? 1
                        : product::ceil_div(s.out.c, 64) * product::ceil_div(taps + 1, 64);
  const int parts = kBlocks / tiles < 1 ? 1 : kBlocks / tiles;
  return (n + parts - 1) / parts;
}

int64_t partial_floats(const LayerSpec& s, int n) {
  const int64_t of_part = int64_t(s.out.c) * (s.in.c * s.kh * s.kw + 1);
  return product::ceil_div(n, images_of_part(s, n)) * of_part;
}

template <bool kChecked>
cudaError_t conv_wgrad(const LayerSpec& s, const Tap* d_taps, const float* d_x, const float* d_dy,
                       float* d_partial, float* d_dw, float* d_db, int n, cudaStream_t stream) {
  product::FilterProduct<kChecked> product{};
  product.images = d_x, product.dy = d_dy, product.taps = d_taps, product.partial = d_partial;
  product.maps = s.out.c, product.terms = s.in.c * s.kh * s.kw;
  product.in_size = static_cast<int>(s.in.size()), product.in_h = s.in.h, product.in_w = s.in.w;
  product.out_area = s.out.h * s.out.w, product.out_w = s.out.w;
  product.first_row = product.first_col = -s.pad;
  product.n = n, product.images_of_part = images_of_part(s, n);
  constexpr int kStep = product::FilterProduct<kChecked>::kStep;
  product.counted_area = product::ceil_div(product.out_area, kStep) * kStep;
  const int parts = product::ceil_div(n, product.images_of_part), cols = product.terms + 1;
  const cudaError_t error =
      product.maps > 32
          ? product::launch<product::Large>(product, product.maps, cols, parts, stream)
      : cols > 32 ? product::launch<product::Flat>(product, product.maps, cols, parts, stream)
                  : product::launch<product::Small>(product, product.maps, cols, parts, stream);
  if (error != cudaSuccess) return error;
  return add_parts(d_partial, d_dw, d_db, product.maps, product.terms, parts, stream);
}
// END SOLUTION

class Convolution final : public Layer {
 public:
  Convolution(const LayerSpec& spec, int max_batch) : Layer(spec) {
    const int taps = spec.in.c * spec.kh * spec.kw;
    weight_.name = name() + ".weight", bias_.name = name() + ".bias";
    weight_.dims = {spec.out.c, spec.in.c, spec.kh, spec.kw}, bias_.dims = {spec.out.c};
    weight_.start = Start::xavier;
    weight_.fan_in = taps, weight_.fan_out = spec.out.c * spec.kh * spec.kw;
    folded_weight_ = DeviceArray<float>(weight_.size());
    folded_bias_ = DeviceArray<float>(spec.out.c);
    // BEGIN SOLUTION(07.2)
    //> (void)max_batch;
    forward_taps_ = on_device(forward_taps(spec));
    backward_taps_ = on_device(backward_taps(spec));
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
    check(wgrad(spec(), forward_taps_.data(), d_x, d_dy, partial_.data(), weight_.gradient,
                bias_.gradient, pass.n, pass.stream));
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
  DeviceArray<float> partial_;
  // END SOLUTION
};

}  // namespace

std::unique_ptr<Layer> make_conv(const LayerSpec& spec, int max_batch) {
  return std::make_unique<Convolution>(spec, max_batch);
}
