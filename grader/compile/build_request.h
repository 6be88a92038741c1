// SPDX-License-Identifier: MIT
// What is to be built, and what came of it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cpu_device/cc/simt_mode.h"
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
  // For target cpu_device: the folder of cuda_runtime.h, and libconvkit_simt.so; the library of the
  // mode comes before it.
  std::filesystem::path device_headers;
  std::vector<std::filesystem::path> device_libraries;
  SimtMode mode = SimtMode::plain;
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
  // Of `files`: those that the stage asks for. Of two sources that define the same, one of these
  // stays in a partial build (see stand_ins.h).
  std::vector<std::string> asked_for;
  // Of `files`, the sources that are not the submission's: they give way where the others define
  // the same (see stand_ins.h). For partial builds.
  std::vector<std::string> stand_ins;
};

// One that gave way.
struct StandIn {
  std::string file;
  std::vector<std::string> defined_in;  // the files that define what it would have defined
  enum class Left {
    all,
    some,
    none,
    unknown,  // it did not compile
  };
  Left left = Left::all;
};

struct FailedSource;

struct BuildResult {
  enum class Status {
    ok,
    failed,  // the student's code: `message` and `log`
    timed_out,
    out_of_memory,     // the compiler: it used, or printed, too much
    file_too_large,    // the compiler wrote it
    compiler_crashed,  // on this code
    policy,            // uses a forbidden function
    no_compiler,       // none was found, or it does not work here: the kit's fault
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
  std::vector<StandIn> stand_ins;  // those that gave way
  unsigned compiled = 0, cached = 0;
  double seconds = 0;
};

struct FailedSource {
  std::string file;
  BuildResult::Status status = BuildResult::Status::failed;
  std::string message;  // one sentence: the first error
  // It compiled, and was left out because another source defines the same.
  bool left_out = false;
};

}  // namespace convkit
