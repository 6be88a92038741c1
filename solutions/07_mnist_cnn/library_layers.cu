// SPDX-License-Identifier: MIT
// SOLUTION ONLY
#include "library_layers.cuh"

#include <algorithm>

#include "convkit/grid_stride_range.h"

namespace {

constexpr int kThreads = 256;
constexpr float kOne = 1.0f, kZero = 0.0f;

void check(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw CudaError(cudaErrorUnknown, std::string("cuBLAS: ") + cublasGetStatusString(status));
  }
}

void check(cudnnStatus_t status) {
  if (status != CUDNN_STATUS_SUCCESS) {
    throw CudaError(cudaErrorUnknown, std::string("cuDNN: ") + cudnnGetErrorString(status));
  }
}

__global__ void add_bias_kernel(float* __restrict__ y, const float* __restrict__ bias, int out,
                                int64_t size) {
  for (const int64_t i : grid_stride_range(size)) y[i] += bias[i % out];
}

__global__ void sum_columns_kernel(const float* __restrict__ dy, float* __restrict__ db, int n,
                                   int out) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= out) return;
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += dy[int64_t(i) * out + j];
  db[j] = sum;
}

class LibraryDense final : public Layer {
 public:
  LibraryDense(const LayerSpec& spec, const Libraries& libraries, bool last)
      : Layer(spec), libraries_(libraries), in_(spec.in.c), out_(spec.out.c) {
    weight_.name = name() + ".weight", bias_.name = name() + ".bias";
    weight_.dims = {out_, in_}, bias_.dims = {out_};
    weight_.start = last ? Start::xavier : Start::kaiming;
    weight_.fan_in = in_, weight_.fan_out = out_;
  }
  std::vector<Parameter*> parameters() override { return {&weight_, &bias_}; }

  // cuBLAS counts columns first: a row-major [rows][cols] is to it a matrix of cols rows.
  void forward(const Pass& pass, const float* d_x, float* d_y) override {
    check(cublasSgemm(libraries_.blas(pass.stream), CUBLAS_OP_T, CUBLAS_OP_N, out_, pass.n, in_,
                      &kOne, weight_.value, in_, d_x, in_, &kZero, d_y, out_));
    const int64_t size = int64_t(pass.n) * out_;
    add_bias_kernel<<<grid_stride_blocks(size, kThreads), kThreads, 0, pass.stream>>>(
        d_y, bias_.value, out_, size);
    ::check(cudaGetLastError());
  }
  void backward(const Pass& pass, const float* d_x, const float*, const float* d_dy,
                float* d_dx) override {
    const cublasHandle_t blas = libraries_.blas(pass.stream);
    check(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_T, in_, out_, pass.n, &kOne, d_x, in_, d_dy,
                      out_, &kZero, weight_.gradient, in_));
    sum_columns_kernel<<<(out_ + 31) / 32, 32, 0, pass.stream>>>(d_dy, bias_.gradient, pass.n,
                                                                 out_);
    ::check(cudaGetLastError());
    if (!d_dx) return;
    check(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, in_, pass.n, out_, &kOne, weight_.value, in_,
                      d_dy, out_, &kZero, d_dx, in_));
  }

 private:
  const Libraries& libraries_;
  int in_, out_;
  Parameter weight_, bias_;
};

