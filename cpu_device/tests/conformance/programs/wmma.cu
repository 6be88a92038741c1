// SPDX-License-Identifier: MIT
// Tensor cores through nvcuda::wmma. All values are small whole numbers, of which every sum is
// exact in every type.
#include <mma.h>

#include <climits>
#include <cmath>
#include <vector>

#include "../check.h"
#include "../parts.h"

using namespace nvcuda;

// What several parts multiply: a[row][inner] and b[inner][column], from -4 to 3.
__host__ __device__ inline int value_of_a(int row, int inner) {
  return (row * 5 + inner * 3 + row * inner) % 8 - 4;
}
__host__ __device__ inline int value_of_b(int inner, int column) {
  return (inner * 7 + column * 3 + inner * column) % 8 - 4;
}
inline int product_at(int row, int column, int k) {
  int sum = 0;
  for (int i = 0; i < k; ++i) sum += value_of_a(row, i) * value_of_b(i, column);
  return sum;
}

// The first example of the CUDA C++ Programming Guide: one warp, one tile.
namespace wmma_one_tile {

__global__ void tile_kernel(const half* a, const half* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major> a_frag;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b_frag;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c_frag;
  wmma::fill_fragment(c_frag, 0.0f);
  wmma::load_matrix_sync(a_frag, a, 16);
  wmma::load_matrix_sync(b_frag, b, 16);
  wmma::mma_sync(c_frag, a_frag, b_frag, c_frag);
  wmma::store_matrix_sync(c, c_frag, 16, wmma::mem_row_major);
}

PART(wmma_one_tile) {
  std::vector<half> a(256), b(256);
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) {
      a[i + 16 * j] = __float2half(static_cast<float>(i + 1));  // row i is i + 1
      b[16 * i + j] = __float2half(static_cast<float>(j));      // column j is j
    }
  }
  DeviceArray<half> d_a(a), d_b(b);
  DeviceArray<float> d_c(256);
  tile_kernel<<<1, 32>>>(d_a.data(), d_b.data(), d_c.data());
  CHECK_LAUNCH();
  const std::vector<float> c = d_c.host();
  show("row 0", std::vector<float>(c.begin(), c.begin() + 16));
  show("row 15", std::vector<float>(c.begin() + 240, c.end()));
}

}  // namespace wmma_one_tile

/* Prints:
row 0: 0 16 32 48 64 80 96 112 128 144 160 176 192 208 224 240
row 15: 0 256 512 768 1024 1280 1536 1792 2048 2304 2560 2816 3072 3328 3584 3840
*/

// Every shape, type and layout: d = a * b + c, with rows that lie farther apart than they are long.
namespace wmma_shapes {

template <class Stored>
__host__ __device__ Stored stored(int value) {
  return Stored(static_cast<float>(value));
}

constexpr int kStride = 48;

template <int m, int n, int k, class T, class Stored, class Sum, class LayoutA, class LayoutB>
__global__ void product_kernel(const Stored* a, const Stored* b, const Sum* c, Sum* d,
                               wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> a_frag;
  wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> b_frag;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> sum;
  wmma::load_matrix_sync(a_frag, a, kStride);
  wmma::load_matrix_sync(b_frag, b, kStride);
  wmma::load_matrix_sync(sum, c, kStride, layout);
  wmma::mma_sync(sum, a_frag, b_frag, sum);
  wmma::store_matrix_sync(d, sum, kStride, layout);
}

inline size_t offset(bool by_columns, int row, int column) {
  return by_columns ? row + column * kStride : row * kStride + column;
}

template <int m, int n, int k, class T, class Stored, class Sum, class LayoutA, class LayoutB>
bool is_right(wmma::layout_t layout) {
  const bool a_by_columns = std::is_same<LayoutA, wmma::col_major>::value;
  const bool b_by_columns = std::is_same<LayoutB, wmma::col_major>::value;
  const bool by_columns = layout == wmma::mem_col_major;
  // Bytes without a sign hold the same values, 4 larger.
  const int up = std::is_same<T, unsigned char>::value ? 4 : 0;
  std::vector<Stored> a(32 * kStride, stored<Stored>(99)), b(a);
  std::vector<Sum> c(32 * kStride, stored<Sum>(99));
  for (int i = 0; i < k; ++i) {
    for (int row = 0; row < m; ++row) {
      a[offset(a_by_columns, row, i)] = stored<Stored>(value_of_a(row, i) + up);
    }
    for (int column = 0; column < n; ++column) {
      b[offset(b_by_columns, i, column)] = stored<Stored>(value_of_b(i, column) + up);
    }
  }
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) {
      c[offset(by_columns, row, column)] = stored<Sum>(row - column);
    }
  }
  DeviceArray<Stored> d_a(a), d_b(b);
  DeviceArray<Sum> d_c(c), d_d(c);
  product_kernel<m, n, k, T, Stored, Sum, LayoutA, LayoutB>
      <<<1, 32>>>(d_a.data(), d_b.data(), d_c.data(), d_d.data(), layout);
  CHECK_LAUNCH();
  const std::vector<Sum> d = d_d.host();
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) {
      int sum = row - column;
      for (int i = 0; i < k; ++i) sum += (value_of_a(row, i) + up) * (value_of_b(i, column) + up);
      c[offset(by_columns, row, column)] = stored<Sum>(sum);
    }
  }
  for (size_t i = 0; i < d.size(); ++i) {
    if (static_cast<float>(d[i]) != static_cast<float>(c[i])) return false;
  }
  return true;
}

