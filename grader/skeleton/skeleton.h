// SPDX-License-Identifier: MIT
// Skeletons that pass as they are, to be changed into what is wanted: a stage, a case, a wrong
// variant. Each function writes into the stage's own folders only. Where it throws, it leaves
// everything as it was: UsageError for a name that is not allowed or is taken, KitError where the
// generator fails.
#pragma once

#include <filesystem>
#include <string>

#include "grade/kit.h"

namespace convkit {

// The stage `id`, such as "08_blur", from templates/: its folders in assignments/, solutions/,
// starter/ and reference_data/visible/.
Stage write_new_stage(const Kit& kit, const std::string& id, bool gpu);

struct NewCase {
  std::string original;  // the name of the case it was copied from
  bool visible = true;   // as the original is
};
// Appends the case `name` to the stage's cases.toml and makes the visible cases anew. It is a copy
// of the last visible case of `op` ("": of all), or of the last one where all are hidden.
NewCase write_new_case(const Kit& kit, const Stage& stage, const std::string& name,
                       const std::string& op);

// The wrong variant `id`: an edit that finds a line of the solution's `file` ("": that of the first
// task) and leaves it out. It is appended to the file of variants that has the name of `file`
// (wrong/conv2d.toml for conv2d.cpp). Returns the path.
std::filesystem::path write_new_variant(const Kit& kit, const Stage& stage, const std::string& id,
                                        const std::string& file);

}  // namespace convkit
