// SPDX-License-Identifier: MIT
#include "convkit/temporary_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace convkit {

TemporaryFolder::TemporaryFolder(const std::string& purpose) {
  const std::filesystem::path base = std::filesystem::temp_directory_path();
  std::string pattern = (base / ("convkit-" + purpose + "-XXXXXX")).string();
  if (!mkdtemp(pattern.data())) {
    throw std::runtime_error("A temporary folder cannot be made in " + base.string() + ": " +
                             std::strerror(errno) + ".");
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

void copy_folder(const std::filesystem::path& from, const std::filesystem::path& to) {
  namespace fs = std::filesystem;
  fs::create_directories(to);
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    const fs::path copy = to / entry.path().lexically_relative(from);
    if (entry.is_directory()) {
      fs::create_directories(copy);
    } else {
      fs::copy_file(entry.path(), copy);
      fs::permissions(copy, fs::perms::owner_write, fs::perm_options::add);
    }
  }
}

}  // namespace convkit
