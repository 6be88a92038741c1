// SPDX-License-Identifier: MIT
#include "report.h"

#include <fmt/format.h>

#include <algorithm>

#include "progress_bar.h"

namespace convkit::train {

std::string summary(const Network& network) {
  std::string out = fmt::format("{:<14} {:<12} {:>12}\n", "layer", "output", "parameters");
  int64_t total = 0;
  for (const MnistLayer& layer : network.layers()) {
    const int* s = layer.shape;
    const std::string shape = s[1] == 1 && s[2] == 1 ? fmt::format("{}", s[0])
                                                     : fmt::format("{}x{}x{}", s[0], s[1], s[2]);
    const std::string count = layer.parameters > 0 ? fmt::format("{}", layer.parameters) : "";
    out += fmt::format("{:<14} {:<12} {:>12}\n", layer.name, shape, count);
    total += layer.parameters;
  }
  return out + fmt::format("{:<14} {:<12} {:>12}\n", "all", "", total);
}

std::string quicker_offer(const Options& options, double seconds) {
  const std::string smaller = options.model == "cnn"   ? "lenet"
                              : options.model == "mlp" ? ""
                                                       : "mlp";
  std::string offer;
  if (!smaller.empty()) offer = fmt::format("--model {} trains a quick network", smaller);
  if (options.limit == 0) {
    offer +=
        fmt::format("{}-- --limit 5000 takes the first 5000 images", offer.empty() ? "" : ", ");
  }
  if (offer.empty()) return "";
  return fmt::format("This takes about {} here: {}. Ctrl-C ends it and keeps a checkpoint.",
                     duration_text(seconds), offer);
}

TestResult test(const Network& network, const ImageSet& set) {
  const int classes = network.classes();
  const std::vector<float> probabilities =
      network.predict(set.images.data(), static_cast<int>(set.count));
  TestResult result;
  result.confusion.assign(static_cast<size_t>(classes) * static_cast<size_t>(classes), 0);
  int64_t right = 0;
  for (int64_t i = 0; i < set.count; ++i) {
    const float* row = probabilities.data() + i * classes;
    const auto answer = std::max_element(row, row + classes) - row;
    const int label = set.labels[static_cast<size_t>(i)];
    if (label >= classes) continue;
    right += answer == label ? 1 : 0;
    ++result.confusion[static_cast<size_t>(label * classes + answer)];
  }
  result.accuracy = double(right) / double(std::max<int64_t>(set.count, 1));
  return result;
}

std::string confusion_text(const std::vector<int>& confusion, int classes) {
  std::string out = "label \\ answer";
  for (int col = 0; col < classes; ++col) out += fmt::format("{:>6}", col);
  for (int row = 0; row < classes; ++row) {
    out += fmt::format("\n{:>14}", row);
    for (int col = 0; col < classes; ++col) {
      const int count = confusion[static_cast<size_t>(row * classes + col)];
      out += count == 0 ? fmt::format("{:>6}", ".") : fmt::format("{:>6}", count);
    }
  }
  return out + "\n";
}

}  // namespace convkit::train
