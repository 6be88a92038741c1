// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace convkit {

// Waits until a file below `folder` has been saved and nothing has changed for a moment (editors
// write in several steps). False: the user pressed Ctrl-C.
bool wait_for_save(const std::filesystem::path& folder);

}  // namespace convkit
