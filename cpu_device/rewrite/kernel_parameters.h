// SPDX-License-Identifier: MIT
// Of a kernel whose name is not one function, a launch must ask which one a call would choose, and
// convert the arguments to its parameters on the host. So each declaration of such a kernel,
// `template <class T> __global__ void k(T* x, int n = 1)`, gets a function in front of it, on its
// line, that is chosen alike:
// `template <class T> auto convkit_parameters_k(T* x, int n = 1)
//  -> ::convkit::simt::Parameters<OfParameter<decltype(x)>, OfParameter<decltype(n)>>; `. It is
// declared only. (Names that a declaration leaves out are put in.)
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "cpu_device/rewrite/function_head.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

struct KernelParameters {
  const Source* source = nullptr;  // where the kernel is declared, or defined
  size_t begin = kNone;            // the declaration's first token
  bool is_template = false;
  std::string types;     // of the parameters: those of a definition are those of its declaration
  std::string question;  // the function's declaration
};

// Whether the head is that of an explicit specialization or instantiation, which is not chosen by
// itself.
bool is_of_another_declaration(const Stream& stream, const FunctionHead& head);

// Nothing where the function would not certainly be chosen alike, as of parameters in macros.
std::optional<KernelParameters> read_kernel_parameters(const Source& source, const Stream& stream,
                                                       const FunctionHead& head,
                                                       const std::set<std::string_view>& macros);

// The name of that function for a launch of tokens [begin, end), `a::k<float>`:
// "a :: convkit_parameters_k < float >"; "" where the kernel is not named directly, or not one of
// those that `has_parameters` knows by name.
template <class HasParameters>
std::string parameters_of_launch(const Stream& stream, size_t begin, size_t end,
                                 const HasParameters& has_parameters);

// The token of the kernel's name in such a launch, or kNone.
size_t launched_name(const Stream& stream, size_t begin, size_t end);

template <class HasParameters>
std::string parameters_of_launch(const Stream& s, size_t begin, size_t end,
                                 const HasParameters& has_parameters) {
  const size_t name = launched_name(s, begin, end);
  if (name == kNone || !has_parameters(s[name].text)) return "";
  std::string text;
  for (size_t i = begin; i < end; ++i) {
    text += i == begin ? "" : " ";
    text += (i == name ? "convkit_parameters_" : "") + std::string(s[i].text);
  }
  return text;
}

}  // namespace convkit::rewrite
