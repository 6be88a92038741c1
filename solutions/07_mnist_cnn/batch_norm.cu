// SPDX-License-Identifier: MIT
// Batch normalisation: training and its gradient (task 07.3), inference and folding (task 07.5).
#include "batch_norm.cuh"

#include "convkit/grid_stride_range.h"
#include "reduction.cuh"

namespace {

constexpr int kThreads = 256;

// BEGIN SOLUTION(07.3)
//> // TODO(07.3): kernels for both directions: one block for each channel.
// Element i of channel c, counted through all images.
__device__ int64_t place_of(int64_t i, int c, int channels, int area) {
  return (i / area * channels + c) * area + i % area;
}

__global__ void forward_kernel(const float* __restrict__ x, const float* __restrict__ scale,
                               const float* __restrict__ shift, float* __restrict__ y,
                               float* __restrict__ mean, float* __restrict__ inverse,
                               float* __restrict__ running_mean,
                               float* __restrict__ running_variance, float momentum, float epsilon,
                               int n, int channels, int area) {
  __shared__ float shared[kThreads];
  const int c = blockIdx.x;
  const int64_t count = int64_t(n) * area;
  float sum = 0.0f;
  for (int64_t i = threadIdx.x; i < count; i += kThreads) sum += x[place_of(i, c, channels, area)];
  const float average = block_sum<kThreads>(sum, shared) / count;
  // From the differences: the mean of the squares minus the square of the mean loses all digits if
  // the mean is large.
  float squares = 0.0f;
  for (int64_t i = threadIdx.x; i < count; i += kThreads) {
    const float difference = x[place_of(i, c, channels, area)] - average;
    squares += difference * difference;
  }
  squares = block_sum<kThreads>(squares, shared);
  const float one_over = 1.0f / sqrtf(squares / count + epsilon);
  const float a = scale[c], b = shift[c];
  for (int64_t i = threadIdx.x; i < count; i += kThreads) {
    const int64_t at = place_of(i, c, channels, area);
    y[at] = a * ((x[at] - average) * one_over) + b;
  }
  if (threadIdx.x != 0) return;
  mean[c] = average;
  inverse[c] = one_over;
  const float unbiased = squares / (count > 1 ? count - 1 : 1);
  running_mean[c] += momentum * (average - running_mean[c]);
  running_variance[c] += momentum * (unbiased - running_variance[c]);
}

// With h = (x - mean) inverse:  dx = scale inverse (dy - mean of dy - h mean of (dy h)).
__global__ void backward_kernel(const float* __restrict__ x, const float* __restrict__ dy,
                                const float* __restrict__ scale, const float* __restrict__ mean,
                                const float* __restrict__ inverse, float* __restrict__ dx,
                                float* __restrict__ dscale, float* __restrict__ dshift, int n,
                                int channels, int area) {
  __shared__ float shared[kThreads];
  const int c = blockIdx.x;
  const int64_t count = int64_t(n) * area;
  const float average = mean[c], one_over = inverse[c];
  float sum = 0.0f, with_h = 0.0f;
  for (int64_t i = threadIdx.x; i < count; i += kThreads) {
    const int64_t at = place_of(i, c, channels, area);
    sum += dy[at];
    with_h += dy[at] * ((x[at] - average) * one_over);
  }
  sum = block_sum<kThreads>(sum, shared);
  with_h = block_sum<kThreads>(with_h, shared);
  if (threadIdx.x == 0) dshift[c] = sum, dscale[c] = with_h;
  const float factor = scale[c] * one_over;
  for (int64_t i = threadIdx.x; i < count; i += kThreads) {
    const int64_t at = place_of(i, c, channels, area);
    const float h = (x[at] - average) * one_over;
    dx[at] = factor * (dy[at] - sum / count - h * (with_h / count));
  }
}
// END SOLUTION

// BEGIN SOLUTION(07.5)
//> // TODO(07.5): kernels for inference by the running means, and for folding.
__global__ void inference_kernel(const float* __restrict__ x, const float* __restrict__ scale,
                                 const float* __restrict__ shift, const float* __restrict__ mean,
                                 const float* __restrict__ variance, float* __restrict__ y,
                                 float epsilon, int channels, int area, int64_t size) {
  for (const int64_t at : grid_stride_range(size)) {
    const int c = static_cast<int>(at / area % channels);
    const float one_over = 1.0f / sqrtf(variance[c] + epsilon);
    y[at] = scale[c] * ((x[at] - mean[c]) * one_over) + shift[c];
  }
}

// scale (w x + b - mean) inverse + shift = (scale inverse w) x + (scale inverse (b - mean) + shift)
__global__ void fold_kernel(const float* __restrict__ w, const float* __restrict__ b,
                            const float* __restrict__ scale, const float* __restrict__ shift,
                            const float* __restrict__ mean, const float* __restrict__ variance,
                            float epsilon, float* __restrict__ folded_w,
                            float* __restrict__ folded_b, int taps, int64_t size) {
  for (const int64_t at : grid_stride_range(size)) {
    const int64_t m = at / taps;
    const float factor = scale[m] * (1.0f / sqrtf(variance[m] + epsilon));
    folded_w[at] = factor * w[at];
    if (at % taps == 0) folded_b[m] = factor * (b[m] - mean[m]) + shift[m];
  }
}
// END SOLUTION

}  // namespace

