// SPDX-License-Identifier: MIT
#include "compile/builder.h"

#include <fmt/core.h>

#include <algorithm>

#include "compile/build_budget.h"
#include "compile/diagnostics.h"
#include "compile/object_key.h"
#include "compile/stand_ins.h"
#include "compile/symbols.h"
#include "compile/tool_commands.h"
#include "convkit/kit_error.h"
#include "convkit/sha256.h"
#include "convkit/temporary_folder.h"
#include "convkit/timing.h"
#include "cpu_device/cc/precompiled_header.h"
#include "process/own_time.h"
#include "process/process.h"
#include "process/resource_limits.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

// A result holds no more of what the compiler and the rewriter say.
constexpr size_t kMostLogOfOneFile = 64 << 10, kMostLog = 512 << 10;

// One sentence: why this source, or the link, failed.
std::string failure_of(const BuildStep& step, const std::string& what, const StageLimits& limits) {
  switch (step.status) {
    case BuildResult::Status::timed_out:
      if (step.over_budget) {
        return fmt::format(
            "Compiling {} was stopped: all files of the stage together may take {} s.", what,
            limits.all_builds.count());
      }
      return fmt::format("Compiling {} took longer than {} s.", what, limits.build.count());
    case BuildResult::Status::out_of_memory:
      return fmt::format("Compiling {} went over the compiler's limit of memory ({} MiB).", what,
                         memory_of_machine(kMostToolMemory) >> 20);
    case BuildResult::Status::file_too_large:
      return fmt::format("Compiling {} went over the compiler's limit of file size ({} MiB).", what,
                         kMostToolFile >> 20);
    case BuildResult::Status::compiler_crashed:
      return fmt::format("Compiling {} made the compiler crash: {}", what, first_error(step.log));
    case BuildResult::Status::no_compiler:
      if (!step.fault.empty()) return step.fault;
      if (step.starved) {
        return fmt::format(
            "Compiling {} did not end within {} s, but other programs had the processors for most "
            "of them. The machine is too busy: build it again. The code was not judged.",
            what, kBusyPatience * limits.build.count());
      }
      return fmt::format(
          "Compiling {}: the system killed the compiler twice. The machine probably has too little "
          "free memory. The code was not judged.",
          what);
    case BuildResult::Status::interrupted:
      return "Interrupted.";
    default:
      if (step.no_reason) {
        return fmt::format(
            "Compiling {}: the compiler failed three times and named no error, but it compiles an "
            "empty program.",
            what);
      }
      return first_error(step.log);
  }
}

// The first failure is the build's.
void fail(BuildResult& result, BuildResult::Status status, const std::string& message) {
  if (result.status != BuildResult::Status::ok) return;
  result.status = status;
  result.message = message;
}

void count(const BuildStep& step, BuildResult& result) {
  result.log = cut_log(result.log + cut_log(step.log, kMostLogOfOneFile), kMostLog);
  (step.cached ? result.cached : result.compiled) += 1;
}

// Those that compiled; the others become result.failed.
std::vector<BuildStep> take_objects(const BuildRequest& request,
                                    const std::vector<std::string>& sources,
                                    const std::vector<BuildStep>& objects, BuildResult& result) {
  std::vector<BuildStep> compiled;
  for (size_t i = 0; i < objects.size(); ++i) {
    const BuildStep& object = objects[i];
    count(object, result);
    if (object.status == BuildResult::Status::ok) {
      compiled.push_back(object);
      continue;
    }
    const std::string message = failure_of(object, sources[i], request.limits);
    result.failed.push_back({sources[i], object.status, message});
    const bool not_judged = object.status == BuildResult::Status::interrupted ||
                            object.status == BuildResult::Status::no_compiler;
    if (not_judged) fail(result, object.status, message);
  }
  return compiled;
}

