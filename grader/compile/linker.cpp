// SPDX-License-Identifier: MIT
#include "compile/linker.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>

#include "compile/diagnostics.h"
#include "compile/missing_functions.h"
#include "compile/symbols.h"
#include "compile/tool_commands.h"
#include "convkit/kit_error.h"
#include "convkit/sha256.h"
#include "convkit/temporary_folder.h"
#include "process/process.h"

namespace convkit {

namespace fs = std::filesystem;

namespace {

// Whether a linker's complaint names one of these libraries, or misses what they define.
bool may_be_the_kits(const std::string& log, const std::vector<fs::path>& libraries) {
  if (libraries.empty()) return false;
  return log.find("convkit_simt") != std::string::npos ||
         std::ranges::any_of(libraries, [&](const fs::path& library) {
           return log.find(library.filename().string()) != std::string::npos;
         });
}

bool defines_nothing(const fs::path& library) try {
  return dynamic_symbols(library).defined.empty();
} catch (const std::exception&) {
  return true;
}

}  // namespace

bool Linker::links_with(const std::string& linker, std::string& log) {
  Sha256 hash;
  for (const std::string& part : {std::string("linker probe 1"), tools_.toolchain.compiler.string(),
                                  tools_.toolchain.version, linker}) {
    add_to_key(hash, part);
  }
  const std::string key = sha256_hex(hash.finish());
  if (tools_.cache.find(key, ".links")) return true;
  const TemporaryFolder scratch("build", tools_.scratch_place());
  std::ofstream(scratch.path() / "probe.cpp")
      << "#include <string>\nstd::string probe(int n) { return std::to_string(n); }\n";
  BuildRequest request;
  request.folder = scratch.path();
  const fs::path library = scratch.path() / "probe.so";
  std::vector<std::string> argv = {tools_.toolchain.compiler.string(),
                                   "-std=c++20",
                                   "-shared",
                                   "-fPIC",
                                   "-Wl,-z,defs",
                                   "probe.cpp",
                                   "-o",
                                   library.string()};
  if (!linker.empty()) argv.push_back("-fuse-ld=" + linker);
  const BuildStep result = tools_.run(request, argv, scratch.path(), {});
  log = result.log;
  if (result.status != BuildResult::Status::ok) return false;
  tools_.cache.store(key, ".links", library, "");
  return true;
}

std::string Linker::working() {
  const std::lock_guard lock(mutex_);
  if (linker_) return *linker_;
  std::vector<std::string> candidates = tools_.toolchain.linkers;
  candidates.push_back("");
  std::string log;
  for (const std::string& linker : candidates) {
    if (!links_with(linker, log)) continue;
    linker_ = linker;
    return linker;
  }
  if (interrupted()) throw KitError("Interrupted.");
  throw KitError(fmt::format("{} cannot build a shared library in the sandbox: {}",
                             tools_.toolchain.compiler.string(), first_error(log)));
}

BuildStep Linker::link(const BuildRequest& request, const std::vector<BuildStep>& objects) {
  Sha256 hash;
  const std::string linker = working();
  add_to_key(hash, linker);
  add_to_key(hash, request.sanitize ? "sanitize 2" : "");
  for (const fs::path& needed : request.device_libraries) add_file_to_key(hash, needed);
  for (const std::string& flag : request.link_flags) add_to_key(hash, flag);
  for (const BuildStep& object : objects) add_to_key(hash, object.key);
  const std::string key = sha256_hex(hash.finish());
  if (auto entry = tools_.cache.find(key, ".so")) {
    return {BuildResult::Status::ok, "", key, entry->file, "", true};
  }
  const TemporaryFolder scratch("build", tools_.scratch_place());
  const fs::path library = scratch.path() / "submission.so";
  BuildStep result = run(request, objects, scratch.path(), library, false);
  // An object's name in the cache means nothing to a reader; its source does.
  for (const BuildStep& object : objects) {
    result.log = with_renamed(result.log, object.file.string(), object.source);
  }
  if (result.status == BuildResult::Status::failed &&
      may_be_the_kits(result.log, request.device_libraries)) {
    result.fault = fault_of_kit(request);
    if (!result.fault.empty()) result.status = BuildResult::Status::no_compiler;
  }
  if (result.status != BuildResult::Status::ok) return result;
  const auto entry = tools_.cache.store(key, ".so", library, "");
  return {BuildResult::Status::ok, "", key, entry.file, "", false};
}

std::string Linker::fault_of_kit(const BuildRequest& request) {
  const BuildStep probe = compile_own(
      request, "(probe)",
      "extern \"C\" int convkit_simt_launch(const void*, const void*);\n"
      "int probe(const void* launch) { return convkit_simt_launch(launch, launch); }\n");
  if (probe.status != BuildResult::Status::ok) return "";
  const TemporaryFolder scratch("build", tools_.scratch_place());
  const BuildStep linked =
      run(request, {probe}, scratch.path(), scratch.path() / "probe.so", false);
  if (linked.status != BuildResult::Status::failed) return "";
  std::string named;
  for (const fs::path& library : request.device_libraries) {
    // An empty file is no library, and linkers say nothing of it.
    const bool is_it = linked.log.find(library.filename().string()) != std::string::npos ||
                       defines_nothing(library);
    if (named.empty() && is_it) named = library.string();
  }
  if (named.empty()) named = request.device_libraries.front().string();
  return fmt::format(
      "The kit's library {} is damaged: not even an empty program links with it. Build the kit "
      "again.",
      named);
}

BuildStep Linker::run(const BuildRequest& request, const std::vector<BuildStep>& objects,
                      const fs::path& scratch, const fs::path& library, bool to_list_missing) {
  const std::string linker = working();
  std::vector<fs::path> files;
  for (const BuildStep& object : objects) {
    files.push_back(tools_.within_reach(request, object.file, scratch));
  }
  ToolCommand command = link_command(request, tools_.toolchain, linker, files, library);
  if (to_list_missing) {
    const bool nvcc = request.target == BuildTarget::gpu;
    command.argv.insert(command.argv.end(), {nvcc ? "-Xlinker" : "-Wl,--no-demangle",
                                             nvcc ? "--no-demangle" : "-Wl,-z,defs"});
    if (!nvcc && linker == "lld") command.argv.push_back("-Wl,--error-limit=0");
  }
  BuildStep result = tools_.run(request, command.argv, scratch, command.readable);
  for (size_t i = 0; i < files.size(); ++i) {
    result.log = with_renamed(result.log, files[i].string(), objects[i].file.string());
  }
  return result;
}

BuildStep Linker::compile_stubs(const BuildRequest& request,
                                const std::vector<std::string>& symbols) {
  return compile_own(request, "(missing functions)", stubs_for(symbols));
}

// Plain C++ on every target, and without the flags of the stage.
BuildStep Linker::compile_own(const BuildRequest& request, const std::string& name,
                              const std::string& text) {
  Sha256 hash;
  for (const std::string& part : {std::string("stubs 1"), tools_.toolchain.compiler.string(),
                                  tools_.toolchain.version, text}) {
    add_to_key(hash, part);
  }
  const std::string key = sha256_hex(hash.finish());
  if (auto entry = tools_.cache.find(key, ".o")) {
    return {BuildResult::Status::ok, name, key, entry->file, "", true};
  }
  const TemporaryFolder scratch("build", tools_.scratch_place());
  std::ofstream(scratch.path() / "stubs.cpp") << text;
  BuildRequest own = request;
  own.folder = scratch.path();
  const fs::path object = scratch.path() / "out.o";
  BuildStep result = tools_.run(own,
                                {tools_.toolchain.compiler.string(), "-std=c++20", "-O1", "-fPIC",
                                 "-c", "stubs.cpp", "-o", object.string()},
                                scratch.path(), {});
  if (result.status != BuildResult::Status::ok) return result;
  const auto entry = tools_.cache.store(key, ".o", object, "");
  return {BuildResult::Status::ok, name, key, entry.file, "", false};
}

std::optional<BuildStep> Linker::link_with_stubs(const BuildRequest& request,
                                                 std::vector<BuildStep> objects,
                                                 std::vector<std::string>& missing) {
  const TemporaryFolder scratch("build", tools_.scratch_place());
  const BuildStep listed = run(request, objects, scratch.path(), scratch.path() / "out.so", true);
  if (listed.status == BuildResult::Status::no_compiler) return listed;
  missing = undefined_symbols(listed.log);
  // A sanitizer's runtime comes with the runner.
  std::erase_if(missing, [&](const std::string& symbol) {
    return request.sanitize && (symbol.starts_with("__asan") || symbol.starts_with("__ubsan") ||
                                symbol.starts_with("__sanitizer"));
  });
  if (missing.empty()) return std::nullopt;
  BuildStep stubs = compile_stubs(request, missing);
  if (stubs.status == BuildResult::Status::ok) {
    objects.push_back(std::move(stubs));
    BuildStep linked = link(request, objects);
    if (linked.status == BuildResult::Status::ok) return linked;
    stubs.status = linked.status;
  }
  if (stubs.status == BuildResult::Status::no_compiler) return stubs;
  missing.clear();
  return std::nullopt;
}

}  // namespace convkit
