// SPDX-License-Identifier: MIT
// The memory of a GPU. Regions are physical memory with a file descriptor (cuMemCreate), which
// another process can map into its own context, in whatever namespace it lives.
#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>

#include "convkit/sentinel.h"
#include "device_memory/memory.h"
#include "device_memory/values.h"

namespace convkit::device_memory {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocks = 2048;

struct Key {
  uint32_t words[8];
};

// One thread an output element, grid-stride: the outputs of `calls` slots hold the sentinel.
__global__ void fill_outputs(float* region, Layout layout, uint64_t calls) {
  const uint64_t step = uint64_t(gridDim.x) * blockDim.x;
  for (uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; i < calls * layout.output;
       i += step) {
    region[i / layout.output * layout.slot + layout.output_at + i % layout.output] =
        __uint_as_float(kSentinelBits);
  }
}

// One thread 16 input elements. `inputs` is a multiple of 16, and slots begin at multiples of 64.
template <bool kPlain>
__global__ void fill_inputs(float* region, const float* magnitudes, Layout layout, uint64_t calls,
                            Key key) {
  const uint64_t blocks = layout.inputs / 16, step = uint64_t(gridDim.x) * blockDim.x;
  for (uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; i < calls * blocks;
       i += step) {
    const uint64_t call = i / blocks, block = i % blocks;
    uint32_t bits[16] = {};
    if (!kPlain) chacha8(key.words, block, call, bits);
    const auto* from = reinterpret_cast<const float4*>(magnitudes) + block * 4;
    auto* to = reinterpret_cast<float4*>(region + call * layout.slot) + block * 4;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const float4 m = from[j];
      to[j] = {value_of(m.x, bits[4 * j]), value_of(m.y, bits[4 * j + 1]),
               value_of(m.z, bits[4 * j + 2]), value_of(m.w, bits[4 * j + 3])};
    }
  }
}

__global__ void gather(const float* region, float* samples, Layout layout, uint64_t calls,
                       uint64_t seed, uint64_t sampled) {
  const uint64_t step = uint64_t(gridDim.x) * blockDim.x;
  for (uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; i < calls * sampled;
       i += step) {
    const uint64_t call = i / sampled;
    samples[i] = region[call * layout.slot + layout.output_at +
                        place_of(seed, call, i % sampled, sampled, layout.output)];
  }
}

__global__ void nothing() {}

void must(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
  }
}

void must(CUresult error, const char* what) {
  if (error != CUDA_SUCCESS) {
    throw std::runtime_error(std::string(what) + ": error " + std::to_string(error));
  }
}

float* allocate(uint64_t elements) {
  void* memory = nullptr;
  must(cudaMalloc(&memory, elements * sizeof(float)), "cudaMalloc");
  return static_cast<float*>(memory);
}

// A moment on the device.
class Event {
 public:
  Event() { must(cudaEventCreate(&event_), "cudaEventCreate"); }
  void record() { must(cudaEventRecord(event_), "cudaEventRecord"); }
  double seconds_since(const Event& before) const {
    float milliseconds = 0;
    must(cudaEventElapsedTime(&milliseconds, before.event_, event_), "cudaEventElapsedTime");
    return milliseconds * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

// Whether the clocks are slowed down, from the driver's own management library (NVIDIA, "NVML API
// Reference Guide": nvmlInit_v2, nvmlDeviceGetHandleByPciBusId_v2 and
// nvmlDeviceGetCurrentClocksThrottleReasons). A toolkit need not have its header, nor a machine the
// library: then nothing is known.
class ClockWatch {
 public:
  ClockWatch() {
    char bus_id[32] = {};
    void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library || cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, 0) != cudaSuccess) return;
    const auto start = find<int()>(library, "nvmlInit_v2");
    const auto handle_of =
        find<int(const char*, void**)>(library, "nvmlDeviceGetHandleByPciBusId_v2");
    const auto reasons = find<Reasons>(library, "nvmlDeviceGetCurrentClocksThrottleReasons");
    if (start && handle_of && start() == 0 && handle_of(bus_id, &device_) == 0) reasons_ = reasons;
  }

  // The power cap is no such reason: a card under full load stands at it all the time, and all
  // contestants alike.
  bool slowed_down() const {
    constexpr unsigned long long kHardware = 0x8, kHeat = 0x20 | 0x40, kPowerBrake = 0x80;
    unsigned long long reasons = 0;
    return reasons_ && reasons_(device_, &reasons) == 0 &&
           (reasons & (kHardware | kHeat | kPowerBrake)) != 0;
  }

 private:
  using Reasons = int(void* device, unsigned long long* reasons);
  template <class F>
  static F* find(void* library, const char* name) {
    return reinterpret_cast<F*>(dlsym(library, name));
  }

  void* device_ = nullptr;
  Reasons* reasons_ = nullptr;
};

