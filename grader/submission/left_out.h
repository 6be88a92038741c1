// SPDX-License-Identifier: MIT
// Files that do not belong to a submission although they are in its folder: version control, build
// results, and files of operating systems and editors.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace convkit {

// The part of `path` that is left out ("a/.git/" for "a/.git/config", "b/x.o"), or nothing when the
// path is taken. `is_folder` says whether the path itself is one. A folder ends in '/'.
std::optional<std::string> left_out(std::string_view path, bool is_folder);

}  // namespace convkit
