// SPDX-License-Identifier: MIT
#include "compile/builder.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <sstream>

#include "compile/diagnostics.h"
#include "compile/missing_functions.h"
#include "compile/object_key.h"
#include "compile/symbols.h"
#include "compile/tool_commands.h"
#include "convkit/kit_error.h"
#include "convkit/sha256.h"
#include "convkit/temporary_folder.h"
#include "convkit/timing.h"
#include "cpu_device/cc/precompiled_header.h"
#include "process/sandbox.h"
#include "process/sandbox_user.h"

namespace convkit {

namespace fs = std::filesystem;

struct Builder::Compiled {
  BuildResult::Status status = BuildResult::Status::ok;
  std::string source;
  std::string key;
  fs::path file;
  std::string log;
  bool cached = false;
  bool over_budget = false;  // timed out by what was left of limits.all_builds
};

Builder::Builder(Toolchain toolchain, ObjectCache cache, fs::path confine)
    : toolchain_(std::move(toolchain)), cache_(std::move(cache)), confine_(std::move(confine)) {}

Builder::Compiled Builder::run_tool(const BuildRequest& request, std::vector<std::string> argv,
                                    const fs::path& scratch,
                                    const std::vector<fs::path>& readable) {
  if (request.limits.build.count() <= 0) {  // the other files have used it up
    Compiled ended;
    ended.status = BuildResult::Status::timed_out;
    return ended;
  }
  Limits limits;
  limits.wall = request.limits.build;
  limits.memory_bytes = 4ull << 30;    // of each process ...
  limits.resident_bytes = 4ull << 30;  // ... and of all together
  limits.file_bytes = 256ull << 20;
  limits.processes = 64;
  limits.open_files = 256;
  limits.output_bytes = 256 << 10;
  Command command;
  command.argv = std::move(argv);
  command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8",
                         "TMPDIR=" + scratch.string()};
  command.directory = request.folder;
  if (request.confined) {
    open_to_sandbox(scratch, true);
    Confinement confinement;
    confinement.profile = Confinement::Profile::compiler;
    confinement.executable = toolchain_.compiler;
    confinement.read_only = readable;
    confinement.read_write = {scratch};
    confinement.hidden = request.kit;
    command = confined(command, confinement, limits, confine_);
  }
  const Completed completed = run_process(command, limits);
  Compiled result;
  result.log = completed.output;
  switch (completed.ending.kind) {
    case Ending::Kind::exited:
      if (completed.ending.code != 0) {
        result.status =
            out_of_resources(result.log) ? BuildResult::Status::limit : BuildResult::Status::failed;
      }
      break;
    case Ending::Kind::wall_timeout:
    case Ending::Kind::cpu_timeout:
      result.status = BuildResult::Status::timed_out;
      break;
    case Ending::Kind::interrupted:
      result.status = BuildResult::Status::interrupted;
      break;
    case Ending::Kind::signalled:
    case Ending::Kind::output_limit:
    case Ending::Kind::memory_limit:
      result.status = BuildResult::Status::limit;
      break;
  }
  return result;
}

Builder::Compiled Builder::compile(const BuildRequest& request, const std::string& file,
                                   const std::set<std::string>& read_files,
                                   const std::string& common_key) {
  Sha256 hash;
  add_to_key(hash, common_key);
  add_to_key(hash, file);  // messages name it
  for (const std::string& flag : flags_of(request, file)) add_to_key(hash, flag);
  for (const std::string& read : read_files) {
    add_to_key(hash, read);
    add_file_to_key(hash, request.folder / read);
  }
  const std::string key = sha256_hex(hash.finish());
  if (auto entry = cache_.find(key, ".o")) {
    return {BuildResult::Status::ok, file, key, entry->file, entry->messages, true};
  }

  const TemporaryFolder scratch("build", scratch_place());
  const fs::path object = scratch.path() / "out.o";
  Compiled result = run_compiler(request, file, scratch.path(), object);
  result.log = without_prefix(result.log, scratch.path().string() + "/");
  result.log = without_prefix(result.log, "./");
  if (result.status != BuildResult::Status::ok) return result;
  const auto entry = cache_.store(key, ".o", object, result.log);
  return {BuildResult::Status::ok, file, key, entry.file, result.log, false};
}

