// SPDX-License-Identifier: MIT
// The images to learn from and those to be asked about.
#pragma once

#include <cstdint>
#include <vector>

#include "options.h"

namespace convkit::train {

struct ImageSet {
  int64_t count = 0;
  int height = 0, width = 0;
  std::vector<uint8_t> images, labels;
};

// Throws UsageError with one sentence that names the file and, where it is damaged, its sha256.
ImageSet load(const std::filesystem::path& images, const std::filesystem::path& labels,
              int64_t limit);

}  // namespace convkit::train
