// SPDX-License-Identifier: MIT
#include "process/path_rules.h"

#include <elf.h>

#include <fstream>
#include <span>
#include <string>

#include "process/system_paths.h"

namespace convkit {
namespace {

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

}  // namespace

std::vector<PathRule> path_rules(const ConfineOptions& options) {
  const bool compiler = options.profile == Confinement::Profile::compiler;
  const unsigned reading = compiler ? PathRule::read | PathRule::execute : PathRule::read;
  std::vector<PathRule> rules;
  const auto add = [&](std::span<const char* const> paths, unsigned access) {
    for (const char* path : paths) rules.push_back({path, access});
  };
  add(system_folders(), reading);
  if (compiler) add(toolchain_folders(), reading);
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