Builder::Compiled Builder::run_compiler(const BuildRequest& request, const std::string& file,
                                        const fs::path& scratch, const fs::path& object) {
  CompileCommand command = compile_command(request, toolchain_, file, scratch, object);
  if (command.simt && command.simt->failed()) {
    return {BuildResult::Status::failed, file, "", {}, command.simt->messages(), false};
  }
  if (command.simt) precompile_header(request, scratch, command);
  Compiled result = run_tool(request, std::move(command.argv), scratch, command.readable);
  if (command.simt) result.log = command.simt->messages() + command.simt->mend(result.log);
  return result;
}

fs::path Builder::scratch_place() const {
  return temporary_place_for_sandbox(!probe_sandbox(confine_).bubblewrap);
}

// A file of the cache, or, where the sandbox's user cannot pass root's private folders, a copy of
// it.
fs::path Builder::within_reach(const BuildRequest& request, const fs::path& file,
                               const fs::path& scratch) const {
  const SandboxProbe& sandbox = probe_sandbox(confine_);
  if (!request.confined || !sandbox.user || sandbox_may_read(file, !sandbox.bubblewrap))
    return file;
  fs::copy_file(file, scratch / file.filename(), fs::copy_options::skip_existing);
  return scratch / file.filename();
}

// Most of the time that a small .cu file takes is cuda_runtime.h.
void Builder::precompile_header(const BuildRequest& request, const fs::path& scratch,
                                CompileCommand& command) {
  const SimtCompile& simt = *command.simt;
  PrecompiledHeaderRequest header;
  header.compiler = toolchain_.compiler;
  header.version = toolchain_.version;
  header.clang = toolchain_.is_clang();
  header.flags = command.header_flags;
  header.headers = simt.headers;
  header.cache = cache_.folder();
  header.scratch = scratch;
  const std::lock_guard lock(header_mutex_);  // made once; the other sources wait for it
  const auto made = precompiled_header(header, [&](const std::vector<std::string>& argv) {
    return run_tool(request, argv, scratch, command.readable).status == BuildResult::Status::ok;
  });
  if (!made) return;
  const fs::path near = within_reach(request, *made, scratch);
  if (use_precompiled_header(near, simt.prefix)) command.readable.push_back(near);
}

bool Builder::links_with(const std::string& linker, std::string& log) {
  Sha256 hash;
  for (const std::string& part :
       {std::string("linker probe 1"), toolchain_.compiler.string(), toolchain_.version, linker}) {
    add_to_key(hash, part);
  }
  const std::string key = sha256_hex(hash.finish());
  if (cache_.find(key, ".links")) return true;
  const TemporaryFolder scratch("build", scratch_place());
  std::ofstream(scratch.path() / "probe.cpp")
      << "#include <string>\nstd::string probe(int n) { return std::to_string(n); }\n";
  BuildRequest request;
  request.folder = scratch.path();
  const fs::path library = scratch.path() / "probe.so";
  std::vector<std::string> argv = {toolchain_.compiler.string(),
                                   "-std=c++20",
                                   "-shared",
                                   "-fPIC",
                                   "-Wl,-z,defs",
                                   "probe.cpp",
                                   "-o",
                                   library.string()};
  if (!linker.empty()) argv.push_back("-fuse-ld=" + linker);
  const Compiled result = run_tool(request, std::move(argv), scratch.path(), {});
  log = result.log;
  if (result.status != BuildResult::Status::ok) return false;
  cache_.store(key, ".links", library, "");
  return true;
}

std::string Builder::working_linker() {
  const std::lock_guard lock(linker_mutex_);
  if (linker_) return *linker_;
  std::vector<std::string> candidates = toolchain_.linkers;
  candidates.push_back("");
  std::string log;
  for (const std::string& linker : candidates) {
    if (!links_with(linker, log)) continue;
    linker_ = linker;
    return linker;
  }
  if (interrupted()) throw KitError("Interrupted.");
  throw KitError(fmt::format("{} cannot build a shared library in the sandbox: {}",
                             toolchain_.compiler.string(), first_error(log)));
}

