// SPDX-License-Identifier: MIT
#include "cpu_device/engine/fault.h"

#include <cstdio>
#include <cstring>

#include "cpu_device/engine/hooks.h"

namespace convkit::simt {

std::string site_text(const char* file, int line) {
  if (!file) return "an unknown line";
  const char* slash = std::strrchr(file, '/');
  return std::string(slash ? slash + 1 : file) + ":" + std::to_string(line);
}

void tell(const Fault& fault, const std::string& where) {
  std::string text = "convkit: " + fault.kind + ": " + fault.sentence + "\n";
  if (!where.empty()) text += "  in " + where + "\n";
  if (!fault.advice.empty()) text += "  " + fault.advice + "\n";
  std::fflush(stdout);  // what the program printed before comes before
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
  if (check_hooks) check_hooks->told(fault);
}

}  // namespace convkit::simt
