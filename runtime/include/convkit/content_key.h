// SPDX-License-Identifier: MIT
// Parts of a cache key: the sha256 of everything that went into a file.
#pragma once

#include <filesystem>
#include <string_view>

#include "convkit/sha256.h"

namespace convkit {

// Length before content, so that no two lists of parts run together.
void add_to_key(Sha256& key, std::string_view part);

// Throws where the file cannot be read: an object must not be kept under the key of half a file.
void add_file_to_key(Sha256& key, const std::filesystem::path& file);

}  // namespace convkit
