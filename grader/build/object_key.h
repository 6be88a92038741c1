// SPDX-License-Identifier: MIT
// What an object's name in the cache is made of.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "build/builder.h"
#include "convkit/sha256.h"

namespace convkit {

bool is_source(const std::string& file);  // *.cpp, *.cc, *.cxx

// Length before content, so that no two lists of parts run together.
void add_to_key(Sha256& key, std::string_view part);

// Throws where the file cannot be read: an object must not be kept under the key of half a file.
void add_file_to_key(Sha256& key, const std::filesystem::path& file);

// Everything that all objects of a request depend on: flags, compiler, processor, every header
// they might include.
std::string key_of_everything_shared(const BuildRequest& request, const Toolchain& toolchain);

}  // namespace convkit
