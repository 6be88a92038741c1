// SPDX-License-Identifier: MIT
// Whether the loaded cuDNN can be used instead of the one whose header the runner was compiled
// with.
#pragma once

#include <cstddef>
#include <string>

namespace convkit::runner {

// From a number as in CUDNN_VERSION of cuDNN 9: 91400 -> "9.14.0".
inline std::string cudnn_version_text(size_t version) {
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

// One sentence, or "". Within a major version, a newer library has all that an older one had.
inline std::string cudnn_version_problem(size_t compiled, size_t loaded) {
  if (loaded / 10000 == compiled / 10000 && loaded / 100 >= compiled / 100) return "";
  return "cuDNN " + cudnn_version_text(loaded) +
         " was loaded, but the kit was built with the header of " + cudnn_version_text(compiled) +
         ": configure and build anew, or let LD_LIBRARY_PATH name the folder of that version.";
}

}  // namespace convkit::runner