Builder::Compiled Builder::link(const BuildRequest& request, const std::vector<Compiled>& objects) {
  Sha256 hash;
  const std::string linker = working_linker();
  add_to_key(hash, linker);
  add_to_key(hash, request.sanitize ? "sanitize 2" : "");
  for (const fs::path& needed : request.device_libraries) add_file_to_key(hash, needed);
  for (const std::string& flag : request.link_flags) add_to_key(hash, flag);
  for (const Compiled& object : objects) add_to_key(hash, object.key);
  const std::string key = sha256_hex(hash.finish());
  if (auto entry = cache_.find(key, ".so")) {
    return {BuildResult::Status::ok, "", key, entry->file, "", true};
  }
  const TemporaryFolder scratch("build", scratch_place());
  const fs::path library = scratch.path() / "submission.so";
  Compiled result = run_linker(request, objects, scratch.path(), library, false);
  // An object's name in the cache means nothing to a reader; its source does.
  for (const Compiled& object : objects) {
    result.log = with_renamed(result.log, object.file.string(), object.source);
  }
  if (result.status != BuildResult::Status::ok) return result;
  return {BuildResult::Status::ok, "", key, cache_.store(key, ".so", library, "").file, "", false};
}

Builder::Compiled Builder::run_linker(const BuildRequest& request,
                                      const std::vector<Compiled>& objects, const fs::path& scratch,
                                      const fs::path& library, bool to_list_missing) {
  const std::string linker = working_linker();
  std::vector<fs::path> files;
  for (const Compiled& object : objects) {
    files.push_back(within_reach(request, object.file, scratch));
  }
  ToolCommand command = link_command(request, toolchain_, linker, files, library);
  if (to_list_missing) {
    const bool nvcc = request.target == BuildTarget::gpu;
    command.argv.insert(command.argv.end(), {nvcc ? "-Xlinker" : "-Wl,--no-demangle",
                                             nvcc ? "--no-demangle" : "-Wl,-z,defs"});
    if (!nvcc && linker == "lld") command.argv.push_back("-Wl,--error-limit=0");
  }
  Compiled result = run_tool(request, std::move(command.argv), scratch, command.readable);
  for (size_t i = 0; i < files.size(); ++i) {
    result.log = with_renamed(result.log, files[i].string(), objects[i].file.string());
  }
  return result;
}

// Plain C++ on every target, and without the flags of the stage.
Builder::Compiled Builder::compile_stubs(const BuildRequest& request,
                                         const std::vector<std::string>& symbols) {
  const std::string text = stubs_for(symbols);
  Sha256 hash;
  for (const std::string& part :
       {std::string("stubs 1"), toolchain_.compiler.string(), toolchain_.version, text}) {
    add_to_key(hash, part);
  }
  const std::string name = "(missing functions)", key = sha256_hex(hash.finish());
  if (auto entry = cache_.find(key, ".o")) {
    return {BuildResult::Status::ok, name, key, entry->file, "", true};
  }
  const TemporaryFolder scratch("build", scratch_place());
  std::ofstream(scratch.path() / "stubs.cpp") << text;
  BuildRequest own = request;
  own.folder = scratch.path();
  const fs::path object = scratch.path() / "out.o";
  Compiled result = run_tool(own,
                             {toolchain_.compiler.string(), "-std=c++20", "-O1", "-fPIC", "-c",
                              "stubs.cpp", "-o", object.string()},
                             scratch.path(), {});
  if (result.status != BuildResult::Status::ok) return result;
  return {BuildResult::Status::ok, name, key, cache_.store(key, ".o", object, "").file, "", false};
}

std::optional<Builder::Compiled> Builder::link_with_stubs(const BuildRequest& request,
                                                          std::vector<Compiled> objects,
                                                          std::vector<std::string>& missing) {
  const TemporaryFolder scratch("build", scratch_place());
  const Compiled listed =
      run_linker(request, objects, scratch.path(), scratch.path() / "out.so", true);
  missing = undefined_symbols(listed.log);
  // A sanitizer's runtime comes with the runner.
  std::erase_if(missing, [&](const std::string& symbol) {
    return request.sanitize && (symbol.starts_with("__asan") || symbol.starts_with("__ubsan") ||
                                symbol.starts_with("__sanitizer"));
  });
  if (missing.empty()) return std::nullopt;
  Compiled stubs = compile_stubs(request, missing);
  if (stubs.status == BuildResult::Status::ok) {
    objects.push_back(std::move(stubs));
    Compiled linked = link(request, objects);
    if (linked.status == BuildResult::Status::ok) return linked;
  }
  missing.clear();
  return std::nullopt;
}