template <int m, int n, int k, class T, class Stored, class Sum>
bool both_layouts() {
  using wmma::col_major;
  using wmma::row_major;
  return is_right<m, n, k, T, Stored, Sum, row_major, col_major>(wmma::mem_row_major) &&
         is_right<m, n, k, T, Stored, Sum, col_major, row_major>(wmma::mem_col_major);
}

template <class T, class Sum>
bool all_shapes() {
  return both_layouts<16, 16, 16, T, T, Sum>() && both_layouts<32, 8, 16, T, T, Sum>() &&
         both_layouts<8, 32, 16, T, T, Sum>();
}

PART(wmma_shapes) {
  expect("half to float", all_shapes<half, float>());
  expect("half to half", all_shapes<half, half>());
  expect("bfloat16", all_shapes<__nv_bfloat16, float>());
  expect("signed char", all_shapes<signed char, int>());
  expect("unsigned char", all_shapes<unsigned char, int>());
  expect("tf32", both_layouts<16, 16, 8, wmma::precision::tf32, float, float>());
  expect("double", both_layouts<8, 8, 4, double, double, double>());
}

}  // namespace wmma_shapes

/* Prints:
half to float: ok
half to half: ok
bfloat16: ok
signed char: ok
unsigned char: ok
tf32: ok
double: ok
*/

// Sums of halves may change their type on the way.
namespace wmma_mixed_accumulators {

template <class C, class D>
__global__ void mixed_kernel(const half* a, const half* b, const C* c, D* d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a_frag;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b_frag;
  wmma::fragment<wmma::accumulator, 16, 16, 16, C> c_frag;
  wmma::fragment<wmma::accumulator, 16, 16, 16, D> d_frag;
  wmma::load_matrix_sync(a_frag, a, 16);
  wmma::load_matrix_sync(b_frag, b, 16);
  wmma::load_matrix_sync(c_frag, c, 16, wmma::mem_row_major);
  wmma::mma_sync(d_frag, a_frag, b_frag, c_frag);
  wmma::store_matrix_sync(d, d_frag, 16, wmma::mem_row_major);
}

template <class C, class D>
bool is_right() {
  std::vector<half> a(256), b(256);
  std::vector<C> c(256);
  for (int row = 0; row < 16; ++row) {
    for (int column = 0; column < 16; ++column) {
      a[16 * row + column] = half(static_cast<float>(value_of_a(row, column)));
      b[16 * row + column] = half(static_cast<float>(value_of_b(row, column)));
      c[16 * row + column] = C(static_cast<float>(row) * 0.25f);
    }
  }
  DeviceArray<half> d_a(a), d_b(b);
  DeviceArray<C> d_c(c);
  DeviceArray<D> d_d(256);
  mixed_kernel<C, D><<<1, 32>>>(d_a.data(), d_b.data(), d_c.data(), d_d.data());
  CHECK_LAUNCH();
  const std::vector<D> d = d_d.host();
  for (int row = 0; row < 16; ++row) {
    for (int column = 0; column < 16; ++column) {
      const float wanted =
          static_cast<float>(product_at(row, column, 16)) + static_cast<float>(row) * 0.25f;
      if (static_cast<float>(d[16 * row + column]) != wanted) return false;
    }
  }
  return true;
}

PART(wmma_mixed_accumulators) {
  expect("half to float", is_right<half, float>());
  expect("float to half", is_right<float, half>());
}

}  // namespace wmma_mixed_accumulators

