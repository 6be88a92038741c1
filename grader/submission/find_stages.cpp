// SPDX-License-Identifier: MIT
// A stage is found if one candidate folder is clearly the best. Names of folders are looked at
// first; a stage whose folder has no clear name is then found by its required files.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "convkit/file_text.h"
#include "submission/entry_path.h"
#include "submission/folder_tree.h"
#include "submission/intake.h"
#include "submission/notes.h"
#include "submission/stage_search.h"

namespace convkit {
namespace {

using Places = std::map<std::string, std::string>;  // stage id -> its folder

std::string shown_folder(const std::string& folder, const Submission& submission) {
  return folder.empty() ? fmt::format("the top of `{}`", shown(submission.name))
                        : fmt::format("`{}`", shown(folder));
}

std::string several_places(const StageFiles& stage, const std::vector<Candidate>& candidates,
                           const Submission& submission) {
  std::string places;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (i > 0) places += i + 1 == candidates.size() ? " and " : ", ";
    places += shown_folder(candidates[i].folder, submission);
  }
  return fmt::format("Stage {} is in {} places, {}", stage.id, candidates.size(), places);
}

bool is_wanted(const std::string& file, const StageFiles& stage) {
  return std::ranges::any_of(stage.required, [&](const std::string& wanted) {
    return name_distance(file, wanted) == size_t{0};
  });
}

// The stage's own files that lie directly in the folder, by their names.
std::map<std::string, const SubmittedFile*> wanted_files(const StageFiles& stage,
                                                         const std::string& folder,
                                                         const Submission& submission) {
  std::map<std::string, const SubmittedFile*> files;
  for (const SubmittedFile& file : submission.files) {
    const std::string name = last_name(file.path);
    if (folder_of(file.path) == folder && is_wanted(name, stage)) files[name] = &file;
  }
  return files;
}

int64_t last_saved(const StageFiles& stage, const Candidate& candidate,
                   const Submission& submission) {
  int64_t last = 0;
  for (const auto& [name, file] : wanted_files(stage, candidate.folder, submission)) {
    last = std::max(last, file->modified);
  }
  return last;
}

bool hold_the_same(const StageFiles& stage, const Candidate& one, const Candidate& other,
                   const Submission& submission) {
  const auto ours = wanted_files(stage, one.folder, submission);
  const auto theirs = wanted_files(stage, other.folder, submission);
  const auto text = [&](const SubmittedFile& file) {
    return file_text(submission.root / file.path);
  };
  return !ours.empty() && std::ranges::equal(ours, theirs, [&](const auto& a, const auto& b) {
    return a.first == b.first && a.second->bytes == b.second->bytes && !submission.root.empty() &&
           text(*a.second) == text(*b.second);
  });
}

// Leaves one, if the others hold less of the stage, or are older, or the same.
void keep_the_best(const StageFiles& stage, std::vector<Candidate>& candidates,
                   const Submission& submission, FoundStages& found) {
  const std::string several = several_places(stage, candidates, submission);
  const auto keep_most = [&](const auto& rank) {
    const auto most = rank(*std::ranges::max_element(candidates, {}, rank));
    return std::erase_if(candidates, [&](const Candidate& c) { return rank(c) < most; }) > 0;
  };
  const bool fuller =
      keep_most([](const Candidate& c) { return std::pair(c.exact + c.near, c.exact); });
  const bool newer = candidates.size() > 1 && keep_most([&](const Candidate& c) {
                       return last_saved(stage, c, submission);
                     });
  const bool same = std::ranges::all_of(candidates, [&](const Candidate& c) {
    return &c == &candidates.front() || hold_the_same(stage, candidates.front(), c, submission);
  });
  if (!same) {
    found.problems.push_back(several + ", equally complete and equally old; hand in one of them.");
    return;
  }
  candidates.resize(1);
  found.notes.push_back(
      !fuller && !newer
          ? several + ". They hold the same files of the stage."
          : fmt::format("{}. {} is graded, which {}. To have another one graded, hand in that one "
                        "alone.",
                        several, shown_folder(candidates.front().folder, submission),
                        newer ? "was saved last" : "has more of the stage's files"));
}

// A folder without a telling name may fit two stages equally, as both want files of one name.
using Guesses = std::map<std::string, std::vector<const StageFiles*>>;  // by folder

void settle_guesses(const Guesses& guesses, const Submission& submission, Places& places,
                    std::vector<std::string>& problems) {
  for (const auto& [folder, stages] : guesses) {
    for (const StageFiles* stage : stages) {
      const auto rival = std::find_if(stages.begin(), stages.end(), [&](const StageFiles* other) {
        return want_same_file(*stage, *other);
      });
      if (rival == stages.end()) {
        places[stage->id] = folder;
      } else if (stage->id < (*rival)->id) {
        problems.push_back(
            fmt::format("{} could be stage {} or {}; name the folder after its stage.",
                        shown_folder(folder, submission), stage->id, (*rival)->id));
      }
    }
  }
}

// For each missing file the nearest name, each file offered once, the closest pairs first.
std::vector<std::string> nearest_names(const FoundStage& found, const StageFiles& stage) {
  std::vector<std::tuple<size_t, size_t, std::string>> pairs;  // distance, which missing, file
  for (size_t i = 0; i < found.missing.size(); ++i) {
    for (const std::string& file : found.files) {
      const bool wanted_itself =
          std::find(stage.required.begin(), stage.required.end(), file) != stage.required.end();
      const auto distance = name_distance(last_name(file), found.missing[i]);
      if (distance && !wanted_itself) pairs.emplace_back(*distance, i, file);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  std::vector<std::string> nearest(found.missing.size());
  std::set<std::string> offered;
  for (const auto& [distance, i, file] : pairs) {
    if (nearest[i].empty() && offered.insert(file).second) nearest[i] = file;
  }
  return nearest;
}

FoundStage describe(const StageFiles& stage, const Places& places, const Submission& submission) {
  FoundStage found;
  found.id = stage.id;
  found.folder = places.at(stage.id);
  for (const SubmittedFile& file : submission.files) {
    if (!lies_in(file.path, found.folder)) continue;
    // A stage's folder inside this one keeps its files to itself.
    const bool of_another = std::any_of(places.begin(), places.end(), [&](const auto& place) {
      return lies_in(place.second, found.folder) && lies_in(file.path, place.second);
    });
    if (of_another) continue;
    const size_t skip = found.folder.empty() ? 0 : found.folder.size() + 1;
    found.files.push_back(file.path.substr(skip));
  }
  for (const std::string& wanted : stage.required) {
    if (std::find(found.files.begin(), found.files.end(), wanted) == found.files.end()) {
      found.missing.push_back(wanted);
    }
  }
  found.nearest = nearest_names(found, stage);
  return found;
}

std::string nothing_found(const Submission& submission, const std::vector<StageFiles>& stages) {
  std::set<std::string> top, wanted;
  for (const SubmittedFile& file : submission.files) {
    const size_t slash = file.path.find('/');
    top.insert(slash == std::string::npos ? file.path : file.path.substr(0, slash + 1));
  }
  for (const StageFiles& stage : stages) wanted.insert(stage.id);
  return fmt::format(
      "`{}` contains no stage: it holds {}, but no folder such as {} and none of "
      "the files a stage needs.",
      shown(submission.name), name_list(top), name_list(wanted, 1));
}

}  // namespace

FoundStages find_stages(const Submission& submission, const std::vector<StageFiles>& stages) {
  const StageSearch search(submission, stages);
  FoundStages found;
  Places places;
  std::set<std::string> named;  // folders that a name gives to a stage
  std::vector<const StageFiles*> unnamed;
  const auto is_clear = [&](const StageFiles& stage, std::vector<Candidate>& candidates) {
    if (candidates.size() > 1) keep_the_best(stage, candidates, submission, found);
    return candidates.size() == 1;
  };
  for (const StageFiles& stage : stages) {
    std::vector<Candidate> candidates = search.by_name(stage);
    for (const Candidate& candidate : candidates) named.insert(candidate.folder);
    if (candidates.empty()) unnamed.push_back(&stage);
    if (is_clear(stage, candidates)) places[stage.id] = candidates.front().folder;
  }
  named.erase("");  // the top may hold the files of several stages

  Guesses guesses;
  for (const StageFiles* stage : unnamed) {
    std::vector<Candidate> candidates = search.by_files(*stage);
    std::erase_if(candidates, [&](const Candidate& c) { return named.count(c.folder) > 0; });
    if (is_clear(*stage, candidates)) guesses[candidates.front().folder].push_back(stage);
  }
  settle_guesses(guesses, submission, places, found.problems);

  for (const StageFiles& stage : stages) {
    if (places.count(stage.id) > 0) found.stages.push_back(describe(stage, places, submission));
  }
  std::sort(found.stages.begin(), found.stages.end(),
            [](const FoundStage& a, const FoundStage& b) { return a.id < b.id; });
  if (found.stages.empty() && found.problems.empty()) {
    found.problems.push_back(nothing_found(submission, stages));
  }
  return found;
}

}  // namespace convkit