void judge_symbols(const BuildRequest& request, BuildResult& result) {
  const Symbols symbols = dynamic_symbols(result.library);
  for (const std::string& name : symbols.undefined) {
    const auto& forbidden = request.forbidden_symbols;
    if (std::find(forbidden.begin(), forbidden.end(), name) == forbidden.end()) continue;
    result.status = BuildResult::Status::policy;
    result.message =
        fmt::format("The submission calls {}(), which this stage does not allow.", name);
  }
  if (std::find(symbols.defined.begin(), symbols.defined.end(), "main") != symbols.defined.end()) {
    result.notes.push_back("The submission defines main(); the grader does not call it.");
  }
}

}  // namespace

Builder::Builder(Toolchain toolchain, ObjectCache cache, fs::path confine)
    : tools_(std::move(toolchain), std::move(cache), std::move(confine)), linker_(tools_) {}

BuildStep Builder::compile(const BuildRequest& request, const std::string& file,
                           const std::set<std::string>& read_files, const std::string& common_key) {
  Sha256 hash;
  add_to_key(hash, common_key);
  add_to_key(hash, file);  // messages name it
  for (const std::string& flag : flags_of(request, file)) add_to_key(hash, flag);
  for (const std::string& read : read_files) {
    add_to_key(hash, read);
    add_file_to_key(hash, request.folder / read);
  }
  const std::string key = sha256_hex(hash.finish());
  if (auto entry = tools_.cache.find(key, ".o")) {
    return {BuildResult::Status::ok, file, key, entry->file, entry->messages, true};
  }

  const TemporaryFolder scratch("build", tools_.scratch_place());
  const fs::path object = scratch.path() / "out.o";
  BuildStep result = run_compiler(request, file, scratch.path(), object);
  result.log = without_prefix(result.log, scratch.path().string() + "/");
  result.log = without_prefix(result.log, "./");
  // Reads like advice to set that flag.
  result.log = with_renamed(result.log, " [-fpermissive]", "");
  if (result.status != BuildResult::Status::ok) return result;
  const auto entry = tools_.cache.store(key, ".o", object, result.log);
  BuildStep stored{BuildResult::Status::ok, file, key, entry.file, result.log, false};
  stored.used_s = result.used_s;
  return stored;
}

BuildStep Builder::run_compiler(const BuildRequest& request, const std::string& file,
                                const fs::path& scratch, const fs::path& object) {
  CompileCommand command = compile_command(request, tools_.toolchain, file, scratch, object);
  if (command.simt && command.simt->failed()) {
    return {BuildResult::Status::failed, file, "", {}, command.simt->messages(), false};
  }
  if (command.simt) precompile_header(request, scratch, command);
  BuildStep result = tools_.run(request, command.argv, scratch, command.readable);
  if (command.simt) result.log = command.simt->messages() + command.simt->mend(result.log);
  return result;
}

// Most of the time that a small .cu file takes is cuda_runtime.h.
void Builder::precompile_header(const BuildRequest& request, const fs::path& scratch,
                                CompileCommand& command) {
  const SimtCompile& simt = *command.simt;
  PrecompiledHeaderRequest header;
  header.compiler = tools_.toolchain.compiler;
  header.version = tools_.toolchain.version;
  header.clang = tools_.toolchain.is_clang();
  header.flags = command.header_flags;
  header.headers = simt.headers;
  header.cache = tools_.cache.folder();
  header.scratch = scratch;
  const std::lock_guard lock(header_mutex_);  // made once; the other sources wait for it
  const auto made = precompiled_header(header, [&](const std::vector<std::string>& argv) {
    return tools_.run(request, argv, scratch, command.readable).status == BuildResult::Status::ok;
  });
  if (!made) return;
  fs::path near;
  try {
    near = tools_.within_reach(request, *made, scratch);
  } catch (const fs::filesystem_error&) {
    return;  // another grader has trimmed the cache; it compiles without, too
  }
  if (use_precompiled_header(near, simt.prefix)) command.readable.push_back(near);
}

std::string Builder::why_nothing_compiles(const BuildRequest& request) {
  const std::lock_guard lock(header_mutex_);
  if (compiles_) return "";
  std::string fault = tools_.why_nothing_compiles(request);
  compiles_ = fault.empty() && !interrupted();
  return fault;
}

