// SPDX-License-Identifier: MIT
#include "cpu_device/cc/toolchain.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "process/process.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

// The lines of /proc/cpuinfo that decide what -march=native means.
std::string processor_identity() {
  std::ifstream in("/proc/cpuinfo");
  std::string identity, line;
  while (std::getline(in, line) && !line.empty()) {
    for (const char* key : {"model name", "flags", "Features", "CPU part"}) {
      if (line.rfind(key, 0) == 0) identity += line + "\n";
    }
  }
  return identity;
}

std::string first_line_of_version(const fs::path& compiler) {
  Limits limits;
  limits.wall = std::chrono::seconds(10);
  Command command;
  command.argv = {compiler.string(), "--version"};
  command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
  const Completed completed = run_process(command, limits);
  return completed.output.substr(0, completed.output.find('\n'));
}

}  // namespace

fs::path find_on_path(const std::string& program) {
  if (program.find('/') != std::string::npos) {
    return access(program.c_str(), X_OK) == 0 ? fs::absolute(program) : fs::path();
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
  std::string folder;
  while (std::getline(folders, folder, ':')) {
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / program;
    if (access(candidate.c_str(), X_OK) == 0) return fs::absolute(candidate);
  }
  return {};
}

std::vector<std::string> compiler_candidates(const std::string& wanted,
                                             const fs::path& of_the_kit) {
  const std::vector<std::string> usual = {"g++", "clang++", "c++"};
  std::vector<std::string> candidates;
  if (!wanted.empty()) candidates.push_back(wanted);
  const std::string name = of_the_kit.filename().string();
  if (!name.empty() && std::find(usual.begin(), usual.end(), name) == usual.end()) {
    candidates.push_back(of_the_kit.string());
  }
  candidates.insert(candidates.end(), usual.begin(), usual.end());
  return candidates;
}

Toolchain Toolchain::find() {
  Toolchain toolchain;
  const char* wanted = std::getenv("CXX");
  for (const std::string& program :
       compiler_candidates(wanted ? wanted : "", CONVKIT_CXX_COMPILER)) {
    toolchain.compiler = find_on_path(program);
    if (!toolchain.compiler.empty()) break;
  }
  if (toolchain.compiler.empty()) return toolchain;
  try {
    toolchain.version = first_line_of_version(toolchain.compiler);
  } catch (const std::exception&) {
    toolchain.compiler.clear();
    return toolchain;
  }
  toolchain.processor = processor_identity();
  for (const char* linker : {"mold", "lld", "gold"}) {
    if (!find_on_path("ld." + std::string(linker)).empty()) {
      toolchain.linkers.push_back(linker);
    }
  }
  return toolchain;
}

namespace fs = std::filesystem;

std::string shell_line(const std::vector<std::string>& argv) {
  std::string line;
  for (const std::string& argument : argv) {
    const bool plain =
        !argument.empty() && argument.find_first_not_of(
                                 "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "0123456789_-+=./,:%@") == std::string::npos;
    if (!line.empty()) line += ' ';
    if (plain) {
      line += argument;
      continue;
    }
    line += '\'';
    for (const char c : argument) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line + "\n";
}

std::vector<std::string> compiler_environment() {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view variable(*entry);
    if (variable.starts_with("LC_") || variable.starts_with("LANGUAGE=")) continue;
    if (variable.starts_with("CPATH=")) continue;
    environment.emplace_back(variable);
  }
  environment.push_back("LC_ALL=C.UTF-8");
  return environment;
}

std::string cxx_compiler(const std::string& named) {
  std::error_code error;
  fs::path compiler = named;
  if (fs::is_directory(compiler, error)) return (compiler / "g++").string();
  std::string name = compiler.filename().string();
  if (name.find("++") == std::string::npos) {
    if (name.starts_with("gcc")) name.replace(0, 3, "g++");
    if (name.starts_with("clang")) name.insert(5, "++");
  }
  return compiler.has_parent_path() ? compiler.replace_filename(name).string() : name;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), with);
    at += with.size();
  }
  return text;
}

}  // namespace convkit
