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

float stored_float(const unsigned char* at, int bytes) {
  return bytes == 4 ? number_at<float>(at) : float_from_half_bits(number_at<uint16_t>(at));
}

bool has_fractions(const Image& image) {
  return image.kind != cudaChannelFormatKindFloat;
}

// The stored number that a texture promotes to 1.
int largest(const Image& image) {
  const int bits = 8 * image.channel_bytes - (image.kind == cudaChannelFormatKindSigned ? 1 : 0);
  return (1 << bits) - 1;
}

int stored_integer(const Image& image, const unsigned char* at) {
  const bool is_signed = image.kind == cudaChannelFormatKindSigned;
  return static_cast<int>(integer_channel(at, image.channel_bytes, is_signed));
}

float float_channel(const Image& image, const unsigned char* at) {
  if (!has_fractions(image)) return stored_float(at, image.channel_bytes);
  // Of signed ones the two smallest are -1.
  const auto value = static_cast<float>(stored_integer(image, at));
  return std::max(value / static_cast<float>(largest(image)), -1.0f);
}

// A fraction between two stored numbers, of which `sum` has 256 times; the texture unit computes it
// with 16 bits.
float filtered_fraction(const Image& image, int64_t sum) {
  const bool is_signed = image.kind == cudaChannelFormatKindSigned;
  int64_t wide = (sum + 128) >> 8;
  if (image.channel_bytes == 1) {
    // Times 65535 / 255, or nearly times 32767 / 127.
    wide = is_signed ? (sum * 8 + (sum >> 4) + (sum >> 12) + 4) >> 3 : (sum * 257 + 128) >> 8;
  }
  const double most = is_signed ? 32767 : 65535;
  return static_cast<float>(std::max(static_cast<double>(wide) / most, -1.0));
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

const unsigned char* Sampler::place(int64_t x, int64_t y, int64_t z) const {
  if (x < 0 || y < 0 || z < 0) return nullptr;
  const unsigned char* at = image_.begin + static_cast<size_t>(z) * image_.slice_bytes +
                            static_cast<size_t>(y) * image_.pitch +
                            static_cast<size_t>(x * image_.texel_bytes);
  if (read_) read_(at, static_cast<size_t>(image_.texel_bytes), pc_);
  return at;
}

Channels Sampler::texel(int64_t x, int64_t y, int64_t z) const {
  Channels channels{};
  const auto count = static_cast<size_t>(image_.channels);
  const unsigned char* at = place(x, y, z);
  if (!at) {  // the border's numbers are floats, or bits of integers
    std::memcpy(&channels, texture_.texture.borderColor, count * sizeof(float));
    return channels;
  }
  for (size_t i = 0; i < count; ++i, at += image_.channel_bytes) {
    if (texture_.gives_floats) {
      channels.floats[i] = float_channel(image_, at);
    } else {
      channels.bits[i] = static_cast<uint32_t>(stored_integer(image_, at));
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
          static_cast<int>(steps & 255)};
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
  if (texture_.texture.filterMode == cudaFilterModePoint) {
    return texel(at[0].first, at[1].first, at[2].first);
  }
  // A line is read at y = 0, between its row and what is before it: that matters where it is the
  // border; elsewhere it is the row again, which must not count as read twice.
  if (dimensions == 1 && image_.shape != ImageShape::layered_lines &&
      texture_.address[1] == cudaAddressModeBorder) {
    at[1] = taps(0, 1, 1);
  }
  return filtered(at[0], at[1], at[2]);
}

// The weights of the eight texels, in 1/256: z's are parted by x, and these by y.
Channels Sampler::filtered(const Taps& x, const Taps& y, const Taps& z) const {
  Sums sums{};
  const auto part = [](int weight, int of, int rounding) { return (weight * of + rounding) >> 8; };
  for (const bool behind : {false, true}) {
    const int64_t k = behind ? z.second : z.first;
    const int slice = behind ? z.weight : 256 - z.weight;
    const int right = part(slice, x.weight, 128), right_below = part(right, y.weight, 128);
    const int left = slice - right, left_below = part(left, y.weight, 127);
    add(sums, left - left_below, x.first, y.first, k);
    add(sums, right - right_below, x.second, y.first, k);
    add(sums, left_below, x.first, y.second, k);
    add(sums, right_below, x.second, y.second, k);
  }
  Channels result{};
  for (size_t i = 0; i < static_cast<size_t>(image_.channels); ++i) {
    result.floats[i] = has_fractions(image_) ? filtered_fraction(image_, std::lround(sums[i]))
                                             : static_cast<float>(sums[i] / 256);
  }
  return result;
}

void Sampler::add(Sums& sums, int weight, int64_t x, int64_t y, int64_t z) const {
  if (weight == 0) return;  // the texel may hold an infinity
  const unsigned char* at = place(x, y, z);
  for (size_t i = 0; i < static_cast<size_t>(image_.channels); ++i) {
    double number = texture_.texture.borderColor[i];
    if (at) {
      number = has_fractions(image_) ? stored_integer(image_, at)
                                     : stored_float(at, image_.channel_bytes);
    } else if (has_fractions(image_)) {
      number = std::round(number * largest(image_));
    }
    sums[i] += weight * number;
    if (at) at += image_.channel_bytes;
  }
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
