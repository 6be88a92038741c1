// SPDX-License-Identifier: MIT
#include "model/digit_finder.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "convkit/kit_error.h"
#include "model/plane.h"

namespace convkit {
namespace {

constexpr int kSide = 28, kInner = 20;
// Photos are made this small first: a stroke is still several elements wide.
constexpr int kLongestSide = 400;
constexpr int kShortestSide = 8;
// Strokes with less contrast than this are ignored.
constexpr float kLeastContrast = 0.12f;
// Strokes of MNIST are 2 to 3 of the 20 elements wide; thinner ones are widened to this.
constexpr float kThinStroke = 1.5f, kStroke = 2.2f;

Plane small_plane(const GreyImage& image) {
  Plane plane(image.width, image.height);
  std::ranges::copy(image.pixels, plane.values.begin());
  const int longest = std::max(image.width, image.height);
  if (longest <= kLongestSide) return plane;
  const auto scaled = [&](int side) {
    return std::max(1, static_cast<int>(static_cast<int64_t>(side) * kLongestSide / longest));
  };
  return resized(plane, {0, 0, image.width, image.height}, scaled(image.width),
                 scaled(image.height));
}

float quantile(std::vector<float> values, double share) {
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<size_t>(at)];
}

// There is less ink than paper, so what most elements are is the paper.
bool paper_is_bright(const std::vector<float>& values) {
  const float middle = quantile(values, 0.5);
  const float above = quantile(values, 0.99) - middle, below = middle - quantile(values, 0.01);
  return above == below ? middle > 127 : above < below;
}

// The same in uneven light: a stroke differs from its surroundings by more than the paper next to
// it.
bool paper_is_bright(const Plane& light) {
  const Plane around = blurred(light, std::max(light.width, light.height) / 4);
  double lopsided = 0;
  for (size_t i = 0; i < light.values.size(); ++i) {
    const double difference = double{light.values[i]} - around.values[i];
    lopsided += difference * difference * difference;
  }
  return lopsided <= 0;
}

// How much of its light the paper lost at each element, 0 to 1: one minus the picture divided by
// the light that falls on it. That light is the picture without its strokes, blurred. Taking the
// largest value around each element and then the smallest removes everything that is dark and
// narrow.
Plane ink_of(const Plane& light) {
  const int radius = std::max(2, std::max(light.width, light.height) / 10);
  const Plane smooth = blurred(light, 1);
  const Plane paper =
      blurred(smallest_around(largest_around(smooth, radius), radius), std::max(1, radius / 2));
  // If there is almost no light, differences are noise.
  const float least = std::max(8.0f, 0.05f * quantile(light.values, 0.99));
  Plane ink(light.width, light.height);
  for (size_t i = 0; i < ink.values.size(); ++i) {
    ink.values[i] = (paper.values[i] - light.values[i]) / std::max(paper.values[i], least);
  }
  // The largest of noisy values lies above their mean: bare paper would be slightly inked.
  const float bare = std::clamp(quantile(ink.values, 0.5), 0.0f, 0.5f);
  for (float& value : ink.values) value = std::clamp((value - bare) / (1 - bare), 0.0f, 1.0f);
  return ink;
}

// N. Otsu, "A Threshold Selection Method from Gray-Level Histograms", IEEE Trans. SMC 9(1), 1979:
// the threshold between the two groups whose means are furthest apart.
float threshold_of(const std::vector<float>& ink) {
  constexpr int kBins = 256;
  std::array<double, kBins> histogram{};
  for (const float value : ink) ++histogram[static_cast<size_t>(value * (kBins - 1))];
  double below = 0, below_sum = 0, all_sum = 0, best = -1;
  for (int k = 0; k < kBins; ++k) all_sum += k * histogram[static_cast<size_t>(k)];
  const auto all = static_cast<double>(ink.size());
  int at = 0;
  for (int k = 0; k < kBins - 1; ++k) {
    below += histogram[static_cast<size_t>(k)];
    below_sum += k * histogram[static_cast<size_t>(k)];
    if (below == 0 || below == all) continue;
    const double distance = below_sum / below - (all_sum - below_sum) / (all - below);
    const double between = below * (all - below) * distance * distance;
    if (between > best) best = between, at = k;
  }
  return (static_cast<float>(at) + 0.5f) / (kBins - 1);
}

bool near(const Box& a, const Box& b, int reach) {
  return a.left - reach < b.left + b.width && b.left - reach < a.left + a.width &&
         a.top - reach < b.top + b.height && b.top - reach < a.top + a.height;
}

Box hull(const Box& a, const Box& b) {
  const int left = std::min(a.left, b.left), top = std::min(a.top, b.top);
  return {left, top, std::max(a.left + a.width, b.left + b.width) - left,
          std::max(a.top + a.height, b.top + b.height) - top};
}

// The strokes of the digit: the largest one, and larger ones close to it, such as the bar of a 5.
// What touches the border is the edge of the paper or a shadow, unless there is nothing else.
struct Strokes {
  std::vector<bool> taken;  // by blob
  Box box;
  size_t area = 0, edge = 0;
  bool others = false;  // something of about its size was left out
};
Strokes strokes_of(const Blobs& found) {
  Strokes strokes;
  strokes.taken.resize(found.blobs.size());
  size_t largest = found.blobs.size();
  for (const bool at_border : {false, true}) {
    for (size_t i = 0; i < found.blobs.size(); ++i) {
      if (found.blobs[i].touches_border != at_border) continue;
      if (largest == found.blobs.size() || found.blobs[i].area > found.blobs[largest].area) {
        largest = i;
      }
    }
    const size_t all = found.label.size();
    if (largest < found.blobs.size() && found.blobs[largest].area * 2000 >= all) break;
  }
  strokes.box = found.blobs[largest].box;
  const int reach = std::max(strokes.box.width, strokes.box.height) / 6;
  for (size_t i = 0; i < found.blobs.size(); ++i) {
    const Blob& blob = found.blobs[i];
    const bool sizeable = blob.area * 20 >= found.blobs[largest].area;
    const bool belongs = i == largest || (sizeable && !blob.touches_border &&
                                          near(blob.box, found.blobs[largest].box, reach));
    if (!belongs) {
      strokes.others =
          strokes.others || (blob.area * 3 >= found.blobs[largest].area && !blob.touches_border);
      continue;
    }
    strokes.taken[i] = true;
    strokes.box = hull(strokes.box, blob.box);
    strokes.area += blob.area;
    strokes.edge += blob.edge;
  }
  return strokes;
}

// The ink of the digit's strokes from 0 to 1, and 0 everywhere else. Elements right next to a
// stroke keep their half tones.
Plane only_strokes(const Plane& ink, const Blobs& found, const Strokes& strokes, float threshold) {
  Plane mask(ink.width, ink.height);
  std::vector<float> inside;
  for (size_t i = 0; i < ink.values.size(); ++i) {
    const int label = found.label[i];
    if (label < 0 || !strokes.taken[static_cast<size_t>(label)]) continue;
    mask.values[i] = 1;
    inside.push_back(ink.values[i]);
  }
  const float full = quantile(inside, 0.7), none = 0.4f * threshold;
  Plane kept = widened(mask, 2);
  for (size_t i = 0; i < kept.values.size(); ++i) {
    kept.values[i] *= std::clamp((ink.values[i] - none) / (full - none), 0.0f, 1.0f);
  }
  return kept;
}

Box inside(const Box& box, const Plane& plane, int margin) {
  const int left = std::max(0, box.left - margin), top = std::max(0, box.top - margin);
  return {left, top, std::min(plane.width, box.left + box.width + margin) - left,
          std::min(plane.height, box.top + box.height + margin) - top};
}

// Scaled to fit 20x20 and centred by mass.
std::vector<uint8_t> as_in_mnist(const Plane& ink, const Box& box) {
  const int longest = std::max(box.width, box.height);
  const auto scaled = [&](int side) {
    return std::max(1, static_cast<int>(std::lround(static_cast<double>(side) * kInner / longest)));
  };
  const Plane digit = resized(ink, box, scaled(box.width), scaled(box.height));
  const float most = std::max(1e-6f, *std::ranges::max_element(digit.values));
  double mass = 0, rows = 0, columns = 0;
  for (int i = 0; i < digit.height; ++i) {
    for (int j = 0; j < digit.width; ++j) {
      mass += digit.at(i, j);
      rows += (i + 0.5) * digit.at(i, j);
      columns += (j + 0.5) * digit.at(i, j);
    }
  }
  const auto offset = [&](double sum, int size) {
    // In MNIST the centre of mass is that of element 14, not the corner before it.
    const auto wanted = static_cast<int>(std::lround(kSide / 2 + 0.5 - sum / mass));
    return std::clamp(wanted, 0, kSide - size);
  };
  const int top = offset(rows, digit.height), left = offset(columns, digit.width);
  std::vector<uint8_t> image(size_t{kSide} * kSide);
  for (int i = 0; i < digit.height; ++i) {
    for (int j = 0; j < digit.width; ++j) {
      image[static_cast<size_t>((top + i) * kSide + left + j)] =
          static_cast<uint8_t>(std::lround(255 * digit.at(i, j) / most));
    }
  }
  return image;
}

[[noreturn]] void refuse_picture(const std::string& name, const std::string& what) {
  throw FormatError(fmt::format("'{}' {}", name, what));
}

}  // namespace

