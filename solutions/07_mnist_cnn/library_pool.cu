// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Pooling by cuDNN.
#include "library_layers.cuh"

namespace {

class LibraryPool final : public Layer {
 public:
  LibraryPool(const LayerSpec& spec, const Libraries& libraries)
      : Layer(spec), libraries_(libraries) {
    // The plain mode may choose another of several largest elements on each run.
    const cudnnPoolingMode_t mode = spec.kind == "maxpool"
                                        ? CUDNN_POOLING_MAX_DETERMINISTIC
                                        : CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING;
    check(cudnnCreatePoolingDescriptor(&pool_));
    check(cudnnSetPooling2dDescriptor(pool_, mode, CUDNN_NOT_PROPAGATE_NAN, spec.kh, spec.kw, 0, 0,
                                      spec.kh, spec.kw));
  }
  ~LibraryPool() override { cudnnDestroyPoolingDescriptor(pool_); }

  void forward(const Pass& pass, const float* d_x, float* d_y) override {
    set_batch(pass.n);
    check(cudnnPoolingForward(libraries_.dnn(pass.stream), pool_, &kOne, x_.get(), d_x, &kZero,
                              y_.get(), d_y));
  }
  void backward(const Pass& pass, const float* d_x, const float* d_y, const float* d_dy,
                float* d_dx) override {
    if (!d_dx) return;
    set_batch(pass.n);
    check(cudnnPoolingBackward(libraries_.dnn(pass.stream), pool_, &kOne, y_.get(), d_y, y_.get(),
                               d_dy, x_.get(), d_x, &kZero, x_.get(), d_dx));
  }

 private:
  void set_batch(int n) { x_.set(n, input()), y_.set(n, output()); }

  const Libraries& libraries_;
  Batch x_, y_;
  cudnnPoolingDescriptor_t pool_ = nullptr;
};

}  // namespace

std::unique_ptr<Layer> make_library_pool(const LayerSpec& spec, const Libraries& libraries) {
  return std::make_unique<LibraryPool>(spec, libraries);
}
