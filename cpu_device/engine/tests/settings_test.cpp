// SPDX-License-Identifier: MIT
// Settings are read once in a process, so each of these tests starts this program anew.
#include "cpu_device/engine/settings.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <initializer_list>
#include <string>
#include <utility>

#include "catch.h"

namespace convkit::simt {
namespace {

const char* const kNames[] = {"CONVKIT_SIMT_THREADS", "CONVKIT_SIMT_SEED",
                              "CONVKIT_SIMT_TIMEOUT", "CONVKIT_SIMT_MEMORY_MIB",
                              "CONVKIT_SIMT_COUNT",   "CONVKIT_SIMT_DEVICES"};

struct Run {
  int code;
  std::string out, err;
};

std::string drained(int fd) {
  std::string text;
  char buffer[512];
  for (ssize_t n; (n = read(fd, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<size_t>(n));
  }
  close(fd);
  return text;
}

// What settings() is in a process with these variables and no other of ours.
Run with(std::initializer_list<std::pair<const char*, const char*>> variables) {
  int out[2], err[2];
  REQUIRE((pipe(out) == 0 && pipe(err) == 0));
  const pid_t child = fork();
  if (child == 0) {
    for (const char* name : kNames) unsetenv(name);
    for (const auto& [name, value] : variables) setenv(name, value, 1);
    dup2(out[1], 1);
    dup2(err[1], 2);
    execl("/proc/self/exe", "test", "prints its settings", static_cast<char*>(nullptr));
    _exit(127);
  }
  close(out[1]);
  close(err[1]);
  Run run{0, drained(out[0]), drained(err[0])};
  int status = 0;
  waitpid(child, &status, 0);
  run.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return run;
}

// The line of "prints its settings" alone: Catch2 3 also prints a seed that differs each time.
std::string settings_line(const Run& run) {
  const size_t at = run.out.find("settings: ");
  return at == std::string::npos ? "" : run.out.substr(at, run.out.find('\n', at) - at);
}

}  // namespace

TEST_CASE("prints its settings", "[.]") {
  const Settings& s = settings();
  std::printf("settings: %u threads, seed %llu, %g s, %zu bytes, poison %d and %d%s\n", s.threads,
              static_cast<unsigned long long>(s.seed), s.timeout_s, s.memory_bytes, s.poison,
              s.global_poison, s.count_accesses ? ", counts" : "");
  std::fflush(stdout);
  CHECK(s.threads > 0);
}

TEST_CASE("settings come from the environment") {
  const Run run = with({{"CONVKIT_SIMT_THREADS", "3"},
                        {"CONVKIT_SIMT_SEED", "9000000000000001"},
                        {"CONVKIT_SIMT_TIMEOUT", "0.25"},
                        {"CONVKIT_SIMT_MEMORY_MIB", "16"}});
  CHECK_THAT(run.err, Catch::Contains("CONVKIT_SIMT_SEED=9000000000000001: must be a number from"));
  CHECK(run.code == 2);
  const Run good = with({{"CONVKIT_SIMT_THREADS", "3"},
                         {"CONVKIT_SIMT_SEED", "8999999999999999"},
                         {"CONVKIT_SIMT_TIMEOUT", "0.25"},
                         {"CONVKIT_SIMT_MEMORY_MIB", "16"},
                         {"CONVKIT_SIMT_POISON", "7"},
                         {"CONVKIT_SIMT_GLOBAL_POISON", "255"},
                         {"CONVKIT_SIMT_COUNT", "1"}});
  CHECK(good.code == 0);
  CHECK_THAT(good.out, Catch::Contains("settings: 3 threads, seed 8999999999999999, "
                                       "0.25 s, 16777216 bytes, poison 7 and 255, counts\n"));
}

TEST_CASE("without settings the device is deterministic and has a minute") {
  const Run run = with({});
  CHECK(run.code == 0);
  CHECK_THAT(run.out, Catch::Contains(" threads, seed 0, 60 s, "));
  CHECK_THAT(run.out, Catch::Contains(", poison 255 and 0"));
  CHECK(run.out.find("counts") == std::string::npos);
  REQUIRE_FALSE(settings_line(run).empty());
  CHECK(settings_line(with({{"CONVKIT_SIMT_SEED", ""}})) == settings_line(run));
}

TEST_CASE("a setting that is no number in range ends the program with one sentence") {
  const std::pair<const char*, const char*> bad[] = {
      {"CONVKIT_SIMT_THREADS", "0"},     {"CONVKIT_SIMT_THREADS", "257"},
      {"CONVKIT_SIMT_THREADS", "many"},  {"CONVKIT_SIMT_THREADS", "2x"},
      {"CONVKIT_SIMT_SEED", "-1"},       {"CONVKIT_SIMT_SEED", "nan"},
      {"CONVKIT_SIMT_TIMEOUT", "0"},     {"CONVKIT_SIMT_TIMEOUT", "inf"},
      {"CONVKIT_SIMT_MEMORY_MIB", "15"}, {"CONVKIT_SIMT_COUNT", "2"},
      {"CONVKIT_SIMT_POISON", "256"},    {"CONVKIT_SIMT_DEVICES", "0"},
      {"CONVKIT_SIMT_DEVICES", "17"},    {"CONVKIT_SIMT_GLOBAL_POISON", "-1"},
  };
  for (const auto& [name, value] : bad) {
    CAPTURE(name, value);
    const Run run = with({{name, value}});
    CHECK(run.code == 2);
    CHECK_THAT(run.err, Catch::StartsWith("convkit: " + std::string(name) + "=" + value +
                                          ": must be a number from "));
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
}

TEST_CASE("counts are whole numbers") {
  for (const char* name : {"CONVKIT_SIMT_THREADS", "CONVKIT_SIMT_SEED"}) {
    CAPTURE(name);
    CHECK(with({{name, "2.5"}}).code == 2);
  }
}

}  // namespace convkit::simt
