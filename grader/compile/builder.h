// SPDX-License-Identifier: MIT
// From a stage folder of a submission to a shared object that a runner can load.
#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "compile/build_request.h"
#include "compile/build_tools.h"
#include "compile/linker.h"
#include "convkit/thread_pool.h"
#include "cpu_device/cc/object_cache.h"
#include "cpu_device/cc/toolchain.h"

namespace convkit {

struct CompileCommand;

class Builder {
 public:
  Builder(Toolchain toolchain, ObjectCache cache, std::filesystem::path confine);

  // Compiles the sources side by side on `pool`. `progress` is called with the file that starts
  // compiling, from any thread.
  BuildResult build(const BuildRequest& request, ThreadPool& pool,
                    const std::function<void(const std::string&)>& progress = {});

  const Toolchain& toolchain() const { return tools_.toolchain; }
  std::string working_linker() { return linker_.working(); }

 private:
  // One for each source.
  std::vector<BuildStep> compile_all(const BuildRequest& request,
                                     const std::vector<std::string>& sources, ThreadPool& pool,
                                     const std::function<void(const std::string&)>& progress);
  BuildStep compile(const BuildRequest& request, const std::string& file,
                    const std::set<std::string>& read_files, const std::string& common_key);
  BuildStep run_compiler(const BuildRequest& request, const std::string& file,
                         const std::filesystem::path& scratch, const std::filesystem::path& object);
  void precompile_header(const BuildRequest& request, const std::filesystem::path& scratch,
                         CompileCommand& command);
  // A sentence where the compiler cannot compile even an empty program: then a source that failed
  // says nothing. "" where it can.
  std::string why_nothing_compiles(const BuildRequest& request);
  BuildStep link(const BuildRequest& request, const std::vector<BuildStep>& compiled,
                 BuildResult& result);

  BuildTools tools_;
  Linker linker_;
  std::mutex header_mutex_;
  bool compiles_ = false;  // an empty program did
};

}  // namespace convkit
