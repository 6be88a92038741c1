// SPDX-License-Identifier: MIT
// Several devices, and copies in three dimensions. There is one device unless
// CONVKIT_SIMT_DEVICES says otherwise; all of them share the memory and the streams of the first.
#pragma once

#include "simt/runtime_api.h"
#include "simt/runtime_types.h"

struct cudaMemcpy3DParms {
  struct cudaArray* srcArray;  // or null, and srcPtr
  struct cudaPos srcPos;
  struct cudaPitchedPtr srcPtr;
  struct cudaArray* dstArray;  // likewise
  struct cudaPos dstPos;
  struct cudaPitchedPtr dstPtr;
  struct cudaExtent extent;  // in elements of the array, or bytes; rows and slices
  enum cudaMemcpyKind kind;
};

#pragma GCC visibility push(default)
extern "C" {

cudaError_t cudaChooseDevice(int* device, const struct cudaDeviceProp* properties);
cudaError_t cudaSetValidDevices(int* devices, int count);
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device);
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache* config);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetP2PAttribute(int* value, enum cudaDeviceP2PAttr attribute, int device,
                                      int peer);
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaHostGetFlags(unsigned int* flags, void* pointer);

cudaError_t cudaMalloc3D(struct cudaPitchedPtr* pitched, struct cudaExtent extent);
cudaError_t cudaMemset3D(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent,
                              cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms* parameters);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* parameters,
                              cudaStream_t stream = nullptr);
}
#pragma GCC visibility pop

static inline struct cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width,
                                                        size_t height) {
  return {pointer, pitch, width, height};
}
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  return {x, y, z};
}
static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return {width, height, depth};
}

// What C++ has besides: an event with its flags, and memory of any type.
static inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}
template <class T>
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, T* pointer, size_t bytes = 0,
                                            unsigned int = cudaMemAttachSingle) {
  return convkit_simt_hint(pointer, bytes == 0 ? 1 : bytes);
}

// Banks of shared memory, which no device lets choose any more.
static inline cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig) {
  return cudaSuccess;
}
static inline cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* config) {
  if (!config) return cudaErrorInvalidValue;
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
template <class T>
inline cudaError_t cudaFuncSetSharedMemConfig(T*, enum cudaSharedMemConfig) {
  return cudaSuccess;
}
