// SPDX-License-Identifier: MIT
#include "stage/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "convkit/kit_error.h"
#include "convkit/nearest.h"

namespace convkit {

double Stage::speed_points() const {
  double sum = 0;
  for (const SpeedCase& s : speed) sum += s.points;
  return sum;
}

double Stage::max_points() const {
  double sum = speed_points();
  for (const Group& g : groups) sum += g.points;
  return sum;
}

const Task* Stage::task(const std::string& task_id) const {
  for (const Task& t : tasks) {
    if (t.id == task_id) return &t;
  }
  return nullptr;
}

std::vector<Stage> load_stages(const std::filesystem::path& assignments) {
  std::vector<Stage> stages;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(assignments, error)) {
    const auto file = entry.path() / "stage.toml";
    if (std::filesystem::exists(file)) stages.push_back(load_stage(file));
  }
  if (stages.empty()) {
    throw KitError(fmt::format("No stage was found below {}.", assignments.string()));
  }
  std::sort(stages.begin(), stages.end(),
            [](const Stage& a, const Stage& b) { return a.id < b.id; });
  for (const Stage& stage : stages) {
    for (const std::string& need : stage.needs) {
      if (std::ranges::find(stages, need, &Stage::id) != stages.end()) continue;
      throw KitError(fmt::format("{}: `needs` names \"{}\", and there is no such stage.",
                                 (stage.directory / "stage.toml").string(), need));
    }
  }
  return stages;
}

const Stage& find_stage(const std::vector<Stage>& stages, const std::string& name) {
  const bool number = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char ch) {
    return std::isdigit(ch) != 0;
  });
  for (const Stage& stage : stages) {
    if (stage.id == name) return stage;
    if (number && name.size() < 4 && stage.number == std::atoi(name.c_str())) return stage;
  }
  std::vector<std::string> ids;
  for (const Stage& stage : stages) ids.push_back(stage.id);
  const std::string near = nearest(name, ids);
  throw UsageError(fmt::format("There is no stage `{}`.{} Stages: {}.", name,
                               near.empty() ? "" : fmt::format(" Did you mean `{}`?", near),
                               fmt::join(ids, ", ")));
}

}  // namespace convkit
