// SPDX-License-Identifier: MIT
// Statuses, generators and orders of cuRAND's host API, with CUDA's names and values.
#pragma once

#include <cstddef>

#include "library_types.h"
#include "simt/attributes.h"
#include "simt/runtime_types.h"

#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 4
#define CURAND_VER_PATCH 0
#define CURAND_VERSION (CURAND_VER_MAJOR * 1000 + CURAND_VER_MINOR * 100 + CURAND_VER_PATCH)
#define CURANDAPI

typedef enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;

#define CONVKIT_SIMT_NO_GENERATOR(name)                                          \
  CONVKIT_SIMT_UNAVAILABLE(#name                                                 \
                           " is not supported on the CPU device; it has XORWOW " \
                           "(CURAND_RNG_PSEUDO_DEFAULT), PHILOX4_32_10 and MRG32K3A")
#define CONVKIT_SIMT_NO_QUASI(name)                                                \
  CONVKIT_SIMT_UNAVAILABLE(#name                                                   \
                           " is not supported on the CPU device; it has no quasi-" \
                           "random numbers: use CURAND_RNG_PSEUDO_DEFAULT")
typedef enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,  // XORWOW
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 CONVKIT_SIMT_NO_GENERATOR(CURAND_RNG_PSEUDO_MTGP32) = 141,
  CURAND_RNG_PSEUDO_MT19937 CONVKIT_SIMT_NO_GENERATOR(CURAND_RNG_PSEUDO_MT19937) = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT CONVKIT_SIMT_NO_QUASI(CURAND_RNG_QUASI_DEFAULT) = 200,
  CURAND_RNG_QUASI_SOBOL32 CONVKIT_SIMT_NO_QUASI(CURAND_RNG_QUASI_SOBOL32) = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 CONVKIT_SIMT_NO_QUASI(CURAND_RNG_QUASI_SCRAMBLED_SOBOL32) =
      202,
  CURAND_RNG_QUASI_SOBOL64 CONVKIT_SIMT_NO_QUASI(CURAND_RNG_QUASI_SOBOL64) = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 CONVKIT_SIMT_NO_QUASI(CURAND_RNG_QUASI_SCRAMBLED_SOBOL64) = 204
} curandRngType_t;
#undef CONVKIT_SIMT_NO_GENERATOR
#undef CONVKIT_SIMT_NO_QUASI

// In which places of the results the numbers of the subsequences are (cpu_device/rand/numbers.h).
typedef enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED CONVKIT_SIMT_UNAVAILABLE(
      "CURAND_ORDERING_PSEUDO_SEEDED is not supported on the CPU device; leave the default") = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,  // the default one, where a GPU's depends on the card
  CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;

typedef struct curandGenerator_st* curandGenerator_t;
