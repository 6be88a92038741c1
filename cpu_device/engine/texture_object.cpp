// SPDX-License-Identifier: MIT
#include "cpu_device/engine/texture_object.h"

#include <utility>
#include <vector>

#include "cpu_device/engine/refusal.h"

namespace convkit::simt {
namespace {

// By handle, less 1; null once it is destroyed. Never destroyed itself, as memory is not.
std::vector<std::unique_ptr<TextureObject>>& texture_objects() {
  static auto* const objects = new std::vector<std::unique_ptr<TextureObject>>;
  return *objects;
}

uint64_t g_forgotten = 0;  // so many objects are no leaks

}  // namespace

uint64_t add_texture_object(TextureObject object) {
  texture_objects().push_back(std::make_unique<TextureObject>(std::move(object)));
  return texture_objects().size();
}

void remove_texture_object(uint64_t handle) {
  texture_objects()[handle - 1].reset();
}

ObjectState state_of_texture_object(uint64_t handle) {
  if (handle - 1 >= texture_objects().size()) return ObjectState::never_made;
  return texture_objects()[handle - 1] ? ObjectState::alive : ObjectState::destroyed;
}

const TextureObject* find_texture_object(uint64_t handle) {
  const auto& objects = texture_objects();
  return handle - 1 < objects.size() ? objects[handle - 1].get() : nullptr;
}

std::string image_text(const Image& image) {
  switch (image.shape) {
    case ImageShape::linear:
      return said("linear memory of ", image.width, " elements");
    case ImageShape::pitched:
      return said("linear memory of ", image.width, " x ", image.height, " texels");
    case ImageShape::line:
      return said("a 1-D array of ", image.width, " texels");
    case ImageShape::plane:
      return said("a 2-D array of ", image.width, " x ", image.height, " texels");
    case ImageShape::volume:
      return said("a 3-D array of ", image.width, " x ", image.height, " x ", image.depth,
                  " texels");
    case ImageShape::layered_lines:
      return said("a layered array of ", image.depth, " times ", image.width, " texels");
    case ImageShape::layered_planes:
      return said("a layered array of ", image.depth, " times ", image.width, " x ", image.height,
                  " texels");
  }
  return "";
}

void each_texture_object_alive(void (*tell)(const char* kind, const char* created_by,
                                            const void* call_site)) {
  const auto& objects = texture_objects();
  for (uint64_t i = g_forgotten; i < objects.size(); ++i) {
    if (!objects[i]) continue;
    if (objects[i]->is_surface) {
      tell("surface object", "cudaCreateSurfaceObject", objects[i]->site.get());
    } else {
      tell("texture object", "cudaCreateTextureObject", objects[i]->site.get());
    }
  }
}

void forget_texture_objects() {
  g_forgotten = texture_objects().size();
}

}  // namespace convkit::simt
