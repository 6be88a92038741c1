// SPDX-License-Identifier: MIT
// libbacktrace comes with g++ and reads the program's file in this process, so it works in a
// sandbox that starts no programs. Where it is missing, addr2line (binutils) is asked.
#include "cpu_device/check/debug_info.h"

#if defined(CONVKIT_HAVE_LIBBACKTRACE)
#include <backtrace.h>
#else
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#endif

namespace convkit::simt::check {

#if defined(CONVKIT_HAVE_LIBBACKTRACE)

namespace {

void ignore_error(void*, const char*, int) {}

int add_line(void* lines, uintptr_t, const char* file, int line, const char*) {
  if (file != nullptr) static_cast<std::vector<SourceLine>*>(lines)->push_back({file, line});
  return 0;
}

}  // namespace

std::vector<SourceLine> debug_lines(uintptr_t pc) {
  static backtrace_state* const state = backtrace_create_state(nullptr, 1, ignore_error, nullptr);
  std::vector<SourceLine> lines;
  if (state != nullptr) backtrace_pcinfo(state, pc, add_line, ignore_error, &lines);
  return lines;
}

#else

std::vector<SourceLine> debug_lines(uintptr_t pc) {
  std::vector<SourceLine> lines;
  Dl_info info{};
  void* extra = nullptr;
  if (dladdr1(reinterpret_cast<void*>(pc), &info, &extra, RTLD_DL_LINKMAP) == 0) return lines;
  const auto* object = static_cast<const link_map*>(extra);
  // The program itself has no name in the list of loaded objects.
  char path[PATH_MAX] = "";
  const bool program = object->l_name == nullptr || object->l_name[0] == '\0';
  if (program ? readlink("/proc/self/exe", path, sizeof path - 1) < 0
              : realpath(object->l_name, path) == nullptr) {
    return lines;
  }
  const std::string file = path;
  char command[PATH_MAX + 64];
  std::snprintf(command, sizeof command, "addr2line -i -e '%s' %#lx 2>/dev/null", path,
                static_cast<unsigned long>(pc - object->l_addr));
  FILE* answer = file.find('\'') == std::string::npos ? popen(command, "r") : nullptr;
  if (answer == nullptr) return lines;
  char line[PATH_MAX + 32];
  while (std::fgets(line, sizeof line, answer) != nullptr) {
    const std::string text = line;
    const size_t colon = text.rfind(':');
    const int number = colon == std::string::npos ? 0 : std::atoi(text.c_str() + colon + 1);
    if (number > 0) lines.push_back({text.substr(0, colon), number});
  }
  pclose(answer);
  return lines;
}

#endif

}  // namespace convkit::simt::check
