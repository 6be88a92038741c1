// SPDX-License-Identifier: MIT
// The network: its layers, and all the memory they share, allocated once.
#pragma once

#include "layer.cuh"

struct BatchFeeder;  // training.cu

struct MnistNetwork {
  // Throws std::invalid_argument with a sentence, or CudaError.
  MnistNetwork(const char* text, int max_batch, uint64_t seed, int backend);
  ~MnistNetwork();

  Architecture architecture;
  int max_batch;
  std::vector<std::unique_ptr<Layer>> layers;  // without the softmax
  std::vector<Parameter*> parameters;

  // Parameters, their gradients and the optimizer's two numbers lie in four arrays at the same
  // places: an optimizer is one launch over them. trained: elements, gaps included.
  int64_t trained = 0;
  DeviceArray<float> values, gradients, m, v, running;

  std::vector<DeviceArray<float>> outputs;  // of each layer that is not a view
  DeviceArray<float> passed[2];             // gradients on their way down
  DeviceArray<float> images;                // a batch as numbers
  DeviceArray<float> logits, dlogits, losses;
  DeviceArray<uint8_t> bytes;     // a batch of images
  cudaStream_t stream = nullptr;  // of mnist_train and mnist_predict
  std::unique_ptr<BatchFeeder> feeder;

  int classes() const { return architecture.layers.back().out.c; }
  int image_size() const { return static_cast<int>(architecture.input.size()); }
  // The input and the output of layer i, after a forward pass over d_x.
  const float* input_of(size_t i, const float* d_x) const {
    return i == 0 ? d_x : output_of(i - 1, d_x);
  }
  const float* output_of(size_t i, const float* d_x) const {
    return layers[i]->is_view() ? input_of(i, d_x) : outputs[i].data();
  }

  void forward(const Pass& pass, const float* d_x);  // the logits are the last layer's output
  void backward(const Pass& pass, const float* d_x, const float* d_dlogits, float* d_dx);
};

// numbers[i] = (bytes[i] / 255 - 0.1307) / 0.3081. Throws CudaError.
void normalise(const uint8_t* d_bytes, float* d_numbers, int64_t size, cudaStream_t stream);
