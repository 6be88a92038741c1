// SPDX-License-Identifier: MIT
#include "compile/object_key.h"

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "cpu_device/cc/simt_compile.h"

namespace convkit {

namespace fs = std::filesystem;

bool is_source(const std::string& file) {
  const std::string extension = fs::path(file).extension().string();
  return extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".cu";
}

namespace {

// Whether the text behind a `#` is one of these directives, as a whole word.
bool is_directive(std::string_view rest, std::initializer_list<std::string_view> words) {
  const size_t end = rest.find_first_of(" \t(");
  return end != rest.npos && std::ranges::find(words, rest.substr(0, end)) != words.end();
}

// `include "name"`: the name without folders; empty: it is something else.
std::string included_name(std::string_view rest) {
  if (!rest.starts_with("include")) return {};
  const size_t open = rest.find_first_not_of(" \t", std::string_view("include").size());
  if (open == rest.npos || (rest[open] != '"' && rest[open] != '<')) return {};
  const size_t close = rest.find(rest[open] == '"' ? '"' : '>', open + 1);
  if (close == rest.npos || rest.back() == '\\') return {};
  return fs::path(rest.substr(open + 1, close - open - 1)).filename().string();
}

// Names of the files that a file includes, without folders: more than it does if some stand in
// comments. Nothing where only the preprocessor can tell.
std::optional<std::vector<std::string>> included_names(const fs::path& file) {
  std::vector<std::string> names;
  std::ifstream in(file, std::ios::binary);
  std::string line;
  while (std::getline(in, line)) {
    // Rarer ways to read another file, or to spell a directive.
    for (const char* word :
         {"incbin", ".include", "embed", "%:", "?\?=", "_Pragma", "has_include"}) {
      if (line.find(word) != std::string::npos) return {};
    }
    if (line.ends_with('\r')) line.pop_back();
    const size_t first = line.find_first_not_of(" \t");
    for (size_t hash = line.find('#'); hash != std::string::npos; hash = line.find('#', hash + 1)) {
      const size_t word = line.find_first_not_of(" \t", hash + 1);
      const std::string_view rest =
          word == std::string::npos ? "" : std::string_view(line).substr(word);
      if (hash == first) {
        if (is_directive(rest, {"define", "if", "ifdef", "ifndef"})) continue;
        if (const std::string name = included_name(rest); !name.empty()) {
          names.push_back(name);
          continue;
        }
      }
      // Perhaps `include` or `import` behind a comment, in parts, or of a macro.
      if (rest.empty() || rest[0] == 'i' || rest[0] == '\\' || rest[0] == '/') return {};
    }
  }
  return names;
}

}  // namespace

std::map<std::string, std::set<std::string>> files_read_by_sources(const BuildRequest& request) {
  std::map<std::string, std::vector<std::string>> includes, by_name;
  bool known = true;
  const auto names_in = [&](const fs::path& file) {
    const auto names = included_names(file);
    known = known && names;
    return names.value_or(std::vector<std::string>{});
  };
  for (const std::string& file : request.files) {
    includes[file] = names_in(request.folder / file);
    by_name[fs::path(file).filename().string()].push_back(file);
  }
  // A header of the stage or the kit may include one of the submission.
  std::vector<std::string> by_others;
  const auto add_names_in = [&](const fs::path& file) {
    const auto names = names_in(file);
    by_others.insert(by_others.end(), names.begin(), names.end());
  };
  for (const fs::path& header : request.headers) add_names_in(header);
  for (const fs::path& folder : request.include_folders) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) add_names_in(entry.path());
    }
  }

  std::map<std::string, std::set<std::string>> result;
  for (const std::string& source : request.files) {
    if (!is_source(source)) continue;
    std::set<std::string>& reached = result[source];
    if (!known) {
      reached.insert(request.files.begin(), request.files.end());
      continue;
    }
    std::vector<std::string> open = {source};
    const auto add_all_named = [&](const std::vector<std::string>& names) {
      for (const std::string& name : names) {
        const auto& files = by_name[name];
        open.insert(open.end(), files.begin(), files.end());
      }
    };
    add_all_named(by_others);
    while (!open.empty()) {
      const std::string file = open.back();
      open.pop_back();
      if (reached.insert(file).second) add_all_named(includes[file]);
    }
  }
  return result;
}

std::string key_of_everything_shared(const BuildRequest& request, const Toolchain& toolchain) {
  Sha256 key;
  add_to_key(key, "convkit object 3");
  add_to_key(key, std::to_string(static_cast<int>(request.target)));
  add_to_key(key, request.nvcc.string());
  add_to_key(key, request.gpu_architecture);
  add_to_key(key, request.check ? "check" : "");
  if (request.target == BuildTarget::cpu_device) {
    const bool clang = toolchain.is_clang();
    for (const std::string& flag : simt_flags({clang, request.check})) add_to_key(key, flag);
  }
  add_to_key(key, toolchain.compiler.string());
  add_to_key(key, toolchain.version);
  add_to_key(key, toolchain.processor);
  add_to_key(key, request.sanitize ? "sanitize" : "");
  for (const std::string& flag : request.flags) add_to_key(key, flag);
  for (const fs::path& header : request.headers) {
    add_to_key(key, header.filename().string());
    add_file_to_key(key, header);
  }
  std::vector<fs::path> folders = request.include_folders;
  if (!request.device_headers.empty()) folders.push_back(request.device_headers);
  for (const fs::path& folder : folders) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      add_to_key(key, file.lexically_relative(folder).string());
      add_file_to_key(key, file);
    }
  }
  return sha256_hex(key.finish());
}

}  // namespace convkit
