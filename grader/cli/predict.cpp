// SPDX-License-Identifier: MIT
// `predict`: pictures, what the network is shown of them, and what it makes of that.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/handed_over.h"
#include "convkit/atomic_file.h"
#include "convkit/kit_error.h"
#include "json_text.h"
#include "machine/output_file.h"
#include "model/digit_finder.h"
#include "model/network.h"
#include "process/process.h"

namespace convkit {
namespace {

struct PredictOptions {
  std::filesystem::path model;                // a checkpoint
  std::vector<std::filesystem::path> images;  // pictures of a digit each
  std::filesystem::path json;
};

// Two rows of the image in a line, as characters are about twice as high as wide.
std::vector<std::string> drawn(const std::vector<uint8_t>& image) {
  static constexpr char kShades[] = {' ', '.', ':', 'o', '#'};
  std::vector<std::string> lines;
  for (int row = 0; row < kImageSide; row += 2) {
    std::string line;
    for (int column = 0; column < kImageSide; ++column) {
      const auto at = static_cast<size_t>(row * kImageSide + column);
      const int grey = (image[at] + image[at + kImageSide]) / 2;
      line += kShades[grey * 5 / 256];
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> bars(const std::vector<double>& probabilities) {
  constexpr double kLongest = 30;
  const auto likeliest = std::ranges::max_element(probabilities) - probabilities.begin();
  std::vector<std::string> lines;
  for (size_t k = 0; k < probabilities.size(); ++k) {
    const auto length = static_cast<size_t>(std::lround(probabilities[k] * kLongest));
    const char mark = static_cast<std::ptrdiff_t>(k) == likeliest ? '=' : '-';
    lines.push_back(
        fmt::format("{:>3}  {:5.1f} %  {}", k, 100 * probabilities[k], std::string(length, mark)));
  }
  return lines;
}

void show(const std::vector<uint8_t>& image, const std::vector<double>& probabilities) {
  const std::vector<std::string> left = drawn(image), right = bars(probabilities);
  // The picture has fourteen lines; the ten bars are next to the middle ones.
  const size_t first = right.size() < left.size() ? (left.size() - right.size()) / 2 : 0;
  const std::string nothing(kImageSide, ' ');
  for (size_t i = 0; i < std::max(left.size(), first + right.size()); ++i) {
    const bool has_bar = i >= first && i - first < right.size();
    fmt::print("  |{}| {}\n", i < left.size() ? left[i] : nothing,
               has_bar ? right[i - first] : std::string());
  }
}

int run_predict(const PredictOptions& options) {
  must_be_writable(options.json, Format::json);
  Network network;
  try {
    network = load_network(options.model);
  } catch (const FormatError& error) {
    throw UsageError(error.what());
  }
  nlohmann::ordered_json figures = {{"schema", "convkit-predict-1"},
                                    {"model", options.model.string()},
                                    {"images", nlohmann::ordered_json::array()}};
  bool all_read = true;
  for (const auto& file : options.images) {
    if (interrupted()) return 130;
    try {
      const FoundDigit digit = find_digit(read_image(file), file.string());
      const std::vector<double> probabilities = predict(network, digit.image);
      const auto likeliest = std::ranges::max_element(probabilities) - probabilities.begin();
      fmt::print("{}: {}{}\n", file.string(), likeliest,
                 digit.note.empty() ? "" : "   (" + digit.note + ")");
      show(digit.image, probabilities);
      figures["images"].push_back({{"file", file.string()},
                                   {"class", likeliest},
                                   {"probabilities", probabilities},
                                   {"note", digit.note},
                                   {"seen", digit.image}});
    } catch (const FormatError& error) {
      all_read = false;
      std::fflush(stdout);
      fmt::print(stderr, "{}\n", error.what());
      figures["images"].push_back({{"file", file.string()}, {"error", error.what()}});
    }
  }
  if (!options.json.empty()) write_whole(options.json, json_text(figures));
  constexpr int kUsedWrongly = 2;
  return all_read ? 0 : kUsedWrongly;
}

class PredictCommand final : public CliCommand {
 public:
  PredictCommand() : CliCommand(kPredict.text) {}

  void declare(const Options& options) override {
    options.value("model", o_.model, "a checkpoint that `train` wrote").required();
    options
        .value("images", o_.images,
               "PNG, JPEG, BMP, PGM or PPM with one digit each; "
               "a photo of a digit on paper works, too")
        .required();
    options.value("--json", o_.json, "write the probabilities here");
  }
  int run(Kit&) override { return run_predict(o_); }

 private:
  PredictOptions o_;
};

}  // namespace

std::unique_ptr<CliCommand> predict_command() {
  return std::make_unique<PredictCommand>();
}

}  // namespace convkit
