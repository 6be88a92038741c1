// SPDX-License-Identifier: MIT
// Which stage a folder's name means.
#pragma once

#include <string_view>

namespace convkit {

enum class NameMatch {
  kNone,
  kNumber,  // only the stage's number: "01", "1", "stage-1"
  kName,    // the stage's name: "01_cpu_conv", "01-CPU-conv (2)", "cpu_conv"
};

// Does `folder` (one name, no path) mean the stage `id` ("01_cpu_conv")?
NameMatch match_folder(std::string_view folder, std::string_view id);

}  // namespace convkit
