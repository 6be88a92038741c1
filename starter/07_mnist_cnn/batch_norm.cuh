// SPDX-License-Identifier: MIT
// The batch normalisation layer, which a layer before it may fold into its weights.
#pragma once

#include "layer.cuh"

constexpr float kBatchNormEpsilon = 1e-5f, kBatchNormMomentum = 0.1f;

class BatchNorm final : public Layer {
 public:
  explicit BatchNorm(const LayerSpec& spec);
  std::vector<Parameter*> parameters() override;
  void forward(const Pass& pass, const float* d_x, float* d_y) override;
  void backward(const Pass& pass, const float* d_x, const float* d_y, const float* d_dy,
                float* d_dx) override;
  // Weights [channels][taps] and bias of a layer that computes both.
  void fold_into(const float* d_w, const float* d_b, float* d_folded_w, float* d_folded_b, int taps,
                 cudaStream_t stream) const;

 private:
  int channels() const { return input().c; }
  int area() const { return input().h * input().w; }

  Parameter scale_, shift_, running_mean_, running_variance_;
  DeviceArray<float> mean_, inverse_, unused_;  // of the last batch; a gradient that is not used
};
