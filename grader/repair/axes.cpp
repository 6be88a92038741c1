// SPDX-License-Identifier: MIT
#include "repair/axes.h"

#include <cctype>
#include <utility>

namespace convkit::repair {
namespace {

// Each word for rows, and the one for columns.
constexpr std::pair<std::string_view, std::string_view> kWords[] = {
    {"h", "w"},      {"oh", "ow"},        {"kh", "kw"},        {"i", "j"},
    {"p", "q"},      {"y", "x"},          {"r", "s"},          {"ty", "tx"},
    {"top", "left"}, {"bottom", "right"}, {"height", "width"}, {"down", "across"}};
constexpr std::pair<std::string_view, std::string_view> kParts[] = {
    {"_h", "_w"}, {"H", "W"}, {"Y", "X"}, {"row", "col"}, {"rows", "cols"}};

struct Word {
  std::string neutral, other;
  char axis = 0;
};

Word read(const std::string& word) {
  Word read = {word, word};
  for (const auto& [row, column] : kWords) {
    if (word != row && word != column) continue;
    const bool is_row = word == row;
    return {"#" + std::string(row), std::string(is_row ? column : row), is_row ? 'r' : 'c'};
  }
  for (const auto& [row, column] : kParts) {
    const size_t r = read.neutral.rfind(row), c = read.neutral.rfind(column);
    if (r == word.npos && c == word.npos) continue;
    const bool is_row = r != word.npos;
    const size_t at = is_row ? r : c, size = is_row ? row.size() : column.size();
    read.neutral.replace(at, size, "#");
    if (read.axis == 0) read.other.replace(at, size, is_row ? column : row);
    read.axis = is_row ? 'r' : 'c';
  }
  return read;
}

// Calls `take` with each word, and `copy` with each other character.
template <class Take, class Copy>
void each_word(std::string_view code, Take take, Copy copy) {
  std::string word;
  for (size_t i = 0; i <= code.size(); ++i) {
    const char c = i < code.size() ? code[i] : 0;
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
      continue;
    }
    if (!word.empty()) take(read(word));
    word.clear();
    if (c) copy(c);
  }
}

}  // namespace

Neutral without_axis(std::string_view code) {
  Neutral neutral;
  each_word(
      code,
      [&](const Word& word) {
        neutral.text += word.neutral;
        if (word.axis) neutral.axes += word.axis;
      },
      [&](char c) { neutral.text += c; });
  return neutral;
}

std::string other_axis(std::string_view code) {
  std::string other;
  each_word(
      code, [&](const Word& word) { other += word.other; }, [&](char c) { other += c; });
  return other;
}

}  // namespace convkit::repair
