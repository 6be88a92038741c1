// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// ReLU by cuDNN.
#include "library_layers.cuh"

namespace {

class LibraryRelu final : public Layer {
 public:
  LibraryRelu(const LayerSpec& spec, const Libraries& libraries)
      : Layer(spec), libraries_(libraries) {
    check(cudnnCreateActivationDescriptor(&relu_));
    check(cudnnSetActivationDescriptor(relu_, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0));
  }
  ~LibraryRelu() override { cudnnDestroyActivationDescriptor(relu_); }

  void forward(const Pass& pass, const float* d_x, float* d_y) override {
    x_.set(pass.n, input());
    check(cudnnActivationForward(libraries_.dnn(pass.stream), relu_, &kOne, x_.get(), d_x, &kZero,
                                 x_.get(), d_y));
  }
  void backward(const Pass& pass, const float* d_x, const float* d_y, const float* d_dy,
                float* d_dx) override {
    if (!d_dx) return;
    x_.set(pass.n, input());
    check(cudnnActivationBackward(libraries_.dnn(pass.stream), relu_, &kOne, x_.get(), d_y,
                                  x_.get(), d_dy, x_.get(), d_x, &kZero, x_.get(), d_dx));
  }

 private:
  const Libraries& libraries_;
  Batch x_;  // y's, too
  cudnnActivationDescriptor_t relu_ = nullptr;
};

}  // namespace

std::unique_ptr<Layer> make_library_relu(const LayerSpec& spec, const Libraries& libraries) {
  return std::make_unique<LibraryRelu>(spec, libraries);
}
