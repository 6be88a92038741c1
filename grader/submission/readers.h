// SPDX-License-Identifier: MIT
// The two readers: each goes through what was handed in and puts the regular files into the
// destination.
#pragma once

#include <filesystem>

#include "submission/destination.h"
#include "submission/file_kind.h"
#include "submission/intake.h"

namespace convkit {

// Copies the folder. Links and everything else that is not a regular file are refused by name.
void read_folder(const std::filesystem::path& folder, Destination& destination);

// Puts the one file, under its own name.
void read_single_file(const std::filesystem::path& file, Destination& destination);

// Unpacks the archive, which looks like `kind` (one of those that take_in() opens). `inner`: its
// path in the submission, if it lay there: then its entries go to a folder of that name without the
// ending.
void read_archive(const std::filesystem::path& archive, FileKind kind, Destination& destination,
                  const IntakeLimits& limits, const std::string& inner = "");

// The sentence for something in a submission that is neither a file nor a folder.
[[noreturn]] void refuse_entry(const Destination& destination, std::string_view what,
                               std::string_view path);

}  // namespace convkit
