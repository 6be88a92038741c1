// SPDX-License-Identifier: MIT
#include "compile/duplicates.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "compile/missing_functions.h"
#include "compile/symbols.h"

namespace convkit {
namespace {

std::string sentence(const std::string& name, const std::string& first, const std::string& again,
                     bool asked_for) {
  const char* remedy = asked_for
                           ? "A program can define a name once: with `static` before it, or "
                             "`inline` in a header, each file has its own."
                           : "It is not one of the stage's files: if it is a copy or a test of "
                             "yours, remove it.";
  return fmt::format("`{}` is defined in `{}`, and again in `{}`, which was left out. {}",
                     demangled(name), first, again, remedy);
}

}  // namespace

std::vector<BuildStep> without_duplicates(const BuildRequest& request,
                                          std::vector<BuildStep> compiled, BuildResult& result) {
  const auto is_asked_for = [&](const BuildStep& object) {
    return std::ranges::find(request.asked_for, object.source) != request.asked_for.end();
  };
  std::ranges::stable_partition(compiled, is_asked_for);
  std::map<std::string, std::string> defined_in;  // name, file
  std::vector<BuildStep> linked;
  for (BuildStep& object : compiled) {
    const std::vector<std::string> names = names_defined_in(object.file).strong;
    const auto again = std::ranges::find_if(
        names, [&](const std::string& name) { return defined_in.contains(name); });
    if (again != names.end()) {
      result.failed.push_back(
          {object.source, BuildResult::Status::failed,
           sentence(*again, defined_in.at(*again), object.source, is_asked_for(object)), true});
      continue;
    }
    for (const std::string& name : names) defined_in.emplace(name, object.source);
    linked.push_back(std::move(object));
  }
  return linked;
}

}  // namespace convkit
