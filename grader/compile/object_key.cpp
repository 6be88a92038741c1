// SPDX-License-Identifier: MIT
#include "compile/object_key.h"

#include <algorithm>
#include <fstream>
#include <vector>

#include "cpu_device/cc/simt_compile.h"

namespace convkit {

namespace fs = std::filesystem;

bool is_source(const std::string& file) {
  const std::string extension = fs::path(file).extension().string();
  return extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".cu";
}

namespace {

// Whether a file includes a source file, or something that only the preprocessor can tell: then its
// object depends on more than itself and the headers.
bool may_include_a_source(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string line;
  while (std::getline(in, line)) {
    // Rarer ways to read another file, or to spell a directive.
    for (const char* word : {"incbin", "embed", "%:", "?\?=", "_Pragma", "#include_next"}) {
      if (line.find(word) != std::string::npos) return true;
    }
    const size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#') continue;
    const size_t word = line.find_first_not_of(" \t", hash + 1);
    // A directive may go on in the next line or hide behind a comment.
    if (line.back() == '\\' || (word != std::string::npos && line[word] == '/')) return true;
    if (word == std::string::npos || line.compare(word, 7, "include") != 0) continue;
    const size_t open = line.find_first_of("\"<", word);
    const size_t close = line.find_first_of("\">", open + 1);
    if (open == std::string::npos || close == std::string::npos) return true;
    if (is_source(line.substr(open + 1, close - open - 1))) return true;
  }
  return false;
}

}  // namespace

std::string key_of_everything_shared(const BuildRequest& request, const Toolchain& toolchain) {
  Sha256 key;
  add_to_key(key, "convkit object 2");
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
  const bool sources_too = std::any_of(
      request.files.begin(), request.files.end(),
      [&](const std::string& file) { return may_include_a_source(request.folder / file); });
  for (const std::string& file : request.files) {
    if (is_source(file) && !sources_too) continue;
    add_to_key(key, file);
    add_file_to_key(key, request.folder / file);
  }
  return sha256_hex(key.finish());
}

}  // namespace convkit
