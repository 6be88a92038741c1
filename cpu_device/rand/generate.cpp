// SPDX-License-Identifier: MIT
// The calls that generate.
#include <cstdint>

#include "cpu_device/engine/library_call.h"
#include "cpu_device/rand/refusal.h"
#include "simt/curand_generators.h"

namespace convkit::simt::rand {
namespace {

template <class T>
Operand results(T* begin, size_t n) {
  Operand operand;
  operand.argument = "outputPtr";
  operand.begin = begin;
  operand.element_bytes = sizeof(T);
  operand.rows = operand.ld = static_cast<int64_t>(n);
  operand.writes = true;
  return operand;
}

curandStatus_t status_of(const LibraryCall& call, cudaError_t error) {
  Refusal refusal(call.name);
  if (error == cudaErrorInvalidResourceHandle || error == cudaErrorNotPermitted) {
    refusal.with(CURAND_STATUS_LAUNCH_FAILURE, why_not_queued(error));
  } else if (error != cudaSuccess) {
    refusal.with(CURAND_STATUS_PREEXISTING_FAILURE, why_not_queued(error));
  }
  return refusal.status();
}

// `make(numbers)` writes the `n` results to `out`; they are made `at_a_time`.
template <class T, class Make>
curandStatus_t generate(const char* name, curandGenerator_t generator, T* out, size_t n,
                        size_t at_a_time, const Make& make) {
  Refusal refusal(name);
  if (refusal.no_generator(generator)) return refusal.status();
  if (n % at_a_time != 0) {
    refusal.with(CURAND_STATUS_LENGTH_NOT_MULTIPLE,
                 said("n is ", n, "; this generator makes normal numbers in pairs"));
    return refusal.status();
  }
  if (n == 0) return CURAND_STATUS_SUCCESS;
  const LibraryCall call = library_call(name);
  if (generator->is_for_host && !out) {
    refusal.out_of_range("outputPtr is null");
    return refusal.status();
  }
  if (generator->is_for_host &&
      !is_host_memory(call, "outputPtr", out, ", whose generator writes to host memory",
                      "Pass host memory, or make the generator with curandCreateGenerator.")) {
    return CURAND_STATUS_LAUNCH_FAILURE;
  }

  std::shared_ptr<Numbers>& numbers = generator->numbers;
  if (!numbers) {
    numbers = make_numbers(generator->type, generator->order, generator->seed, generator->place);
  }
  curandStatus_t status = CURAND_STATUS_SUCCESS;
  if (generator->is_for_host) {
    make(*numbers);
  } else {
    status = status_of(call, enqueue(generator->stream, [call, out, n, make, numbers] {
                         if (may_use(call, results(out, n))) make(*numbers);
                       }));
  }
  if (status == CURAND_STATUS_SUCCESS) generator->place += n / at_a_time;
  return status;
}

// Normal and log-normal numbers.
template <class T, class Make>
curandStatus_t generate_normal(const char* name, curandGenerator_t generator, T* out, size_t n,
                               const Make& make) {
  const size_t at_a_time = is_alive(generator) ? normals_at_a_time(generator->type) : 1;
  return generate(name, generator, out, n, at_a_time, make);
}

}  // namespace
}  // namespace convkit::simt::rand

using namespace convkit::simt::rand;

extern "C" {

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* outputPtr, size_t num) {
  return generate("curandGenerate", generator, outputPtr, num, 1,
                  [=](Numbers& numbers) { numbers.bits(outputPtr, num); });
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* outputPtr, size_t num) {
  return generate("curandGenerateUniform", generator, outputPtr, num, 1,
                  [=](Numbers& numbers) { numbers.uniform(outputPtr, num); });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* outputPtr,
                                           size_t num) {
  return generate("curandGenerateUniformDouble", generator, outputPtr, num, 1,
                  [=](Numbers& numbers) { numbers.uniform(outputPtr, num); });
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* outputPtr, size_t n,
                                    float mean, float stddev) {
  return generate_normal("curandGenerateNormal", generator, outputPtr, n,
                         [=](Numbers& numbers) { numbers.normal(outputPtr, n, mean, stddev); });
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* outputPtr, size_t n,
                                          double mean, double stddev) {
  return generate_normal("curandGenerateNormalDouble", generator, outputPtr, n,
                         [=](Numbers& numbers) { numbers.normal(outputPtr, n, mean, stddev); });
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* outputPtr, size_t n,
                                       float mean, float stddev) {
  return generate_normal("curandGenerateLogNormal", generator, outputPtr, n,
                         [=](Numbers& numbers) { numbers.log_normal(outputPtr, n, mean, stddev); });
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* outputPtr,
                                             size_t n, double mean, double stddev) {
  return generate_normal("curandGenerateLogNormalDouble", generator, outputPtr, n,
                         [=](Numbers& numbers) { numbers.log_normal(outputPtr, n, mean, stddev); });
}

}  // extern "C"
