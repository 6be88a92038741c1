// SPDX-License-Identifier: MIT
#include "cpu_device/cc/command_lines.h"

#include <unistd.h>

#include <filesystem>
#include <string_view>

namespace convkit {

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
