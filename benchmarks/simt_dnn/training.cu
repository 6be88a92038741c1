// SPDX-License-Identifier: MIT
// Steps of training a small network by cuDNN and cuBLAS on the CPU device: conv 32 of 5 x 5, relu,
// pool, conv 64 of 5 x 5, relu, pool, dense 128, relu, dense 10, softmax; momentum. Everything is a
// call of a library: there is no kernel here.
//
//   training FOLDER BATCH
//
// FOLDER has images.f32, labels.i32 and the parameters, as training.py writes them. For each line
// on stdin, a number of steps, it takes so many and prints microseconds of CPU time for a step, and
// the last loss.
#include <cublas_v2.h>
#include <cudnn.h>
#include <time.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

constexpr float kOne = 1, kZero = 0, kRate = 0.05f, kMomentum = 0.9f;
constexpr int kClasses = 10;

void check(bool good, const std::string& what) {
  if (good) return;
  std::fprintf(stderr, "%s failed\n", what.c_str());
  std::exit(1);
}
void check(cudnnStatus_t status) {
  check(status == CUDNN_STATUS_SUCCESS, cudnnGetErrorString(status));
}
void check(cublasStatus_t status) {
  check(status == CUBLAS_STATUS_SUCCESS, cublasGetStatusString(status));
}
void check(cudaError_t error) {
  check(error == cudaSuccess, cudaGetErrorString(error));
}

double cpu_time_us() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

template <class T>
std::vector<T> read(const std::string& file, size_t count) {
  std::vector<T> values(count);
  std::ifstream in(file, std::ios::binary);
  const auto bytes = static_cast<std::streamsize>(count * sizeof(T));
  in.read(reinterpret_cast<char*>(values.data()), bytes);
  check(in.gcount() == bytes, file);
  return values;
}

// A tensor in device memory.
struct Tensor {
  int n, c, h, w;
  float* data = nullptr;
  cudnnTensorDescriptor_t desc = nullptr;

  Tensor(int count, int channels, int height, int width)
      : n(count), c(channels), h(height), w(width) {
    check(cudaMalloc(&data, bytes()));
    check(cudaMemset(data, 0, bytes()));
    check(cudnnCreateTensorDescriptor(&desc));
    check(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, h, w));
  }
  ~Tensor() {
    cudnnDestroyTensorDescriptor(desc);
    cudaFree(data);
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  size_t elements() const {
    return static_cast<size_t>(n) * static_cast<size_t>(c) * static_cast<size_t>(h * w);
  }
  size_t bytes() const { return elements() * sizeof(float); }
  void load(const float* from) { check(cudaMemcpy(data, from, bytes(), cudaMemcpyHostToDevice)); }
};

struct Libraries {
  cudnnHandle_t dnn = nullptr;
  cublasHandle_t blas = nullptr;
  Libraries() {
    check(cudnnCreate(&dnn));
    check(cublasCreate(&blas));
  }
  ~Libraries() {
    cudnnDestroy(dnn);
    cublasDestroy(blas);
  }
  Libraries(const Libraries&) = delete;
  Libraries& operator=(const Libraries&) = delete;
};

// A parameter with its gradient and velocity.
struct Parameter {
  Tensor value, gradient, velocity;

  Parameter(const std::string& file, int n, int c, int h, int w)
      : value(n, c, h, w), gradient(n, c, h, w), velocity(n, c, h, w) {
    value.load(read<float>(file, value.elements()).data());
  }
  void update(cudnnHandle_t dnn) {
    const float step = -kRate;
    check(cudnnAddTensor(dnn, &kOne, gradient.desc, gradient.data, &kMomentum, velocity.desc,
                         velocity.data));
    check(cudnnAddTensor(dnn, &step, velocity.desc, velocity.data, &kOne, value.desc, value.data));
  }
};

struct Relu {
  cudnnActivationDescriptor_t desc = nullptr;
  Relu() {
    check(cudnnCreateActivationDescriptor(&desc));
    check(cudnnSetActivationDescriptor(desc, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0));
  }
  ~Relu() { cudnnDestroyActivationDescriptor(desc); }
  Relu(const Relu&) = delete;
  Relu& operator=(const Relu&) = delete;

  void forward(cudnnHandle_t dnn, Tensor& y) const {
    check(cudnnActivationForward(dnn, desc, &kOne, y.desc, y.data, &kZero, y.desc, y.data));
  }
  void backward(cudnnHandle_t dnn, const Tensor& y, Tensor& dy) const {
    check(cudnnActivationBackward(dnn, desc, &kOne, y.desc, y.data, dy.desc, dy.data, y.desc,
                                  y.data, &kZero, dy.desc, dy.data));
  }
};

