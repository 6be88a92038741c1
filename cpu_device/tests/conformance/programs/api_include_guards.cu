// SPDX-License-Identifier: MIT
// What is there before anything is included, and what other headers ask for before they declare their
// helpers: the include guards of NVIDIA's own.
static int digits_of_the_largest(const char* text) {
  int digits = 0;
  for (; *text; ++text) digits += isdigit(*text) != 0 && strlen(text) > 0 && INT_MAX > 0;
  return digits;
}

#include "../check.h"

#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) || \
    !defined(__CUDA_RUNTIME_API_H__) || !defined(__VECTOR_TYPES_H__)
#error "a guard is missing"
#endif

// A helper that only exists where the runtime's types are known.
#ifdef __DRIVER_TYPES_H__
static const char* name_of(cudaError_t error) {
  return cudaGetErrorName(error);
}
#endif

int main() {
  int mode = -1;
  CHECK(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, 0));
  expect("mode", mode != cudaComputeModeProhibited);
  show("digits", digits_of_the_largest("INT_MAX is 2147483647"));
  show("name", name_of(cudaErrorInvalidValue));
  show("modes", cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited,
       cudaComputeModeExclusiveProcess);
}

/* Prints:
mode: ok
digits: 10
name: cudaErrorInvalidValue
modes: 0 1 2 3
*/
