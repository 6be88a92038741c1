// SPDX-License-Identifier: MIT
#include "model/layers.h"

#include <algorithm>
#include <cmath>

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

}  // namespace convkit
