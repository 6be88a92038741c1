// SPDX-License-Identifier: MIT
#include "pack/students_copy.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "stage/starter.h"
#include "submission/entry_path.h"
#include "submission/intake.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr auto kPrograms = "build/default/bin"sv;

enum class Reader { student, instructor };

// What a copy takes from the kit, with everything below it but the folders named further down.
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
    "device_memory"sv,
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
constexpr std::array kTakenForInstructors = {
    "classroom"sv,
    "docs"sv,
    "grader/pack/github"sv,
    "grader/pack/gradescope"sv,
    "grader/pack/students_copy"sv,
    "grader/skeleton/templates"sv,
    "reference_data"sv,
    "solutions"sv,
};
constexpr std::array kLeftOut = {"cache"sv, "hidden"sv, "mistakes"sv, "tests"sv};
// cases.toml says what hidden cases are like.
constexpr std::array kLeftOutForStudents = {"cases.toml"sv, "reference"sv, "wrong"sv};

std::string read_whole(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes = whole_text(in);
  if (!in.is_open() || in.bad()) {
    throw KitError(
        fmt::format("{} cannot be read, which the copy for students needs.", file.string()));
  }
  return bytes;
}

bool is_executable(const fs::path& file) {
  return (fs::status(file).permissions() & fs::perms::owner_exec) != fs::perms::none;
}

bool belongs(const Kit& kit, Reader reader, const std::string& path) {
  if (left_out(path, false)) return false;
  const fs::path parts = path;
  const auto holds = [&](std::string_view name) {
    return std::ranges::find(parts, fs::path(name)) != parts.end();
  };
  if (std::ranges::any_of(kLeftOut, holds)) return false;
  if (reader == Reader::student) {
    if (std::ranges::any_of(kLeftOutForStudents, holds)) return false;
    if (!kit.course.students_have_baselines && holds("baseline")) return false;
  }
  // Not the scripts that draw the documents' pictures; a handout shows one of the .svg.
  return !path.starts_with("docs/pictures/") || path.ends_with(".svg") ||
         (reader == Reader::instructor && path.ends_with(".png"));
}

class Copy {
 public:
  Copy(const Kit& kit, Reader reader) : kit_(kit), reader_(reader) {}

  void take(const std::string& path) {
    if (!fs::is_directory(kit_.root / path)) return take_file(path);
    for (const std::string& file : list_files(kit_.root / path)) take_file(path + "/" + file);
  }
  void put(const std::string& path, std::string bytes, bool executable = false) {
    files_[path] = {path, std::move(bytes), executable};
  }
  std::vector<PackedFile> finish() {
    unlink_what_is_missing();
    std::vector<PackedFile> files;
    for (auto& [path, file] : files_) files.push_back(std::move(file));
    return files;
  }

 private:
  void take_file(const std::string& path) {
    const fs::path file = kit_.root / path;
    if (belongs(kit_, reader_, path)) put(path, read_whole(file), is_executable(file));
  }
  // A link to a file that the copy lacks becomes its text.
  void unlink_what_is_missing() {
    std::set<fs::path> there;
    for (const auto& [path, file] : files_) {
      for (fs::path at = path; !at.empty(); at = at.parent_path()) there.insert(at);
    }
    static const std::regex link(R"(!?\[([^\[\]]*)\]\(([^()#:\s]+)(#[^()\s]*)?\))");
    for (auto& [path, file] : files_) {
      if (!path.ends_with(".md")) continue;
      std::string text;
      auto rest = file.bytes.cbegin();
      for (std::sregex_iterator match(rest, file.bytes.cend(), link), end; match != end; ++match) {
        fs::path target = (fs::path(path).parent_path() / (*match)[2].str()).lexically_normal();
        if (!target.has_filename()) target = target.parent_path();
        text.append(rest, (*match)[0].first);
        text += there.contains(target) ? match->str() : (*match)[1].str();
        rest = (*match)[0].second;
      }
      file.bytes = text.append(rest, file.bytes.cend());
    }
  }

  const Kit& kit_;
  Reader reader_;
  std::map<std::string, PackedFile> files_;  // by path
};

constexpr std::array kForTheGpu = {"convkit-gpu-memory"sv, "convkit-gpu-probe"sv};

bool is_for_the_gpu(const std::string& program) {
  return program.ends_with("_gpu") || std::ranges::find(kForTheGpu, program) != kForTheGpu.end();
}

// Every program of the copy, for bin/parts.txt. Those for a GPU are built there when they are first
// used, since they depend on the CUDA toolkit of the machine.
std::set<std::string> programs_of_copy(const Kit& kit) {
  std::set<std::string> names(kForTheGpu.begin(), kForTheGpu.end());
  for (const std::string& name : kit.programs.all()) {
    if (name != "parts.txt") names.insert(name);
  }
  for (const Stage& stage : kit.stages) {
    if (stage.device != "gpu") continue;
    names.insert(stage.id + ".runner_gpu");
    if (fs::is_directory(stage.directory / "program")) names.insert(stage.id + ".train_gpu");
  }
  return names;
}

