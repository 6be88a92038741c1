// SPDX-License-Identifier: MIT
// A wrong variant: the solution with one known mistake, and what the grader must say about it.
//
//   assignments/<stage>/wrong/<id>.toml           what is expected, and edits of the solution
//   assignments/<stage>/wrong/<id>/expect.toml    the same beside whole files, which replace the
//                                                 solution's before the edits are applied
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace convkit {

struct WrongVariant {
  std::string id;       // the name of its file or folder
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
