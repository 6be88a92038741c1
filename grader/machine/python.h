// SPDX-License-Identifier: MIT
// The Python that runs the generator of reference data.
#pragma once

#include <filesystem>

namespace convkit {

// A Python that imports NumPy: $CONVKIT_PYTHON, else python3 on PATH, else /usr/bin/python3.
// Throws UsageError saying what to install.
std::filesystem::path find_python();

}  // namespace convkit
