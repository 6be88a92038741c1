// SPDX-License-Identifier: MIT
// Texture and surface objects: what a handle means. Handles are numbers from 1 on, and none is
// given out twice, so that a handle that is used after its end is known.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cpu_device/engine/hooks.h"
#include "simt/runtime_types.h"
#include "simt/texture_types.h"

namespace convkit::simt {

enum class ImageShape {
  linear,   // elements one after the other: tex1Dfetch() only
  pitched,  // rows of linear memory
  line,
  plane,
  volume,
  layered_lines,
  layered_planes,
};

// The memory of a texture or surface.
struct Image {
  ImageShape shape = ImageShape::linear;
  unsigned char* begin = nullptr;
  size_t pitch = 0, slice_bytes = 0;
  int64_t width = 0, height = 1, depth = 1;  // in texels, rows, slices or layers
  int texel_bytes = 0, channels = 0, channel_bytes = 0;
  cudaChannelFormatKind kind = cudaChannelFormatKindNone;
};

struct TextureObject {
  bool is_surface = false;
  cudaResourceDesc resource{};
  // Of a texture: its description, and the address modes that hold for its coordinates.
  cudaTextureDesc texture{};
  cudaTextureAddressMode address[3]{};
  Image image{};
  bool gives_floats = false;
  std::shared_ptr<void> site{};  // of the call that made it, for check mode
};

enum class ObjectState { never_made, destroyed, alive };

uint64_t add_texture_object(TextureObject object);
void remove_texture_object(uint64_t handle);
ObjectState state_of_texture_object(uint64_t handle);
// Null unless it is alive. Handles change in calls of the runtime only, and none runs beside a
// kernel.
const TextureObject* find_texture_object(uint64_t handle);

// "a 2-D array of 64 x 32 texels"
std::string image_text(const Image& image);

// Calls `tell` for each object that was made since the last forget_texture_objects() and never
// destroyed.
CONVKIT_SIMT_EXPORT void each_texture_object_alive(void (*tell)(const char* kind,
                                                                const char* created_by,
                                                                const void* call_site));
CONVKIT_SIMT_EXPORT void forget_texture_objects();

}  // namespace convkit::simt
