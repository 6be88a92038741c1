// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/function_head.h"

#include <algorithm>

#include "cpu_device/rewrite/expression.h"

namespace convkit::rewrite {
namespace {

// If there are more tokens before a `{`, it is not a function.
constexpr size_t kLongestHead = 2000;

// `name(...)` that is not the name and parameters of a function.
bool takes_arguments(std::string_view name) {
  return name == "__launch_bounds__" || name == "__align__" || name == "alignas" ||
         name == "__attribute__" || name == "__declspec" || name == "decltype" ||
         name == "noexcept" || name == "explicit" || name == "requires" || name == "typeof" ||
         name == "__typeof__" || name == "__cluster_dims__" || name == "__maxnreg__" ||
         name == "__block_size__" || name == "__asm__" || name == "asm";
}

// Qualifiers, which change neither what a function returns nor where it runs.
bool is_known_word(std::string_view word) {
  return is_keyword(word) || word == "__global__" || word == "__device__" || word == "__host__" ||
         word == "__forceinline__" || word == "__noinline__" || word == "__inline__" ||
         word == "__restrict__" || word == "__launch_bounds__" || word == "__align__" ||
         word == "__attribute__" || word == "__cluster_dims__" || word == "size_t" ||
         // Types of CUDA's own that functions of host code return: not macros either.
         word == "cudaError_t" || word == "cudaStream_t" || word == "cudaEvent_t" ||
         word == "dim3" || word == "int32_t" || word == "uint32_t" || word == "int64_t" ||
         word == "uint64_t";
}

// After a function's parameters.
bool may_follow_parameters(const Stream& s, size_t i, size_t end) {
  if (i >= end) return true;
  for (const std::string_view word :
       {"const", "volatile", "noexcept", "override", "final", "->", ":", "try", "requires", "=",
        "&", "&&", "[", "__attribute__", "throw", "__asm__", "asm"}) {
    if (s.is(i, word)) return true;
  }
  return false;
}

void read_specifiers(const Stream& s, size_t begin, size_t end,
                     const std::set<std::string_view>& macros, FunctionHead& head) {
  bool known = true, any = false;
  for (size_t i = begin; i < end; ++i) {
    if ((s.is(i, "(") || s.is(i, "[")) && s.match(i) != kNone) {
      i = s.match(i);
    } else if (s.is_identifier(i)) {
      any = true;
      known = known && is_known_word(s[i].text);
      if (macros.contains(s[i].text) || looks_like_a_macro(s[i].text)) head.expands = true;
    }
  }
  head.plain = known && any;
}

}  // namespace

bool looks_like_a_macro(std::string_view word) {
  return word.size() > 1 && std::all_of(word.begin(), word.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
         });
}

size_t skip_templates(const Stream& s, size_t i, size_t end) {
  while (i < end && s.is(i, "template") && s.is(i + 1, "<")) {
    size_t depth = 0;
    for (++i; i < end; ++i) {
      if (s.is(i, "<")) ++depth;
      depth -= std::min(depth, closing_angles(s[i]));
      if ((s.is(i, "(") || s.is(i, "[") || s.is(i, "{")) && s.match(i) != kNone) i = s.match(i);
      if (depth == 0) break;
    }
    ++i;
  }
  return i;
}

FunctionHead read_function_head(const Stream& s, size_t begin, size_t end,
                                const std::set<std::string_view>& macros) {
  FunctionHead head;
  if (end - begin > kLongestHead) return head;
  size_t angles = 0;
  for (size_t i = skip_templates(s, begin, end); i < end; ++i) {
    const Token& token = s[i];
    if (token.is("=") && !s.is(i - 1, "operator")) break;  // a variable and its value
    if (token.is("<") && i > begin && s.is_identifier(i - 1)) ++angles;
    angles -= std::min(angles, closing_angles(token));
    if (token.is("[") || token.is("{")) {
      if (s.match(i) == kNone || s.match(i) >= end) break;
      i = s.match(i);
      continue;
    }
    if (!token.is("(")) {
      head.global = head.global || token.is("__global__");
      head.device = head.device || token.is("__device__");
      head.host = head.host || token.is("__host__");
      continue;
    }
    const size_t close = s.match(i);
    if (close == kNone || close >= end) break;
    size_t name = i - 1;
    if (i > begin && angles == 0 && closing_angles(s[name]) > 0) {
      const size_t open = template_open(s, name);  // an explicit specialization
      if (open != kNone && open > begin) name = open - 1;
    }
    const bool named = i > begin && angles == 0 && s.is_identifier(name) &&
                       !is_keyword(s[name].text) && !takes_arguments(s[name].text);
    if (!named || !may_follow_parameters(s, close + 1, end)) {
      // Arguments of an attribute, or a macro: then anything may be hidden in it.
      if (i == begin || !takes_arguments(s[i - 1].text)) head.expands = true;
      i = close;
      continue;
    }
    head.name = name;
    head.parameters = i;
    const size_t first = name_begin(s, name);
    head.qualified = first < name;
    read_specifiers(s, skip_templates(s, begin, end), first, macros, head);
    break;
  }
  if (head.name == kNone) return {};
  return head;
}

}  // namespace convkit::rewrite
