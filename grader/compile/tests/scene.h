// SPDX-License-Identifier: MIT
// A folder with sources, a compile cache, and the builder that compiles the one into the other.
#pragma once

#include <catch.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "compile/builder.h"
#include "runtime/tests/test_files.h"

namespace convkit::test {

class Scene {
 public:
  // Most tests share one cache: it remembers which linker works here.
  static const std::filesystem::path& shared_cache() {
    static const TemporaryFolder folder;
    return folder.path();
  }

  explicit Scene(const std::filesystem::path& cache = shared_cache())
      : builder(Toolchain::find(), ObjectCache(cache), CONVKIT_CONFINE_PROGRAM) {
    std::filesystem::create_directories(folder());
    request.folder = folder();
    request.flags = {"-std=c++20", "-O0"};
  }

  std::filesystem::path folder() const { return temporary_.path() / "a folder of Zoë's"; }
  std::filesystem::path outside() const { return temporary_.path(); }

  // Writes a file of the submission.
  Scene& file(const std::string& name, const std::string& text) {
    const auto path = folder() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    if (std::find(request.files.begin(), request.files.end(), name) == request.files.end()) {
      request.files.push_back(name);
    }
    return *this;
  }
  BuildResult build() { return builder.build(request, pool); }

 private:
  TemporaryFolder temporary_;

 public:
  BuildRequest request;
  Builder builder;
  ThreadPool pool{2};
};

// Unique to one run of the tests: what is compiled here was not compiled before.
inline std::string fresh(const std::string& text) {
  static unsigned count = 0;
  return "// " + std::to_string(++count) + "\n" + text;
}

// How many of the objects a build compiled; linking is not counted.
inline unsigned compiled_objects(const BuildResult& result) {
  CAPTURE(result.log);
  REQUIRE(result.status == BuildResult::Status::ok);
  return result.compiled == 0 ? 0 : result.compiled - 1;
}

}  // namespace convkit::test
