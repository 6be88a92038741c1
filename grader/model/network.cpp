// SPDX-License-Identifier: MIT
#include "model/network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "convkit/npz.h"

namespace convkit {
namespace {

constexpr double kEpsilon = 1e-5;

size_t index(const Shape3& shape, int c, int h, int w) {
  return (static_cast<size_t>(c) * static_cast<size_t>(shape.h) + static_cast<size_t>(h)) *
             static_cast<size_t>(shape.w) +
         static_cast<size_t>(w);
}

// One map of the output: each weight is added, times the part of the input that it meets.
void add_tap(const LayerSpec& layer, std::span<const double> x, int c, int p, int q, double weight,
             std::span<double> y, int m) {
  const int left = std::max(0, layer.pad - q);
  const int right = std::min(layer.out.w, layer.in.w + layer.pad - q);
  for (int i = 0; i < layer.out.h; ++i) {
    const int row = i - layer.pad + p;
    if (row < 0 || row >= layer.in.h || left >= right) continue;
    const double* from = x.data() + index(layer.in, c, row, left - layer.pad + q);
    double* to = y.data() + index(layer.out, m, i, left);
    for (int j = 0; j < right - left; ++j) to[j] += weight * from[j];
  }
}

}  // namespace

std::vector<double> convolve(const LayerSpec& layer, std::span<const double> x,
                             std::span<const float> w, std::span<const float> b) {
  std::vector<double> y(static_cast<size_t>(layer.out.size()));
  const size_t map = y.size() / static_cast<size_t>(layer.out.c);
  const float* weight = w.data();
  for (int m = 0; m < layer.out.c; ++m) {
    std::fill_n(y.begin() + static_cast<std::ptrdiff_t>(map) * m, map, b[static_cast<size_t>(m)]);
    for (int c = 0; c < layer.in.c; ++c) {
      for (int p = 0; p < layer.kh; ++p) {
        for (int q = 0; q < layer.kw; ++q) add_tap(layer, x, c, p, q, *weight++, y, m);
      }
    }
  }
  return y;
}

std::vector<double> multiply(std::span<const double> x, std::span<const float> w,
                             std::span<const float> b) {
  std::vector<double> y(b.begin(), b.end());
  for (size_t o = 0; o < y.size(); ++o) {
    for (size_t i = 0; i < x.size(); ++i) y[o] += double{w[o * x.size() + i]} * x[i];
  }
  return y;
}

std::vector<double> pool(const LayerSpec& layer, std::span<const double> x) {
  const bool largest = layer.kind == "maxpool";
  std::vector<double> y(static_cast<size_t>(layer.out.size()));
  for (int c = 0; c < layer.out.c; ++c) {
    for (int i = 0; i < layer.out.h; ++i) {
      for (int j = 0; j < layer.out.w; ++j) {
        double best = x[index(layer.in, c, i * layer.kh, j * layer.kw)], sum = 0;
        for (int p = 0; p < layer.kh; ++p) {
          for (int q = 0; q < layer.kw; ++q) {
            const double value = x[index(layer.in, c, i * layer.kh + p, j * layer.kw + q)];
            best = std::max(best, value);
            sum += value;
          }
        }
        y[index(layer.out, c, i, j)] = largest ? best : sum / (1.0 * layer.kh * layer.kw);
      }
    }
  }
  return y;
}

void normalise(const LayerSpec& layer, std::span<double> x, std::span<const float> scale,
               std::span<const float> shift, std::span<const float> mean,
               std::span<const float> variance) {
  const size_t map = x.size() / static_cast<size_t>(layer.in.c);
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t c = i / map;
    x[i] = scale[c] * (x[i] - mean[c]) / std::sqrt(variance[c] + kEpsilon) + shift[c];
  }
}

void softmax(std::span<double> x) {
  const double largest = *std::ranges::max_element(x);
  double sum = 0;
  for (double& value : x) sum += value = std::exp(value - largest);
  for (double& value : x) value /= sum;
}