// conv, relu, pool of 2 x 2.
struct ConvLayer {
  Parameter w, b;
  Tensor y, dy, pooled, d_pooled;
  Relu relu;
  cudnnFilterDescriptor_t filter = nullptr;
  cudnnConvolutionDescriptor_t conv = nullptr;
  cudnnPoolingDescriptor_t pooling = nullptr;

  ConvLayer(const std::string& name, int batch, int channels, int edge, int filters)
      : w(name + ".weight", filters, channels, 5, 5),
        b(name + ".bias", 1, filters, 1, 1),
        y(batch, filters, edge - 4, edge - 4),
        dy(batch, filters, edge - 4, edge - 4),
        pooled(batch, filters, (edge - 4) / 2, (edge - 4) / 2),
        d_pooled(batch, filters, (edge - 4) / 2, (edge - 4) / 2) {
    check(cudnnCreateFilterDescriptor(&filter));
    check(cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, filters, channels,
                                     5, 5));
    check(cudnnCreateConvolutionDescriptor(&conv));
    check(cudnnSetConvolution2dDescriptor(conv, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION,
                                          CUDNN_DATA_FLOAT));
    check(cudnnCreatePoolingDescriptor(&pooling));
    check(cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN, 2, 2, 0,
                                      0, 2, 2));
  }
  ~ConvLayer() {
    cudnnDestroyFilterDescriptor(filter);
    cudnnDestroyConvolutionDescriptor(conv);
    cudnnDestroyPoolingDescriptor(pooling);
  }

  void forward(cudnnHandle_t dnn, const Tensor& x) {
    check(cudnnConvolutionForward(dnn, &kOne, x.desc, x.data, filter, w.value.data, conv,
                                  CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &kZero,
                                  y.desc, y.data));
    check(cudnnAddTensor(dnn, &kOne, b.value.desc, b.value.data, &kOne, y.desc, y.data));
    relu.forward(dnn, y);
    check(
        cudnnPoolingForward(dnn, pooling, &kOne, y.desc, y.data, &kZero, pooled.desc, pooled.data));
  }
  // dx is left out for the first layer.
  void backward(cudnnHandle_t dnn, const Tensor& x, Tensor* dx) {
    check(cudnnPoolingBackward(dnn, pooling, &kOne, pooled.desc, pooled.data, d_pooled.desc,
                               d_pooled.data, y.desc, y.data, &kZero, dy.desc, dy.data));
    relu.backward(dnn, y, dy);
    check(cudnnConvolutionBackwardBias(dnn, &kOne, dy.desc, dy.data, &kZero, b.gradient.desc,
                                       b.gradient.data));
    check(cudnnConvolutionBackwardFilter(dnn, &kOne, x.desc, x.data, dy.desc, dy.data, conv,
                                         CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0, nullptr, 0, &kZero,
                                         filter, w.gradient.data));
    if (dx) {
      check(cudnnConvolutionBackwardData(dnn, &kOne, filter, w.value.data, dy.desc, dy.data, conv,
                                         CUDNN_CONVOLUTION_BWD_DATA_ALGO_0, nullptr, 0, &kZero,
                                         dx->desc, dx->data));
    }
  }
};

// y[batch][out] = x[batch][in] * w[out][in] turned + b.
struct Dense {
  int batch, in, out;
  Parameter w, b;
  Tensor y, dy;

  Dense(const std::string& name, int images, int inputs, int outputs)
      : batch(images),
        in(inputs),
        out(outputs),
        w(name + ".weight", outputs, inputs, 1, 1),
        b(name + ".bias", 1, outputs, 1, 1),
        y(images, outputs, 1, 1),
        dy(images, outputs, 1, 1) {}

  void forward(const Libraries& libraries, const Tensor& x) {
    check(cublasSgemm(libraries.blas, CUBLAS_OP_T, CUBLAS_OP_N, out, batch, in, &kOne, w.value.data,
                      in, x.data, in, &kZero, y.data, out));
    check(cudnnAddTensor(libraries.dnn, &kOne, b.value.desc, b.value.data, &kOne, y.desc, y.data));
  }
  void backward(const Libraries& libraries, const Tensor& x, Tensor& dx) {
    check(cublasSgemm(libraries.blas, CUBLAS_OP_N, CUBLAS_OP_T, in, out, batch, &kOne, x.data, in,
                      dy.data, out, &kZero, w.gradient.data, in));
    check(cublasSgemm(libraries.blas, CUBLAS_OP_N, CUBLAS_OP_N, in, batch, out, &kOne, w.value.data,
                      in, dy.data, out, &kZero, dx.data, in));
    check(cudnnConvolutionBackwardBias(libraries.dnn, &kOne, dy.desc, dy.data, &kZero,
                                       b.gradient.desc, b.gradient.data));
  }
};

