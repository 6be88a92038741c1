// SPDX-License-Identifier: MIT
#include "cpu_device/engine/texture_fetch.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "simt/half_bits.h"

namespace convkit::simt {
namespace {

template <class Number>
Number number_at(const unsigned char* at) {
  Number number;
  std::memcpy(&number, at, sizeof number);
  return number;
}

// One channel, as the texture gives it.
uint32_t integer_channel(const unsigned char* at, int bytes, bool is_signed) {
  if (bytes == 1) return is_signed ? static_cast<uint32_t>(number_at<int8_t>(at)) : *at;
  if (bytes == 4) return number_at<uint32_t>(at);
  return is_signed ? static_cast<uint32_t>(number_at<int16_t>(at)) : number_at<uint16_t>(at);
}

float float_channel(const unsigned char* at, int bytes, cudaChannelFormatKind kind) {
  if (kind == cudaChannelFormatKindFloat) {
    return bytes == 4 ? number_at<float>(at) : float_from_half_bits(number_at<uint16_t>(at));
  }
  // Promoted: the largest number is 1; of signed ones the two smallest are -1.
  const bool is_signed = kind == cudaChannelFormatKindSigned;
  const uint32_t bits = integer_channel(at, bytes, is_signed);
  if (!is_signed) return static_cast<float>(bits) / (bytes == 1 ? 255.0f : 65535.0f);
  const float value = static_cast<float>(static_cast<int32_t>(bits));
  return std::max(value / (bytes == 1 ? 127.0f : 32767.0f), -1.0f);
}

int64_t modulo(int64_t i, int64_t size) {
  const int64_t rest = i % size;
  return rest < 0 ? rest + size : rest;
}

// A coordinate that an int64_t holds; not-a-number is 0.
float bounded(float x) {
  constexpr float kMost = 0x1p40f;
  return x >= -kMost ? std::min(x, kMost) : x < 0 ? -kMost : 0.0f;
}

}  // namespace

Channels Sampler::texel(int64_t x, int64_t y, int64_t z) const {
  Channels channels{};
  if (x < 0 || y < 0 || z < 0) {  // the border; its numbers are floats, or bits of integers
    const auto count = static_cast<size_t>(image_.channels);
    std::memcpy(&channels, texture_.texture.borderColor, count * sizeof(float));
    return channels;
  }
  const unsigned char* at = image_.begin + static_cast<size_t>(z) * image_.slice_bytes +
                            static_cast<size_t>(y) * image_.pitch +
                            static_cast<size_t>(x * image_.texel_bytes);
  if (read_) read_(at, static_cast<size_t>(image_.texel_bytes), pc_);
  for (size_t i = 0; i < static_cast<size_t>(image_.channels); ++i, at += image_.channel_bytes) {
    if (texture_.gives_floats) {
      channels.floats[i] = float_channel(at, image_.channel_bytes, image_.kind);
    } else {
      channels.bits[i] =
          integer_channel(at, image_.channel_bytes, image_.kind == cudaChannelFormatKindSigned);
    }
  }
  return channels;
}

// The coordinate has been brought to the first copy of the texture where the texture repeats, so
// that only a neighbour may be beyond it.
int64_t Sampler::address(int64_t i, int dimension, int64_t size) const {
  if (i >= 0 && i < size) return i;
  switch (texture_.address[dimension]) {
    case cudaAddressModeWrap:
      return modulo(i, size);
    case cudaAddressModeBorder:
      return -1;
    default:  // a mirrored neighbour is the last texel itself
      return std::clamp<int64_t>(i, 0, size - 1);
  }
}

Sampler::Taps Sampler::taps(float x, int dimension, int64_t size) const {
  x = bounded(x);
  if (texture_.texture.normalizedCoords != 0) {
    const auto mode = texture_.address[dimension];
    const float whole = std::floor(x);
    if (mode == cudaAddressModeWrap) x -= whole;
    if (mode == cudaAddressModeMirror) {
      x = modulo(static_cast<int64_t>(whole), 2) == 0 ? x - whole : 1 - (x - whole);
    }
    x = bounded(x * static_cast<float>(size));
  }
  if (texture_.texture.filterMode == cudaFilterModePoint) {
    // Rounding may have brought a repeated coordinate to `size`, of which the last texel is left.
    int64_t i = static_cast<int64_t>(std::floor(x));
    if (i == size && texture_.address[dimension] == cudaAddressModeWrap) i = size - 1;
    i = address(i, dimension, size);
    return {i, i, 0};
  }
  const float scaled = std::floor((x - 0.5f) * 256 + 0.5f);
  const auto steps = static_cast<int64_t>(scaled);
  const int64_t i = steps >> 8;
  return {address(i, dimension, size), address(i + 1, dimension, size),
          static_cast<float>(steps & 255) / 256};
}

Channels Sampler::element(int64_t index) const {
  return index >= 0 && index < image_.width ? texel(index, 0, 0) : Channels{};
}

Channels Sampler::sample(const float* position, int dimensions, int64_t layer) const {
  const int64_t sizes[3] = {image_.width, image_.height, image_.depth};
  Taps at[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < dimensions; ++i) at[i] = taps(position[i], i, sizes[i]);
  if (dimensions < 3) {
    const int64_t z = std::clamp<int64_t>(layer, 0, image_.depth - 1);
    at[2] = {z, z, 0};
  }
  const bool is_point = texture_.texture.filterMode == cudaFilterModePoint;
  if (is_point) return texel(at[0].first, at[1].first, at[2].first);
  Channels sum{};
  // Texels of weight 0 are not read: they may hold an infinity.
  const auto axes = static_cast<unsigned>(dimensions);
  for (unsigned corner = 0; corner < 1u << axes; ++corner) {
    float weight = 1;
    int64_t place[3] = {at[0].first, at[1].first, at[2].first};
    for (unsigned i = 0; i < axes; ++i) {
      const bool second = (corner >> i & 1) != 0;
      weight *= second ? at[i].weight : 1 - at[i].weight;
      place[i] = second ? at[i].second : at[i].first;
    }
    if (weight == 0) continue;
    const Channels one = texel(place[0], place[1], place[2]);
    for (size_t i = 0; i < 4; ++i) sum.floats[i] += weight * one.floats[i];
  }
  return sum;
}

Channels Sampler::gather(const float* position, int channel) const {
  // Point filtering gathers the same four texels.
  TextureObject linear = texture_;
  linear.texture.filterMode = cudaFilterModeLinear;
  const Sampler sampler(linear, read_, pc_);
  Channels result{};
  const Taps x = sampler.taps(position[0], 0, image_.width);
  const Taps y = sampler.taps(position[1], 1, image_.height);
  const int64_t places[4][2] = {
      {x.first, y.second}, {x.second, y.second}, {x.second, y.first}, {x.first, y.first}};
  for (size_t i = 0; i < 4; ++i) {
    const Channels one = texel(places[i][0], places[i][1], 0);
    result.bits[i] = one.bits[static_cast<size_t>(channel & 3)];
  }
  return result;
}

}  // namespace convkit::simt
