// SPDX-License-Identifier: MIT
#include "process/system_paths.h"

#include <algorithm>

namespace convkit {

std::span<const char* const> system_folders() {
  static constexpr const char* kPaths[] = {"/usr",    "/lib", "/lib32", "/lib64",
                                           "/libx32", "/bin", "/sbin"};
  return kPaths;
}

std::span<const char* const> toolchain_folders() {
  static constexpr const char* kPaths[] = {"/opt"};
  return kPaths;
}

std::span<const char* const> system_settings() {
  static constexpr const char* kPaths[] = {"/etc/alternatives",  "/etc/ld.so.cache",
                                           "/etc/ld.so.conf",    "/etc/ld.so.conf.d",
                                           "/etc/ld.so.preload", "/etc/localtime"};
  return kPaths;
}

std::span<const char* const> machine_facts() {
  // A fork has another /proc/self, to which nothing is granted; only sanitizers look there.
  static constexpr const char* kPaths[] = {"/proc/self", "/proc/cpuinfo", "/proc/meminfo",
                                           "/proc/sys/vm/overcommit_memory", "/sys/devices/system"};
  return kPaths;
}

std::span<const char* const> harmless_devices() {
  static constexpr const char* kPaths[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                           "/dev/urandom"};
  return kPaths;
}

bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

}  // namespace convkit
