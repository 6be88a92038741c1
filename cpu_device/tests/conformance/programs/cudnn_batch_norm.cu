// SPDX-License-Identifier: MIT
// Batch normalisation in training, inference and backward, of channels and of activations. Link
// with -lcudnn.
#include "../check_cudnn.h"

constexpr double kEpsilon = 0.25;

void normalise(cudnnHandle_t dnn, cudnnBatchNormMode_t mode, int height) {
  const Tensor x_desc(2, 2, 2, 1), parameters;
  CHECK(cudnnDeriveBNTensorDescriptor(parameters, x_desc, mode));
  const bool spatial = mode != CUDNN_BATCHNORM_PER_ACTIVATION;
  const std::size_t count = spatial ? 2 : 4;
  const DeviceArray<float> x{1, 3, -2, 0, 5, 4, 2, 8}, dy{1, -1, 2, 0, 3, 1, -2, 4}, y(8), dx(8);
  const std::vector<float> scales{2, -1, 0.5f, 3}, biases{1, 10, 0, -2};
  const std::vector<float> first_scales(scales.begin(), scales.begin() + static_cast<long>(count));
  const std::vector<float> first_biases(biases.begin(), biases.begin() + static_cast<long>(count));
  const DeviceArray<float> scale(first_scales), bias(first_biases), mean(count), variance(count);
  const DeviceArray<float> saved_mean(count), saved_inverse(count), dscale(count), dbias(count);
  const float one = 1, zero = 0;
  std::printf("height of the parameters: %d\n", height);
  for (const double factor : {1.0, 0.25}) {
    CHECK(cudnnBatchNormalizationForwardTraining(dnn, mode, &one, &zero, x_desc, x.data(), x_desc,
                                                 y.data(), parameters, scale.data(), bias.data(),
                                                 factor, mean.data(), variance.data(), kEpsilon,
                                                 saved_mean.data(), saved_inverse.data()));
  }
  show("training", y);
  show("mean", mean);
  show("variance", variance);
  show("saved mean", saved_mean);
  show("saved inverse", saved_inverse);
  CHECK(cudnnBatchNormalizationForwardInference(dnn, mode, &one, &one, x_desc, x.data(), x_desc,
                                                y.data(), parameters, scale.data(), bias.data(),
                                                mean.data(), variance.data(), kEpsilon));
  show("inference, added", y);
  CHECK(cudnnBatchNormalizationBackward(dnn, mode, &one, &zero, &one, &zero, x_desc, x.data(),
                                        x_desc, dy.data(), x_desc, dx.data(), parameters,
                                        scale.data(), dscale.data(), dbias.data(), kEpsilon,
                                        saved_mean.data(), saved_inverse.data()));
  show("dx", dx);
  show("dscale", dscale);
  show("dbias", dbias);
  const DeviceArray<float> again(8);
  CHECK(cudnnBatchNormalizationBackward(
      dnn, mode, &one, &zero, &one, &one, x_desc, x.data(), x_desc, dy.data(), x_desc, again.data(),
      parameters, scale.data(), dscale.data(), dbias.data(), kEpsilon, nullptr, nullptr));
  show("without what was saved", again);
  show("dbias, added", dbias);
}

int main() {
  const Dnn dnn;
  normalise(dnn, CUDNN_BATCHNORM_SPATIAL, 1);
  normalise(dnn, CUDNN_BATCHNORM_PER_ACTIVATION, 2);
  const Tensor x(2, 2, 2, 1), wrong(1, 3, 1, 1);
  const DeviceArray<float> a(8), b(8);
  const float one = 1, zero = 0;
  show_status("parameters of another size",
              cudnnBatchNormalizationForwardInference(dnn, CUDNN_BATCHNORM_SPATIAL, &one, &zero, x,
                                                      a.data(), x, b.data(), wrong, a.data(),
                                                      a.data(), a.data(), a.data(), kEpsilon));
}

/* Prints:
height of the parameters: 1
training: -1.882 0.68 11.06 10.53 3.242 1.961 10 8.411
mean: 3.25 2
variance: 2.917 18.667
saved mean: 3.25 2
saved inverse: 0.641 0.265
inference, added: -3.411 1.399 21.979 20.99 6.209 3.804 20 17.031
dx: 1.182 -2.431 -0.562 0.116 1.642 -0.394 0.795 -0.349
dscale: 2.562 4.239
dbias: 4 4
without what was saved: 1.182 -2.431 -0.562 0.116 1.642 -0.394 0.795 -0.349
dbias, added: 8 8
height of the parameters: 2
training: -0.94 10.707 -0.485 -4.977 2.94 9.293 0.485 0.977
mean: 3 3.5 0 4
variance: 8 0.5 8 32
saved mean: 3 3.5 0 4
saved inverse: 0.485 1.414 0.485 0.248
inference, added: -1.333 21.284 -0.833 -9.09 5.333 18.716 0.833 1.09
dx: -0.057 0.707 0.029 -0.023 0.057 -0.707 -0.029 0.023
dscale: 1.94 1.414 -3.881 3.969
dbias: 4 0 0 4
without what was saved: -0.057 0.707 0.029 -0.023 0.057 -0.707 -0.029 0.023
dbias, added: 8 0 0 8
parameters of another size: BAD_PARAM
*/