namespace {

constexpr uint64_t kMostText = 64 << 10;  // of an architecture
// A few seconds on one core of a laptop with plain loops.
constexpr double kMostProducts = 4e9;
constexpr double kMean = 0.1307, kDeviation = 0.3081;  // of MNIST's pixels in [0, 1]

struct Wanted {
  std::string name;
  std::vector<int64_t> dims;
};

std::vector<Wanted> parameters_of(const LayerSpec& layer) {
  if (layer.kind == "conv") {
    return {{layer.name + ".weight", {layer.out.c, layer.in.c, layer.kh, layer.kw}},
            {layer.name + ".bias", {layer.out.c}}};
  }
  if (layer.kind == "dense") {
    return {{layer.name + ".weight", {layer.out.c, layer.in.c}},
            {layer.name + ".bias", {layer.out.c}}};
  }
  std::vector<Wanted> wanted;
  if (layer.kind == "batchnorm") {
    for (const char* part : {"scale", "shift", "mean", "variance"}) {
      wanted.push_back({fmt::format("{}.{}", layer.name, part), {layer.in.c}});
    }
  }
  return wanted;
}

Architecture read_architecture(const NpzArchive& archive, const std::string& name) {
  if (!archive.contains("architecture")) {
    throw FormatError(fmt::format(
        "'{}' is not a checkpoint: it has no `architecture`, the text of a network.", name));
  }
  const NpyHeader header = archive.header("architecture");
  if (header.dtype != DType::uint8 || header.dims.size() != 1 || header.data_bytes > kMostText) {
    throw FormatError(fmt::format("'{}': `architecture` must be a text: uint8, at most {} bytes.",
                                  name, kMostText));
  }
  const NpyArray text = archive.read("architecture");
  const auto bytes = text.values<uint8_t>();
  try {
    return parse_architecture(std::string(bytes.begin(), bytes.end()));
  } catch (const std::invalid_argument& error) {
    // It quotes the text, which may hold anything.
    std::string what;
    for (const char c : std::string(error.what())) what += c >= ' ' && c <= '~' ? c : '?';
    throw FormatError(fmt::format("'{}': {}", name, what));
  }
}

void must_be_for_images(const Architecture& architecture, const std::string& name) {
  const Shape3& in = architecture.input;
  if (in.c != 1 || in.h != kImageSide || in.w != kImageSide) {
    throw FormatError(fmt::format("'{}' is a network for inputs of {}, not for images of 1x28x28.",
                                  name, in.text()));
  }
  double products = 0;
  for (const LayerSpec& layer : architecture.layers) {
    products += layer.kind == "conv"    ? 1.0 * layer.out.size() * layer.in.c * layer.kh * layer.kw
                : layer.kind == "dense" ? 1.0 * layer.out.c * layer.in.c
                                        : 1.0 * layer.in.size();
  }
  if (products > kMostProducts) {
    throw FormatError(
        fmt::format("'{}': the network is too large. It takes {:.1g} products for one image; at "
                    "most {:.1g} are accepted here.",
                    name, products, kMostProducts));
  }
}

std::vector<float> read_parameter(const NpzArchive& archive, const std::string& name,
                                  const LayerSpec& layer, const Wanted& wanted) {
  const std::string who = fmt::format("layer {} (`{}`)", layer.name, layer.line);
  if (!archive.contains(wanted.name)) {
    throw FormatError(fmt::format("'{}' holds no `{}`, which {} needs.", name, wanted.name, who));
  }
  const NpyHeader header = archive.header(wanted.name);
  if (header.dtype != DType::float32 || header.dims != wanted.dims) {
    throw FormatError(fmt::format("'{}': `{}` is {} [{}], but {} needs float32 [{}].", name,
                                  wanted.name, name_of(header.dtype), fmt::join(header.dims, ", "),
                                  who, fmt::join(wanted.dims, ", ")));
  }
  const NpyArray array = archive.read(wanted.name);
  const auto values = array.values<float>();
  const auto bad = std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
  if (bad != values.end()) {
    throw FormatError(fmt::format("'{}': element {} of `{}`, in {}, is NaN or infinite.", name,
                                  bad - values.begin(), wanted.name, who));
  }
  return {values.begin(), values.end()};
}

}  // namespace

Network load_network(const std::filesystem::path& file) {
  const NpzArchive archive(file);
  Network network;
  network.architecture = read_architecture(archive, file.string());
  must_be_for_images(network.architecture, file.string());
  for (const LayerSpec& layer : network.architecture.layers) {
    for (const Wanted& wanted : parameters_of(layer)) {
      network.parameters[wanted.name] = read_parameter(archive, file.string(), layer, wanted);
    }
  }
  return network;
}

std::vector<double> predict(const Network& network, std::span<const uint8_t> image) {
  if (image.size() != size_t{kImageSide} * kImageSide) {
    throw std::invalid_argument("An image has 28x28 pixels.");
  }
  std::vector<double> values(image.size());
  std::ranges::transform(image, values.begin(),
                         [](uint8_t pixel) { return (pixel / 255.0 - kMean) / kDeviation; });
  for (const LayerSpec& layer : network.architecture.layers) {
    const auto parameter = [&](const char* part) {
      return std::span<const float>(network.parameters.at(fmt::format("{}.{}", layer.name, part)));
    };
    if (layer.kind == "conv") {
      values = convolve(layer, values, parameter("weight"), parameter("bias"));
    } else if (layer.kind == "dense") {
      values = multiply(values, parameter("weight"), parameter("bias"));
    } else if (layer.kind == "maxpool" || layer.kind == "avgpool") {
      values = pool(layer, values);
    } else if (layer.kind == "relu") {
      for (double& value : values) value = std::max(value, 0.0);
    } else if (layer.kind == "batchnorm") {
      normalise(layer, values, parameter("scale"), parameter("shift"), parameter("mean"),
                parameter("variance"));
    } else if (layer.kind == "softmax") {
      softmax(values);
    }  // flatten changes no value, and dropout drops none where nothing is trained
    if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) {
      throw FormatError(
          fmt::format("Layer {} (`{}`) gives values that are not finite.", layer.name, layer.line));
    }
  }
  return values;
}

}  // namespace convkit
