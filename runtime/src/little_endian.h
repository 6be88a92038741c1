// SPDX-License-Identifier: MIT
// Integers in the byte order of .npy and .zip files. The kit runs on little-endian machines only,
// as element data is read as it lies.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>

namespace convkit {

static_assert(std::endian::native == std::endian::little);

// The integer at `offset`, which the caller has checked to lie within `bytes`.
template <class T>
T load_le(std::span<const std::byte> bytes, size_t offset) {
  assert(offset + sizeof(T) <= bytes.size());
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

template <class T>
void append_le(std::string& out, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

}  // namespace convkit
