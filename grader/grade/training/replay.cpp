// SPDX-License-Identifier: MIT
#include "grade/training/replay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "convkit/architecture.h"
#include "convkit/counter_random.h"

namespace convkit {
namespace {

constexpr size_t kPixels = 28 * 28;
constexpr size_t kSlices = 4;

using Eight = float __attribute__((vector_size(32), aligned(4), may_alias));

// c [m][n] += a [m][k] b [k][n]. Four rows and sixteen columns of c at a time are in registers.
[[gnu::always_inline]] inline void add_product_here(const float* a, const float* b, float* c,
                                                    int64_t m, int64_t k, int64_t n) {
  int64_t i = 0;
  for (; i + 4 <= m; i += 4) {
    int64_t j = 0;
    for (; j + 16 <= n; j += 16) {
      Eight sum[4][2] = {};
      for (int64_t l = 0; l < k; ++l) {
        const auto* row = reinterpret_cast<const Eight*>(b + l * n + j);
        const Eight left = row[0], right = row[1];
        for (int r = 0; r < 4; ++r) {
          const float factor = a[(i + r) * k + l];
          sum[r][0] += factor * left, sum[r][1] += factor * right;
        }
      }
      for (int r = 0; r < 4; ++r) {
        auto* to = reinterpret_cast<Eight*>(c + (i + r) * n + j);
        to[0] += sum[r][0], to[1] += sum[r][1];
      }
    }
    for (int64_t r = i; r < i + 4; ++r) {
      for (int64_t l = 0; l < k; ++l) {
        for (int64_t q = j; q < n; ++q) c[r * n + q] += a[r * k + l] * b[l * n + q];
      }
    }
  }
  for (; i < m; ++i) {
    for (int64_t l = 0; l < k; ++l) {
      for (int64_t j = 0; j < n; ++j) c[i * n + j] += a[i * k + l] * b[l * n + j];
    }
  }
}

// The inner product of two rows.
[[gnu::always_inline]] inline float product_here(const float* a, const float* b, int64_t n) {
  Eight sums = {};
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    sums += *reinterpret_cast<const Eight*>(a + i) * *reinterpret_cast<const Eight*>(b + i);
  }
  float sum = 0;
  for (; i < n; ++i) sum += a[i] * b[i];
  for (int r = 0; r < 8; ++r) sum += sums[r];
  return sum;
}

// The kit is compiled for any processor of its kind; these two loops for newer ones, too.
#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void add_product_avx2(const float* a, const float* b, float* c,
                                                          int64_t m, int64_t k, int64_t n) {
  add_product_here(a, b, c, m, k, n);
}
__attribute__((target("avx2,fma"))) float product_avx2(const float* a, const float* b, int64_t n) {
  return product_here(a, b, n);
}
bool has_avx2() {
  static const bool has_both = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has_both;
}
#endif

void add_product(const float* a, const float* b, float* c, int64_t m, int64_t k, int64_t n) {
#if defined(__x86_64__)
  if (has_avx2()) return add_product_avx2(a, b, c, m, k, n);
#endif
  add_product_here(a, b, c, m, k, n);
}

float product_of(const float* a, const float* b, int64_t n) {
#if defined(__x86_64__)
  if (has_avx2()) return product_avx2(a, b, n);
#endif
  return product_here(a, b, n);
}

// [rows][columns] -> [columns][rows]
void transpose(const float* from, int64_t rows, int64_t columns, std::vector<float>& to) {
  to.resize(static_cast<size_t>(rows * columns));
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      to[static_cast<size_t>(j * rows + i)] = from[i * columns + j];
    }
  }
}

// visit(element of the input, of the patches) for each pair of a tap and a place inside the image.
template <class Visit>
void for_each_patch(const LayerSpec& s, Visit visit) {
  const int64_t places = int64_t{s.out.h} * s.out.w;
  int64_t tap = 0;
  for (int c = 0; c < s.in.c; ++c) {
    for (int p = 0; p < s.kh; ++p) {
      for (int q = 0; q < s.kw; ++q, ++tap) {
        for (int i = 0; i < s.out.h; ++i) {
          const int row = i - s.pad + p;
          if (row < 0 || row >= s.in.h) continue;
          const int from = std::max(0, s.pad - q), to = std::min(s.out.w, s.in.w + s.pad - q);
          const int64_t source = (int64_t{c} * s.in.h + row) * s.in.w - s.pad + q;
          const int64_t target = tap * places + int64_t{i} * s.out.w;
          for (int j = from; j < to; ++j) visit(source + j, target + j);
        }
      }
    }
  }
}

