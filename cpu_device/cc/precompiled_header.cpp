// SPDX-License-Identifier: MIT
#include "cpu_device/cc/precompiled_header.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "convkit/file_text.h"
#include "convkit/sha256.h"
#include "cpu_device/cc/object_cache.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

// As after grading; each header takes some 20 MB of it.
constexpr uint64_t kCacheBytes = 1ull << 30;

// Size and time of change; empty if there is no such file.
std::string state_of(const std::string& file) {
  struct stat info {};
  if (stat(file.c_str(), &info) != 0) return {};
  return fmt::format("{} {}.{:09}", info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

// The files that a make rule "target: a b \ c" names, each with its state, a line each.
std::string states_of_prerequisites(const std::string& rule) {
  std::istringstream words(rule.substr(std::min(rule.size(), rule.find(": ") + 1)));
  std::string states;
  for (std::string file; words >> file;) {
    if (file == "\\") continue;
    const std::string state = state_of(file);
    // Among them names that make would have to read otherwise, such as those with spaces.
    if (state.empty()) return {};
    states += state + " " + file + "\n";
  }
  return states;
}

// Whether the files are as they were.
bool unchanged(const std::string& states) {
  std::istringstream lines(states);
  size_t files = 0;
  for (std::string line; std::getline(lines, line); ++files) {
    const size_t second = line.find(' ', line.find(' ') + 1);
    if (second == std::string::npos) return false;
    if (state_of(line.substr(second + 1)) != line.substr(0, second)) return false;
  }
  return files > 0;
}

std::string key_of(const PrecompiledHeaderRequest& request) {
  Sha256 key;
  for (const std::string& part : {std::string("precompiled header 1"), request.compiler.string(),
                                  request.version, request.headers.string()}) {
    add_to_key(key, part);
  }
  for (const std::string& flag : request.flags) add_to_key(key, flag);
  return sha256_hex(key.finish());
}

std::optional<fs::path> make(const PrecompiledHeaderRequest& request, const RunQuietly& run,
                             ObjectCache& cache, const std::string& key) {
  const fs::path header = request.scratch / "precompiled.h", made = request.scratch / "made.gch",
                 rule = request.scratch / "made.d";
  // clang remembers the file itself and requires it unchanged, so it gets a file that stays.
  if (!request.clang) std::ofstream(header) << "#include <cuda_runtime.h>\n";
  std::vector<std::string> command = {request.compiler.string(), "-x", "c++-header"};
  command.insert(command.end(), request.flags.begin(), request.flags.end());
  command.insert(command.end(), {"-w", "-isystem", request.headers.string(), "-MD", "-MF",
                                 rule.string(), "-o", made.string()});
  command.push_back((request.clang ? request.headers / "cuda_runtime.h" : header).string());
  if (!run(command)) return {};
  std::string prerequisites = file_text(rule);
  if (const size_t own = prerequisites.find(header.string()); own != std::string::npos) {
    prerequisites.erase(own, header.string().size());
  }
  const std::string states = states_of_prerequisites(prerequisites);
  if (states.empty()) return {};
  const fs::path listed = request.scratch / "made.states";
  std::ofstream(listed) << states;
  // The list last: without it the header counts as not there.
  const fs::path kept = cache.replace(key, ".gch", made);
  cache.replace(key, ".states", listed);
  cache.trim(kCacheBytes);
  return kept;
}

}  // namespace

std::optional<fs::path> precompiled_header(const PrecompiledHeaderRequest& request,
                                           const RunQuietly& run) try {
  ObjectCache cache(request.cache);
  const std::string key = key_of(request);
  const auto states = cache.find(key, ".states"), header = cache.find(key, ".gch");
  if (states && header && unchanged(file_text(states->file))) return header->file;
  return make(request, run, cache, key);
} catch (const std::exception&) {
  return {};
}

bool use_precompiled_header(const fs::path& header, const fs::path& prefix) {
  std::error_code error;
  fs::create_symlink(header, prefix.string() + ".gch", error);
  return !error;
}

}  // namespace convkit
