// SPDX-License-Identifier: MIT
// The Python that runs the generator of reference data.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace convkit {

// A Python that imports NumPy: $CONVKIT_PYTHON, else python3 on PATH, else /usr/bin/python3.
// Throws UsageError saying what to install.
std::filesystem::path find_python();

struct Generated {
  bool good = false;
  // What the generator said: at last where it succeeded, otherwise what is wrong.
  std::string sentence;
};
// Runs reference_data/generate.py of the kit in `root`.
Generated run_generator(const std::filesystem::path& root,
                        const std::vector<std::string>& arguments);

}  // namespace convkit