// The first largest element of a window of a max pooling.
size_t largest_of(const LayerSpec& s, const std::vector<float>& x, int c, int i, int j) {
  size_t best = 0;
  for (int p = 0; p < s.kh; ++p) {
    for (int q = 0; q < s.kw; ++q) {
      const auto at = static_cast<size_t>((c * s.in.h + i * s.kh + p) * s.in.w + j * s.kw + q);
      if ((p == 0 && q == 0) || x[at] > x[best]) best = at;
    }
  }
  return best;
}

template <class Visit>
void for_each_window(const LayerSpec& s, const std::vector<float>& x, Visit visit) {
  size_t out = 0;
  for (int c = 0; c < s.out.c; ++c) {
    for (int i = 0; i < s.out.h; ++i) {
      for (int j = 0; j < s.out.w; ++j) visit(out++, largest_of(s, x, c, i, j));
    }
  }
}

bool has_weights(const LayerSpec& s) {
  return s.kind == "conv" || s.kind == "dense";
}

}  // namespace

// Some images of a batch, one after another through the network and back.
class Replay::Slice {
 public:
  explicit Slice(const Architecture& network);

  // Trained numbers of the network.
  size_t parameters() const { return gradient_.size(); }
  // The sum over the images since the last call of forget_gradient().
  std::vector<float>& gradient() { return gradient_; }
  void forget_gradient() { std::ranges::fill(gradient_, 0.0f); }

  // The scores of the classes for an image [28][28].
  std::span<const float> forward(std::span<const float> values, std::span<const uint8_t> image);
  // The loss of the image that was given to forward(); its gradients are added, times `scale`.
  double backward(std::span<const float> values, int label, float scale);

 private:
  struct Layer {
    LayerSpec spec;
    size_t weight = 0, bias = 0;  // where they lie
    std::vector<float> x, dx;     // its input, and the gradient of it
    std::vector<float> patches;   // [taps][places] of x
    int64_t taps() const { return int64_t{spec.in.c} * spec.kh * spec.kw; }
    int64_t places() const { return int64_t{spec.out.h} * spec.out.w; }
    int64_t weights() const { return spec.out.c * taps(); }
  };

  void backward_product(Layer& layer, std::span<const float> values, std::span<const float> dy,
                        bool wants_dx);

  std::vector<Layer> layers_;
  std::vector<float> scores_;
  std::vector<float> gradient_;
  std::vector<float> transposed_, product_;
};

Replay::Slice::Slice(const Architecture& network) {
  size_t size = 0;
  for (const LayerSpec& spec : network.layers) {
    if (spec.kind == "flatten" || spec.kind == "softmax") continue;
    Layer layer{spec, 0, 0, {}, {}, {}};
    layer.x.resize(static_cast<size_t>(spec.in.size()));
    layer.dx.resize(layer.x.size());
    if (spec.kind == "dense") {  // a convolution over one place
      layer.spec.kh = layer.spec.kw = 1;
    }
    if (has_weights(spec)) {
      layer.weight = size;
      layer.bias = size + static_cast<size_t>(layer.weights());
      size = layer.bias + static_cast<size_t>(spec.out.c);
      if (spec.kind == "conv") {
        layer.patches.resize(static_cast<size_t>(layer.taps() * layer.places()));
      }
    }
    layers_.push_back(std::move(layer));
  }
  scores_.resize(static_cast<size_t>(layers_.back().spec.out.size()));
  gradient_.resize(size);
}

