// SPDX-License-Identifier: MIT
#include "grade/adjoint/draw.h"

#include <fmt/format.h>

#include "convkit/conv2d_shape.h"
#include "convkit/kit_error.h"
#include "grade/seeds.h"

namespace convkit {
namespace {

constexpr int64_t kMostElements = 1 << 20;  // of a tensor: a case takes moments, not minutes
constexpr unsigned kMostAttempts = 1000;

int64_t drawn(const ParamRange& range, std::mt19937_64& random) {
  const auto count = static_cast<uint64_t>(range.high - range.low) + 1;
  return range.low + static_cast<int64_t>(random() % count);
}

// Adds oh and ow if the parameters describe a window. Returns false if it has no output.
bool add_output_size(Params& params) {
  const auto value = [&](const char* name, int fallback) {
    const auto param = params.find(name);
    return param == params.end() ? fallback : static_cast<int>(param->second.value);
  };
  if (!params.contains("kh") || !params.contains("h")) return true;
  Conv2dShape shape;
  shape.h = value("h", 1), shape.w = value("w", 1);
  shape.kh = value("kh", 1), shape.kw = value("kw", 1);
  shape.pad_h = value("pad_h", 0), shape.pad_w = value("pad_w", 0);
  shape.stride_h = value("stride_h", 1), shape.stride_w = value("stride_w", 1);
  shape.dilation_h = value("dilation_h", 1), shape.dilation_w = value("dilation_w", 1);
  if (shape.stride_h < 1 || shape.stride_w < 1) return false;
  // Not oh() < 1: a division rounds towards zero.
  if (shape.h + 2 * shape.pad_h < int64_t{shape.dilation_h} * (shape.kh - 1) + 1) return false;
  if (shape.w + 2 * shape.pad_w < int64_t{shape.dilation_w} * (shape.kw - 1) + 1) return false;
  params["oh"] = {static_cast<double>(shape.oh()), true};
  params["ow"] = {static_cast<double>(shape.ow()), true};
  return true;
}

// Returns false if a tensor has no elements or too many.
bool take_shapes(const AdjointTable& table, AdjointDraw& draw) {
  for (const AdjointTensor& tensor : table.tensors) {
    TensorShape shape{tensor.name, {}};
    for (const SizeFormula& dim : tensor.dims) shape.dims.push_back(dim.value(draw.params));
    int64_t elements = 1;
    for (const int64_t dim : shape.dims) {
      if (dim < 1 || dim > kMostElements / elements) return false;
      elements *= dim;
    }
    draw.shapes[tensor.name] = std::move(shape);
  }
  return true;
}

}  // namespace

std::string AdjointDraw::params_text() const {
  std::string text;
  for (const auto& [name, param] : params) {
    if (name == "oh" || name == "ow") continue;
    text += fmt::format("{}{}={:g}", text.empty() ? "" : ", ", name, param.value);
  }
  return text;
}

AdjointDraw draw_adjoint(const AdjointTable& table, const std::string& seed, unsigned trial) {
  std::map<std::string, ParamRange> ranges = table.params;
  if (trial < table.shapes.size()) {
    for (const auto& [name, range] : table.shapes[trial]) ranges[name] = range;
  }
  std::mt19937_64 random = random_of(seed, fmt::format("{} {}", table.name, trial));
  for (unsigned attempt = 0; attempt < kMostAttempts; ++attempt) {
    AdjointDraw draw;
    for (const auto& [name, range] : ranges) {
      draw.params[name] = {static_cast<double>(drawn(range, random)), true};
    }
    if (!add_output_size(draw.params) || !take_shapes(table, draw)) continue;
    for (const auto& [name, shape] : draw.shapes) {
      std::vector<float>& values = draw.values[name];
      values.resize(static_cast<size_t>(shape.elements()));
      for (float& value : values) {
        const uint64_t bits = random();
        const float magnitude = 0.5f + static_cast<float>(bits >> 41) * 0x1p-24f;
        value = bits & 1 ? -magnitude : magnitude;
      }
    }
    return draw;
  }
  throw KitError(fmt::format("[[adjoint]] {}: no shape in its ranges has an output.", table.name));
}

}  // namespace convkit
