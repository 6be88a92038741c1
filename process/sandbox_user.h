// SPDX-License-Identifier: MIT
// Whom confined programs run as. Where the grader is root, each is a user of its own whom nobody
// else is, and all are in one group that nobody else is in; otherwise they are the grader's own
// user, and these functions do nothing.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>

namespace convkit {

// The group, chosen once for this process: a number without a name and without a running process.
// Nothing unless this process is root.
std::optional<gid_t> sandbox_group();

// A user for one program: of the same numbers, another one at every call until some hundred had
// their turn.
// The kernel counts the processes of a user, so programs that run side by side do not use up what
// each of them may have.
std::optional<uid_t> user_for_one_program();

// Confined programs may read what is in `folder` (and write there), other users may not. For the
// kit's own temporary folders.
void open_to_sandbox(const std::filesystem::path& folder, bool writable);

// Where temporary folders for them go: the system's folder for them, unless that is in a private
// one of root's and they have to pass it (`by_path`). access(2) and so g++ do without capabilities.
std::filesystem::path temporary_place_for_sandbox(bool by_path);

// Whether confined programs may read this file, or all that is in this folder. `by_path`: they
// have to pass the folders on the way, too (bubblewrap shows a file without them).
bool sandbox_may_read(const std::filesystem::path& path, bool by_path);

}  // namespace convkit