std::vector<BuildStep> Builder::compile_all(
    const BuildRequest& request, const std::vector<std::string>& sources, ThreadPool& pool,
    const std::function<void(const std::string&)>& progress) {
  // An object that was compiled with less around it may hold what the compiler must not read.
  const std::string common_key =
      key_of_everything_shared(request, tools_.toolchain) + tools_.sandbox(request);
  const auto read_files = files_read_by_sources(request);
  BuildBudget budget(request.limits);
  std::vector<BuildStep> objects(sources.size());
  pool.parallel_for(static_cast<int64_t>(sources.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto at = static_cast<size_t>(i);
      if (progress) progress(sources[at]);
      BuildRequest timed = request;
      timed.limits.build = budget.left_for_one();
      objects[at] = compile(timed, sources[at], read_files.at(sources[at]), common_key);
      objects[at].over_budget = budget.is_cut(timed.limits.build);
      budget.spend(objects[at].used_s);
    }
  });
  return objects;
}

// With stubs where the request allows it and something is missing.
BuildStep Builder::link(const BuildRequest& request, const std::vector<BuildStep>& compiled,
                        BuildResult& result) {
  BuildStep linked = linker_.link(request, compiled);
  const bool incomplete =
      linked.status == BuildResult::Status::failed || (request.sanitize && !result.failed.empty());
  if (!request.partial || !incomplete) return linked;
  auto with_stubs = linker_.link_with_stubs(request, compiled, result.missing);
  if (!with_stubs) return linked;
  // Of files that failed, their compiler has said it all.
  if (result.failed.empty()) with_stubs->log = linked.log + with_stubs->log;
  return std::move(*with_stubs);
}

BuildResult Builder::build(const BuildRequest& request, ThreadPool& pool,
                           const std::function<void(const std::string&)>& progress) {
  const Stopwatch watch;
  BuildResult result;
  if (tools_.toolchain.compiler.empty()) {
    result.status = BuildResult::Status::no_compiler;
    result.message =
        "No C++ compiler was found on PATH. On Debian and Ubuntu: apt-get install g++.";
    return result;
  }
  std::vector<std::string> sources;
  std::copy_if(request.files.begin(), request.files.end(), std::back_inserter(sources), is_source);
  if (sources.empty()) {
    result.status = BuildResult::Status::failed;
    result.message = "The folder holds no C++ source file.";
    return result;
  }

  auto compiled =
      take_objects(request, sources, compile_all(request, sources, pool, progress), result);
  const auto judged = [](const FailedSource& f) { return f.status == BuildResult::Status::failed; };
  if (result.status == BuildResult::Status::ok && compiled.empty() &&
      std::ranges::any_of(result.failed, judged)) {
    const std::string fault = why_nothing_compiles(request);
    if (!fault.empty()) fail(result, BuildResult::Status::no_compiler, fault);
  }
  if (result.status == BuildResult::Status::ok && request.partial) {
    compiled =
        without_clashes(request, std::move(compiled), tools_.cache, tools_.scratch_place(), result);
    compiled = without_duplicates(request, std::move(compiled), result);
  }
  if (!result.failed.empty() && (!request.partial || compiled.empty())) {
    fail(result, result.failed[0].status, result.failed[0].message);
  }
  if (result.status == BuildResult::Status::ok) {
    try {
      const BuildStep linked = link(request, compiled, result);
      count(linked, result);
      if (linked.status != BuildResult::Status::ok) {
        fail(result, linked.status, failure_of(linked, "(linking)", request.limits));
      }
      result.library = linked.file;
    } catch (const KitError& error) {
      fail(result,
           interrupted() ? BuildResult::Status::interrupted : BuildResult::Status::no_compiler,
           error.what());
    }
  }
  if (result.status == BuildResult::Status::ok) judge_symbols(request, result);
  result.seconds = watch.elapsed_s();
  return result;
}

}  // namespace convkit
