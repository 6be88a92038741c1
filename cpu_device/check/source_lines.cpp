// SPDX-License-Identifier: MIT
// libbacktrace comes with g++ and reads the program's file in this process, so it works in a
// sandbox that starts no programs. Where it is missing, addr2line (binutils) is asked.
#include "cpu_device/check/source_lines.h"

#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "cpu_device/check/loaded_objects.h"
#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {
namespace {

constexpr const char* kCode = "code@";

// Where a student's code is not: the CPU device's headers in a checkout and as cmake/install.cmake
// installs them, and the system's.
bool is_ours_or_the_systems(const std::string& file) {
  return file.empty() || file.find("/cpu_device/include/") != std::string::npos ||
         file.find("/include/convkit_cpu_device/") != std::string::npos ||
         file.rfind("/usr/", 0) == 0;
}

// Objects without student code: looking into the C library's debug information takes a second.
bool is_in_a_library_of_others(uintptr_t pc) {
  const LoadedObject object = loaded_object_at(pc);
  const std::string& path = object.path;
  return path.empty() || path.rfind("/usr/lib", 0) == 0 || path.rfind("/lib", 0) == 0 ||
         path.find("/libconvkit_simt") != std::string::npos;
}

// "1a2b" for the code before a return address, or "" where it is not the submission's.
std::string address_text(uintptr_t pc) {
  if (is_in_a_library_of_others(pc)) return "";
  const LoadedObject object = loaded_object_at(pc);
  if (object.path == "/proc/self/exe") return "";
  char text[2 * sizeof pc + 1];
  std::snprintf(text, sizeof text, "%lx", static_cast<unsigned long>(pc - 1 - object.base));
  return text;
}

SourceLine innermost_of_the_student(uintptr_t pc, bool or_any) {
  if (lines_are_addresses()) {
    const std::string address = address_text(pc);
    return address.empty() ? SourceLine{} : SourceLine{kCode + address, 0};
  }
  if (is_in_a_library_of_others(pc)) return {};
  const std::vector<SourceLine> lines = debug_lines(pc - 1);
  for (const SourceLine& line : lines) {
    if (!is_ours_or_the_systems(line.file)) return line;
  }
  return or_any && !lines.empty() ? lines.front() : SourceLine{};
}

struct Candidates {
  uintptr_t bits;
  std::vector<uintptr_t> found;
};

int add_candidate(dl_phdr_info* object, size_t, void* data) {
  auto& candidates = *static_cast<Candidates*>(data);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X)) continue;
    const uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
    const uintptr_t pc = begin + ((candidates.bits - begin) & kPcMask);
    if (pc < begin + segment.p_memsz) candidates.found.push_back(pc);
  }
  return 0;
}

}  // namespace

bool lines_are_addresses() {
  static const bool wanted = [] {
    const char* lines = std::getenv("CONVKIT_SIMT_LINES");
    return lines != nullptr && std::string(lines) == "addresses";
  }();
  return wanted;
}

std::string SourceLine::text() const {
  if (lines_are_addresses() && !file.empty()) return file;
  return file.empty() ? "an unknown line" : file_and_line(file.c_str(), line);
}

std::string SourceLine::quoted() const {
  if (lines_are_addresses()) return file;
  std::ifstream in(file);
  std::string code;
  for (int i = 0; i < line && std::getline(in, code); ++i) {
  }
  if (!in || line == 0) return "";
  const size_t begin = code.find_first_not_of(" \t"), end = code.find_last_not_of(" \t\r");
  return begin == std::string::npos ? "" : text() + ": " + code.substr(begin, end + 1 - begin);
}

SourceLine line_of(uintptr_t pc) {
  return innermost_of_the_student(pc, true);
}

SourceLine line_of_stamp(Stamp stamp, uintptr_t near) {
  Candidates candidates{stamp & kPcMask, {}};
  dl_iterate_phdr(add_candidate, &candidates);
  // Not dladdr(), which reads an object's whole table of symbols: a program with a race asks this
  // for every cell.
  const std::string wanted = loaded_object_at(near).path;
  std::stable_partition(candidates.found.begin(), candidates.found.end(),
                        [&](uintptr_t pc) { return loaded_object_at(pc).path == wanted; });
  for (uintptr_t pc : candidates.found) {
    const SourceLine line = innermost_of_the_student(pc, false);
    if (!line.file.empty()) return line;
  }
  return {};
}

CallSite calling_host_code() {
  CallSite site;
  site.count = backtrace(site.frames, CallSite::kFrames);
  return site;
}

SourceLine CallSite::line() const {
  if (lines_are_addresses()) {
    std::string all;
    for (int i = 0; i < count; ++i) {
      const std::string address = address_text(reinterpret_cast<uintptr_t>(frames[i]));
      if (!address.empty()) all += (all.empty() ? kCode : ",") + address;
    }
    return {all, 0};
  }
  for (int i = 0; i < count; ++i) {
    SourceLine line = innermost_of_the_student(reinterpret_cast<uintptr_t>(frames[i]), false);
    // The kit's own libraries have lines, too.
    if (!line.file.empty() && line.file.find("/cpu_device/engine/") == std::string::npos &&
        line.file.find("/cpu_device/check/") == std::string::npos) {
      return line;
    }
  }
  return {};
}

}  // namespace convkit::simt::check

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
