// SPDX-License-Identifier: MIT
// The functions that kernels call for textures and surfaces (simt/textures.h): they judge the
// object and what is asked of it. What a GPU leaves undefined ends the kernel with a report.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cpu_device/engine/block_runner.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/engine/refusal.h"
#include "cpu_device/engine/texture_fetch.h"
#include "cpu_device/engine/texture_object.h"
#include "simt/textures.h"

namespace {

using namespace convkit::simt;

constexpr const char* kFetchNames[] = {"tex1Dfetch",   "tex1D",        "tex2D",      "tex3D",
                                       "tex1DLayered", "tex2DLayered", "tex2Dgather"};
constexpr const char* kSurfaceNames[] = {"surf1Dread/write", "surf2Dread/write", "surf3Dread/write",
                                         "surf1DLayeredread/write", "surf2DLayeredread/write"};

// A function of a texture or surface, as a report names it, and where it was called.
struct Access {
  const char* name;
  uint64_t handle;
  uintptr_t pc;
};

[[noreturn]] __attribute__((cold)) void called_on_host(const Access& access) {
  Fault fault;
  fault.kind = "device_function_on_host";
  fault.sentence = said(access.name, "() was called by host code.");
  fault.advice = "It works in kernels only: was a kernel called without <<<...>>>?";
  tell(fault, "");
  std::exit(1);
}

// "tex2D() at blur.cu:12 is given ..."; the line is known in check mode.
[[noreturn]] __attribute__((cold)) void end_kernel(const Access& access, const char* kind,
                                                   const std::string& what, const char* advice,
                                                   cudaError_t error = cudaErrorIllegalAddress) {
  Fault place;  // " at blur.cu:12.", and the line's text on a line of its own
  place.sentence = ".";
  if (check_hooks) check_hooks->fault_at(place, access.pc - 1);
  const size_t stop = std::min(place.sentence.find('\n'), place.sentence.size()) - 1;
  Fault fault;
  fault.error = error;
  fault.kind = kind;
  fault.sentence = said(access.name, "()", place.sentence.substr(0, stop), " ", what,
                        place.sentence.substr(stop));
  fault.advice = advice;
  this_runner()->abandon(std::move(fault));
}

[[noreturn]] __attribute__((cold)) void bad_object(const Access& access, bool wants_surface) {
  const char* wanted = wants_surface ? "surface" : "texture";
  if (find_texture_object(access.handle)) {
    end_kernel(access, "bad_texture",
               said("is given a ", wants_surface ? "texture" : "surface", " object, and takes a ",
                    wanted, " object"),
               "Surfaces are read and written by surf...(), textures are read by tex...().");
  }
  const bool destroyed = state_of_texture_object(access.handle) == ObjectState::destroyed;
  end_kernel(
      access, destroyed ? "use_after_free" : "bad_texture",
      destroyed ? said("is given ", wanted, " object ", access.handle, ", which has been destroyed")
                : said("is given ", access.handle, ", which is no ", wanted, " object"),
      destroyed ? "Destroy it when the kernels that use it have run."
                : "Was the object created, and was the error of that call checked?");
}

const TextureObject& object_of(const Access& access, bool is_surface) {
  const BlockRunner* runner = this_runner();
  if (!runner || !runner->in_kernel()) called_on_host(access);
  const TextureObject* object = find_texture_object(access.handle);
  if (!object || object->is_surface != is_surface) bad_object(access, is_surface);
  return *object;
}

bool fits(TextureFunction function, const Image& image) {
  const ImageShape shape = image.shape;
  switch (function) {
    case TextureFunction::tex1Dfetch:
      return shape == ImageShape::linear;
    case TextureFunction::tex1D:
      return shape == ImageShape::line || (shape == ImageShape::plane && image.height == 1);
    case TextureFunction::tex2D:
      return shape == ImageShape::plane || shape == ImageShape::pitched ||
             shape == ImageShape::line;
    case TextureFunction::tex3D:
      return shape == ImageShape::volume;
    case TextureFunction::tex1DLayered:
      return shape == ImageShape::layered_lines;
    case TextureFunction::tex2DLayered:
      return shape == ImageShape::layered_planes;
    case TextureFunction::tex2Dgather:
      return shape == ImageShape::plane || shape == ImageShape::pitched;
  }
  return false;
}

bool fits(SurfaceFunction function, const Image& image) {
  const ImageShape shape = image.shape;
  switch (function) {
    case SurfaceFunction::surf1D:
      return shape == ImageShape::line || (shape == ImageShape::plane && image.height == 1);
    case SurfaceFunction::surf2D:
      return shape == ImageShape::plane || shape == ImageShape::line;
    case SurfaceFunction::surf3D:
      return shape == ImageShape::volume;
    case SurfaceFunction::surf1DLayered:
      return shape == ImageShape::layered_lines;
    case SurfaceFunction::surf2DLayered:
      return shape == ImageShape::layered_planes;
  }
  return false;
}

[[noreturn]] __attribute__((cold)) void wrong_shape(const Access& access, const Image& image) {
  end_kernel(access, "bad_texture", "does not read " + image_text(image),
             "tex1Dfetch() is for linear memory, ...1D, 2D and 3D for arrays of as many "
             "dimensions, ...Layered for arrays with cudaArrayLayered.");
}

// The type that the program asks for must be the texture's: a GPU would give other bits.
void check_type(const Access& access, const TextureObject& texture, int kind, int channels) {
  const bool wants_floats = kind == cudaChannelFormatKindFloat;
  if (wants_floats == texture.gives_floats && channels <= texture.image.channels) return;
  if (wants_floats != texture.gives_floats) {
    end_kernel(access, "bad_texture",
               wants_floats ? "asks for floats, and the texture gives integers"
                            : "asks for integers, and the texture gives floats",
               "The type in <> is that of the texels; with cudaReadModeNormalizedFloat integers of "
               "8 and 16 bits are read as float, float2 or float4.");
  }
  end_kernel(access, "bad_texture",
             said("asks for ", channels, " channels, and the texels have ", texture.image.channels),
             "Compare the type in <> with the one of cudaCreateChannelDesc().");
}

[[noreturn]] __attribute__((cold)) void surface_overrun(const Access& access, const char* what,
                                                        int at, int64_t end, unsigned bytes,
                                                        const Image& image) {
  const std::string range = bytes != 0 ? said(bytes, " bytes at byte ", at, " of a row of ", end)
                                       : said(what, " ", at, " of ", end);
  end_kernel(access, "out_of_bounds_surface", said("accesses ", range, ", in ", image_text(image)),
             "x is in bytes: multiply the column by the size of an element. Or compare the "
             "coordinates with the array's size.");
}

}  // namespace

