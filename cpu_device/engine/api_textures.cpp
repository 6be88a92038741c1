// SPDX-License-Identifier: MIT
// Texture and surface objects of the runtime API.
#include "cpu_device/engine/call.h"
#include "cpu_device/engine/cuda_array.h"
#include "cpu_device/engine/device.h"
#include "cpu_device/engine/kernels.h"
#include "cpu_device/engine/memory.h"
#include "cpu_device/engine/refusal.h"
#include "cpu_device/engine/texture_limits.h"
#include "cpu_device/engine/texture_object.h"
#include "simt/runtime_api.h"

using namespace convkit::simt;

namespace {

constexpr cudaError_t kBadTexture = cudaErrorInvalidValue;

void set_format(Image& image, const cudaChannelFormatDesc& format) {
  image.channels = format.y == 0 ? 1 : format.z == 0 ? 2 : 4;
  image.channel_bytes = format.x / 8;
  image.texel_bytes = static_cast<int>(texel_bytes(format));
  image.kind = format.f;
}

Image image_of(const cudaArray& array) {
  Image image;
  const bool has_rows = array.extent.height != 0;
  image.shape = array.is_layered()
                    ? has_rows ? ImageShape::layered_planes : ImageShape::layered_lines
                : array.extent.depth != 0 ? ImageShape::volume
                : has_rows                ? ImageShape::plane
                                          : ImageShape::line;
  image.begin = array.begin;
  image.pitch = array.pitch;
  image.slice_bytes = array.slice_bytes();
  image.width = static_cast<int64_t>(array.extent.width);
  image.height = static_cast<int64_t>(array.rows());
  image.depth = static_cast<int64_t>(array.slices());
  set_format(image, array.format);
  return image;
}

// What linear memory must be; the sentence that says what it is not.
std::string linear_fault(const char* part, void* pointer, const cudaChannelFormatDesc& format) {
  if (!pointer) return said(part, ".devPtr is null");
  if (texel_bytes(format) == 0) {
    return said(part, ".desc is ", format_text(format),
                "; a texel has 1, 2 or 4 channels of 8, 16 or 32 bits, floats of 16 or 32");
  }
  if (is_in_program_data(pointer)) {  // a __device__ array
    return reinterpret_cast<uintptr_t>(pointer) % kTextureAlignment == 0
               ? ""
               : said(part, ".devPtr is no multiple of textureAlignment, ", kTextureAlignment);
  }
  const auto allocation = find_allocation(pointer);
  if (!allocation || allocation->freed) {
    const std::string place = describe_address(pointer);
    return said(part, ".devPtr is ", place.empty() ? "host memory" : place,
                "; it must be device memory");
  }
  const auto offset = static_cast<size_t>(static_cast<unsigned char*>(pointer) - allocation->begin);
  if (offset % kTextureAlignment != 0) {
    return said(part, ".devPtr is ", describe_address(pointer),
                "; it must be a multiple of textureAlignment, ", kTextureAlignment);
  }
  return "";
}

std::string linear_image(const cudaResourceDesc& resource, Image& image) {
  const auto& linear = resource.res.linear;
  std::string fault = linear_fault("res.linear", linear.devPtr, linear.desc);
  if (!fault.empty()) return fault;
  image.shape = ImageShape::linear;
  image.begin = static_cast<unsigned char*>(linear.devPtr);
  set_format(image, linear.desc);
  const size_t elements = linear.sizeInBytes / static_cast<size_t>(image.texel_bytes);
  image.width = static_cast<int64_t>(elements);
  image.pitch = image.slice_bytes = linear.sizeInBytes;
  if (elements == 0 || elements > kMaxTexture1DLinear) {
    return said("res.linear.sizeInBytes is ", linear.sizeInBytes, ", ", elements,
                " elements; there are 1 to ", kMaxTexture1DLinear);
  }
  return "";
}

std::string pitched_image(const cudaResourceDesc& resource, Image& image) {
  const auto& pitched = resource.res.pitch2D;
  std::string fault = linear_fault("res.pitch2D", pitched.devPtr, pitched.desc);
  if (!fault.empty()) return fault;
  image.shape = ImageShape::pitched;
  image.begin = static_cast<unsigned char*>(pitched.devPtr);
  set_format(image, pitched.desc);
  image.width = static_cast<int64_t>(pitched.width);
  image.height = static_cast<int64_t>(pitched.height);
  image.pitch = pitched.pitchInBytes;
  image.slice_bytes = pitched.pitchInBytes * pitched.height;
  const auto& limits = kMaxTexture2DLinear;
  if (pitched.width == 0 || pitched.width > limits[0] || pitched.height == 0 ||
      pitched.height > limits[1]) {
    return said("res.pitch2D is ", pitched.width, " x ", pitched.height,
                " texels; there are 1 x 1 to ", limits[0], " x ", limits[1]);
  }
  const size_t row = pitched.width * static_cast<size_t>(image.texel_bytes);
  if (pitched.pitchInBytes % kTexturePitchAlignment != 0 || pitched.pitchInBytes < row ||
      pitched.pitchInBytes > limits[2]) {
    return said("res.pitch2D.pitchInBytes is ", pitched.pitchInBytes,
                "; it must be a multiple of texturePitchAlignment, ", kTexturePitchAlignment,
                ", and hold a row of ", row, " bytes: cudaMallocPitch() gives such a pitch");
  }
  return "";
}

std::string texture_image(const cudaResourceDesc& resource, Image& image) {
  switch (resource.resType) {
    case cudaResourceTypeArray: {
      const cudaArray_t array = resource.res.array.array;
      std::string fault = array_fault("res.array.array", array);
      if (fault.empty()) image = image_of(*array);
      return fault;
    }
    case cudaResourceTypeLinear:
      return linear_image(resource, image);
    case cudaResourceTypePitch2D:
      return pitched_image(resource, image);
    default:
      return said("resType is ", static_cast<int>(resource.resType),
                  "; it must be cudaResourceTypeArray, ...Linear or ...Pitch2D: the CPU device has "
                  "no mipmapped arrays");
  }
}

std::string description_fault(const cudaTextureDesc& texture, const Image& image) {
  for (int i = 0; i < 3; ++i) {
    const auto mode = static_cast<unsigned>(texture.addressMode[i]);
    if (mode > cudaAddressModeBorder) {
      return said("addressMode[", i, "] is ", mode, "; it must be a cudaTextureAddressMode");
    }
  }
  const auto filter = static_cast<unsigned>(texture.filterMode);
  const auto read = static_cast<unsigned>(texture.readMode);
  if (filter > cudaFilterModeLinear) {
    return said("filterMode is ", filter, "; it must be a cudaTextureFilterMode");
  }
  if (read > cudaReadModeNormalizedFloat) {
    return said("readMode is ", read, "; it must be a cudaTextureReadMode");
  }
  if (image.shape == ImageShape::linear) return "";  // has no modes
  const bool is_float = image.kind == cudaChannelFormatKindFloat;
  if (filter == cudaFilterModeLinear && !is_float) {
    if (read == cudaReadModeElementType) {
      return "filterMode is cudaFilterModeLinear, and the texels are integers: linear filtering "
             "needs floats, as cudaReadModeNormalizedFloat gives them";
    }
    if (image.channel_bytes == 4) {
      return "filterMode is cudaFilterModeLinear, and the texels are integers of 32 bits, which "
             "no readMode makes floats";
    }
  }
  return "";
}

// A view that changes nothing.
std::string view_fault(const cudaResourceViewDesc& view, const cudaResourceDesc& resource) {
  if (resource.resType != cudaResourceTypeArray) {
    return "pResViewDesc is given, and the resource is no CUDA array";
  }
  const cudaExtent& extent = resource.res.array.array->extent;
  if (view.format != cudaResViewFormatNone) {
    return "format of the resource view is given: the CPU device reads arrays in their own format";
  }
  if (view.width != extent.width || view.height != extent.height || view.depth != extent.depth) {
    return said("the resource view has another size than the array of ", extent_text(extent));
  }
  if (view.firstMipmapLevel != 0 || view.lastMipmapLevel != 0 || view.firstLayer != 0) {
    return "the resource view begins at another level or layer than 0";
  }
  if (view.lastLayer != 0 && view.lastLayer + 1 != extent.depth) {
    return "the resource view ends at another layer than the array";
  }
  return "";
}

cudaError_t destroy_object(const char* name, const char* argument, uint64_t handle,
                           bool is_surface) {
  if (handle == 0) return cudaSuccess;
  // What was launched before reads it, though nobody has waited for it.
  queue().run_unjoined();
  const TextureObject* object = find_texture_object(handle);
  if (object && object->is_surface == is_surface) {
    remove_texture_object(handle);
    return cudaSuccess;
  }
  const char* why = object ? is_surface ? "a texture object" : "a surface object"
                    : state_of_texture_object(handle) == ObjectState::destroyed
                        ? "an object that has been destroyed already"
                        : "no object that was made";
  return refuse(name, cudaErrorInvalidValue, said(argument, " is ", handle, ", ", why));
}

// The object of a question, or null: then the question is refused.
const TextureObject* asked_object(const char* name, const void* result, uint64_t handle,
                                  bool is_surface) {
  const TextureObject* object = find_texture_object(handle);
  if (result && object && object->is_surface == is_surface) return object;
  refuse(name, cudaErrorInvalidValue,
         !result ? "the pointer for the result is null"
                 : said("the handle ", handle, " is no ", is_surface ? "surface" : "texture",
                        " object that exists"));
  return nullptr;
}

template <class Object, class Description>
cudaError_t answer(const char* name, Description* result, uint64_t handle, bool is_surface,
                   Description Object::*member) {
  return call([=] {
    const TextureObject* object = asked_object(name, result, handle, is_surface);
    if (!object) return cudaErrorInvalidValue;
    *result = object->*member;
    return cudaSuccess;
  });
}

}  // namespace

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description,
                                    const cudaResourceViewDesc* view) {
  return call([=] {
    constexpr const char* kCall = "cudaCreateTextureObject";
    if (!texture) return refuse(kCall, kBadTexture, "pTexObject is null");
    if (!resource) return refuse(kCall, kBadTexture, "pResDesc is null");
    if (!description) return refuse(kCall, kBadTexture, "pTexDesc is null");
    TextureObject object;
    std::string fault = texture_image(*resource, object.image);
    if (fault.empty()) fault = description_fault(*description, object.image);
    if (fault.empty() && view) fault = view_fault(*view, *resource);
    if (!fault.empty()) return refuse(kCall, kBadTexture, fault);
    if (description->sRGB != 0) {
      return refuse(kCall, cudaErrorNotSupported,
                    "sRGB is set; the CPU device does not convert sRGB: do it in the kernel");
    }
    object.resource = *resource;
    object.texture = *description;
    const bool promotes =
        description->readMode == cudaReadModeNormalizedFloat && object.image.channel_bytes < 4;
    object.gives_floats = promotes || object.image.kind == cudaChannelFormatKindFloat;
    // Without normalised coordinates these two are switched to clamping.
    for (int i = 0; i < 3; ++i) {
      const auto mode = description->addressMode[i];
      const bool repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
      object.address[i] =
          repeats && description->normalizedCoords == 0 ? cudaAddressModeClamp : mode;
    }
    if (check_hooks) object.site = check_hooks->call_site();
    *texture = add_texture_object(std::move(object));
    return cudaSuccess;
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface,
                                    const cudaResourceDesc* resource) {
  return call([=] {
    constexpr const char* kCall = "cudaCreateSurfaceObject";
    if (!surface) return refuse(kCall, kBadTexture, "pSurfObject is null");
    if (!resource) return refuse(kCall, kBadTexture, "pResDesc is null");
    if (resource->resType != cudaResourceTypeArray) {
      return refuse(kCall, kBadTexture,
                    "resType is not cudaResourceTypeArray: surfaces are of CUDA arrays");
    }
    const cudaArray_t array = resource->res.array.array;
    const std::string fault = array_fault("res.array.array", array);
    if (!fault.empty()) return refuse(kCall, cudaErrorInvalidResourceHandle, fault);
    if ((array->flags & cudaArraySurfaceLoadStore) == 0) {
      return refuse(kCall, kBadTexture,
                    "the array was made without the flag cudaArraySurfaceLoadStore");
    }
    TextureObject object;
    object.is_surface = true;
    object.resource = *resource;
    object.image = image_of(*array);
    if (check_hooks) object.site = check_hooks->call_site();
    *surface = add_texture_object(std::move(object));
    return cudaSuccess;
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  return call(
      [=] { return destroy_object("cudaDestroyTextureObject", "texObject", texture, false); });
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  return call(
      [=] { return destroy_object("cudaDestroySurfaceObject", "surfObject", surface, true); });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t texture) {
  return answer("cudaGetTextureObjectResourceDesc", resource, texture, false,
                &TextureObject::resource);
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description,
                                            cudaTextureObject_t texture) {
  return answer("cudaGetTextureObjectTextureDesc", description, texture, false,
                &TextureObject::texture);
}
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t surface) {
  return answer("cudaGetSurfaceObjectResourceDesc", resource, surface, true,
                &TextureObject::resource);
}

// There are only views that change nothing.
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view,
                                                 cudaTextureObject_t texture) {
  return call([=] {
    const TextureObject* object =
        asked_object("cudaGetTextureObjectResourceViewDesc", view, texture, false);
    if (!object) return cudaErrorInvalidValue;
    *view = {};
    if (object->resource.resType == cudaResourceTypeArray) {
      const cudaExtent& extent = object->resource.res.array.array->extent;
      view->width = extent.width;
      view->height = extent.height;
      view->depth = extent.depth;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* elements,
                                                 const cudaChannelFormatDesc* format, int device) {
  return call([=] {
    constexpr const char* kCall = "cudaDeviceGetTexture1DLinearMaxWidth";
    if (!elements) return refuse(kCall, cudaErrorInvalidValue, "maxWidthInElements is null");
    if (!format || texel_bytes(*format) == 0) {
      return refuse(kCall, cudaErrorInvalidValue, "fmtDesc is no format of a texture");
    }
    int devices = 0;
    cudaGetDeviceCount(&devices);
    if (device < 0 || device >= devices) {
      return refuse(kCall, cudaErrorInvalidDevice, said("device is ", device));
    }
    *elements = kMaxTexture1DLinear;
    return cudaSuccess;
  });
}
}
