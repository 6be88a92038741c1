// SPDX-License-Identifier: MIT
#include "submission/notes.h"

#include <fmt/core.h>

#include "submission/entry_path.h"

namespace convkit {
namespace {

std::string sentence(Remark remark, const std::set<std::string>& paths) {
  const std::string names = name_list(paths);
  const bool one = paths.size() == 1;
  switch (remark) {
    case Remark::kOnlyAFile:
      return fmt::format("{} was given as a single file, not as a folder or archive.", names);
    case Remark::kLeftOut:
      return fmt::format("Left out, because they do not belong to a submission: {}.", names);
    case Remark::kOpenedArchive:
      return fmt::format("Archives inside the submission were opened: {}.", names);
    case Remark::kNestedArchive:
      return fmt::format("Archives inside a submission are not opened: {}.", names);
    case Remark::kBackslashes:
      return fmt::format("Backslashes in names were read as `/`: {}.", names);
    case Remark::kRenamed:
      return fmt::format("Unprintable characters in names became `_`: {}.", names);
    case Remark::kUtf16:
      return fmt::format("{} {} UTF-16 text, which compilers do not read; save as UTF-8.", names,
                         one ? "is" : "are");
    case Remark::kWindowsLineEnds:
      return fmt::format("{} {} Windows line ends, which are harmless.", names,
                         one ? "has" : "have");
    case Remark::kByteOrderMark:
      return fmt::format("{} {} with a UTF-8 byte-order mark, which is harmless.", names,
                         one ? "starts" : "start");
  }
  return {};
}

}  // namespace

std::vector<std::string> Notes::sentences() const {
  std::vector<std::string> all;
  for (const auto& [remark, paths] : paths_) all.push_back(sentence(remark, paths));
  return all;
}

std::string name_list(const std::set<std::string>& names, size_t most) {
  // "and 1 more" would save nothing over the name itself.
  const size_t listed = names.size() <= most + 1 ? names.size() : most;
  std::string text;
  size_t i = 0;
  for (const std::string& name : names) {
    if (i == listed) break;
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += fmt::format("`{}`", shown(name));
    ++i;
  }
  if (listed < names.size()) text += fmt::format(" and {} more", names.size() - listed);
  return text;
}

void TextWatch::see(std::string_view chunk) {
  if (chunk.empty()) return;
  if (head_.size() < 3) head_ += chunk.substr(0, 3 - head_.size());
  windows_line_ends_ = windows_line_ends_ || chunk.find("\r\n") != std::string_view::npos ||
                       (last_ == '\r' && chunk.front() == '\n');
  last_ = chunk.back();
}

void TextWatch::remark(std::string_view path, Notes& notes) const {
  if (head_.starts_with("\xff\xfe") || head_.starts_with("\xfe\xff")) {
    notes.add(Remark::kUtf16, path);
    return;
  }
  if (windows_line_ends_) notes.add(Remark::kWindowsLineEnds, path);
  if (head_ == "\xef\xbb\xbf") notes.add(Remark::kByteOrderMark, path);
}

}  // namespace convkit
