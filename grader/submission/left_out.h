// SPDX-License-Identifier: MIT
// What is no part of a submission although it lies in its folder: version control, build results,
// and what operating systems and editors leave behind.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace convkit {

// The part of `path` that is left out ("a/.git/" for "a/.git/config", "b/x.o"), or nothing when the
// path is taken. `is_folder` says whether the path itself is one. A folder ends in '/'.
std::optional<std::string> left_out(std::string_view path, bool is_folder);

}  // namespace convkit
