// SPDX-License-Identifier: MIT
// A trained network from its checkpoint, and what it makes of an image: plain loops, sums in
// double. The checkpoint is not trusted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "convkit/architecture.h"

namespace convkit {

// The layers of a network on one image, [c][h][w], for inference.
//
// Cross-correlation with zero padding; w [m][c][kh][kw].
std::vector<double> convolve(const LayerSpec& layer, std::span<const double> x,
                             std::span<const float> w, std::span<const float> b);
// w [out][in].
std::vector<double> multiply(std::span<const double> x, std::span<const float> w,
                             std::span<const float> b);
// Windows beside each other; what is left over at the right and below is dropped.
std::vector<double> pool(const LayerSpec& layer, std::span<const double> x);
// With running statistics: scale (x - mean) / sqrt(variance + 1e-5) + shift of each channel.
void normalise(const LayerSpec& layer, std::span<double> x, std::span<const float> scale,
               std::span<const float> shift, std::span<const float> mean,
               std::span<const float> variance);
void softmax(std::span<double> x);

inline constexpr int kImageSide = 28;

struct Network {
  Architecture architecture;
  std::map<std::string, std::vector<float>> parameters;  // "conv1.weight", ...
};

// Reads an .npz with the text `architecture` (uint8) and a float32 array for each parameter:
// convI.weight [m][c][kh][kw], convI.bias [m], denseI.weight [out][in], denseI.bias [out],
// batchnormI.scale, .shift, .mean, .variance [channels]. Other arrays are left alone. Throws
// FormatError naming the file and, where an array does not fit, the layer.
Network load_network(const std::filesystem::path& file);

// The class probabilities of an image [28][28], 0 the background. The network sees
// (pixel / 255 - 0.1307) / 0.3081. Throws FormatError where a score is not finite.
std::vector<double> predict(const Network& network, std::span<const uint8_t> image);

}  // namespace convkit
