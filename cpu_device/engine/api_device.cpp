// SPDX-License-Identifier: MIT
// Errors, devices and their properties. Limits are those of compute capability 9.0 (CUDA C++
// Programming Guide 13.0, "Technical Specifications per Compute Capability"), so that a program
// that adapts itself behaves as on a data-centre GPU; the number of multiprocessors is that of
// workers.
#include <cstdio>
#include <cstring>

#include "cpu_device/engine/block_runner.h"
#include "cpu_device/engine/call.h"
#include "cpu_device/engine/device.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/engine/kernels.h"
#include "cpu_device/engine/memory.h"
#include "cpu_device/engine/nested_launches.h"
#include "cpu_device/engine/occupancy.h"
#include "cpu_device/engine/refusal.h"
#include "cpu_device/engine/settings.h"
#include "cpu_device/engine/shared_memory.h"
#include "cpu_device/engine/texture_limits.h"
#include "cpu_device/engine/texture_object.h"
#include "simt/runtime_api.h"

using namespace convkit::simt;

namespace {

constexpr const char* kDeviceName = "convkit CPU device";
constexpr int kClockRate = 1000000;  // kHz

template <size_t count>
void set_sizes(int (&sizes)[count], const size_t (&limits)[count]) {
  for (size_t i = 0; i < count; ++i) sizes[i] = static_cast<int>(limits[i]);
}

// Of mipmapped arrays and cubemaps, which are not there, the sizes are 0.
void set_texture_limits(cudaDeviceProp& p) {
  p.textureAlignment = p.surfaceAlignment = kTextureAlignment;
  p.texturePitchAlignment = kTexturePitchAlignment;
  p.maxTexture1D = static_cast<int>(kMaxTexture1D);
  set_sizes(p.maxTexture2D, kMaxTexture2D);
  set_sizes(p.maxTexture2DLinear, kMaxTexture2DLinear);
  set_sizes(p.maxTexture2DGather, kMaxTexture2DGather);
  set_sizes(p.maxTexture3D, kMaxTexture3D);
  set_sizes(p.maxTexture3DAlt, kMaxTexture3DAlt);
  set_sizes(p.maxTexture1DLayered, kMaxTexture1DLayered);
  set_sizes(p.maxTexture2DLayered, kMaxTexture2DLayered);
  p.maxSurface1D = static_cast<int>(kMaxSurface1D);
  set_sizes(p.maxSurface2D, kMaxTexture2D);
  set_sizes(p.maxSurface3D, kMaxTexture3D);
  set_sizes(p.maxSurface1DLayered, kMaxTexture1DLayered);
  set_sizes(p.maxSurface2DLayered, kMaxTexture2DLayered);
}

cudaDeviceProp properties(int device) {
  cudaDeviceProp p{};
  std::snprintf(p.name, sizeof p.name, "%s", kDeviceName);
  p.totalGlobalMem = settings().memory_bytes;
  p.sharedMemPerBlock = kSharedBytesPerBlock;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = 1024;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 2147483647;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.totalConstMem = 65536;
  p.major = 9;
  p.minor = 0;
  p.multiProcessorCount = static_cast<int>(settings().threads);
  p.integrated = 0;
  p.canMapHostMemory = 1;
  p.concurrentKernels = 1;
  p.asyncEngineCount = 1;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = 64;
  p.l2CacheSize = 1 << 20;
  p.persistingL2CacheMaxSize = p.l2CacheSize / 4 * 3;
  p.accessPolicyMaxWindowSize = p.l2CacheSize;
  p.maxThreadsPerMultiProcessor = kThreadsPerProcessor;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = kSharedPerProcessor;
  p.managedMemory = 1;
  p.concurrentManagedAccess = 1;
  p.sharedMemPerBlockOptin = kSharedBytesOptIn;
  p.maxBlocksPerMultiProcessor = kBlocksPerProcessor;
  p.reservedSharedMemPerBlock = kReservedShared;
  p.pciBusID = device + 1;
  set_texture_limits(p);
  // What CUDA 13 dropped: of the clocks, the deviceOverlap that asyncEngineCount replaced.
  const int of_cuda_12[] = {
      kClockRate, kClockRate, 1, 0, cudaComputeModeDefault, static_cast<int>(kMaxTexture1DLinear),
      2,          0};
  static_assert(sizeof of_cuda_12 == sizeof p.convkit_of_cuda_12);
  std::memcpy(p.convkit_of_cuda_12, of_cuda_12, sizeof of_cuda_12);
  p.cooperativeLaunch = 1;
  p.hostRegisterSupported = 1;
  p.memoryPoolsSupported = 1;
  return p;
}

// -1: not supported.
int attribute_of(const cudaDeviceProp& p, cudaDeviceAttr attribute) {
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      return p.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX:
      return p.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY:
      return p.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ:
      return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX:
      return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY:
      return p.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ:
      return p.maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return static_cast<int>(p.sharedMemPerBlock);
    case cudaDevAttrTotalConstantMemory:
      return static_cast<int>(p.totalConstMem);
    case cudaDevAttrWarpSize:
      return p.warpSize;
    case cudaDevAttrMaxPitch:
      return static_cast<int>(p.memPitch);
    case cudaDevAttrMaxRegistersPerBlock:
      return p.regsPerBlock;
    case cudaDevAttrClockRate:
      return kClockRate;
    case cudaDevAttrTextureAlignment:
      return static_cast<int>(p.textureAlignment);
    case cudaDevAttrGpuOverlap:
      return p.asyncEngineCount != 0;
    case cudaDevAttrTccDriver:
      return p.tccDriver;
    case cudaDevAttrMultiGpuBoardGroupID:
      return p.multiGpuBoardGroupID;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      return 2;
    case cudaDevAttrMultiProcessorCount:
      return p.multiProcessorCount;
    case cudaDevAttrKernelExecTimeout:
      return 0;
    case cudaDevAttrIntegrated:
      return p.integrated;
    case cudaDevAttrCanMapHostMemory:
      return p.canMapHostMemory;
    case cudaDevAttrComputeMode:
      return 0;
    case cudaDevAttrConcurrentKernels:
      return p.concurrentKernels;
    case cudaDevAttrEccEnabled:
      return p.ECCEnabled;
    case cudaDevAttrPciBusId:
      return p.pciBusID;
    case cudaDevAttrPciDeviceId:
      return p.pciDeviceID;
    case cudaDevAttrMemoryClockRate:
      return kClockRate;
    case cudaDevAttrGlobalMemoryBusWidth:
      return p.memoryBusWidth;
    case cudaDevAttrL2CacheSize:
      return p.l2CacheSize;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return p.maxThreadsPerMultiProcessor;
    case cudaDevAttrAsyncEngineCount:
      return p.asyncEngineCount;
    case cudaDevAttrUnifiedAddressing:
      return p.unifiedAddressing;
    case cudaDevAttrPciDomainId:
      return p.pciDomainID;
    case cudaDevAttrComputeCapabilityMajor:
      return p.major;
    case cudaDevAttrComputeCapabilityMinor:
      return p.minor;
    case cudaDevAttrStreamPrioritiesSupported:
      return p.streamPrioritiesSupported;
    case cudaDevAttrGlobalL1CacheSupported:
      return p.globalL1CacheSupported;
    case cudaDevAttrLocalL1CacheSupported:
      return p.localL1CacheSupported;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return static_cast<int>(p.sharedMemPerMultiprocessor);
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return p.regsPerMultiprocessor;
    case cudaDevAttrManagedMemory:
      return p.managedMemory;
    case cudaDevAttrIsMultiGpuBoard:
      return p.isMultiGpuBoard;
    case cudaDevAttrHostNativeAtomicSupported:
      return p.hostNativeAtomicSupported;
    case cudaDevAttrPageableMemoryAccess:
      return p.pageableMemoryAccess;
    case cudaDevAttrConcurrentManagedAccess:
      return p.concurrentManagedAccess;
    case cudaDevAttrComputePreemptionSupported:
      return p.computePreemptionSupported;
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
      return p.canUseHostPointerForRegisteredMem;
    case cudaDevAttrCooperativeLaunch:
      return p.cooperativeLaunch;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return static_cast<int>(p.sharedMemPerBlockOptin);
    case cudaDevAttrHostRegisterSupported:
      return p.hostRegisterSupported;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return p.maxBlocksPerMultiProcessor;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return static_cast<int>(p.reservedSharedMemPerBlock);
    case cudaDevAttrMemoryPoolsSupported:
      return p.memoryPoolsSupported;
    case cudaDevAttrClusterLaunch:
      return p.clusterLaunch;
  }
  return -1;
}

