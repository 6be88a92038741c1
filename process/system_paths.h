// SPDX-License-Identifier: MIT
// The parts of a Linux system that every confined program may read: libraries, headers and tools,
// and a few facts about the machine. Nothing that belongs to a user.
#pragma once

#include <filesystem>
#include <span>

namespace convkit {

std::span<const char* const> system_folders();     // libraries, headers, tools
std::span<const char* const> toolchain_folders();  // compilers outside /usr: for compiling only
std::span<const char* const> system_settings();    // of the dynamic linker, and the time zone
std::span<const char* const> machine_facts();      // below /proc and /sys
std::span<const char* const> harmless_devices();

// Whether `path` is `folder` or lies below it. Both are absolute and without "..".
bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace convkit
