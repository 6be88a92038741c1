// SPDX-License-Identifier: MIT
#include "skeleton/spec_cases.h"

#include <fmt/core.h>

#include <toml++/toml.h>
#include <chrono>

#include "convkit/kit_error.h"
#include "machine/python.h"
#include "process/process.h"

namespace convkit {

std::vector<SpecCase> read_spec_cases(const std::filesystem::path& spec) {
  std::vector<SpecCase> cases;
  try {
    const toml::table file = toml::parse_file(spec.string());
    const toml::array* entries = file["case"].as_array();
    if (!entries) return cases;
    for (const toml::node& entry : *entries) {
      const toml::table* keys = entry.as_table();
      if (!keys) continue;
      const auto word = [](auto node) { return node.value_or(std::string()); };
      const std::string op = word((*keys)["op"]);
      const std::string task = word((*keys)["task"]);
      cases.push_back({word((*keys)["name"]), op,
                       task.empty() ? word(file["defaults"][op]["task"]) : task,
                       entry.source().begin.line - 1});
    }
  } catch (const toml::parse_error& error) {
    throw KitError(
        fmt::format("{}:{}: {}", spec.string(), error.source().begin.line, error.description()));
  }
  return cases;
}

void make_visible_cases(const Kit& kit, const std::string& stage_id) {
  Command command;
  command.argv = {find_python().string(), (kit.root / "reference_data" / "generate.py").string(),
                  "--stage", stage_id};
  command.environment = handed_on({"PATH", "HOME", "PYTHONPATH", "LD_LIBRARY_PATH"});
  command.environment.push_back("PYTHONDONTWRITEBYTECODE=1");
  Limits limits;
  limits.wall = std::chrono::minutes(10);
  const Completed completed = run_process(command, limits);
  if (completed.ending.kind == Ending::Kind::exited && completed.ending.code == 0) return;
  throw KitError(fmt::format("The cases of {} could not be made: {}", stage_id,
                             completed.output.substr(0, completed.output.find('\n'))));
}

}  // namespace convkit
