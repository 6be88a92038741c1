// SPDX-License-Identifier: MIT
// Textures, surfaces and CUDA arrays that are used wrongly.
#include <cstdint>

#include "../check.h"
#include "../parts.h"

inline cudaArray_t array_of_floats(std::size_t width, std::size_t height, unsigned flags = 0) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CHECK(cudaMallocArray(&array, &format, width, height, flags));
  const std::vector<float> zeros(width * height);
  const std::size_t row = width * sizeof(float);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, zeros.data(), row, row, height, cudaMemcpyHostToDevice));
  return array;
}

inline cudaTextureObject_t texture_of(const cudaResourceDesc& resource) {
  cudaTextureDesc description{};
  for (auto& mode : description.addressMode) mode = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}

inline cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

inline cudaResourceDesc resource_of(float* d_data, std::size_t bytes) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = d_data;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = bytes;
  return resource;
}

inline cudaSurfaceObject_t surface_of(cudaArray_t array) {
  const cudaResourceDesc resource = resource_of(array);
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  return surface;
}

// The last thread's right neighbour is not there.
namespace fetch_beyond {

__global__ void difference(cudaTextureObject_t texture, float* out) {
  const int i = threadIdx.x;
  out[i] = tex1Dfetch<float>(texture, i + 1) - out[i];  // fault
}

PART(fetch_beyond) {
  const DeviceArray<float> in(64), out(64);
  const cudaTextureObject_t texture = texture_of(resource_of(in.data(), 64 * sizeof(float)));
  difference<<<1, 64>>>(texture, out.data());
  CHECK_LAUNCH();
  CHECK(cudaDestroyTextureObject(texture));
}

}  // namespace fetch_beyond

/* Reports:
kind = "out_of_bounds_texture"
kernel = "difference"
mentions = ["element 64", "64 elements"]
mode = "check"
*/

// The texture says that it is larger than its memory is.
namespace texture_too_large {

__global__ void read(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, 64);  // fault
}

PART(texture_too_large) {
  const DeviceArray<float> in(64), out(64);
  const cudaTextureObject_t texture = texture_of(resource_of(in.data(), 65 * sizeof(float)));
  read<<<1, 1>>>(texture, out.data());
  CHECK_LAUNCH();
}

}  // namespace texture_too_large

/* Reports:
kind = "out_of_bounds_global"
kernel = "read"
mentions = ["256 bytes"]
mode = "check"
*/

// A column is no offset in bytes: the grid is as wide as a row has bytes.
namespace surface_beyond {

__global__ void fill(cudaSurfaceObject_t surface) {
  surf2Dwrite(1.0f, surface, threadIdx.x * 4, threadIdx.y);  // fault: 16 columns, 32 threads
}

PART(surface_beyond) {
  cudaArray_t array = array_of_floats(16, 8, cudaArraySurfaceLoadStore);
  fill<<<1, dim3(32, 8)>>>(surface_of(array));
  CHECK_LAUNCH();
}

}  // namespace surface_beyond

/* Reports:
kind = "out_of_bounds_surface"
kernel = "fill"
mentions = ["byte 64 of a row of 64", "16 x 8 texels"]
mode = "any"
*/

// The column is not multiplied by the size of an element.
namespace surface_misaligned {

__global__ void fill(cudaSurfaceObject_t surface) {
  surf2Dwrite(1.0f, surface, threadIdx.x, 0);  // fault
}

PART(surface_misaligned) {
  fill<<<1, 16>>>(surface_of(array_of_floats(16, 8, cudaArraySurfaceLoadStore)));
  CHECK_LAUNCH();
}

}  // namespace surface_misaligned

/* Reports:
kind = "misaligned"
kernel = "fill"
mentions = ["x is in bytes"]
mode = "any"
*/

// All threads of a column write one element.
namespace surface_race {

__global__ void fill(cudaSurfaceObject_t surface) {
  surf2Dwrite(static_cast<float>(threadIdx.y), surface, threadIdx.x * 4, 0);  // fault
}

PART(surface_race) {
  cudaArray_t array = array_of_floats(16, 8, cudaArraySurfaceLoadStore);
  fill<<<1, dim3(16, 8)>>>(surface_of(array));
  CHECK_LAUNCH();
}

}  // namespace surface_race

/* Reports:
kind = "race_global_block"
kernel = "fill"
mentions = ["CUDA array 1"]
mode = "check"
*/

