// SPDX-License-Identifier: MIT
// What a training step is measured against: forward and backward with a thread for each element of
// a result, everything read from global memory; compiled with the same flags as the submission.
// Only what the speed shapes need: conv, relu, maxpool, flatten, dense.
#include <memory>
#include <string>
#include <vector>

#include "convkit/architecture.h"
#include "mnist_cnn.h"

namespace {

constexpr int kThreads = 256;

unsigned blocks(int64_t elements) {
  return static_cast<unsigned>((elements + kThreads - 1) / kThreads);
}

struct Layer {
  std::string kind, weight_name, bias_name;
  int c, h, w, m, oh, ow, kh, kw, pad;
  int64_t in_size() const { return int64_t(c) * h * w; }
  int64_t out_size() const { return int64_t(m) * oh * ow; }
  int64_t weights() const { return int64_t(m) * c * kh * kw; }
  float *weight = nullptr, *bias = nullptr, *weight_gradient = nullptr, *bias_gradient = nullptr;
  float *y = nullptr, *dy = nullptr;
};

// The data of a layer that kernels need. A dense layer is a convolution of images of 1 x 1.
struct Sizes {
  int n, c, h, w, m, oh, ow, kh, kw, pad;
};

__global__ void conv_kernel(const float* x, const float* weight, const float* bias, float* y,
                            const Sizes s) {
  const int64_t at = int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (at >= int64_t(s.n) * s.m * s.oh * s.ow) return;
  const int j = at % s.ow, i = at / s.ow % s.oh, m = at / s.ow / s.oh % s.m;
  const int64_t n = at / s.ow / s.oh / s.m;
  float sum = bias[m];
  for (int c = 0; c < s.c; ++c) {
    for (int p = 0; p < s.kh; ++p) {
      for (int q = 0; q < s.kw; ++q) {
        const int row = i - s.pad + p, col = j - s.pad + q;
        if (row < 0 || row >= s.h || col < 0 || col >= s.w) continue;
        sum += x[((n * s.c + c) * s.h + row) * s.w + col] *
               weight[((m * s.c + c) * s.kh + p) * s.kw + q];
      }
    }
  }
  y[at] = sum;
}

__global__ void xgrad_kernel(const float* dy, const float* weight, float* dx, const Sizes s) {
  const int64_t at = int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (at >= int64_t(s.n) * s.c * s.h * s.w) return;
  const int col = at % s.w, row = at / s.w % s.h, c = at / s.w / s.h % s.c;
  const int64_t n = at / s.w / s.h / s.c;
  float sum = 0.0f;
  for (int m = 0; m < s.m; ++m) {
    for (int p = 0; p < s.kh; ++p) {
      for (int q = 0; q < s.kw; ++q) {
        const int i = row + s.pad - p, j = col + s.pad - q;
        if (i < 0 || i >= s.oh || j < 0 || j >= s.ow) continue;
        sum += dy[((n * s.m + m) * s.oh + i) * s.ow + j] *
               weight[((m * s.c + c) * s.kh + p) * s.kw + q];
      }
    }
  }
  dx[at] = sum;
}

// A block for each tap, and for each bias behind them.
__global__ void wgrad_kernel(const float* x, const float* dy, float* dweight, float* dbias,
                             const Sizes s) {
  __shared__ float shared[kThreads];
  const int t = threadIdx.x, taps = s.c * s.kh * s.kw;
  const bool is_bias = int(blockIdx.x) >= s.m * taps;
  const int tap = blockIdx.x % taps, m = is_bias ? blockIdx.x - s.m * taps : blockIdx.x / taps;
  const int q = tap % s.kw, p = tap / s.kw % s.kh, c = tap / s.kw / s.kh;
  float sum = 0.0f;
  for (int64_t at = t; at < int64_t(s.n) * s.oh * s.ow; at += kThreads) {
    const int j = at % s.ow, i = at / s.ow % s.oh;
    const int64_t n = at / s.ow / s.oh;
    const int row = i - s.pad + p, col = j - s.pad + q;
    const float gradient = dy[((n * s.m + m) * s.oh + i) * s.ow + j];
    if (is_bias) {
      sum += gradient;
    } else if (row >= 0 && row < s.h && col >= 0 && col < s.w) {
      sum += gradient * x[((n * s.c + c) * s.h + row) * s.w + col];
    }
  }
  shared[t] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (t < half) shared[t] += shared[t + half];
    __syncthreads();
  }
  if (t == 0) (is_bias ? dbias[m] : dweight[blockIdx.x]) = shared[0];
}

__global__ void relu_kernel(const float* x, float* y, int64_t size) {
  const int64_t at = int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (at < size) y[at] = fmaxf(x[at], 0.0f);
}

__global__ void relu_backward_kernel(const float* y, const float* dy, float* dx, int64_t size) {
  const int64_t at = int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (at < size) dx[at] = y[at] > 0 ? dy[at] : 0.0f;
}

__global__ void pool_kernel(const float* x, float* y, const Sizes s) {
  const int64_t at = int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (at >= int64_t(s.n) * s.m * s.oh * s.ow) return;
  const int j = at % s.ow, i = at / s.ow % s.oh;
  const int64_t plane = at / s.ow / s.oh;
  float best = x[(plane * s.h + i * s.kh) * s.w + j * s.kw];
  for (int p = 0; p < s.kh; ++p) {
    for (int q = 0; q < s.kw; ++q) {
      best = fmaxf(best, x[(plane * s.h + i * s.kh + p) * s.w + j * s.kw + q]);
    }
  }
  y[at] = best;
}

