// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/edits.h"

#include <algorithm>

#include "cpu_device/rewrite/lexer.h"

namespace convkit::rewrite {
namespace {

// Follows line and column through a text.
struct Cursor {
  size_t line = 1, column = 1;

  void pass(std::string_view text) {
    const size_t last = text.rfind('\n');
    if (last == std::string_view::npos) {
      column += text.size();
      return;
    }
    line += static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
    column = text.size() - last;
  }
};

// The line ends of a token are those of line continuations.
std::string line_ends(std::string_view replaced) {
  std::string ends;
  for (const char c : replaced) {
    if (c == '\n') ends += "\\\n";
  }
  return ends;
}

}  // namespace

void Edits::replace(size_t begin, size_t end, std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  edits_.push_back({begin, end, std::move(text)});
}

std::string Edits::apply(std::string_view text, ColumnMap& columns) const {
  std::vector<Edit> edits = edits_;
  // An insertion stands before what is replaced at the same place.
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    return a.begin == a.end && b.begin != b.end;
  });
  std::string result;
  Cursor before, after;
  size_t done = 0;
  for (const Edit& edit : edits) {
    if (edit.begin < done || edit.end > text.size()) continue;
    const std::string_view kept = text.substr(done, edit.begin - done);
    const std::string_view replaced = text.substr(edit.begin, edit.end - edit.begin);
    before.pass(kept);
    after.pass(kept);
    const size_t old_begin = before.column, new_begin = after.column;
    const std::string ends = line_ends(replaced);
    result.append(kept);
    // Words that are put in are not joined to those beside them: `{int i` and `{y[i]` need no
    // space.
    std::string put_in = edit.text;
    if (edit.begin == edit.end && !put_in.empty()) {
      const bool joins =
          !result.empty() && is_name_character(result.back()) && is_name_character(put_in.front());
      if (joins) put_in.insert(0, " ");
      if (is_name_character(put_in.back()) && edit.end < text.size() &&
          is_name_character(text[edit.end])) {
        put_in += ' ';
      }
    }
    result.append(put_in).append(ends);
    before.pass(replaced);
    after.pass(put_in);
    after.pass(ends);
    done = edit.end;
    // If the replaced text continues on another line, the columns there are its own.
    const size_t from = ends.empty() ? old_begin : 1;
    columns.changes_.push_back(
        {after.line, ends.empty() ? new_begin : 1, after.column, from, before.column});
  }
  result.append(text.substr(done));
  return result;
}

bool ColumnMap::changes_line(size_t line) const {
  const auto at = std::lower_bound(changes_.begin(), changes_.end(), line,
                                   [](const Change& c, size_t wanted) { return c.line < wanted; });
  return at != changes_.end() && at->line == line;
}

size_t ColumnMap::original(size_t line, size_t column) const {
  const Change* last = nullptr;
  for (auto at = std::lower_bound(changes_.begin(), changes_.end(), line,
                                  [](const Change&c, size_t wanted) { return c.line < wanted; });
       at != changes_.end() && at->line == line && at->new_begin <= column; ++at) {
    last = &*at;
  }
  if (!last) return column;
  if (column >= last->new_end) return column - last->new_end + last->old_end;
  // Inside what was put in: as far into what stood there, if anything did.
  const size_t length = last->old_end - last->old_begin;
  return last->old_begin + std::min(column - last->new_begin, length > 0 ? length - 1 : 0);
}

}  // namespace convkit::rewrite
