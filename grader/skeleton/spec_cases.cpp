// SPDX-License-Identifier: MIT
#include "skeleton/spec_cases.h"

#include <fmt/core.h>

#include <toml++/toml.h>

#include "convkit/kit_error.h"
#include "machine/python.h"

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
                       (*keys)["visible"].value_or(file["defaults"][op]["visible"].value_or(true)),
                       entry.source().begin.line - 1});
    }
  } catch (const toml::parse_error& error) {
    throw KitError(
        fmt::format("{}:{}: {}", spec.string(), error.source().begin.line, error.description()));
  }
  return cases;
}

void make_visible_cases(const Kit& kit, const std::string& stage_id) {
  const Generated made = run_generator(kit.root, {"--stage", stage_id});
  if (made.good) return;
  throw KitError(fmt::format("The cases of {} could not be made: {}", stage_id, made.sentence));
}

}  // namespace convkit
