// SPDX-License-Identifier: MIT
// Softmax (task 07.1), and with the cross entropy behind it (task 07.3).
#include "mnist_cnn.h"

namespace {

constexpr int kThreads = 128;

// BEGIN SOLUTION(07.1)
//> // TODO(07.1): a kernel for softmax_forward, one thread for each row.
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
// END SOLUTION

// BEGIN SOLUTION(07.3)
//> // TODO(07.3): a kernel for softmax_cross_entropy.
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
  // The logarithm of a probability, without the probability itself, which may be 0.
  losses[i] = logf(sum) - (row[label] - largest);
  for (int k = 0; k < classes; ++k) {
    const float probability = expf(row[k] - largest) / sum;
    gradient[k] = (probability - (k == label ? 1.0f : 0.0f)) / n;
  }
}
// END SOLUTION

}  // namespace

cudaError_t softmax_forward(const float* d_logits, float* d_probabilities, int n, int classes,
                            cudaStream_t stream) {
  // BEGIN SOLUTION(07.1)
  //> (void)d_logits, (void)d_probabilities, (void)n, (void)classes, (void)stream, (void)kThreads;
  //> CONVKIT_TODO("07.1");
  //> return cudaSuccess;
  softmax_kernel<<<(n + kThreads - 1) / kThreads, kThreads, 0, stream>>>(d_logits, d_probabilities,
                                                                         n, classes);
  return cudaGetLastError();
  // END SOLUTION
}

cudaError_t softmax_cross_entropy(const float* d_logits, const uint8_t* d_labels, float* d_losses,
                                  float* d_dlogits, int n, int classes, cudaStream_t stream) {
  // BEGIN SOLUTION(07.3)
  //> (void)d_logits, (void)d_labels, (void)d_losses, (void)d_dlogits, (void)n, (void)classes;
  //> (void)stream;
  //> CONVKIT_TODO("07.3");
  //> return cudaSuccess;
  cross_entropy_kernel<<<(n + kThreads - 1) / kThreads, kThreads, 0, stream>>>(
      d_logits, d_labels, d_losses, d_dlogits, n, classes);
  return cudaGetLastError();
  // END SOLUTION
}
