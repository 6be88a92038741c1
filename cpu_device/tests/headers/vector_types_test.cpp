// SPDX-License-Identifier: MIT
// Sizes and alignments of the vector types. The numbers were printed by a program compiled with
// nvcc 13.0 for x86-64 Linux.
#include "simt/vector_types.h"

#include <type_traits>

#include "catch.h"
#include "simt/vector_functions.h"

namespace convkit {
namespace {

template <class T>
constexpr bool is(size_t size, size_t alignment) {
  return sizeof(T) == size && alignof(T) == alignment &&
         std::is_trivially_default_constructible_v<T> && std::is_trivially_copyable_v<T>;
}

#define CONVKIT_LAYOUT(name, s1, a1, s2, a2, s3, a3, s4, a4)                         \
  static_assert(is<name##1>(s1, a1) && is<name##2>(s2, a2) && is<name##3>(s3, a3) && \
                is<name##4>(s4, a4))

CONVKIT_LAYOUT(char, 1, 1, 2, 2, 3, 1, 4, 4);
CONVKIT_LAYOUT(uchar, 1, 1, 2, 2, 3, 1, 4, 4);
CONVKIT_LAYOUT(short, 2, 2, 4, 4, 6, 2, 8, 8);
CONVKIT_LAYOUT(ushort, 2, 2, 4, 4, 6, 2, 8, 8);
CONVKIT_LAYOUT(int, 4, 4, 8, 8, 12, 4, 16, 16);
CONVKIT_LAYOUT(uint, 4, 4, 8, 8, 12, 4, 16, 16);
CONVKIT_LAYOUT(long, 8, 8, 16, 16, 24, 8, 32, 16);
CONVKIT_LAYOUT(ulong, 8, 8, 16, 16, 24, 8, 32, 16);
CONVKIT_LAYOUT(longlong, 8, 8, 16, 16, 24, 8, 32, 16);
CONVKIT_LAYOUT(ulonglong, 8, 8, 16, 16, 24, 8, 32, 16);
CONVKIT_LAYOUT(float, 4, 4, 8, 8, 12, 4, 16, 16);
CONVKIT_LAYOUT(double, 8, 8, 16, 16, 24, 8, 32, 16);
static_assert(is<long4_16a>(32, 16) && is<long4_32a>(32, 32));
static_assert(is<ulong4_16a>(32, 16) && is<ulong4_32a>(32, 32));
static_assert(is<longlong4_16a>(32, 16) && is<longlong4_32a>(32, 32));
static_assert(is<ulonglong4_16a>(32, 16) && is<ulonglong4_32a>(32, 32));
static_assert(is<double4_16a>(32, 16) && is<double4_32a>(32, 32));
static_assert(sizeof(dim3) == 12 && alignof(dim3) == 4 && std::is_trivially_copyable_v<dim3>);

// Shared memory is thread-local storage, which needs types without constructors.
__thread float4 shared_vectors[8];
__thread uchar3 shared_bytes;

TEST_CASE("vectors are made of their elements in order") {
  const float4 v = make_float4(1, 2, 3, 4);
  CHECK((v.x == 1 && v.y == 2 && v.z == 3 && v.w == 4));
  const uchar3 bytes = make_uchar3(255, 1, 2);
  CHECK((bytes.x == 255 && bytes.y == 1 && bytes.z == 2));
  CHECK(make_longlong1(-5).x == -5);
  CHECK(make_char2(-1, 1).x == -1);
  CHECK(make_double4_32a(1, 2, 3, 4).w == 4);
  shared_vectors[7] = v;
  shared_bytes = bytes;
  CHECK(shared_vectors[7].w + shared_bytes.z == 6);
}

TEST_CASE("dim3 fills up with ones and converts to and from uint3") {
  constexpr dim3 none;
  static_assert(none.x == 1 && none.y == 1 && none.z == 1);
  constexpr dim3 one = 7;
  static_assert(one.x == 7 && one.y == 1 && one.z == 1);
  const dim3 two(3, 4);
  CHECK((two.x == 3 && two.y == 4 && two.z == 1));
  const dim3 back = uint3{5, 6, 7};
  CHECK((back.x == 5 && back.y == 6 && back.z == 7));
  const uint3 forth = two;
  CHECK((forth.x == 3 && forth.y == 4 && forth.z == 1));
}

}  // namespace
}  // namespace convkit