// The calls below run no stream and end no sticky error: they are answered without call().
cudaError_t refused(const char* call, cudaError_t error, const std::string& sentence) {
  return noted(refuse(call, error, sentence));
}

cudaError_t refused_null(const char* call, const char* argument) {
  return refused(call, cudaErrorInvalidValue, said(argument, " is null"));
}

cudaError_t refused_device(const char* call, const char* argument, int device) {
  return refused(call, cudaErrorInvalidDevice, no_device_text(argument, device));
}

cudaError_t refused_limit(const char* call, cudaError_t error, int limit) {
  return refused(call, error,
                 said("limit is ", limit,
                      "; it must be cudaLimitStackSize, cudaLimitPrintfFifoSize, "
                      "cudaLimitMallocHeapSize or cudaLimitDevRuntimePendingLaunchCount"));
}

cudaError_t refused_function(const char* call) {
  return refused(call, cudaErrorInvalidDeviceFunction, "func is null; it must be a kernel");
}

unsigned g_device_flags = 0;
size_t g_limits[7] = {1024, 1 << 20, 8 << 20, 0, 0, 64, 0};

// That is kept, and has no effect.
bool is_kept(cudaLimit limit) {
  return (limit >= 0 && limit <= cudaLimitMallocHeapSize) ||
         limit == cudaLimitMaxL2FetchGranularity || limit == cudaLimitPersistingL2CacheSize;
}

}  // namespace

