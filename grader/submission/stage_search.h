// SPDX-License-Identifier: MIT
// Where in a submission a stage may lie: candidate folders, by their names and by the required
// files in them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "submission/folder_tree.h"
#include "submission/intake.h"

namespace convkit {

// `file` (a name without folders) without what downloads, copies and careful editors put around a
// name: "Conv2D (1).cpp.txt" -> "conv2d.cpp". In lower case, with '-' and ' ' as '_'.
std::string plain_name(std::string_view file);

// The distance between a file name found and the one wanted, 0 where only such trimmings differ;
// nothing where they are too far apart to be the same file.
std::optional<size_t> name_distance(std::string_view found, std::string_view wanted);

struct Candidate {
  std::string folder;
  size_t exact = 0;    // required files lying directly in it
  size_t near = 0;     // and those whose name is only dressed up: "Conv2d (1).cpp"
  size_t missing = 0;  // required files that are not in it
  bool has_files() const { return exact + near > 0; }
};

// Do the two (different) stages require a file of the same name?
bool want_same_file(const StageFiles& a, const StageFiles& b);

class StageSearch {
 public:
  // Keeps a reference to `stages`.
  StageSearch(const Submission& submission, const std::vector<StageFiles>& stages);

  // The folders whose names mean the stage; one is clear, several are ambiguous. If any of them has
  // required files, the others do not count; otherwise a name counts more than a number.
  std::vector<Candidate> by_name(const StageFiles& stage) const;

  // The folders that hold most of the required files, of those that no name gives to another stage
  // and that fit no stage with files of the same name better.
  std::vector<Candidate> by_files(const StageFiles& stage) const;

  Candidate look_at(const std::string& folder, const StageFiles& stage) const;

 private:
  NameMatch match(const std::string& folder, const StageFiles& stage) const;
  bool fits_another_better(const Candidate& candidate, const StageFiles& stage) const;
  bool is_about_another(const std::string& folder, const StageFiles& stage) const;
  Candidate best_within(const std::string& folder, const StageFiles& stage) const;

  const std::vector<StageFiles>& stages_;
  std::string top_name_;  // what the top folder would be called
  FolderTree tree_;
  std::map<std::string, std::string> owners_;  // folder -> the stage its path names; "" for none
};

}  // namespace convkit
