// SPDX-License-Identifier: MIT
// For check mode: functions that copy memory, in front of those of the runtime and the C library.
//
// Before a copy of the runtime, what the compiler knows of the host's arrays is passed on: how many
// bytes there are from the pointer on.
//
// Then there is g++, which puts the instructions of small memcpy() and memset() calls in
// place after it has instrumented the code: check mode would not see these accesses. So the calls
// stay calls, but for copies of a size that g++ makes an assignment of, which it does instrument.
#pragma once

#include <string.h>

#include "simt/runtime_api.h"

#if defined(CONVKIT_SIMT_CHECK) && defined(__cplusplus)
#if defined(__has_builtin) && __has_builtin(__builtin_dynamic_object_size)
#define CONVKIT_SIMT_ROOM(pointer) __builtin_dynamic_object_size(pointer, 0)
#else
#define CONVKIT_SIMT_ROOM(pointer) __builtin_object_size(pointer, 0)
#endif

// The function of the runtime has another name here.
#define CONVKIT_SIMT_SIZED(name, parameters, ...)                                      \
  cudaError_t convkit_simt_##name parameters __asm__(#name);                           \
  extern inline __attribute__((gnu_inline, always_inline, artificial))                 \
  cudaError_t name parameters {                                                        \
    convkit_simt_note_rooms(to, CONVKIT_SIMT_ROOM(to), from, CONVKIT_SIMT_ROOM(from)); \
    const cudaError_t error = convkit_simt_##name(__VA_ARGS__);                        \
    convkit_simt_note_rooms(nullptr, 0, nullptr, 0);                                   \
    return error;                                                                      \
  }

extern "C" {
void convkit_simt_note_rooms(const void* to, size_t to_room, const void* from, size_t from_room);
CONVKIT_SIMT_SIZED(cudaMemcpy, (void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind),
                   to, from, bytes, kind)
CONVKIT_SIMT_SIZED(cudaMemcpyAsync,
                   (void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind,
                    cudaStream_t stream),
                   to, from, bytes, kind, stream)
CONVKIT_SIMT_SIZED(cudaMemcpy2D,
                   (void* to, size_t to_pitch, const void* from, size_t from_pitch,
                    size_t width_bytes, size_t height, enum cudaMemcpyKind kind),
                   to, to_pitch, from, from_pitch, width_bytes, height, kind)
CONVKIT_SIMT_SIZED(cudaMemcpy2DAsync,
                   (void* to, size_t to_pitch, const void* from, size_t from_pitch,
                    size_t width_bytes, size_t height, enum cudaMemcpyKind kind,
                    cudaStream_t stream),
                   to, to_pitch, from, from_pitch, width_bytes, height, kind, stream)
}

#undef CONVKIT_SIMT_SIZED
#undef CONVKIT_SIMT_ROOM
#endif

// With _FORTIFY_SOURCE the C library has such functions of its own.
#if defined(CONVKIT_SIMT_CHECK) && !defined(__clang__) && \
    (!defined(__USE_FORTIFY_LEVEL) || __USE_FORTIFY_LEVEL == 0)

#define CONVKIT_SIMT_SEEN extern inline __attribute__((gnu_inline, always_inline, artificial)) void*

extern "C" {
void* __tsan_memcpy(void* to, const void* from, size_t bytes);
void* __tsan_memset(void* to, int value, size_t bytes);

CONVKIT_SIMT_SEEN memcpy(void* to, const void* from, size_t bytes) noexcept {
  const bool assigned = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
  if (__builtin_constant_p(bytes) && assigned) return __builtin_memcpy(to, from, bytes);
  return __tsan_memcpy(to, from, bytes);
}
CONVKIT_SIMT_SEEN memset(void* to, int value, size_t bytes) noexcept {
  return __tsan_memset(to, value, bytes);
}
}

#undef CONVKIT_SIMT_SEEN
#endif