extern "C" {

cudaError_t cudaGetLastError() {
  if (BlockRunner* block = calling_block()) {
    return block->nested_launches().take_error(block->thread());
  }
  return take_last_error();
}
cudaError_t cudaPeekAtLastError() {
  if (BlockRunner* block = calling_block()) {
    return block->nested_launches().peek_error(block->thread());
  }
  return peek_last_error();
}

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define X(name, value, sentence) \
  case name:                     \
    return #name;
#include "simt/cuda_errors.def"
#undef X
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  if (check_hooks && error != cudaSuccess) check_hooks->errors_read();
  switch (error) {
#define X(name, value, sentence) \
  case name:                     \
    return sentence;
#include "simt/cuda_errors.def"
#undef X
  }
  return "unrecognized error code";
}

cudaError_t cudaGetDeviceCount(int* count) {
  if (!count) return refused_null("cudaGetDeviceCount", "count");
  *count = device_count();
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  if (!device) return refused_null("cudaGetDevice", "device");
  *device = current_device();
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (!is_device(device)) return refused_device("cudaSetDevice", "device", device);
  set_current_device(device);
  return noted(cudaSuccess);
}
cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  return is_device(device) ? noted(cudaSuccess)
                           : refused_device("cudaInitDevice", "device", device);
}
cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  g_device_flags = flags;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  if (!flags) return refused_null("cudaGetDeviceFlags", "flags");
  *flags = g_device_flags | cudaDeviceMapHost;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* result, int device) {
  constexpr const char* kCall = "cudaGetDeviceProperties";
  if (!result) return refused_null(kCall, "prop");
  if (!is_device(device)) return refused_device(kCall, "device", device);
  *result = properties(device);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  constexpr const char* kCall = "cudaDeviceGetAttribute";
  if (!value) return refused_null(kCall, "value");
  if (!is_device(device)) return refused_device(kCall, "device", device);
  const int found = attribute_of(properties(device), attribute);
  if (found < 0) {
    return refused(kCall, cudaErrorInvalidValue,
                   said("attr is ", static_cast<int>(attribute),
                        ", an attribute that the CPU device does not have"));
  }
  *value = found;
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  return call([] {
    const cudaError_t error = refuse_device_in_capture("cudaDeviceSynchronize");
    if (error != cudaSuccess) return error;
    queue().drain_all();
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceReset() {
  call([] {
    forget_texture_objects();
    return cudaSuccess;
  });
  if (check_hooks) check_hooks->device_reset();
  return cudaDeviceSynchronize();
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  constexpr const char* kCall = "cudaDeviceGetLimit";
  if (!value) return refused_null(kCall, "pValue");
  if (limit == cudaLimitDevRuntimePendingLaunchCount) {
    *value = pending_launch_limit();
    return cudaSuccess;
  }
  if (limit == cudaLimitDevRuntimeSyncDepth) {
    return refused_limit(kCall, cudaErrorUnsupportedLimit, limit);
  }
  if (!is_kept(limit)) return refused_limit(kCall, cudaErrorInvalidValue, limit);
  *value = g_limits[limit];
  return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  if (limit == cudaLimitDevRuntimePendingLaunchCount) {
    set_pending_launch_limit(value);
    return cudaSuccess;
  }
  if (!is_kept(limit)) {
    return refused_limit("cudaDeviceSetLimit", cudaErrorUnsupportedLimit, limit);
  }
  g_limits[limit] = value;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  constexpr const char* kCall = "cudaDeviceCanAccessPeer";
  if (!can) return refused_null(kCall, "canAccessPeer");
  if (!is_device(device)) return refused_device(kCall, "device", device);
  if (!is_device(peer)) return refused_device(kCall, "peerDevice", peer);
  *can = device != peer;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  if (!version) return refused_null("cudaDriverGetVersion", "driverVersion");
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  if (!version) return refused_null("cudaRuntimeGetVersion", "runtimeVersion");
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaProfilerStart() {
  return cudaSuccess;
}
cudaError_t cudaProfilerStop() {
  return cudaSuccess;
}

cudaError_t convkit_simt_func_set_attribute(const void* function, cudaFuncAttribute attribute,
                                            int value) {
  constexpr const char* kCall = "cudaFuncSetAttribute";
  constexpr cudaError_t kBad = cudaErrorInvalidValue;
  if (!function) return refused_function(kCall);
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
    if (value >= -1 && value <= 100) return noted(cudaSuccess);
    return refused(kCall, kBad,
                   said("value is ", value, "; a carveout must be -1 to 100 per cent"));
  }
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) {
    return refused(kCall, kBad,
                   said("attr is ", static_cast<int>(attribute),
                        "; it must be cudaFuncAttributeMaxDynamicSharedMemorySize or "
                        "cudaFuncAttributePreferredSharedMemoryCarveout"));
  }
  if (value < 0 || static_cast<size_t>(value) > kSharedBytesOptIn) {
    return refused(kCall, kBad,
                   said("value is ", value, " bytes of dynamic shared memory; 0 to ",
                        kSharedBytesOptIn, " are allowed"));
  }
  set_dynamic_shared_limit(function, static_cast<size_t>(value));
  return cudaSuccess;
}

cudaError_t convkit_simt_func_get_attributes(cudaFuncAttributes* attributes, const void* function) {
  constexpr const char* kCall = "cudaFuncGetAttributes";
  if (!attributes) return refused_null(kCall, "attr");
  if (!function) return refused_function(kCall);
  *attributes = {};
  attributes->maxThreadsPerBlock = 1024;
  attributes->ptxVersion = attributes->binaryVersion = 90;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(dynamic_shared_limit(function));
  attributes->preferredShmemCarveout = -1;
  return cudaSuccess;
}

cudaError_t convkit_simt_occupancy(int* blocks, const void* function, int block_size,
                                   size_t shared_bytes) {
  constexpr const char* kCall = "cudaOccupancyMaxActiveBlocksPerMultiprocessor";
  if (!blocks) return refused_null(kCall, "numBlocks");
  if (block_size < 1) {
    return refused(kCall, cudaErrorInvalidValue,
                   said("blockSize is ", block_size, "; it must be at least 1"));
  }
  if (!function) return refused_function(kCall);
  if (shared_bytes > dynamic_shared_limit(function)) {
    *blocks = 0;
    return cudaSuccess;
  }
  *blocks = static_cast<int>(blocks_per_processor(static_cast<unsigned>(block_size), shared_bytes));
  return cudaSuccess;
}
}
