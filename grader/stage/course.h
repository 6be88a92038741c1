// SPDX-License-Identifier: MIT
// course.toml at the kit's root: what one course makes of the stages.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "stage/stage.h"

namespace convkit {

struct Course {
  std::set<std::string> reference;        // stages whose solution later ones may use
  std::map<std::string, double> weights;  // by stage; if empty, each counts by its points
  bool students_have_baselines = true;    // whether `pack students` packs them
  bool students_have_mend = true;         // whether `check` may try changes of their code

  // The share of a stage in the course, by weights or by points; 0 for a stage without a weight.
  double share(const Stage& stage, const std::vector<Stage>& stages) const;
};

// A course without the file allows nothing and weighs nothing. Throws KitError naming file, line
// and key.
Course load_course(const std::filesystem::path& file, const std::vector<Stage>& stages);

// The same from the file's text, which is not read again.
Course parse_course(const std::string& text, const std::filesystem::path& file,
                    const std::vector<Stage>& stages);

// The stages that `stage` needs, and those that they need, by id.
std::set<std::string> all_needs(const Stage& stage, const std::vector<Stage>& stages);

}  // namespace convkit
