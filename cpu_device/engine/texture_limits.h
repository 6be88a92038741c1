// SPDX-License-Identifier: MIT
// The largest CUDA arrays and textures, in texels, rows and slices: those of compute capability 9.0
// (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
#pragma once

#include <cstddef>

namespace convkit::simt {

inline constexpr size_t kMaxTexture1D = 131072, kMaxTexture1DLinear = size_t{1} << 28;
inline constexpr size_t kMaxTexture2D[2] = {131072, 65536};
inline constexpr size_t kMaxTexture2DLinear[3] = {131072, 65000, 2097120};  // and bytes of a row
inline constexpr size_t kMaxTexture2DGather[2] = {32768, 32768};
inline constexpr size_t kMaxTexture3D[3] = {16384, 16384, 16384};
inline constexpr size_t kMaxTexture3DAlt[3] = {8192, 8192, 32768};
inline constexpr size_t kMaxTexture1DLayered[2] = {32768, 2048};
inline constexpr size_t kMaxTexture2DLayered[3] = {32768, 32768, 2048};
inline constexpr size_t kMaxSurface1D = 32768;

inline constexpr size_t kTextureAlignment = 512;      // of linear memory, within its allocation
inline constexpr size_t kTexturePitchAlignment = 32;  // of rows of linear memory

}  // namespace convkit::simt
