// SPDX-License-Identifier: MIT
// What the CPU device refuses, one construct a line, with the words that must be said of it.
#include <cooperative_groups.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <cudnn.h>
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>  // INCLUDE ERROR: MTGP32 is not supported on the CPU device
#include <mma.h>

cudaMipmappedArray_t image;  // ERROR: mipmapped arrays are not supported on the CPU device
__global__ void __cluster_dims__(2) clusters() {}  // ERROR: use single blocks

// wmma with less than a byte
nvcuda::wmma::experimental::precision::u4* nibbles;  // ERROR: use signed char or unsigned char
nvcuda::wmma::experimental::precision::b1* bits;     // ERROR: elements of 4 bits or 1 bit is not

__device__ curandStateSobol32_t state;  // ERROR: use curandState, or another generator that docs

__global__ void kernel(float* x, long long* n, unsigned long long object) {
  x[0] = tex2DLod<float>(object, 1, 2, 0);    // ERROR: make an array and a texture for each level
  x[0] = texCubemap<float>(object, 1, 2, 3);  // ERROR: make a layered array of 6 faces
  x[1] = __shfl_down(x[1], 1);                // ERROR: call __shfl_down_sync() with a mask first
  if (__any(x[0] > 1)) x[2] = 0;              // ERROR: call __any_sync() with a mask first
  atomicMax(&x[3], 1.0f);                     // ERROR: CUDA has no atomicMax() for float
  atomicAdd(n, 1ll);                          // ERROR: CUDA has no atomicAdd() for long long
  nvcuda::wmma::bmma_sync(x, x, x, x);        // ERROR: elements of 4 bits or 1 bit is not supported
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> sum;
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major> a;
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, half, nvcuda::wmma::row_major> b;
  nvcuda::wmma::mma_sync(sum, a, b, sum, true);  // ERROR: mma_sync() takes satf for integers only
  n[0] = curand_poisson(object, 3.0);            // ERROR: it has no discrete distributions
}

int main() {
  cudaThreadSynchronize();               // ERROR: CUDA 13 dropped it
  cuCtxSynchronize();                    // ERROR: use cudaDeviceSynchronize()
  cudaBindTexture(nullptr, nullptr, 4);  // ERROR: CUDA 12 dropped texture and surface references
  cudaGraphAddMemAllocNode(nullptr);     // ERROR: graphs cannot allocate memory
  cudaIpcMemHandle_t handle;
  cudaIpcGetMemHandle(&handle, nullptr);  // ERROR: not shared between processes
  cudaGraphSetConditional(0, 1);          // ERROR: let the host decide which graph to launch
  const void* address = (const void*)kernel;
  cudaLaunchKernel(address, 1, 1, nullptr);             // ERROR: name the kernel in the call
  cudaLaunchCooperativeKernel(address, 1, 1, nullptr);  // ERROR: name the kernel in the call
  cudaLaunchKernelExC(nullptr, address, nullptr);       // ERROR: name the kernel in the call
  cudaLaunchCooperativeKernelMultiDevice(nullptr, 1);   // ERROR: CUDA 13 dropped
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;  // ERROR: clusters are not supported
  cublasHgemmBatched(nullptr);   // ERROR: cublasHgemmBatched is not supported on the CPU device;
                                 // call cublasHgemmStridedBatched
  cublasDgetrfBatched(nullptr);  // ERROR: of solvers it has cublasStrsm
  cublasCherk(nullptr);          // ERROR: of complex numbers it has vectors
  curandCreateGenerator(nullptr, CURAND_RNG_PSEUDO_MTGP32);  // ERROR: it has XORWOW
  curandCreateGenerator(nullptr, CURAND_RNG_QUASI_SOBOL64);  // ERROR: it has no quasi-random
  curandSetQuasiRandomGeneratorDimensions(nullptr, 3);       // ERROR: it has no quasi-random
  curandSetGeneratorOrdering(nullptr, CURAND_ORDERING_PSEUDO_SEEDED);  // ERROR: leave the default
  curandGeneratePoisson(nullptr, nullptr, 1, 2.0);                     // ERROR: it has no discrete
  cudnnBackendExecute(nullptr);                // ERROR: call the functions that take descriptors
  cudnnIm2Col(nullptr);                        // ERROR: unroll in a kernel
  cudnnRNNForward(nullptr);                    // ERROR: cudnnRNNForward is not supported
  cudnnBatchNormalizationBackwardEx(nullptr);  // ERROR: call cudnnBatchNormalizationBackward
}
