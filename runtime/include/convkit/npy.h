// SPDX-License-Identifier: MIT
// NumPy's .npy files: one array with its type and shape.
//
// Read: format versions 1 to 3, C order, little-endian float32, float64, int32 and uint8. Input is
// hostile: sizes are checked against the file and the limit before anything is allocated.
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "convkit/kit_error.h"

namespace convkit {

// The element types of the kit's tensors and files.
enum class DType { float32, float64, int32, uint8 };

constexpr size_t size_of(DType dtype) {
  switch (dtype) {
    case DType::float64:
      return 8;
    case DType::uint8:
      return 1;
    case DType::float32:
    case DType::int32:
      break;
  }
  return 4;
}

constexpr const char* name_of(DType dtype) {
  switch (dtype) {
    case DType::float32:
      return "float32";
    case DType::float64:
      return "float64";
    case DType::int32:
      return "int32";
    case DType::uint8:
      break;
  }
  return "uint8";
}

template <class T>
constexpr DType dtype_of() {
  if constexpr (std::is_same_v<T, float>) {
    return DType::float32;
  } else if constexpr (std::is_same_v<T, double>) {
    return DType::float64;
  } else if constexpr (std::is_same_v<T, int32_t>) {
    return DType::int32;
  } else {
    static_assert(std::is_same_v<T, uint8_t>, "tensors are float32, float64, int32 or uint8");
    return DType::uint8;
  }
}

struct NpyHeader {
  DType dtype = DType::float32;
  std::vector<int64_t> dims;  // outermost first; empty for a scalar
  uint64_t data_bytes = 0;    // product of dims times the size of an element
};

// An array in C order. data() of `bytes` is aligned for every element type.
struct NpyArray {
  DType dtype = DType::float32;
  std::vector<int64_t> dims;
  std::vector<std::byte> bytes;

  // The elements, in the array's own memory. Throws FormatError if T is not the array's type.
  template <class T>
  std::span<const T> values() const {
    require_dtype(dtype_of<T>());
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }

 private:
  void require_dtype(DType wanted) const;
};

// An array of these dims holding a copy of `values`. Throws std::invalid_argument if the dims do
// not hold exactly that many elements.
template <class T>
NpyArray make_array(std::vector<int64_t> dims, std::span<const T> values);

inline constexpr uint64_t kNpyByteLimit = uint64_t{1} << 30;

// Throws FormatError. `byte_limit` is on the elements, without the header.
NpyArray read_npy(const std::filesystem::path& file, uint64_t byte_limit = kNpyByteLimit);

// The same from memory; `name` stands for the file in error messages.
NpyArray parse_npy(std::span<const std::byte> memory, const std::string& name,
                   uint64_t byte_limit = kNpyByteLimit);

// Writes format version 1, to a temporary name that is renamed when complete. The bytes depend on
// nothing but the array. Throws std::runtime_error naming the file.
void write_npy(const std::filesystem::path& file, const NpyArray& array);

// Throws std::invalid_argument if the dims do not hold exactly `bytes` bytes.
void require_size(const std::vector<int64_t>& dims, DType dtype, size_t bytes);

template <class T>
NpyArray make_array(std::vector<int64_t> dims, std::span<const T> values) {
  require_size(dims, dtype_of<T>(), values.size_bytes());
  const auto bytes = std::as_bytes(values);
  return {dtype_of<T>(), std::move(dims), {bytes.begin(), bytes.end()}};
}

}  // namespace convkit
