// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Dense layers by cuBLAS, biases as products with a vector of ones.
#include <vector>

#include "library_layers.cuh"

namespace {

class LibraryDense final : public Layer {
 public:
  LibraryDense(const LayerSpec& spec, const Libraries& libraries, int max_batch)
      : Layer(spec), libraries_(libraries), in_(spec.in.c), out_(spec.out.c), ones_(max_batch) {
    weight_.name = name() + ".weight", bias_.name = name() + ".bias";
    weight_.dims = {out_, in_}, bias_.dims = {out_};
    weight_.start = Start::lecun;
    weight_.fan_in = in_, weight_.fan_out = out_;
    const std::vector<float> ones(static_cast<size_t>(max_batch), 1.0f);
    check(
        cudaMemcpy(ones_.data(), ones.data(), sizeof(float) * ones.size(), cudaMemcpyHostToDevice));
  }
  std::vector<Parameter*> parameters() override { return {&weight_, &bias_}; }

  // For cuBLAS, matrices are column-major: a row-major [rows][cols] is a matrix of cols rows.
  void forward(const Pass& pass, const float* d_x, float* d_y) override {
    const cublasHandle_t blas = libraries_.blas(pass.stream);
    check(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, out_, pass.n, 1, &kOne, bias_.value, out_,
                      ones_.data(), 1, &kZero, d_y, out_));
    check(cublasSgemm(blas, CUBLAS_OP_T, CUBLAS_OP_N, out_, pass.n, in_, &kOne, weight_.value, in_,
                      d_x, in_, &kOne, d_y, out_));
  }
  void backward(const Pass& pass, const float* d_x, const float*, const float* d_dy,
                float* d_dx) override {
    const cublasHandle_t blas = libraries_.blas(pass.stream);
    check(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_T, in_, out_, pass.n, &kOne, d_x, in_, d_dy,
                      out_, &kZero, weight_.gradient, in_));
    check(cublasSgemv(blas, CUBLAS_OP_N, out_, pass.n, &kOne, d_dy, out_, ones_.data(), 1, &kZero,
                      bias_.gradient, 1));
    if (!d_dx) return;
    check(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, in_, pass.n, out_, &kOne, weight_.value, in_,
                      d_dy, out_, &kZero, d_dx, in_));
  }

 private:
  const Libraries& libraries_;
  int in_, out_;
  Parameter weight_, bias_;
  DeviceArray<float> ones_;
};

}  // namespace

std::unique_ptr<Layer> make_library_dense(const LayerSpec& spec, const Libraries& libraries,
                                          int max_batch) {
  return std::make_unique<LibraryDense>(spec, libraries, max_batch);
}
