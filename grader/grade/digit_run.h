// SPDX-License-Identifier: MIT
// A submission's LeNet on labelled digits: what the bound on one output means for a whole network.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "convkit/datasets.h"
#include "grade/kit.h"

namespace convkit {

struct DigitRun {
  std::vector<float> probabilities;  // [count][10]
  unsigned right = 0;                // the likeliest digit is the label
  std::string failure;               // why there are no probabilities, or ""
};

// Runs lenet_forward of `library` on all digits, with the weights of `weights` (an .npz with
// conv1_w ... fc3_b). Pixels are scaled to [0, 1]. Throws KitError for a fault of the weights.
DigitRun run_digits(const Kit& kit, const Stage& stage, const std::filesystem::path& library,
                    const std::filesystem::path& weights, const LabelledImages& digits);

}  // namespace convkit
