// SPDX-License-Identifier: MIT
#include "stage/course.h"

#include <algorithm>

#include "convkit/file_text.h"
#include "stage/toml_reader.h"

namespace convkit {
namespace {

constexpr double kMostWeight = 10000;

void must_be_stage(const TomlReader& in, const toml::node* at, const std::string& id,
                   const std::vector<Stage>& stages) {
  if (std::ranges::find(stages, id, &Stage::id) != stages.end()) return;
  in.fail(at, fmt::format("there is no stage \"{}\".", id));
}

}  // namespace

double Course::share(const Stage& stage, const std::vector<Stage>& stages) const {
  const auto weight = [&](const Stage& s) {
    if (weights.empty()) return s.max_points();
    const auto found = weights.find(s.id);
    return found == weights.end() ? 0 : found->second;
  };
  double all = 0;
  for (const Stage& s : stages) all += weight(s);
  return all == 0 ? 0 : weight(stage) / all;
}

Course load_course(const std::filesystem::path& file, const std::vector<Stage>& stages) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return {};
  return parse_course(kit_file_text(file), file, stages);
}

Course parse_course(const std::string& text, const std::filesystem::path& file,
                    const std::vector<Stage>& stages) {
  Course course;
  const toml::table table = parse_toml(text, file);
  const TomlReader in(table, file.string(), "");
  // Those of a class are read by `class` (classroom/convkit_class/policy.py).
  in.only({"deadlines", "grading", "reference", "students", "weights"});
  for (const std::string& id : in.strings("reference")) {
    must_be_stage(in, table.get("reference"), id, stages);
    course.reference.insert(id);
  }
  const TomlReader students = in.section("students");
  students.only({"baselines", "mend"});
  course.students_have_baselines = !students.has("baselines") || students.flag("baselines");
  course.students_have_mend = !students.has("mend") || students.flag("mend");
  const TomlReader weights = in.section("weights");
  for (const auto& [key, node] : weights.table()) {
    const std::string id(key.str());
    must_be_stage(weights, &node, id, stages);
    course.weights[id] = weights.get_in<double>(id.c_str(), 0, kMostWeight);
  }
  return course;
}

std::set<std::string> all_needs(const Stage& stage, const std::vector<Stage>& stages) {
  std::set<std::string> all;
  std::vector<std::string> open = stage.needs;
  while (!open.empty()) {
    const std::string id = open.back();
    open.pop_back();
    if (!all.insert(id).second) continue;
    const auto needed = std::ranges::find(stages, id, &Stage::id);
    if (needed == stages.end()) continue;  // broken: nobody knows what it needs
    open.insert(open.end(), needed->needs.begin(), needed->needs.end());
  }
  return all;
}

}  // namespace convkit
