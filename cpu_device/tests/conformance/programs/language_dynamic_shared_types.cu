// SPDX-License-Identifier: MIT
// `extern __shared__` arrays of several types and spellings, one a kernel; all begin at the same
// place.
#include "../check.h"

struct __align__(16) Particle {
  float position[3];
  int id;
};

__global__ void floats_kernel(float* out) {
  extern __shared__ float floats[];
  floats[threadIdx.x] = threadIdx.x * 0.25f;
  __syncthreads();
  out[threadIdx.x] = floats[blockDim.x - 1 - threadIdx.x];
}

__global__ void doubles_kernel(double* out) {
  extern __shared__ double doubles[];
  doubles[threadIdx.x] = threadIdx.x * 0.125;
  __syncthreads();
  out[threadIdx.x] = doubles[blockDim.x - 1 - threadIdx.x];
}

__global__ void bytes_kernel(int* out) {
  extern __shared__ __align__(16) unsigned char bytes[];
  bytes[threadIdx.x] = static_cast<unsigned char>(250 + threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = bytes[blockDim.x - 1 - threadIdx.x];
}

__global__ void particles_kernel(int* out) {
  extern __shared__ Particle particles[];
  particles[threadIdx.x] = {{1.0f, 2.0f, 3.0f}, static_cast<int>(threadIdx.x * threadIdx.x)};
  __syncthreads();
  out[threadIdx.x] = particles[blockDim.x - 1 - threadIdx.x].id;
}

__global__ void ints_kernel(int* out) {
  extern volatile __shared__ int ints[];
  ints[threadIdx.x] = 7 * threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = ints[blockDim.x - 1 - threadIdx.x];
}

int main() {
  DeviceArray<float> floats(4);
  DeviceArray<double> doubles(4);
  DeviceArray<int> bytes(8), particles(4), ints(4);
  floats_kernel<<<1, 4, 4 * sizeof(float)>>>(floats.data());
  doubles_kernel<<<1, 4, 4 * sizeof(double)>>>(doubles.data());
  bytes_kernel<<<1, 8, 8>>>(bytes.data());
  particles_kernel<<<1, 4, 4 * sizeof(Particle)>>>(particles.data());
  ints_kernel<<<1, 4, 4 * sizeof(int)>>>(ints.data());
  CHECK_LAUNCH();
  show("floats", floats.host());
  show("doubles", doubles.host());
  show("bytes", bytes.host());
  show("particles", particles.host());
  show("ints", ints.host());
}

/* Prints:
floats: 0.75 0.5 0.25 0
doubles: 0.375 0.25 0.125 0
bytes: 1 0 255 254 253 252 251 250
particles: 9 4 1 0
ints: 21 14 7 0
*/
