// SPDX-License-Identifier: MIT
#include "grade/kit.h"

#include <fmt/format.h>
#include <locale.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "compile/object_key.h"
#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "cpu_device/cc/cuda_libraries.h"
#include "cpu_device/cc/simt_compile.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

bool is_root(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder / "assignments", error) && fs::exists(folder / "VERSION", error);
}

fs::path find_root(const fs::path& programs) {
  if (const char* root = std::getenv("CONVKIT_ROOT"); root && *root) {
    if (is_root(root)) return fs::canonical(root);
    throw KitError(fmt::format("CONVKIT_ROOT is {}, which holds no convkit.", root));
  }
  for (fs::path start : {programs, fs::current_path()}) {
    for (fs::path at = start; at.has_relative_path(); at = at.parent_path()) {
      if (is_root(at)) return at;
    }
  }
  throw KitError("convkit's own files were not found. Set CONVKIT_ROOT to its checkout.");
}

// A submission may ask for the locale of its environment: C++ throws where that is not installed.
const char* locale_that_exists() {
  static const char* const kName = [] {
    const locale_t utf8 = newlocale(LC_ALL_MASK, "C.UTF-8", nullptr);
    if (utf8) freelocale(utf8);
    return utf8 ? "C.UTF-8" : "C";
  }();
  return kName;
}

}  // namespace

Kit Kit::find() {
  Kit kit;
  kit.programs = Programs(fs::read_symlink("/proc/self/exe").parent_path());
  kit.root = find_root(kit.programs.folder());
  std::ifstream(kit.root / "VERSION") >> kit.version;
  LoadedStages loaded = load_stages(kit.root / "assignments");
  kit.stages = std::move(loaded.stages);
  kit.broken = std::move(loaded.broken);
  std::vector<Stage> all = kit.stages;  // course.toml may name the broken ones, too
  for (const BrokenStage& broken : kit.broken) all.emplace_back().id = broken.id;
  kit.course = load_course(kit.root / "course.toml", all);
  return kit;
}

void Kit::must_be_whole() const {
  if (broken.empty()) return;
  std::vector<std::string> faults;
  for (const BrokenStage& stage : broken) faults.push_back(stage.fault);
  throw KitError(fmt::format("{}", fmt::join(faults, "\n")));
}

Kit Kit::without_gpu() const {
  Kit kit = *this;
  kit.device = {};
  return kit;
}

fs::path Kit::program(const Stage& stage, const std::string& suffix) const {
  const std::string wanted = stage.id + suffix + (runs_on_gpu(stage) ? "_gpu" : "");
  if (runs_on_gpu(stage) && !stage.libraries.empty() && !programs.has(wanted)) {
    throw KitError(fmt::format(
        "{} was not built for the GPU: it needs {}, and the CUDA toolkit lacked some of that when "
        "the kit was configured. Install it and build again, or use --device cpu.",
        stage.id, fmt::join(stage.libraries, " and ")));
  }
  return programs.need(wanted);
}

fs::path Kit::runner(const Stage& stage, SimtMode mode) const {
  return program(stage, lacks_gpu(stage) && mode == SimtMode::check ? ".runner_check" : ".runner");
}

fs::path Kit::sanitizing_runner(const Stage& stage) const {
  return program(stage, ".runner_asan");
}

fs::path Kit::visible_cases(const Stage& stage) const {
  return root / "reference_data" / "visible" / stage.id;
}

fs::path Kit::hidden_cases(const Stage& stage) const {
  if (const char* folder = std::getenv("CONVKIT_HIDDEN"); folder && *folder) {
    return fs::path(folder) / stage.id;
  }
  return root / "reference_data" / "hidden" / stage.id;
}

fs::path Kit::wanted_hidden_cases(const Stage& stage) const {
  const fs::path folder = hidden_cases(stage);
  std::error_code error;
  if (fs::is_directory(folder, error)) {
    const std::string manifest = file_text(folder / "manifest.json");
    if (fs::equivalent(folder, visible_cases(stage), error) ||
        (!manifest.empty() && manifest == file_text(visible_cases(stage) / "manifest.json"))) {
      throw KitError(fmt::format("{} holds the visible cases of {}, not hidden cases.",
                                 folder.string(), stage.id));
    }
    return folder;
  }
  const char* named = std::getenv("CONVKIT_HIDDEN");
  if (!named || !*named) return {};
  throw KitError(
      fmt::format("CONVKIT_HIDDEN is {}, but there is no folder {}.", named, folder.string()));
}

fs::path Kit::solution(const Stage& stage) const {
  return root / "solutions" / stage.id;
}

fs::path Kit::need_solution(const Stage& stage) const {
  std::error_code error;
  if (fs::is_directory(solution(stage), error)) return solution(stage);
  throw UsageError(fmt::format("This copy of the kit has no reference solution of {}.", stage.id));
}

void Kit::must_have_solutions(const std::string& command) const {
  std::error_code error;
  const auto solved = [&](const Stage& s) { return fs::is_directory(solution(s), error); };
  const auto varied = [&](const Stage& s) {
    return fs::is_directory(s.directory / "wrong", error);
  };
  if (std::ranges::any_of(stages, solved) && std::ranges::any_of(stages, varied)) return;
  throw UsageError(fmt::format(
      "This copy of the kit is for students and has no solutions, which `{}` needs.", command));
}

