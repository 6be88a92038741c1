// SPDX-License-Identifier: MIT
// From objects to a shared object, whole or with stubs for what is missing.
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "compile/build_tools.h"

namespace convkit {

// Its functions throw KitError where nothing can be linked here: not the student's fault.
class Linker {
 public:
  explicit Linker(BuildTools& tools) : tools_(tools) {}

  // The fastest linker that links a shared object here, "" for the compiler's own: being installed
  // is not enough (g++ 11 does not know mold). Each linker is tried in the sandbox, and the result
  // is kept in the cache.
  std::string working();

  BuildStep link(const BuildRequest& request, const std::vector<BuildStep>& objects);
  // The same with stubs for what the objects call and do not define: `missing`, in the order of the
  // stubs. Nothing where that is not what fails.
  std::optional<BuildStep> link_with_stubs(const BuildRequest& request,
                                           std::vector<BuildStep> objects,
                                           std::vector<std::string>& missing);

 private:
  bool links_with(const std::string& linker, std::string& log);
  BuildStep run(const BuildRequest& request, const std::vector<BuildStep>& objects,
                const std::filesystem::path& scratch, const std::filesystem::path& library,
                bool to_list_missing);
  // A sentence where not even a program without anything of a submission links with the kit's
  // libraries; else "".
  std::string fault_of_kit(const BuildRequest& request);
  BuildStep compile_own(const BuildRequest& request, const std::string& name,
                        const std::string& text);
  BuildStep compile_stubs(const BuildRequest& request, const std::vector<std::string>& symbols);

  BuildTools& tools_;
  std::mutex mutex_;
  std::optional<std::string> linker_;
};

}  // namespace convkit
