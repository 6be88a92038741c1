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

/* Prints:
0 cudaSuccess: no error
1 cudaErrorInvalidValue: invalid argument
2 cudaErrorMemoryAllocation: out of memory
3 cudaErrorInitializationError: initialization error
9 cudaErrorInvalidConfiguration: invalid configuration argument
12 cudaErrorInvalidPitchValue: invalid pitch argument
13 cudaErrorInvalidSymbol: invalid device symbol
21 cudaErrorInvalidMemcpyDirection: invalid copy direction for memcpy
98 cudaErrorInvalidDeviceFunction: invalid device function
100 cudaErrorNoDevice: no CUDA-capable device is detected
101 cudaErrorInvalidDevice: invalid device ordinal
400 cudaErrorInvalidResourceHandle: invalid resource handle
600 cudaErrorNotReady: device not ready
700 cudaErrorIllegalAddress: an illegal memory access was encountered
701 cudaErrorLaunchOutOfResources: too many resources requested for launch
702 cudaErrorLaunchTimeout: the launch timed out and was terminated
710 cudaErrorAssert: device-side assert triggered
716 cudaErrorMisalignedAddress: misaligned address
719 cudaErrorLaunchFailure: unspecified launch failure
801 cudaErrorNotSupported: operation not supported
999 cudaErrorUnknown: unknown error
unrecognized error code: unrecognized error code
*/