void Kit::must_have_generator(const std::string& command) const {
  std::error_code error;
  if (fs::exists(root / "reference_data" / "generate.py", error)) return;
  throw UsageError(
      fmt::format("This copy of the kit is for students and has neither solutions nor the "
                  "generator of cases, which `{}` needs.",
                  command));
}

fs::path Kit::starter(const Stage& stage) const {
  return root / "starter" / stage.id;
}

fs::path Kit::work(const Stage& stage) const {
  if (const char* folder = std::getenv("CONVKIT_WORK"); folder && *folder) {
    return fs::path(folder) / stage.id;
  }
  return root / "work" / stage.id;
}

Builder Kit::builder() const {
  return Builder(Toolchain::find(), ObjectCache(ObjectCache::default_folder()), confine());
}

std::vector<fs::path> Kit::device_libraries(const Stage& stage, SimtMode mode) const {
  std::vector<fs::path> libraries;
  if (const std::string watcher = simt_library(mode); !watcher.empty()) {
    libraries.push_back(programs.need("lib" + watcher + ".so"));
  }
  libraries.push_back(programs.need("libconvkit_simt.so"));
  for (const std::string& name : stage.libraries) {
    libraries.push_back(programs.need("lib" + find_vendor_library(name)->stand_in + ".so"));
  }
  return libraries;
}

BuildRequest Kit::build_request(const Stage& stage, const fs::path& folder,
                                std::vector<std::string> files, SimtMode mode) const {
  BuildRequest request;
  request.folder = fs::absolute(folder);
  request.kit = root;
  if (runs_on_gpu(stage)) {
    request.target = BuildTarget::gpu;
    request.nvcc = device.nvcc;
    request.gpu_architecture = device.architecture;
    for (const std::string& name : stage.libraries) request.link_flags.push_back("-l" + name);
  } else if (stage.device == "gpu") {
    request.target = BuildTarget::cpu_device;
    runner(stage, mode);  // its build makes the libraries, too: one build instead of one for each
    request.device_libraries = device_libraries(stage, mode);
    // By one name, however the kit was found: a precompiled header is for one folder.
    request.device_headers = fs::weakly_canonical(root / "cpu_device" / "include");
    request.mode = mode;
  }
  request.asked_for = stage.files;
  request.flags = stage.flags;
  request.headers = {stage.directory / stage.api};
  for (std::string& file : files) {
    if (is_source(file) && !lies_at_top(file)) {
      request.headers.push_back(request.folder / file);
    } else {
      request.files.push_back(std::move(file));
    }
  }
  request.include_folders = {root / "runtime" / "include"};
  request.forbidden_symbols = stage.forbidden_symbols;
  request.limits = stage.limits;
  return request;
}

SessionOptions Kit::session_options(const Stage& stage, const fs::path& library,
                                    SimtMode mode) const {
  SessionOptions options;
  if (!lacks_gpu(stage)) mode = SimtMode::plain;
  options.runner = runner(stage, mode);
  options.confine = confine();
  options.submission = library;
  options.kit = root;
  options.environment = {std::string("LC_ALL=") + locale_that_exists(), "PATH=/usr/bin:/bin",
                         "OMP_NUM_THREADS=1", "CONVKIT_SIMT_GLOBAL_POISON=255"};
  options.device = stage.device == "gpu";
  if (lacks_gpu(stage)) options.libraries = device_libraries(stage, mode);
  options.check = mode == SimtMode::check;
  if (options.check) options.environment.emplace_back("CONVKIT_SIMT_LINES=addresses");
  if (mode == SimtMode::profile) {  // before the runner's own libraries
    // Names in LD_PRELOAD end at a space; those of folders in LD_LIBRARY_PATH do not.
    const fs::path& profiler = options.libraries.front();
    options.environment.push_back("LD_LIBRARY_PATH=" + profiler.parent_path().string());
    options.environment.push_back("LD_PRELOAD=" + profiler.filename().string());
  }
  options.limits.wall = stage.limits.one_case * (mode == SimtMode::plain ? 1 : 5);
  options.limits.memory_bytes = stage.limits.memory_bytes;
  options.limits.resident_bytes = stage.limits.resident_bytes;
  options.limits.file_bytes = 1 << 20;
  options.limits.open_files = 64;
  options.limits.processes = 64;
  options.limits.stack_bytes = 8 << 20;
  options.limits.output_bytes = stage.limits.output_bytes;
  if (options.device && device.gpu) allow_gpu(options);
  return options;
}

SessionOptions Kit::timed_session_options(const Stage& stage, const fs::path& library) const {
  SessionOptions options = session_options(stage, library);
  options.memory_owner = timing_memory_owner(stage);
  return options;
}

fs::path Kit::timing_memory_owner(const Stage& stage) const {
  return runs_on_gpu(stage) ? programs.need("convkit-gpu-memory") : fs::path();
}

std::vector<std::string> list_files(const fs::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      files.push_back(fs::relative(entry.path(), folder).generic_string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace convkit
