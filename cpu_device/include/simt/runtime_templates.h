// SPDX-License-Identifier: MIT
// The part of the CUDA runtime API that takes typed pointers, symbols and kernels.
#pragma once

#include "simt/runtime_api.h"

template <class T>
inline cudaError_t cudaMalloc(T** d_pointer, size_t bytes) {
  return convkit_simt_malloc(reinterpret_cast<void**>(d_pointer), bytes);
}

template <class T>
inline cudaError_t cudaMallocAsync(T** d_pointer, size_t bytes, cudaStream_t stream) {
  return convkit_simt_malloc_async(reinterpret_cast<void**>(d_pointer), bytes, nullptr, stream);
}

template <class T>
inline cudaError_t cudaMallocAsync(T** d_pointer, size_t bytes, cudaMemPool_t pool,
                                   cudaStream_t stream) {
  return convkit_simt_malloc_async(reinterpret_cast<void**>(d_pointer), bytes, pool, stream);
}

template <class T>
inline cudaError_t cudaMallocFromPoolAsync(T** d_pointer, size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream) {
  return convkit_simt_malloc_async(reinterpret_cast<void**>(d_pointer), bytes, pool, stream);
}

template <class T>
inline cudaError_t cudaMallocPitch(T** d_pointer, size_t* pitch, size_t width_bytes,
                                   size_t height) {
  return convkit_simt_malloc_pitch(reinterpret_cast<void**>(d_pointer), pitch, width_bytes, height);
}

template <class T>
inline cudaError_t cudaMallocManaged(T** pointer, size_t bytes,
                                     unsigned int flags = cudaMemAttachGlobal) {
  return convkit_simt_malloc_managed(reinterpret_cast<void**>(pointer), bytes, flags);
}

// A hint where managed memory should be. Host and device share it here, so this is checked and no
// more. Locations are structures since CUDA 13, and were numbers of devices before.
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, struct cudaMemLocation,
                                        unsigned int, cudaStream_t = nullptr) {
  return convkit_simt_hint(pointer, bytes);
}

inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int,
                                        cudaStream_t = nullptr) {
  return convkit_simt_hint(pointer, bytes);
}

inline cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, enum cudaMemoryAdvise,
                                 struct cudaMemLocation) {
  return convkit_simt_hint(pointer, bytes);
}

inline cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, enum cudaMemoryAdvise, int) {
  return convkit_simt_hint(pointer, bytes);
}

template <class T>
inline cudaError_t cudaMallocHost(T** pointer, size_t bytes,
                                  unsigned int flags = cudaHostAllocDefault) {
  return convkit_simt_malloc_host(reinterpret_cast<void**>(pointer), bytes, flags);
}

template <class T>
inline cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int flags) {
  return convkit_simt_malloc_host(reinterpret_cast<void**>(pointer), bytes, flags);
}

template <class T>
inline cudaError_t cudaHostGetDevicePointer(T** d_pointer, void* pointer, unsigned int flags) {
  return convkit_simt_host_get_device_pointer(reinterpret_cast<void**>(d_pointer), pointer, flags);
}

// Symbols are passed as the variable itself, as CUDA's own templates take them.
template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes,
                                      size_t offset = 0,
                                      enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return convkit_simt_copy_symbol((void*)(&symbol), const_cast<void*>(from), sizeof(T), bytes,
                                  offset, 1, kind, 0, nullptr);
}

template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes,
                                           size_t offset = 0,
                                           enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                           cudaStream_t stream = nullptr) {
  return convkit_simt_copy_symbol((void*)(&symbol), const_cast<void*>(from), sizeof(T), bytes,
                                  offset, 1, kind, 1, stream);
}

template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                        enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return convkit_simt_copy_symbol((void*)(&symbol), to, sizeof(T), bytes, offset, 0, kind, 0,
                                  nullptr);
}

template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes,
                                             size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = nullptr) {
  return convkit_simt_copy_symbol((void*)(&symbol), to, sizeof(T), bytes, offset, 0, kind, 1,
                                  stream);
}

template <class T, class S>
inline cudaError_t cudaGetSymbolAddress(T** d_pointer, const S& symbol) {
  return convkit_simt_symbol_address(reinterpret_cast<void**>(d_pointer), (void*)(&symbol),
                                     sizeof(S));
}

template <class S>
inline cudaError_t cudaGetSymbolSize(size_t* bytes, const S&) {
  if (!bytes) return cudaErrorInvalidValue;
  *bytes = sizeof(S);
  return cudaSuccess;
}

template <class T>
inline cudaError_t cudaFuncSetAttribute(T* kernel, enum cudaFuncAttribute attribute, int value) {
  return convkit_simt_func_set_attribute((const void*)(kernel), attribute, value);
}

template <class T>
inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, T* kernel) {
  return convkit_simt_func_get_attributes(attributes, (const void*)(kernel));
}

template <class T>
inline cudaError_t cudaFuncSetCacheConfig(T*, enum cudaFuncCache) {
  return cudaSuccess;
}

template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T kernel,
                                                                 int block_size,
                                                                 size_t dynamic_shared_bytes) {
  return convkit_simt_occupancy(blocks, (const void*)(kernel), block_size, dynamic_shared_bytes);
}

// The largest block is always full occupancy here: blocks of the CPU device do not compete for
// registers.
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size, T kernel,
                                                      size_t dynamic_shared_bytes = 0,
                                                      int block_size_limit = 0) {
  const int limit = block_size_limit > 0 && block_size_limit < 1024 ? block_size_limit : 1024;
  int blocks = 0;
  const cudaError_t error =
      convkit_simt_occupancy(&blocks, (const void*)(kernel), limit, dynamic_shared_bytes);
  if (error != cudaSuccess) return error;
  int processors = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  *min_grid_size = blocks * processors;
  *block_size = limit;
  return cudaSuccess;
}

// `shared_bytes(block_size)` is the dynamic shared memory of a block: of all sizes that are
// multiples of a warp (and the limit) the one with the most threads at once, the largest of equal
// ones.
template <class SharedBytes, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid_size,
                                                                  int* block_size, T kernel,
                                                                  SharedBytes shared_bytes,
                                                                  int block_size_limit = 0) {
  const int limit = block_size_limit > 0 && block_size_limit < 1024 ? block_size_limit : 1024;
  int most_threads = 0, processors = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  for (int aligned = (limit + 31) / 32 * 32; aligned > 0; aligned -= 32) {
    const int size = aligned < limit ? aligned : limit;
    int blocks = 0;
    const cudaError_t error =
        convkit_simt_occupancy(&blocks, (const void*)(kernel), size, shared_bytes(size));
    if (error != cudaSuccess) return error;
    if (blocks * size <= most_threads) continue;
    most_threads = blocks * size;
    *min_grid_size = blocks * processors;
    *block_size = size;
  }
  return cudaSuccess;
}

namespace convkit::simt {

// Rebuilds a call from the array of argument addresses that cudaLaunchKernel takes.
template <class... P>
struct ArgumentArray;

template <>
struct ArgumentArray<> {
  template <class Launch, class... Done>
  static void call(const Launch& launch, void**, Done&... done) {
    launch(done...);
  }
};

template <class Head, class... Tail>
struct ArgumentArray<Head, Tail...> {
  template <class Launch, class... Done>
  static void call(const Launch& launch, void** arguments, Done&... done) {
    ArgumentArray<Tail...>::call(launch, arguments + 1, done..., *static_cast<Head*>(arguments[0]));
  }
};

}  // namespace convkit::simt
