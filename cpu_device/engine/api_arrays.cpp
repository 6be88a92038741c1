// SPDX-License-Identifier: MIT
// CUDA arrays of the runtime API: allocation, questions and copies.
#include <array>

#include "cpu_device/engine/call.h"
#include "cpu_device/engine/cuda_array.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/engine/memory.h"
#include "cpu_device/engine/memory_copy.h"
#include "cpu_device/engine/refusal.h"
#include "cpu_device/engine/texture_limits.h"
#include "simt/runtime_api.h"

using namespace convkit::simt;

namespace {

using Limits = std::array<size_t, 3>;  // 0: no such dimension

bool is_within(const cudaExtent& extent, const Limits& limits) {
  const Limits sizes = {extent.width, extent.height, extent.depth};
  for (size_t i = 0; i < 3; ++i) {
    if (limits[i] == 0 ? sizes[i] != 0 : sizes[i] == 0 || sizes[i] > limits[i]) return false;
  }
  return true;
}

// The table of cudaMalloc3DArray() in NVIDIA's "CUDA Runtime API".
bool is_array_extent(const cudaExtent& extent, unsigned flags) {
  const bool surface = (flags & cudaArraySurfaceLoadStore) != 0;
  const Limits line = {surface ? kMaxSurface1D : kMaxTexture1D, 0, 0};
  const Limits plane = {kMaxTexture2D[0], kMaxTexture2D[1], 0};
  if (flags & cudaArrayLayered) {
    return is_within(extent, {kMaxTexture1DLayered[0], 0, kMaxTexture1DLayered[1]}) ||
           is_within(extent,
                     {kMaxTexture2DLayered[0], kMaxTexture2DLayered[1], kMaxTexture2DLayered[2]});
  }
  if (flags & cudaArrayTextureGather) {
    return is_within(extent, {kMaxTexture2DGather[0], kMaxTexture2DGather[1], 0});
  }
  return is_within(extent, line) || is_within(extent, plane) ||
         is_within(extent, {kMaxTexture3D[0], kMaxTexture3D[1], kMaxTexture3D[2]}) ||
         (!surface &&
          is_within(extent, {kMaxTexture3DAlt[0], kMaxTexture3DAlt[1], kMaxTexture3DAlt[2]}));
}

cudaError_t malloc_array(const char* name, cudaArray_t* array, const cudaChannelFormatDesc* format,
                         const cudaExtent& extent, unsigned flags) {
  constexpr cudaError_t kBad = cudaErrorInvalidValue;
  if (!array) return refuse(name, kBad, "array is null");
  *array = nullptr;
  if (!format) return refuse(name, kBad, "desc is null");
  constexpr unsigned kKnown = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayTextureGather;
  if (flags & cudaArrayCubemap) {
    return refuse(name, cudaErrorNotSupported,
                  "flags has cudaArrayCubemap; the CPU device has no cubemaps: make a layered "
                  "array of 6 faces");
  }
  if (flags & ~kKnown) {
    return refuse(name, cudaErrorNotSupported,
                  said("flags is ", flags,
                       "; the CPU device knows cudaArrayLayered, cudaArraySurfaceLoadStore and "
                       "cudaArrayTextureGather"));
  }
  cudaArray made;
  made.format = *format;
  made.extent = extent;
  made.flags = flags;
  made.texel_bytes = texel_bytes(*format);
  if (made.texel_bytes == 0) {
    return refuse(name, kBad,
                  said("desc is ", format_text(*format),
                       "; an array has 1, 2 or 4 channels of 8, 16 or 32 bits, floats of 16 or "
                       "32"));
  }
  if (!is_array_extent(extent, flags)) {
    return refuse(
        name, kBad,
        said("an array", flags & cudaArrayLayered ? " of layers" : "", " cannot have width ",
             extent.width, ", height ", extent.height, " and depth ", extent.depth,
             ": a dimension that it lacks is 0, and others are within the limits of "
             "cudaDeviceProp"));
  }
  // A surface may read 16 bytes at any multiple of 16 in a row.
  constexpr size_t kRowAlignment = 16;
  made.pitch = (made.row_bytes() + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
  void* memory = nullptr;
  const cudaError_t error =
      allocate_array_memory(name, &memory, made.slice_bytes() * made.slices());
  if (error != cudaSuccess) return error;
  made.begin = static_cast<unsigned char*>(memory);
  *array = add_array(made);
  return cudaSuccess;
}

// A rectangle in the array's first slice; x and width in bytes.
cudaError_t place_error(const char* name, const char* argument, cudaArray_const_t array, size_t x,
                        size_t y, size_t width, size_t height) {
  const std::string fault = array_fault(argument, array);
  if (!fault.empty()) return refuse(name, cudaErrorInvalidValue, fault);
  if (width == 0 || height == 0) return cudaSuccess;
  if (x > array->row_bytes() || width > array->row_bytes() - x) {
    return refuse(name, cudaErrorInvalidValue,
                  said("it copies ", width, " bytes from byte ", x, " of a row, and a row of ",
                       argument, " has ", array->row_bytes(), " bytes (", array->extent.width,
                       " texels of ", array->texel_bytes, "): width is in bytes"));
  }
  if (y > array->rows() || height > array->rows() - y) {
    return refuse(name, cudaErrorInvalidValue,
                  said("it copies ", height, " rows from row ", y, ", and ", argument, " has ",
                       array->rows()));
  }
  return cudaSuccess;
}

cudaError_t kind_error(const char* name, cudaMemcpyKind kind, bool to_array, bool from_array) {
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (kind == cudaMemcpyDefault || ((!to_array || to_device) && (!from_array || from_device))) {
    return cudaSuccess;
  }
  return refuse(name, cudaErrorInvalidMemcpyDirection,
                said("kind is ", static_cast<int>(kind), ", and a CUDA array is on the device"));
}

cudaError_t copy_to_array(const char* name, cudaArray_t to, size_t x, size_t y, const void* from,
                          size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                          bool asynchronous, cudaStream_t stream) {
  return call([=] {
    cudaError_t error = place_error(name, "dst", to, x, y, width, height);
    if (error == cudaSuccess) error = kind_error(name, kind, true, false);
    if (error != cudaSuccess) return error;
    if (width > pitch) {
      return refuse(name, cudaErrorInvalidPitchValue,
                    said("width is ", width, ", which is more than spitch, ", pitch));
    }
    return copy_rows(name, {to->at(x, y, 0), to->pitch, from, pitch, width, height}, kind,
                     asynchronous, stream);
  });
}

cudaError_t copy_from_array(const char* name, void* to, size_t pitch, cudaArray_const_t from,
                            size_t x, size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                            bool asynchronous, cudaStream_t stream) {
  return call([=] {
    cudaError_t error = place_error(name, "src", from, x, y, width, height);
    if (error == cudaSuccess) error = kind_error(name, kind, false, true);
    if (error != cudaSuccess) return error;
    if (width > pitch) {
      return refuse(name, cudaErrorInvalidPitchValue,
                    said("width is ", width, ", which is more than dpitch, ", pitch));
    }
    return copy_rows(name, {to, pitch, from->at(x, y, 0), from->pitch, width, height}, kind,
                     asynchronous, stream);
  });
}

// Of copies that go on in the next row: the rest of the first row, whole rows, the last row's
// beginning.
template <class CopyPart>
cudaError_t copy_row_by_row(const char* name, const char* argument, cudaArray_const_t array,
                            size_t x, size_t y, size_t bytes, const CopyPart& copy) {
  const cudaError_t wrong = call([=] {
    const std::string fault = array_fault(argument, array);
    if (!fault.empty()) return refuse(name, cudaErrorInvalidValue, fault);
    const size_t row = array->row_bytes();
    const bool inside = x < row && y < array->rows() && bytes <= (array->rows() - y) * row - x;
    if (bytes == 0 || inside) return cudaSuccess;
    return refuse(name, cudaErrorInvalidValue,
                  said("it copies ", bytes, " bytes from byte ", x, " of row ", y, ", and ",
                       argument, " has ", array->rows(), " rows of ", row, " bytes"));
  });
  if (wrong != cudaSuccess) return wrong;
  size_t done = 0;
  while (done < bytes) {
    const size_t row = array->row_bytes(), left = bytes - done;
    const bool whole = x == 0 && left >= row;
    const size_t width = whole ? row : std::min(row - x, left);
    const size_t height = whole ? left / row : 1;
    const cudaError_t error = copy(x, y, done, width, height);
    if (error != cudaSuccess) return error;
    done += width * height;
    y += height;
    x = 0;
  }
  return cudaSuccess;
}

cudaError_t copy_bytes_to_array(const char* name, cudaArray_t to, size_t x, size_t y,
                                const void* from, size_t bytes, cudaMemcpyKind kind,
                                bool asynchronous, cudaStream_t stream) {
  return copy_row_by_row(name, "dst", to, x, y, bytes,
                         [=](size_t at_x, size_t at_y, size_t done, size_t width, size_t height) {
                           return copy_to_array(name, to, at_x, at_y,
                                                static_cast<const unsigned char*>(from) + done,
                                                width, width, height, kind, asynchronous, stream);
                         });
}

cudaError_t copy_bytes_from_array(const char* name, void* to, cudaArray_const_t from, size_t x,
                                  size_t y, size_t bytes, cudaMemcpyKind kind, bool asynchronous,
                                  cudaStream_t stream) {
  return copy_row_by_row(name, "src", from, x, y, bytes,
                         [=](size_t at_x, size_t at_y, size_t done, size_t width, size_t height) {
                           return copy_from_array(name, static_cast<unsigned char*>(to) + done,
                                                  width, from, at_x, at_y, width, height, kind,
                                                  asynchronous, stream);
                         });
}

}  // namespace

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned int flags) {
  return uncaptured_call("cudaMallocArray", [=] {
    return malloc_array("cudaMallocArray", array, format, {width, height, 0}, flags);
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned int flags) {
  return uncaptured_call("cudaMalloc3DArray", [=] {
    return malloc_array("cudaMalloc3DArray", array, format, extent, flags);
  });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return uncaptured_call("cudaFreeArray", [=] {
    if (!array) return cudaSuccess;
    queue().drain_all();
    const std::string fault = array_fault("array", array);
    if (fault.empty()) {
      array->freed = true;
      return release(array->begin, MemoryKind::device);
    }
    if (check_hooks) check_hooks->free_refused(is_array(array) ? array->begin : (void*)array);
    return refuse("cudaFreeArray", cudaErrorInvalidValue, fault);
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
  return call([=] {
    const std::string fault = array_fault("array", array);
    if (!fault.empty()) return refuse("cudaArrayGetInfo", cudaErrorInvalidValue, fault);
    if (format) *format = array->format;
    if (extent) *extent = array->extent;
    if (flags) *flags = array->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  return call([=] {
    const std::string fault = format ? array_fault("array", array) : "desc is null";
    if (!fault.empty()) return refuse("cudaGetChannelDesc", cudaErrorInvalidValue, fault);
    *format = array->format;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_to_array("cudaMemcpy2DToArray", to, x, y, from, pitch, width, height, kind, false,
                       nullptr);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return copy_to_array("cudaMemcpy2DToArrayAsync", to, x, y, from, pitch, width, height, kind, true,
                       stream);
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_from_array("cudaMemcpy2DFromArray", to, pitch, from, x, y, width, height, kind, false,
                         nullptr);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return copy_from_array("cudaMemcpy2DFromArrayAsync", to, pitch, from, x, y, width, height, kind,
                         true, stream);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, cudaMemcpyKind kind) {
  return call([=] {
    constexpr const char* kCall = "cudaMemcpy2DArrayToArray";
    cudaError_t error = place_error(kCall, "dst", to, to_x, to_y, width, height);
    if (error == cudaSuccess) {
      error = place_error(kCall, "src", from, from_x, from_y, width, height);
    }
    if (error == cudaSuccess) error = kind_error(kCall, kind, true, true);
    if (error != cudaSuccess) return error;
    return copy_rows(
        kCall,
        {to->at(to_x, to_y, 0), to->pitch, from->at(from_x, from_y, 0), from->pitch, width, height},
        kind, false, nullptr);
  });
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  return copy_bytes_to_array("cudaMemcpyToArray", to, x, y, from, bytes, kind, false, nullptr);
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_bytes_to_array("cudaMemcpyToArrayAsync", to, x, y, from, bytes, kind, true, stream);
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return copy_bytes_from_array("cudaMemcpyFromArray", to, from, x, y, bytes, kind, false, nullptr);
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_bytes_from_array("cudaMemcpyFromArrayAsync", to, from, x, y, bytes, kind, true,
                               stream);
}
}
