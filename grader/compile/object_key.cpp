// SPDX-License-Identifier: MIT
#include "compile/object_key.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "compile/warnings.h"
#include "convkit/file_text.h"
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

// The text without continuations of lines, as compilers read it: they allow blanks before the end.
std::string joined(const std::string& text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t end = text[i] == '\\' ? text.find_first_not_of(" \t\f\v\r", i + 1) : text.npos;
    if (end != text.npos && text[end] == '\n') {
      i = end;
    } else {
      result += text[i];
    }
  }
  return result;
}

// Whether the text may read a file, or spell a directive, in a way that is not followed here: an
// assembler's code puts its directives together from any strings, `##` any keyword (glibc's
// __CONCAT, too), and names of sections and symbols reach the assembler as they are.
bool may_read_anything(const std::string& text) {
  for (const char* word : {"asm", "embed", "has_include", "_Pragma", "##", "CONCAT", "section",
                           "alias", "symver", "extname", "%:", "?\?"}) {
    if (text.find(word) != text.npos) return true;
  }
  // Rare kinds of white space.
  return std::ranges::any_of(text, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
  });
}

// Names of the files that a file includes, without folders: more than it does if some stand in
// comments. Nothing where only the compiler can tell. `trusted`: a file of the kit, which may
// have the constructs above, as they name no file of a submission.
std::optional<std::vector<std::string>> included_names(const fs::path& file, bool trusted) {
  std::vector<std::string> names;
  const std::string text = joined(file_text(file));
  if (!trusted && may_read_anything(text)) return {};
  std::istringstream in(text);
  std::string line;
  while (std::getline(in, line)) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.find('\r') != line.npos) return {};
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
  const auto names_in = [&](const fs::path& file, bool trusted) {
    const auto names = included_names(file, trusted);
    known = known && names;
    return names.value_or(std::vector<std::string>{});
  };
  for (const std::string& file : request.files) {
    includes[file] = names_in(request.folder / file, false);
    by_name[fs::path(file).filename().string()].push_back(file);
  }
  // A header of the stage or the kit may include one of the submission.
  std::vector<std::string> by_others;
  const auto add_names_in = [&](const fs::path& file) {
    const auto names = names_in(file, true);
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
  add_to_key(key, "convkit object 6");
  add_to_key(key, std::to_string(static_cast<int>(request.target)));
  add_to_key(key, request.nvcc.string());
  add_to_key(key, request.gpu_architecture);
  add_to_key(key, simt_library(request.mode));
  if (request.target == BuildTarget::cpu_device) {
    const bool clang = toolchain.is_clang();
    for (const std::string& flag : simt_flags({clang, request.mode})) add_to_key(key, flag);
  }
  add_to_key(key, toolchain.compiler.string());
  add_to_key(key, toolchain.version);
  add_to_key(key, toolchain.processor);
  add_to_key(key, request.sanitize ? "sanitize" : "");
  for (const std::string& flag : request.flags) add_to_key(key, flag);
  for (const std::string& flag : telling_flags(toolchain.is_clang())) add_to_key(key, flag);
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
