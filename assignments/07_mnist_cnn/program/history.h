// SPDX-License-Identifier: MIT
// How a training went so far, an entry an epoch.
#pragma once

#include <vector>

namespace convkit::train {

struct History {
  std::vector<float> loss;      // mean over the epoch's images
  std::vector<float> accuracy;  // of the epoch's batches as they were trained on, 0 to 1
  std::vector<float> test_accuracy;
};

}  // namespace convkit::train
