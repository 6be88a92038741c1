// SPDX-License-Identifier: MIT
#include "tile_model.h"

#include <bit>
#include <cmath>
#include <string_view>

#include "convkit/sentinel.h"

namespace convkit::stage_03 {
namespace {

// Products computed for one tile at most; larger cases are not modelled.
constexpr double kMostWork = 2e7;

int64_t size_of(const Evidence& evidence, const char* name) {
  const auto found = evidence.params.find(name);
  return found == evidence.params.end() ? 0 : int64_t(found->second);
}

std::span<const float> input(const Evidence& evidence, std::string_view name) {
  for (const CaseTensor& tensor : evidence.inputs) {
    if (tensor.name == name) return tensor.f32;
  }
  return {};
}

Pair pair_of(const Evidence& evidence, const char* h, const char* w) {
  return {size_of(evidence, h), size_of(evidence, w)};
}

}  // namespace

TileModel::TileModel(const Evidence& evidence)
    : n(size_of(evidence, "n")),
      c(size_of(evidence, "c")),
      m(size_of(evidence, "m")),
      image(pair_of(evidence, "h", "w")),
      kernel(pair_of(evidence, "kh", "kw")),
      output{0, 0},
      pad(pair_of(evidence, "pad_h", "pad_w")),
      stride(pair_of(evidence, "stride_h", "stride_w")),
      dilation(pair_of(evidence, "dilation_h", "dilation_w")),
      evidence_(evidence),
      x_(input(evidence, "x")),
      w_(input(evidence, "w")),
      b_(input(evidence, "b")),
      closeness_(evidence) {
  if (evidence.reference.dims.size() == 4) {
    output = {evidence.reference.dims[2], evidence.reference.dims[3]};
  }
  const int64_t elements = n * m * output.h * output.w;
  usable_ = elements > 0 && elements == int64_t(evidence.reference.f64.size()) &&
            evidence.magnitude.size() == evidence.reference.f64.size() &&
            int64_t(x_.size()) == n * c * image.h * image.w &&
            int64_t(w_.size()) == m * c * kernel.h * kernel.w && int64_t(b_.size()) == m &&
            stride.h > 0 && stride.w > 0 &&
            double(elements) * double(c) * double(kernel.h * kernel.w) <= kMostWork;
}

double TileModel::x(int64_t image_index, int64_t channel, int64_t row, int64_t column) const {
  if (row < 0 || row >= image.h || column < 0 || column >= image.w) return 0;
  return x_[size_t(((image_index * c + channel) * image.h + row) * image.w + column)];
}

bool TileModel::unwritten(const Place& at) const {
  return std::bit_cast<uint32_t>(evidence_.got.f32[index(at)]) == kSentinelBits;
}

bool TileModel::wrong(const Place& at) const {
  const double allowed = evidence_.tolerance.allowed(evidence_.magnitude[index(at)]);
  return !(std::fabs(got(at) - reference(at)) <= allowed);
}

Place TileModel::place(int64_t index) const {
  const int64_t row = index / output.w, map = row / output.h;
  return {map / m, map % m, row % output.h, index % output.w};
}

bool TileModel::fits(const Place& at, double predicted) const {
  const auto is = [predicted](double special) {
    return std::bit_cast<uint64_t>(predicted) == std::bit_cast<uint64_t>(special);
  };
  if (is(predicted_anything())) return true;
  if (is(predicted_unwritten()) || unwritten(at)) return is(predicted_unwritten()) && unwritten(at);
  if (std::isnan(predicted)) return std::isnan(got(at));
  return closeness_.close(got(at), predicted);
}

// Powers of two, and what a block of such a size leaves where its edge only loads the halo.
std::vector<int64_t> TileModel::sizes(int64_t kernel) {
  std::vector<int64_t> sizes = {4, 8, 16, 32};
  for (const int64_t block : {8, 16, 32}) {
    if (kernel > 1 && block >= kernel) sizes.push_back(block - (kernel - 1));
  }
  return sizes;
}

}  // namespace convkit::stage_03
