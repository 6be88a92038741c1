// SPDX-License-Identifier: MIT
// Collects what is worth a remark while a submission is taken in, and turns each sort into one
// sentence, however many files it concerns.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace convkit {

enum class Remark {
  kOnlyAFile,        // a single source was given, not an archive
  kLeftOut,          // version control, build results, ...
  kOpenedArchive,    // lay in the submission, which had no sources beside it
  kNestedArchive,    // kept as a file, not opened
  kBackslashes,      // '\' read as '/'
  kRenamed,          // control characters or invalid UTF-8 replaced
  kUtf16,            // a source no compiler reads
  kWindowsLineEnds,  // harmless
  kByteOrderMark,    // harmless
};

class Notes {
 public:
  void add(Remark remark, std::string_view path) { paths_[remark].emplace(path); }
  bool has(Remark remark) const { return paths_.count(remark) > 0; }
  const std::set<std::string>& paths(Remark remark) const { return paths_.at(remark); }

  // One sentence for each sort of remark, in the order above.
  std::vector<std::string> sentences() const;

 private:
  std::map<Remark, std::set<std::string>> paths_;
};

// "`a`, `b` and 4 more": at most `most` names in full.
std::string name_list(const std::set<std::string>& names, size_t most = 4);

// Looks at a source as it passes and remarks on its line ends and encoding.
class TextWatch {
 public:
  void see(std::string_view chunk);
  void remark(std::string_view path, Notes& notes) const;

 private:
  std::string head_;  // the first bytes, where a byte-order mark would be
  char last_ = 0;
  bool windows_line_ends_ = false;
};

}  // namespace convkit
