// SPDX-License-Identifier: MIT
// Code that asks what it is compiled for may be other code there. Check mode then says nothing of
// the code that is timed, and a reader of the result should know.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace convkit {

// A sentence for each of `files` (relative names in `folder`) that uses a name by which the CPU
// device, its check mode and a GPU can be told apart, with the first such line: "tile.cu:12 uses
// CONVKIT_SIMT, ...". Names in comments and strings do not count. Macros can make up such a name,
// so nothing found proves nothing. Files that cannot be read are left out.
std::vector<std::string> names_that_tell_devices_apart(const std::filesystem::path& folder,
                                                       const std::vector<std::string>& files);

}  // namespace convkit
