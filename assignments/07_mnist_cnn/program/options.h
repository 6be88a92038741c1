// SPDX-License-Identifier: MIT
// The options of the training program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "convkit/kit_error.h"

namespace convkit::train {

// Thrown where the program was called wrongly, or with data that cannot be used: exit code 2.
using convkit::UsageError;

struct Options {
  std::filesystem::path submission;
  std::filesystem::path images, labels, test_images, test_labels;
  std::string data_name = "data";
  std::filesystem::path out = "training";
  std::string model = "cnn";  // a name of models.h, or a file with a network's text
  int epochs = 3;
  int batch = 64;
  double lr = 0.02, momentum = 0.9, weight_decay = 0.0;
  std::string optimizer = "sgd", schedule = "constant", backend = "own";
  int64_t seed = 1;
  int64_t limit = 0;      // training images; 0: all
  double patience = 600;  // seconds; a longer training is told what is quicker
  std::filesystem::path resume;
  std::set<std::string> given;  // names of options that were on the command line: "lr"
};

// Throws UsageError. Nothing: --help was answered, the program ends.
std::optional<Options> parse_options(int argc, char** argv);

}  // namespace convkit::train
