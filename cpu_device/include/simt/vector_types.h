// SPDX-License-Identifier: MIT
// CUDA's vector types, with CUDA's sizes and alignments. They are aggregates without constructors,
// so that __shared__ arrays of them are possible.
#pragma once

#define __VECTOR_TYPES_H__

// Elements; alignment of the vectors of two and of four. Vectors of three are aligned as one
// element.
#define CONVKIT_SIMT_VECTOR(name, element, align2, align4) \
  struct name##1 {                                         \
    element x;                                             \
  };                                                       \
  struct __attribute__((aligned(align2))) name##2 {        \
    element x, y;                                          \
  };                                                       \
  struct name##3 {                                         \
    element x, y, z;                                       \
  };                                                       \
  struct __attribute__((aligned(align4))) name##4 {        \
    element x, y, z, w;                                    \
  };

CONVKIT_SIMT_VECTOR(char, signed char, 2, 4)
CONVKIT_SIMT_VECTOR(uchar, unsigned char, 2, 4)
CONVKIT_SIMT_VECTOR(short, short, 4, 8)
CONVKIT_SIMT_VECTOR(ushort, unsigned short, 4, 8)
CONVKIT_SIMT_VECTOR(int, int, 8, 16)
CONVKIT_SIMT_VECTOR(uint, unsigned int, 8, 16)
CONVKIT_SIMT_VECTOR(long, long, 16, 16)
CONVKIT_SIMT_VECTOR(ulong, unsigned long, 16, 16)
CONVKIT_SIMT_VECTOR(longlong, long long, 16, 16)
CONVKIT_SIMT_VECTOR(ulonglong, unsigned long long, 16, 16)
CONVKIT_SIMT_VECTOR(float, float, 8, 16)
CONVKIT_SIMT_VECTOR(double, double, 16, 16)
#undef CONVKIT_SIMT_VECTOR

// CUDA 13's names for vectors of four 8-byte elements say how they are aligned.
#define CONVKIT_SIMT_ALIGNED_VECTOR(name, element)  \
  struct __attribute__((aligned(16))) name##4_16a { \
    element x, y, z, w;                             \
  };                                                \
  struct __attribute__((aligned(32))) name##4_32a { \
    element x, y, z, w;                             \
  };

CONVKIT_SIMT_ALIGNED_VECTOR(long, long)
CONVKIT_SIMT_ALIGNED_VECTOR(ulong, unsigned long)
CONVKIT_SIMT_ALIGNED_VECTOR(longlong, long long)
CONVKIT_SIMT_ALIGNED_VECTOR(ulonglong, unsigned long long)
CONVKIT_SIMT_ALIGNED_VECTOR(double, double)
#undef CONVKIT_SIMT_ALIGNED_VECTOR

// Grid and block sizes: what is not given is 1.
struct dim3 {
  unsigned int x, y, z;

  constexpr dim3(unsigned int size_x = 1, unsigned int size_y = 1, unsigned int size_z = 1)
      : x(size_x), y(size_y), z(size_z) {}
  constexpr dim3(uint3 size) : x(size.x), y(size.y), z(size.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};
