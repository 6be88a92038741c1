// SPDX-License-Identifier: MIT
// Arithmetic with a rounding direction, single and double, as the distance in units of the last
// place.
#include "../check.h"

__device__ int ulps(float x, float base) {
  return __float_as_int(x) - __float_as_int(base);
}
__device__ int ulps(double x, double base) {
  return static_cast<int>(__double_as_longlong(x) - __double_as_longlong(base));
}

__global__ void single_kernel(float one, float tiny, float near_one, float three, float two,
                              int* out) {
  const float third = __uint_as_float(0x3eaaaaaa), root = __uint_as_float(0x3fb504f3);
  const float sums[] = {__fadd_rn(one, tiny), __fadd_rz(one, tiny),  __fadd_ru(one, tiny),
                        __fadd_rd(one, tiny), __fsub_ru(one, -tiny), __fsub_rd(one, -tiny)};
  const float products[] = {__fmul_rn(near_one, near_one), __fmul_rz(near_one, near_one),
                            __fmul_ru(near_one, near_one), __fmul_rd(near_one, near_one)};
  const float quotients[] = {__fdiv_rn(one, three), __fdiv_rz(one, three), __fdiv_ru(one, three),
                             __fdiv_rd(one, three), __frcp_rn(three),      __frcp_ru(three)};
  const float roots[] = {__fsqrt_rn(two), __fsqrt_rz(two), __fsqrt_ru(two), __fsqrt_rd(two)};
  const float fused[] = {__fmaf_rn(one, one, tiny), __fmaf_ru(one, one, tiny),
                         __fmaf_rd(-one, one, -tiny), __fmaf_rz(-one, one, -tiny)};
  for (float x : sums) *out++ = ulps(x, one);
  for (float x : products) *out++ = ulps(x, one);
  for (float x : quotients) *out++ = ulps(x, third);
  for (float x : roots) *out++ = ulps(x, root);
  for (int i = 0; i < 4; ++i) *out++ = ulps(fused[i], i < 2 ? one : -one);
}

__global__ void double_kernel(double one, double tiny, double three, double two, int* out) {
  const double third = __longlong_as_double(0x3fd5555555555555ll);
  const double root = __longlong_as_double(0x3ff6a09e667f3bccll);
  const double sums[] = {__dadd_rn(one, tiny), __dadd_ru(one, tiny), __dsub_rd(-one, tiny),
                         __dsub_rz(-one, tiny)};
  const double products[] = {__dmul_ru(one + 1e-15, one + 1e-15),
                             __dmul_rd(one + 1e-15, one + 1e-15)};
  const double quotients[] = {__ddiv_rn(one, three), __ddiv_ru(one, three), __ddiv_rd(one, three),
                              __drcp_rn(three)};
  const double roots[] = {__dsqrt_rn(two), __dsqrt_ru(two), __dsqrt_rd(two)};
  for (int i = 0; i < 4; ++i) *out++ = ulps(sums[i], i < 2 ? one : -one);
  *out++ = ulps(products[0], products[1]);
  for (double x : quotients) *out++ = ulps(x, third);
  for (double x : roots) *out++ = ulps(x, root);
  *out++ = ulps(__fma_ru(one, one, tiny), one);
  *out++ = ulps(__fma_rd(one, one, tiny), one);
}

int main() {
  DeviceArray<int> single(24), twice(14);
  single_kernel<<<1, 1>>>(1.0f, 1e-12f, 1.00000011920928955078125f, 3.0f, 2.0f, single.data());
  double_kernel<<<1, 1>>>(1.0, 1e-20, 3.0, 2.0, twice.data());
  CHECK_LAUNCH();
  show("single", single.host());
  show("double", twice.host());
}

/* Prints:
single: 0 0 1 0 1 0 2 2 3 2 1 0 1 0 1 1 0 0 1 0 0 1 1 0
double: 0 1 1 0 1 0 1 0 0 1 1 0 1 0
*/
