// SPDX-License-Identifier: MIT
// Convolution layers, stride 1. Task 07.2: forward; task 07.3: backward.
#include <algorithm>

#include "batch_norm.cuh"
#include "layer.cuh"
// BEGIN SOLUTION(07.2)
//
// The loops of y, dx, dw and db, from the plain ones to the tuned kernel; each file can replace
// fast/conv_products.cuh and is right for all layers:
//   ladder/direct.cuh     one thread for each output, one block for each sum
//   ladder/maps.cuh       one thread for 16 maps of a place
//   ladder/shared.cuh     what all threads multiply with comes through shared memory
#include "fast/conv_products.cuh"
// END SOLUTION

namespace {

// BEGIN SOLUTION(07.2)
//> // TODO(07.2): a kernel for y = conv(x, w) + b with stride 1 and padding: your kernel of stages
//> // 02 to 04.
//>
//> // TODO(07.3): kernels for dx, dw and db: those of stage 05. The same bits on every run.
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
    products_ = std::make_unique<ConvProducts>(spec, max_batch);
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
    check(products_->wgrad(d_x, d_dy, weight_.gradient, bias_.gradient, pass.n, pass.stream));
    if (!d_dx) return;
    check(products_->xgrad(d_dy, weight_.value, d_dx, pass.n, pass.stream));
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
    check(products_->forward(d_x, d_w, d_b, d_y, pass.n, pass.stream));
    // END SOLUTION
  }

  Parameter weight_, bias_;
  DeviceArray<float> folded_weight_, folded_bias_;
  bool folded_ = false;
  // BEGIN SOLUTION(07.2)
  std::unique_ptr<ConvProducts> products_;
  // END SOLUTION
};

}  // namespace

std::unique_ptr<Layer> make_conv(const LayerSpec& spec, int max_batch) {
  return std::make_unique<Convolution>(spec, max_batch);
}
