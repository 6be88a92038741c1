// SPDX-License-Identifier: MIT
#include "work/work_folder.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "convkit/atomic_file.h"
#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "convkit/nearest.h"
#include "json_text.h"
#include "work/editor_files.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

fs::path memory_file(const Kit& kit, const Stage& stage) {
  return kit.work(stage).parent_path() / ".progress" / (stage.id + ".json");
}

// Memory of this kind is a convenience: damaged or unwritable, it is simply forgotten.
json recall(const Kit& kit, const Stage& stage) try {
  json value = parse_json(file_text(memory_file(kit, stage)));
  return value.is_object() ? value : json::object();
} catch (const json::exception&) {
  return json::object();
}

void keep(const Kit& kit, const Stage& stage, const json& value) {
  try {
    const fs::path file = memory_file(kit, stage);
    fs::create_directories(file.parent_path());
    write_whole(file, json_text(value));
  } catch (const std::exception&) {
  }
}

// What is remembered under "cases": for each device the names of cases, and whether they passed.
std::string device_of(const Kit& kit, const Stage& stage) {
  return stage.device == "gpu" ? kit.device.name : "cpu";
}

std::map<std::string, bool> known_cases(const json& memory, const std::string& device) {
  std::map<std::string, bool> known;
  const auto devices = memory.find("cases");
  if (devices == memory.end() || !devices->is_object()) return known;
  const auto cases = devices->find(device);
  if (cases == devices->end() || !cases->is_object()) return known;
  for (const auto& [name, passed] : cases->items()) {
    if (passed.is_boolean()) known[name] = passed.get<bool>();
  }
  return known;
}

// One that was skipped, as its file was not built, may still be as good as it was.
bool tells_of_the_case(const CaseResult& c) {
  return is_judged(c.status) && c.status != Status::skipped && c.status != Status::build_failed;
}

}  // namespace

WorkFolder open_work(const Kit& kit, const Stage& stage, const fs::path& folder) {
  WorkFolder work{folder.empty() ? kit.work(stage) : folder, {}};
  std::error_code error;
  if (!fs::is_directory(work.folder, error)) {
    throw UsageError(folder.empty()
                         ? fmt::format("{} does not exist. Begin with: ./convkit start {}",
                                       work.folder.string(), stage.number)
                         : fmt::format("{} is not a folder.", work.folder.string()));
  }
  work.files = list_files(work.folder);
  std::erase_if(work.files, is_editor_file);
  std::vector<std::string> others = work.files;  // what a missing file may be called by mistake
  std::erase_if(others, [&](const std::string& file) {
    return std::find(stage.files.begin(), stage.files.end(), file) != stage.files.end();
  });
  for (const std::string& file : stage.files) {
    if (std::find(work.files.begin(), work.files.end(), file) != work.files.end()) continue;
    const std::string near = nearest(file, others);
    throw UsageError(fmt::format("{} is missing in {}.{}", file, work.folder.string(),
                                 near.empty() ? "" : fmt::format(" Is it {}?", near)));
  }
  return work;
}

void remember_check(const Kit& kit, const Stage& stage, const StageResult& result) {
  if (result.cases.empty()) return;  // the kit could not read them
  json memory = recall(kit, stage);
  unsigned passed = 0;
  for (const CaseResult& c : result.cases) passed += c.status == Status::pass;
  memory["check"] = {{"passed", passed},
                     {"total", result.cases.size()},
                     {"points", result.points},
                     {"max_points", result.max_points},
                     {"kit", kit.version}};
  keep(kit, stage, memory);
}

std::optional<Progressed> last_check(const Kit& kit, const Stage& stage) {
  const json memory = recall(kit, stage);
  if (!memory.contains("check")) return std::nullopt;
  try {
    const json& check = memory["check"];
    return Progressed{check.at("passed"), check.at("total"), check.at("points"),
                      check.at("max_points"), check.at("kit") == kit.version};
  } catch (const json::exception&) {  // not what remember_check() wrote
    return std::nullopt;
  }
}

Changes changes_since_last_check(const Kit& kit, const Stage& stage, const StageResult& result) {
  Changes changes;
  const auto known = known_cases(recall(kit, stage), device_of(kit, stage));
  for (const CaseResult& c : result.cases) {
    const auto before = known.find(c.name);
    const bool passes = c.status == Status::pass;
    if (before == known.end() || before->second == passes || !tells_of_the_case(c)) continue;
    (passes ? changes.newly_passing : changes.no_longer_passing).push_back(c.name);
  }
  return changes;
}

void remember_cases(const Kit& kit, const Stage& stage, const StageResult& result) {
  json memory = recall(kit, stage);
  const std::string device = device_of(kit, stage);
  auto known = known_cases(memory, device);
  for (const CaseResult& c : result.cases) {
    if (tells_of_the_case(c)) known[c.name] = c.status == Status::pass;
  }
  if (!memory["cases"].is_object()) memory["cases"] = json::object();
  memory["cases"][device] = known;
  keep(kit, stage, memory);
}

std::map<std::string, unsigned> hints_shown(const Kit& kit, const Stage& stage) {
  std::map<std::string, unsigned> shown;
  const json memory = recall(kit, stage);
  if (memory.contains("hints") && memory["hints"].is_object()) {
    for (const auto& [task, count] : memory["hints"].items()) {
      if (count.is_number_unsigned()) shown[task] = count.get<unsigned>();
    }
  }
  return shown;
}

void remember_hints(const Kit& kit, const Stage& stage,
                    const std::map<std::string, unsigned>& shown) {
  json memory = recall(kit, stage);
  memory["hints"] = shown;
  keep(kit, stage, memory);
}

}  // namespace convkit
