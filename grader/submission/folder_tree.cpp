// SPDX-License-Identifier: MIT
#include "submission/folder_tree.h"

#include <string>

#include "submission/entry_path.h"

namespace convkit {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

struct FolderName {
  std::string number;  // without leading zeros; "" where there is none
  std::string words;   // what follows, letters and digits only
};

FolderName read_name(std::string_view text) {
  std::string letters;
  for (const char c : fold_case(text)) {
    // Bytes from 128 on belong to letters of other scripts.
    const bool letter =
        (c >= 'a' && c <= 'z') || is_digit(c) || static_cast<unsigned char>(c) >= 128;
    if (letter) letters += c;
  }
  std::string_view rest = letters;
  constexpr std::string_view kPrefix = "stage";
  if (rest.starts_with(kPrefix) && rest.size() > kPrefix.size() && is_digit(rest[kPrefix.size()])) {
    rest.remove_prefix(kPrefix.size());
  }
  FolderName name;
  bool zero = false;
  for (; !rest.empty() && is_digit(rest.front()); rest.remove_prefix(1)) {
    zero = zero || rest.front() == '0';
    if (rest.front() != '0' || !name.number.empty()) name.number += rest.front();
  }
  if (zero && name.number.empty()) name.number = "0";
  name.words = rest;
  return name;
}

}  // namespace

NameMatch match_folder(std::string_view folder, std::string_view id) {
  const FolderName found = read_name(folder), wanted = read_name(id);
  if (wanted.words.empty()) {
    return found.number == wanted.number && found.words.empty() ? NameMatch::kName
                                                                : NameMatch::kNone;
  }
  if (found.number.empty()) {
    return found.words == wanted.words ? NameMatch::kName : NameMatch::kNone;
  }
  if (found.number != wanted.number) return NameMatch::kNone;
  if (found.words.empty()) return NameMatch::kNumber;
  // "01_blur (1)" and "01_blur_final" are copies of it.
  return found.words.starts_with(wanted.words) ? NameMatch::kName : NameMatch::kNone;
}

}  // namespace convkit
