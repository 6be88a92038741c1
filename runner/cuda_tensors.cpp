// SPDX-License-Identifier: MIT
// Tensors in device memory, by the CUDA runtime API: of a real GPU or of the CPU device, whichever
// cuda_runtime.h is found first.
#include <cuda_runtime.h>
#if defined(CONVKIT_SIMT)
#include "simt/counts.h"
#include "simt/named_memory.h"
#include "simt/refused_call.h"
#endif

#if CONVKIT_RUNNER_CHECK
#include "cpu_device/check/start_over.h"
#endif

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#if defined(CONVKIT_SIMT)
#include <sys/mman.h>
#else
#include <cuda.h>
#endif

#include "convkit/sentinel.h"
#include "runner/device.h"
#include "runner/device_tensors.h"
#include "runner/harness.h"

namespace convkit::harness {
namespace {

std::string name_and_sentence(cudaError_t error) {
  std::string text = std::string(cudaGetErrorName(error)) + " (" + cudaGetErrorString(error) + ").";
#if defined(CONVKIT_SIMT)
  const std::string why = convkit_simt_why_refused(CONVKIT_SIMT_RUNTIME, error);
  const std::string library = convkit_simt_why_library_refused();
  if (!why.empty()) {
    text += " " + why;
  } else if (!library.empty()) {  // whose status the function may have made a CUDA error of
    text += " The last call in it that was refused: " + library;
  } else if (error == cudaErrorInvalidValue || error == cudaErrorUnknown) {
    // Of these the device always knows why.
    const std::string other = convkit_simt_why_any_refused();
    text += other.empty()
                ? " No CUDA call in it failed: the function's own code returned that."
                : " The last CUDA call in it that was refused returned something else: " + other;
  }
#endif
  return text;
}

}  // namespace

void check_cuda(cudaError_t error, const char*) {
  if (error != cudaSuccess) throw CudaFailure("returned " + name_and_sentence(error));
}

}  // namespace convkit::harness

namespace convkit::runner {
namespace {

using harness::CaseError;
using harness::CudaFailure;
using harness::name_and_sentence;

// Before and behind every tensor. A multiple of the alignment that cudaMalloc promises, and in
// proportion to the tensor: an index that is off by a row or a plane lands in it.
constexpr size_t kAlignment = 256;

size_t margin_of(size_t bytes) {
#if CONVKIT_RUNNER_CHECK
  return 0;  // check mode detects every access beyond an allocation itself
#endif
  const size_t wanted = std::clamp<size_t>(bytes / 8, 4096, 1 << 20);
  return wanted / kAlignment * kAlignment;
}

// The kit's own calls: an error here is not the submission's.
void must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw CaseError(std::string("the device: ") + what + ": " + cudaGetErrorString(error));
}

cudaStream_t g_stream = nullptr;
void* g_some_memory = nullptr;  // of the device, for something to do

#if !defined(CONVKIT_SIMT)
void must(CUresult error, const char* what) {
  if (error == CUDA_SUCCESS) return;
  throw CaseError(std::string("the device: ") + what + ": error " + std::to_string(error));
}

// A function of the driver: the runner is linked with the runtime only, whose version it asks for.
template <class F>
F* driver_function(const char* name) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
  must(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found), name);
#else
  must(cudaGetDriverEntryPoint(name, &function, cudaEnableDefault, &found), name);
#endif
  if (found != cudaDriverEntryPointSuccess) throw CaseError(std::string("no ") + name);
  return reinterpret_cast<F*>(function);
}
#endif

