// SPDX-License-Identifier: MIT
#include "submission/entry_path.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "submission/intake.h"

namespace convkit {
namespace {

struct CodePoint {
  uint32_t value = 0;
  size_t bytes = 0;  // 0: not valid UTF-8 here
};

CodePoint decode(std::string_view s) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || s.size() < bytes) return {};
  uint32_t value = lead & (0x7fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3fu);
  }
  const bool overlong = (bytes == 3 && value < 0x800) || (bytes == 4 && value < 0x10000);
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (overlong || surrogate || value > 0x10ffff) return {};
  return {value, bytes};
}

// Characters that move the cursor or turn the direction of writing: in a report they could make one
// name look like another.
bool is_control(uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069);
}

std::string as_printable(std::string_view raw) {
  std::string out;
  while (!raw.empty()) {
    const CodePoint c = decode(raw);
    const size_t bytes = std::max<size_t>(c.bytes, 1);
    if (c.bytes == 0 || is_control(c.value)) {
      out += '_';
    } else {
      out += raw.substr(0, bytes);
    }
    raw.remove_prefix(bytes);
  }
  return out;
}

bool has_drive_letter(std::string_view path) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return path.size() >= 2 && path[1] == ':' && is_letter(path[0]);
}

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> names;
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    if (slash > 0) names.push_back(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return names;
}

}  // namespace

EntryPath clean_path(std::string_view raw, std::string_view submission) {
  EntryPath clean;
  std::string path = as_printable(raw);
  clean.replaced = path != raw;
  clean.backslashes = path.find('\\') != std::string::npos;
  std::replace(path.begin(), path.end(), '\\', '/');

  const auto refuse = [&](std::string_view what) {
    throw SubmissionError(
        fmt::format("`{}` contains `{}`, {}.", shown(submission), shown(raw), what));
  };
  if (path.starts_with('/') || has_drive_letter(path)) {
    refuse("an absolute path; pack the folder itself, so that every path starts inside it");
  }
  for (const std::string_view name : split(path)) {
    if (name == ".") continue;
    if (name == "..")
      refuse("a path with `..`; pack the folder from outside, so that no path needs `..`");
    if (name.size() > kMaxNameBytes) {
      refuse(fmt::format("a name of {} bytes; {} is the most a file system takes: rename it",
                         name.size(), kMaxNameBytes));
    }
    if (!clean.path.empty()) clean.path += '/';
    clean.path += name;
  }
  if (clean.path.size() > kMaxPathBytes) {
    refuse(fmt::format("a path of {} bytes; {} is the most: use shorter names or fewer folders",
                       clean.path.size(), kMaxPathBytes));
  }
  clean.names_a_folder = path.ends_with('/');
  return clean;
}

std::string shown(std::string_view name) {
  constexpr size_t kHead = 60, kTail = 30;
  const std::string text = as_printable(name);
  if (text.size() <= kHead + kTail + 3) return text;
  // Cuts only between characters, never inside one.
  const auto inside = [&](size_t i) {
    return (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80;
  };
  size_t head = kHead, tail = text.size() - kTail;
  while (inside(head)) --head;
  while (inside(tail)) ++tail;
  return text.substr(0, head) + "…" + text.substr(tail);
}

std::string fold_case(std::string_view path) {
  std::string folded(path);
  for (char& c : folded) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return folded;
}

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