std::string stage_table(const Kit& kit) {
  std::string rows;
  for (const Stage& stage : kit.stages) {
    rows += fmt::format("| [`{0}`](assignments/{0}/README.md) | {1} | {2} |\n", stage.id,
                        stage.title, stage.time);
  }
  return rows;
}

// Lines of code without white space; what is not code, or says little, is left out.
std::vector<std::string> lines_of_code(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::erase_if(line, [](unsigned char c) { return std::isspace(c) != 0; });
    line.resize(std::min(line.size(), line.find("//")));
    if (line.size() >= 12 && line[0] != '#') lines.push_back(std::move(line));
  }
  return lines;
}

// Runs of three such lines.
std::vector<std::string> threes(const std::string& text) {
  const std::vector<std::string> lines = lines_of_code(text);
  std::vector<std::string> runs;
  for (size_t i = 2; i < lines.size(); ++i) {
    runs.push_back(lines[i - 2] + "\n" + lines[i - 1] + "\n" + lines[i]);
  }
  return runs;
}

// What only the solutions have: three lines that are not in the starters, nor in files that repeat
// a solution on purpose.
std::map<std::string, std::string> secrets(const Kit& kit) {
  std::map<std::string, std::string> found;  // run -> file
  std::set<std::string> open;
  for (const Stage& stage : kit.stages) {
    for (const auto& [name, text] : starter_files(kit.solution(stage))) {
      for (const std::string& run : threes(text)) open.insert(run);
    }
    if (std::ranges::find(kit.course.reference, stage.id) != kit.course.reference.end()) continue;
    for (const std::string& name : list_files(kit.solution(stage))) {
      const std::string path = "solutions/" + stage.id + "/" + name;
      for (const std::string& run : threes(read_whole(kit.root / path))) found.emplace(run, path);
    }
  }
  std::erase_if(found, [&](const auto& secret) { return open.contains(secret.first); });
  return found;
}

// Throws KitError if a starter is not what its solution gives, or a file holds lines of a solution:
// an editor's backup, a note. Baselines and handouts may.
void must_give_nothing_away(const Kit& kit, const std::vector<PackedFile>& files) {
  for (const Stage& stage : kit.stages) {
    for (const std::string& drift : starter_drift(kit.solution(stage), kit.starter(stage))) {
      throw KitError("Nothing was packed. " + drift);
    }
  }
  const std::map<std::string, std::string> secret = secrets(kit);
  for (const PackedFile& file : files) {
    const fs::path path = file.path;
    const bool may_repeat = path.extension() == ".md" || path.begin()->string() == "solutions" ||
                            std::ranges::find(path, fs::path("baseline")) != path.end();
    if (may_repeat || file.bytes.find('\0') != std::string::npos) continue;
    for (const std::string& run : threes(file.bytes)) {
      const auto known = secret.find(run);
      if (known == secret.end()) continue;
      throw KitError(
          fmt::format("{} holds lines of {}. Nothing was packed. Remove it, or move it out "
                      "of what students get.",
                      file.path, known->second));
    }
  }
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

// The files that both copies have. The program is built where its parts are not yet.
Copy start_copy(const Kit& kit, Reader reader) {
  Copy copy(kit, reader);
  for (const std::string_view path : kTaken) {
    if (path == "course.toml" && !fs::exists(kit.root / path)) continue;
    copy.take(std::string(path));
  }
  std::string parts;
  for (const std::string& name : programs_of_copy(kit)) {
    parts += fmt::format("{0} {0}\n", name);
    if (is_for_the_gpu(name)) continue;
    const fs::path file = kit.programs.need(name);
    copy.put(fmt::format("{}/{}", kPrograms, name), read_whole(file), is_executable(file));
  }
  copy.put(fmt::format("{}/parts.txt", kPrograms), parts);
  copy.put("convkit", filled_in(kit, "convkit", {{"@SYSTEM@", this_system()}}), true);
  return copy;
}

}  // namespace

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

std::vector<PackedFile> students_copy(const Kit& kit) {
  Copy copy = start_copy(kit, Reader::student);
  for (const std::string& stage : kit.course.reference) copy.take("solutions/" + stage);
  const std::string bench =
      kit.course.students_have_baselines
          ? "./convkit bench 1    # how fast your work is, compared with a baseline\n"
          : "";
  copy.put("README.md", filled_in(kit, "README.md",
                                  {{"@SYSTEM@", this_system()},
                                   {"@BENCH@\n", bench},
                                   {"@STAGES@\n", stage_table(kit)}}));
  std::vector<PackedFile> files = copy.finish();
  must_give_nothing_away(kit, files);
  return files;
}

std::vector<PackedFile> instructors_copy(const Kit& kit) {
  Copy copy = start_copy(kit, Reader::instructor);
  for (const std::string_view path : kTakenForInstructors) copy.take(std::string(path));
  copy.put("README.md",
           filled_in(kit, "README.instructors.md", {{"@STAGES@\n", stage_table(kit)}}));
  return copy.finish();
}

}  // namespace convkit