namespace {

// One sentence: why this source, or the link, failed.
std::string failure_of(BuildResult::Status status, const std::string& log, const std::string& what,
                       const StageLimits& limits) {
  switch (status) {
    case BuildResult::Status::timed_out:
      return fmt::format("Compiling {} took longer than {} s.", what, limits.build.count());
    case BuildResult::Status::limit:
      return fmt::format(
          "Compiling {} went over the compiler's limit of memory, output or file size.", what);
    case BuildResult::Status::interrupted:
      return "Interrupted.";
    default:
      return first_error(log);
  }
}

}  // namespace

BuildResult Builder::build(const BuildRequest& request, ThreadPool& pool,
                           const std::function<void(const std::string&)>& progress) {
  const Stopwatch watch;
  BuildResult result;
  if (toolchain_.compiler.empty()) {
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

  // An object that was compiled with less around it may hold what the compiler must not read.
  const std::string common_key =
      key_of_everything_shared(request, toolchain_) +
      (request.confined ? probe_sandbox(confine_).description() : "unconfined");
  std::atomic<int64_t> spent_ms = 0;
  const auto read_files = files_read_by_sources(request);
  std::vector<Compiled> objects(sources.size());
  pool.parallel_for(static_cast<int64_t>(sources.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto at = static_cast<size_t>(i);
      if (progress) progress(sources[at]);
      const Stopwatch one;
      BuildRequest timed = request;
      timed.limits.build =
          std::min(request.limits.build,
                   request.limits.all_builds - std::chrono::seconds(spent_ms.load() / 1000));
      objects[at] = compile(timed, sources[at], read_files.at(sources[at]), common_key);
      objects[at].over_budget = timed.limits.build < request.limits.build;
      if (!objects[at].cached) spent_ms += static_cast<int64_t>(one.elapsed_s() * 1000);
    }
  });
  const auto count = [&](const Compiled& step) {
    result.log += step.log;
    (step.cached ? result.cached : result.compiled) += 1;
  };
  const auto fail = [&](BuildResult::Status status, const std::string& message) {
    if (result.status != BuildResult::Status::ok) return;
    result.status = status;
    result.message = message;
  };
  std::vector<Compiled> compiled;
  for (const Compiled& object : objects) {
    count(object);
    if (object.status == BuildResult::Status::ok) {
      compiled.push_back(object);
      continue;
    }
    result.failed.push_back({sources[&object - objects.data()], object.status, ""});
    FailedSource& failed = result.failed.back();
    failed.message =
        failed.status == BuildResult::Status::timed_out && object.over_budget
            ? fmt::format("Compiling {} was ended: all files of the stage together may take {} s.",
                          failed.file, request.limits.all_builds.count())
            : failure_of(failed.status, object.log, failed.file, request.limits);
    if (failed.status == BuildResult::Status::interrupted) fail(failed.status, failed.message);
  }
  if (!result.failed.empty() && (!request.partial || compiled.empty())) {
    fail(result.failed[0].status, result.failed[0].message);
  }
  if (result.status == BuildResult::Status::ok) {
    try {
      Compiled linked = link(request, compiled);
      const bool incomplete = linked.status == BuildResult::Status::failed ||
                              (request.sanitize && !result.failed.empty());
      if (request.partial && incomplete) {
        if (auto with_stubs = link_with_stubs(request, compiled, result.missing)) {
          // Of files that failed, their compiler has said it all.
          if (result.failed.empty()) with_stubs->log = linked.log + with_stubs->log;
          linked = std::move(*with_stubs);
        }
      }
      count(linked);
      if (linked.status != BuildResult::Status::ok) {
        fail(linked.status, failure_of(linked.status, linked.log, "(linking)", request.limits));
      }
      result.library = linked.file;
    } catch (const KitError& error) {
      fail(interrupted() ? BuildResult::Status::interrupted : BuildResult::Status::no_compiler,
           error.what());
    }
  }
  if (result.status == BuildResult::Status::ok) {
    const Symbols symbols = dynamic_symbols(result.library);
    for (const std::string& name : symbols.undefined) {
      const auto& forbidden = request.forbidden_symbols;
      if (std::find(forbidden.begin(), forbidden.end(), name) == forbidden.end()) continue;
      result.status = BuildResult::Status::policy;
      result.message =
          fmt::format("The submission calls {}(), which this stage does not allow.", name);
    }
    if (std::find(symbols.defined.begin(), symbols.defined.end(), "main") !=
        symbols.defined.end()) {
      result.notes.push_back("The submission defines main(); the grader does not call it.");
    }
  }
  result.seconds = watch.elapsed_s();
  return result;
}

}  // namespace convkit
