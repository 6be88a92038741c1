// SPDX-License-Identifier: MIT
#include "model/network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "convkit/npz.h"
#include "model/layers.h"

namespace convkit {
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
