// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Ideas 1 and 2 of conv2d_fast: a padded copy of a strip of the image, laid out so that every tap
// of the kernel lies at a fixed distance from the output it contributes to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cpu_conv.h"

namespace fast_conv {

// A strip is what `output_rows` rows of the output read: some rows of one image, all channels.
//
// The padding is written out as zeros, so that reading it needs no `if`.
//
// With a stride of 2, neighbouring outputs read every other column: no vector load does that. So
// each row is stored as stride_w "phases", the columns 0, 2, 4, ... and then 1, 3, 5, ... :
//
//   row of the padded image, stride 2     a b c d e f g h
//   row of the strip                      a c e g | b d f h
//
// Within a phase, neighbouring outputs read neighbouring elements, whatever the stride. And a tap
// (channel, kernel row, kernel column) is at the same distance from the start of every window:
// padding, stride and dilation have all become offsets into one array.
class PaddedStrip {
 public:
  PaddedStrip(const Conv2dShape& shape, int output_rows)
      : s_(shape),
        rows_((output_rows - 1) * s_.stride_h + (s_.kh - 1) * s_.dilation_h + 1),
        phase_size_(s_.ow() + (s_.kw - 1) * s_.dilation_w / s_.stride_w),
        row_size_(ptrdiff_t(phase_size_) * s_.stride_w),
        channel_size_(spread(row_size_ * rows_)),
        data_(static_cast<size_t>(channel_size_ * s_.c) + kOverread) {}

  // Where the window of output (row, column) starts; `row` counts from the strip's first.
  const float* window(int row, int column) const {
    return data_.data() + row * s_.stride_h * row_size_ + column;
  }

  // The distance of every tap from the start of the window, in the order of the filters in memory.
  std::vector<ptrdiff_t> tap_offsets() const {
    std::vector<ptrdiff_t> offsets;
    for (int c = 0; c < s_.c; ++c) {
      for (int p = 0; p < s_.kh; ++p) {
        for (int q = 0; q < s_.kw; ++q) {
          const int column = q * s_.dilation_w;
          offsets.push_back(c * channel_size_ + p * s_.dilation_h * row_size_ +
                            column % s_.stride_w * phase_size_ + column / s_.stride_w);
        }
      }
    }
    return offsets;
  }

  // Copies what the output rows from `first_output_row` on read of `image` [c][h][w].
  void load(const float* image, int first_output_row) {
    const int top = first_output_row * s_.stride_h - s_.pad_h;
    for (int c = 0; c < s_.c; ++c) {
      for (int r = 0; r < rows_; ++r) {
        float* to = data_.data() + c * channel_size_ + r * row_size_;
        const int row = top + r;
        if (row < 0 || row >= s_.h) {
          std::fill(to, to + row_size_, 0.0f);
        } else {
          load_row(image + (ptrdiff_t(c) * s_.h + row) * s_.w, to);
        }
      }
    }
  }

 private:
  // The last vector of a narrow output may read, and ignore, elements beyond the last channel.
  static constexpr size_t kOverread = 64;

  // If channels are an even number of cache lines apart, they share few sets of the cache; a power
  // of two is the worst case. An odd number spreads them over all sets.
  static ptrdiff_t spread(ptrdiff_t size) {
    constexpr ptrdiff_t kLine = 16;  // floats
    return ((size + kLine - 1) / kLine | 1) * kLine;
  }

  void load_row(const float* from, float* to) const {
    for (int phase = 0; phase < s_.stride_w; ++phase, to += phase_size_) {
      // Element t of the phase is column t * stride_w + shift of the image.
      const int stride = s_.stride_w;
      const int shift = phase - s_.pad_w;
      const int begin = std::min(std::max((-shift + stride - 1) / stride, 0), phase_size_);
      const int end = std::clamp((s_.w - shift + stride - 1) / stride, begin, phase_size_);
      std::fill(to, to + begin, 0.0f);
      if (stride == 1) {
        std::copy(from + begin + shift, from + end + shift, to + begin);
      } else {
        for (int t = begin; t < end; ++t) to[t] = from[t * stride + shift];
      }
      std::fill(to + end, to + phase_size_, 0.0f);
    }
  }

  Conv2dShape s_;
  int rows_, phase_size_;
  ptrdiff_t row_size_, channel_size_;
  std::vector<float> data_;
};

}  // namespace fast_conv
