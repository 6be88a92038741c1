// SPDX-License-Identifier: MIT
// Files that a user names for a command to write.
#pragma once

#include <filesystem>

namespace convkit {

// `result`, `gradescope`: JSON files of these two forms; `json` is any.
enum class Format { json, result, gradescope, svg, html, xml, zip, tar_gz };

// Throws UsageError with one sentence, before minutes of work and not after, if `file` is a folder
// or cannot be written, or if it holds anything but an earlier file of this format: one slip in a
// command line must not replace a source file or a submission. An empty path is no file.
void must_be_writable(const std::filesystem::path& file, Format format);

}  // namespace convkit
