// SPDX-License-Identifier: MIT
// The rules for names: what a path inside a submission may be, and how names are shown to people.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace convkit {

// One path of a submission after the rules.
struct EntryPath {
  std::string path;             // relative, '/' separators, no "." or ".."; "" is the top itself
  bool backslashes = false;     // '\' was read as '/'
  bool replaced = false;        // control characters or invalid UTF-8 became '_'
  bool names_a_folder = false;  // it ended in a separator
};

// The longest name a file system takes, and the longest relative path convkit takes (bytes).
inline constexpr size_t kMaxNameBytes = 255;
inline constexpr size_t kMaxPathBytes = 1024;

// Applies the rules to `raw` as it stands in `submission` (named in the sentences). Repairs what
// has one clear meaning; throws SubmissionError for absolute paths, drive letters, ".." and names
// that are too long. Spaces and letters of any script are kept.
EntryPath clean_path(std::string_view raw, std::string_view submission);

// `name` as a message may show it: printable, valid UTF-8, cut in the middle when very long.
std::string shown(std::string_view name);

// `path` with ASCII letters in lower case: two names that are one on Windows and macOS.
std::string fold_case(std::string_view path);

// Files that do not belong to a submission although they are in its folder: version control, build
// results, and files of operating systems and editors.
// The part of `path` that is left out ("a/.git/" for "a/.git/config", "b/x.o"), or nothing when the
// path is taken. `is_folder` says whether the path itself is one. A folder ends in '/'.
std::optional<std::string> left_out(std::string_view path, bool is_folder);

}  // namespace convkit
