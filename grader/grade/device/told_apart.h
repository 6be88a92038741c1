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

// Sentences on symbols of a submission's libraries, which are there however the source spells them:
// those of check mode's instrumentation in the `plain` one, which needs none; in the one
// `for_check_mode` those of check mode's own calls, and the dynamic linker's functions that find
// others. `for_check_mode` may be empty: there was none.
std::vector<std::string> notes_on_symbols(const std::filesystem::path& plain,
                                          const std::filesystem::path& for_check_mode);

// A sentence where the library calls what can hide a bad access: a signal's handler, or other
// rights for a page.
std::vector<std::string> notes_on_signals(const std::filesystem::path& library);

}  // namespace convkit
