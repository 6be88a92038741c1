// SPDX-License-Identifier: MIT
// Softmax (task 07.1), and with the cross entropy behind it (task 07.3).
#include "mnist_cnn.h"

namespace {

constexpr int kThreads = 128;

__device__ float maximum(const float* row, int classes) {
  float largest = row[0];
  for (int k = 1; k < classes; ++k) largest = fmaxf(largest, row[k]);
  return largest;
}

// The sum of exp(row[k] - largest), which is between 1 and the number of classes.
__device__ float sum_of_powers(const float* row, int classes, float largest) {
  float sum = 0.0f;
  for (int k = 0; k < classes; ++k) sum += expf(row[k] - largest);
  return sum;
}

__global__ void softmax_kernel(const float* __restrict__ logits, float* __restrict__ probabilities,
                               int n, int classes) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;
  const float* row = logits + int64_t(i) * classes;
  float* result = probabilities + int64_t(i) * classes;
  const float largest = maximum(row, classes);
  const float sum = sum_of_powers(row, classes, largest);
  for (int k = 0; k < classes; ++k) result[k] = expf(row[k] - largest) / sum;
}

__global__ void cross_entropy_kernel(const float* __restrict__ logits,
                                     const uint8_t* __restrict__ labels, float* __restrict__ losses,
                                     float* __restrict__ dlogits, int n, int classes) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;
  const float* row = logits + int64_t(i) * classes;
  float* gradient = dlogits + int64_t(i) * classes;
  const int label = labels[i];
  const float largest = maximum(row, classes);
  const float sum = sum_of_powers(row, classes, largest);
  // ln of a probability, without the probability: that may be 0.
  losses[i] = logf(sum) - (row[label] - largest);
  for (int k = 0; k < classes; ++k) {
    const float probability = expf(row[k] - largest) / sum;
    gradient[k] = probability / n;
  }
}

}  // namespace

cudaError_t softmax_forward(const float* d_logits, float* d_probabilities, int n, int classes,
                            cudaStream_t stream) {
  softmax_kernel<<<(n + kThreads - 1) / kThreads, kThreads, 0, stream>>>(d_logits, d_probabilities,
                                                                         n, classes);
  return cudaGetLastError();
}

cudaError_t softmax_cross_entropy(const float* d_logits, const uint8_t* d_labels, float* d_losses,
                                  float* d_dlogits, int n, int classes, cudaStream_t stream) {
  cross_entropy_kernel<<<(n + kThreads - 1) / kThreads, kThreads, 0, stream>>>(
      d_logits, d_labels, d_losses, d_dlogits, n, classes);
  return cudaGetLastError();
}
