// SPDX-License-Identifier: MIT
#include "pack/students_copy.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "convkit/kit_error.h"
#include "submission/intake.h"
#include "submission/left_out.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr auto kPrograms = "build/default/bin"sv;

// What the copy takes from the kit, with everything below it but the folders named further down.
// A build for the GPU needs the rooms among it, from cmake to runner.
constexpr std::array kTaken = {
    "CMakeLists.txt"sv,
    "CMakePresets.json"sv,
    "LICENSE"sv,
    "VERSION"sv,
    "assignments"sv,
    "cmake"sv,
    "command_line"sv,
    "course.toml"sv,
    "cpu_device/include"sv,
    "datasets"sv,
    "docs/cpu-device.md"sv,
    "docs/errata.md"sv,
    "docs/glossary.md"sv,
    "docs/pictures"sv,
    "drawing"sv,
    "process"sv,
    "reference_data/visible"sv,
    "reference_data/weights"sv,
    "runner"sv,
    "runtime"sv,
    "starter"sv,
};
constexpr std::array kLeftOutFolders = {"cache"sv, "mistakes"sv, "reference"sv, "tests"sv,
                                        "wrong"sv};

std::string read_whole(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in.is_open() || in.bad()) {
    throw KitError(
        fmt::format("{} cannot be read, which the copy for students needs.", file.string()));
  }
  return bytes;
}

bool is_executable(const fs::path& file) {
  return (fs::status(file).permissions() & fs::perms::owner_exec) != fs::perms::none;
}

bool belongs(const Kit& kit, const std::string& path) {
  if (left_out(path, false)) return false;
  const fs::path parts = path;
  const auto holds = [&](std::string_view name) {
    return std::ranges::find(parts, fs::path(name)) != parts.end();
  };
  if (std::ranges::any_of(kLeftOutFolders, holds)) return false;
  if (!kit.course.students_have_baselines && holds("baseline")) return false;
  // Scripts that draw the documents' pictures; a handout shows one of them.
  return !path.starts_with("docs/pictures/") || path.ends_with(".svg");
}

class Copy {
 public:
  explicit Copy(const Kit& kit) : kit_(kit) {}

  void take(const std::string& path) {
    if (!fs::is_directory(kit_.root / path)) return take_file(path);
    for (const std::string& file : list_files(kit_.root / path)) take_file(path + "/" + file);
  }
  void put(const std::string& path, std::string bytes, bool executable = false) {
    files_.push_back({path, std::move(bytes), executable});
  }
  std::vector<PackedFile> finish() {
    unlink_what_is_missing();
    return std::move(files_);
  }

 private:
  void take_file(const std::string& path) {
    const fs::path file = kit_.root / path;
    if (belongs(kit_, path)) put(path, read_whole(file), is_executable(file));
  }
  // A link to a file that the copy lacks becomes its text.
  void unlink_what_is_missing() {
    std::set<fs::path> there;
    for (const PackedFile& file : files_) {
      for (fs::path at = file.path; !at.empty(); at = at.parent_path()) there.insert(at);
    }
    static const std::regex link(R"(!?\[([^\[\]]*)\]\(([^()#:\s]+)(#[^()\s]*)?\))");
    for (PackedFile& file : files_) {
      if (!file.path.ends_with(".md")) continue;
      std::string text;
      auto rest = file.bytes.cbegin();
      for (std::sregex_iterator match(rest, file.bytes.cend(), link), end; match != end; ++match) {
        fs::path target =
            (fs::path(file.path).parent_path() / (*match)[2].str()).lexically_normal();
        if (!target.has_filename()) target = target.parent_path();
        text.append(rest, (*match)[0].first);
        text += there.contains(target) ? match->str() : (*match)[1].str();
        rest = (*match)[0].second;
      }
      file.bytes = text.append(rest, file.bytes.cend());
    }
  }

  const Kit& kit_;
  std::vector<PackedFile> files_;
};

bool is_for_the_gpu(const std::string& program) {
  return program.ends_with("_gpu") || program == "convkit-gpu-probe";
}

// What is built in the copy when it is first used: the programs for a GPU, since they depend on the
// CUDA toolkit of the machine.
std::string parts_for_the_gpu(const Kit& kit) {
  std::string parts = "convkit-gpu-probe convkit-gpu-probe\n";
  for (const Stage& stage : kit.stages) {
    if (stage.device != "gpu") continue;
    parts += fmt::format("{0}.runner_gpu {0}.runner_gpu\n", stage.id);
    if (fs::is_directory(stage.directory / "program")) {
      parts += fmt::format("{0}.train_gpu {0}.train_gpu\n", stage.id);
    }
  }
  return parts;
}

// "Debian GNU/Linux 12 (bookworm) on x86_64"
std::string this_system() {
  std::ifstream release("/etc/os-release");
  std::string line, name = "Linux";
  while (std::getline(release, line)) {
    if (line.starts_with("PRETTY_NAME=\"")) name = line.substr(13, line.size() - 14);
  }
  utsname system{};
  uname(&system);
  return fmt::format("{} on {}", name, system.machine);
}

std::string stage_table(const Kit& kit) {
  std::string rows;
  for (const Stage& stage : kit.stages) {
    rows += fmt::format("| [`{0}`](assignments/{0}/README.md) | {1} | {2} |\n", stage.id,
                        stage.title, stage.time);
  }
  return rows;
}

// A file of students_copy/, with its @WORDS@ replaced.
std::string filled_in(const Kit& kit, const char* name,
                      const std::vector<std::pair<std::string, std::string>>& words) {
  std::string text = read_whole(kit.root / "grader/pack/students_copy" / name);
  for (const auto& [word, meaning] : words) {
    for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += meaning.size()) {
      text.replace(at, word.size(), meaning);
    }
  }
  return text;
}

}  // namespace

std::vector<PackedFile> students_copy(const Kit& kit) {
  Copy copy(kit);
  for (const std::string_view path : kTaken) {
    if (path == "course.toml" && !fs::exists(kit.root / path)) continue;
    copy.take(std::string(path));
  }
  for (const std::string& stage : kit.course.reference) copy.take("solutions/" + stage);
  for (const std::string& name : kit.programs.all()) {
    if (is_for_the_gpu(name) || name == "parts.txt") continue;
    const fs::path file = kit.programs.need(name);
    copy.put(fmt::format("{}/{}", kPrograms, name), read_whole(file), is_executable(file));
  }
  copy.put(fmt::format("{}/parts.txt", kPrograms), parts_for_the_gpu(kit));
  const std::string system = this_system();
  copy.put("convkit", filled_in(kit, "convkit", {{"@SYSTEM@", system}}), true);
  const std::string bench =
      kit.course.students_have_baselines
          ? "./convkit bench 1    # how fast your work is, compared with a baseline\n"
          : "";
  copy.put(
      "README.md",
      filled_in(kit, "README.md",
                {{"@SYSTEM@", system}, {"@BENCH@\n", bench}, {"@STAGES@\n", stage_table(kit)}}));
  return copy.finish();
}

}  // namespace convkit
