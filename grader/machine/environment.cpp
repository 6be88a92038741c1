// SPDX-License-Identifier: MIT
#include "machine/environment.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "convkit/kit_error.h"
#include "process/layers.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

// Those of temporary files in the order in which the C++ library asks for them: the first that is
// set counts.
constexpr const char* kTemporary[] = {"TMPDIR", "TMP", "TEMP", "TEMPDIR"};
constexpr int64_t kLeastMemoryMib = 64;
constexpr const char* kFolders[] = {"CONVKIT_ROOT", "CONVKIT_CACHE", "CONVKIT_HIDDEN",
                                    "CONVKIT_WORK", "CONVKIT_DATA",  "XDG_CACHE_HOME",
                                    "HOME",         "TMPDIR",        "TMP",
                                    "TEMP",         "TEMPDIR"};

void make_absolute(const char* name) {
  const char* value = std::getenv(name);
  if (!value || !*value || *value == '/') return;
  setenv(name, fs::absolute(value).lexically_normal().c_str(), 1);
}

void must_hold_temporary_files(const char* name) {
  const std::string folder = std::getenv(name);
  if (folder.empty()) {
    throw UsageError(fmt::format(
        "{} is set but empty. Unset it, or set it to a folder for temporary files.", name));
  }
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw UsageError(fmt::format(
        "{} is {}, which is not a folder. Set it to a folder for temporary files.", name, folder));
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    throw UsageError(
        fmt::format("{} is {}, a folder that you cannot write to. Temporary files must go there.",
                    name, folder));
  }
}

void must_be_memory(const char* name) {
  const char* value = std::getenv(name);
  if (!value || !*value) return;
  const std::string_view text = value;
  int64_t mib = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mib);
  if (error == std::errc() && end == text.data() + text.size() && mib >= kLeastMemoryMib) return;
  throw UsageError(fmt::format("{} must be an integer of at least {}, not \"{}\".", name,
                               kLeastMemoryMib, text));
}

}  // namespace

void settle_environment() {
  for (const char* name : kFolders) make_absolute(name);
  for (const char* name : kTemporary) {
    if (!std::getenv(name)) continue;
    must_hold_temporary_files(name);
    break;
  }
  must_be_memory("CONVKIT_MEMORY_MIB");
  try {
    allowed_layers();
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what() + std::string("."));
  }
}

}  // namespace convkit
