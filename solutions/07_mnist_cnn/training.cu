// SPDX-License-Identifier: MIT
// The training loop. Task 07.4.
#include "training.cuh"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "convkit/counter_random.h"
#include "convkit/grid_stride_range.h"
#include "reduction.cuh"

namespace {

constexpr int kThreads = 256;

// This kernel is given: a block adds the losses of a batch and counts the right answers.
__global__ void result_kernel(const float* __restrict__ losses, const float* __restrict__ logits,
                              const uint8_t* __restrict__ labels, StepResult* __restrict__ result,
                              int n, int classes) {
  __shared__ float shared[kThreads];
  float loss = 0.0f, right = 0.0f;  // right: below 2^24, so exact
  for (int i = threadIdx.x; i < n; i += kThreads) {
    const float* row = logits + int64_t(i) * classes;
    int best = 0;
    for (int k = 1; k < classes; ++k) {
      if (row[k] > row[best]) best = k;
    }
    loss += losses[i];
    right += best == labels[i] ? 1.0f : 0.0f;
  }
  loss = block_sum<kThreads>(loss, shared);
  right = block_sum<kThreads>(right, shared);
  if (threadIdx.x == 0) *result = {loss / n, static_cast<int>(right)};
}

// (byte / 255 - 0.1307) / 0.3081, without divisions.
__device__ float normalised(uint8_t byte) {
  constexpr float kScale = static_cast<float>(1 / (255 * 0.3081));
  constexpr float kShift = static_cast<float>(-0.1307 / 0.3081);
  return byte * kScale + kShift;
}

// A thread takes a few bytes, four at a time; if fewer than four are left, one by one.
constexpr int kBytes = 16;

__global__ void normalise_kernel(const uint8_t* __restrict__ bytes, float* __restrict__ numbers,
                                 int64_t size) {
  for (const int64_t i : grid_stride_range((size + kBytes - 1) / kBytes)) {
    const int64_t first = i * kBytes, behind = first + kBytes;
    if (behind > size) {
      for (int64_t at = first; at < size; ++at) numbers[at] = normalised(bytes[at]);
      return;
    }
#pragma unroll
    for (int64_t at = first; at < behind; at += 4) {
      const uchar4 b = reinterpret_cast<const uchar4&>(bytes[at]);
      reinterpret_cast<float4&>(numbers[at]) = {normalised(b.x), normalised(b.y), normalised(b.z),
                                                normalised(b.w)};
    }
  }
}

// Where a step is in the training.
struct Place {
  int epoch;
  int64_t first;  // of the epoch's order
  int count;
};

Place place_of(int64_t step, int count, int batch) {
  const int64_t steps = (count + batch - 1) / batch;
  const int64_t first = step % steps * batch;
  return {static_cast<int>(step / steps), first,
          static_cast<int>(std::min<int64_t>(batch, count - first))};
}

void check_settings(const MnistNetwork& network, const MnistData& data,
                    const MnistSettings& settings, int64_t first_step, int64_t steps) {
  if (settings.batch < 1 || settings.batch > network.max_batch) {
    throw std::invalid_argument("The network was made for batches of up to " +
                                std::to_string(network.max_batch) + " images.");
  }
  if (data.count < settings.batch) {
    throw std::invalid_argument("A batch of " + std::to_string(settings.batch) +
                                " is larger than the data: " + std::to_string(data.count) +
                                " images.");
  }
  if (first_step < 0 || steps < 0) throw std::invalid_argument("Steps are counted from 0.");
}

}  // namespace

void normalise(const uint8_t* d_bytes, float* d_numbers, int64_t size, cudaStream_t stream) {
  const int64_t threads = (size + kBytes - 1) / kBytes;
  normalise_kernel<<<grid_stride_blocks(threads, kThreads), kThreads, 0, stream>>>(d_bytes,
                                                                                   d_numbers, size);
  check(cudaGetLastError());
}

