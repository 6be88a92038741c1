// SPDX-License-Identifier: MIT
// Stage 07: the functions a submission defines. Read-only: the grader uses its own copy.
//
// d_... point to device memory: float32 (labels: uint8), row-major and contiguous, as cudaMalloc
// aligns it. Inputs are never written. A function launches its work on `stream` and returns without
// waiting for it, unless it says otherwise: cudaSuccess, or the first error it met, that of a
// launch (cudaGetLastError) included. Sizes are at least 1, and a tensor has fewer than 2^31
// elements. The same call gives the same bits on every run: no atomics on floats.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "convkit/todo.h"

// A network as text, one layer per line; convkit/architecture.h reads it:
//
//   input 1x28x28          channels x height x width of an image
//   conv 32 5x5 pad 2      maps, kernel, padding (0 if left out); stride 1
//   batchnorm              of the channels, after conv; of the features, after flatten or dense
//   relu
//   maxpool 2x2            window and stride; rows and columns left over are not looked at
//   avgpool 2x2
//   flatten
//   dense 10               outputs
//   dropout 0.5            the probability that an element is dropped
//   softmax                always the last line
//
// Layers are named by kind and number: conv1, conv2, dense1. Parameters, in this order:
//   conv1.weight [m][c][kh][kw], conv1.bias [m], dense1.weight [out][in], dense1.bias [out],
//   batchnorm1.scale, .shift, .mean, .variance [channels]; the last two are running means, which
//   training moves and gradients do not.
struct MnistNetwork;

struct MnistParameter {
  const char* name;  // "conv1.weight"; lives as long as the network
  int rank, dims[4];
  int64_t size;  // elements
  int trained;   // 0: a running mean; the three pointers below are null then
  float* d_value;
  float* d_gradient;  // filled by mnist_backward
  float *d_m, *d_v;   // the optimizer's: Adam's m and v; SGD has its velocity in m
};

struct MnistLayer {
  const char* name;    // "conv1"
  int shape[3];        // of what it puts out: channels, height, width; a vector is [size][1][1]
  int64_t parameters;  // trained ones
};

// count images [count][h][w] of bytes and their labels, 0 to 9, both in host memory.
struct MnistData {
  const uint8_t* images;
  const uint8_t* labels;
  int count;
};

enum MnistOptimizer { kMnistSgd = 0, kMnistAdam = 1 };
enum MnistSchedule { kMnistConstant = 0, kMnistStep = 1, kMnistCosine = 2 };
enum MnistBackend { kMnistOwnKernels = 0, kMnistLibraries = 1 };

struct MnistSettings {
  int batch;   // images of a step; the last one of an epoch may have fewer
  int epochs;  // of the whole training, for the schedule
  int optimizer, schedule;
  float lr, momentum, weight_decay;
  int step_epochs;    // kMnistStep: after so many epochs, at least 1; else it means nothing
  float step_factor;  // the learning rate is multiplied by this
  uint64_t seed;      // of the order of the images
};

struct MnistProgress {
  int64_t step;  // which has just been done, counted from 0
  int epoch;     // the same
  int images;    // of its batch
  float loss;    // its mean
  int right;     // of its images, how many the network had right
  float lr;
};

// Called once for each step, in order. A return value other than 0 ends the training: soon, not
// necessarily with this step.
typedef int (*MnistCallback)(void* user, const MnistProgress* progress);

