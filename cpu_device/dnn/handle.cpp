// SPDX-License-Identifier: MIT
// Handles, and the library's version.
#include "cpu_device/dnn/handle.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "cpu_device/dnn/alive.h"
#include "cpu_device/dnn/refusal.h"
#include "simt/runtime_api.h"

namespace convkit::simt::dnn {
namespace {

std::mutex g_handles_mutex;
std::vector<cudnnHandle_t>& handles() {
  static auto* const all = new std::vector<cudnnHandle_t>;
  return *all;
}

}  // namespace

bool is_alive(cudnnHandle_t handle) {
  const std::lock_guard lock(g_handles_mutex);
  return handle && std::find(handles().begin(), handles().end(), handle) != handles().end();
}

}  // namespace convkit::simt::dnn

using namespace convkit::simt::dnn;

extern "C" {

size_t cudnnGetVersion() {
  return CUDNN_VERSION;
}

// The newest compute capability that the library of this version was made for.
size_t cudnnGetMaxDeviceVersion() {
  return 1210;
}

size_t cudnnGetCudartVersion() {
  int version = 0;
  cudaRuntimeGetVersion(&version);
  return static_cast<size_t>(version);
}

cudnnStatus_t cudnnGetProperty(libraryPropertyType type, int* value) {
  constexpr int kVersion[] = {CUDNN_MAJOR, CUDNN_MINOR, CUDNN_PATCHLEVEL};
  Refusal refusal("cudnnGetProperty");
  if (refusal.null({{"value", value}}) ||
      ((type < MAJOR_VERSION || type > PATCH_LEVEL) &&
       refusal.wrong_number("type", type, "it must be a libraryPropertyType"))) {
    return refusal.status();
  }
  *value = kVersion[type];
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  Refusal refusal("cudnnCreate");
  if (refusal.null({{"handle", handle}})) return refusal.status();
  *handle = new cudnnContext;
  note_created(handle, "handle", convkit::simt::library_call("cudnnCreate"));
  const std::lock_guard lock(g_handles_mutex);
  handles().push_back(*handle);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  Refusal refusal("cudnnDestroy");
  if (refusal.no_handle(handle)) return refusal.status();
  cudaDeviceSynchronize();  // as freeing its memory does on a GPU
  const std::lock_guard lock(g_handles_mutex);
  handles().erase(std::find(handles().begin(), handles().end(), handle));
  note_destroyed(handle);
  delete handle;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t streamId) {
  Refusal refusal("cudnnSetStream");
  if (refusal.no_handle(handle)) return refusal.status();
  handle->stream = streamId;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetStream(cudnnHandle_t handle, cudaStream_t* streamId) {
  Refusal refusal("cudnnGetStream");
  if (refusal.no_handle(handle) || refusal.null({{"streamId", streamId}})) return refusal.status();
  *streamId = handle->stream;
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
