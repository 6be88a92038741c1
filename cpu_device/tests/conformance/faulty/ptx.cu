// SPDX-License-Identifier: MIT
// Inline PTX: what check mode says of loads, stores and copies in it.
#include <vector>

#include "../check.h"
#include "../parts.h"

__device__ inline unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// A barrier is missing between the stores and the loads of a shared array.
namespace ptx_race {

__global__ void reverse_kernel(float* y) {
  __shared__ float x[64];
  const unsigned t = threadIdx.x;
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(shared_address(&x[t])), "f"(1.0f * t));  // fault
  float value;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(shared_address(&x[63 - t])));  // fault
  y[t] = value;
}

PART(ptx_race) {
  DeviceArray<float> y(64);
  reverse_kernel<<<1, 64>>>(y.data());
  CHECK_LAUNCH();
}

}  // namespace ptx_race

/* Reports:
kind = "race_shared"
kernel = "reverse_kernel"
mentions = ["x["]
mode = "check"
*/

// The last thread loads a vector of which half lies beyond the array.
namespace ptx_load_beyond_the_end {

__global__ void pairs_kernel(const float* x, float* y) {
  float a, b;
  asm volatile("ld.global.nc.v2.f32 {%0, %1}, [%2+8];"  // fault
               : "=f"(a), "=f"(b)
               : "l"(x + 2 * threadIdx.x));
  y[threadIdx.x] = a + b;
}

PART(ptx_load_beyond_the_end) {
  DeviceArray<float> x(std::vector<float>(64, 1)), y(32);
  pairs_kernel<<<1, 32>>>(x.data(), y.data());
  CHECK_LAUNCH();
}

}  // namespace ptx_load_beyond_the_end

/* Reports:
kind = "out_of_bounds_global"
kernel = "pairs_kernel"
mode = "check"
*/

// The last thread stores one past the end of the dynamic array.
namespace ptx_store_beyond_shared {

__global__ void store_kernel() {
  extern __shared__ float x[];
  const unsigned a = shared_address(x) + 4 * threadIdx.x;
  asm volatile("st.shared.f32 [%0+4], %1;" ::"r"(a), "f"(1.0f));  // fault
}

PART(ptx_store_beyond_shared) {
  store_kernel<<<1, 32, 128>>>();
  CHECK_LAUNCH();
}

}  // namespace ptx_store_beyond_shared

/* Reports:
kind = "out_of_bounds_shared"
kernel = "store_kernel"
mode = "check"
*/

// The group that was committed last is not waited for.
namespace ptx_copy_not_waited_for {

__global__ void copy_kernel(const float* x, float* y) {
  __shared__ __align__(16) float tile[128];
  const int t = threadIdx.x;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(tile + 4 * t)),
               "l"(x + 4 * t));
  asm volatile("cp.async.commit_group;" ::);
  asm volatile("cp.async.wait_group 1;" ::);
  __syncthreads();
  y[t] = tile[4 * t];  // fault
}

PART(ptx_copy_not_waited_for) {
  DeviceArray<float> x(std::vector<float>(128, 1)), y(32);
  copy_kernel<<<1, 32>>>(x.data(), y.data());
  CHECK_LAUNCH();
}

}  // namespace ptx_copy_not_waited_for

/* Reports:
kind = "uninitialised_shared"
kernel = "copy_kernel"
mode = "check"
*/

// Rows of 9 halves: a row of ldmatrix begins at a multiple of 16 bytes.
namespace ptx_misaligned_rows {

__global__ void rows_kernel(unsigned* y) {
  __shared__ __align__(16) unsigned short x[8][9];
  for (int i = threadIdx.x; i < 72; i += 32) (&x[0][0])[i] = static_cast<unsigned short>(i);
  __syncthreads();
  unsigned r;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"  // fault
               : "=r"(r)
               : "r"(shared_address(x[threadIdx.x % 8])));
  y[threadIdx.x] = r;
}

PART(ptx_misaligned_rows) {
  DeviceArray<unsigned> y(32);
  rows_kernel<<<1, 32>>>(y.data());
  CHECK_LAUNCH();
}

}  // namespace ptx_misaligned_rows

/* Reports:
kind = "misaligned"
kernel = "rows_kernel"
mode = "check"
*/

// Half a warp multiplies.
namespace ptx_mma_in_a_branch {

__global__ void branch_kernel(float* y) {
  float d[4] = {};
  if (threadIdx.x < 16) {
    asm volatile(  // fault
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4}, {%4}, "
        "{%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(0x3c003c00));
  }
  y[threadIdx.x] = d[0];
}

PART(ptx_mma_in_a_branch) {
  DeviceArray<float> y(32);
  branch_kernel<<<1, 32>>>(y.data());
  CHECK_LAUNCH();
}

}  // namespace ptx_mma_in_a_branch

/* Reports:
kind = "shuffle_mask"
kernel = "branch_kernel"
mentions = ["needs all 32"]
mode = "any"
*/

// A barrier for 96 threads, to which 64 come.
namespace ptx_barrier_of_too_many {

__global__ void barrier_kernel(float* y) {
  if (threadIdx.x < 64) asm volatile("bar.sync 2, 96;" ::: "memory");  // fault
  y[threadIdx.x] = 1;
}

PART(ptx_barrier_of_too_many) {
  DeviceArray<float> y(96);
  barrier_kernel<<<1, 96>>>(y.data());
  CHECK_LAUNCH();
}

}  // namespace ptx_barrier_of_too_many

/* Reports:
kind = "divergent_barrier"
kernel = "barrier_kernel"
mentions = ["a barrier of PTX", "64 of 96"]
mode = "any"
*/

// A pointer, and not its shared address.
namespace ptx_pointer_as_shared_address {

__global__ void pointer_kernel(float* y) {
  __shared__ float x[32];
  x[threadIdx.x] = 1;
  float value;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "l"(&x[threadIdx.x]));  // fault
  y[threadIdx.x] = value;
}

PART(ptx_pointer_as_shared_address) {
  DeviceArray<float> y(32);
  pointer_kernel<<<1, 32>>>(y.data());
  CHECK_LAUNCH();
}

}  // namespace ptx_pointer_as_shared_address

/* Reports:
kind = "trap"
kernel = "pointer_kernel"
mentions = ["__cvta_generic_to_shared()"]
mode = "any"
*/
