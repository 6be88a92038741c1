// SPDX-License-Identifier: MIT
#include "compile/stand_ins.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "compile/function_text.h"
#include "compile/missing_functions.h"
#include "compile/symbols.h"
#include "convkit/file_text.h"
#include "convkit/sha256.h"
#include "convkit/temporary_folder.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

// A source of the submission's own, compiled or not.
struct OwnSource {
  std::string file;
  std::set<std::string> names;  // as the linker knows them, of one that compiled
  std::string text;             // of one that failed

  bool defines(const std::string& name) const {
    return names.contains(name) || defines_function(text, bare_name(demangled(name)));
  }
  bool shares_a_function_with(const std::string& other) const {
    return std::ranges::any_of(names, [&](const std::string& name) {
      return defines_function(other, bare_name(demangled(name)));
    });
  }
};

bool is_stand_in(const BuildRequest& request, const std::string& file) {
  return std::ranges::find(request.stand_ins, file) != request.stand_ins.end();
}

std::vector<OwnSource> own_sources(const BuildRequest& request,
                                   const std::vector<BuildStep>& compiled,
                                   const std::vector<FailedSource>& failed) {
  std::vector<OwnSource> own;
  for (const BuildStep& object : compiled) {
    if (is_stand_in(request, object.source)) continue;
    const auto names = names_defined_in(object.file).all;
    own.push_back({object.source, {names.begin(), names.end()}, ""});
  }
  for (const FailedSource& source : failed) {
    if (is_stand_in(request, source.file)) continue;
    own.push_back({source.file, {}, file_text(request.folder / source.file)});
  }
  return own;
}

BuildStep without(const std::vector<std::string>& names, BuildStep object, ObjectCache& cache,
                  const fs::path& scratch_place) {
  Sha256 hash;
  add_to_key(hash, "without definitions 1");
  add_to_key(hash, object.key);
  for (const std::string& name : names) add_to_key(hash, name);
  object.key = sha256_hex(hash.finish());
  if (const auto entry = cache.find(object.key, ".o")) {
    object.file = entry->file;
    return object;
  }
  const TemporaryFolder scratch("build", scratch_place);
  const fs::path file = scratch.path() / "out.o";
  std::ofstream(file, std::ios::binary) << without_definitions(names, object.file);
  object.file = cache.store(object.key, ".o", file, "").file;
  return object;
}

// Another definition of its functions is there, and a header of the submission's own may be what
// this source does not compile with.
bool is_not_missed(const std::string& text, const std::vector<OwnSource>& own) {
  return std::ranges::any_of(
      own, [&](const OwnSource& source) { return source.shares_a_function_with(text); });
}

}  // namespace

std::vector<BuildStep> without_clashes(const BuildRequest& request, std::vector<BuildStep> compiled,
                                       ObjectCache& cache, const fs::path& scratch,
                                       BuildResult& result) {
  if (request.stand_ins.empty()) return compiled;
  const std::vector<OwnSource> own = own_sources(request, compiled, result.failed);
  std::erase_if(result.failed, [&](const FailedSource& source) {
    if (!is_stand_in(request, source.file)) return false;
    if (!is_not_missed(file_text(request.folder / source.file), own)) return false;
    result.stand_ins.push_back({source.file, {}, StandIn::Left::unknown});
    return true;
  });
  std::vector<BuildStep> linked;
  for (BuildStep& object : compiled) {
    if (!is_stand_in(request, object.source)) {
      linked.push_back(std::move(object));
      continue;
    }
    StandIn found{object.source, {}, StandIn::Left::all};
    std::vector<std::string> given_way;
    const std::vector<std::string> names = names_defined_in(object.file).strong;
    for (const std::string& name : names) {
      bool defined = false;
      for (const OwnSource& source : own) {
        if (!source.defines(name)) continue;
        defined = true;
        auto& files = found.defined_in;
        if (std::ranges::find(files, source.file) == files.end()) files.push_back(source.file);
      }
      if (defined) given_way.push_back(name);
    }
    if (!given_way.empty()) {
      const bool none_left = given_way.size() == names.size();
      found.left = none_left ? StandIn::Left::none : StandIn::Left::some;
      if (!none_left) linked.push_back(without(given_way, std::move(object), cache, scratch));
      result.stand_ins.push_back(std::move(found));
    } else {
      linked.push_back(std::move(object));
    }
  }
  return linked;
}

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
