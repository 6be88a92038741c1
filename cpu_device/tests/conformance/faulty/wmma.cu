// SPDX-License-Identifier: MIT
// Tensor cores: warps that do not call together, and tiles that lie wrong in memory.
#include <mma.h>

#include <vector>

#include "../check.h"
#include "../parts.h"

using namespace nvcuda;
using FragmentA = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using FragmentB = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major>;
using Sums = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

// A block of 16 threads, as if each had a row.
namespace wmma_half_a_warp {

__global__ void rows_kernel(const half* x, float* y) {
  FragmentA a;
  FragmentB b;
  Sums sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(a, x, 16);  // fault
  wmma::load_matrix_sync(b, x, 16);
  wmma::mma_sync(sum, a, b, sum);
  wmma::store_matrix_sync(y, sum, 16, wmma::mem_row_major);
}

PART(wmma_half_a_warp) {
  DeviceArray<half> x(256);
  DeviceArray<float> y(256);
  rows_kernel<<<1, 16>>>(x.data(), y.data());
  CHECK_LAUNCH();
}

}  // namespace wmma_half_a_warp

/* Reports:
kind = "shuffle_mask"
kernel = "rows_kernel"
mentions = ["16 lanes", "needs all 32"]
mode = "any"
*/

// Only the lanes whose row lies in the matrix multiply; the others wait for the block.
namespace wmma_in_a_branch {

__global__ void branch_kernel(float* y, int rows) {
  __shared__ float tile[256];
  FragmentA a;
  FragmentB b;
  Sums sum;
  wmma::fill_fragment(a, half(1.0f));
  wmma::fill_fragment(b, half(1.0f));
  wmma::fill_fragment(sum, 0.0f);
  if (threadIdx.x % 32 < rows) {
    wmma::mma_sync(sum, a, b, sum);  // fault
    wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major);
  }
  __syncthreads();  // fault
  y[threadIdx.x] = tile[threadIdx.x];
}

PART(wmma_in_a_branch) {
  DeviceArray<float> y(64);
  branch_kernel<<<1, 64>>>(y.data(), 20);
  CHECK_LAUNCH();
}

}  // namespace wmma_in_a_branch

/* Reports:
kind = "shuffle_mask"
kernel = "branch_kernel"
mentions = ["lane 20", "All 32 lanes"]
mode = "any"
*/

// The tile's column is computed from the thread in place of the warp.
namespace wmma_tile_of_a_thread {

__global__ void columns_kernel(const half* x, float* y, int n) {
  FragmentA a;
  FragmentB b;
  Sums sum;
  const int tile = blockIdx.x * blockDim.x + threadIdx.x;
  wmma::fill_fragment(a, half(1.0f));
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(b, x + 16 * (tile % 2), n);  // fault
  wmma::mma_sync(sum, a, b, sum);
  wmma::store_matrix_sync(y, sum, n, wmma::mem_row_major);
}

PART(wmma_tile_of_a_thread) {
  DeviceArray<half> x(16 * 32);
  DeviceArray<float> y(16 * 32);
  columns_kernel<<<1, 64>>>(x.data(), y.data(), 32);
  CHECK_LAUNCH();
}

}  // namespace wmma_tile_of_a_thread

/* Reports:
kind = "shuffle_mask"
kernel = "columns_kernel"
mentions = ["other arguments", "lane 1 "]
mode = "any"
*/

// The matrix has 40 rows, which are no whole tiles.
namespace wmma_last_tile {

__global__ void tiles_kernel(const half* x, float* y, int columns) {
  FragmentA a;
  FragmentB b;
  Sums sum;
  wmma::fill_fragment(b, half(1.0f));
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(a, x + 16 * blockIdx.x * columns, columns);  // fault
  wmma::mma_sync(sum, a, b, sum);
  wmma::store_matrix_sync(y + 256 * blockIdx.x, sum, 16, wmma::mem_row_major);
}

PART(wmma_last_tile) {
  DeviceArray<half> x(40 * 16);
  DeviceArray<float> y(3 * 256);
  tiles_kernel<<<3, 32>>>(x.data(), y.data(), 16);
  CHECK_LAUNCH();
}

}  // namespace wmma_last_tile

/* Reports:
kind = "out_of_bounds_global"
kernel = "tiles_kernel"
mentions = ["reads 2 bytes", "1280 bytes"]
mode = "check"
*/

// The result is narrower than a tile.
namespace wmma_store_beyond {

__global__ void kernel(float* y) {
  Sums sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::store_matrix_sync(y, sum, 16, wmma::mem_col_major);  // fault
}

PART(wmma_store_beyond) {
  DeviceArray<float> y(16 * 12);
  kernel<<<1, 32>>>(y.data());
  CHECK_LAUNCH();
}

}  // namespace wmma_store_beyond