// The fastest way that gives the same bits on every run, as the library reckons.
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
      : Layer(spec), libraries_(libraries) {
    weight_.name = name() + ".weight", bias_.name = name() + ".bias";
    weight_.dims = {spec.out.c, spec.in.c, spec.kh, spec.kw}, bias_.dims = {spec.out.c};
    weight_.start = Start::xavier;
    weight_.fan_in = spec.in.c * spec.kh * spec.kw;
    weight_.fan_out = spec.out.c * spec.kh * spec.kw;
    check(cudnnCreateTensorDescriptor(&x_));
    check(cudnnCreateTensorDescriptor(&y_));
    check(cudnnCreateTensorDescriptor(&b_));
    check(cudnnCreateFilterDescriptor(&w_));
    check(cudnnCreateConvolutionDescriptor(&conv_));
    check(cudnnSetFilter4dDescriptor(w_, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, spec.out.c, spec.in.c,
                                     spec.kh, spec.kw));
    check(cudnnSetTensor4dDescriptor(b_, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, spec.out.c, 1, 1));
    check(cudnnSetConvolution2dDescriptor(conv_, spec.pad, spec.pad, 1, 1, 1, 1,
                                          CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    check(cudnnSetConvolutionMathType(conv_, CUDNN_FMA_MATH));  // float32, no TF32
    set_batch(max_batch);
    choose();
  }
  ~LibraryConv() override {
    cudnnDestroyTensorDescriptor(x_);
    cudnnDestroyTensorDescriptor(y_);
    cudnnDestroyTensorDescriptor(b_);
    cudnnDestroyFilterDescriptor(w_);
    cudnnDestroyConvolutionDescriptor(conv_);
  }
  std::vector<Parameter*> parameters() override { return {&weight_, &bias_}; }

  void forward(const Pass& pass, const float* d_x, float* d_y) override {
    const cudnnHandle_t dnn = libraries_.dnn(pass.stream);
    set_batch(pass.n);
    check(cudnnConvolutionForward(dnn, &kOne, x_, d_x, w_, weight_.value, conv_, forward_,
                                  workspace_.data(), bytes(), &kZero, y_, d_y));
    check(cudnnAddTensor(dnn, &kOne, b_, bias_.value, &kOne, y_, d_y));
  }
  void backward(const Pass& pass, const float* d_x, const float*, const float* d_dy,
                float* d_dx) override {
    const cudnnHandle_t dnn = libraries_.dnn(pass.stream);
    set_batch(pass.n);
    check(cudnnConvolutionBackwardFilter(dnn, &kOne, x_, d_x, y_, d_dy, conv_, filter_,
                                         workspace_.data(), bytes(), &kZero, w_, weight_.gradient));
    check(cudnnConvolutionBackwardBias(dnn, &kOne, y_, d_dy, &kZero, b_, bias_.gradient));
    if (!d_dx) return;
    check(cudnnConvolutionBackwardData(dnn, &kOne, w_, weight_.value, y_, d_dy, conv_, data_,
                                       workspace_.data(), bytes(), &kZero, x_, d_dx));
  }

 private:
  size_t bytes() const { return static_cast<size_t>(workspace_.count()); }

  void set_batch(int n) {
    if (n == batch_) return;
    const LayerSpec& s = spec();
    check(cudnnSetTensor4dDescriptor(x_, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, s.in.c, s.in.h,
                                     s.in.w));
    check(cudnnSetTensor4dDescriptor(y_, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, s.out.c, s.out.h,
                                     s.out.w));
    batch_ = n;
  }

  // For the largest batch; smaller ones need no more memory.
  void choose() {
    constexpr int kMost = 16;
    const cudnnHandle_t dnn = libraries_.dnn(nullptr);
    cudnnConvolutionFwdAlgoPerf_t forward[kMost];
    cudnnConvolutionBwdDataAlgoPerf_t data[kMost];
    cudnnConvolutionBwdFilterAlgoPerf_t filter[kMost];
    int count = 0;
    check(cudnnGetConvolutionForwardAlgorithm_v7(dnn, x_, w_, conv_, y_, kMost, &count, forward));
    forward_ = pick<cudnnConvolutionFwdAlgo_t>(forward, count);
    check(cudnnGetConvolutionBackwardDataAlgorithm_v7(dnn, w_, y_, conv_, x_, kMost, &count, data));
    data_ = pick<cudnnConvolutionBwdDataAlgo_t>(data, count);
    check(cudnnGetConvolutionBackwardFilterAlgorithm_v7(dnn, x_, y_, conv_, w_, kMost, &count,
                                                        filter));
    filter_ = pick<cudnnConvolutionBwdFilterAlgo_t>(filter, count);
    size_t most = 0, needed = 0;
    check(cudnnGetConvolutionForwardWorkspaceSize(dnn, x_, w_, conv_, y_, forward_, &needed));
    most = std::max(most, needed);
    check(cudnnGetConvolutionBackwardDataWorkspaceSize(dnn, w_, y_, conv_, x_, data_, &needed));
    most = std::max(most, needed);
    check(cudnnGetConvolutionBackwardFilterWorkspaceSize(dnn, x_, y_, conv_, w_, filter_, &needed));
    workspace_ = DeviceArray<char>(static_cast<int64_t>(std::max(most, needed)));
  }

  const Libraries& libraries_;
  Parameter weight_, bias_;
  cudnnTensorDescriptor_t x_ = nullptr, y_ = nullptr, b_ = nullptr;
  cudnnFilterDescriptor_t w_ = nullptr;
  cudnnConvolutionDescriptor_t conv_ = nullptr;
  cudnnConvolutionFwdAlgo_t forward_{};
  cudnnConvolutionBwdDataAlgo_t data_{};
  cudnnConvolutionBwdFilterAlgo_t filter_{};
  DeviceArray<char> workspace_;
  int batch_ = 0;
};

}  // namespace

Libraries::Libraries() {
  check(cublasCreate(&blas_));
  check(cudnnCreate(&dnn_));
}

Libraries::~Libraries() {
  if (blas_) cublasDestroy(blas_);
  if (dnn_) cudnnDestroy(dnn_);
}

cublasHandle_t Libraries::blas(cudaStream_t stream) const {
  check(cublasSetStream(blas_, stream));
  return blas_;
}

cudnnHandle_t Libraries::dnn(cudaStream_t stream) const {
  check(cudnnSetStream(dnn_, stream));
  return dnn_;
}

std::unique_ptr<Layer> make_library_dense(const LayerSpec& spec, const Libraries& libraries,
                                          bool last) {
  return std::make_unique<LibraryDense>(spec, libraries, last);
}

std::unique_ptr<Layer> make_library_conv(const LayerSpec& spec, const Libraries& libraries,
                                         int max_batch) {
  return std::make_unique<LibraryConv>(spec, libraries, max_batch);
}
