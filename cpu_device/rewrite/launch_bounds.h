// SPDX-License-Identifier: MIT
// `__global__ void __launch_bounds__(N) k() {` becomes
// `[[maybe_unused]] static constexpr unsigned convkit_bounds_k = static_cast<unsigned>(N);
// __global__ void __launch_bounds__(N) k() {`, on its line, and each launch of k names the
// constant: a launch of more threads is refused, as on a GPU. Of a template, the constant is one,
// too. A launch from outside of the kernel's namespace may know the kernel, but not the constant.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "cpu_device/rewrite/function_head.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

struct LaunchBound {
  const Source* source = nullptr;  // where the kernel is defined
  size_t begin = kNone;            // the definition's first token
  std::string space;               // the namespaces around it: "a::b"
  std::string constant;            // its definition
  size_t parameters = 0;           // of the template; 0: it is none
};

// Of a kernel that is defined, if it has bounds and the constant would certainly compile.
std::optional<LaunchBound> read_launch_bound(const Source& source, const Stream& stream,
                                             const FunctionHead& head,
                                             const std::set<std::string_view>& macros);

// The constant for a launch of tokens [begin, end): "convkit_bounds_k<3>"; "" where it is not
// certain that there is one. `bound_of` finds the bound by the kernel's name and the namespaces
// that the launch is in, or null.
template <class BoundOf>
std::string bound_of_launch(const Stream& stream, size_t begin, size_t end,
                            const BoundOf& bound_of);

// The names of the namespaces around token `i`: "a::b"; those without a name do not count.
std::string namespaces_around(const Stream& stream, size_t i);

// How many arguments the template parentheses at `open` to `close` have; 0: not to be told.
size_t template_arguments(const Stream& stream, size_t open, size_t close);
std::string text_between(const Stream& stream, size_t begin, size_t end);

template <class BoundOf>
std::string bound_of_launch(const Stream& s, size_t begin, size_t end, const BoundOf& bound_of) {
  const std::string space = s.is(begin, "::") ? "" : namespaces_around(s, begin);
  if (s.is(begin, "::")) ++begin;
  if (begin >= end || !s.is_identifier(begin)) return "";
  const LaunchBound* bound = bound_of(s[begin].text, space);
  if (bound == nullptr) return "";
  const std::string name = "convkit_bounds_" + std::string(s[begin].text);
  if (begin + 1 == end) return bound->parameters == 0 ? name : "";
  if (bound->parameters == 0 || !s.is(begin + 1, "<") ||
      template_arguments(s, begin + 1, end - 1) != bound->parameters) {
    return "";
  }
  return name + " " + text_between(s, begin + 1, end);
}

}  // namespace convkit::rewrite
