// SPDX-License-Identifier: MIT
// The bits of a value as a value of another type.
#pragma once

#include <cstring>

#include "simt/attributes.h"

namespace convkit::simt {

template <class To, class From>
static inline To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "both have the same bits");
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// The signed integer of a number's size.
template <class Real>
struct BitsOf;
template <>
struct BitsOf<float> {
  using Type = int;
};
template <>
struct BitsOf<double> {
  using Type = long long;
};

}  // namespace convkit::simt
