// SPDX-License-Identifier: MIT
// Devices and launches.
#include <cuda.h>

#include <cstring>
#include <string>

#include "../check.h"
#include "../parts.h"

// Grids of many blocks, in one, two and three dimensions.
namespace big_grids {

__global__ void count_kernel(unsigned long long* count, unsigned long long* sum) {
  const unsigned long long block =
      (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x +
      blockIdx.x;
  if (threadIdx.x != 0) return;
  atomicAdd(count, 1ull);
  atomicAdd(sum, block);
}

PART(big_grids) {
  DeviceArray<unsigned long long> count(1), sum(1);
  for (dim3 grid : {dim3(300000), dim3(3, 65535), dim3(2, 3, 20000), dim3(70000, 2)}) {
    CHECK(cudaMemset(count.data(), 0, 8));
    CHECK(cudaMemset(sum.data(), 0, 8));
    count_kernel<<<grid, 2>>>(count.data(), sum.data());
    CHECK_LAUNCH();
    const unsigned long long n = 1ull * grid.x * grid.y * grid.z;
    show("blocks", count.host()[0]);
    expect("sum", sum.host()[0] == n * (n - 1) / 2);
  }
}

}  // namespace big_grids

/* Prints:
blocks: 300000
sum: ok
blocks: 196605
sum: ok
blocks: 120000
sum: ok
blocks: 140000
sum: ok
*/

// Properties and attributes of the device: present, in sane ranges, and agreeing with each other.
namespace device_properties {

int attribute(cudaDeviceAttr which) {
  int value = -1;
  CHECK(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

PART(device_properties) {
  cudaDeviceProp p;
  CHECK(cudaGetDeviceProperties(&p, 0));
  expect("name", std::strlen(p.name) > 3 && std::strlen(p.name) < sizeof(p.name));
  expect("compute capability", p.major >= 7 && p.minor >= 0 && p.minor < 10);
  show("warp", p.warpSize);
  show("threads in a block", p.maxThreadsPerBlock);
  show("block", p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2]);
  show("grid", p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]);
  show("shared in a block", p.sharedMemPerBlock);
  show("constant", p.totalConstMem);
  expect("opt-in", p.sharedMemPerBlockOptin >= 64 * 1024 && p.sharedMemPerBlockOptin <= 256 * 1024);
  expect("global", p.totalGlobalMem >= (size_t{64} << 20) && p.totalGlobalMem < (size_t{1} << 44));
  expect("processors", p.multiProcessorCount >= 1 && p.multiProcessorCount <= 1024);
  expect("registers", p.regsPerBlock >= 32768);
  expect("threads in a processor",
         p.maxThreadsPerMultiProcessor >= 1024 && p.maxThreadsPerMultiProcessor % 32 == 0);
  expect("addresses", p.unifiedAddressing == 1 && p.managedMemory == 1);
  expect("attributes",
         attribute(cudaDevAttrMaxThreadsPerBlock) == p.maxThreadsPerBlock &&
             attribute(cudaDevAttrMaxBlockDimZ) == p.maxThreadsDim[2] &&
             attribute(cudaDevAttrMaxGridDimY) == p.maxGridSize[1] &&
             attribute(cudaDevAttrWarpSize) == p.warpSize &&
             attribute(cudaDevAttrMaxSharedMemoryPerBlock) == int(p.sharedMemPerBlock) &&
             attribute(cudaDevAttrMultiProcessorCount) == p.multiProcessorCount &&
             attribute(cudaDevAttrComputeCapabilityMajor) == p.major &&
             attribute(cudaDevAttrComputeCapabilityMinor) == p.minor);
  expect("clock rate", attribute(cudaDevAttrClockRate) > 0);
}

}  // namespace device_properties

/* Prints:
name: ok
compute capability: ok
warp: 32
threads in a block: 1024
block: 1024 1024 64
grid: 2147483647 65535 65535
shared in a block: 49152
constant: 65536
opt-in: ok
global: ok
processors: ok
registers: ok
threads in a processor: ok
addresses: ok
attributes: ok
clock rate: ok
*/

// Of the driver API: its codes and types, and what it tells about devices. Link with -lcuda.
namespace driver_queries {

PART(driver_queries) {
  int count = 0, runtime_count = 0, version = 0, threads = 0, major = 0, minor = 0;
  CUdevice device = -1;
  expect("init", cuInit(0) == CUDA_SUCCESS && cuInit(1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cudaGetDeviceCount(&runtime_count));
  expect("count", cuDeviceGetCount(&count) == CUDA_SUCCESS && count == runtime_count);
  expect("version", cuDriverGetVersion(&version) == CUDA_SUCCESS && version >= 11000);
  expect("device", cuDeviceGet(&device, 0) == CUDA_SUCCESS && device == 0);
  expect("no such device", cuDeviceGet(&device, count) == CUDA_ERROR_INVALID_DEVICE);
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  char name[256] = "";
  size_t bytes = 0;
  expect("name", cuDeviceGetName(name, sizeof name, 0) == CUDA_SUCCESS &&
                     std::string(name) == properties.name);
  expect("memory", cuDeviceTotalMem(&bytes, 0) == CUDA_SUCCESS && bytes > 0);
  expect("asked", CUDA_SUCCESS ==
                      cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0));
  show("threads", threads);
  expect("asked", CUDA_SUCCESS == cuDeviceGetAttribute(
                                      &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
  expect("asked", CUDA_SUCCESS == cuDeviceGetAttribute(
                                      &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0));
  expect("capability", major == properties.major && minor == properties.minor);
  expect("of no device", cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_WARP_SIZE, count) ==
                             CUDA_ERROR_INVALID_DEVICE);
  std::printf("last error: %s\n", cudaGetErrorName(cudaGetLastError()));
  for (CUresult code : {CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_LOSSY_QUERY,
                        CUDA_ERROR_ILLEGAL_ADDRESS, static_cast<CUresult>(77)}) {
    const char *code_name = nullptr, *sentence = nullptr;
    const bool known = cuGetErrorName(code, &code_name) == CUDA_SUCCESS;
    expect("both", known == (cuGetErrorString(code, &sentence) == CUDA_SUCCESS));
    std::printf("%d %s: %s\n", code, known ? code_name : "unknown", known ? sentence : "none");
  }
}

}  // namespace driver_queries

/* Prints:
init: ok
count: ok
version: ok
device: ok
no such device: ok
name: ok
memory: ok
asked: ok
threads: 1024
asked: ok
asked: ok
capability: ok
of no device: ok
last error: cudaSuccess
both: ok
0 CUDA_SUCCESS: no error
both: ok
1 CUDA_ERROR_INVALID_VALUE: invalid argument
both: ok
402 CUDA_ERROR_LOSSY_QUERY: attempted introspection would be semantically lossy
both: ok
700 CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered
both: ok
77 unknown: none
*/

// Choosing a device, versions, free memory, and the error for a device that does not exist.
namespace devices {

PART(devices) {
  int count = 0, current = -1, runtime = 0, driver = 0;
  CHECK(cudaGetDeviceCount(&count));
  expect("count", count >= 1);
  CHECK(cudaSetDevice(0));
  CHECK(cudaGetDevice(&current));
  show("current", current);
  std::printf("no such device: %s\n", cudaGetErrorName(cudaSetDevice(count)));
  std::printf("negative: %s\n", cudaGetErrorName(cudaSetDevice(-1)));
  cudaDeviceProp properties;
  std::printf("its properties: %s\n",
              cudaGetErrorName(cudaGetDeviceProperties(&properties, count)));
  std::printf("last error: %s\n", cudaGetErrorName(cudaGetLastError()));
  CHECK(cudaGetDevice(&current));
  show("still", current);
  CHECK(cudaRuntimeGetVersion(&runtime));
  CHECK(cudaDriverGetVersion(&driver));
  expect("versions", runtime >= 11000 && driver >= 11000);
  size_t free_bytes = 0, total_bytes = 0;
  CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  expect("memory", free_bytes > 0 && free_bytes <= total_bytes);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaDeviceReset());
}

}  // namespace devices

/* Prints:
count: ok
current: 0
no such device: cudaErrorInvalidDevice
negative: cudaErrorInvalidDevice
its properties: cudaErrorInvalidDevice
last error: cudaErrorInvalidDevice
still: 0
versions: ok
memory: ok
*/

// Names, sentences and numbers of error codes.
namespace error_names {

PART(error_names) {
  const cudaError_t codes[] = {cudaSuccess,
                               cudaErrorInvalidValue,
                               cudaErrorMemoryAllocation,
                               cudaErrorInitializationError,
                               cudaErrorInvalidConfiguration,
                               cudaErrorInvalidPitchValue,
                               cudaErrorInvalidSymbol,
                               cudaErrorInvalidMemcpyDirection,
                               cudaErrorInvalidDeviceFunction,
                               cudaErrorNoDevice,
                               cudaErrorInvalidDevice,
                               cudaErrorInvalidResourceHandle,
                               cudaErrorNotReady,
                               cudaErrorIllegalAddress,
                               cudaErrorLaunchOutOfResources,
                               cudaErrorLaunchTimeout,
                               cudaErrorAssert,
                               cudaErrorMisalignedAddress,
                               cudaErrorLaunchFailure,
                               cudaErrorNotSupported,
                               cudaErrorUnknown};
  for (cudaError_t code : codes) {
    std::printf("%d %s: %s\n", code, cudaGetErrorName(code), cudaGetErrorString(code));
  }
  const cudaError_t none = static_cast<cudaError_t>(12345);
  std::printf("%s: %s\n", cudaGetErrorName(none), cudaGetErrorString(none));
}

}  // namespace error_names

/* Prints:
0 cudaSuccess: no error
1 cudaErrorInvalidValue: invalid argument
2 cudaErrorMemoryAllocation: out of memory
3 cudaErrorInitializationError: initialization error
9 cudaErrorInvalidConfiguration: invalid configuration argument
12 cudaErrorInvalidPitchValue: invalid pitch argument
13 cudaErrorInvalidSymbol: invalid device symbol
21 cudaErrorInvalidMemcpyDirection: invalid copy direction for memcpy
98 cudaErrorInvalidDeviceFunction: invalid device function
100 cudaErrorNoDevice: no CUDA-capable device is detected
101 cudaErrorInvalidDevice: invalid device ordinal
400 cudaErrorInvalidResourceHandle: invalid resource handle
600 cudaErrorNotReady: device not ready
700 cudaErrorIllegalAddress: an illegal memory access was encountered
701 cudaErrorLaunchOutOfResources: too many resources requested for launch
702 cudaErrorLaunchTimeout: the launch timed out and was terminated
710 cudaErrorAssert: device-side assert triggered
716 cudaErrorMisalignedAddress: misaligned address
719 cudaErrorLaunchFailure: unspecified launch failure
801 cudaErrorNotSupported: operation not supported
999 cudaErrorUnknown: unknown error
unrecognized error code: unrecognized error code
*/

// cudaLaunchKernel: plain kernels, templates, dynamic shared memory, a stream; its errors.
namespace launch_kernel {

__global__ void add_kernel(int* data, int by, double factor) {
  data[blockIdx.x * blockDim.x + threadIdx.x] += static_cast<int>(by * factor);
}

template <class T>
__global__ void reverse_kernel(T* data) {
  extern __shared__ int reverse_shared[];
  T* values = reinterpret_cast<T*>(reverse_shared);
  values[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

PART(launch_kernel) {
  DeviceArray<int> array({1, 2, 3, 4, 5, 6});
  int* data = array.data();
  int by = 10;
  double factor = 1.5;
  void* arguments[] = {&data, &by, &factor};
  CHECK(cudaLaunchKernel(add_kernel, dim3(2), dim3(3), arguments, 0, 0));
  by = 0;  // arguments were copied
  show("added", array.host());
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  void* one[] = {&data};
  CHECK(cudaLaunchKernel(reverse_kernel<int>, 1, 6, one, 6 * sizeof(int), stream));
  CHECK(cudaStreamSynchronize(stream));
  show("reversed", array.host());
  by = 1, factor = 1;
  CHECK(cudaLaunchKernel((const void*)add_kernel, dim3(2), dim3(3), arguments, 0, 0));
  CHECK(cudaLaunchKernel((void*)add_kernel, 1, 3, arguments, 0, nullptr));
  CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(&reverse_kernel<int>), 1, 6, one,
                         6 * sizeof(int), stream));
  CHECK(cudaStreamSynchronize(stream));
  show("by address", array.host());
  void (*chosen)(int*, int, double) = by > 0 ? add_kernel : nullptr;
  CHECK(cudaLaunchKernel((void*)chosen, dim3(2), dim3(3), arguments, 0, 0));
  show("by pointer", array.host());
  std::printf("too many threads: %s\n",
              cudaGetErrorName(cudaLaunchKernel(add_kernel, dim3(1), dim3(1025), arguments, 0, 0)));
  std::printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
  show("unchanged", array.host());
  CHECK(cudaStreamDestroy(stream));
}

}  // namespace launch_kernel

/* Prints:
added: 16 17 18 19 20 21
reversed: 21 20 19 18 17 16
by address: 17 18 19 21 22 23
by pointer: 18 19 20 22 23 24
too many threads: cudaErrorInvalidValue
last: cudaErrorInvalidValue
unchanged: 18 19 20 22 23 24
*/

// Twenty thousand launches, each seeing what the one before it left.
namespace many_launches {

__global__ void step_kernel(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
}

PART(many_launches) {
  DeviceArray<unsigned> state(1);
  unsigned expected = 0;
  for (int i = 0; i < 20000; ++i) {
    step_kernel<<<1, 1>>>(state.data());
    expected = expected * 1664525u + 1013904223u;
  }
  CHECK_LAUNCH();
  expect("state", state.host()[0] == expected);
}

}  // namespace many_launches

/* Prints:
state: ok
*/

// Occupancy queries give usable block sizes, and fewer blocks for more shared memory.
namespace occupancy {

__global__ void kernel(int* out) {
  extern __shared__ int occupancy_shared[];
  occupancy_shared[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) *out = occupancy_shared[blockDim.x - 1];
}

struct SharedBytes {
  __host__ __device__ size_t operator()(int size) const { return size * sizeof(int); }
};

PART(occupancy) {
  int small = 0, large = 0, hungry = 0, grid = 0, block = 0, limited = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&small, kernel, 64, 64 * sizeof(int)));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&large, kernel, 1024, 1024 * sizeof(int)));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&hungry, kernel, 64, 40 * 1024));
  expect("blocks", small >= 1 && large >= 1 && large <= small && hungry <= small);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0));
  expect("potential", grid >= 1 && block >= 32 && block <= 1024 && block % 32 == 0);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &limited, kernel, 0, 100));
  expect("limited", limited >= 1 && limited <= 100);
  const SharedBytes shared_bytes;
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &limited, kernel, shared_bytes));
  expect("variable", grid >= 1 && limited >= 32 && limited <= 1024 && limited % 32 == 0);
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &limited, kernel, shared_bytes, 100));
  expect("variable, limited", limited >= 1 && limited <= 100);
  DeviceArray<int> out(1);
  kernel<<<1, block, block * sizeof(int)>>>(out.data());
  CHECK_LAUNCH();
  expect("launched", out.host()[0] == block - 1);
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, kernel));
  expect("attributes",
         attributes.maxThreadsPerBlock >= block && attributes.maxThreadsPerBlock <= 1024);
}

}  // namespace occupancy

/* Prints:
blocks: ok
potential: ok
limited: ok
variable: ok
variable, limited: ok
launched: ok
attributes: ok
*/