// A texture does not see what the same kernel has written.
namespace stale_texture {

__global__ void smooth(cudaTextureObject_t texture, cudaSurfaceObject_t surface, float* out) {
  const int i = threadIdx.x;
  surf2Dwrite(static_cast<float>(i), surface, i * 4, 0);  // fault
  __syncthreads();
  out[i] = tex2D<float>(texture, (i + 1) % 16, 0);  // fault
}

PART(stale_texture) {
  cudaArray_t array = array_of_floats(16, 1, cudaArraySurfaceLoadStore);
  const DeviceArray<float> out(16);
  smooth<<<1, 16>>>(texture_of(resource_of(array)), surface_of(array), out.data());
  CHECK_LAUNCH();
}

}  // namespace stale_texture

/* Reports:
kind = "stale_texture"
kernel = "smooth"
mentions = ["CUDA array 1"]
mode = "check"
*/

namespace texture_destroyed {

__global__ void read(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 0);  // fault
}

PART(texture_destroyed) {
  cudaArray_t array = array_of_floats(16, 8);
  const cudaTextureObject_t texture = texture_of(resource_of(array));
  const DeviceArray<float> out(16);
  CHECK(cudaDestroyTextureObject(texture));
  read<<<1, 16>>>(texture, out.data());
  CHECK_LAUNCH();
}

}  // namespace texture_destroyed

/* Reports:
kind = "use_after_free"
kernel = "read"
mentions = ["texture object 1, which has been destroyed"]
mode = "any"
*/

namespace array_freed {

__global__ void read(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 0);  // fault
}

PART(array_freed) {
  cudaArray_t array = array_of_floats(16, 8);
  const cudaTextureObject_t texture = texture_of(resource_of(array));
  const DeviceArray<float> out(16);
  CHECK(cudaFreeArray(array));
  read<<<1, 16>>>(texture, out.data());
  CHECK_LAUNCH();
}

}  // namespace array_freed

/* Reports:
kind = "use_after_free"
kernel = "read"
mentions = ["CUDA array 1 (512 bytes"]
mode = "any"
*/

namespace array_freed_twice {

PART(array_freed_twice) {
  cudaArray_t array = array_of_floats(16, 8);
  CHECK(cudaFreeArray(array));
  cudaFreeArray(array);  // fault
}

}  // namespace array_freed_twice

/* Reports:
kind = "double_free"
mentions = ["CUDA array 1 (512 bytes"]
mode = "check"
*/

// Bytes are read as they are, and not as floats.
namespace texture_of_other_type {

__global__ void read(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 0);  // fault
}

PART(texture_of_other_type) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
  cudaArray_t array = nullptr;
  CHECK(cudaMallocArray(&array, &format, 16, 1));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, "0123456789abcdef", 16, 16, 1, cudaMemcpyHostToDevice));
  const DeviceArray<float> out(16);
  read<<<1, 16>>>(texture_of(resource_of(array)), out.data());
  CHECK_LAUNCH();
}

}  // namespace texture_of_other_type

/* Reports:
kind = "bad_texture"
kernel = "read"
mentions = ["asks for floats, and the texture gives integers"]
mode = "any"
*/

// The error of cudaCreateTextureObject is not looked at.
namespace texture_not_made {

__global__ void read(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 0);  // fault
}

PART(texture_not_made) {
  const DeviceArray<float> out(16);
  read<<<1, 16>>>(0, out.data());
  CHECK_LAUNCH();
}

}  // namespace texture_not_made

/* Reports:
kind = "bad_texture"
kernel = "read"
mentions = ["0, which is no texture object"]
mode = "any"
*/

// Nothing was copied into the array.
namespace array_unwritten {

__global__ void read(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 0);  // fault
}

PART(array_unwritten) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CHECK(cudaMallocArray(&array, &format, 16, 8));
  const DeviceArray<float> out(16);
  read<<<1, 16>>>(texture_of(resource_of(array)), out.data());
  CHECK_LAUNCH();
}

}  // namespace array_unwritten

/* Reports:
kind = "uninitialised_global"
kernel = "read"
mentions = ["CUDA array 1"]
mode = "check"
*/

namespace array_leaked {

PART(array_leaked) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int2>();
  cudaArray_t array = nullptr;
  CHECK(cudaMallocArray(&array, &format, 16, 8));  // fault
}

}  // namespace array_leaked

/* Reports:
kind = "leak"
mentions = ["CUDA array 1 (1024 bytes)", "cudaFreeArray()"]
mode = "check"
*/

namespace texture_leaked {

PART(texture_leaked) {
  cudaArray_t array = array_of_floats(16, 8);
  const cudaResourceDesc resource = resource_of(array);
  const cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));  // fault
  CHECK(cudaFreeArray(array));
}

}  // namespace texture_leaked

/* Reports:
kind = "leak"
mentions = ["a texture object", "cudaDestroyTextureObject()"]
mode = "check"
*/
