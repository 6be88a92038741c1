// SPDX-License-Identifier: MIT
#include "cpu_device/check/source_lines.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <vector>

#include "cpu_device/check/debug_info.h"
#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {
namespace {

// Folders that do not hold a student's code.
bool is_ours_or_the_systems(const std::string& file) {
  return file.empty() || file.find("/cpu_device/include/") != std::string::npos ||
         file.rfind("/usr/", 0) == 0;
}

// Objects without student code: looking into the C library's debug information takes a second.
bool is_in_a_library_of_others(uintptr_t pc) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(pc), &info) == 0 || info.dli_fname == nullptr) return true;
  const std::string object = info.dli_fname;
  return object.rfind("/usr/lib", 0) == 0 || object.rfind("/lib", 0) == 0 ||
         object.find("/libconvkit_simt") != std::string::npos;
}

SourceLine innermost_of_the_student(uintptr_t pc, bool or_any) {
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

const void* base_of(uintptr_t pc) {
  Dl_info info{};
  return dladdr(reinterpret_cast<void*>(pc), &info) != 0 ? info.dli_fbase : nullptr;
}

}  // namespace

std::string SourceLine::text() const {
  return file.empty() ? "an unknown line" : file_and_line(file.c_str(), line);
}

std::string SourceLine::quoted() const {
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
  const void* wanted = base_of(near);
  std::stable_partition(candidates.found.begin(), candidates.found.end(),
                        [&](uintptr_t pc) { return base_of(pc) == wanted; });
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