std::span<const float> Replay::Slice::forward(std::span<const float> values,
                                              std::span<const uint8_t> image) {
  std::ranges::transform(image, layers_.front().x.begin(), [](uint8_t byte) {
    return (static_cast<float>(byte) / 255.0f - 0.1307f) / 0.3081f;
  });
  for (size_t l = 0; l < layers_.size(); ++l) {
    Layer& layer = layers_[l];
    std::vector<float>& y = l + 1 < layers_.size() ? layers_[l + 1].x : scores_;
    const LayerSpec& s = layer.spec;
    if (has_weights(s)) {
      for (int m = 0; m < s.out.c; ++m) {
        std::fill_n(y.begin() + m * layer.places(), layer.places(),
                    values[layer.bias + static_cast<size_t>(m)]);
      }
      if (s.kind == "dense") {
        for (size_t m = 0; m < y.size(); ++m) {
          y[m] += product_of(values.data() + layer.weight + m * layer.x.size(), layer.x.data(),
                             layer.taps());
        }
        continue;
      }
      for_each_patch(s, [&](int64_t x, int64_t patch) {
        layer.patches[static_cast<size_t>(patch)] = layer.x[static_cast<size_t>(x)];
      });
      add_product(values.data() + layer.weight, layer.patches.data(), y.data(), s.out.c,
                  layer.taps(), layer.places());
    } else if (s.kind == "relu") {
      std::ranges::transform(layer.x, y.begin(), [](float x) { return std::max(x, 0.0f); });
    } else {
      for_each_window(s, layer.x, [&](size_t out, size_t in) { y[out] = layer.x[in]; });
    }
  }
  return scores_;
}

void Replay::Slice::backward_product(Layer& layer, std::span<const float> values,
                                     std::span<const float> dy, bool wants_dx) {
  const LayerSpec& s = layer.spec;
  const int64_t taps = layer.taps(), places = layer.places();
  for (int m = 0; m < s.out.c; ++m) {
    const auto row = dy.subspan(static_cast<size_t>(m * places), static_cast<size_t>(places));
    gradient_[layer.bias + static_cast<size_t>(m)] += std::accumulate(row.begin(), row.end(), 0.0f);
  }
  float* dw = gradient_.data() + layer.weight;
  if (s.kind == "dense") {
    add_product(dy.data(), layer.x.data(), dw, s.out.c, 1, taps);
    if (!wants_dx) return;
    std::ranges::fill(layer.dx, 0.0f);
    add_product(dy.data(), values.data() + layer.weight, layer.dx.data(), 1, s.out.c, taps);
    return;
  }
  transpose(layer.patches.data(), taps, places, transposed_);
  add_product(dy.data(), transposed_.data(), dw, s.out.c, places, taps);
  if (!wants_dx) return;
  transpose(values.data() + layer.weight, s.out.c, taps, transposed_);
  product_.assign(static_cast<size_t>(taps * places), 0.0f);
  add_product(transposed_.data(), dy.data(), product_.data(), taps, s.out.c, places);
  std::ranges::fill(layer.dx, 0.0f);
  for_each_patch(s, [&](int64_t x, int64_t patch) {
    layer.dx[static_cast<size_t>(x)] += product_[static_cast<size_t>(patch)];
  });
}

double Replay::Slice::backward(std::span<const float> values, int label, float scale) {
  const float largest = *std::ranges::max_element(scores_);
  double sum = 0;
  for (const float score : scores_) sum += std::exp(double{score} - largest);
  std::vector<float> dy(scores_.size());
  for (size_t k = 0; k < dy.size(); ++k) {
    const double p = std::exp(double{scores_[k]} - largest) / sum;
    dy[k] = static_cast<float>(p - (static_cast<int>(k) == label)) * scale;
  }
  for (size_t l = layers_.size(); l-- > 0;) {
    Layer& layer = layers_[l];
    const std::span<const float> above = l + 1 < layers_.size() ? layers_[l + 1].dx : dy;
    if (has_weights(layer.spec)) {
      backward_product(layer, values, above, l > 0);
    } else if (layer.spec.kind == "relu") {
      for (size_t i = 0; i < above.size(); ++i) layer.dx[i] = layer.x[i] > 0 ? above[i] : 0;
    } else {
      std::ranges::fill(layer.dx, 0.0f);
      for_each_window(layer.spec, layer.x,
                      [&](size_t out, size_t in) { layer.dx[in] = above[out]; });
    }
  }
  return std::log(sum) + largest - scores_[static_cast<size_t>(label)];
}

