// SPDX-License-Identifier: MIT
// Handles and their settings.
// Names and sentences of statuses, as CUDA 13's library gives them.
#include "cpu_device/blas/handle.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "cpu_device/blas/refusal.h"
#include "simt/cublas_types.h"
#include "simt/runtime_api.h"

namespace convkit::simt::blas {
namespace {

std::mutex g_mutex;
std::vector<cublasHandle_t>& handles() {
  static auto* const all = new std::vector<cublasHandle_t>;
  return *all;
}

// Calls `body()` when the handle is one.
template <class Body>
cublasStatus_t with(const char* call, cublasHandle_t handle, const Body& body) {
  Refusal refusal(call);
  return refusal.no_handle(handle) ? refusal.status() : body();
}

// For the functions that tell a setting.
template <class Value>
cublasStatus_t give(const char* call, cublasHandle_t handle, const char* argument, Value* out,
                    Value cublasContext::*member) {
  return with(call, handle, [&] {
    Refusal refusal(call);
    if (refusal.null({{argument, out}})) return refusal.status();
    *out = handle->*member;
    return CUBLAS_STATUS_SUCCESS;
  });
}

}  // namespace

bool is_alive(cublasHandle_t handle) {
  const std::lock_guard lock(g_mutex);
  return handle && std::find(handles().begin(), handles().end(), handle) != handles().end();
}

}  // namespace convkit::simt::blas

using namespace convkit::simt::blas;

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  Refusal refusal("cublasCreate");
  if (refusal.null({{"handle", handle}})) return refusal.status();
  *handle = new cublasContext;
  const std::lock_guard lock(g_mutex);
  handles().push_back(*handle);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  return with("cublasDestroy", handle, [&] {
    cudaDeviceSynchronize();  // as freeing its workspace does on a GPU
    const std::lock_guard lock(g_mutex);
    handles().erase(std::find(handles().begin(), handles().end(), handle));
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
  Refusal refusal("cublasGetVersion");
  if (refusal.null({{"version", version}})) return refusal.status();
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  constexpr int kVersion[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  Refusal refusal("cublasGetProperty");
  if (refusal.null({{"value", value}}) ||
      ((type < MAJOR_VERSION || type > PATCH_LEVEL) &&
       refusal.invalid(
           said("type is ", static_cast<int>(type), "; it must be a libraryPropertyType")))) {
    return refusal.status();
  }
  *value = kVersion[type];
  return CUBLAS_STATUS_SUCCESS;
}

size_t cublasGetCudartVersion() {
  int version = 0;
  cudaRuntimeGetVersion(&version);
  return static_cast<size_t>(version);
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  return with("cublasSetStream", handle, [&] {
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
  return give("cublasGetStream", handle, "stream", stream, &cublasContext::stream);
}

// The products need no workspace from the caller. A GPU accepts an unaligned one, too.
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void*, size_t) {
  return with("cublasSetWorkspace", handle, [] { return CUBLAS_STATUS_SUCCESS; });
}

cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  return with("cublasSetPointerMode", handle, [&] {
    if (mode != CUBLAS_POINTER_MODE_HOST && mode != CUBLAS_POINTER_MODE_DEVICE) {
      Refusal refusal("cublasSetPointerMode");
      refusal.invalid(
          said("mode is ", static_cast<int>(mode), "; it must be a cublasPointerMode_t"));
      return refusal.status();
    }
    handle->pointer_mode = mode;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return give("cublasGetPointerMode", handle, "mode", mode, &cublasContext::pointer_mode);
}

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return with("cublasSetAtomicsMode", handle, [&] {
    handle->atomics_mode = mode;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return give("cublasGetAtomicsMode", handle, "mode", mode, &cublasContext::atomics_mode);
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return with("cublasSetMathMode", handle, [&] {
    handle->math_mode = mode;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return give("cublasGetMathMode", handle, "mode", mode, &cublasContext::math_mode);
}

}  // extern "C"

namespace {

struct Text {
  cublasStatus_t status;
  const char* name;
  const char* sentence;
};

#define CONVKIT_STATUS(status, sentence) \
  { status, #status, sentence }
constexpr Text kTexts[] = {
    CONVKIT_STATUS(CUBLAS_STATUS_SUCCESS, "success"),
    CONVKIT_STATUS(CUBLAS_STATUS_NOT_INITIALIZED, "the library was not initialized"),
    CONVKIT_STATUS(CUBLAS_STATUS_ALLOC_FAILED, "the resource allocation failed"),
    CONVKIT_STATUS(CUBLAS_STATUS_INVALID_VALUE,
                   "an unsupported value or parameter was passed to the function"),
    CONVKIT_STATUS(CUBLAS_STATUS_ARCH_MISMATCH,
                   "the function requires an architectural feature absent from the device"),
    CONVKIT_STATUS(CUBLAS_STATUS_MAPPING_ERROR, "an access to GPU memory space failed"),
    CONVKIT_STATUS(CUBLAS_STATUS_EXECUTION_FAILED, "the function failed to launch on the GPU"),
    CONVKIT_STATUS(CUBLAS_STATUS_INTERNAL_ERROR, "an internal operation failed"),
    CONVKIT_STATUS(CUBLAS_STATUS_NOT_SUPPORTED, "the requested functionality is not supported"),
    CONVKIT_STATUS(CUBLAS_STATUS_LICENSE_ERROR, "the license check failed"),
};

constexpr Text kUnknown{CUBLAS_STATUS_SUCCESS, "unrecognized status", "unrecognized status"};

const Text& text_of(cublasStatus_t status) {
  for (const Text& text : kTexts) {
    if (text.status == status) return text;
  }
  return kUnknown;
}

}  // namespace

extern "C" {

const char* cublasGetStatusName(cublasStatus_t status) {
  return text_of(status).name;
}
const char* cublasGetStatusString(cublasStatus_t status) {
  return text_of(status).sentence;
}

}  // extern "C"
