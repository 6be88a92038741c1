// SPDX-License-Identifier: MIT
#include "unroll_model.h"

namespace convkit::stage_04 {
namespace {

Pair pair_of(const Evidence& evidence, const char* h, const char* w) {
  return {parameter(evidence, h), parameter(evidence, w)};
}

int64_t outputs(int64_t size, int64_t pad, int64_t reach, int64_t stride) {
  return stride > 0 && reach <= size + 2 * pad ? (size + 2 * pad - reach) / stride + 1 : 0;
}

}  // namespace

UnrollModel::UnrollModel(const Evidence& evidence)
    : n(parameter(evidence, "n")),
      c(parameter(evidence, "c")),
      image(pair_of(evidence, "h", "w")),
      kernel(pair_of(evidence, "kh", "kw")),
      output{0, 0},
      pad(pair_of(evidence, "pad_h", "pad_w")),
      stride(pair_of(evidence, "stride_h", "stride_w")),
      dilation(pair_of(evidence, "dilation_h", "dilation_w")) {
  output = {outputs(image.h, pad.h, dilation.h * (kernel.h - 1) + 1, stride.h),
            outputs(image.w, pad.w, dilation.w * (kernel.w - 1) + 1, stride.w)};
}

bool UnrollModel::fits(size_t u_size, size_t x_size) const {
  const int64_t elements = n * c * kernel.h * kernel.w * output.h * output.w;
  return elements > 0 && double(elements) <= kMostWork && int64_t(u_size) == elements &&
         int64_t(x_size) == n * c * image.h * image.w;
}

int64_t UnrollModel::u_index(int64_t at_n, int64_t ch, Pair tap, Pair place) const {
  const int64_t taps = kernel.h * kernel.w, places = output.h * output.w;
  int64_t row = (ch * kernel.h + tap.h) * kernel.w + tap.w;
  if (rows == Rows::channel_last) row = (tap.h * kernel.w + tap.w) * c + ch;
  if (rows == Rows::kernel_turned) row = (ch * kernel.w + tap.w) * kernel.h + tap.h;
  const int64_t column =
      columns == Columns::by_rows ? place.h * output.w + place.w : place.w * output.h + place.h;
  return at_n * c * taps * places + (turned ? column * c * taps + row : row * places + column);
}

int64_t UnrollModel::x_index(int64_t at_n, int64_t ch, Pair tap, Pair place) const {
  if (flipped) tap = {kernel.h - 1 - tap.h, kernel.w - 1 - tap.w};
  const int64_t row = place.h * stride.h + tap.h * dilation.h - pad.h;
  const int64_t column = place.w * stride.w + tap.w * dilation.w - pad.w;
  if (row < 0 || row >= image.h || column < 0 || column >= image.w) return -1;
  if (image_missing) at_n = 0;
  if (channel_missing) ch = 0;
  return ((at_n * c + ch) * image.h + row) * image.w + column;
}

template <class Visit>
void UnrollModel::each(Visit visit) const {
  for (int64_t at_n = 0; at_n < n; ++at_n) {
    for (int64_t ch = 0; ch < c; ++ch) {
      for (int64_t p = 0; p < kernel.h; ++p) {
        for (int64_t q = 0; q < kernel.w; ++q) {
          for (int64_t i = 0; i < output.h; ++i) {
            for (int64_t j = 0; j < output.w; ++j) {
              visit(u_index(at_n, ch, {p, q}, {i, j}), x_index(at_n, ch, {p, q}, {i, j}));
            }
          }
        }
      }
    }
  }
}

Prediction UnrollModel::unroll(const Evidence& evidence) const {
  const auto x = input(evidence, "x");
  if (!fits(evidence.reference.f64.size(), x.size())) return std::nullopt;
  std::vector<double> u(evidence.reference.f64.size());
  each([&](int64_t to, int64_t from) { u[size_t(to)] = from < 0 ? 0 : x[size_t(from)]; });
  return u;
}

Prediction UnrollModel::roll(const Evidence& evidence) const {
  const auto u = input(evidence, "u");
  if (!fits(u.size(), evidence.reference.f64.size())) return std::nullopt;
  std::vector<double> x(evidence.reference.f64.size());
  if (rounded_down == RoundedDown::nothing) {
    each([&](int64_t from, int64_t to) {
      if (to >= 0) x[size_t(to)] += u[size_t(from)];
    });
    return x;
  }
  const bool finds_taps = rounded_down != RoundedDown::windows;
  const Pair given = finds_taps ? output : kernel, step = finds_taps ? stride : dilation;
  const Pair found = finds_taps ? kernel : output, unit = finds_taps ? dilation : stride;
  for (size_t k = 0; k < x.size(); ++k) {
    const int64_t plane = int64_t(k) / (image.h * image.w);
    const int64_t row = int64_t(k) / image.w % image.h, column = int64_t(k) % image.w;
    for (Pair one = {0, 0}; one.h < given.h; ++one.h) {
      for (one.w = 0; one.w < given.w; ++one.w) {
        const int64_t down = row + pad.h - one.h * step.h;
        const int64_t across = column + pad.w - one.w * step.w;
        if (down < 0 || across < 0) continue;
        const Pair other = {down / unit.h, across / unit.w};
        if (other.h >= found.h || other.w >= found.w) continue;
        const bool is_outside =
            down > (kernel.h - 1) * dilation.h || across > (kernel.w - 1) * dilation.w;
        if (rounded_down == RoundedDown::taps_of_windows && is_outside) continue;
        x[k] += u[size_t(
            u_index(plane / c, plane % c, finds_taps ? other : one, finds_taps ? one : other))];
      }
    }
  }
  return x;
}

}  // namespace convkit::stage_04
