// SPDX-License-Identifier: MIT
// A submission with all mutants of some of its files, compiled once (repair/schema.h).
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "convkit/temporary_folder.h"
#include "cpu_device/rewrite/source.h"
#include "grade/mend/change_search.h"
#include "repair/mutants.h"

namespace convkit {

bool is_header(const std::string& file);

struct FileMutant {
  std::string file;
  repair::Mutant mutant;

  // The function that it changes: its file, and where its body begins.
  std::pair<std::string, size_t> function() const { return {file, mutant.body}; }
};

// Those of all files; the ones of a file stand side by side.
std::vector<FileMutant> mutants_of(const ChangeRequest& request);
// One for each function of these, which changes nothing: for MutantRunner::reaches().
std::vector<FileMutant> one_for_each_function(std::span<const FileMutant> mutants);

class MutantProgram {
 public:
  // The first mutant has the number 1.
  MutantProgram(const ChangeRequest& request, std::vector<FileMutant> mutants);

  // Leaves out what the compiler does not accept. False where it accepts nothing, or not within
  // `limit_s` for each of its runs.
  bool build(Builder& builder, ThreadPool& pool, double limit_s);

  const std::filesystem::path& library() const { return library_; }
  const std::filesystem::path& folder() const { return scratch_.path(); }
  const std::vector<FileMutant>& mutants() const { return mutants_; }
  const FileMutant& numbered(int number) const { return mutants_[static_cast<size_t>(number) - 1]; }
  const rewrite::Source& source(const std::string& file) const { return sources_.at(file); }
  // "in line 12 of a.cpp:\n- q < kh;\n+ q < kw;\n", and so for each place.
  std::string change_text(int number) const;
  // The file of a mutant with its change.
  std::string changed_text(int number) const;

 private:
  std::vector<std::string> files() const;
  void write();
  bool leave_out_what_fails(const std::string& log);

  const ChangeRequest& request_;
  TemporaryFolder scratch_;
  std::map<std::string, rewrite::Source> sources_;
  std::map<std::string, std::string> texts_;  // with the mutants
  std::vector<FileMutant> mutants_;
  std::set<std::pair<std::string, size_t>> failed_lines_;  // by file
  std::filesystem::path library_;
};

}  // namespace convkit
