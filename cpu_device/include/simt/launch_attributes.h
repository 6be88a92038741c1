// SPDX-License-Identifier: MIT
// Launches by a configuration with attributes: cudaLaunchKernelEx() and cudaLaunchKernelExC(). Of
// the attributes, `cooperative` counts, clusters are refused by the compiler, and the others, which
// are hints, are accepted. Attributes of streams.
#pragma once

#include "simt/launch.h"

enum cudaAccessProperty {
  cudaAccessPropertyNormal = 0,
  cudaAccessPropertyStreaming = 1,
  cudaAccessPropertyPersisting = 2
};

struct cudaAccessPolicyWindow {
  void* base_ptr;
  size_t num_bytes;
  float hitRatio;
  enum cudaAccessProperty hitProp;
  enum cudaAccessProperty missProp;
};

enum cudaSynchronizationPolicy {
  cudaSyncPolicyAuto = 1,
  cudaSyncPolicySpin = 2,
  cudaSyncPolicyYield = 3,
  cudaSyncPolicyBlockingSync = 4
};

enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeAccessPolicyWindow = 1,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeSynchronizationPolicy = 3,
  cudaLaunchAttributeClusterDimension CONVKIT_SIMT_UNAVAILABLE(
      "thread block clusters are not supported on the CPU device; use single blocks") = 4,
  // The launch waits for the one before it, which CUDA allows, too.
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributePriority = 8,
  cudaLaunchAttributePreferredSharedMemoryCarveout = 14
};

union cudaLaunchAttributeValue {
  char pad[64];
  struct cudaAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  enum cudaSynchronizationPolicy syncPolicy;
  int programmaticStreamSerializationAllowed;
  int priority;
  unsigned int sharedMemCarveout;
};

#define cudaStreamAttrID cudaLaunchAttributeID
#define cudaStreamAttrValue cudaLaunchAttributeValue
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority cudaLaunchAttributePriority

#pragma GCC visibility push(default)
extern "C" {
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, enum cudaLaunchAttributeID attribute,
                                   union cudaLaunchAttributeValue* value);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, enum cudaLaunchAttributeID attribute,
                                   const union cudaLaunchAttributeValue* value);
}
#pragma GCC visibility pop

// There is no cache to reset.
static inline cudaError_t cudaCtxResetPersistingL2Cache() {
  return cudaSuccess;
}

// For kernels that are launched before the one before them has ended, which here has always ended.
static inline void cudaTriggerProgrammaticLaunchCompletion() {}
static inline void cudaGridDependencySynchronize() {}

struct cudaLaunchAttribute {
  enum cudaLaunchAttributeID id;
  union cudaLaunchAttributeValue val;
};

struct cudaLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  struct cudaLaunchAttribute* attrs;
  unsigned int numAttrs;
};

namespace convkit::simt {

inline LaunchConfig launch_config(const cudaLaunchConfig_t& from, const char* file, int line) {
  LaunchConfig config(from.gridDim, from.blockDim, from.dynamicSmemBytes, from.stream, file, line);
  for (unsigned i = 0; i < from.numAttrs; ++i) {
    if (from.attrs[i].id != cudaLaunchAttributeCooperative) continue;
    config.cooperative = from.attrs[i].val.cooperative != 0;
  }
  return config;
}

// The configuration with the line of the call: a function with any number of arguments cannot take
// it as its last ones.
struct LaunchConfigAt {
  const cudaLaunchConfig_t* config;
  const char* file;
  int line;
  LaunchConfigAt(const cudaLaunchConfig_t* from, const char* at_file = __builtin_FILE(),
                 int at_line = __builtin_LINE())
      : config(from), file(at_file), line(at_line) {}
};

}  // namespace convkit::simt

// `config` must not be null.
template <class... P, class... A>
inline cudaError_t cudaLaunchKernelEx(convkit::simt::LaunchConfigAt config, void (*kernel)(P...),
                                      A&&... arguments) {
  const convkit::simt::LaunchConfig launch =
      convkit::simt::launch_config(*config.config, config.file, config.line);
  const convkit::simt::FunctionLauncher<convkit::simt::ByPointer, P...> launcher(launch, nullptr,
                                                                                 kernel);
  return launcher.queue_copies(static_cast<A&&>(arguments)...);
}

CONVKIT_SIMT_UNAVAILABLE(CONVKIT_SIMT_KERNEL_TYPE)
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                void** arguments);
template <class... P>
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, void (*kernel)(P...),
                                       void** arguments, CONVKIT_SIMT_SITE) {
  return convkit::simt::launch_by_address(convkit::simt::launch_config(*config, CONVKIT_SIMT_AT),
                                          kernel, arguments);
}