extern "C" {

// --- 07.1  dense.cu, softmax.cu --------------------------------------------------------------
// y [n][out] = x [n][in] w^T + b, with w [out][in].
cudaError_t dense_forward(const float* d_x, const float* d_w, const float* d_b, float* d_y, int n,
                          int in, int out, cudaStream_t stream);

// Probabilities of each row; the maximum of the row is subtracted before exp.
cudaError_t softmax_forward(const float* d_logits, float* d_probabilities, int n, int classes,
                            cudaStream_t stream);

// --- 07.1 to 07.3  network.cu ----------------------------------------------------------------
// Makes a network for batches of up to max_batch images; all its memory is allocated here. Weights
// follow from the seed: see initialise(). Returns cudaErrorInvalidValue for a text that is no
// network (mnist_problem() says why) and cudaErrorNotSupported for a backend that does not exist.
cudaError_t mnist_create(const char* architecture, int max_batch, uint64_t seed, int backend,
                         MnistNetwork** network);
void mnist_destroy(MnistNetwork* network);  // null is fine
// Why the last function refused or failed, one sentence, or "". Lives until the next call.
const char* mnist_problem();
// Fills in up to `room` entries, and returns how many there are.
int mnist_layers(const MnistNetwork* network, MnistLayer* layers, int room);
int mnist_parameters(const MnistNetwork* network, MnistParameter* parameters, int room);

// x [n][c][h][w] -> logits [n][classes], what goes into the softmax. Keeps what mnist_backward
// needs. training 1: batch normalisation uses the batch and moves its running means, dropout drops
// elements chosen by `step` and the seed; 0: running means, and nothing is dropped.
cudaError_t mnist_forward(MnistNetwork* network, const float* d_x, int n, int training,
                          int64_t step, float* d_logits, cudaStream_t stream);

// After mnist_forward with training 1 and the same d_x and n: dE/dlogits [n][classes] -> the
// gradients of all parameters, and of x where d_dx is not null. What they held before is
// overwritten. Of equal largest elements of a max pooling the first, row by row, gets the gradient.
cudaError_t mnist_backward(MnistNetwork* network, const float* d_x, const float* d_dlogits, int n,
                           float* d_dx, cudaStream_t stream);

// --- 07.3  softmax.cu, batch_norm.cu, dropout.cu ---------------------------------------------
// The loss of each image, -ln(probability of its label), and the gradient of their *mean*.
cudaError_t softmax_cross_entropy(const float* d_logits, const uint8_t* d_labels, float* d_losses,
                                  float* d_dlogits, int n, int classes, cudaStream_t stream);

// x, y, dx, dy [n][c][area]. y = scale (x - mean) / sqrt(variance + epsilon) + shift with mean and
// variance (divided by their number) of each channel over n and area; both are kept as d_mean and
// d_inverse = 1 / sqrt(variance + epsilon). The running means move by `momentum` towards them:
// old + momentum (new - old), the variance divided by the number less one.
cudaError_t batchnorm_forward(const float* d_x, const float* d_scale, const float* d_shift,
                              float* d_y, float* d_mean, float* d_inverse, float* d_running_mean,
                              float* d_running_variance, float momentum, float epsilon, int n,
                              int c, int area, cudaStream_t stream);
cudaError_t batchnorm_backward(const float* d_x, const float* d_dy, const float* d_scale,
                               const float* d_mean, const float* d_inverse, float* d_dx,
                               float* d_dscale, float* d_dshift, int n, int c, int area,
                               cudaStream_t stream);

// y = x / (1 - probability) where keep is 1, and 0 where it is 0.
cudaError_t dropout_forward(const float* d_x, const uint8_t* d_keep, float* d_y, float probability,
                            int size, cudaStream_t stream);

// --- 07.4  optimizer.cu, initialise.cu, training.cu ------------------------------------------
// g = gradient + weight_decay w;  velocity = momentum velocity + g;  w = w - lr velocity.
cudaError_t sgd_step(float* d_w, const float* d_gradient, float* d_velocity, float lr,
                     float momentum, float weight_decay, int size, cudaStream_t stream);

// g = gradient + weight_decay w;  m = 0.9 m + 0.1 g;  v = 0.999 v + 0.001 g g;
// w = w - lr m' / (sqrt(v') + 1e-8) with m' = m / (1 - 0.9^t), v' = v / (1 - 0.999^t), t = step
// + 1.
cudaError_t adam_step(float* d_w, const float* d_gradient, float* d_m, float* d_v, float lr,
                      float weight_decay, int64_t step, int size, cudaStream_t stream);

// w[i] = limit (2 r_i - 1), where r_i = uniform_float(seed, stream_of_numbers, i) of
// convkit/counter_random.h. Kaiming (xavier 0): limit = sqrt(6 / fan_in); Xavier (1):
// sqrt(6 / (fan_in + fan_out)). A network uses Xavier's with fan_in for both, sqrt(3 / fan_in), as
// LeCun proposed it, for all weights (of a convolution, fan_in = c kh kw): Kaiming reckons with
// ReLU, but max pooling, which keeps the largest of four, makes numbers larger once more. The index
// of the parameter is stream_of_numbers; biases and shifts are 0, scales and variances 1, means 0.
cudaError_t initialise(float* d_w, int size, int fan_in, int fan_out, int xavier, uint64_t seed,
                       uint64_t stream_of_numbers, cudaStream_t stream);

// Writes the learning rate of an epoch, counted from 0, to *lr. Cosine: lr (1 + cos(pi epoch /
// epochs)) / 2.
void learning_rate(const MnistSettings* settings, int epoch, float* lr);

// The place of each image in an epoch: order [count], from the seed. Fisher and Yates: order is
// 0, 1, 2, ...; for i = count - 1 down to 1, order[i] and order[j] change places, where
// j = random_bits(seed, 1000 + epoch, i) % (i + 1).
void epoch_order(uint64_t seed, int epoch, int count, int* order);

// Does steps first_step, first_step + 1, ... (`steps` of them) of the training that `settings` and
// `data` describe, and waits for the last. An epoch has ceil(count / batch) steps; step s takes the
// next `batch` images of its epoch's order, as numbers (byte / 255 - 0.1307) / 0.3081. The network
// holds all else: a training that stops and continues gives the same bits as one that does not
// stop. *done: how many were done. Also ends after a step whose loss is not finite. callback may be
// null.
cudaError_t mnist_train(MnistNetwork* network, const MnistData* data, const MnistSettings* settings,
                        int64_t first_step, int64_t steps, MnistCallback callback, void* user,
                        int64_t* done);

// --- 07.5  batch_norm.cu, inference.cu -------------------------------------------------------
// Weights and bias of a layer that does what w [m][taps], b [m] and a batch normalisation of its m
// maps by running mean and variance do.
cudaError_t batchnorm_fold(const float* d_w, const float* d_b, const float* d_scale,
                           const float* d_shift, const float* d_mean, const float* d_variance,
                           float epsilon, float* d_folded_w, float* d_folded_b, int m, int taps,
                           cudaStream_t stream);

// images [count][h][w] bytes -> probabilities [count][classes], both in host memory, for any count;
// waits. Nothing is kept for a backward pass, dropout is not there, and a batch normalisation right
// behind a conv or dense layer is folded into it.
cudaError_t mnist_predict(MnistNetwork* network, const uint8_t* images, int count,
                          float* probabilities);
}
