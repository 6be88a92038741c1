// SPDX-License-Identifier: MIT
// The four IDX files that a training program is given.
#pragma once

#include <filesystem>
#include <string>

#include "convkit/datasets.h"
#include "grade/kit.h"

namespace convkit {

struct TrainingFiles {
  std::string name;  // "mnist", "fashion", "synthetic", or the folder's name
  std::string note;  // worth telling, or ""
  ImageFiles train, test;
};

// `wanted`: mnist, fashion, synthetic, the path of a folder with files of one's own, or "": MNIST
// if it is found, otherwise the synthetic digits. Files are read and, where they claim to be
// originals, their sha256 compared, so that a program starts on good ones; synthetic digits are
// written to the cache once. Throws UsageError naming the file and what to do.
TrainingFiles find_training_files(const Kit& kit, const std::string& wanted);

}  // namespace convkit
