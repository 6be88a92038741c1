// SPDX-License-Identifier: MIT
// CUDA's header of this name: of the driver API, its error codes and types, which programs for the
// runtime use, too, and what it tells about devices. Calling the rest is an error at its line that
// names the runtime's function. Values are those of CUDA 13.0.
#pragma once

#define __cuda_cuda_h__

#include <cstddef>
#include <cstdio>

#include "cuda_runtime_api.h"
#include "simt/unsupported.h"

#ifndef CUDA_VERSION
#define CUDA_VERSION CUDART_VERSION
#endif
#define CUDAAPI
#define CUDA_CB

// X(name, value)
#define CONVKIT_SIMT_DRIVER_ERRORS(X)               \
  X(CUDA_SUCCESS, 0)                                \
  X(CUDA_ERROR_INVALID_VALUE, 1)                    \
  X(CUDA_ERROR_OUT_OF_MEMORY, 2)                    \
  X(CUDA_ERROR_NOT_INITIALIZED, 3)                  \
  X(CUDA_ERROR_DEINITIALIZED, 4)                    \
  X(CUDA_ERROR_PROFILER_DISABLED, 5)                \
  X(CUDA_ERROR_PROFILER_NOT_INITIALIZED, 6)         \
  X(CUDA_ERROR_PROFILER_ALREADY_STARTED, 7)         \
  X(CUDA_ERROR_PROFILER_ALREADY_STOPPED, 8)         \
  X(CUDA_ERROR_STUB_LIBRARY, 34)                    \
  X(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, 36)      \
  X(CUDA_ERROR_DEVICE_UNAVAILABLE, 46)              \
  X(CUDA_ERROR_NO_DEVICE, 100)                      \
  X(CUDA_ERROR_INVALID_DEVICE, 101)                 \
  X(CUDA_ERROR_DEVICE_NOT_LICENSED, 102)            \
  X(CUDA_ERROR_INVALID_IMAGE, 200)                  \
  X(CUDA_ERROR_INVALID_CONTEXT, 201)                \
  X(CUDA_ERROR_CONTEXT_ALREADY_CURRENT, 202)        \
  X(CUDA_ERROR_MAP_FAILED, 205)                     \
  X(CUDA_ERROR_UNMAP_FAILED, 206)                   \
  X(CUDA_ERROR_ARRAY_IS_MAPPED, 207)                \
  X(CUDA_ERROR_ALREADY_MAPPED, 208)                 \
  X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209)              \
  X(CUDA_ERROR_ALREADY_ACQUIRED, 210)               \
  X(CUDA_ERROR_NOT_MAPPED, 211)                     \
  X(CUDA_ERROR_NOT_MAPPED_AS_ARRAY, 212)            \
  X(CUDA_ERROR_NOT_MAPPED_AS_POINTER, 213)          \
  X(CUDA_ERROR_ECC_UNCORRECTABLE, 214)              \
  X(CUDA_ERROR_UNSUPPORTED_LIMIT, 215)              \
  X(CUDA_ERROR_CONTEXT_ALREADY_IN_USE, 216)         \
  X(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217)        \
  X(CUDA_ERROR_INVALID_PTX, 218)                    \
  X(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT, 219)       \
  X(CUDA_ERROR_NVLINK_UNCORRECTABLE, 220)           \
  X(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221)         \
  X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222)        \
  X(CUDA_ERROR_JIT_COMPILATION_DISABLED, 223)       \
  X(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, 224)      \
  X(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC, 225)       \
  X(CUDA_ERROR_CONTAINED, 226)                      \
  X(CUDA_ERROR_INVALID_SOURCE, 300)                 \
  X(CUDA_ERROR_FILE_NOT_FOUND, 301)                 \
  X(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, 302) \
  X(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, 303)      \
  X(CUDA_ERROR_OPERATING_SYSTEM, 304)               \
  X(CUDA_ERROR_INVALID_HANDLE, 400)                 \
  X(CUDA_ERROR_ILLEGAL_STATE, 401)                  \
  X(CUDA_ERROR_LOSSY_QUERY, 402)                    \
  X(CUDA_ERROR_NOT_FOUND, 500)                      \
  X(CUDA_ERROR_NOT_READY, 600)                      \
  X(CUDA_ERROR_ILLEGAL_ADDRESS, 700)                \
  X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701)        \
  X(CUDA_ERROR_LAUNCH_TIMEOUT, 702)                 \
  X(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, 703)  \
  X(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704)    \
  X(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705)        \
  X(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708)         \
  X(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709)           \
  X(CUDA_ERROR_ASSERT, 710)                         \
  X(CUDA_ERROR_TOO_MANY_PEERS, 711)                 \
  X(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712) \
  X(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713)     \
  X(CUDA_ERROR_HARDWARE_STACK_ERROR, 714)           \
  X(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715)            \
  X(CUDA_ERROR_MISALIGNED_ADDRESS, 716)             \
  X(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717)          \
  X(CUDA_ERROR_INVALID_PC, 718)                     \
  X(CUDA_ERROR_LAUNCH_FAILED, 719)                  \
  X(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720)   \
  X(CUDA_ERROR_TENSOR_MEMORY_LEAK, 721)             \
  X(CUDA_ERROR_NOT_PERMITTED, 800)                  \
  X(CUDA_ERROR_NOT_SUPPORTED, 801)                  \
  X(CUDA_ERROR_SYSTEM_NOT_READY, 802)               \
  X(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803)         \
  X(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, 804) \
  X(CUDA_ERROR_MPS_CONNECTION_FAILED, 805)          \
  X(CUDA_ERROR_MPS_RPC_FAILURE, 806)                \
  X(CUDA_ERROR_MPS_SERVER_NOT_READY, 807)           \
  X(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED, 808)        \
  X(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED, 809)    \
  X(CUDA_ERROR_MPS_CLIENT_TERMINATED, 810)          \
  X(CUDA_ERROR_CDP_NOT_SUPPORTED, 811)              \
  X(CUDA_ERROR_CDP_VERSION_MISMATCH, 812)           \
  X(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900)     \
  X(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, 901)     \
  X(CUDA_ERROR_STREAM_CAPTURE_MERGE, 902)           \
  X(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, 903)       \
  X(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, 904)        \
  X(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, 905)       \
  X(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, 906)        \
  X(CUDA_ERROR_CAPTURED_EVENT, 907)                 \
  X(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, 908)    \
  X(CUDA_ERROR_TIMEOUT, 909)                        \
  X(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, 910)      \
  X(CUDA_ERROR_EXTERNAL_DEVICE, 911)                \
  X(CUDA_ERROR_INVALID_CLUSTER_SIZE, 912)           \
  X(CUDA_ERROR_FUNCTION_NOT_LOADED, 913)            \
  X(CUDA_ERROR_INVALID_RESOURCE_TYPE, 914)          \
  X(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, 915) \
  X(CUDA_ERROR_KEY_ROTATION, 916)                   \
  X(CUDA_ERROR_UNKNOWN, 999)