BatchFeeder::BatchFeeder(const MnistNetwork& network) {
  const int batch = network.max_batch;
  const size_t bytes = size_t(batch) * network.image_size();
  for (Slot& slot : slots) {
    check(cudaMallocHost(reinterpret_cast<void**>(&slot.pinned_images), bytes));
    check(cudaMallocHost(reinterpret_cast<void**>(&slot.pinned_labels), batch));
    check(cudaMallocHost(reinterpret_cast<void**>(&slot.pinned_result), sizeof(StepResult)));
    slot.images = DeviceArray<uint8_t>(static_cast<int64_t>(bytes));
    slot.labels = DeviceArray<uint8_t>(batch);
    slot.result = DeviceArray<StepResult>(1);
    for (cudaEvent_t* event : {&slot.copied, &slot.used, &slot.done}) {
      check(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    }
  }
  check(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
  check(cudaDeviceSynchronize());  // the zeros of fresh memory are there
}

BatchFeeder::~BatchFeeder() {
  if (copies) cudaStreamDestroy(copies);
  for (Slot& slot : slots) {
    cudaFreeHost(slot.pinned_images);
    cudaFreeHost(slot.pinned_labels);
    cudaFreeHost(slot.pinned_result);
    for (cudaEvent_t event : {slot.copied, slot.used, slot.done}) {
      if (event) cudaEventDestroy(event);
    }
  }
}

void BatchFeeder::fetch(Slot& slot, const MnistData& data, const int* order, int64_t first,
                        int count, int image_size) {
  // BEGIN SOLUTION(07.4)
  //> // TODO(07.4): gather into pinned memory, then copy on the stream `copies`. Three hazards: the
  //> // last copy out of the pinned memory must be over (copied), the step that used the slot's
  //> // device memory must be over (used), and whoever uses the batch must wait for it (copied).
  //> (void)slot, (void)data, (void)order, (void)first, (void)count, (void)image_size;
  //> CONVKIT_TODO("07.4");
  check(cudaEventSynchronize(slot.copied));  // the pinned memory is free
  for (int i = 0; i < count; ++i) {
    const int64_t from = order[first + i];
    std::memcpy(slot.pinned_images + int64_t(i) * image_size, data.images + from * image_size,
                static_cast<size_t>(image_size));
    slot.pinned_labels[i] = data.labels[from];
  }
  check(cudaStreamWaitEvent(copies, slot.used, 0));  // the device memory is free
  check(cudaMemcpyAsync(slot.images.data(), slot.pinned_images, size_t(count) * image_size,
                        cudaMemcpyHostToDevice, copies));
  check(cudaMemcpyAsync(slot.labels.data(), slot.pinned_labels, static_cast<size_t>(count),
                        cudaMemcpyHostToDevice, copies));
  check(cudaEventRecord(slot.copied, copies));
  slot.count = count;
  // END SOLUTION
}

void epoch_order(uint64_t seed, int epoch, int count, int* order) {
  // BEGIN SOLUTION(07.4)
  //> // TODO(07.4): as mnist_cnn.h says.
  //> (void)seed, (void)epoch, (void)count, (void)order;
  //> CONVKIT_TODO("07.4");
  std::iota(order, order + count, 0);
  for (int i = count - 1; i > 0; --i) {
    const uint64_t j =
        random_bits(seed, 1000 + static_cast<uint64_t>(epoch), i) % (uint64_t(i) + 1);
    std::swap(order[i], order[j]);
  }
  // END SOLUTION
}
// BEGIN SOLUTION(07.4)

namespace {

// One training step on the batch of a slot, queued on the network's stream.
void queue_step(MnistNetwork& network, BatchFeeder::Slot& slot, const MnistSettings& settings,
                int64_t step, float lr) {
  const cudaStream_t stream = network.stream;
  const Pass pass{slot.count, true, step, stream};
  float* d_x = network.images.data();
  check(cudaStreamWaitEvent(stream, slot.copied, 0));
  normalise(slot.images.data(), d_x, int64_t(slot.count) * network.image_size(), stream);
  network.forward(pass, d_x);
  const float* d_logits = network.output_of(network.layers.size() - 1, d_x);
  check(softmax_cross_entropy(d_logits, slot.labels.data(), network.losses.data(),
                              network.dlogits.data(), slot.count, network.classes(), stream));
  result_kernel<<<1, kThreads, 0, stream>>>(network.losses.data(), d_logits, slot.labels.data(),
                                            slot.result.data(), slot.count, network.classes());
  check(cudaGetLastError());
  check(cudaEventRecord(slot.used, stream));
  check(cudaMemcpyAsync(slot.pinned_result, slot.result.data(), sizeof(StepResult),
                        cudaMemcpyDeviceToHost, stream));
  check(cudaEventRecord(slot.done, stream));
  network.backward(pass, d_x, network.dlogits.data(), nullptr);
  const int size = static_cast<int>(network.trained);
  check(settings.optimizer == kMnistAdam
            ? adam_step(network.values.data(), network.gradients.data(), network.m.data(),
                        network.v.data(), lr, settings.weight_decay, step, size, stream)
            : sgd_step(network.values.data(), network.gradients.data(), network.m.data(), lr,
                       settings.momentum, settings.weight_decay, size, stream));
}

}  // namespace
// END SOLUTION

cudaError_t mnist_train(MnistNetwork* network, const MnistData* data, const MnistSettings* settings,
                        int64_t first_step, int64_t steps, MnistCallback callback, void* user,
                        int64_t* done) {
  *done = 0;
  return guarded([&] {
    check_settings(*network, *data, *settings, first_step, steps);
    if (!network->feeder) network->feeder = std::make_unique<BatchFeeder>(*network);
    // BEGIN SOLUTION(07.4)
    //> // TODO(07.4): for each step: its batch (fetch), forward, softmax_cross_entropy,
    //> // result_kernel, backward, the optimizer; then the callback with the loss of the step.
    //> // First make it correct, one step after the other. Then fetch the next batch before you
    //> // wait for the result of the present one.
    //> (void)callback, (void)user, (void)result_kernel, (void)place_of;
    //> CONVKIT_TODO("07.4");
    BatchFeeder& feeder = *network->feeder;
    std::vector<int> order(data->count);
    int epoch_of_order = -1;
    const auto fetch = [&](int64_t step) {
      const Place place = place_of(step, data->count, settings->batch);
      if (place.epoch != epoch_of_order) {
        epoch_order(settings->seed, place.epoch, data->count, order.data());
        epoch_of_order = place.epoch;
      }
      feeder.fetch(feeder.slots[step % 2], *data, order.data(), place.first, place.count,
                   network->image_size());
    };
    // Waits for a step's result and passes it on; false: this was the last step.
    const auto report = [&](int64_t step) {
      const BatchFeeder::Slot& slot = feeder.slots[step % 2];
      check(cudaEventSynchronize(slot.done));
      const Place place = place_of(step, data->count, settings->batch);
      float lr = 0;
      learning_rate(settings, place.epoch, &lr);
      const MnistProgress progress{
          step, place.epoch, place.count, slot.pinned_result->loss, slot.pinned_result->right, lr};
      const bool stop = callback && callback(user, &progress) != 0;
      return !stop && std::isfinite(progress.loss);
    };

    bool go_on = true;
    if (steps > 0) fetch(first_step);
    for (int64_t i = 0; i < steps && go_on; ++i) {
      const int64_t step = first_step + i;
      const int epoch = place_of(step, data->count, settings->batch).epoch;
      float lr = 0;
      learning_rate(settings, epoch, &lr);
      queue_step(*network, feeder.slots[step % 2], *settings, step, lr);
      ++*done;
      // The result of the step before, while the device has this one to do; then there is a free
      // slot for the next batch.
      if (i > 0) go_on = report(step - 1);
      if (go_on && i + 1 < steps) fetch(step + 1);
    }
    if (*done > 0) report(first_step + *done - 1);
    check(cudaStreamSynchronize(network->stream));
    // END SOLUTION
  });
}
