// SPDX-License-Identifier: MIT
// Names, sentences and numbers of error codes.
#include "../check.h"

int main() {
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
