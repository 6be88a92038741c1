// SPDX-License-Identifier: MIT
#include "submission/name_distance.h"

#include <algorithm>

#include "convkit/nearest.h"
#include "submission/entry_path.h"

namespace convkit {
namespace {

// Removes a trailing "(12)", with the blank before it.
void drop_copy_number(std::string& stem) {
  if (!stem.ends_with(')')) return;
  const size_t open = stem.rfind('(');
  if (open == std::string::npos || open + 2 >= stem.size()) return;
  const std::string_view between = std::string_view(stem).substr(open + 1, stem.size() - open - 2);
  if (between.find_first_not_of("0123456789") != std::string_view::npos) return;
  stem.resize(open);
  while (stem.ends_with('_')) stem.pop_back();
}

}  // namespace

std::string plain_name(std::string_view file) {
  std::string name = fold_case(file);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == ' '; }, '_');
  for (const std::string_view added : {".txt", ".bak", ".orig", "~"}) {
    const std::string_view rest(name.data(), name.size() - std::min(name.size(), added.size()));
    if (name.ends_with(added) && (rest.find('.') != rest.npos)) name.resize(rest.size());
  }
  const size_t dot = std::min(name.rfind('.'), name.size());
  const std::string extension = name.substr(dot);
  name.resize(dot);
  drop_copy_number(name);
  for (const std::string_view added : {"_copy", "_kopie", "_final"}) {
    if (name.size() > added.size() && name.ends_with(added))
      name.resize(name.size() - added.size());
  }
  return name + extension;
}

std::optional<size_t> name_distance(std::string_view found, std::string_view wanted) {
  const std::string a = plain_name(found), b = plain_name(wanted);
  const size_t dot_a = std::min(a.rfind('.'), a.size()), dot_b = std::min(b.rfind('.'), b.size());
  const std::string_view stem_a(a.data(), dot_a), stem_b(b.data(), dot_b);
  const size_t distance = edit_distance(stem_a, stem_b);
  // A third of the name may be wrong: "conv" is near "conv2d", "relu" is not near "conv".
  if (distance > std::max<size_t>(1, stem_b.size() / 3)) return std::nullopt;
  return distance + (a.substr(dot_a) != b.substr(dot_b));
}

}  // namespace convkit