cudaError_t batchnorm_forward(const float* d_x, const float* d_scale, const float* d_shift,
                              float* d_y, float* d_mean, float* d_inverse, float* d_running_mean,
                              float* d_running_variance, float momentum, float epsilon, int n,
                              int c, int area, cudaStream_t stream) {
  // BEGIN SOLUTION(07.3)
  //> (void)d_x, (void)d_scale, (void)d_shift, (void)d_y, (void)d_mean, (void)d_inverse;
  //> (void)d_running_mean, (void)d_running_variance, (void)momentum, (void)epsilon;
  //> (void)n, (void)c, (void)area, (void)stream, (void)kThreads;
  //> CONVKIT_TODO("07.3");
  //> return cudaSuccess;
  forward_kernel<<<c, kThreads, 0, stream>>>(d_x, d_scale, d_shift, d_y, d_mean, d_inverse,
                                             d_running_mean, d_running_variance, momentum, epsilon,
                                             n, c, area);
  return cudaGetLastError();
  // END SOLUTION
}

cudaError_t batchnorm_backward(const float* d_x, const float* d_dy, const float* d_scale,
                               const float* d_mean, const float* d_inverse, float* d_dx,
                               float* d_dscale, float* d_dshift, int n, int c, int area,
                               cudaStream_t stream) {
  // BEGIN SOLUTION(07.3)
  //> (void)d_x, (void)d_dy, (void)d_scale, (void)d_mean, (void)d_inverse, (void)d_dx;
  //> (void)d_dscale, (void)d_dshift, (void)n, (void)c, (void)area, (void)stream;
  //> CONVKIT_TODO("07.3");
  //> return cudaSuccess;
  backward_kernel<<<c, kThreads, 0, stream>>>(d_x, d_dy, d_scale, d_mean, d_inverse, d_dx, d_dscale,
                                              d_dshift, n, c, area);
  return cudaGetLastError();
  // END SOLUTION
}

cudaError_t batchnorm_fold(const float* d_w, const float* d_b, const float* d_scale,
                           const float* d_shift, const float* d_mean, const float* d_variance,
                           float epsilon, float* d_folded_w, float* d_folded_b, int m, int taps,
                           cudaStream_t stream) {
  // BEGIN SOLUTION(07.5)
  //> (void)d_w, (void)d_b, (void)d_scale, (void)d_shift, (void)d_mean, (void)d_variance;
  //> (void)epsilon, (void)d_folded_w, (void)d_folded_b, (void)m, (void)taps, (void)stream;
  //> CONVKIT_TODO("07.5");
  //> return cudaSuccess;
  const int64_t size = int64_t(m) * taps;
  fold_kernel<<<grid_stride_blocks(size, kThreads), kThreads, 0, stream>>>(
      d_w, d_b, d_scale, d_shift, d_mean, d_variance, epsilon, d_folded_w, d_folded_b, taps, size);
  return cudaGetLastError();
  // END SOLUTION
}

BatchNorm::BatchNorm(const LayerSpec& spec) : Layer(spec), mean_(spec.in.c), inverse_(spec.in.c) {
  const char* names[] = {".scale", ".shift", ".mean", ".variance"};
  int i = 0;
  for (Parameter* parameter : parameters()) {
    parameter->name = name() + names[i++];
    parameter->dims = {channels()};
  }
  scale_.start = running_variance_.start = Start::one;
  running_mean_.trained = running_variance_.trained = false;
}

std::vector<Parameter*> BatchNorm::parameters() {
  return {&scale_, &shift_, &running_mean_, &running_variance_};
}

void BatchNorm::forward(const Pass& pass, const float* d_x, float* d_y) {
  if (pass.training) {
    check(batchnorm_forward(d_x, scale_.value, shift_.value, d_y, mean_.data(), inverse_.data(),
                            running_mean_.value, running_variance_.value, kBatchNormMomentum,
                            kBatchNormEpsilon, pass.n, channels(), area(), pass.stream));
    return;
  }
  // BEGIN SOLUTION(07.5)
  //> // TODO(07.5): by the running mean and variance.
  //> CONVKIT_TODO("07.5");
  const int64_t size = pass.n * input().size();
  inference_kernel<<<grid_stride_blocks(size, kThreads), kThreads, 0, pass.stream>>>(
      d_x, scale_.value, shift_.value, running_mean_.value, running_variance_.value, d_y,
      kBatchNormEpsilon, channels(), area(), size);
  check(cudaGetLastError());
  // END SOLUTION
}

void BatchNorm::backward(const Pass& pass, const float* d_x, const float*, const float* d_dy,
                         float* d_dx) {
  if (!d_dx) {  // the network's first layer: the kernel writes it all the same
    if (unused_.count() < pass.n * input().size()) {
      unused_ = DeviceArray<float>(pass.n * input().size());
    }
    d_dx = unused_.data();
  }
  check(batchnorm_backward(d_x, d_dy, scale_.value, mean_.data(), inverse_.data(), d_dx,
                           scale_.gradient, shift_.gradient, pass.n, channels(), area(),
                           pass.stream));
}

void BatchNorm::fold_into(const float* d_w, const float* d_b, float* d_folded_w, float* d_folded_b,
                          int taps, cudaStream_t stream) const {
  check(batchnorm_fold(d_w, d_b, scale_.value, shift_.value, running_mean_.value,
                       running_variance_.value, kBatchNormEpsilon, d_folded_w, d_folded_b,
                       channels(), taps, stream));
}

std::unique_ptr<Layer> make_batch_norm(const LayerSpec& spec) {
  return std::make_unique<BatchNorm>(spec);
}
