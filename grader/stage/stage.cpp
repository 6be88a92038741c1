// SPDX-License-Identifier: MIT
#include "stage/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

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

LoadedStages load_stages(const std::filesystem::path& assignments) {
  LoadedStages loaded;
  std::vector<Stage>& stages = loaded.stages;
  std::vector<BrokenStage>& broken = loaded.broken;  // clang 14: no lambda may use a binding
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(assignments, error)) {
    const auto file = entry.path() / "stage.toml";
    if (!std::filesystem::exists(file, error)) continue;
    try {
      stages.push_back(load_stage(file));
    } catch (const KitError& fault) {
      broken.push_back({entry.path().filename().string(), fault.what()});
    }
  }
  std::set<std::string> ids;
  for (const Stage& stage : stages) ids.insert(stage.id);
  for (const BrokenStage& stage : broken) ids.insert(stage.id);
  std::erase_if(stages, [&](const Stage& stage) {
    for (const std::string& need : stage.needs) {
      if (ids.contains(need)) continue;
      broken.push_back(
          {stage.id, fmt::format("{}: `needs` names \"{}\", and there is no such stage.",
                                 (stage.directory / "stage.toml").string(), need)});
      return true;
    }
    return false;
  });
  std::ranges::sort(stages, {}, &Stage::id);
  std::ranges::sort(broken, {}, &BrokenStage::id);
  if (!stages.empty()) return loaded;
  if (!broken.empty()) throw KitError(broken.front().fault);
  throw KitError(fmt::format("No stage was found below {}.", assignments.string()));
}

const Stage& find_stage(const std::vector<Stage>& stages, const std::string& name,
                        const std::vector<BrokenStage>& broken) {
  const bool number = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char ch) {
    return std::isdigit(ch) != 0;
  });
  const auto is_meant = [&](const std::string& id, int number_of_id) {
    return id == name || (number && name.size() < 4 && number_of_id == std::atoi(name.c_str()));
  };
  for (const Stage& stage : stages) {
    if (is_meant(stage.id, stage.number)) return stage;
  }
  for (const BrokenStage& stage : broken) {
    if (is_meant(stage.id, std::atoi(stage.id.c_str()))) throw KitError(stage.fault);
  }
  std::vector<std::string> ids;
  for (const Stage& stage : stages) ids.push_back(stage.id);
  const std::string near = nearest(name, ids);
  throw UsageError(fmt::format("There is no stage `{}`.{} Stages: {}.", name,
                               near.empty() ? "" : fmt::format(" Did you mean `{}`?", near),
                               fmt::join(ids, ", ")));
}

}  // namespace convkit
