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

}  // namespace convkit
