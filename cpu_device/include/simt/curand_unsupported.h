// SPDX-License-Identifier: MIT
// Functions and generators of cuRAND that the CPU device does not have. Using one is an error at
// the student's line, which says what to use instead.
#pragma once

#include "simt/unsupported.h"

#define CONVKIT_SIMT_NO_RAND(name, instead) \
  CONVKIT_SIMT_NO_FUNCTION(name, #name " is not supported on the CPU device; " instead)

#define CONVKIT_SIMT_NO_POISSON                                         \
  "it has no discrete distributions: count the curand_uniform() draws " \
  "whose product stays above exp(-lambda)"
CONVKIT_SIMT_NO_RAND(curand_poisson, CONVKIT_SIMT_NO_POISSON)
CONVKIT_SIMT_NO_RAND(curand_poisson4, CONVKIT_SIMT_NO_POISSON)
CONVKIT_SIMT_NO_RAND(curand_discrete, CONVKIT_SIMT_NO_POISSON)
CONVKIT_SIMT_NO_RAND(curand_discrete4, CONVKIT_SIMT_NO_POISSON)
CONVKIT_SIMT_NO_RAND(curandGeneratePoisson, "it has no discrete distributions")
CONVKIT_SIMT_NO_RAND(curandGeneratePoissonMethod, "it has no discrete distributions")
CONVKIT_SIMT_NO_RAND(curandGenerateBinomial, "it has no discrete distributions")
CONVKIT_SIMT_NO_RAND(curandGenerateBinomialMethod, "it has no discrete distributions")
CONVKIT_SIMT_NO_RAND(curandCreatePoissonDistribution, "it has no discrete distributions")
CONVKIT_SIMT_NO_RAND(curandDestroyDistribution, "it has no discrete distributions")

#define CONVKIT_SIMT_NO_SOBOL "it has no quasi-random numbers: use CURAND_RNG_PSEUDO_DEFAULT"
CONVKIT_SIMT_NO_RAND(curandGenerateLongLong, CONVKIT_SIMT_NO_SOBOL " and curandGenerate")
CONVKIT_SIMT_NO_RAND(curandSetQuasiRandomGeneratorDimensions, CONVKIT_SIMT_NO_SOBOL)
CONVKIT_SIMT_NO_RAND(curandGetDirectionVectors32, CONVKIT_SIMT_NO_SOBOL)
CONVKIT_SIMT_NO_RAND(curandGetDirectionVectors64, CONVKIT_SIMT_NO_SOBOL)
CONVKIT_SIMT_NO_RAND(curandGetScrambleConstants32, CONVKIT_SIMT_NO_SOBOL)
CONVKIT_SIMT_NO_RAND(curandGetScrambleConstants64, CONVKIT_SIMT_NO_SOBOL)
CONVKIT_SIMT_NO_RAND(curandMakeMTGP32Constants, "use curandStatePhilox4_32_10_t")
CONVKIT_SIMT_NO_RAND(curandMakeMTGP32KernelState, "use curandStatePhilox4_32_10_t")

#define CONVKIT_SIMT_NO_STATE(name)                                                      \
  typedef void* name CONVKIT_SIMT_UNAVAILABLE(                                           \
      #name                                                                              \
      " is not supported on the CPU device; use curandState, or another generator that " \
      "docs/cpu-device.md lists");
CONVKIT_SIMT_NO_STATE(curandStateMtgp32_t)
CONVKIT_SIMT_NO_STATE(curandStateMtgp32)
CONVKIT_SIMT_NO_STATE(mtgp32_kernel_params)
CONVKIT_SIMT_NO_STATE(mtgp32_kernel_params_t)
CONVKIT_SIMT_NO_STATE(curandStateSobol32_t)
CONVKIT_SIMT_NO_STATE(curandStateSobol32)
CONVKIT_SIMT_NO_STATE(curandStateScrambledSobol32_t)
CONVKIT_SIMT_NO_STATE(curandStateScrambledSobol32)
CONVKIT_SIMT_NO_STATE(curandStateSobol64_t)
CONVKIT_SIMT_NO_STATE(curandStateSobol64)
CONVKIT_SIMT_NO_STATE(curandStateScrambledSobol64_t)
CONVKIT_SIMT_NO_STATE(curandStateScrambledSobol64)
CONVKIT_SIMT_NO_STATE(curandDirectionVectors32_t)
CONVKIT_SIMT_NO_STATE(curandDirectionVectors64_t)
CONVKIT_SIMT_NO_STATE(curandDiscreteDistribution_t)
