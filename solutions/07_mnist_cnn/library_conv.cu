// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Convolution by cuDNN.
#include <algorithm>

#include "library_layers.cuh"

namespace {

// The fastest way that gives the same bits on every run, by the library's estimate.
template <class Algorithm, class List>
Algorithm pick(const List& list, int count) {
  for (int i = 0; i < count; ++i) {
    if (list[i].status == CUDNN_STATUS_SUCCESS && list[i].determinism == CUDNN_DETERMINISTIC) {
      return list[i].algo;
    }
  }
  throw CudaError(cudaErrorNotSupported, "cuDNN has no deterministic way for this convolution.");
}

class LibraryConv final : public Layer {
 public:
  LibraryConv(const LayerSpec& spec, const Libraries& libraries, int max_batch)
      : Layer(spec), libraries_(libraries), b_(1, {spec.out.c, 1, 1}) {
    weight_.name = name() + ".weight", bias_.name = name() + ".bias";
    weight_.dims = {spec.out.c, spec.in.c, spec.kh, spec.kw}, bias_.dims = {spec.out.c};
    weight_.start = Start::lecun;
    weight_.fan_in = spec.in.c * spec.kh * spec.kw;
    weight_.fan_out = spec.out.c * spec.kh * spec.kw;
    check(cudnnCreateFilterDescriptor(&w_));
    check(cudnnCreateConvolutionDescriptor(&conv_));
    check(cudnnSetFilter4dDescriptor(w_, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, spec.out.c, spec.in.c,
                                     spec.kh, spec.kw));
    check(cudnnSetConvolution2dDescriptor(conv_, spec.pad, spec.pad, 1, 1, 1, 1,
                                          CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    check(cudnnSetConvolutionMathType(conv_, CUDNN_FMA_MATH));  // float32, no TF32
    set_batch(max_batch);
    choose();
  }
  ~LibraryConv() override {
    cudnnDestroyFilterDescriptor(w_);
    cudnnDestroyConvolutionDescriptor(conv_);
  }
  std::vector<Parameter*> parameters() override { return {&weight_, &bias_}; }

  void forward(const Pass& pass, const float* d_x, float* d_y) override {
    const cudnnHandle_t dnn = libraries_.dnn(pass.stream);
    set_batch(pass.n);
    check(cudnnConvolutionForward(dnn, &kOne, x_.get(), d_x, w_, weight_.value, conv_, forward_,
                                  workspace_.data(), bytes(), &kZero, y_.get(), d_y));
    check(cudnnAddTensor(dnn, &kOne, b_.get(), bias_.value, &kOne, y_.get(), d_y));
  }
  void backward(const Pass& pass, const float* d_x, const float*, const float* d_dy,
                float* d_dx) override {
    const cudnnHandle_t dnn = libraries_.dnn(pass.stream);
    set_batch(pass.n);
    check(cudnnConvolutionBackwardFilter(dnn, &kOne, x_.get(), d_x, y_.get(), d_dy, conv_, filter_,
                                         workspace_.data(), bytes(), &kZero, w_, weight_.gradient));
    check(
        cudnnConvolutionBackwardBias(dnn, &kOne, y_.get(), d_dy, &kZero, b_.get(), bias_.gradient));
    if (!d_dx) return;
    check(cudnnConvolutionBackwardData(dnn, &kOne, w_, weight_.value, y_.get(), d_dy, conv_, data_,
                                       workspace_.data(), bytes(), &kZero, x_.get(), d_dx));
  }

 private:
  size_t bytes() const { return static_cast<size_t>(workspace_.count()); }

  void set_batch(int n) { x_.set(n, input()), y_.set(n, output()); }

  // For the largest batch; smaller ones need no more memory.
  void choose() {
    constexpr int kMost = 16;
    const cudnnHandle_t dnn = libraries_.dnn(nullptr);
    cudnnConvolutionFwdAlgoPerf_t forward[kMost];
    cudnnConvolutionBwdDataAlgoPerf_t data[kMost];
    cudnnConvolutionBwdFilterAlgoPerf_t filter[kMost];
    int count = 0;
    check(cudnnGetConvolutionForwardAlgorithm_v7(dnn, x_.get(), w_, conv_, y_.get(), kMost, &count,
                                                 forward));
    forward_ = pick<cudnnConvolutionFwdAlgo_t>(forward, count);
    check(cudnnGetConvolutionBackwardDataAlgorithm_v7(dnn, w_, y_.get(), conv_, x_.get(), kMost,
                                                      &count, data));
    data_ = pick<cudnnConvolutionBwdDataAlgo_t>(data, count);
    check(cudnnGetConvolutionBackwardFilterAlgorithm_v7(dnn, x_.get(), y_.get(), conv_, w_, kMost,
                                                        &count, filter));
    filter_ = pick<cudnnConvolutionBwdFilterAlgo_t>(filter, count);
    size_t most = 0, needed = 0;
    check(cudnnGetConvolutionForwardWorkspaceSize(dnn, x_.get(), w_, conv_, y_.get(), forward_,
                                                  &needed));
    most = std::max(most, needed);
    check(cudnnGetConvolutionBackwardDataWorkspaceSize(dnn, w_, y_.get(), conv_, x_.get(), data_,
                                                       &needed));
    most = std::max(most, needed);
    check(cudnnGetConvolutionBackwardFilterWorkspaceSize(dnn, x_.get(), y_.get(), conv_, w_,
                                                         filter_, &needed));
    workspace_ = DeviceArray<char>(static_cast<int64_t>(std::max(most, needed)));
  }

  const Libraries& libraries_;
  Parameter weight_, bias_;
  Batch x_, y_, b_;
  cudnnFilterDescriptor_t w_ = nullptr;
  cudnnConvolutionDescriptor_t conv_ = nullptr;
  cudnnConvolutionFwdAlgo_t forward_{};
  cudnnConvolutionBwdDataAlgo_t data_{};
  cudnnConvolutionBwdFilterAlgo_t filter_{};
  DeviceArray<char> workspace_;
};

}  // namespace

std::unique_ptr<Layer> make_library_conv(const LayerSpec& spec, const Libraries& libraries,
                                         int max_batch) {
  return std::make_unique<LibraryConv>(spec, libraries, max_batch);
}
