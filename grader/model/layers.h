// SPDX-License-Identifier: MIT
// The layers of a network on one image, [c][h][w], for inference.
#pragma once

#include <span>
#include <vector>

#include "convkit/architecture.h"

namespace convkit {

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

}  // namespace convkit
