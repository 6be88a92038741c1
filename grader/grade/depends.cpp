// SPDX-License-Identifier: MIT
#include "grade/depends.h"

#include <fmt/core.h>

#include <algorithm>

#include "convkit/sha256.h"
#include "cpu_device/cc/toolchain.h"
#include "grade/seeds.h"
#include "stage/cases.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

bool decides(const std::string& file, const Stage& stage) {
  return file == stage.api || file.starts_with("baseline/") ||
         (lies_at_top(file) && file.ends_with(".toml"));
}

std::string sha256_of(const std::vector<fs::path>& files) {
  Sha256 key;
  for (const fs::path& file : files) add_file_to_key(key, file);
  return sha256_hex(key.finish());
}

// What runs submissions to this stage.
std::vector<fs::path> programs_of(const Kit& kit, const Stage& stage) {
  std::vector<fs::path> programs = {kit.runner(stage)};
  if (stage.device == "gpu")
    std::ranges::copy(kit.device_libraries(stage, SimtMode::check), std::back_inserter(programs));
  return programs;
}

// How entries of a stage begin, besides those of its files: "03_tiled_conv/stage.toml".
constexpr const char *kProgramsOf = "programs of ", *kSetOf = "set of ";

std::string programs_key(const Stage& stage) {
  return kProgramsOf + stage.id;
}

Depends everywhere(const Kit& kit) {
  return {{"version of the kit", kit.version},
          {"build of the kit", sha256_of({"/proc/self/exe", kit.confine()})},
          {"compiler", Toolchain::find().version},
          {"device", kit.device.gpu ? kit.device.name : "cpu"}};
}

// Is `what` behind every verdict of the stage? All is but what belongs to other stages, and sets of
// cases and .toml files: their parts have fingerprints of their own, or are among stage.rules.
bool behind_all_functions(const std::string& what, const Stage& stage) {
  if (what.starts_with(kSetOf) || what.ends_with(".toml")) return false;
  const bool of_some_stage = what.starts_with(kProgramsOf) || what.find('/') != std::string::npos;
  return !of_some_stage || what == programs_key(stage) || what.starts_with(stage.id + "/");
}

// Of each function all its cases, stored or drawn; what is drawn follows from the seed.
class FunctionKeys {
 public:
  explicit FunctionKeys(const Stage& stage) : stage_(stage) {}

  void add_set(const fs::path& folder, bool hidden) {
    if (folder.empty()) return;
    for (const CaseSpec& spec : load_cases(folder, stage_)) {
      add(spec.op, spec.sha256, spec.hidden || hidden);
    }
    const std::string seed = hidden ? hidden_seed(folder / "manifest.json") : kVisibleSeed;
    for (const DrawnTable& table : stage_.drawn) add(table.op, table.text + seed, hidden);
    for (const AdjointTable& table : stage_.adjoint) {
      for (const AdjointCheck& check : table.checks) add(check.op, table.text + seed, hidden);
    }
    for (const TrainingTable& table : stage_.training) add(table.op, table.text + seed, hidden);
  }

  void add_to(Depends& prints) {
    for (auto& [op, key] : keys_) prints[key_of_function(stage_, op)] = sha256_hex(key.finish());
  }

 private:
  void add(const std::string& op, const std::string& what, bool hidden) {
    add_to_key(keys_[op], hidden ? "hidden" : "visible");
    add_to_key(keys_[op], what);
  }

  const Stage& stage_;
  std::map<std::string, Sha256> keys_;
};

}  // namespace

std::string key_of_all_functions(const Stage& stage) {
  return "all functions of " + stage.id;
}

std::string key_of_function(const Stage& stage, const std::string& op) {
  return fmt::format("{} of {}", op, stage.id);
}

std::string key_of_timing(const Stage& stage, const std::string& speed) {
  return fmt::format("timing {} of {}", speed, stage.id);
}

std::string key_of_limit(const Stage& stage, const std::string& name) {
  return fmt::format("limit {} of {}", name, stage.id);
}

std::map<std::string, uint64_t> limits_of_cases(const Stage& stage) {
  const StageLimits& limits = stage.limits;
  return {{"case_s", limits.one_case.count()},
          {"stage_s", limits.all_cases.count()},
          {"memory_mib", limits.memory_bytes >> 20},
          {"resident_mib", limits.resident_bytes >> 20},
          {"output_kib", limits.output_bytes >> 10}};
}

Depends depends_of(const Kit& kit, const std::vector<const Stage*>& stages, bool hidden) {
  Depends depends = everywhere(kit);
  for (const Stage* stage : stages) {
    depends[programs_key(*stage)] = sha256_of(programs_of(kit, *stage));
    for (const std::string& file : list_files(stage->directory)) {
      if (!decides(file, *stage)) continue;
      depends[stage->id + "/" + file] = sha256_file(stage->directory / file);
    }
    const auto add_set = [&](const char* which, const fs::path& folder) {
      if (folder.empty()) return;
      depends[fmt::format("{}{} cases of {}", kSetOf, which, stage->id)] =
          sha256_file(folder / "manifest.json");
    };
    add_set("visible", kit.visible_cases(*stage));
    if (hidden) add_set("hidden", kit.wanted_hidden_cases(*stage));
  }
  return depends;
}

Depends fingerprints_of(const Kit& kit, const std::vector<const Stage*>& stages, bool hidden,
                        const Depends& depends) {
  Depends prints;
  for (const Stage* stage : stages) {
    Sha256 all;
    add_to_key(all, stage->rules);
    for (const auto& [what, which] : depends) {
      if (!behind_all_functions(what, *stage)) continue;
      add_to_key(all, what);
      add_to_key(all, which);
    }
    prints[key_of_all_functions(*stage)] = sha256_hex(all.finish());

    FunctionKeys functions(*stage);
    functions.add_set(kit.visible_cases(*stage), false);
    if (hidden) functions.add_set(kit.wanted_hidden_cases(*stage), true);
    functions.add_to(prints);
    for (const SpeedCase& speed : stage->speed) {
      prints[key_of_timing(*stage, speed.name)] = sha256_hex(speed.text);
    }
    for (const auto& [name, limit] : limits_of_cases(*stage)) {
      prints[key_of_limit(*stage, name)] = std::to_string(limit);
    }
  }
  return prints;
}

}  // namespace convkit