typedef enum cudaError_enum {
#define CONVKIT_SIMT_CODE(name, value) name = value,
  CONVKIT_SIMT_DRIVER_ERRORS(CONVKIT_SIMT_CODE)
#undef CONVKIT_SIMT_CODE
} CUresult;

typedef enum CUdevice_attribute_enum {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
  CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK = 8,
  CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
  CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
  CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK = 12,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
  CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
  CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = 15,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17,
  CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
  CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19,
  CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
  CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31,
  CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32,
  CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33,
  CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34,
  CU_DEVICE_ATTRIBUTE_TCC_DRIVER = 35,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
  CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
  CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40,
  CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
  CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = 78,
  CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED = 79,
  CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED = 80,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
  CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
  CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD = 84,
  CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID = 85,
  CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED = 86,
  CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO = 87,
  CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = 88,
  CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
  CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED = 90,
  CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM = 91,
  CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
  CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED = 99,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106,
  CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK = 111,
  CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115,
  CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH = 120
} CUdevice_attribute;

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;

// Each code of the runtime has the number of the driver's. The driver's calls leave nothing for
// cudaGetLastError().
static inline CUresult convkit_simt_driver_code(cudaError_t error) {
  if (error != cudaSuccess) cudaGetLastError();
  return static_cast<CUresult>(error);
}

