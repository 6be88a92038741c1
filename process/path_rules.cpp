// SPDX-License-Identifier: MIT
#include "process/path_rules.h"

#include <elf.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include "process/system_paths.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

// The program interpreter (ld-linux) of a 64-bit ELF file; empty if it is static or anything else.
std::string dynamic_linker(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file || header.e_ident[EI_MAG0] != ELFMAG0 || header.e_ident[EI_CLASS] != ELFCLASS64) {
    return {};
  }
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    file.seekg(static_cast<std::streamoff>(header.e_phoff + i * sizeof segment));
    file.read(reinterpret_cast<char*>(&segment), sizeof segment);
    if (!file) return {};
    constexpr size_t kLongestPath = 4096;
    if (segment.p_type != PT_INTERP || segment.p_filesz > kLongestPath) continue;
    std::string name(segment.p_filesz, '\0');
    file.seekg(static_cast<std::streamoff>(segment.p_offset));
    file.read(name.data(), static_cast<std::streamsize>(name.size()));
    return name.c_str();  // without the terminating zero
  }
  return {};
}

// `folder` without `hidden`, which may lie in it. A rule counts for everything below its path, so
// the folders on the way there can only be listed, as linkers do. What a link leads to has a rule
// where it lies.
void add_without(const fs::path& hidden, const fs::path& folder, unsigned access,
                 std::vector<PathRule>& rules) {
  if (!lies_in(hidden, folder)) {
    rules.push_back({folder.string(), access});
  } else if (folder != hidden) {
    rules.push_back({folder.string(), PathRule::list});
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (!entry.is_symlink(error)) add_without(hidden, entry.path(), access, rules);
    }
  }
}

}  // namespace

std::vector<PathRule> path_rules(const ConfineOptions& options) {
  const bool compiler = options.profile == Confinement::Profile::compiler;
  const unsigned reading = compiler ? PathRule::read | PathRule::execute : PathRule::read;
  std::vector<PathRule> rules;
  const auto add = [&](std::span<const char* const> paths, unsigned access) {
    for (const char* path : paths) rules.push_back({path, access});
  };
  const auto add_folders = [&](std::span<const char* const> folders) {
    for (const char* name : folders) {
      std::error_code error;
      const fs::path folder = fs::canonical(name, error);  // /lib leads to /usr/lib
      if (!error) add_without(options.hidden, folder, reading, rules);
    }
  };
  add_folders(system_folders());
  if (compiler) add_folders(toolchain_folders());
  add(system_settings(), PathRule::read);
  add(machine_facts(), PathRule::read);
  add(harmless_devices(), PathRule::read | PathRule::write);
  for (const auto& path : options.read_only) rules.push_back({path, reading});
  for (const auto& path : options.read_write) {
    rules.push_back({path, PathRule::read | PathRule::write});
  }
  for (const auto& path : options.devices) rules.push_back({path, PathRule::device});
  if (!options.executable.empty()) {
    rules.push_back({options.executable, PathRule::read | PathRule::execute});
    rules.push_back({dynamic_linker(options.executable), PathRule::read | PathRule::execute});
  }
  return rules;
}

}  // namespace convkit
