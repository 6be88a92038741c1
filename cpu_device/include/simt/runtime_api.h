// SPDX-License-Identifier: MIT
// The CUDA runtime API of the CPU device: CUDA's declarations, implemented in engine/. Pointers,
// units and error codes are as NVIDIA's "CUDA Runtime API" states them; docs/cpu-device.md lists
// what differs.
#pragma once

#define __CUDA_RUNTIME_API_H__

#include "simt/runtime_types.h"
#include "simt/vector_types.h"

#pragma GCC visibility push(default)
extern "C" {

// errors
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);

// device
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int* flags);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceGetLimit(size_t* value, enum cudaLimit limit);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

// memory
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* attributes, const void* pointer);
cudaError_t cudaFree(void* d_pointer);
cudaError_t cudaFreeAsync(void* d_pointer, cudaStream_t stream);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const struct cudaMemPoolProps* properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes_to_keep);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void* value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void* value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc* accesses,
                                 size_t count);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 struct cudaMemLocation* location);
cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width_bytes, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemset(void* d_pointer, int value, size_t bytes);
cudaError_t cudaMemset2D(void* d_pointer, size_t pitch, int value, size_t width_bytes,
                         size_t height);

// The functions that the templates below use.
cudaError_t convkit_simt_malloc(void** d_pointer, size_t bytes);
// Without a pool from the device's own.
cudaError_t convkit_simt_malloc_async(void** d_pointer, size_t bytes, cudaMemPool_t pool,
                                      cudaStream_t stream);
cudaError_t convkit_simt_malloc_pitch(void** d_pointer, size_t* pitch, size_t width_bytes,
                                      size_t height);
cudaError_t convkit_simt_malloc_managed(void** pointer, size_t bytes, unsigned int flags);
cudaError_t convkit_simt_hint(const void* pointer, size_t bytes);
cudaError_t convkit_simt_malloc_host(void** pointer, size_t bytes, unsigned int flags);
cudaError_t convkit_simt_host_get_device_pointer(void** d_pointer, void* pointer,
                                                 unsigned int flags);
cudaError_t convkit_simt_copy_symbol(void* symbol, void* other, size_t symbol_bytes, size_t bytes,
                                     size_t offset, int to_symbol, enum cudaMemcpyKind kind,
                                     int asynchronous, cudaStream_t stream);
cudaError_t convkit_simt_symbol_address(void** d_pointer, void* symbol, size_t symbol_bytes);
cudaError_t convkit_simt_func_set_attribute(const void* function, enum cudaFuncAttribute attribute,
                                            int value);
cudaError_t convkit_simt_func_get_attributes(struct cudaFuncAttributes* attributes,
                                             const void* function);
cudaError_t convkit_simt_occupancy(int* blocks, const void* function, int block_size,
                                   size_t shared_bytes);

// streams and events
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop);

}  // extern "C"

// CUDA gives these default arguments in C++.
extern "C" {
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width_bytes, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream = nullptr);
cudaError_t cudaMemsetAsync(void* d_pointer, int value, size_t bytes,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemset2DAsync(void* d_pointer, size_t pitch, int value, size_t width_bytes,
                              size_t height, cudaStream_t stream = nullptr);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void* user_data, unsigned int flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr,
                                     unsigned int flags = 0);
}
#pragma GCC visibility pop

#include "simt/runtime_arrays.h"
#include "simt/runtime_devices.h"
#include "simt/runtime_graphs.h"
#include "simt/runtime_of_cuda_12.h"
#include "simt/runtime_templates.h"