Replay::Replay(const TrainingAmounts& amounts, std::span<const uint8_t> images,
               std::span<const uint8_t> labels, int64_t seed)
    : amounts_(amounts),
      images_(images),
      labels_(labels),
      seed_(static_cast<uint64_t>(seed)),
      slices_(kSlices, Slice(*amounts.network)) {
  forget(0);
}

Replay::~Replay() = default;

void Replay::update(std::vector<float>& values, std::span<const float> gradient, int64_t step) {
  const auto number = [&](const char* name) { return amounts_.params.at(name).value; };
  const int64_t epoch = step / amounts_.steps_in_epoch();
  double lr = number("lr");
  if (number("schedule") == 2) {
    lr *= (1 + std::cos(std::numbers::pi * static_cast<double>(epoch) /
                        static_cast<double>(amounts_.epochs()))) /
          2;
  }
  const bool adam = number("optimizer") == 1;
  const auto rate = static_cast<float>(lr), decay = static_cast<float>(number("weight_decay"));
  const auto momentum = static_cast<float>(number("momentum"));
  const auto t = static_cast<double>(step - since_ + 1);
  const auto m_scale = static_cast<float>(1 / (1 - std::pow(0.9, t)));
  const auto v_scale = static_cast<float>(1 / (1 - std::pow(0.999, t)));
  for (size_t i = 0; i < values.size(); ++i) {
    const float g = gradient[i] + decay * values[i];
    if (adam) {
      m_[i] = 0.9f * m_[i] + 0.1f * g;
      v_[i] = 0.999f * v_[i] + 0.001f * g * g;
      values[i] -= rate * m_[i] * m_scale / (std::sqrt(v_[i] * v_scale) + 1e-8f);
    } else {
      m_[i] = momentum * m_[i] + g;
      values[i] -= rate * m_[i];
    }
  }
}

double Replay::add_gradients(std::span<const float> values, std::span<const int64_t> batch) {
  const float scale = 1.0f / static_cast<float>(batch.size());
  std::array<double, kSlices> losses = {};
  pool_.parallel_for(kSlices, 1, [&](int64_t index, int64_t) {
    const auto s = static_cast<size_t>(index);
    Slice& slice = slices_[s];
    slice.forget_gradient();
    for (size_t i = s; i < batch.size(); i += kSlices) {
      const auto image = static_cast<size_t>(batch[i]);
      slice.forward(values, images_.subspan(image * kPixels, kPixels));
      losses[s] += slice.backward(values, labels_[image], scale);
    }
  });
  std::vector<float>& sum = slices_.front().gradient();
  for (size_t s = 1; s < kSlices; ++s) {
    std::ranges::transform(sum, slices_[s].gradient(), sum.begin(), std::plus());
  }
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

Replay::Part Replay::train(std::span<const float> start, int64_t first, int64_t last) {
  Part part{{start.begin(), start.end()}, 0};
  const auto count = static_cast<int64_t>(labels_.size());
  const int64_t in_epoch = amounts_.steps_in_epoch(), batch = amounts_.batch();
  std::vector<int64_t> order(static_cast<size_t>(count));
  int64_t ordered = -1, seen = 0;
  for (int64_t step = first; step < last; ++step) {
    if (const int64_t epoch = step / in_epoch; epoch != ordered) {
      ordered = epoch;
      std::iota(order.begin(), order.end(), int64_t{0});
      for (auto i = static_cast<uint64_t>(count - 1); i > 0; --i) {
        std::swap(order[i],
                  order[random_bits(seed_, 1000 + static_cast<uint64_t>(epoch), i) % (i + 1)]);
      }
    }
    const int64_t from = step % in_epoch * batch, to = std::min(count, from + batch);
    part.loss += add_gradients(part.values, std::span(order).subspan(from, to - from));
    seen += to - from;
    update(part.values, slices_.front().gradient(), step);
  }
  part.loss /= static_cast<double>(seen);
  return part;
}

void Replay::forget(int64_t step) {
  const size_t size = slices_.front().parameters();
  m_.assign(size, 0), v_.assign(size, 0);
  since_ = step;
}

int Replay::answer(std::span<const float> values, std::span<const uint8_t> image) {
  const auto scores = slices_.front().forward(values, image);
  return static_cast<int>(std::ranges::max_element(scores) - scores.begin());
}

}  // namespace convkit
