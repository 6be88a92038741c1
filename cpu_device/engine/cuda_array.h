// SPDX-License-Identifier: MIT
// CUDA arrays: texels in rows and slices, which only copies, textures and surfaces reach.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "simt/runtime_types.h"
#include "simt/texture_types.h"

// The type behind CUDA's opaque handle. It stays when the array is freed, so that a handle that is
// used afterwards is known.
struct cudaArray {
  cudaChannelFormatDesc format{};
  cudaExtent extent{};  // as it was asked for: 0 where the array has no such dimension
  unsigned flags = 0;
  unsigned char* begin = nullptr;
  size_t texel_bytes = 0;
  size_t pitch = 0;  // bytes from row to row
  bool freed = false;

  size_t row_bytes() const { return extent.width * texel_bytes; }
  size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
  size_t slices() const { return extent.depth == 0 ? 1 : extent.depth; }  // or layers
  size_t slice_bytes() const { return pitch * rows(); }
  bool is_layered() const { return (flags & cudaArrayLayered) != 0; }
  unsigned char* at(size_t x_bytes, size_t y, size_t z) const {
    return begin + z * slice_bytes() + y * pitch + x_bytes;
  }
};

namespace convkit::simt {

// Bytes of a texel; 0 where CUDA has no such format: 1, 2 or 4 channels alike, of 8, 16 or 32 bits,
// and floats of 16 or 32.
size_t texel_bytes(const cudaChannelFormatDesc& format);
// "8, 8, 8, 8 bits, unsigned"
std::string format_text(const cudaChannelFormatDesc& format);

// A new array, which is remembered; never deleted.
cudaArray_t add_array(const cudaArray& array);
// Whether it is the handle of an array, a freed one, too.
bool is_array(const void* handle);

// Why the handle is no array that can be used: "dst is null"; empty where it can.
std::string array_fault(const char* argument, cudaArray_const_t array);

// "4 x 3 x 2 texels"
std::string extent_text(const cudaExtent& extent);

}  // namespace convkit::simt