// `flags` must be 0.
static inline CUresult cuInit(unsigned int flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  int count = 0;
  return convkit_simt_driver_code(cudaGetDeviceCount(&count));
}

static inline CUresult cuDriverGetVersion(int* version) {
  return convkit_simt_driver_code(cudaDriverGetVersion(version));
}

static inline CUresult cuDeviceGetCount(int* count) {
  return convkit_simt_driver_code(cudaGetDeviceCount(count));
}

static inline CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  int count = 0;
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = cuDeviceGetCount(&count);
  if (error != CUDA_SUCCESS) return error;
  if (ordinal < 0 || ordinal >= count) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

// At most `length` bytes, the last of which is 0.
static inline CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  if (!name || length < 1) return CUDA_ERROR_INVALID_VALUE;
  cudaDeviceProp properties;
  const cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (error == cudaSuccess) snprintf(name, static_cast<size_t>(length), "%s", properties.name);
  return convkit_simt_driver_code(error);
}

static inline CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  if (!bytes) return CUDA_ERROR_INVALID_VALUE;
  cudaDeviceProp properties;
  const cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (error == cudaSuccess) *bytes = properties.totalGlobalMem;
  return convkit_simt_driver_code(error);
}

static inline CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute,
                                            CUdevice device) {
  return convkit_simt_driver_code(
      cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
}

static inline CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const CUresult error =
      cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  if (error != CUDA_SUCCESS) return error;
  return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

// Null and CUDA_ERROR_INVALID_VALUE where there is no such code.
static inline CUresult cuGetErrorName(CUresult error, const char** name) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  *name = nullptr;
  switch (error) {
#define CONVKIT_SIMT_CODE(code, value) \
  case code:                           \
    *name = #code;                     \
    return CUDA_SUCCESS;
    CONVKIT_SIMT_DRIVER_ERRORS(CONVKIT_SIMT_CODE)
#undef CONVKIT_SIMT_CODE
  }
  return CUDA_ERROR_INVALID_VALUE;
}

static inline CUresult cuGetErrorString(CUresult error, const char** sentence) {
  if (!sentence) return CUDA_ERROR_INVALID_VALUE;
  const char* name = nullptr;
  const CUresult known = cuGetErrorName(error, &name);
  *sentence = name ? cudaGetErrorString(static_cast<cudaError_t>(error)) : nullptr;
  return known;
}

#undef CONVKIT_SIMT_DRIVER_ERRORS

