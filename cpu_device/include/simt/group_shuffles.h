// SPDX-License-Identifier: MIT
// Shuffles of values of any type: groups take what __shfl_sync() does not, such as structs.
#pragma once

#include <type_traits>

#include "simt/shuffles.h"

namespace convkit::simt {

template <WarpKind kind, class Value>
static inline Value shuffle_any(unsigned mask, Value value, unsigned operand, int width,
                                const char* file, int line) {
  static_assert(std::is_trivially_copyable<Value>::value && sizeof(Value) <= 32,
                "lanes exchange trivially copyable values of at most 32 bytes");
  unsigned char bytes[sizeof(Value)];
  std::memcpy(bytes, &value, sizeof value);
  for (unsigned begin = 0; begin < sizeof value; begin += 16) {
    const unsigned rest = static_cast<unsigned>(sizeof value) - begin;
    shuffle(kind, deliver_shuffle<kind>, mask, bytes + begin, rest < 16 ? rest : 16, operand, width,
            file, line);
  }
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace convkit::simt
