// SPDX-License-Identifier: MIT
// cuRAND's host API. A generator of curandCreateGenerator writes to device memory, as an operation
// of its stream; one of curandCreateGeneratorHost writes to host memory before the call returns.
#pragma once

#include "simt/curand_types.h"

#pragma GCC visibility push(default)
extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t rng_type);
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t rng_type);
curandStatus_t curandDestroyGenerator(curandGenerator_t generator);
curandStatus_t curandGetVersion(int* version);
curandStatus_t curandGetProperty(libraryPropertyType type, int* value);

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream);
// A new seed or order keeps the place in the sequence; an offset is counted from its beginning.
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed);
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order);
// Prepares what the first numbers would need; they are the same without it.
curandStatus_t curandGenerateSeeds(curandGenerator_t generator);

// `num` numbers each. Uniform ones lie above 0 and up to 1. XORWOW and MRG32k3a make normal ones in
// pairs, so that `num` must be even.
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* outputPtr, size_t num);
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* outputPtr, size_t num);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* outputPtr,
                                           size_t num);
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* outputPtr, size_t n,
                                    float mean, float stddev);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* outputPtr, size_t n,
                                          double mean, double stddev);
// `mean` and `stddev` are those of the logarithm.
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* outputPtr, size_t n,
                                       float mean, float stddev);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* outputPtr,
                                             size_t n, double mean, double stddev);

}  // extern "C"
#pragma GCC visibility pop