class GpuMemory final : public Memory {
 public:
  GpuMemory(const Layout& layout, float* exchange, uint32_t most_slots)
      : layout_(layout), exchange_(exchange) {
    must(cudaSetDevice(0), "cudaSetDevice");
    must(cudaFree(nullptr), "the device");
    // Copies are quicker then; where it cannot be done, they are only slower.
    cudaHostRegister(exchange, Exchange::end(layout, most_slots) * sizeof(float), 0);
    cudaGetLastError();
    magnitudes_ = allocate(layout.inputs);
    must(cudaMemcpy(magnitudes_, exchange, layout.inputs * sizeof(float), cudaMemcpyDefault),
         "cudaMemcpy");
    full_ = allocate(layout.output);
  }

  Regions create(uint32_t regions, uint32_t most_slots) override {
    size_t free_bytes = 0, total_bytes = 0;
    must(cudaMemGetInfo(&free_bytes, &total_bytes), "cudaMemGetInfo");
    const uint64_t fit = free_bytes / 4 / regions / (layout_.slot * sizeof(float));
    if (fit == 0) throw std::runtime_error("the device has not enough free memory for this shape");
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    size_t unit = 0;
    must(cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED),
         "cuMemGetAllocationGranularity");
    Regions made;
    made.slots = static_cast<uint32_t>(std::min<uint64_t>(most_slots, fit));
    made.bytes = (made.slots * layout_.slot * sizeof(float) + unit - 1) / unit * unit;
    samples_ = allocate(made.slots * sampled_of(layout_));
    for (uint32_t i = 0; i < regions; ++i) {
      made.descriptors.push_back(add_region(made.bytes, properties));
    }
    return made;
  }

  double poison(uint32_t region, uint32_t calls) override {
    begin_.record();
    fill_outputs<<<kBlocks, kThreads>>>(regions_.at(region), layout_, calls);
    return seconds_to_end();
  }

  double reveal(uint32_t region, uint32_t calls, const uint32_t* key) override {
    Key words{};
    if (key) std::copy_n(key, 8, words.words);
    const auto fill = key ? fill_inputs<false> : fill_inputs<true>;
    begin_.record();
    fill<<<kBlocks, kThreads>>>(regions_.at(region), magnitudes_, layout_, calls, words);
    return seconds_to_end();
  }

  void snapshot(uint32_t region, uint32_t calls, uint32_t full, uint64_t seed) override {
    const float* at = regions_.at(region);
    calls_ = calls;
    gather<<<kBlocks, kThreads>>>(at, samples_, layout_, calls, seed, sampled_of(layout_));
    must(cudaMemcpyAsync(full_, at + full * layout_.slot + layout_.output_at,
                         layout_.output * sizeof(float), cudaMemcpyDeviceToDevice),
         "cudaMemcpyAsync");
    wait();
  }

  void fetch() override {
    copy(exchange_ + Exchange::output(layout_), full_, layout_.output);
    copy(exchange_ + Exchange::samples(layout_), samples_, calls_ * sampled_of(layout_));
  }

  void fetch_inputs(uint32_t region, uint32_t call) override {
    copy(exchange_ + Exchange::inputs(layout_), regions_.at(region) + call * layout_.slot,
         layout_.inputs);
  }

  bool slowed_down() override { return clocks_.slowed_down(); }

  // The best of some: the first has to wait until the device has changed to this process.
  double idle_s() override {
    using Clock = std::chrono::steady_clock;
    double best = 1;
    for (int i = 0; i < 4; ++i) {
      const auto begin = Clock::now();
      nothing<<<1, 1>>>();
      wait();
      best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count());
    }
    return best;
  }

 private:
  int add_region(size_t bytes, const CUmemAllocationProp& properties) {
    CUmemGenericAllocationHandle memory{};
    must(cuMemCreate(&memory, bytes, &properties, 0), "cuMemCreate");
    int fd = -1;
    must(cuMemExportToShareableHandle(&fd, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
         "cuMemExportToShareableHandle");
    CUdeviceptr at = 0;
    must(cuMemAddressReserve(&at, bytes, 0, 0, 0), "cuMemAddressReserve");
    must(cuMemMap(at, bytes, 0, memory, 0), "cuMemMap");
    CUmemAccessDesc access{properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    must(cuMemSetAccess(at, bytes, &access, 1), "cuMemSetAccess");
    regions_.push_back(reinterpret_cast<float*>(at));
    return fd;
  }

  static void copy(float* to, const float* from, uint64_t elements) {
    must(cudaMemcpy(to, from, elements * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
  }

  double seconds_to_end() {
    end_.record();
    wait();
    return end_.seconds_since(begin_);
  }

  static void wait() {
    must(cudaGetLastError(), "a kernel");
    must(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  Layout layout_;
  float* exchange_;
  float *magnitudes_ = nullptr, *samples_ = nullptr, *full_ = nullptr;
  uint64_t calls_ = 0;  // of the last snapshot
  Event begin_, end_;
  ClockWatch clocks_;
  std::vector<float*> regions_;
};

}  // namespace

std::unique_ptr<Memory> make_memory(const Layout& layout, float* exchange, uint32_t most_slots) {
  return std::make_unique<GpuMemory>(layout, exchange, most_slots);
}

}  // namespace convkit::device_memory
