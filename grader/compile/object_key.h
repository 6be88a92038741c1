// SPDX-License-Identifier: MIT
// The parts of an object's name in the cache.
#pragma once

#include <filesystem>
#include <string>

#include "compile/builder.h"
#include "convkit/content_key.h"

namespace convkit {

bool is_source(const std::string& file);  // *.cpp, *.cc, *.cxx

// Everything that all objects of a request depend on: flags, compiler, processor, every header
// they might include.
std::string key_of_everything_shared(const BuildRequest& request, const Toolchain& toolchain);

}  // namespace convkit
