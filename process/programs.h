// SPDX-License-Identifier: MIT
// The kit's own programs and libraries. All lie in one folder. In a checkout, those that not every
// command needs are built when they are first used.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace convkit {

class Programs {
 public:
  Programs() = default;
  explicit Programs(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }

  // Whether `file`, such as "01_cpu_conv.runner" or "libconvkit_simt.so", is there or can be built.
  bool has(const std::string& file) const;

  // The path of `file`, which is built first if it is not there. Throws KitError if there is no
  // such file, or if it cannot be built.
  std::filesystem::path need(const std::string& file) const;

  // The names of all files that are there or can be built, sorted.
  std::vector<std::string> all() const;

 private:
  // The CMake target that makes `file`, "" if there is none: parts.txt beside the programs has a
  // line "FILE TARGET" for each. An installed kit has no such list.
  std::string target_of(const std::string& file) const;

  std::filesystem::path folder_;
};

}  // namespace convkit
