// SPDX-License-Identifier: MIT
// The parts of an object's name in the cache.
#pragma once

#include <map>
#include <set>
#include <string>

#include "compile/build_request.h"
#include "convkit/sha256.h"
#include "cpu_device/cc/toolchain.h"

namespace convkit {

bool is_source(const std::string& file);  // *.cpp, *.cc, *.cxx, *.cu

// What all objects of a request depend on: flags, compiler, processor, the headers of kit and
// stage.
std::string key_of_everything_shared(const BuildRequest& request, const Toolchain& toolchain);

// For each source of the submission the files of the submission that compiling it may read, itself
// among them. Never too few: a name stands for all files with that name, and where only the
// preprocessor can tell what a file includes, each source may read everything.
std::map<std::string, std::set<std::string>> files_read_by_sources(const BuildRequest& request);

}  // namespace convkit