FoundDigit find_digit(const GreyImage& image, const std::string& name) {
  if (image.width == kSide && image.height == kSide) {
    const std::vector<float> values(image.pixels.begin(), image.pixels.end());
    FoundDigit digit{image.pixels, ""};
    if (paper_is_bright(values)) {
      for (uint8_t& pixel : digit.image) pixel = static_cast<uint8_t>(255 - pixel);
    }
    return digit;
  }
  if (std::min(image.width, image.height) < kShortestSide) {
    refuse_picture(name, fmt::format("has {}x{} pixels, which are too few for a digit.",
                                     image.width, image.height));
  }
  Plane light = small_plane(image);
  if (std::min(light.width, light.height) < kShortestSide) {
    refuse_picture(name, fmt::format("has {}x{} pixels; this strip is too long for a digit.",
                                     image.width, image.height));
  }
  if (!paper_is_bright(light)) {
    for (float& value : light.values) value = 255 - value;
  }
  const Plane ink = ink_of(light);
  const float threshold = std::max(threshold_of(ink.values), 0.5f * kLeastContrast);
  std::vector<bool> mask(ink.values.size());
  float darkest = 0;
  for (size_t i = 0; i < mask.size(); ++i) {
    mask[i] = ink.values[i] > threshold;
    darkest = std::max(darkest, ink.values[i]);
  }
  const Blobs found = blobs_of(mask, ink.width, ink.height);
  if (found.blobs.empty() || darkest < kLeastContrast) {
    refuse_picture(name, "shows no stroke that differs from its paper.");
  }
  const Strokes strokes = strokes_of(found);
  Plane digit = only_strokes(ink, found, strokes, threshold);
  const float size = static_cast<float>(std::max(strokes.box.width, strokes.box.height)) / kInner;
  const float width = 2.0f * static_cast<float>(strokes.area) /
                      static_cast<float>(std::max<size_t>(1, strokes.edge)) / size;
  int margin = 0;
  if (width < kThinStroke && size > 1) {
    margin = static_cast<int>(std::lround((kStroke - width) * size / 2));
    digit = widened(digit, margin);
  }
  FoundDigit result{as_in_mnist(digit, inside(strokes.box, digit, margin)), ""};
  if (strokes.others) result.note = "has several drawings; the largest was used.";
  return result;
}

}  // namespace convkit
