// SPDX-License-Identifier: MIT
// The folders of this installation.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "compile/builder.h"
#include "grade/device/device.h"
#include "process/programs.h"
#include "session/session.h"
#include "stage/course.h"
#include "stage/stage.h"

namespace convkit {

struct Kit {
  std::filesystem::path root;  // the checkout: assignments/, solutions/, ...
  Programs programs;           // runners, convkit-confine, the CPU device's libraries
  std::string version;
  std::vector<Stage> stages;
  std::vector<BrokenStage> broken;  // asking for one of these is an error, and nothing else is
  Course course;
  Device device;  // of GPU stages; the CPU device unless use_device() found a GPU

  // Finds the root from $CONVKIT_ROOT, else upwards from this executable, else from the working
  // directory. Throws KitError saying what is missing.
  static Kit find();

  // By number or id, as find_stage(). Throws KitError saying what is wrong with a broken one.
  const Stage& stage(const std::string& name) const { return find_stage(stages, name, broken); }
  // For what concerns every stage: throws KitError where one is broken.
  void must_be_whole() const;

  // "cpu", "gpu" or "auto". Throws UsageError where "gpu" is wanted and there is none.
  void use_device(const std::string& wanted) { device = choose_device(wanted, programs); }
  // Whether a GPU stage would run on a GPU now, and whether it would run without one. Both are
  // false for a CPU stage.
  bool runs_on_gpu(const Stage& stage) const { return stage.device == "gpu" && device.gpu; }
  bool lacks_gpu(const Stage& stage) const { return stage.device == "gpu" && !device.gpu; }

  // The same installation, with GPU stages on the CPU device.
  Kit without_gpu() const;

  std::filesystem::path confine() const { return programs.folder() / "convkit-confine"; }
  // The libraries that a submission is linked with on the CPU device; that of the mode is first.
  std::vector<std::filesystem::path> device_libraries(const Stage& stage, SimtMode mode) const;
  // A program of the stage by how its name ends, ".runner" or ".train"; for the GPU where the stage
  // runs on one. Throws KitError where it was not built.
  std::filesystem::path program(const Stage& stage, const std::string& suffix) const;
  std::filesystem::path runner(const Stage& stage, SimtMode mode = SimtMode::plain) const;
  std::filesystem::path sanitizing_runner(const Stage& stage) const;  // of a CPU stage
  std::filesystem::path visible_cases(const Stage& stage) const;
  std::filesystem::path hidden_cases(const Stage& stage) const;  // need not exist
  // The hidden cases to grade with, or "" where the kit has none. Throws KitError where
  // $CONVKIT_HIDDEN names a folder without the stage: a typing error there must not be silent.
  std::filesystem::path wanted_hidden_cases(const Stage& stage) const;
  std::filesystem::path solution(const Stage& stage) const;
  // The same. Throws UsageError where this copy of the kit does not have it.
  std::filesystem::path need_solution(const Stage& stage) const;
  // Throws UsageError where this is a copy for students, without solutions or wrong variants.
  void must_have_solutions(const std::string& command) const;
  void must_have_generator(const std::string& command) const;
  std::filesystem::path starter(const Stage& stage) const;
  std::filesystem::path work(const Stage& stage) const;  // the student's own copy

  Builder builder() const;

  // `mode`: of the CPU device; means nothing for other devices.
  //
  // The request that builds `folder` as a submission to `stage`: its sources at the top. Those in
  // folders below, such as `old/`, may be included and are not compiled.
  BuildRequest build_request(const Stage& stage, const std::filesystem::path& folder,
                             std::vector<std::string> files, SimtMode mode = SimtMode::plain) const;
  // A session that loads `library`, confined and limited as stage.toml says.
  SessionOptions session_options(const Stage& stage, const std::filesystem::path& library,
                                 SimtMode mode = SimtMode::plain) const;
  // The same for time_in_turn().
  SessionOptions timed_session_options(const Stage& stage,
                                       const std::filesystem::path& library) const;
  // The program that owns the device memory of a timing; "" where the stage runs on no GPU. Throws
  // KitError where it cannot be built, so only timings ask for it.
  std::filesystem::path timing_memory_owner(const Stage& stage) const;
};

// "conv2d.cpp", not "old/conv2d.cpp".
inline bool lies_at_top(const std::string& file) {
  return file.find('/') == std::string::npos;
}

// All regular files below a folder, relative, sorted.
std::vector<std::string> list_files(const std::filesystem::path& folder);

}  // namespace convkit
