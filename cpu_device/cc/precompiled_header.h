// SPDX-License-Identifier: MIT
// cuda_runtime.h precompiled, once for each set of flags, in the kit's cache.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace convkit {

struct PrecompiledHeaderRequest {
  std::filesystem::path compiler;
  std::string version;  // of the compiler
  bool clang = false;
  std::vector<std::string> flags;  // all that the source is compiled with
  std::filesystem::path headers;   // the kit's
  std::filesystem::path cache;
  std::filesystem::path scratch;
};

// Runs a command; true where it succeeded.
using RunQuietly = std::function<bool(const std::vector<std::string>&)>;

// The precompiled header, made where it is not there or where a header it was made from has changed
// since; nullopt: there is none, and the source is compiled without. Never throws.
std::optional<std::filesystem::path> precompiled_header(const PrecompiledHeaderRequest& request,
                                                        const RunQuietly& run);

// Puts it where the compilers look for it when they include `prefix`: beside that. One that does
// not fit after all is passed over. False: it could not be put there.
bool use_precompiled_header(const std::filesystem::path& header,
                            const std::filesystem::path& prefix);

}  // namespace convkit
