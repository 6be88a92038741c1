// SPDX-License-Identifier: MIT
// One step of SGD and of Adam, and the learning rate during a training. Task 07.4.
#include <cmath>

#include "convkit/grid_stride_range.h"
#include "mnist_cnn.h"

namespace {

constexpr int kThreads = 256;

// BEGIN SOLUTION(07.4)
//> // TODO(07.4): kernels for sgd_step and adam_step.
__device__ void move(float& w, float gradient, float& velocity, float lr, float momentum,
                     float weight_decay) {
  velocity = momentum * velocity + (gradient + weight_decay * w);
  w -= lr * velocity;
}

// A thread takes a few weights, four at a time; if fewer than four are left, one by one.
constexpr int kWeights = 16;

__global__ void sgd_kernel(float* __restrict__ w, const float* __restrict__ gradient,
                           float* __restrict__ velocity, float lr, float momentum,
                           float weight_decay, int size) {
  for (const int64_t i : grid_stride_range((int64_t(size) + kWeights - 1) / kWeights)) {
    const int64_t first = i * kWeights, behind = first + kWeights;
    if (behind > size) {
      for (int64_t at = first; at < size; ++at) {
        move(w[at], gradient[at], velocity[at], lr, momentum, weight_decay);
      }
      return;
    }
#pragma unroll
    for (int64_t at = first; at < behind; at += 4) {
      float4 w4 = reinterpret_cast<const float4&>(w[at]);
      const float4 g4 = reinterpret_cast<const float4&>(gradient[at]);
      float4 v4 = reinterpret_cast<const float4&>(velocity[at]);
      move(w4.x, g4.x, v4.x, lr, momentum, weight_decay);
      move(w4.y, g4.y, v4.y, lr, momentum, weight_decay);
      move(w4.z, g4.z, v4.z, lr, momentum, weight_decay);
      move(w4.w, g4.w, v4.w, lr, momentum, weight_decay);
      reinterpret_cast<float4&>(velocity[at]) = v4;
      reinterpret_cast<float4&>(w[at]) = w4;
    }
  }
}

__global__ void adam_kernel(float* __restrict__ w, const float* __restrict__ gradient,
                            float* __restrict__ m, float* __restrict__ v, float lr,
                            float weight_decay, float unbias_m, float unbias_v, int size) {
  for (const int64_t i : grid_stride_range(size)) {
    const float g = gradient[i] + weight_decay * w[i];
    const float m_now = 0.9f * m[i] + 0.1f * g;
    const float v_now = 0.999f * v[i] + 0.001f * (g * g);
    m[i] = m_now, v[i] = v_now;
    w[i] -= lr * (m_now * unbias_m) / (sqrtf(v_now * unbias_v) + 1e-8f);
  }
}
// END SOLUTION

}  // namespace

cudaError_t sgd_step(float* d_w, const float* d_gradient, float* d_velocity, float lr,
                     float momentum, float weight_decay, int size, cudaStream_t stream) {
  // BEGIN SOLUTION(07.4)
  //> (void)d_w, (void)d_gradient, (void)d_velocity, (void)lr, (void)momentum, (void)weight_decay;
  //> (void)size, (void)stream, (void)kThreads;
  //> CONVKIT_TODO("07.4");
  //> return cudaSuccess;
  const int64_t threads = (int64_t(size) + kWeights - 1) / kWeights;
  sgd_kernel<<<grid_stride_blocks(threads, kThreads), kThreads, 0, stream>>>(
      d_w, d_gradient, d_velocity, lr, momentum, weight_decay, size);
  return cudaGetLastError();
  // END SOLUTION
}

cudaError_t adam_step(float* d_w, const float* d_gradient, float* d_m, float* d_v, float lr,
                      float weight_decay, int64_t step, int size, cudaStream_t stream) {
  // BEGIN SOLUTION(07.4)
  //> (void)d_w, (void)d_gradient, (void)d_m, (void)d_v, (void)lr, (void)weight_decay, (void)step;
  //> (void)size, (void)stream;
  //> CONVKIT_TODO("07.4");
  //> return cudaSuccess;
  const double t = static_cast<double>(step + 1);
  const float unbias_m = static_cast<float>(1 / (1 - std::pow(0.9, t)));
  const float unbias_v = static_cast<float>(1 / (1 - std::pow(0.999, t)));
  adam_kernel<<<grid_stride_blocks(size, kThreads), kThreads, 0, stream>>>(
      d_w, d_gradient, d_m, d_v, lr, weight_decay, unbias_m, unbias_v, size);
  return cudaGetLastError();
  // END SOLUTION
}

void learning_rate(const MnistSettings* settings, int epoch, float* lr) {
  // BEGIN SOLUTION(07.4)
  //> // TODO(07.4): the three schedules.
  //> (void)settings, (void)epoch, (void)lr;
  //> CONVKIT_TODO("07.4");
  const double first = settings->lr;
  if (settings->schedule == kMnistStep) {
    const int times = settings->step_epochs > 0 ? epoch / settings->step_epochs : 0;
    *lr = static_cast<float>(first * std::pow(settings->step_factor, times));
  } else if (settings->schedule == kMnistCosine) {
    const double pi = std::acos(-1.0);
    *lr = static_cast<float>(first * (1 + std::cos(pi * epoch / settings->epochs)) / 2);
  } else {
    *lr = settings->lr;
  }
  // END SOLUTION
}
