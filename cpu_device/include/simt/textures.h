// SPDX-License-Identifier: MIT
// What kernels call to read textures, and to read and write surfaces. Textures are sampled in the
// engine (engine/texture_fetch.h); a surface function asks the engine where the element lies and
// accesses it in place, so that check mode and the profiler see an ordinary access.
#pragma once

#include "simt/qualifiers.h"
#include "simt/texel.h"
#include "simt/texture_types.h"

namespace convkit::simt {

enum class TextureFunction {
  tex1Dfetch,
  tex1D,
  tex2D,
  tex3D,
  tex1DLayered,
  tex2DLayered,
  tex2Dgather,
};
enum class SurfaceFunction { surf1D, surf2D, surf3D, surf1DLayered, surf2DLayered };

}  // namespace convkit::simt

#pragma GCC visibility push(default)
extern "C" {
// Four channels of 32 bits: floats where the texture gives floats, else integers. `index` is the
// layer, the element of tex1Dfetch() or the channel of tex2Dgather(). `type` is the kind of number
// that the program asks for and, times 4, how many.
void convkit_simt_fetch(convkit::simt::TextureFunction function, cudaTextureObject_t texture,
                        const float* position, int index, int type, unsigned int* channels);
// Where the element of `bytes` lies; null: nowhere, with cudaBoundaryModeZero. `z` is the layer of
// layered surfaces.
void* convkit_simt_surface_element(convkit::simt::SurfaceFunction function,
                                   cudaSurfaceObject_t surface, int x, int y, int z,
                                   unsigned int bytes, cudaSurfaceBoundaryMode mode);
}
#pragma GCC visibility pop

namespace convkit::simt {

template <class T>
static __forceinline__ T fetch(TextureFunction function, cudaTextureObject_t texture, float x,
                               float y = 0, float z = 0, int index = 0) {
  static_assert(Texel<T>::kChannels != 0,
                "textures give numbers of at most 32 bits, and vectors of 1, 2 and 4 of them");
  using Channel = typename Texel<T>::Channel;
  const float position[3] = {x, y, z};
  unsigned int channels[4];
  convkit_simt_fetch(function, texture, position, index, Texel<T>::kKind | Texel<T>::kChannels << 2,
                     channels);
  union {
    T value;
    Channel channel[sizeof(T) / sizeof(Channel)];
  } result;
  for (int i = 0; i < Texel<T>::kChannels; ++i) {
    if constexpr (Texel<T>::kKind == 2) {
      __builtin_memcpy(&result.channel[i], &channels[i], sizeof(float));
    } else {
      result.channel[i] = static_cast<Channel>(channels[i]);
    }
  }
  return result.value;
}

template <class T>
inline constexpr bool is_surface_type = Texel<T>::kChannels != 0 ||
                                        (__is_same(T, long long) ||
                                         __is_same(T, unsigned long long) ||
                                         __is_same(T, longlong1) || __is_same(T, ulonglong1) ||
                                         __is_same(T, longlong2) || __is_same(T, ulonglong2));

template <class T>
static __forceinline__ T* element(SurfaceFunction function, cudaSurfaceObject_t surface, int x,
                                  int y, int z, cudaSurfaceBoundaryMode mode) {
  static_assert(is_surface_type<T>,
                "surfaces hold numbers of 1, 2, 4 and 8 bytes, and vectors of them");
  return static_cast<T*>(convkit_simt_surface_element(function, surface, x, y, z, sizeof(T), mode));
}

}  // namespace convkit::simt

// Each function gives the texel or stores it through a pointer.
#define CONVKIT_SIMT_FETCH(name, parameters, ...)                                                  \
  template <class T>                                                                               \
  static __forceinline__ T name(cudaTextureObject_t texture, CONVKIT_SIMT_LIST parameters) {       \
    return convkit::simt::fetch<T>(convkit::simt::TextureFunction::name, texture, __VA_ARGS__);    \
  }                                                                                                \
  template <class T>                                                                               \
  static __forceinline__ void name(T* result, cudaTextureObject_t texture,                         \
                                   CONVKIT_SIMT_LIST parameters) {                                 \
    *result = convkit::simt::fetch<T>(convkit::simt::TextureFunction::name, texture, __VA_ARGS__); \
  }
#define CONVKIT_SIMT_LIST(...) __VA_ARGS__

CONVKIT_SIMT_FETCH(tex1Dfetch, (int x), 0, 0, 0, x)
CONVKIT_SIMT_FETCH(tex1D, (float x), x)
CONVKIT_SIMT_FETCH(tex2D, (float x, float y), x, y)
CONVKIT_SIMT_FETCH(tex3D, (float x, float y, float z), x, y, z)
CONVKIT_SIMT_FETCH(tex1DLayered, (float x, int layer), x, 0, 0, layer)
CONVKIT_SIMT_FETCH(tex2DLayered, (float x, float y, int layer), x, y, 0, layer)
CONVKIT_SIMT_FETCH(tex2Dgather, (float x, float y, int channel = 0), x, y, 0, channel)
#undef CONVKIT_SIMT_FETCH

// x is in bytes, y and z in rows and slices.
#define CONVKIT_SIMT_SURFACE(name, parameters, x, y, z)                                          \
  template <class T>                                                                             \
  static __forceinline__ T name##read(cudaSurfaceObject_t surface, CONVKIT_SIMT_LIST parameters, \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
    const T* element =                                                                           \
        convkit::simt::element<T>(convkit::simt::SurfaceFunction::name, surface, x, y, z, mode); \
    return element ? *element : T{};                                                             \
  }                                                                                              \
  template <class T>                                                                             \
  static __forceinline__ void name##read(T* result, cudaSurfaceObject_t surface,                 \
                                         CONVKIT_SIMT_LIST parameters,                           \
                                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
    const T* element =                                                                           \
        convkit::simt::element<T>(convkit::simt::SurfaceFunction::name, surface, x, y, z, mode); \
    *result = element ? *element : T{};                                                          \
  }                                                                                              \
  template <class T>                                                                             \
  static __forceinline__ void name##write(T value, cudaSurfaceObject_t surface,                  \
                                          CONVKIT_SIMT_LIST parameters,                          \
                                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    T* element =                                                                                 \
        convkit::simt::element<T>(convkit::simt::SurfaceFunction::name, surface, x, y, z, mode); \
    if (element) *element = value;                                                               \
  }

CONVKIT_SIMT_SURFACE(surf1D, (int x), x, 0, 0)
CONVKIT_SIMT_SURFACE(surf2D, (int x, int y), x, y, 0)
CONVKIT_SIMT_SURFACE(surf3D, (int x, int y, int z), x, y, z)
CONVKIT_SIMT_SURFACE(surf1DLayered, (int x, int layer), x, 0, layer)
CONVKIT_SIMT_SURFACE(surf2DLayered, (int x, int y, int layer), x, y, layer)
#undef CONVKIT_SIMT_SURFACE
#undef CONVKIT_SIMT_LIST