/* Prints:
half to float: ok
float to half: ok
*/

// A loop over x[] treats all elements of a matrix alike; fragments of one kind match by elements.
namespace wmma_elements {

__global__ void sizes_kernel(int* sizes) {
  using wmma::fragment;
  if (threadIdx.x != 0) return;
  int i = 0;
  sizes[i++] = fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>::num_elements;
  sizes[i++] = fragment<wmma::matrix_b, 32, 8, 16, half, wmma::row_major>::num_elements;
  sizes[i++] = fragment<wmma::accumulator, 16, 16, 16, half>::num_elements;
  sizes[i++] = fragment<wmma::accumulator, 8, 32, 16, float>::num_elements;
  sizes[i++] = fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major>::num_elements;
  sizes[i++] = fragment<wmma::matrix_b, 32, 8, 16, __nv_bfloat16, wmma::row_major>::num_elements;
  sizes[i++] = fragment<wmma::matrix_a, 32, 8, 16, signed char, wmma::row_major>::num_elements;
  sizes[i++] = fragment<wmma::matrix_a, 8, 32, 16, unsigned char, wmma::row_major>::num_elements;
  sizes[i++] =
      fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major>::num_elements;
  sizes[i++] = fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major>::num_elements;
  sizes[i++] = fragment<wmma::accumulator, 8, 8, 4, double>::num_elements;
}

// c = alpha * a * b + beta * c, then everything below zero becomes zero.
__global__ void scaled_kernel(const half* a, const half* b, float* c, float alpha, float beta) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a_frag;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b_frag;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum, c_frag;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(a_frag, a, 16);
  wmma::load_matrix_sync(b_frag, b, 16);
  for (int i = 0; i < b_frag.num_elements; ++i) b_frag.x[i] = __hmul(b_frag.x[i], __float2half(2));
  wmma::mma_sync(sum, a_frag, b_frag, sum);
  wmma::load_matrix_sync(c_frag, c, 16, wmma::mem_row_major);
#pragma unroll
  for (int i = 0; i < c_frag.num_elements; ++i) {
    c_frag.x[i] = alpha * sum.x[i] + beta * c_frag.x[i];
    if (c_frag.x[i] < 0) c_frag.x[i] = 0;
  }
  wmma::store_matrix_sync(c, c_frag, 16, wmma::mem_row_major);
}

// Every element of an accumulator is held by one lane, once.
__global__ void sum_kernel(const float* c, float* sum) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c_frag;
  wmma::load_matrix_sync(c_frag, c, 16, wmma::mem_col_major);
  for (int i = 0; i < c_frag.num_elements; ++i) atomicAdd(sum, c_frag.x[i]);
}

// Of a and b with the same value everywhere.
__global__ void filled_kernel(int* d) {
  wmma::fragment<wmma::matrix_a, 8, 32, 16, signed char, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 8, 32, 16, signed char, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 8, 32, 16, int> c, sum;
  wmma::fill_fragment(a, static_cast<signed char>(-3));
  wmma::fill_fragment(b, static_cast<signed char>(5));
  wmma::fill_fragment(c, 7);
  wmma::mma_sync(sum, a, b, c);
  wmma::store_matrix_sync(d, sum, 32, wmma::mem_row_major);
}

