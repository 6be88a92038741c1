// SPDX-License-Identifier: MIT
// What the network is, and what it can do, in words.
#pragma once

#include <string>
#include <vector>

#include "data.h"
#include "options.h"
#include "submission.h"

namespace convkit::train {

// A table: layer, what it puts out, parameters.
std::string summary(const Network& network);

// What trains sooner, for a training of `seconds`; "" where the network is the smallest and the
// images are few.
std::string quicker_offer(const Options& options, double seconds);

struct TestResult {
  double accuracy = 0;
  std::vector<int> confusion;  // [label][answer]
};
TestResult test(const Network& network, const ImageSet& set);

std::string confusion_text(const std::vector<int>& confusion, int classes);

}  // namespace convkit::train
