// SPDX-License-Identifier: MIT
// Pictures of a training: SVG files, written as a whole or not at all. All throw std::runtime_error
// naming the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "history.h"

namespace convkit::train {

// Loss, and both accuracies, over the epochs.
void draw_curves(const std::filesystem::path& file, const std::string& title,
                 const History& history);

// counts [classes][classes]: rows are labels, columns what the network said.
void draw_confusion(const std::filesystem::path& file, const std::string& title,
                    const std::vector<int>& counts, int classes);

// Filters of a convolution, w [m][c][kh][kw]: each channel of each map a small picture, blue below
// 0, red above. At most 256 of them.
void draw_filters(const std::filesystem::path& file, const std::string& title,
                  const std::vector<float>& w, int m, int c, int kh, int kw);

}  // namespace convkit::train
