// SPDX-License-Identifier: MIT
// The SIMD-in-a-word intrinsics against one element at a time, on all pairs of bytes and on odd
// halfwords.
#include "simt/packed_arithmetic.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "catch.h"

namespace convkit {
namespace {

using Packed = unsigned (*)(unsigned, unsigned);

// The values that one element is tried with.
template <class Element>
std::vector<int> elements() {
  std::vector<int> all;
  const int step = sizeof(Element) == 1 ? 1 : 251;
  for (int i = 0; i <= static_cast<Element>(~Element{0}) || i <= 0xff; i += step) {
    if (i >> 8 * sizeof(Element) != 0) break;
    all.push_back(i);
  }
  if (sizeof(Element) == 2) all.insert(all.end(), {0x7ffe, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff});
  return all;
}

// Checks `packed` where every element of the word holds another pair. `expected` gets elements as
// `Element` sees them; its result is cut to the element.
template <class Element, class Expected>
void check(const char* name, Packed packed, Expected expected) {
  constexpr int kBits = 8 * sizeof(Element), kElements = 32 / kBits;
  constexpr unsigned kMask = (1u << kBits) - 1;
  const std::vector<int> values = elements<std::make_unsigned_t<Element>>();
  const size_t count = values.size();
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j < count; ++j) {
      unsigned left = 0, right = 0, want = 0;
      for (int k = 0; k < kElements; ++k) {
        const int a = values[(i + static_cast<size_t>(k) * 7) % count];
        const int b = values[(j + static_cast<size_t>(k) * 11) % count];
        left |= static_cast<unsigned>(a) << k * kBits;
        right |= static_cast<unsigned>(b) << k * kBits;
        want |= (static_cast<unsigned>(
                     expected(int{static_cast<Element>(a)}, int{static_cast<Element>(b)})) &
                 kMask)
                << k * kBits;
      }
      if (packed(left, right) != want) {
        FAIL(name << std::hex << "(" << left << ", " << right << ") gave " << packed(left, right)
                  << ", not " << want);
      }
    }
  }
}

template <class Element>
int clamp(int value) {
  using Limits = std::numeric_limits<Element>;
  return std::clamp<int>(value, Limits::min(), Limits::max());
}

#define CONVKIT_CHECK(name, Element, expression)                \
  check<Element>(                                               \
      #name, [](unsigned l, unsigned r) { return name(l, r); }, \
      [](int a, int b) { return (void)b, expression; })
#define CONVKIT_CHECK1(name, Element, expression) \
  check<Element>(                                 \
      #name, [](unsigned l, unsigned) { return name(l); }, [](int a, int) { return expression; })
#define CONVKIT_CHECK_COMPARISON(name, Element, expression)    \
  CONVKIT_CHECK(__vcmp##name, Element, (expression) ? -1 : 0); \
  CONVKIT_CHECK(__vset##name, Element, (expression) ? 1 : 0)

#define CONVKIT_CHECK_ALL(width, Signed, Unsigned)                            \
  CONVKIT_CHECK(__vadd##width, Unsigned, a + b);                              \
  CONVKIT_CHECK(__vaddss##width, Signed, clamp<Signed>(a + b));               \
  CONVKIT_CHECK(__vaddus##width, Unsigned, clamp<Unsigned>(a + b));           \
  CONVKIT_CHECK(__vsub##width, Unsigned, a - b);                              \
  CONVKIT_CHECK(__vsubss##width, Signed, clamp<Signed>(a - b));               \
  CONVKIT_CHECK(__vsubus##width, Unsigned, clamp<Unsigned>(a - b));           \
  CONVKIT_CHECK(__vabsdiffs##width, Signed, std::abs(a - b));                 \
  CONVKIT_CHECK(__vabsdiffu##width, Unsigned, std::abs(a - b));               \
  CONVKIT_CHECK(__vmaxs##width, Signed, std::max(a, b));                      \
  CONVKIT_CHECK(__vmaxu##width, Unsigned, std::max(a, b));                    \
  CONVKIT_CHECK(__vmins##width, Signed, std::min(a, b));                      \
  CONVKIT_CHECK(__vminu##width, Unsigned, std::min(a, b));                    \
  /* rounded up where the sum is not negative */                              \
  CONVKIT_CHECK(__vavgs##width, Signed, (a + b + (a + b >= 0 ? 1 : 0)) >> 1); \
  CONVKIT_CHECK(__vavgu##width, Unsigned, (a + b + 1) / 2);                   \
  CONVKIT_CHECK(__vhaddu##width, Unsigned, (a + b) / 2);                      \
  CONVKIT_CHECK1(__vabs##width, Signed, std::abs(a));                         \
  CONVKIT_CHECK1(__vabsss##width, Signed, clamp<Signed>(std::abs(a)));        \
  CONVKIT_CHECK1(__vneg##width, Signed, -a);                                  \
  CONVKIT_CHECK1(__vnegss##width, Signed, clamp<Signed>(-a));                 \
  CONVKIT_CHECK_COMPARISON(eq##width, Unsigned, a == b);                      \
  CONVKIT_CHECK_COMPARISON(ne##width, Unsigned, a != b);                      \
  CONVKIT_CHECK_COMPARISON(ges##width, Signed, a >= b);                       \
  CONVKIT_CHECK_COMPARISON(geu##width, Unsigned, a >= b);                     \
  CONVKIT_CHECK_COMPARISON(gts##width, Signed, a > b);                        \
  CONVKIT_CHECK_COMPARISON(gtu##width, Unsigned, a > b);                      \
  CONVKIT_CHECK_COMPARISON(les##width, Signed, a <= b);                       \
  CONVKIT_CHECK_COMPARISON(leu##width, Unsigned, a <= b);                     \
  CONVKIT_CHECK_COMPARISON(lts##width, Signed, a < b);                        \
  CONVKIT_CHECK_COMPARISON(ltu##width, Unsigned, a < b)

TEST_CASE("intrinsics on four bytes work on each byte alone") {
  CONVKIT_CHECK_ALL(4, int8_t, uint8_t);
}

TEST_CASE("intrinsics on two halfwords work on each halfword alone") {
  CONVKIT_CHECK_ALL(2, int16_t, uint16_t);
}

TEST_CASE("sums of absolute differences add all elements") {
  CHECK(__vsadu4(0x01020304, 0x04030201) == 3 + 1 + 1 + 3);
  CHECK(__vsadu4(0xff000000, 0x00000000) == 255);
  CHECK(__vsads4(0xff000000, 0x01000000) == 2);
  CHECK(__vsads4(0x80808080, 0x7f7f7f7f) == 4 * 255);
  CHECK(__vsadu2(0xffff0000, 0x00000001) == 65536);
  CHECK(__vsads2(0xffff8000, 0x00017fff) == 2 + 65535);
}

}  // namespace
}  // namespace convkit
