// SPDX-License-Identifier: MIT
// Misuse of cuRAND. Link with -lcurand.
#include <curand.h>
#include <curand_kernel.h>

#include "../check.h"
#include "../parts.h"

inline void check(curandStatus_t status, const char* call, const char*, int line) {
  if (status != CURAND_STATUS_SUCCESS) std::fprintf(stderr, "line %d: %s\n", line, call);
}

// All threads draw from one state.
namespace shared_state {

__global__ void draw(curandState* state, unsigned* out) {
  out[threadIdx.x] = curand(state);  // fault
}

__global__ void begin(curandState* state) {
  curand_init(1234, 0, 0, state);
}

PART(shared_state) {
  curandState* state;
  CHECK(cudaMalloc(&state, sizeof(curandState)));
  const DeviceArray<unsigned> out(32);
  begin<<<1, 1>>>(state);
  draw<<<1, 32>>>(state, out.data());
  CHECK_LAUNCH();
  CHECK(cudaFree(state));
}

}  // namespace shared_state

/* Reports:
kind = "race_global_block"
kernel = "draw"
mode = "check"
*/

// The states were never begun with curand_init.
namespace forgotten_init {

__global__ void draw(curandState* states, float* out) {
  out[threadIdx.x] = curand_uniform(&states[threadIdx.x]);  // fault
}

PART(forgotten_init) {
  curandState* states;
  CHECK(cudaMalloc(&states, 32 * sizeof(curandState)));
  const DeviceArray<float> out(32);
  draw<<<1, 32>>>(states, out.data());
  CHECK_LAUNCH();
  CHECK(cudaFree(states));
}

}  // namespace forgotten_init

/* Reports:
kind = "uninitialised_global"
kernel = "draw"
mode = "check"
*/

// Bytes where the call counts numbers.
namespace bytes_for_numbers {

PART(bytes_for_numbers) {
  curandGenerator_t generator;
  CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  const DeviceArray<float> out(16);
  CHECK(curandGenerateUniform(generator, out.data(), 16 * sizeof(float)));  // fault
  CHECK(cudaDeviceSynchronize());
}

}  // namespace bytes_for_numbers

/* Reports:
kind = "out_of_bounds_global"
kernel = "curandGenerateUniform"
mentions = ["writes outputPtr, 64 elements of 4 bytes"]
mode = "any"
*/

// A generator for the device is given host memory.
namespace host_results {

PART(host_results) {
  curandGenerator_t generator;
  CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  std::vector<float> out(16);
  CHECK(curandGenerateNormal(generator, out.data(), 16, 0, 1));  // fault
  CHECK(cudaDeviceSynchronize());
}

}  // namespace host_results

/* Reports:
kind = "host_pointer_in_kernel"
kernel = "curandGenerateNormal"
mentions = ["outputPtr"]
mode = "any"
*/

// A generator for the host is given device memory.
namespace device_results {

PART(device_results) {
  curandGenerator_t generator;
  CHECK(curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  const DeviceArray<unsigned> out(16);
  CHECK(curandGenerate(generator, out.data(), 16));  // fault
  CHECK(cudaDeviceSynchronize());
}

}  // namespace device_results

/* Reports:
kind = "device_pointer_on_host"
kernel = "curandGenerate"
mentions = ["outputPtr"]
mode = "any"
*/
