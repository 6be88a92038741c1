// SPDX-License-Identifier: MIT
// Calls of the runtime that are refused say which argument is wrong, and why.
#include "cpu_device/engine/refusal.h"

#include "catch.h"
#include "refused_text.h"
#include "simt/named_memory.h"
#include "simt/runtime_api.h"

namespace convkit::simt {

using test::why;

TEST_CASE("a copy or a memset that is refused names the argument and both sizes") {
  void *x = nullptr, *y = nullptr;
  char host[64] = {};
  REQUIRE(convkit_simt_malloc(&x, 40) == cudaSuccess);
  REQUIRE(convkit_simt_malloc(&y, 60) == cudaSuccess);
  convkit_simt_name_memory(x, 40, "x");
  convkit_simt_name_memory(y, 60, "y");
  char* const inside_x = static_cast<char*>(x) + 8;
  CHECK(why(cudaMemcpy(x, host, 64, cudaMemcpyHostToDevice)) ==
        "cudaMemcpy: it writes 64 bytes, and dst, byte 0 of `x` (40 bytes), has 40 from there on.");
  CHECK(why(cudaMemcpyAsync(y, inside_x, 60, cudaMemcpyDeviceToDevice, nullptr)) ==
        "cudaMemcpyAsync: it reads 60 bytes, and src, byte 8 of `x` (40 bytes), has 32 from there "
        "on.");
  CHECK(why(cudaMemcpy(host, x, 4, cudaMemcpyHostToDevice)) ==
        "cudaMemcpy: kind is cudaMemcpyHostToDevice, and dst, host memory, is not device memory.");
  CHECK(why(cudaMemcpy(x, y, 4, cudaMemcpyDeviceToHost)) ==
        "cudaMemcpy: kind is cudaMemcpyDeviceToHost, and dst, byte 0 of `x` (40 bytes), is not "
        "host memory.");
  CHECK(why(cudaMemcpy(x, nullptr, 4, cudaMemcpyDeviceToDevice)) == "cudaMemcpy: src is null.");
  CHECK(why(cudaMemcpy2D(x, 4, y, 8, 8, 2, cudaMemcpyDeviceToDevice), cudaErrorInvalidPitchValue) ==
        "cudaMemcpy2D: width is 8, which is more than dpitch, 4.");
  CHECK(why(cudaMemset(x, 0, 44)) ==
        "cudaMemset: it writes 44 bytes, and devPtr, byte 0 of `x` (40 bytes), has 40 from there "
        "on.");
  CHECK(why(cudaFree(inside_x)) ==
        "cudaFree: devPtr is byte 8 of `x` (40 bytes), which is not its beginning.");
  REQUIRE(cudaFree(x) == cudaSuccess);
  CHECK(why(cudaFree(x)) ==
        "cudaFree: devPtr is byte 0 of `x` (40 bytes), which has been freed already.");
  CHECK(why(cudaFree(host)) == "cudaFree: devPtr is memory that CUDA did not allocate.");
  CHECK(cudaFree(y) == cudaSuccess);
}

TEST_CASE("memory that there is not is refused with what is left") {
  void* memory = nullptr;
  const std::string text =
      why(convkit_simt_malloc(&memory, size_t{1} << 50), cudaErrorMemoryAllocation);
  CHECK(text.find("cudaMalloc: it asks for 1125899906842624 bytes; of ") == 0);
}

TEST_CASE("an allocation can be made to fail, once, and all of them are counted") {
  void *first = nullptr, *second = nullptr, *third = nullptr;
  convkit_simt_fail_attempt(CONVKIT_SIMT_ALLOCATION, 2);
  CHECK(convkit_simt_malloc(&first, 40) == cudaSuccess);
  CHECK(why(convkit_simt_malloc(&second, 40), cudaErrorMemoryAllocation) ==
        "cudaMalloc: it was made to fail, once, to see what becomes of its error.");
  CHECK(second == nullptr);
  CHECK(convkit_simt_malloc(&third, 40) == cudaSuccess);
  CHECK(convkit_simt_attempts(CONVKIT_SIMT_ALLOCATION) == 3);
  convkit_simt_fail_attempt(CONVKIT_SIMT_ALLOCATION, 0);
  CHECK(convkit_simt_attempts(CONVKIT_SIMT_ALLOCATION) == 0);
  CHECK(cudaFree(first) == cudaSuccess);
  CHECK(cudaFree(third) == cudaSuccess);
}

TEST_CASE("calls about host memory that are refused name the argument and the memory") {
  void *pinned = nullptr, *device = nullptr;
  char host[64] = {};
  CHECK(why(convkit_simt_malloc_host(nullptr, 4, 0)) == "cudaMallocHost: ptr is null.");
  REQUIRE(convkit_simt_malloc_host(&pinned, 16, 0) == cudaSuccess);
  REQUIRE(convkit_simt_malloc(&device, 40) == cudaSuccess);
  convkit_simt_name_memory(device, 40, "x");
  CHECK(why(cudaHostRegister(nullptr, 4, 0)) == "cudaHostRegister: ptr is null.");
  CHECK(why(cudaHostRegister(host, 0, 0)) == "cudaHostRegister: size is 0; it must be at least 1.");
  REQUIRE(cudaHostRegister(host, 64, 0) == cudaSuccess);
  CHECK(why(cudaHostRegister(host, 64, 0), cudaErrorHostMemoryAlreadyRegistered)
            .find("cudaHostRegister: ptr, byte 0 of allocation ") == 0);
  CHECK(cudaHostUnregister(host) == cudaSuccess);
  CHECK(why(cudaHostUnregister(host), cudaErrorHostMemoryNotRegistered) ==
        "cudaHostUnregister: ptr, host memory, is not the beginning of registered memory.");
  void* on_device = nullptr;
  CHECK(why(convkit_simt_host_get_device_pointer(&on_device, device, 0)) ==
        "cudaHostGetDevicePointer: pHost, byte 0 of `x` (40 bytes), is not memory of "
        "cudaMallocHost or cudaHostRegister.");
  size_t free_bytes = 0;
  CHECK(why(cudaMemGetInfo(&free_bytes, nullptr)) == "cudaMemGetInfo: total is null.");
  CHECK(why(cudaPointerGetAttributes(nullptr, host)) ==
        "cudaPointerGetAttributes: attributes is null.");
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(cudaFree(device) == cudaSuccess);
}

TEST_CASE("calls about the device and its kernels that are refused say what is allowed") {
  int value = 0;
  CHECK(why(cudaSetDevice(1), cudaErrorInvalidDevice) ==
        "cudaSetDevice: device is 1; there is one device, number 0.");
  CHECK(why(cudaGetDeviceCount(nullptr)) == "cudaGetDeviceCount: count is null.");
  CHECK(why(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 2), cudaErrorInvalidDevice) ==
        "cudaDeviceGetAttribute: device is 2; there is one device, number 0.");
  CHECK(why(cudaDeviceSetLimit(static_cast<cudaLimit>(9), 1), cudaErrorUnsupportedLimit)
            .find("cudaDeviceSetLimit: limit is 9; it must be ") == 0);
  const auto* kernel = reinterpret_cast<const void*>(&value);
  CHECK(why(convkit_simt_func_set_attribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            300000)) ==
        "cudaFuncSetAttribute: value is 300000 bytes of dynamic shared memory; 0 to 232448 are "
        "allowed.");
  CHECK(why(convkit_simt_occupancy(&value, kernel, 0, 0)) ==
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor: blockSize is 0; it must be at least 1.");
  CHECK(why(convkit_simt_occupancy(&value, nullptr, 32, 0), cudaErrorInvalidDeviceFunction) ==
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor: func is null; it must be a kernel.");
}

TEST_CASE("a reason is told for the error of the last refused call only") {
  cudaMemcpy(nullptr, nullptr, 4, cudaMemcpyDeviceToDevice);
  CHECK(std::string(convkit_simt_why_refused(CONVKIT_SIMT_RUNTIME, cudaErrorInvalidPitchValue))
            .empty());
  CHECK(std::string(convkit_simt_why_library_refused()).empty());
  CHECK_FALSE(why(cudaErrorInvalidValue).empty());
  CHECK(why(cudaErrorInvalidValue).empty());
}

TEST_CASE("a reason is out of date when another call fails with the same error") {
  cudaMemcpy(nullptr, nullptr, 4, cudaMemcpyDeviceToDevice);
  int count = 0;
  CHECK(cudaSetDevice(77) == cudaErrorInvalidDevice);
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(why(cudaErrorInvalidValue).empty());
}

TEST_CASE("streams and events that are refused say why") {
  cudaEvent_t start = nullptr, end = nullptr;
  REQUIRE(cudaEventCreate(&start) == cudaSuccess);
  REQUIRE(cudaEventCreateWithFlags(&end, cudaEventDisableTiming) == cudaSuccess);
  float ms = 0;
  const auto elapsed = [&] { return cudaEventElapsedTime(&ms, start, end); };
  CHECK(why(elapsed(), cudaErrorInvalidResourceHandle) ==
        "cudaEventElapsedTime: start was never recorded.");
  CHECK(why(cudaEventRecord(nullptr, nullptr), cudaErrorInvalidResourceHandle) ==
        "cudaEventRecord: event is null.");
  CHECK(cudaEventDestroy(start) == cudaSuccess);
  CHECK(cudaEventDestroy(end) == cudaSuccess);
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(why(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle) ==
        "cudaStreamSynchronize: its stream does not exist any more.");
}

}  // namespace convkit::simt
