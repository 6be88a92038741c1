// SPDX-License-Identifier: MIT
#include "submission/left_out.h"

#include <algorithm>
#include <array>

#include "submission/entry_path.h"

namespace convkit {
namespace {

using namespace std::string_view_literals;

constexpr std::array kFolders = {
    ".git"sv,  ".hg"sv,     ".svn"sv,   "build"sv,    "__pycache__"sv,  "__macosx"sv,
    ".venv"sv, ".cache"sv,  ".vs"sv,    ".vscode"sv,  ".idea"sv,        "cmakefiles"sv,
    ".ccls"sv, ".clangd"sv, ".trash"sv, ".convkit"sv, "node_modules"sv, ".pytest_cache"sv,
};
constexpr std::array kFolderStarts = {"cmake-build-"sv};
constexpr std::array kFiles = {".ds_store"sv, "thumbs.db"sv, "desktop.ini"sv, "icon_"sv,
                               ".directory"sv};
constexpr std::array kFileStarts = {"._"sv};  // what macOS keeps about a file beside it
constexpr std::array kFileEnds = {".o"sv,   ".obj"sv, ".a"sv,   ".so"sv, ".dylib"sv,
                                  ".dll"sv, ".exe"sv, ".pyc"sv, ".swp"sv};

bool is_folder_left_out(std::string_view name) {
  return std::find(kFolders.begin(), kFolders.end(), name) != kFolders.end() ||
         std::any_of(kFolderStarts.begin(), kFolderStarts.end(),
                     [&](auto start) { return name.starts_with(start); });
}

bool is_file_left_out(std::string_view name) {
  return std::find(kFiles.begin(), kFiles.end(), name) != kFiles.end() ||
         std::any_of(kFileStarts.begin(), kFileStarts.end(),
                     [&](auto start) { return name.starts_with(start); }) ||
         std::any_of(kFileEnds.begin(), kFileEnds.end(),
                     [&](auto end) { return name.size() > end.size() && name.ends_with(end); });
}

}  // namespace

std::optional<std::string> left_out(std::string_view path, bool is_folder) {
  const std::string folded = fold_case(path);
  const std::string_view names = folded;
  for (size_t begin = 0; begin < names.size();) {
    const size_t slash = names.find('/', begin);
    const bool last = slash == std::string_view::npos;
    const std::string_view name = names.substr(begin, last ? slash : slash - begin);
    if (!last || is_folder) {
      if (is_folder_left_out(name)) return std::string(path.substr(0, begin + name.size())) + '/';
    } else if (is_file_left_out(name)) {
      return std::string(path);
    }
    if (last) break;
    begin = slash + 1;
  }
  return std::nullopt;
}

}  // namespace convkit
