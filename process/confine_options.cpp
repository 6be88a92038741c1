// SPDX-License-Identifier: MIT
#include "process/confine_options.h"

#include <charconv>
#include <limits>
#include <stdexcept>
#include <string_view>

namespace convkit {
namespace {

uint64_t number(const std::string& option, const std::string& text, uint64_t largest) {
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end || value > largest) {
    throw std::invalid_argument(option + " takes a whole number up to " + std::to_string(largest) +
                                ", not '" + text + "'");
  }
  return value;
}

std::string absolute_path(const std::string& option, const std::string& text) {
  if (text.empty() || text[0] != '/') {
    throw std::invalid_argument(option + " takes an absolute path, not '" + text + "'");
  }
  return text;
}

Confinement::Profile profile(const std::string& text) {
  if (text == "compiler") return Confinement::Profile::compiler;
  if (text == "runner") return Confinement::Profile::runner;
  throw std::invalid_argument("--profile is 'compiler' or 'runner', not '" + text + "'");
}

void set(ConfineOptions& options, const std::string& name, const std::string& value) {
  constexpr auto kAny = std::numeric_limits<uint64_t>::max();
  constexpr uint64_t kInt = std::numeric_limits<int>::max();
  Limits& limits = options.limits;
  if (name == "--profile")
    options.profile = profile(value);
  else if (name == "--ro")
    options.read_only.push_back(absolute_path(name, value));
  else if (name == "--rw")
    options.read_write.push_back(absolute_path(name, value));
  else if (name == "--device")
    options.devices.push_back(absolute_path(name, value));
  else if (name == "--hidden")
    options.hidden = absolute_path(name, value);
  else if (name == "--executable")
    options.executable = absolute_path(name, value);
  else if (name == "--report-fd")
    options.report_fd = static_cast<int>(number(name, value, kInt));
  else if (name == "--user")
    options.user = static_cast<unsigned>(number(name, value, kInt));
  else if (name == "--group")
    options.group = static_cast<unsigned>(number(name, value, kInt));
  else if (name == "--cpu")
    limits.cpu = std::chrono::seconds(number(name, value, kInt));
  else if (name == "--memory")
    limits.memory_bytes = number(name, value, kAny);
  else if (name == "--file-size")
    limits.file_bytes = number(name, value, kAny);
  else if (name == "--stack")
    limits.stack_bytes = number(name, value, kAny);
  else if (name == "--processes")
    limits.processes = static_cast<unsigned>(number(name, value, kInt));
  else if (name == "--open-files")
    limits.open_files = static_cast<unsigned>(number(name, value, kInt));
  else
    throw std::invalid_argument("there is no option '" + name + "'");
}

}  // namespace

ConfineOptions parse_confine_options(const std::vector<std::string>& arguments) {
  ConfineOptions options;
  size_t at = 0;
  for (; at < arguments.size() && arguments[at] != "--"; ++at) {
    const std::string& name = arguments[at];
    if (name == "--landlock") {
      options.landlock = true;
    } else if (name == "--seccomp") {
      options.seccomp = true;
    } else if (name == "--keeps-reading") {
      options.keeps_reading = true;
    } else if (at + 1 < arguments.size() && arguments[at + 1] != "--") {
      set(options, name, arguments[++at]);
    } else {
      throw std::invalid_argument("'" + name + "' is not followed by a value");
    }
  }
  for (++at; at < arguments.size(); ++at) options.argv.push_back(arguments[at]);
  if (options.argv.empty()) throw std::invalid_argument("no program follows '--'");
  absolute_path("the program after '--'", options.argv[0]);
  return options;
}

std::vector<std::string> to_arguments(const ConfineOptions& options) {
  std::vector<std::string> arguments;
  const auto add = [&](const char* name, std::string value) {
    arguments.insert(arguments.end(), {name, std::move(value)});
  };
  const auto add_number = [&](const char* name, uint64_t value) {
    if (value > 0) add(name, std::to_string(value));
  };
  const bool compiler = options.profile == Confinement::Profile::compiler;
  add("--profile", compiler ? "compiler" : "runner");
  if (options.landlock) arguments.push_back("--landlock");
  if (options.seccomp) arguments.push_back("--seccomp");
  for (const auto& path : options.read_only) add("--ro", path);
  for (const auto& path : options.read_write) add("--rw", path);
  for (const auto& path : options.devices) add("--device", path);
  if (!options.hidden.empty()) add("--hidden", options.hidden);
  if (!options.executable.empty()) add("--executable", options.executable);
  if (options.report_fd >= 0) add("--report-fd", std::to_string(options.report_fd));
  if (options.keeps_reading) arguments.push_back("--keeps-reading");
  add_number("--user", options.user);
  add_number("--group", options.group);
  const Limits& limits = options.limits;
  add_number("--cpu", static_cast<uint64_t>(limits.cpu.count()));
  add_number("--memory", limits.memory_bytes);
  add_number("--file-size", limits.file_bytes);
  add_number("--stack", limits.stack_bytes);
  add_number("--processes", limits.processes);
  add_number("--open-files", limits.open_files);
  arguments.push_back("--");
  arguments.insert(arguments.end(), options.argv.begin(), options.argv.end());
  return arguments;
}

}  // namespace convkit
