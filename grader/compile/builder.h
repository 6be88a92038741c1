// SPDX-License-Identifier: MIT
// From a stage folder of a submission to a shared object that a runner can load.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "convkit/thread_pool.h"
#include "cpu_device/cc/object_cache.h"
#include "cpu_device/cc/toolchain.h"
#include "stage/stage.h"

namespace convkit {

// The device that a submission is built for.
enum class BuildTarget {
  host,        // plain C++
  cpu_device,  // CUDA, rewritten, by the host compiler, for the kit's CPU device
  gpu,         // CUDA, by nvcc
};

struct BuildRequest {
  BuildTarget target = BuildTarget::host;
  std::filesystem::path nvcc;    // of target gpu ...
  std::string gpu_architecture;  // ... such as "sm_90"
  // For target cpu_device: the folder of cuda_runtime.h, and libconvkit_simt.so; in check mode,
  // libconvkit_simt_check.so comes before it.
  std::filesystem::path device_headers;
  std::vector<std::filesystem::path> device_libraries;
  bool check = false;              // instrumented for check mode
  std::filesystem::path folder;    // the stage's files
  std::filesystem::path kit;       // the kit's folder: of it, only what is named here may be read
  std::vector<std::string> files;  // all of them, relative; sources: *.cpp, *.cc, *.cxx, *.cu
  std::vector<std::string> flags;  // of the stage
  std::map<std::string, std::vector<std::string>> file_flags;  // further ones, of single sources
  std::vector<std::string> link_flags;  // for the kit's own peers (-ldnnl); never from a submission
  std::vector<std::filesystem::path> headers;          // single files the compiler may read ...
  std::vector<std::filesystem::path> include_folders;  // ... and folders on the include path
  std::vector<std::string> forbidden_symbols;
  StageLimits limits;
  bool sanitize = false;
  bool confined = true;
  // Where some sources fail, the others become the library; what they call of those ends the
  // process (see missing_functions.h). Otherwise, one source that fails fails the build.
  bool partial = false;
};

struct FailedSource;

struct BuildResult {
  enum class Status {
    ok,
    failed,  // the student's code: `message` and `log`
    timed_out,
    limit,        // the compiler printed or wrote too much, or ran out of memory
    policy,       // uses a forbidden function
    no_compiler,  // none was found, or it does not work here: the kit's fault
    interrupted,
  };
  Status status = Status::ok;
  std::filesystem::path library;
  std::string message;             // one sentence: the first error
  std::string log;                 // everything the compiler said, paths relative to the folder
  std::vector<std::string> notes;  // "conv2d.cpp defines main(); the grader does not call it."
  // Of a partial build that is ok: the sources that are not in the library, and the symbols that
  // are called and not defined in it, in the order of their stubs.
  std::vector<FailedSource> failed;
  std::vector<std::string> missing;
  unsigned compiled = 0, cached = 0;
  double seconds = 0;
};

struct FailedSource {
  std::string file;
  BuildResult::Status status = BuildResult::Status::failed;
  std::string message;  // one sentence: the first error
};

struct CompileCommand;

class Builder {
 public:
  Builder(Toolchain toolchain, ObjectCache cache, std::filesystem::path confine);

  // Compiles the sources side by side on `pool`. `progress` is called with the file that starts
  // compiling, from any thread.
  BuildResult build(const BuildRequest& request, ThreadPool& pool,
                    const std::function<void(const std::string&)>& progress = {});

  const Toolchain& toolchain() const { return toolchain_; }

  // The fastest linker that links a shared object here, "" for the compiler's own: being installed
  // is not enough (g++ 11 does not know mold). Each linker is tried in the sandbox, and the result
  // is kept in the cache. Throws KitError if none works, because that is not the student's fault.
  std::string working_linker();

 private:
  struct Compiled;
  Compiled compile(const BuildRequest& request, const std::string& file,
                   const std::set<std::string>& read_files, const std::string& common_key);
  bool links_with(const std::string& linker, std::string& log);
  Compiled link(const BuildRequest& request, const std::vector<Compiled>& objects);
  Compiled run_linker(const BuildRequest& request, const std::vector<Compiled>& objects,
                      const std::filesystem::path& scratch, const std::filesystem::path& library,
                      bool to_list_missing);
  // Links what compiled, with stubs for what is missing. Nothing where that is not what fails.
  std::optional<Compiled> link_with_stubs(const BuildRequest& request,
                                          std::vector<Compiled> objects,
                                          std::vector<std::string>& missing);
  Compiled compile_stubs(const BuildRequest& request, const std::vector<std::string>& symbols);
  Compiled run_compiler(const BuildRequest& request, const std::string& file,
                        const std::filesystem::path& scratch, const std::filesystem::path& object);
  std::filesystem::path scratch_place() const;
  std::filesystem::path within_reach(const BuildRequest& request, const std::filesystem::path& file,
                                     const std::filesystem::path& scratch) const;
  void precompile_header(const BuildRequest& request, const std::filesystem::path& scratch,
                         CompileCommand& command);
  Compiled run_tool(const BuildRequest& request, std::vector<std::string> argv,
                    const std::filesystem::path& scratch,
                    const std::vector<std::filesystem::path>& readable);

  Toolchain toolchain_;
  ObjectCache cache_;
  std::filesystem::path confine_;
  std::mutex linker_mutex_, header_mutex_;
  std::optional<std::string> linker_;
};

}  // namespace convkit
