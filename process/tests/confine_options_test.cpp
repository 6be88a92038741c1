// SPDX-License-Identifier: MIT
#include "process/confine_options.h"

#include <stdexcept>

#include "arena.h"
#include "catch.h"

using namespace convkit;
using namespace convkit::testing;

namespace {

std::string message(const std::vector<std::string>& arguments) {
  try {
    parse_confine_options(arguments);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("convkit-confine reads back what the grader writes") {
  ConfineOptions options;
  options.profile = Confinement::Profile::compiler;
  options.landlock = true;
  options.seccomp = true;
  options.read_only = {"/a folder", "/b"};
  options.read_write = {"/c"};
  options.devices = {"/dev/null"};
  options.hidden = "/e";
  options.executable = "/d";
  options.user = 61200;
  options.group = 61201;
  options.keeps_reading = true;
  options.limits.cpu = std::chrono::seconds(3);
  options.limits.memory_bytes = 1ull << 40;
  options.limits.file_bytes = 5;
  options.limits.stack_bytes = 6;
  options.limits.processes = 7;
  options.limits.open_files = 8;
  options.report_fd = 9;
  options.argv = {"/bin/true", "--", "-x", ""};
  const auto arguments = to_arguments(options);
  const ConfineOptions read = parse_confine_options(arguments);
  CHECK(read.argv == options.argv);
  CHECK(read.read_only == options.read_only);
  CHECK(read.hidden == "/e");
  CHECK(read.user == 61200);
  CHECK(read.group == 61201);
  CHECK(read.keeps_reading);
  CHECK(read.limits.memory_bytes == options.limits.memory_bytes);
  CHECK(read.report_fd == 9);
  CHECK(to_arguments(read) == arguments);
}

TEST_CASE("convkit-confine refuses what it does not understand, in one sentence") {
  CHECK(message({}) == "no program follows '--'");
  CHECK(message({"--landlock", "--"}) == "no program follows '--'");
  CHECK(message({"--", "true"}) == "the program after '--' takes an absolute path, not 'true'");
  CHECK(message({"--profile", "student", "--", "/bin/true"}) ==
        "--profile is 'compiler' or 'runner', not 'student'");
  CHECK(message({"--memory", "1G", "--", "/bin/true"}) ==
        "--memory takes a whole number up to 18446744073709551615, not '1G'");
  CHECK(message({"--report-fd", "-1", "--", "/bin/true"}) ==
        "--report-fd takes a whole number up to 2147483647, not '-1'");
  CHECK(message({"--ro", "--", "/bin/true"}) == "'--ro' is not followed by a value");
  CHECK(message({"--rw", "here", "--", "/bin/true"}) == "--rw takes an absolute path, not 'here'");
  CHECK(message({"--magic", "1", "--", "/bin/true"}) == "there is no option '--magic'");
}

TEST_CASE("convkit-confine works by hand and says its own failures on stderr") {
  Command command;
  command.argv = {kConfine, "--", kHostile, "exit", "7"};
  CHECK(run_process(command, {}).ending.code == 7);
  command.argv = {kConfine, "--", "/no/such/program"};
  const auto [ending, output] = run_process(command, {});
  CHECK(ending.code == 125);
  CHECK(output == "convkit-confine: /no/such/program: No such file or directory\n");
}
