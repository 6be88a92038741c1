// SPDX-License-Identifier: MIT
// A submission seen as folders, for finding stages in it. Paths are relative, with '/'; "" is the
// top.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "submission/intake.h"

namespace convkit {

inline std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

inline std::string last_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// Is `path` somewhere below `folder`?
inline bool lies_in(const std::string& path, const std::string& folder) {
  if (folder.empty()) return !path.empty();
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

// Every folder with the names of the files directly in it.
using FolderTree = std::map<std::string, std::vector<std::string>>;

inline FolderTree folder_tree(const Submission& submission) {
  FolderTree tree = {{"", {}}};
  for (const SubmittedFile& file : submission.files) {
    std::string folder = folder_of(file.path);
    tree[folder].push_back(last_name(file.path));
    for (; !folder.empty(); folder = folder_of(folder)) tree.try_emplace(folder_of(folder));
  }
  return tree;
}

enum class NameMatch {
  kNone,
  kNumber,  // only the stage's number: "01", "1", "stage-1"
  kName,    // the stage's name: "01_blur", "01-Blur (2)", "blur"
};

// Does `folder` (one name, no path) mean the stage `id` ("01_blur")?
NameMatch match_folder(std::string_view folder, std::string_view id);

}  // namespace convkit
