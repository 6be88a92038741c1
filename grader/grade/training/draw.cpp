// SPDX-License-Identifier: MIT
#include "grade/training/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "convkit/digits.h"
#include "convkit/kit_error.h"
#include "grade/seeds.h"

namespace convkit {
namespace {

constexpr int64_t kPixels = int64_t{kDigitSize} * kDigitSize;

// A number below `count`; the remainder's bias is below 2^-40.
size_t below(size_t count, std::mt19937_64& random) {
  return static_cast<size_t>(random() % count);
}

// The first `wanted` of a random order of all images.
void draw_images(const LabelledImages& all, int64_t wanted, std::mt19937_64 random,
                 std::vector<uint8_t>& images, std::vector<uint8_t>& labels) {
  if (wanted > all.count) {
    throw KitError(fmt::format("{} images are needed, but {} has {}.", wanted, all.folder.string(),
                               all.count));
  }
  std::vector<int64_t> order(static_cast<size_t>(all.count));
  std::iota(order.begin(), order.end(), int64_t{0});
  for (size_t i = 0; i < static_cast<size_t>(wanted); ++i) {
    std::swap(order[i], order[i + below(order.size() - i, random)]);
    const auto* image = all.images.data() + order[i] * kPixels;
    images.insert(images.end(), image, image + kPixels);
    labels.push_back(all.labels[static_cast<size_t>(order[i])]);
  }
}

// Another name for each of the ten labels. A third of all permutations will do.
std::array<uint8_t, kClasses> new_names(std::mt19937_64 random) {
  std::array<uint8_t, kClasses> names{};
  std::iota(names.begin(), names.end(), uint8_t{0});
  const auto keeps_one = [&] {
    for (size_t k = 0; k < names.size(); ++k) {
      if (names[k] == k) return true;
    }
    return false;
  };
  do {
    for (size_t i = names.size(); i > 1; --i) std::swap(names[i - 1], names[below(i, random)]);
  } while (keeps_one());
  return names;
}

}  // namespace

TrainingData::TrainingData(Dataset dataset, const std::filesystem::path& root) : dataset_(dataset) {
  if (!find_images(dataset, Split::train, root) || !find_images(dataset, Split::test, root)) return;
  try {
    train_ = load_images(dataset, Split::train, root);
    test_ = load_images(dataset, Split::test, root);
  } catch (const FormatError& error) {
    throw KitError(error.what());
  }
}

std::string TrainingData::name() const {
  if (synthetic()) return "synthetic digits";
  return dataset_ == Dataset::mnist ? "MNIST" : "Fashion-MNIST";
}

TrainingDraw TrainingData::draw(const TrainingAmounts& amounts, bool permuted,
                                const std::string& seed) const {
  TrainingDraw draw;
  draw.seed = static_cast<int64_t>(random_of(seed, "seed")() >> 33);  // an int for everybody
  if (synthetic()) {
    DigitSet given = digit_set(random_of(seed, "train")(), amounts.train);
    DigitSet kept = digit_set(random_of(seed, "held back")(), amounts.held_back);
    draw.images = std::move(given.images), draw.labels = std::move(given.labels);
    draw.queries = std::move(kept.images), draw.original = std::move(kept.labels);
  } else {
    draw_images(train_, amounts.train, random_of(seed, "train"), draw.images, draw.labels);
    draw_images(test_, amounts.held_back, random_of(seed, "held back"), draw.queries,
                draw.original);
  }
  draw.expected = draw.original;
  if (!permuted) return draw;
  const auto names = new_names(random_of(seed, "names"));
  for (auto* labels : {&draw.labels, &draw.expected}) {
    for (uint8_t& label : *labels) label = names[label];
  }
  return draw;
}

}  // namespace convkit
