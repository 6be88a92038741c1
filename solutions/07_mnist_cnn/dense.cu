// SPDX-License-Identifier: MIT
// Dense layers. Task 07.1: forward; task 07.3: backward.
#include "batch_norm.cuh"
#include "layer.cuh"
// BEGIN SOLUTION(07.1)
#include "dense_product.cuh"
#include "parts.cuh"
// END SOLUTION

namespace {

// BEGIN SOLUTION(07.3)
//> // TODO(07.3): kernels for dx = dy w and for dw = dy^T x with db, the sums of dy's columns.
// dx [n][in] = dy [n][out] w [out][in].
cudaError_t dense_xgrad(const float* d_dy, const float* d_w, float* d_dx, int n, int in, int out,
                        cudaStream_t stream) {
  product::DenseProduct<true, false, false> product{};
  product.a = d_dy, product.b = d_w, product.c = d_dx;
  product.rows = n, product.cols = in, product.terms = product.terms_of_part = out;
  product.a_row = out, product.a_k = 1, product.b_k = in, product.b_col = 1;
  return product::launch_dense(product, 1, stream);
}

// From the shape alone, so that the bits are the same everywhere.
int wgrad_parts(int n, int in, int out) {
  constexpr int kBlocks = 264, kFewestTerms = 32;
  const int tiles = product::ceil_div(out, 32) * product::ceil_div(in + 1, 32);
  const int wanted = kBlocks / tiles, most = n / kFewestTerms;
  const int parts = wanted < most ? wanted : most;
  return parts < 1 ? 1 : parts;
}

// dw [out][in] = dy^T x and, as one more column of x that is all 1, db.
cudaError_t dense_wgrad(const float* d_x, const float* d_dy, float* d_dw, float* d_db,
                        float* d_partial, int n, int in, int out, cudaStream_t stream) {
  const int parts = wgrad_parts(n, in, out);
  product::DenseProduct<false, false, true> product{};
  product.a = d_dy, product.b = d_x, product.c = d_partial;
  product.rows = out, product.cols = in + 1, product.terms = n;
  product.terms_of_part = (n + parts - 1) / parts;
  product.a_row = 1, product.a_k = out, product.b_k = in, product.b_col = 1;
  product.c_part = int64_t(out) * (in + 1);
  const cudaError_t error = product::launch_dense(product, parts, stream);
  if (error != cudaSuccess) return error;
  return add_parts(d_partial, d_dw, d_db, out, in, parts, stream);
}
// END SOLUTION

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
    // BEGIN SOLUTION(07.3)
    //> (void)max_batch;
    // Fewer images have fewer parts.
    partial_ = DeviceArray<float>(wgrad_parts(max_batch, in_, out_) * int64_t(out_) * (in_ + 1));
    // END SOLUTION
  }

  std::vector<Parameter*> parameters() override { return {&weight_, &bias_}; }

  void forward(const Pass& pass, const float* d_x, float* d_y) override {
    check(dense_forward(d_x, weight_.value, bias_.value, d_y, pass.n, in_, out_, pass.stream));
  }

  void backward(const Pass& pass, const float* d_x, const float*, const float* d_dy,
                float* d_dx) override {
    // BEGIN SOLUTION(07.3)
    //> // TODO(07.3): the gradients of weight_ and bias_, and dx where it is not null.
    //> (void)pass, (void)d_x, (void)d_dy, (void)d_dx;
    //> CONVKIT_TODO("07.3");
    check(dense_wgrad(d_x, d_dy, weight_.gradient, bias_.gradient, partial_.data(), pass.n, in_,
                      out_, pass.stream));
    if (d_dx) check(dense_xgrad(d_dy, weight_.value, d_dx, pass.n, in_, out_, pass.stream));
    // END SOLUTION
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
  // BEGIN SOLUTION(07.3)
  DeviceArray<float> partial_;
  // END SOLUTION
};

}  // namespace

cudaError_t dense_forward(const float* d_x, const float* d_w, const float* d_b, float* d_y, int n,
                          int in, int out, cudaStream_t stream) {
  // BEGIN SOLUTION(07.1)
  //> // TODO(07.1): launch a kernel for y = x w^T + b, and return its error.
  //> (void)d_x, (void)d_w, (void)d_b, (void)d_y, (void)n, (void)in, (void)out, (void)stream;
  //> CONVKIT_TODO("07.1");
  //> return cudaSuccess;
  product::DenseProduct<true, true, false> product{};
  product.a = d_x, product.b = d_w, product.bias = d_b, product.c = d_y;
  product.rows = n, product.cols = out, product.terms = product.terms_of_part = in;
  product.a_row = in, product.a_k = 1, product.b_k = 1, product.b_col = in;
  return product::launch_dense(product, 1, stream);
  // END SOLUTION
}

std::unique_ptr<Layer> make_dense(const LayerSpec& spec, int max_batch) {
  return std::make_unique<Dense>(spec, max_batch);
}
