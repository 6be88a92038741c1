// SPDX-License-Identifier: MIT
// The types that textures and channel descriptors know: numbers of at most 32 bits, and CUDA's
// vectors of one, two and four of them.
#pragma once

#include "simt/vector_types.h"

namespace convkit::simt {

// `kChannels` is 0 for any other type.
template <class T>
struct Texel {
  using Channel = unsigned char;
  static constexpr int kChannels = 0, kChannelBytes = 0, kKind = 3;  // ...KindNone
};

template <class Number, int channels, int kind>
struct TexelOf {
  using Channel = Number;
  static constexpr int kChannels = channels, kChannelBytes = sizeof(Number), kKind = kind;
};

// Kind: 0 signed, 1 unsigned, 2 floating-point, as in cudaChannelFormatKind.
#define CONVKIT_SIMT_TEXEL(name, number, kind)         \
  template <>                                          \
  struct Texel<number> : TexelOf<number, 1, kind> {};  \
  template <>                                          \
  struct Texel<name##1> : TexelOf<number, 1, kind> {}; \
  template <>                                          \
  struct Texel<name##2> : TexelOf<number, 2, kind> {}; \
  template <>                                          \
  struct Texel<name##4> : TexelOf<number, 4, kind> {};

CONVKIT_SIMT_TEXEL(char, signed char, 0)
CONVKIT_SIMT_TEXEL(uchar, unsigned char, 1)
CONVKIT_SIMT_TEXEL(short, short, 0)
CONVKIT_SIMT_TEXEL(ushort, unsigned short, 1)
CONVKIT_SIMT_TEXEL(int, int, 0)
CONVKIT_SIMT_TEXEL(uint, unsigned int, 1)
CONVKIT_SIMT_TEXEL(float, float, 2)
#undef CONVKIT_SIMT_TEXEL

template <>
struct Texel<char> : TexelOf<char, 1, static_cast<char>(-1) < 0 ? 0 : 1> {};

}  // namespace convkit::simt
