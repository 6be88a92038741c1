// SPDX-License-Identifier: MIT
// Changes to a text that leave every line where it was.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cpu_device/rewrite/source.h"

namespace convkit::rewrite {

// Where the columns of a changed text were before. Lines and columns count from 1, in bytes.
class ColumnMap {
 public:
  // The column that (line, column) of the changed text had in the original; inserted text has the
  // column where it was inserted.
  size_t original(size_t line, size_t column) const;
  bool changes_line(size_t line) const;

 private:
  friend class Edits;
  struct Change {
    size_t line, new_begin, new_end, old_begin, old_end;
  };
  std::vector<Change> changes_;  // by line, then column
};

class Edits {
 public:
  // Text put in must hold no line's end; line ends in what is replaced are kept.
  void insert(size_t at, std::string text) { replace(at, at, std::move(text)); }
  void replace(size_t begin, size_t end, std::string text);
  void replace(const Token& token, std::string text) {
    replace(token.begin, token.end, std::move(text));
  }
  bool empty() const { return edits_.empty(); }

  // A change that overlaps an earlier one is ignored. Insertions at one place keep their order.
  std::string apply(std::string_view text, ColumnMap& columns) const;

 private:
  struct Edit {
    size_t begin, end;
    std::string text;
  };
  std::vector<Edit> edits_;
};

}  // namespace convkit::rewrite
