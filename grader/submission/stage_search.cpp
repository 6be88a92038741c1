// SPDX-License-Identifier: MIT
#include "submission/stage_search.h"

#include <algorithm>
#include <tuple>

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

namespace {

// Keeps the candidates that hold the most required files; none where there are no files at all.
std::vector<Candidate> best_of(std::vector<Candidate> all) {
  const auto rank = [](const Candidate& c) { return std::tuple(c.exact + c.near, c.exact); };
  std::tuple<size_t, size_t> most{1, 0};
  for (const Candidate& candidate : all) most = std::max(most, rank(candidate));
  std::erase_if(all, [&](const Candidate& c) { return rank(c) < most; });
  return all;
}

}  // namespace

bool want_same_file(const StageFiles& a, const StageFiles& b) {
  return a.id != b.id && std::any_of(a.required.begin(), a.required.end(), [&](const auto& name) {
           return std::find(b.required.begin(), b.required.end(), name) != b.required.end();
         });
}

StageSearch::StageSearch(const Submission& submission, const std::vector<StageFiles>& stages)
    : stages_(stages),
      top_name_(submission.name.substr(0, submission.name.find('.'))),
      tree_(folder_tree(submission)) {
  // The map's order visits a folder before those below it.
  for (const auto& [folder, names] : tree_) {
    std::string& owner = owners_[folder];
    if (folder.empty()) continue;
    owner = owners_.at(folder_of(folder));
    for (const StageFiles& stage : stages) {
      if (match(folder, stage) == NameMatch::kName) owner = stage.id;
    }
  }
}

std::vector<Candidate> StageSearch::by_name(const StageFiles& stage) const {
  struct Named {
    Candidate candidate;
    bool is_name;
  };
  std::vector<Named> all;
  for (const auto& [folder, names] : tree_) {
    const NameMatch how = match(folder, stage);
    if (how == NameMatch::kNone) continue;
    if (how == NameMatch::kNumber && is_about_another(folder, stage)) continue;
    all.push_back({best_within(folder, stage), how == NameMatch::kName});
  }
  const bool any_files =
      std::any_of(all.begin(), all.end(), [](const Named& n) { return n.candidate.has_files(); });
  const bool any_name =
      std::any_of(all.begin(), all.end(), [](const Named& n) { return n.is_name; });
  // A bare number and no file of the stage is a weak sign; files elsewhere are a better one.
  if (!any_files && !any_name && !by_files(stage).empty()) return {};

  std::vector<Candidate> kept;
  for (const auto& [candidate, is_name] : all) {
    if (any_files ? !candidate.has_files() : any_name && !is_name) continue;
    const std::string& folder = candidate.folder;
    // Two full copies, one inside the other, are two places; a numbered folder inside is a detail.
    const bool may_be_nested = any_files && is_name;
    const bool known = std::any_of(kept.begin(), kept.end(), [&](const Candidate& outer) {
      return folder == outer.folder || (!may_be_nested && lies_in(folder, outer.folder));
    });
    if (!known) kept.push_back(candidate);
  }
  return kept;
}

std::vector<Candidate> StageSearch::by_files(const StageFiles& stage) const {
  std::vector<Candidate> all;
  for (const auto& [folder, names] : tree_) {
    if (!owners_.at(folder).empty()) continue;
    const Candidate candidate = look_at(folder, stage);
    if (!fits_another_better(candidate, stage)) all.push_back(candidate);
  }
  return best_of(std::move(all));
}

Candidate StageSearch::look_at(const std::string& folder, const StageFiles& stage) const {
  Candidate candidate{folder};
  const std::vector<std::string>& names = tree_.at(folder);
  for (const std::string& wanted : stage.required) {
    const bool exact = std::find(names.begin(), names.end(), wanted) != names.end();
    const bool near = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return name_distance(name, wanted) == size_t{0};
    });
    candidate.exact += exact;
    candidate.near += near && !exact;
    candidate.missing += !near && !exact;
  }
  return candidate;
}

bool StageSearch::fits_another_better(const Candidate& candidate, const StageFiles& stage) const {
  const auto faults = [](const Candidate& c) { return std::tuple(c.missing, c.near); };
  return std::any_of(stages_.begin(), stages_.end(), [&](const StageFiles& other) {
    return want_same_file(stage, other) &&
           faults(look_at(candidate.folder, other)) < faults(candidate);
  });
}

NameMatch StageSearch::match(const std::string& folder, const StageFiles& stage) const {
  if (!folder.empty()) return match_folder(last_name(folder), stage.id);
  // The name of an archive is a sign, but never more than the names inside it.
  const bool meant = match_folder(top_name_, stage.id) != NameMatch::kNone;
  return meant ? NameMatch::kNumber : NameMatch::kNone;
}

// A folder "1" above or below a folder with another stage's name numbers something else.
bool StageSearch::is_about_another(const std::string& folder, const StageFiles& stage) const {
  return std::any_of(owners_.begin(), owners_.end(), [&](const auto& owned) {
    const auto& [other, owner] = owned;
    return !owner.empty() && owner != stage.id && (other == folder || lies_in(other, folder));
  });
}

// The folder itself, or the one folder below it ("src") that holds the required files.
Candidate StageSearch::best_within(const std::string& folder, const StageFiles& stage) const {
  const Candidate top = look_at(folder, stage);
  if (top.has_files()) return top;
  std::vector<Candidate> below;
  for (const auto& [other, owner] : owners_) {
    const bool free = owner.empty() || owner == stage.id;
    if (free && lies_in(other, folder)) below.push_back(look_at(other, stage));
  }
  below = best_of(std::move(below));
  return below.size() == 1 ? below.front() : top;
}

}  // namespace convkit
