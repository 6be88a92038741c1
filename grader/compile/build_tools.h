// SPDX-License-Identifier: MIT
// The compiler and what it has made before: runs tools in the sandbox, on files within its reach.
#pragma once

#include <cstdint>
#include <filesystem>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "compile/build_request.h"
#include "cpu_device/cc/object_cache.h"
#include "cpu_device/cc/toolchain.h"

namespace convkit {

// An object or a library, or why there is none.
struct BuildStep {
  BuildResult::Status status = BuildResult::Status::ok;
  std::string source;
  std::string key;  // in the cache
  std::filesystem::path file;
  std::string log;
  bool cached = false;
  bool over_budget = false;  // the others left it less than it may take alone (build_budget.h)
  bool no_reason = false;    // it failed and named no error
  std::string fault;         // of no_compiler, where it is known: what is wrong here, in a sentence
  bool starved = false;      // of no_compiler: other programs had the processors
  double used_s = 0;         // of the compiler's time, as own_time.h counts it; all tries together
};

// What one compiler or linker may use.
inline constexpr uint64_t kMostToolMemory = 4ull << 30, kMostToolFile = 256ull << 20;

class BuildTools {
 public:
  BuildTools(Toolchain found, ObjectCache objects, std::filesystem::path confine_program)
      : toolchain(std::move(found)),
        cache(std::move(objects)),
        confine(std::move(confine_program)) {}

  Toolchain toolchain;
  ObjectCache cache;
  std::filesystem::path confine;  // convkit-confine

  // What keeps the tools from the machine, in words.
  std::string sandbox(const BuildRequest& request) const;
  // Where a tool's folder of its own can lie.
  std::filesystem::path scratch_place() const;
  // A file of the cache, or, where the sandbox's user cannot pass root's private folders, a copy of
  // it.
  std::filesystem::path within_reach(const BuildRequest& request, const std::filesystem::path& file,
                                     const std::filesystem::path& scratch) const;
  // Runs `argv` in the request's folder, for request.limits.build at most, as own_time.h counts
  // it. It may read `readable` and write to `scratch`. A tool that something else than a limit
  // kills, as a machine without memory does, or that fails and names no error, runs once more,
  // alone; after that the step is no_compiler. Whoever names no error must fail on an empty program
  // as well: otherwise a source would be spared for a failure of its own. If it does not, it has a
  // third try, and has failed.
  BuildStep run(const BuildRequest& request, const std::vector<std::string>& argv,
                const std::filesystem::path& scratch,
                const std::vector<std::filesystem::path>& readable) const;
  // A sentence where the compiler cannot compile even an empty program; "" where it can.
  std::string why_nothing_compiles(const BuildRequest& request) const;

 private:
  BuildStep run_once(const BuildRequest& request, const std::vector<std::string>& argv,
                     const std::filesystem::path& scratch,
                     const std::vector<std::filesystem::path>& readable) const;

  mutable std::shared_mutex running_;  // shared by all that run; alone by who tries again
};

}  // namespace convkit
