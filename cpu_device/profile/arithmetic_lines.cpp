// SPDX-License-Identifier: MIT
#include "cpu_device/profile/arithmetic_lines.h"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <map>
#include <optional>
#include <sstream>

#include "cpu_device/check/loaded_objects.h"
#include "cpu_device/check/source_lines.h"
#include "cpu_device/profile/compile_flags.h"
#include "cpu_device/profile/machine_code.h"

namespace convkit::simt::profile {
namespace {

std::string file_of(const check::LoadedObject& object) {
  if (object.path != "/proc/self/exe") return object.path;
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  return size < 0 ? "" : std::string(path, static_cast<size_t>(size));
}

// "" where objdump is not there, or cannot read the file.
std::string disassembly(const std::string& file) {
  if (file.find('\'') != std::string::npos) return "";
  const std::string command = "objdump -d --no-show-raw-insn '" + file + "' 2>/dev/null";
  FILE* answer = popen(command.c_str(), "r");
  if (answer == nullptr) return "";
  std::string text;
  char part[1 << 16];
  while (const size_t size = std::fread(part, 1, sizeof part, answer)) text.append(part, size);
  return pclose(answer) == 0 ? text : "";
}

bool is_of_other_units(const std::string& file) {
  const size_t slash = file.rfind('/');
  if (slash == file.npos) return false;
  const std::string folder = file.substr(0, slash), name = file.substr(slash + 1);
  if (folder.ends_with("/simt")) return name.starts_with("half_") || name.starts_with("atomic");
  return name == "cuda_fp16.h" || name == "cuda_bf16.h" || name == "cuda_fp8.h";
}

// Whether the kit does with floats here what a GPU has other units for: half precision, and atomic
// operations. Of functions that are inlined into one another, one is enough: the compiler may name
// the innermost of those that use the result. `pc` is that of an instruction.
bool stands_for_other_units(uintptr_t pc) {
  const std::vector<check::SourceLine> lines = check::debug_lines(pc);
  return std::any_of(lines.begin(), lines.end(),
                     [](const check::SourceLine& line) { return is_of_other_units(line.file); });
}

struct LoadedCode {
  check::LoadedObject object;
  BlockCounts counts;  // by address in the file
};

std::map<std::string, LoadedCode> by_file(const KernelProfile& kernel) {
  std::map<std::string, LoadedCode> files;
  check::LoadedObject object;
  for (const auto& [pc, count] : kernel.blocks_passed) {
    if (!object.segment.holds(pc)) object = check::loaded_object_at(pc);
    LoadedCode& code = files[file_of(object)];
    code.object = object;
    code.counts[pc - object.base] += count;
  }
  return files;
}

}  // namespace

const std::optional<MachineCode>& machine_code_of(const check::LoadedObject& object) {
  static auto* const known = new std::map<std::string, std::optional<MachineCode>>;
  const std::string file = file_of(object);
  const auto [found, is_new] = known->try_emplace(file);
  if (is_new) {
    std::istringstream text(disassembly(file));
    std::vector<MachineInstruction> instructions = read_disassembly(text);
    if (!instructions.empty()) found->second.emplace(std::move(instructions));
  }
  return found->second;
}

KernelArithmetic arithmetic_of(const KernelProfile& kernel) {
  if (!processor_fuses()) return {{}, "this processor has no fused multiply-add of x86-64."};
  if (kernel.blocks_passed.empty()) return {{}, "the kernel was compiled without counting it."};
  KernelArithmetic result;
  for (const auto& [file, loaded] : by_file(kernel)) {
    const std::optional<MachineCode>& code = machine_code_of(loaded.object);
    if (!code) return {{}, "objdump (of binutils) is not here, or cannot read " + file + "."};
    for (const MachineCode::Executed& one : code->executed(loaded.counts)) {
      const uintptr_t pc = loaded.object.base + one.address;
      if (stands_for_other_units(pc)) continue;
      const check::SourceLine line = check::line_of(pc + 1);
      if (!one.times) return {{}, "how often " + line.text() + " was executed cannot be told."};
      ArithmeticLine& entry = result.lines.emplace_back();
      entry.file = line.file;
      entry.number = line.line;
      entry.text = line.text();
      entry.executed[static_cast<unsigned>(one.work.operation)] = *one.times * one.work.lanes;
    }
  }
  return result;
}

}  // namespace convkit::simt::profile
