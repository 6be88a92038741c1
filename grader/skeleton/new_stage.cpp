// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <cctype>
#include <regex>

#include "convkit/atomic_file.h"
#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "machine/python.h"
#include "skeleton/skeleton.h"
#include "skeleton/spec_cases.h"
#include "skeleton/template_text.h"
#include "stage/starter.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

// "08_image_blur" -> "Image blur"
std::string title_of(const std::string& id) {
  std::string title = id.substr(3);
  for (char& c : title) c = c == '_' ? ' ' : c;
  title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

void check_id(const Kit& kit, const std::string& id) {
  static const std::regex pattern("[0-9][0-9]_[a-z][a-z0-9_]*");
  if (!std::regex_match(id, pattern) || id.starts_with("00")) {
    throw UsageError(fmt::format(
        "`{}` is no name of a stage; write two digits from 01 on, an underscore, then a-z, 0-9 and "
        "_, such as 08_blur.",
        id));
  }
  for (const Stage& stage : kit.stages) {
    if (stage.id == id) throw UsageError(fmt::format("The stage {} exists already.", id));
    if (stage.id.substr(0, 2) == id.substr(0, 2)) {
      throw UsageError(fmt::format("The number {} is taken by {}.", id.substr(0, 2), stage.id));
    }
  }
}

void copy_template(const fs::path& from, const fs::path& to,
                   const std::map<std::string, std::string>& values) {
  for (const std::string& file : list_files(from)) {
    fs::create_directories((to / file).parent_path());
    write_whole(to / file, filled_in(kit_file_text(from / file), values));
  }
}

}  // namespace

Stage write_new_stage(const Kit& kit, const std::string& id, bool gpu) {
  kit.must_be_whole();
  check_id(kit, id);
  const fs::path templates = template_folder(kit);
  find_python();  // before anything is written
  const fs::path assignment = kit.root / "assignments" / id, solution = kit.root / "solutions" / id;
  const fs::path folders[] = {assignment, solution, kit.root / "starter" / id,
                              kit.root / "reference_data" / "visible" / id};
  for (const fs::path& folder : folders) {
    if (fs::exists(folder)) throw UsageError(fmt::format("{} exists already.", folder.string()));
  }
  const std::map<std::string, std::string> values = {
      {"STAGE", id}, {"NUMBER", id.substr(0, 2)}, {"TITLE", title_of(id)}};
  try {
    const fs::path of_device = templates / (gpu ? "gpu_stage" : "cpu_stage");
    copy_template(templates / "any_stage" / "assignments", assignment, values);
    copy_template(of_device / "assignments", assignment, values);
    copy_template(of_device / "solutions", solution, values);
    Stage stage = load_stage(assignment / "stage.toml");
    write_starter(solution, kit.starter(stage));
    make_visible_cases(kit, id);
    return stage;
  } catch (...) {
    std::error_code error;
    for (const fs::path& folder : folders) fs::remove_all(folder, error);
    throw;
  }
}

}  // namespace convkit
