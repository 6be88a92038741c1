// SPDX-License-Identifier: MIT
// __dp4a and __dp2a: dot products of packed small integers, added to a sum that wraps around.
#pragma once

#include "simt/attributes.h"
#include "simt/vector_types.h"

namespace convkit::simt {

// Element `index` of a word packed with elements of this type.
template <class Element>
static inline unsigned packed(unsigned word, int index) {
  return static_cast<unsigned>(
      static_cast<Element>(word >> index * 8 * static_cast<int>(sizeof(Element))));
}

template <class Byte>
static inline unsigned dot_bytes(unsigned left, unsigned right, unsigned sum) {
  for (int i = 0; i < 4; ++i) sum += packed<Byte>(left, i) * packed<Byte>(right, i);
  return sum;
}

// Two shorts of `left` with two bytes of `right`, from byte `first` on.
template <class Short, class Byte>
static inline unsigned dot_shorts(unsigned left, unsigned right, unsigned sum, int first) {
  for (int i = 0; i < 2; ++i) sum += packed<Short>(left, i) * packed<Byte>(right, first + i);
  return sum;
}

static inline unsigned pack(unsigned b0, unsigned b1, unsigned b2, unsigned b3) {
  return (b0 & 0xffu) | (b1 & 0xffu) << 8 | (b2 & 0xffu) << 16 | (b3 & 0xffu) << 24;
}
static inline unsigned pack(char4 v) {
  return pack(static_cast<unsigned>(v.x), static_cast<unsigned>(v.y), static_cast<unsigned>(v.z),
              static_cast<unsigned>(v.w));
}
static inline unsigned pack(uchar4 v) {
  return pack(static_cast<unsigned>(v.x), v.y, v.z, v.w);
}
static inline unsigned pack(short2 v) {
  return (static_cast<unsigned>(v.x) & 0xffffu) | static_cast<unsigned>(v.y) << 16;
}
static inline unsigned pack(ushort2 v) {
  return static_cast<unsigned>(v.x) | static_cast<unsigned>(v.y) << 16;
}

}  // namespace convkit::simt

static inline int __dp4a(int left, int right, int sum) {
  return static_cast<int>(convkit::simt::dot_bytes<signed char>(static_cast<unsigned int>(left),
                                                                static_cast<unsigned int>(right),
                                                                static_cast<unsigned int>(sum)));
}
static inline unsigned int __dp4a(unsigned int left, unsigned int right, unsigned int sum) {
  return convkit::simt::dot_bytes<unsigned char>(left, right, sum);
}
static inline int __dp4a(char4 left, char4 right, int sum) {
  return __dp4a(static_cast<int>(convkit::simt::pack(left)),
                static_cast<int>(convkit::simt::pack(right)), sum);
}
static inline unsigned int __dp4a(uchar4 left, uchar4 right, unsigned int sum) {
  return __dp4a(convkit::simt::pack(left), convkit::simt::pack(right), sum);
}

#define CONVKIT_SIMT_DP2A(name, first)                                                        \
  static inline int name(int left, int right, int sum) {                                      \
    return static_cast<int>(convkit::simt::dot_shorts<short, signed char>(                    \
        static_cast<unsigned int>(left), static_cast<unsigned int>(right),                    \
        static_cast<unsigned int>(sum), first));                                              \
  }                                                                                           \
  static inline unsigned int name(unsigned int left, unsigned int right, unsigned int sum) {  \
    return convkit::simt::dot_shorts<unsigned short, unsigned char>(left, right, sum, first); \
  }                                                                                           \
  static inline int name(short2 left, char4 right, int sum) {                                 \
    return name(static_cast<int>(convkit::simt::pack(left)),                                  \
                static_cast<int>(convkit::simt::pack(right)), sum);                           \
  }                                                                                           \
  static inline unsigned int name(ushort2 left, uchar4 right, unsigned int sum) {             \
    return name(convkit::simt::pack(left), convkit::simt::pack(right), sum);                  \
  }

CONVKIT_SIMT_DP2A(__dp2a_lo, 0)
CONVKIT_SIMT_DP2A(__dp2a_hi, 2)
#undef CONVKIT_SIMT_DP2A