PART(wmma_elements) {
  DeviceArray<int> d_sizes(11), d_filled(256);
  sizes_kernel<<<1, 32>>>(d_sizes.data());
  CHECK_LAUNCH();
  show("elements of a lane", d_sizes.host());

  std::vector<half> a(256), b(256);
  std::vector<float> c(256);
  for (int i = 0; i < 256; ++i) {
    a[i] = __float2half(static_cast<float>(value_of_a(i / 16, i % 16)));
    b[i] = __float2half(static_cast<float>(value_of_b(i / 16, i % 16)));
    c[i] = static_cast<float>(i % 10);
  }
  DeviceArray<half> d_a(a), d_b(b);
  DeviceArray<float> d_c(c), d_sum(1);
  scaled_kernel<<<1, 32>>>(d_a.data(), d_b.data(), d_c.data(), 0.5f, 3.0f);
  CHECK_LAUNCH();
  bool right = true;
  float total = 0;
  const std::vector<float> result = d_c.host();
  for (int i = 0; i < 256; ++i) {
    const float wanted =
        std::fmax(static_cast<float>(product_at(i / 16, i % 16, 16)) + 3 * c[i], 0.0f);
    right = right && result[i] == wanted;
    total += wanted;
  }
  expect("scaled", right);
  sum_kernel<<<1, 32>>>(d_c.data(), d_sum.data());
  CHECK_LAUNCH();
  expect("sum of all lanes", d_sum.host()[0] == total);

  filled_kernel<<<1, 32>>>(d_filled.data());
  CHECK_LAUNCH();
  const std::vector<int> filled = d_filled.host();
  bool all = true;
  for (int value : filled) all = all && value == 7 - 3 * 5 * 16;
  expect("filled", all);
}

}  // namespace wmma_elements

/* Prints:
elements of a lane: 16 16 8 8 8 4 16 4 4 1 2
scaled: ok
sum of all lanes: ok
filled: ok
*/

// Sums beyond the range of int wrap, or stop at its end.
namespace wmma_saturation {

__global__ void kernel(int* d, int start, int factor, bool saturate) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
  wmma::fill_fragment(a, static_cast<signed char>(factor));
  wmma::fill_fragment(b, static_cast<signed char>(100));
  wmma::fill_fragment(sum, start);
  wmma::mma_sync(sum, a, b, sum, saturate);
  wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}

int element(int start, int factor, bool saturate) {
  DeviceArray<int> d(256);
  kernel<<<1, 32>>>(d.data(), start, factor, saturate);
  CHECK_LAUNCH();
  return d.host()[37];
}

PART(wmma_saturation) {
  show("upwards", element(INT_MAX - 1000, 1, false), element(INT_MAX - 1000, 1, true));
  show("downwards", element(INT_MIN + 1000, -1, false), element(INT_MIN + 1000, -1, true));
  show("within", element(-5, 2, false), element(-5, 2, true));
}

}  // namespace wmma_saturation

/* Prints:
upwards: -2147483049 2147483647
downwards: 2147483048 -2147483648
within: 3195 3195
*/

// TF32 has 10 bits behind the point; half of the last one goes away from zero.
namespace wmma_tf32_rounding {

__global__ void round_kernel(const float* values, unsigned* bits) {
  const float rounded = wmma::__float_to_tf32(values[threadIdx.x]);
  bits[threadIdx.x] = __float_as_uint(rounded) & 0xffffe000u;
}

// The factors are rounded after they have been loaded, as in CUDA's samples.
__global__ void tile_kernel(const float* a, const float* b, float* d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a_frag;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> b_frag;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::load_matrix_sync(a_frag, a, 8);
  wmma::load_matrix_sync(b_frag, b, 16);
  for (int i = 0; i < a_frag.num_elements; ++i) a_frag.x[i] = wmma::__float_to_tf32(a_frag.x[i]);
  for (int i = 0; i < b_frag.num_elements; ++i) b_frag.x[i] = wmma::__float_to_tf32(b_frag.x[i]);
  wmma::fill_fragment(sum, 0.0f);
  wmma::mma_sync(sum, a_frag, b_frag, sum);
  wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}

PART(wmma_tf32_rounding) {
  const float unit = 1.0f / 1024;
  DeviceArray<float> d_values({1.0f, 1 + unit, 1 + unit / 2, 1 + unit / 4, 1 + unit * 0.75f,
                               -1 - unit / 2, 2 - unit / 2, 0.0f});
  DeviceArray<unsigned> d_bits(8);
  round_kernel<<<1, 8>>>(d_values.data(), d_bits.data());
  CHECK_LAUNCH();
  for (unsigned bits : d_bits.host()) std::printf(" %08x", bits);
  std::printf("\n");

  // Every product is (1 + unit) * 1, and 8 of them are added.
  DeviceArray<float> d_a(std::vector<float>(128, 1 + unit / 2)), d_b(std::vector<float>(128, 1.0f));
  DeviceArray<float> d_d(256);
  tile_kernel<<<1, 32>>>(d_a.data(), d_b.data(), d_d.data());
  CHECK_LAUNCH();
  show("sum", d_d.host()[0], d_d.host()[255]);
}

}  // namespace wmma_tf32_rounding

