// SPDX-License-Identifier: MIT
// Whom confined programs run as. Where the grader is root, that is a user and group whom nobody
// else uses; otherwise it is the grader's own user, and these functions do nothing.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>

namespace convkit {

// The number of both, chosen once for this process: without a name, and without a running process.
// Nothing unless this process is root.
std::optional<uid_t> sandbox_user();

// Confined programs may read what is in `folder` (and write there), other users may not. For the
// kit's own temporary folders.
void open_to_sandbox(const std::filesystem::path& folder, bool writable);

// Where temporary folders for it go: the system's folder for them, unless that is in a private one
// of root's and its user has to pass it (`by_path`). access(2) and so g++ do without capabilities.
std::filesystem::path temporary_place_for_sandbox(bool by_path);

// Whether the sandbox's user may read this file, or all that is in this folder. `by_path`: it has
// to pass the folders on the way, too (bubblewrap shows a file without them).
bool sandbox_may_read(const std::filesystem::path& path, bool by_path);

}  // namespace convkit