#define CONVKIT_SIMT_NO_DRIVER(name, instead) \
  CONVKIT_SIMT_NO_FUNCTION(                   \
      name,                                   \
      #name "(): of the driver API there are only device queries on the CPU device; " instead)
#define CONVKIT_SIMT_NO_CONTEXT "leave it out: the runtime API makes the context of a device"
#define CONVKIT_SIMT_NO_MODULE "compile the kernel with the program and launch it with <<< >>>"
CONVKIT_SIMT_NO_DRIVER(cuCtxCreate, CONVKIT_SIMT_NO_CONTEXT)
CONVKIT_SIMT_NO_DRIVER(cuCtxDestroy, CONVKIT_SIMT_NO_CONTEXT)
CONVKIT_SIMT_NO_DRIVER(cuCtxSetCurrent, CONVKIT_SIMT_NO_CONTEXT)
CONVKIT_SIMT_NO_DRIVER(cuCtxGetCurrent, CONVKIT_SIMT_NO_CONTEXT)
CONVKIT_SIMT_NO_DRIVER(cuCtxPushCurrent, CONVKIT_SIMT_NO_CONTEXT)
CONVKIT_SIMT_NO_DRIVER(cuCtxPopCurrent, CONVKIT_SIMT_NO_CONTEXT)
CONVKIT_SIMT_NO_DRIVER(cuDevicePrimaryCtxRetain, CONVKIT_SIMT_NO_CONTEXT)
CONVKIT_SIMT_NO_DRIVER(cuDevicePrimaryCtxRelease, CONVKIT_SIMT_NO_CONTEXT)
CONVKIT_SIMT_NO_DRIVER(cuCtxGetDevice, "use cudaGetDevice()")
CONVKIT_SIMT_NO_DRIVER(cuCtxSynchronize, "use cudaDeviceSynchronize()")
CONVKIT_SIMT_NO_DRIVER(cuModuleLoad, CONVKIT_SIMT_NO_MODULE)
CONVKIT_SIMT_NO_DRIVER(cuModuleLoadData, CONVKIT_SIMT_NO_MODULE)
CONVKIT_SIMT_NO_DRIVER(cuModuleLoadDataEx, CONVKIT_SIMT_NO_MODULE)
CONVKIT_SIMT_NO_DRIVER(cuModuleUnload, CONVKIT_SIMT_NO_MODULE)
CONVKIT_SIMT_NO_DRIVER(cuModuleGetFunction, CONVKIT_SIMT_NO_MODULE)
CONVKIT_SIMT_NO_DRIVER(cuLaunchKernel, CONVKIT_SIMT_NO_MODULE)
CONVKIT_SIMT_NO_DRIVER(cuModuleGetGlobal, "use cudaGetSymbolAddress()")
CONVKIT_SIMT_NO_DRIVER(cuMemAlloc, "use cudaMalloc()")
CONVKIT_SIMT_NO_DRIVER(cuMemFree, "use cudaFree()")
CONVKIT_SIMT_NO_DRIVER(cuMemGetInfo, "use cudaMemGetInfo()")
CONVKIT_SIMT_NO_DRIVER(cuMemcpyHtoD, "use cudaMemcpy()")
CONVKIT_SIMT_NO_DRIVER(cuMemcpyDtoH, "use cudaMemcpy()")
CONVKIT_SIMT_NO_DRIVER(cuMemcpyDtoD, "use cudaMemcpy()")
CONVKIT_SIMT_NO_DRIVER(cuMemsetD8, "use cudaMemset()")
CONVKIT_SIMT_NO_DRIVER(cuMemCreate, "use cudaMalloc()")
CONVKIT_SIMT_NO_DRIVER(cuMemMap, "use cudaMalloc()")
CONVKIT_SIMT_NO_DRIVER(cuMemAddressReserve, "use cudaMalloc()")
CONVKIT_SIMT_NO_DRIVER(cuStreamCreate, "use cudaStreamCreate()")
CONVKIT_SIMT_NO_DRIVER(cuStreamSynchronize, "use cudaStreamSynchronize()")
CONVKIT_SIMT_NO_DRIVER(cuEventCreate, "use cudaEventCreate()")
CONVKIT_SIMT_NO_DRIVER(cuEventRecord, "use cudaEventRecord()")
CONVKIT_SIMT_NO_DRIVER(cuEventSynchronize, "use cudaEventSynchronize()")
CONVKIT_SIMT_NO_DRIVER(cuEventElapsedTime, "use cudaEventElapsedTime()")
CONVKIT_SIMT_NO_DRIVER(cuEventDestroy, "use cudaEventDestroy()")
CONVKIT_SIMT_NO_DRIVER(cuTensorMapEncodeTiled, "load the tile with cuda::memcpy_async")
#undef CONVKIT_SIMT_NO_DRIVER
