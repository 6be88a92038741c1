// SPDX-License-Identifier: MIT
// Names and sentences of statuses, as CUDA 13's library gives them.
#include "simt/cublas_types.h"

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
