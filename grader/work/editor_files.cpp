// SPDX-License-Identifier: MIT
#include "work/editor_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "compile/object_key.h"
#include "convkit/atomic_file.h"
#include "convkit/kit_error.h"
#include "json_text.h"
#include "machine/console.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr const char* kCommands = "compile_commands.json";
constexpr const char* kClangd = ".clangd";

// As the kit compiles the file, but with clang's CUDA mode where the kit rewrites launches.
std::vector<std::string> arguments_for(const Kit& kit, const Stage& stage,
                                       const std::string& file) {
  std::vector<std::string> arguments = {"clang++"};
  if (stage.device == "gpu") {
    const fs::path headers = fs::weakly_canonical(kit.root / "cpu_device" / "include");
    arguments.insert(
        arguments.end(),
        {"-xcuda", "--cuda-host-only", "-nocudainc", "-nocudalib",
         // A toolkit that happens to be there is not looked at, and its version is not warned of.
         "--cuda-path=/nonexistent", "-Wno-unknown-cuda-version",
         // printf, for one.
         "-Xclang", "-fcuda-allow-variadic-functions", "-D__CUDACC__", "-DCONVKIT_SIMT_ALLOW_ASM",
         "-Wno-unknown-pragmas", "-isystem", headers.string(), "-include",
         (headers / "simt" / "editor.h").string()});
  }
  arguments.insert(arguments.end(), stage.flags.begin(), stage.flags.end());
  arguments.push_back("-I" + (kit.root / "runtime" / "include").string());
  arguments.push_back("-I" + stage.directory.string());
  arguments.insert(arguments.end(), {"-c", file});
  return arguments;
}

std::string compile_commands(const Kit& kit, const Stage& stage, const fs::path& folder) {
  json commands = json::array();
  for (const std::string& file : stage.files) {
    if (!is_source(file)) continue;
    commands.push_back({{"directory", folder.string()},
                        {"file", file},
                        {"arguments", arguments_for(kit, stage, file)}});
  }
  return json_text(commands);
}

constexpr const char* kClangdText = R"(# Written by `convkit start`; change it as you like.
CompileFlags:
  CompilationDatabase: .
)";

// A place at the beginning of a line, as compilers write it, or behind a report's sentence.
json matcher(const std::string& severity, json pattern) {
  return {{"owner", "convkit"},
          {"severity", severity},
          {"fileLocation", {"relative", "${workspaceFolder}"}},
          {"pattern", std::move(pattern)}};
}

std::string tasks(const Kit& kit, const Stage& stage) {
  // An installed kit is on PATH under the name by which it was called.
  std::string command = as_typed("./convkit");
  if (command == "./convkit") command = (kit.root / "convkit").string();
  const std::string name = R"(([\w.-]+\.(?:cpp|cc|cxx|cuh?|h|hpp)))";
  json matchers = json::array();
  matchers.push_back(matcher(
      "error", {{"regexp", R"(^\s*(?:\./)?)" + name +
                               R"(:(\d+):(\d+):\s+(?:fatal )?(error|warning|note):\s+(.*)$)"},
                {"file", 1},
                {"line", 2},
                {"column", 3},
                {"severity", 4},
                {"message", 5}}));
  matchers.push_back(matcher("error", {{"regexp", R"(^\s*(\S.*) \()" + name + R"(:(\d+)\)$)"},
                                       {"message", 1},
                                       {"file", 2},
                                       {"line", 3}}));
  matchers.push_back(matcher("error", {{"regexp", R"(^\s*(\S.*) at )" + name + R"(:(\d+) in .*$)"},
                                       {"message", 1},
                                       {"file", 2},
                                       {"line", 3}}));
  const auto task = [&](const std::string& label, std::vector<std::string> words, json group) {
    json one = {{"label", "convkit: " + label}, {"type", "process"},
                {"command", command},           {"args", std::move(words)},
                {"group", std::move(group)},    {"options", {{"cwd", "${workspaceFolder}"}}}};
    one["problemMatcher"] = matchers;
    return one;
  };
  const std::string number = std::to_string(stage.number);
  json list = json::array();
  list.push_back(task("check", {"check", number}, {{"kind", "build"}, {"isDefault", true}}));
  list.push_back(task("check with a hint", {"check", number, "--hint"}, "build"));
  list.push_back(task("bench", {"bench", number}, "test"));
  return json_text({{"version", "2.0.0"}, {"tasks", std::move(list)}});
}

std::string settings(const Stage& stage) {
  json settings = json::object();
  if (stage.device == "gpu") {
    settings["files.associations"] = {{"*.cu", "cuda-cpp"}, {"*.cuh", "cuda-cpp"}};
  }
  settings["clangd.arguments"] = {"--compile-commands-dir=${workspaceFolder}"};
  settings["C_Cpp.default.compileCommands"] = "${workspaceFolder}/compile_commands.json";
  return json_text(settings);
}

std::string extensions() {
  return json_text({{"recommendations", {"llvm-vs-code-extensions.vscode-clangd"}}});
}

}  // namespace

unsigned write_editor_files(const Kit& kit, const Stage& stage) {
  const fs::path folder = fs::absolute(kit.work(stage));
  const std::map<std::string, std::string> files = {
      {kCommands, compile_commands(kit, stage, folder)},
      {kClangd, kClangdText},
      {".vscode/tasks.json", tasks(kit, stage)},
      {".vscode/settings.json", settings(stage)},
      {".vscode/extensions.json", extensions()}};
  unsigned written = 0;
  for (const auto& [name, text] : files) {
    const fs::path file = folder / name;
    std::error_code error;
    if (fs::exists(fs::symlink_status(file, error))) continue;
    try {
      fs::create_directories(file.parent_path());
      write_whole(file, text);
    } catch (const std::runtime_error& failure) {
      throw UsageError(failure.what());
    }
    ++written;
  }
  return written;
}

bool is_editor_file(const std::string& file) {
  return file == kCommands || file == kClangd || file.starts_with(".vscode/") ||
         file.starts_with(".cache/");
}

}  // namespace convkit
