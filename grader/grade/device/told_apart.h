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
// CONVKIT_SIMT, ...". Or by which check mode's instrumentation is avoided. Names in comments and
// strings do not count, but for the instrumentation's own functions. Macros can make up such a
// name, so nothing found proves nothing. Files that cannot be read are left out.
std::vector<std::string> names_that_tell_devices_apart(const std::filesystem::path& folder,
                                                       const std::vector<std::string>& files);

// A sentence if the plain build of a submission has symbols of check mode's instrumentation, which
// only a build for check mode needs; however the source spells them. Empty: it has none.
std::string note_on_symbols_of_check_mode(const std::filesystem::path& library);

}  // namespace convkit
