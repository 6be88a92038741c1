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
