// SPDX-License-Identifier: MIT
// Which stage a folder's name means.
#pragma once

#include <string_view>

namespace convkit {

enum class NameMatch {
  kNone,
  kNumber,  // only the stage's number: "01", "1", "stage-1"
  kName,    // the stage's name: "01_blur", "01-Blur (2)", "blur"
};

// Does `folder` (one name, no path) mean the stage `id` ("01_blur")?
NameMatch match_folder(std::string_view folder, std::string_view id);

}  // namespace convkit
