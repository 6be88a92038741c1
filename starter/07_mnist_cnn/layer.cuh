// SPDX-License-Identifier: MIT
// What every layer of a network can do. A layer allocates once, in its constructor, whatever it
// needs for a batch of the largest size; its input and output belong to the network.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "convkit/architecture.h"
#include "cuda_check.cuh"
#include "device_array.cuh"
#include "mnist_cnn.h"

// One batch on its way through the network.
struct Pass {
  int n = 0;
  bool training = false;
  int64_t step = 0;  // of the training: what dropout drops follows from it
  cudaStream_t stream = nullptr;
};

enum class Start { kaiming, xavier, lecun, zero, one };

// A tensor that belongs to a layer. The network says where it lies.
struct Parameter {
  std::string name;
  std::vector<int> dims;
  Start start = Start::zero;
  int fan_in = 0, fan_out = 0;
  bool trained = true;
  float* value = nullptr;
  float* gradient = nullptr;
  float *m = nullptr, *v = nullptr;  // the optimizer's: Adam's m and v; SGD has its velocity in m

  int64_t size() const {
    int64_t count = 1;
    for (const int dim : dims) count *= dim;
    return count;
  }
};

class BatchNorm;

class Layer {
 public:
  explicit Layer(const LayerSpec& spec) : spec_(spec) {}
  virtual ~Layer() = default;

  const LayerSpec& spec() const { return spec_; }
  const std::string& name() const { return spec_.name; }
  const Shape3& input() const { return spec_.in; }
  const Shape3& output() const { return spec_.out; }
  virtual std::vector<Parameter*> parameters() { return {}; }
  // Its output is its input: there is nothing to compute, and y is x.
  virtual bool is_view() const { return false; }

  // All throw CudaError. x [n][input], y [n][output].
  virtual void forward(const Pass& pass, const float* d_x, float* d_y) = 0;
  // After forward() with training. dE/dy -> dE/dx and the gradients of its parameters. d_dx may be
  // null if it is not needed.
  virtual void backward(const Pass& pass, const float* d_x, const float* d_y, const float* d_dy,
                        float* d_dx) = 0;

  // For inference: takes over what the batch normalisation right behind this layer does, or says
  // that it cannot. Then infer() gives the output of both together.
  virtual bool fold(const BatchNorm&, cudaStream_t) { return false; }
  virtual void infer(const Pass& pass, const float* d_x, float* d_y) { forward(pass, d_x, d_y); }

 private:
  LayerSpec spec_;
};

// One for each kind of layer. `index` counts the network's layers from 0.
std::unique_ptr<Layer> make_dense(const LayerSpec& spec, int max_batch);
std::unique_ptr<Layer> make_relu(const LayerSpec& spec);
std::unique_ptr<Layer> make_flatten(const LayerSpec& spec);
std::unique_ptr<Layer> make_conv(const LayerSpec& spec, int max_batch);
std::unique_ptr<Layer> make_pool(const LayerSpec& spec);
std::unique_ptr<Layer> make_batch_norm(const LayerSpec& spec);
std::unique_ptr<Layer> make_dropout(const LayerSpec& spec, int max_batch, uint64_t seed, int index);
