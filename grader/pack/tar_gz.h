// SPDX-License-Identifier: MIT
// Files in memory become an archive.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace convkit {

struct PackedFile {
  std::string path;  // in the archive, below its top folder; '/' separators
  std::string bytes;
  bool executable = false;
};

// Writes the files below the folder `top` into a .tar.gz; the same files always give the same
// bytes. Throws UsageError naming the archive, or where this build of the kit has no libarchive.
void write_tar_gz(const std::filesystem::path& archive, const std::string& top,
                  std::vector<PackedFile> files);

}  // namespace convkit
