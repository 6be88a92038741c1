// SPDX-License-Identifier: MIT
// A wrong variant: the solution with one known mistake, and what the grader must say about it.
//
//   assignments/<stage>/wrong/<any>.toml          [[variant]] tables: the name, what is expected,
//                                                 and edits of the solution
//   assignments/<stage>/wrong/<id>/expect.toml    what is expected of one variant, beside whole
//                                                 files, which replace the solution's before its
//                                                 edits are applied
//
// A file holds the variants of a task and has the name of the task's file: conv2d.toml.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace convkit {

struct WrongVariant {
  std::string id;       // its `name`, or the name of its folder
  std::string status;   // "WRONG", "CRASHED", "PASS", ...
  std::string op;       // an op whose cases show it; "" for PASS
  std::string mistake;  // the id of the diagnosis, "" where the status says it all
  std::string says;     // words that the message of a failing case must contain, or ""
  // "check": only the CPU device's check mode is sure to see it; "cpu": only the CPU device, where
  // what runs when does not depend on time; "gpu": only a GPU, where arithmetic has other modes.
  // Empty otherwise.
  std::string needs;
  std::string about;                         // one sentence for staff
  std::map<std::string, std::string> files;  // by path in the solution: the text to put there
};

// The ids of a stage's variants. A folder that does not exist has none. Throws KitError, as the
// functions below do, where a file is not TOML, holds something else than variants, or an id is
// there twice.
std::set<std::string> wrong_variant_ids(const std::filesystem::path& wrong);

// The variant `id`, its edits applied to the files of `solution`. The text that an edit looks for
// must be there exactly once. Throws KitError naming file, line and key.
WrongVariant load_wrong_variant(const std::filesystem::path& wrong, const std::string& id,
                                const std::filesystem::path& solution);

// All variants of a stage, by id.
std::vector<WrongVariant> load_wrong_variants(const std::filesystem::path& wrong,
                                              const std::filesystem::path& solution);

// Makes `folder` the solution with the variant's files in it.
void write_wrong_variant(const WrongVariant& variant, const std::filesystem::path& solution,
                         const std::filesystem::path& folder);

}  // namespace convkit