extern "C" {

void convkit_simt_fetch(TextureFunction function, cudaTextureObject_t handle, const float* position,
                        int index, int type, unsigned int* channels) {
  const Access access{kFetchNames[static_cast<int>(function)], handle,
                      reinterpret_cast<uintptr_t>(__builtin_return_address(0))};
  const TextureObject& texture = object_of(access, false);
  if (!fits(function, texture.image)) wrong_shape(access, texture.image);
  const int kind = type & 3, count = type >> 2;
  check_type(access, texture, kind, function == TextureFunction::tex2Dgather ? 1 : count);
  const Sampler sampler(texture, check_hooks ? check_hooks->texel_read : nullptr, access.pc);
  Channels result{};
  switch (function) {
    case TextureFunction::tex1Dfetch:
      if (check_hooks && (index < 0 || index >= texture.image.width)) {
        check_hooks->fetch_beyond(texture.image.begin, index, texture.image.width, access.pc);
      }
      result = sampler.element(index);
      break;
    case TextureFunction::tex1D:
    case TextureFunction::tex1DLayered:
      result = sampler.sample(position, 1, index);
      break;
    case TextureFunction::tex2D:
    case TextureFunction::tex2DLayered:
      result = sampler.sample(position, 2, index);
      break;
    case TextureFunction::tex3D:
      result = sampler.sample(position, 3, 0);
      break;
    case TextureFunction::tex2Dgather:
      result = sampler.gather(position, index);
      break;
  }
  std::memcpy(channels, &result, sizeof result);
}

void* convkit_simt_surface_element(SurfaceFunction function, cudaSurfaceObject_t handle, int x,
                                   int y, int z, unsigned int bytes, cudaSurfaceBoundaryMode mode) {
  const Access access{kSurfaceNames[static_cast<int>(function)], handle,
                      reinterpret_cast<uintptr_t>(__builtin_return_address(0))};
  const Image& image = object_of(access, true).image;
  if (!fits(function, image)) wrong_shape(access, image);
  const int64_t row = image.width * image.texel_bytes;
  if (x % static_cast<int>(bytes) != 0) {
    end_kernel(access, "misaligned",
               said("accesses ", bytes, " bytes at byte ", x, ", which is no multiple of ", bytes),
               "x is in bytes: multiply the column by the size of an element.",
               cudaErrorMisalignedAddress);
  }
  const int64_t last = row - bytes;
  const bool inside =
      x >= 0 && x <= last && y >= 0 && y < image.height && z >= 0 && z < image.depth;
  int64_t column = x, line = y, slice = z;
  if (!inside) {
    if (mode == cudaBoundaryModeZero) return nullptr;
    if (mode == cudaBoundaryModeTrap || last < 0) {
      if (x < 0 || x > last) surface_overrun(access, "", x, row, bytes, image);
      if (y < 0 || y >= image.height) surface_overrun(access, "row", y, image.height, 0, image);
      surface_overrun(access, "slice or layer", z, image.depth, 0, image);
    }
    column = std::min(std::max<int64_t>(x, 0), last / bytes * bytes);
    line = std::min(std::max<int64_t>(y, 0), image.height - 1);
    slice = std::min(std::max<int64_t>(z, 0), image.depth - 1);
  }
  return image.begin + static_cast<size_t>(slice) * image.slice_bytes +
         static_cast<size_t>(line) * image.pitch + static_cast<size_t>(column);
}
}
