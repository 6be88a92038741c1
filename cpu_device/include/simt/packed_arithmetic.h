// SPDX-License-Identifier: MIT
// The SIMD-in-a-word intrinsics: __vadd4 and its like treat a word as four bytes, __vadd2 as two
// halfwords. Each result is computed in int and cut to the element.
#pragma once

#include "simt/attributes.h"

namespace convkit::simt {

static inline int magnitude(int value) {
  return value < 0 ? -value : value;
}

static inline int clamped(int value, int least, int most) {
  return value < least ? least : value > most ? most : value;
}

}  // namespace convkit::simt

// `a` and `b` are elements of both words, taken as this type; the result is cut to the element.
// (Plain loops, not templates: they cost every program that is compiled less.)
#define CONVKIT_SIMT_PACKED_BODY(Element, left, right, expression)                             \
  constexpr int kBits = 8 * static_cast<int>(sizeof(Element));                                 \
  constexpr unsigned int kMask = (1u << kBits) - 1;                                            \
  unsigned int result = 0;                                                                     \
  for (int at = 0; at < 32; at += kBits) {                                                     \
    const int a = static_cast<Element>((left) >> at), b = static_cast<Element>((right) >> at); \
    (void)b;                                                                                   \
    result |= (static_cast<unsigned int>(expression) & kMask) << at;                           \
  }                                                                                            \
  return result;
#define CONVKIT_SIMT_PACKED(name, Element, expression)                     \
  static inline unsigned int name(unsigned int left, unsigned int right) { \
    CONVKIT_SIMT_PACKED_BODY(Element, left, right, expression)             \
  }
#define CONVKIT_SIMT_PACKED1(name, Element, expression)       \
  static inline unsigned int name(unsigned int word) {        \
    CONVKIT_SIMT_PACKED_BODY(Element, word, word, expression) \
  }
// The sum over all elements.
#define CONVKIT_SIMT_PACKED_SUM(name, Element, expression)                   \
  static inline unsigned int name(unsigned int left, unsigned int right) {   \
    unsigned int sum = 0;                                                    \
    for (int at = 0; at < 32; at += 8 * static_cast<int>(sizeof(Element))) { \
      const int a = static_cast<Element>(left >> at);                        \
      const int b = static_cast<Element>(right >> at);                       \
      sum += static_cast<unsigned int>(expression);                          \
    }                                                                        \
    return sum;                                                              \
  }
// __vcmp gives all bits of an element or none, __vset one or none.
#define CONVKIT_SIMT_COMPARE(name, width, Element, expression)             \
  CONVKIT_SIMT_PACKED(__vcmp##name##width, Element, (expression) ? -1 : 0) \
  CONVKIT_SIMT_PACKED(__vset##name##width, Element, (expression) ? 1 : 0)

#define CONVKIT_SIMT_PACKED_ALL(width, Signed, Unsigned, least, most)                      \
  CONVKIT_SIMT_PACKED(__vadd##width, Unsigned, a + b)                                      \
  CONVKIT_SIMT_PACKED(__vaddss##width, Signed, convkit::simt::clamped(a + b, least, most)) \
  CONVKIT_SIMT_PACKED(__vaddus##width, Unsigned,                                           \
                      convkit::simt::clamped(a + b, 0, (most) - (least)))                  \
  CONVKIT_SIMT_PACKED(__vsub##width, Unsigned, a - b)                                      \
  CONVKIT_SIMT_PACKED(__vsubss##width, Signed, convkit::simt::clamped(a - b, least, most)) \
  CONVKIT_SIMT_PACKED(__vsubus##width, Unsigned,                                           \
                      convkit::simt::clamped(a - b, 0, (most) - (least)))                  \
  CONVKIT_SIMT_PACKED(__vabsdiffs##width, Signed, convkit::simt::magnitude(a - b))         \
  CONVKIT_SIMT_PACKED(__vabsdiffu##width, Unsigned, convkit::simt::magnitude(a - b))       \
  CONVKIT_SIMT_PACKED(__vmaxs##width, Signed, a > b ? a : b)                               \
  CONVKIT_SIMT_PACKED(__vmaxu##width, Unsigned, a > b ? a : b)                             \
  CONVKIT_SIMT_PACKED(__vmins##width, Signed, a < b ? a : b)                               \
  CONVKIT_SIMT_PACKED(__vminu##width, Unsigned, a < b ? a : b)                             \
  CONVKIT_SIMT_PACKED(__vavgs##width, Signed, (a + b + (a + b >= 0)) >> 1)                 \
  CONVKIT_SIMT_PACKED(__vavgu##width, Unsigned, (a + b + 1) >> 1)                          \
  CONVKIT_SIMT_PACKED(__vhaddu##width, Unsigned, (a + b) >> 1)                             \
  CONVKIT_SIMT_PACKED1(__vabs##width, Signed, convkit::simt::magnitude(a))                 \
  CONVKIT_SIMT_PACKED1(__vabsss##width, Signed,                                            \
                       convkit::simt::clamped(convkit::simt::magnitude(a), least, most))   \
  CONVKIT_SIMT_PACKED1(__vneg##width, Signed, -a)                                          \
  CONVKIT_SIMT_PACKED1(__vnegss##width, Signed, convkit::simt::clamped(-a, least, most))   \
  CONVKIT_SIMT_PACKED_SUM(__vsads##width, Signed, convkit::simt::magnitude(a - b))         \
  CONVKIT_SIMT_PACKED_SUM(__vsadu##width, Unsigned, convkit::simt::magnitude(a - b))       \
  CONVKIT_SIMT_COMPARE(eq, width, Unsigned, a == b)                                        \
  CONVKIT_SIMT_COMPARE(ne, width, Unsigned, a != b)                                        \
  CONVKIT_SIMT_COMPARE(ges, width, Signed, a >= b)                                         \
  CONVKIT_SIMT_COMPARE(geu, width, Unsigned, a >= b)                                       \
  CONVKIT_SIMT_COMPARE(gts, width, Signed, a > b)                                          \
  CONVKIT_SIMT_COMPARE(gtu, width, Unsigned, a > b)                                        \
  CONVKIT_SIMT_COMPARE(les, width, Signed, a <= b)                                         \
  CONVKIT_SIMT_COMPARE(leu, width, Unsigned, a <= b)                                       \
  CONVKIT_SIMT_COMPARE(lts, width, Signed, a < b)                                          \
  CONVKIT_SIMT_COMPARE(ltu, width, Unsigned, a < b)

CONVKIT_SIMT_PACKED_ALL(2, short, unsigned short, -32768, 32767)
CONVKIT_SIMT_PACKED_ALL(4, signed char, unsigned char, -128, 127)
#undef CONVKIT_SIMT_PACKED_ALL
#undef CONVKIT_SIMT_COMPARE
#undef CONVKIT_SIMT_PACKED_SUM
#undef CONVKIT_SIMT_PACKED1
#undef CONVKIT_SIMT_PACKED
#undef CONVKIT_SIMT_PACKED_BODY