class Network {
 public:
  Network(const std::string& folder, int batch)
      : batch_(batch),
        x_(batch, 1, 28, 28),
        conv1_(folder + "/conv1", batch, 1, 28, 32),
        conv2_(folder + "/conv2", batch, 32, 12, 64),
        dense1_(folder + "/dense1", batch, 1024, 128),
        dense2_(folder + "/dense2", batch, 128, kClasses),
        probabilities_(batch, kClasses, 1, 1),
        wanted_(batch, kClasses, 1, 1) {}

  void load(const float* images, const int* labels) {
    labels_.assign(labels, labels + batch_);
    std::vector<float> wanted(wanted_.elements());
    for (int i = 0; i < batch_; ++i) wanted[static_cast<size_t>(i * kClasses + labels[i])] = 1;
    x_.load(images);
    wanted_.load(wanted.data());
  }

  void step() {
    const cudnnHandle_t dnn = libraries_.dnn;
    conv1_.forward(dnn, x_);
    conv2_.forward(dnn, conv1_.pooled);
    dense1_.forward(libraries_, conv2_.pooled);
    relu_.forward(dnn, dense1_.y);
    dense2_.forward(libraries_, dense1_.y);
    check(cudnnSoftmaxForward(dnn, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &kOne,
                              dense2_.y.desc, dense2_.y.data, &kZero, probabilities_.desc,
                              probabilities_.data));
    // The gradient of the mean cross entropy.
    const float share = 1 / static_cast<float>(batch_), taken = -share;
    check(cudnnAddTensor(dnn, &share, probabilities_.desc, probabilities_.data, &kZero,
                         dense2_.dy.desc, dense2_.dy.data));
    check(cudnnAddTensor(dnn, &taken, wanted_.desc, wanted_.data, &kOne, dense2_.dy.desc,
                         dense2_.dy.data));
    dense2_.backward(libraries_, dense1_.y, dense1_.dy);
    relu_.backward(dnn, dense1_.y, dense1_.dy);
    dense1_.backward(libraries_, conv2_.pooled, conv2_.d_pooled);
    conv2_.backward(dnn, conv1_.pooled, &conv1_.d_pooled);
    conv1_.backward(dnn, x_, nullptr);
    for (Parameter* each : {&conv1_.w, &conv1_.b, &conv2_.w, &conv2_.b, &dense1_.w, &dense1_.b,
                            &dense2_.w, &dense2_.b}) {
      each->update(dnn);
    }
  }

  // Of the last step.
  double loss() {
    std::vector<float> probabilities(probabilities_.elements());
    check(cudaMemcpy(probabilities.data(), probabilities_.data, probabilities_.bytes(),
                     cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < batch_; ++i) {
      const auto label = static_cast<size_t>(labels_[static_cast<size_t>(i)]);
      sum -= std::log(double{probabilities[static_cast<size_t>(i * kClasses) + label]});
    }
    return sum / batch_;
  }

 private:
  int batch_;
  Libraries libraries_;
  Tensor x_;
  ConvLayer conv1_, conv2_;
  Dense dense1_, dense2_;
  Relu relu_;
  Tensor probabilities_, wanted_;
  std::vector<int> labels_;
};

}  // namespace

int main(int argc, char** argv) {
  check(argc == 3, "usage: training FOLDER BATCH; this call");
  const std::string folder = argv[1];
  const int batch = std::atoi(argv[2]);
  const auto images = static_cast<size_t>(batch);
  const std::vector<float> x = read<float>(folder + "/images.f32", images * 784);
  const std::vector<int> labels = read<int>(folder + "/labels.i32", images);
  Network network(folder, batch);
  int steps = 0;
  while (std::scanf("%d", &steps) == 1) {
    const double begin = cpu_time_us();
    double loss = 0;
    for (int i = 0; i < steps; ++i) {
      network.load(x.data(), labels.data());
      network.step();
      loss = network.loss();
    }
    std::printf("%.1f %.6f\n", (cpu_time_us() - begin) / steps, loss);
    std::fflush(stdout);
  }
}
