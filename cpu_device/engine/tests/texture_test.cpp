// SPDX-License-Identifier: MIT
// CUDA arrays, textures and surfaces: copies that go on in the next row, and why calls are refused.
// What kernels read and write is tested by the conformance programs.
#include "catch.h"
#include "cpu_device/engine/refusal.h"
#include "simt/runtime_api.h"

namespace convkit::simt {
namespace {

// Why the call was refused, with CUDA's error in front.
std::string refusal(cudaError_t error) {
  std::string text = convkit_simt_why_refused(CONVKIT_SIMT_RUNTIME, error);
  convkit_simt_forget_refusal();
  cudaGetLastError();
  return cudaGetErrorName(error) + (": " + text);
}

cudaArray_t made_array(size_t width, size_t height, unsigned flags = 0) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  REQUIRE(cudaMallocArray(&array, &format, width, height, flags) == cudaSuccess);
  return array;
}

}  // namespace

TEST_CASE("cudaMemcpyToArray and FromArray go on in the next row") {
  cudaArray_t array = made_array(3, 4);
  const float zeros[12] = {}, numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  REQUIRE(cudaMemcpyToArray(array, 0, 0, zeros, sizeof zeros, cudaMemcpyHostToDevice) ==
          cudaSuccess);
  CHECK(cudaMemcpyToArray(array, 8, 0, numbers, sizeof numbers, cudaMemcpyHostToDevice) ==
        cudaSuccess);
  float all[12] = {};
  CHECK(cudaMemcpyFromArray(all, array, 0, 0, sizeof all, cudaMemcpyDeviceToHost) == cudaSuccess);
  const float wanted[12] = {0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0};
  for (int i = 0; i < 12; ++i) CHECK(all[i] == wanted[i]);
  float some[2] = {};
  CHECK(cudaMemcpyFromArrayAsync(some, array, 8, 1, sizeof some, cudaMemcpyDeviceToHost, nullptr) ==
        cudaSuccess);
  CHECK((some[0] == 4 && some[1] == 5));
  CHECK(refusal(cudaMemcpyToArray(array, 0, 1, numbers, 40, cudaMemcpyHostToDevice)) ==
        "cudaErrorInvalidValue: cudaMemcpyToArray: it copies 40 bytes from byte 0 of row 1, and "
        "dst has 4 rows of 12 bytes.");
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

TEST_CASE("arrays that are refused say why") {
  const cudaChannelFormatDesc three = {32, 32, 32, 0, cudaChannelFormatKindFloat};
  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
  cudaArray_t array = nullptr;
  CHECK(refusal(cudaMallocArray(&array, &three, 4, 4)) ==
        "cudaErrorInvalidValue: cudaMallocArray: desc is 32, 32, 32, 0 bits, float; an array has "
        "1, 2 or 4 channels of 8, 16 or 32 bits, floats of 16 or 32.");
  CHECK(refusal(cudaMalloc3DArray(&array, &bytes, {6, 6, 6}, cudaArrayCubemap)) ==
        "cudaErrorNotSupported: cudaMalloc3DArray: flags has cudaArrayCubemap; the CPU device has "
        "no cubemaps: make a layered array of 6 faces.");
  array = made_array(4, 4);
  float host[16] = {};
  CHECK(refusal(cudaMemcpy2DToArray(array, 0, 0, host, 64, 64, 1, cudaMemcpyHostToDevice)) ==
        "cudaErrorInvalidValue: cudaMemcpy2DToArray: it copies 64 bytes from byte 0 of a row, and "
        "a row of dst has 16 bytes (4 texels of 4): width is in bytes.");
  CHECK(refusal(cudaMemcpy2DToArray(array, 0, 0, host, 16, 16, 4, cudaMemcpyDeviceToHost)) ==
        "cudaErrorInvalidMemcpyDirection: cudaMemcpy2DToArray: kind is 2, and a CUDA array is on "
        "the device.");
  CHECK(refusal(cudaMemcpy(array, host, 64, cudaMemcpyDefault)) ==
        "cudaErrorInvalidValue: cudaMemcpy: dst is a CUDA array; copy with cudaMemcpy2DToArray().");
  CHECK(refusal(cudaFree(array)) ==
        "cudaErrorInvalidValue: cudaFree: devPtr is a CUDA array, which cudaFreeArray() frees.");
  cudaMemcpy3DParms copy{};
  copy.dstArray = array;
  copy.srcPtr = make_cudaPitchedPtr(host, 64, 16, 1);
  copy.extent = make_cudaExtent(16, 1, 1);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(refusal(cudaMemcpy3D(&copy)) ==
        "cudaErrorInvalidValue: cudaMemcpy3D: it copies 16 x 1 x 1 texels from (0, 0, 0) on, and "
        "dstArray has 4 x 4 texels: widths are in texels.");
  CHECK(cudaFreeArray(array) == cudaSuccess);
  CHECK(refusal(cudaFreeArray(array)) ==
        "cudaErrorInvalidValue: cudaFreeArray: array is an array that has been freed.");
}

TEST_CASE("textures and surfaces that are refused say why") {
  cudaArray_t array = made_array(4, 4);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  cudaSurfaceObject_t surface = 0;
  const auto create = [&] {
    return refusal(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  };
  CHECK(refusal(cudaCreateSurfaceObject(&surface, &resource)) ==
        "cudaErrorInvalidValue: cudaCreateSurfaceObject: the array was made without the flag "
        "cudaArraySurfaceLoadStore.");
  description.sRGB = 1;
  CHECK(create() ==
        "cudaErrorNotSupported: cudaCreateTextureObject: sRGB is set; the CPU device does not "
        "convert sRGB: do it in the kernel.");
  description.sRGB = 0;

  void* memory = nullptr;
  REQUIRE(convkit_simt_malloc(&memory, 4096) == cudaSuccess);
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {memory, cudaCreateChannelDesc<int>(), 5, 3, 20};
  CHECK(create() ==
        "cudaErrorInvalidValue: cudaCreateTextureObject: res.pitch2D.pitchInBytes is 20; it must "
        "be a multiple of texturePitchAlignment, 32, and hold a row of 20 bytes: cudaMallocPitch() "
        "gives such a pitch.");
  resource.res.pitch2D.pitchInBytes = 32;
  description.filterMode = cudaFilterModeLinear;
  CHECK(create() ==
        "cudaErrorInvalidValue: cudaCreateTextureObject: filterMode is cudaFilterModeLinear, and "
        "the texels are integers: linear filtering needs floats, as cudaReadModeNormalizedFloat "
        "gives them.");
  description.filterMode = cudaFilterModePoint;
  CHECK(create() == "cudaSuccess: ");
  CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
  CHECK(refusal(cudaDestroyTextureObject(texture)).ends_with("that has been destroyed already."));
  resource.resType = cudaResourceTypeLinear;
  int host[4] = {};
  resource.res.linear = {host, cudaCreateChannelDesc<int>(), sizeof host};
  CHECK(create() ==
        "cudaErrorInvalidValue: cudaCreateTextureObject: res.linear.devPtr is host memory; it must "
        "be device memory.");
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

}  // namespace convkit::simt