/* Reports:
kind = "out_of_bounds_global"
kernel = "kernel"
mentions = ["writes 4 bytes", "768 bytes"]
mode = "check"
*/

// A tile begins at a multiple of 256 bits.
namespace wmma_odd_column {

__global__ void shifted_kernel(const half* x, float* y, int shift) {
  FragmentA a;
  FragmentB b;
  Sums sum;
  wmma::fill_fragment(b, half(1.0f));
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(a, x + shift, 32);  // fault
  wmma::mma_sync(sum, a, b, sum);
  wmma::store_matrix_sync(y, sum, 16, wmma::mem_row_major);
}

PART(wmma_odd_column) {
  DeviceArray<half> x(16 * 32);
  DeviceArray<float> y(256);
  shifted_kernel<<<1, 32>>>(x.data(), y.data(), 4);
  CHECK_LAUNCH();
}

}  // namespace wmma_odd_column

/* Reports:
kind = "misaligned"
kernel = "shifted_kernel"
mentions = ["matrix of wmma", "not a multiple of 32"]
mode = "check"
*/

// Rows are padded by two floats, and must be multiples of four apart.
namespace wmma_odd_stride {

__global__ void padded_kernel(float* y) {
  __shared__ __align__(32) float tile[16][18];
  Sums sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::store_matrix_sync(&tile[0][0], sum, 18, wmma::mem_row_major);  // fault
  __syncwarp();
  y[threadIdx.x] = tile[threadIdx.x % 16][threadIdx.x / 16];
}

PART(wmma_odd_stride) {
  DeviceArray<float> y(32);
  padded_kernel<<<1, 32>>>(y.data());
  CHECK_LAUNCH();
}

}  // namespace wmma_odd_stride

/* Reports:
kind = "misaligned"
kernel = "padded_kernel"
mentions = ["row of a matrix of wmma", "not a multiple of 16", "tile"]
mode = "check"
*/

// The warps fill a tile together, and one of them multiplies it without waiting for the others.
namespace wmma_without_barrier {

__global__ void filled_kernel(const half* x, float* y) {
  __shared__ __align__(32) half tile[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) tile[i] = x[i];  // fault
  FragmentA a;
  FragmentB b;
  Sums sum;
  wmma::fill_fragment(b, half(1.0f));
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(a, tile, 16);  // fault
  wmma::mma_sync(sum, a, b, sum);
  if (threadIdx.x < 32) wmma::store_matrix_sync(y, sum, 16, wmma::mem_row_major);
}

PART(wmma_without_barrier) {
  DeviceArray<half> x(256);
  DeviceArray<float> y(256);
  filled_kernel<<<1, 64>>>(x.data(), y.data());
  CHECK_LAUNCH();
}

}  // namespace wmma_without_barrier

/* Reports:
kind = "race_shared"
kernel = "filled_kernel"
mentions = ["tile"]
mode = "check"
*/

// Nothing makes the lanes wait for the store of the others.
namespace wmma_read_after_store {

__global__ void read_kernel(float* y) {
  __shared__ __align__(32) float tile[256];
  Sums sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major);  // fault
  for (int i = threadIdx.x; i < 256; i += 32) y[i] = tile[i];   // fault
}

PART(wmma_read_after_store) {
  DeviceArray<float> y(256);
  read_kernel<<<1, 32>>>(y.data());
  CHECK_LAUNCH();
}

}  // namespace wmma_read_after_store

/* Reports:
kind = "race_shared"
kernel = "read_kernel"
mentions = ["tile"]
mode = "check"
*/

// The rows of the tile that lie beyond the matrix are left as they were.
namespace wmma_tile_not_cleared {

__global__ void edge_kernel(const half* x, float* y, int rows) {
  __shared__ __align__(32) half tile[256];
  for (int i = threadIdx.x; i < 16 * rows; i += 32) tile[i] = x[i];
  __syncwarp();
  FragmentA a;
  FragmentB b;
  Sums sum;
  wmma::fill_fragment(b, half(1.0f));
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(a, tile, 16);  // fault
  wmma::mma_sync(sum, a, b, sum);
  wmma::store_matrix_sync(y, sum, 16, wmma::mem_row_major);
}

PART(wmma_tile_not_cleared) {
  DeviceArray<half> x(256);
  DeviceArray<float> y(256);
  edge_kernel<<<1, 32>>>(x.data(), y.data(), 13);
  CHECK_LAUNCH();
}

}  // namespace wmma_tile_not_cleared

/* Reports:
kind = "uninitialised_shared"
kernel = "edge_kernel"
mentions = ["tile"]
mode = "check"
*/
