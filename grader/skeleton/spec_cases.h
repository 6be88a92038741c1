// SPDX-License-Identifier: MIT
// The cases of a stage as its cases.toml lists them. The generator alone knows what they mean.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grade/kit.h"

namespace convkit {

struct SpecCase {
  std::string name, op;
  // Its own, or those of [defaults.OP].
  std::string task;
  bool visible = true;
  size_t line = 0;  // of its [[case]], from 0 on
};

// Throws KitError naming file and line where it is not TOML.
std::vector<SpecCase> read_spec_cases(const std::filesystem::path& spec);

// Makes the stage's visible cases with the generator. Throws KitError with its sentence.
void make_visible_cases(const Kit& kit, const std::string& stage_id);

}  // namespace convkit
