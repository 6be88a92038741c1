// SPDX-License-Identifier: MIT
#include "grade/depends.h"

#include <fmt/core.h>

#include <algorithm>

#include "convkit/content_key.h"
#include "cpu_device/cc/toolchain.h"
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
    std::ranges::copy(kit.device_libraries(stage, true), std::back_inserter(programs));
  return programs;
}

}  // namespace

Depends depends_of(const Kit& kit, const std::vector<const Stage*>& stages, bool hidden) {
  Depends depends = {{"version of the kit", kit.version},
                     {"build of the kit", sha256_of({"/proc/self/exe", kit.confine()})},
                     {"compiler", Toolchain::find().version},
                     {"device", kit.device.gpu ? kit.device.name : "cpu"}};
  for (const Stage* stage : stages) {
    depends["programs of " + stage->id] = sha256_of(programs_of(kit, *stage));
    for (const std::string& file : list_files(stage->directory)) {
      if (!decides(file, *stage)) continue;
      depends[stage->id + "/" + file] = sha256_file(stage->directory / file);
    }
    const auto add_set = [&](const char* which, const fs::path& folder) {
      if (folder.empty()) return;
      depends[fmt::format("set of {} cases of {}", which, stage->id)] =
          sha256_file(folder / "manifest.json");
    };
    add_set("visible", kit.visible_cases(*stage));
    if (hidden) add_set("hidden", kit.wanted_hidden_cases(*stage));
  }
  return depends;
}

}  // namespace convkit
