// SPDX-License-Identifier: MIT
// Dense layers. Task 07.1: forward; task 07.3: backward.
#include "batch_norm.cuh"
#include "layer.cuh"

namespace {

// TODO(07.3): kernels for dx = dy w and for dw = dy^T x with db, the sums of dy's columns.

class Dense final : public Layer {
 public:
  Dense(const LayerSpec& spec, int max_batch) : Layer(spec), in_(spec.in.c) {
    out_ = spec.out.c;
    weight_.name = name() + ".weight", bias_.name = name() + ".bias";
    weight_.dims = {out_, in_}, bias_.dims = {out_};
    weight_.start = Start::lecun;
    weight_.fan_in = in_, weight_.fan_out = out_;
    folded_weight_ = DeviceArray<float>(weight_.size());
    folded_bias_ = DeviceArray<float>(out_);
    (void)max_batch;
  }

  std::vector<Parameter*> parameters() override { return {&weight_, &bias_}; }

  void forward(const Pass& pass, const float* d_x, float* d_y) override {
    check(dense_forward(d_x, weight_.value, bias_.value, d_y, pass.n, in_, out_, pass.stream));
  }

  void backward(const Pass& pass, const float* d_x, const float*, const float* d_dy,
                float* d_dx) override {
    // TODO(07.3): the gradients of weight_ and bias_, and dx where it is not null.
    (void)pass, (void)d_x, (void)d_dy, (void)d_dx;
    CONVKIT_TODO("07.3");
  }

  bool fold(const BatchNorm& norm, cudaStream_t stream) override {
    norm.fold_into(weight_.value, bias_.value, folded_weight_.data(), folded_bias_.data(), in_,
                   stream);
    return folded_ = true;
  }
  void infer(const Pass& pass, const float* d_x, float* d_y) override {
    const float* weight = folded_ ? folded_weight_.data() : weight_.value;
    const float* bias = folded_ ? folded_bias_.data() : bias_.value;
    check(dense_forward(d_x, weight, bias, d_y, pass.n, in_, out_, pass.stream));
  }

 private:
  int in_, out_;
  Parameter weight_, bias_;
  DeviceArray<float> folded_weight_, folded_bias_;
  bool folded_ = false;
};

}  // namespace

cudaError_t dense_forward(const float* d_x, const float* d_w, const float* d_b, float* d_y, int n,
                          int in, int out, cudaStream_t stream) {
  // TODO(07.1): launch a kernel for y = x w^T + b, and return its error.
  (void)d_x, (void)d_w, (void)d_b, (void)d_y, (void)n, (void)in, (void)out, (void)stream;
  CONVKIT_TODO("07.1");
  return cudaSuccess;
}

std::unique_ptr<Layer> make_dense(const LayerSpec& spec, int max_batch) {
  return std::make_unique<Dense>(spec, max_batch);
}
