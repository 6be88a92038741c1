// SPDX-License-Identifier: MIT
// Copies batches to the device: while one batch is used, the next one is copied on a second stream,
// from pinned host memory, because only such copies run beside kernels.
#pragma once

#include "network.cuh"

// The device's result of a step.
struct StepResult {
  float loss;  // the mean of the batch
  int right;
};

struct BatchFeeder {
  explicit BatchFeeder(const MnistNetwork& network);
  ~BatchFeeder();

  // A slot holds one batch. Step s uses slot s % 2.
  struct Slot {
    uint8_t* pinned_images = nullptr;
    uint8_t* pinned_labels = nullptr;
    StepResult* pinned_result = nullptr;
    DeviceArray<uint8_t> images, labels;
    DeviceArray<StepResult> result;
    cudaEvent_t copied = nullptr;  // the batch is on the device
    cudaEvent_t used = nullptr;    // no step reads it any more
    cudaEvent_t done = nullptr;    // the step's result is in pinned_result
    int count = 0;
  };
  Slot slots[2];
  cudaStream_t copies = nullptr;

  // Gathers images order[first] to order[first + count - 1] and starts the copy to the device.
  void fetch(Slot& slot, const MnistData& data, const int* order, int64_t first, int count,
             int image_size);
};