// A thread per element: is it the first largest of its window?
__global__ void pool_backward_kernel(const float* x, const float* dy, float* dx, const Sizes s) {
  const int64_t at = int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (at >= int64_t(s.n) * s.c * s.h * s.w) return;
  const int col = at % s.w, row = at / s.w % s.h, i = row / s.kh, j = col / s.kw;
  const int64_t plane = at / s.w / s.h;
  float gradient = 0.0f;
  if (i < s.oh && j < s.ow) {
    const int64_t corner = (plane * s.h + i * s.kh) * s.w + j * s.kw;
    int64_t winner = corner;
    for (int p = 0; p < s.kh; ++p) {
      for (int q = 0; q < s.kw; ++q) {
        const int64_t other = corner + int64_t(p) * s.w + q;
        if (x[other] > x[winner]) winner = other;
      }
    }
    if (winner == at) gradient = dy[(plane * s.oh + i) * s.ow + j];
  }
  dx[at] = gradient;
}

}  // namespace

struct MnistNetwork {
  int batch = 0;
  std::vector<Layer> layers;
  std::vector<float*> memory;

  ~MnistNetwork() {
    for (float* array : memory) cudaFree(array);
  }
  float* make(int64_t count) {
    float* array = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&array), sizeof(float) * count);
    memory.push_back(array);
    return array;
  }
};

namespace {

Sizes sizes_of(const Layer& l, int n) {
  return {n, l.c, l.h, l.w, l.m, l.oh, l.ow, l.kh, l.kw, l.pad};
}

}  // namespace

cudaError_t mnist_create(const char* architecture, int max_batch, uint64_t, int,
                         MnistNetwork** network) {
  const Architecture text = parse_architecture(architecture);
  auto* result = new MnistNetwork;
  *network = result;
  result->batch = max_batch;
  for (const LayerSpec& s : text.layers) {
    if (s.kind == "flatten" || s.kind == "softmax") continue;
    Layer l{s.kind,
            s.name + ".weight",
            s.name + ".bias",
            s.in.c,
            s.in.h,
            s.in.w,
            s.out.c,
            s.out.h,
            s.out.w,
            s.kh,
            s.kw,
            s.pad};
    if (s.kind == "dense") l.kh = l.kw = 1;
    l.y = result->make(max_batch * l.out_size());
    l.dy = result->make(max_batch * l.out_size());
    if (s.kind == "conv" || s.kind == "dense") {
      l.weight = result->make(l.weights()), l.weight_gradient = result->make(l.weights());
      l.bias = result->make(l.m), l.bias_gradient = result->make(l.m);
    }
    result->layers.push_back(l);
  }
  return cudaGetLastError();
}

void mnist_destroy(MnistNetwork* network) {
  delete network;
}

int mnist_parameters(const MnistNetwork* network, MnistParameter* parameters, int room) {
  int count = 0;
  const auto add = [&](const std::string& name, int64_t size, float* value, float* gradient) {
    if (count < room) {
      parameters[count] = {name.c_str(), 1,      {int(size), 1, 1, 1}, size, 1, value, gradient,
                           nullptr,      nullptr};
    }
    ++count;
  };
  for (const Layer& l : network->layers) {
    if (!l.weight) continue;
    add(l.weight_name, l.weights(), l.weight, l.weight_gradient);
    add(l.bias_name, l.m, l.bias, l.bias_gradient);
  }
  return count;
}

cudaError_t mnist_forward(MnistNetwork* network, const float* d_x, int n, int, int64_t,
                          float* d_logits, cudaStream_t stream) {
  const float* x = d_x;
  for (const Layer& l : network->layers) {
    const int64_t size = n * l.out_size();
    if (l.kind == "relu") {
      relu_kernel<<<blocks(size), kThreads, 0, stream>>>(x, l.y, size);
    } else if (l.kind == "maxpool") {
      pool_kernel<<<blocks(size), kThreads, 0, stream>>>(x, l.y, sizes_of(l, n));
    } else {
      conv_kernel<<<blocks(size), kThreads, 0, stream>>>(x, l.weight, l.bias, l.y, sizes_of(l, n));
    }
    x = l.y;
  }
  cudaMemcpyAsync(d_logits, x, sizeof(float) * n * network->layers.back().out_size(),
                  cudaMemcpyDeviceToDevice, stream);
  return cudaGetLastError();
}

cudaError_t mnist_backward(MnistNetwork* network, const float* d_x, const float* d_dlogits, int n,
                           float*, cudaStream_t stream) {
  const auto& layers = network->layers;
  for (size_t i = layers.size(); i-- > 0;) {
    const Layer& l = layers[i];
    const float* x = i == 0 ? d_x : layers[i - 1].y;
    const float* dy = i + 1 == layers.size() ? d_dlogits : l.dy;
    float* dx = i == 0 ? nullptr : layers[i - 1].dy;
    const int64_t size = n * l.in_size();
    if (l.kind == "relu") {
      relu_backward_kernel<<<blocks(size), kThreads, 0, stream>>>(l.y, dy, dx, size);
    } else if (l.kind == "maxpool") {
      pool_backward_kernel<<<blocks(size), kThreads, 0, stream>>>(x, dy, dx, sizes_of(l, n));
    } else {
      const unsigned sums = static_cast<unsigned>(l.weights() + l.m);
      wgrad_kernel<<<sums, kThreads, 0, stream>>>(x, dy, l.weight_gradient, l.bias_gradient,
                                                  sizes_of(l, n));
      if (!dx) continue;
      xgrad_kernel<<<blocks(size), kThreads, 0, stream>>>(dy, l.weight, dx, sizes_of(l, n));
    }
  }
  return cudaGetLastError();
}