/* Prints:
 3f800000 3f802000 3f802000 3f800000 3f802000 bf802000 40000000 00000000
sum: 8.00781 8.00781
*/

// A matrix of several tiles: blocks of four warps in two dimensions, tiles in shared memory, the
// kernel a template in a namespace, one warp of the last blocks without work.
namespace wmma_tiled {
namespace detail {

template <class T, int kTile>
struct Shared {
  __align__(32) T a[2 * kTile][kTile + 8];
  __align__(32) T b[kTile][2 * kTile + 8];
  __align__(32) float c[4][kTile][kTile + 4];
};

template <class T, int kTile = 16>
__global__ void gemm(const T* a, const T* b, float* c, int m, int n, int k) {
  __shared__ Shared<T, kTile> shared;
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int warp = thread / warpSize, warp_row = warp / 2, warp_column = warp % 2;
  const int row = (blockIdx.y * 2 + warp_row) * kTile;
  const int column = (blockIdx.x * 2 + warp_column) * kTile;
  wmma::fragment<wmma::accumulator, kTile, kTile, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int begin = 0; begin < k; begin += kTile) {
    for (int i = thread; i < 2 * kTile * kTile; i += blockDim.x * blockDim.y) {
      const int a_row = blockIdx.y * 2 * kTile + i / kTile, a_column = begin + i % kTile;
      const int b_row = begin + i / (2 * kTile);
      const int b_column = blockIdx.x * 2 * kTile + i % (2 * kTile);
      shared.a[i / kTile][i % kTile] =
          a_row < m && a_column < k ? a[a_row * k + a_column] : T(0.0f);
      shared.b[i / (2 * kTile)][i % (2 * kTile)] =
          b_row < k && b_column < n ? b[b_row * n + b_column] : T(0.0f);
    }
    __syncthreads();
    if (row < m && column < n) {
      wmma::fragment<wmma::matrix_a, kTile, kTile, 16, T, wmma::row_major> a_frag;
      wmma::fragment<wmma::matrix_b, kTile, kTile, 16, T, wmma::row_major> b_frag;
      wmma::load_matrix_sync(a_frag, &shared.a[warp_row * kTile][0], kTile + 8);
      wmma::load_matrix_sync(b_frag, &shared.b[0][warp_column * kTile], 2 * kTile + 8);
      wmma::mma_sync(sum, a_frag, b_frag, sum);
    }
    __syncthreads();
  }
  if (row >= m || column >= n) return;
  // The edges are no whole tiles: by way of shared memory.
  wmma::store_matrix_sync(&shared.c[warp][0][0], sum, kTile + 4, wmma::mem_row_major);
  __syncwarp();
  for (int i = thread % warpSize; i < kTile * kTile; i += warpSize) {
    const int to_row = row + i / kTile, to_column = column + i % kTile;
    if (to_row < m && to_column < n) {
      c[to_row * n + to_column] = shared.c[warp][i / kTile][i % kTile];
    }
  }
}

}  // namespace detail

template <class T>
bool is_right(int m, int n, int k) {
  std::vector<T> a(m * k), b(k * n);
  for (int i = 0; i < m * k; ++i) a[i] = T(static_cast<float>(value_of_a(i / k, i % k)));
  for (int i = 0; i < k * n; ++i) b[i] = T(static_cast<float>(value_of_b(i / n, i % n)));
  DeviceArray<T> d_a(a), d_b(b);
  DeviceArray<float> d_c(m * n);
  const dim3 grid((n + 31) / 32, (m + 31) / 32), block(64, 2);
  detail::gemm<T><<<grid, block>>>(d_a.data(), d_b.data(), d_c.data(), m, n, k);
  CHECK_LAUNCH();
  const std::vector<float> c = d_c.host();
  for (int i = 0; i < m * n; ++i) {
    if (c[i] != static_cast<float>(product_at(i / n, i % n, k))) return false;
  }
  return true;
}

PART(wmma_tiled) {
  expect("64 x 64 x 64", is_right<half>(64, 64, 64));
  expect("45 x 77 x 39", is_right<half>(45, 77, 39));
  expect("of bfloat16", is_right<__nv_bfloat16>(50, 33, 17));
}

}  // namespace wmma_tiled

/* Prints:
64 x 64 x 64: ok
45 x 77 x 39: ok
of bfloat16: ok
*/