// On a GPU: long enough for a kernel on another stream to have begun.
void CUDART_CB pause(void*) {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

class CudaTensors final : public DeviceTensors {
 public:
  ~CudaTensors() override {
    for (const Tensor& t : tensors_) {
      cudaFree(t.memory);
      cudaFreeHost(t.image);
    }
    for (const auto& [memory, bytes] : mapped_) unmap(memory, bytes);
  }

  void* add(const std::string& name, unsigned char* host, size_t bytes, bool output) override {
    for (const Tensor& t : tensors_) {
      if (t.name == name && t.output == output) return t.data();
    }
    Tensor tensor{name, host, bytes, output, margin_of(bytes), nullptr, nullptr};
    must(cudaMalloc(&tensor.memory, tensor.all()), "cudaMalloc");
    must(cudaMallocHost(&tensor.image, tensor.all()), "cudaMallocHost");
#if defined(CONVKIT_SIMT)
    convkit_simt_name_memory(tensor.data(), bytes, name.c_str());
#endif
#if CONVKIT_RUNNER_CHECK
    convkit_simt_check_given(tensor.image, tensor.all());
    if (output && host != nullptr) convkit_simt_check_watch(tensor.data(), bytes);
#endif
    tensors_.push_back(tensor);
    return tensor.data();
  }

#if defined(CONVKIT_SIMT)
  void describe(const void* data, std::span<const int64_t> dims, size_t element_bytes,
                bool output) override {
    convkit_simt_shape_memory(data, dims.data(), dims.size(), element_bytes, output ? 1 : 0);
  }
#endif

  void* add_scratch(const std::string& name, size_t bytes) override {
    size_t free_bytes = 0, total_bytes = 0;
    must(cudaMemGetInfo(&free_bytes, &total_bytes), "cudaMemGetInfo");
    if (bytes > free_bytes / 2) {
      throw CudaFailure("asked for a `" + name + "` of " + std::to_string(bytes) +
                        " bytes; that is more than the device can give.");
    }
    return add(name, nullptr, bytes, true);
  }

  void* map(int fd, size_t bytes) override {
#if defined(CONVKIT_SIMT)
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) throw CaseError("the memory of a timing cannot be mapped");
#else
    CUmemGenericAllocationHandle handle{};
    must(
        driver_function<decltype(cuMemImportFromShareableHandle)>("cuMemImportFromShareableHandle")(
            &handle, reinterpret_cast<void*>(static_cast<intptr_t>(fd)),
            CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
        "cuMemImportFromShareableHandle");
    CUdeviceptr at = 0;
    must(driver_function<decltype(cuMemAddressReserve)>("cuMemAddressReserve")(&at, bytes, 0, 0, 0),
         "cuMemAddressReserve");
    must(driver_function<decltype(cuMemMap)>("cuMemMap")(at, bytes, 0, handle, 0), "cuMemMap");
    CUmemAccessDesc access{};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    must(driver_function<decltype(cuMemSetAccess)>("cuMemSetAccess")(at, bytes, &access, 1),
         "cuMemSetAccess");
    // What is mapped keeps the memory.
    must(driver_function<decltype(cuMemRelease)>("cuMemRelease")(handle), "cuMemRelease");
    void* memory = reinterpret_cast<void*>(at);
#endif
    mapped_.emplace_back(memory, bytes);
    return memory;
  }

  void load(bool late) override {
#if CONVKIT_RUNNER_CHECK
    convkit_simt_check_start_over();  // what an earlier case was told of is news in this one
#endif
#if defined(CONVKIT_SIMT)
    convkit_simt_read_counts(&before_);
    convkit_simt_forget_refusal();
#endif
    for (const Tensor& t : tensors_) {
      fill_sentinel(t.image, t.all());
      if (t.host == nullptr) fill_scratch(t.image + t.margin, t.bytes);
      if (!t.output) std::copy_n(t.host, t.bytes, t.image + t.margin);
      // Until the inputs are copied, the memory holds no values that look like inputs.
      if (late) must(cudaMemset(t.memory, 0xff, t.all()), "cudaMemset");
    }
    must(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    if (late) must(cudaLaunchHostFunc(g_stream, pause, nullptr), "cudaLaunchHostFunc");
    for (const Tensor& t : tensors_) {
      must(cudaMemcpyAsync(t.memory, t.image, t.all(), cudaMemcpyHostToDevice, g_stream),
           "cudaMemcpyAsync");
    }
    if (!late) must(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  void wait(Until until) override {
    const cudaError_t unread = cudaGetLastError();
    if (until == Until::device_is_idle) {
      must(cudaMemsetAsync(g_some_memory, 0, sizeof(float), g_stream), "cudaMemsetAsync");
    }
    const cudaError_t error =
        until == Until::device_is_idle ? cudaDeviceSynchronize() : cudaStreamSynchronize(g_stream);
    if (error != cudaSuccess) {
      throw CudaFailure("launched a kernel that failed: " + name_and_sentence(error));
    }
    if (unread != cudaSuccess) {
      throw CudaFailure("returned cudaSuccess, but a call or a launch in it had failed: " +
                        name_and_sentence(unread));
    }
#if CONVKIT_RUNNER_CHECK
    if (until == Until::stream_is_idle) convkit_simt_check_streams(g_stream);
#endif
  }

  void fetch() override {
    std::string touched;
    for (const Tensor& t : tensors_) {
      fetch_image(t);
      const unsigned char* data = t.image + t.margin;
      if (t.output && t.host) std::copy_n(data, t.bytes, t.host);
#if CONVKIT_RUNNER_CHECK
      if (t.output && t.host) {
        convkit_simt_check_coverage(t.data(), data, t.bytes, static_cast<uint32_t>(kSentinelBits));
      }
#endif
      if (const std::string one = touched_beside(t); !one.empty()) touched = one;
    }
    // Work queued on other streams must not run into the next case.
    const cudaError_t elsewhere = cudaDeviceSynchronize();
    if (elsewhere != cudaSuccess) {
      throw CudaFailure("launched a kernel that failed: " + name_and_sentence(elsewhere));
    }
    if (!touched.empty()) throw CudaFailure(touched);
#if CONVKIT_RUNNER_CHECK
    convkit_simt_check_returned();
#endif
  }

  void expect_untouched() override {
    const cudaError_t error = cudaDeviceSynchronize();  // it may have used another stream
    if (error != cudaSuccess) {
      throw CudaFailure("launched a kernel that failed: " + name_and_sentence(error));
    }
    for (const Tensor& t : tensors_) {
      fetch_image(t);
      std::string touched = touched_beside(t);
      if (touched.empty() && t.output) {
        std::vector<unsigned char> before(t.all());
        fill_sentinel(before.data(), t.all());
        if (t.host == nullptr) fill_scratch(before.data() + t.margin, t.bytes);
        if (!std::equal(before.begin(), before.end(), t.image))
          touched = "wrote to `" + t.name + "`.";
      }
      if (!touched.empty()) throw CudaFailure(touched);
    }
  }

  void report_leaks() override {
#if CONVKIT_RUNNER_CHECK
    convkit_simt_check_freed();
#endif
  }

  std::string reports() const override {
#if CONVKIT_RUNNER_CHECK
    return convkit_simt_check_told();
#else
    return "";
#endif
  }

  CUstream_st* stream() const override {
    return g_stream;
  }

  std::string counts(
      const std::vector<std::span<const unsigned char>>& host_outputs) const override {
#if defined(CONVKIT_SIMT)
    ConvkitSimtCounts now{};
    convkit_simt_read_counts(&now);
    const auto since = [](const char* name, uint64_t value, uint64_t before) {
      return std::string(name) + " " + std::to_string(value - before) + " ";
    };
    return since("launches", now.launches, before_.launches) +
           since("blocks", now.blocks, before_.blocks) +
           since("threads", now.threads, before_.threads) +
           since("barriers", now.barriers, before_.barriers) +
           since("global_loads", now.global_loads, before_.global_loads) +
           since("global_stores", now.global_stores, before_.global_stores) +
           since("shared_loads", now.shared_loads, before_.shared_loads) +
           since("shared_stores", now.shared_stores, before_.shared_stores) +
           since("global_atomics", now.global_atomics, before_.global_atomics) +
           since("shared_atomics", now.shared_atomics, before_.shared_atomics) +
           since("library_calls", now.library_calls, before_.library_calls) + origins(host_outputs);
#else
    static_cast<void>(host_outputs);
    return "";
#endif
  }

 private:
#if defined(CONVKIT_SIMT)
  // Only check mode knows.
  std::string origins(
      [[maybe_unused]] const std::vector<std::span<const unsigned char>>& host_outputs) const {
#if CONVKIT_RUNNER_CHECK
    size_t bytes = 0, of_host = 0, computed = 0;
    for (const Tensor& t : tensors_) {
      if (!t.output || t.host == nullptr) continue;
      bytes += t.bytes;
      of_host += convkit_simt_check_bytes_of_host(t.data(), t.bytes);
    }
    for (const auto& output : host_outputs) {
      computed += convkit_simt_check_bytes_as_computed(output.data(), output.size());
    }
    return "output_bytes " + std::to_string(bytes) + " bytes_of_host " + std::to_string(of_host) +
           " bytes_from_device " + std::to_string(convkit_simt_check_bytes_from_device()) +
           " bytes_as_computed " + std::to_string(computed);
#else
    return "";
#endif
  }
#endif

  struct Tensor {
    std::string name;
    unsigned char* host;  // null for scratch memory
    size_t bytes;
    bool output;
    size_t margin;
    unsigned char* memory;  // on the device, margins included
    unsigned char* image;   // the same in pinned host memory
    unsigned char* data() const { return memory + margin; }
    size_t all() const { return (margin + bytes + margin + 3) / 4 * 4; }
  };

  static void fetch_image(const Tensor& t) {
    must(cudaMemcpyAsync(t.image, t.memory, t.all(), cudaMemcpyDeviceToHost, g_stream),
         "cudaMemcpyAsync");
    must(cudaStreamSynchronize(g_stream), "cudaStreamSynchronize");
  }

  // What was written to an input, or beside a tensor, whose image was fetched; or "".
  static std::string touched_beside(const Tensor& t) {
    const unsigned char* data = t.image + t.margin;
    if (!t.output && !std::equal(data, data + t.bytes, t.host)) {
      return "wrote to its input `" + t.name + "`.";
    }
    if (!is_sentinel(data + t.bytes, t.all() - t.margin - t.bytes, t.margin + t.bytes)) {
      return "wrote past the end of `" + t.name + "`.";
    }
    if (!is_sentinel(t.image, t.margin, 0)) {
      return "wrote before the beginning of `" + t.name + "`.";
    }
    return "";
  }

  // Whether `bytes` from `at`, which lie `offset` behind the allocation's start, hold the sentinel.
  static bool is_sentinel(const unsigned char* at, size_t bytes, size_t offset) {
    unsigned char pattern[sizeof kSentinelBits];
    std::memcpy(pattern, &kSentinelBits, sizeof pattern);
    for (size_t i = 0; i < bytes; ++i) {
      if (at[i] != pattern[(offset + i) % sizeof pattern]) return false;
    }
    return true;
  }

  static void unmap(void* memory, size_t bytes) {
#if defined(CONVKIT_SIMT)
    munmap(memory, bytes);
#else
    const auto at = reinterpret_cast<CUdeviceptr>(memory);
    driver_function<decltype(cuMemUnmap)>("cuMemUnmap")(at, bytes);
    driver_function<decltype(cuMemAddressFree)>("cuMemAddressFree")(at, bytes);
#endif
  }

  std::vector<Tensor> tensors_;
  std::vector<std::pair<void*, size_t>> mapped_;
#if defined(CONVKIT_SIMT)
  ConvkitSimtCounts before_{};
#endif
};

}  // namespace

std::unique_ptr<DeviceTensors> make_device_tensors() {
  return std::make_unique<CudaTensors>();
}

std::string start_device() {
  cudaError_t error = cudaMalloc(&g_some_memory, 256);
  if (error == cudaSuccess) error = cudaStreamCreateWithFlags(&g_stream, cudaStreamNonBlocking);
  if (error != cudaSuccess) return std::string("no device: ") + cudaGetErrorString(error);
#if CONVKIT_RUNNER_CUDNN
  return start_cudnn();
#else
  return "";
#endif
}

#if CONVKIT_RUNNER_CHECK
void tell_kinds_to(char* text, size_t bytes) {
  convkit_simt_check_tell_kinds_to(text, bytes);
}
#else
void tell_kinds_to(char*, size_t) {}
#endif

}  // namespace convkit::runner
