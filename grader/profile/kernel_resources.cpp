// SPDX-License-Identifier: MIT
#include "profile/kernel_resources.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <regex>
#include <sstream>

namespace convkit {
namespace {

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : symbol;
}

// The number before `what` in a line, or 0.
uint64_t number_before(const std::string& line, const std::string& what) {
  std::smatch found;
  return std::regex_search(line, found, std::regex("(\\d+) " + what)) ? std::stoull(found[1]) : 0;
}

}  // namespace

std::string unqualified_name(const std::string& kernel) {
  std::string name;
  int depth = 0;
  for (size_t at = 0; at < kernel.size(); ++at) {
    const std::string unnamed = "(anonymous namespace)";
    if (kernel.compare(at, unnamed.size(), unnamed) == 0) {
      at += unnamed.size() - 1;
      continue;
    }
    const char c = kernel[at];
    if (c == '<') ++depth;
    if (depth == 0 && c == '(' && name.empty()) continue;  // around the whole name
    if (depth == 0 && (c == '(' || c == ')')) break;       // the parameters
    if (depth == 0 && (c == ' ' || c == ':' || c == '&')) {
      // What came before was a type, a namespace or an operator; a space may also follow the name.
      if (kernel.find_first_not_of(' ', at) != std::string::npos) name.clear();
    } else if (depth == 0) {
      name += c;
    }
    if (c == '>') --depth;
  }
  return name;
}

std::map<std::string, KernelResources> kernel_resources(const std::string& log) {
  const std::regex function("Compiling entry function '([^']+)'");
  const std::regex properties("Function properties for (\\S+)");
  std::string symbol;  // of the entry function
  std::map<std::string, KernelResources> result;
  KernelResources* kernel = nullptr;
  bool of_kernel = false;
  std::istringstream lines(log);
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, found, function)) {
      symbol = found[1];
      kernel = &result[unqualified_name(demangled(symbol))];
      of_kernel = true;
    } else if (std::regex_search(line, found, properties)) {
      of_kernel = found[1] == symbol;  // else of a function that it calls
    } else if (kernel != nullptr) {
      const auto at_least = [](auto& known, uint64_t value) {
        known = std::max(known, static_cast<std::decay_t<decltype(known)>>(value));
      };
      at_least(kernel->registers, number_before(line, "registers"));
      at_least(kernel->shared_bytes, number_before(line, "bytes smem"));
      if (!of_kernel) continue;
      at_least(kernel->local_bytes, number_before(line, "bytes stack frame"));
      at_least(kernel->spilled_bytes, number_before(line, "bytes spill stores"));
    }
  }
  return result;
}

}  // namespace convkit
