// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/kernel_parameters.h"

#include <algorithm>
#include <array>
#include <vector>

#include "cpu_device/rewrite/declaration.h"
#include "cpu_device/rewrite/expression.h"

namespace convkit::rewrite {
namespace {

// Words that may stand before a type: a name after one of these is the type, and not a parameter's.
bool precedes_type(std::string_view word) {
  constexpr std::array<std::string_view, 8> kWords = {
      "const", "volatile", "struct", "class", "union", "enum", "typename", "__grid_constant__"};
  return std::ranges::find(kWords, word) != kWords.end();
}

struct Parameter {
  size_t name = kNone;    // a token, or ...
  size_t before = kNone;  // ... the token that a name may be put before
  bool is_pack = false;
};

// The parameter of tokens [first, last); nothing where a macro may hold its name, or several.
std::optional<Parameter> read_parameter(const Stream& s, size_t first, size_t last,
                                        const std::set<std::string_view>& macros) {
  for (size_t i = first; i < last; ++i) {
    if (s.is(i, "=")) last = i;
  }
  for (size_t i = first; i + 3 < last; ++i) {  // void (*name)(float)
    if (!s.is(i, "(") || !(s.is(i + 1, "*") || s.is(i + 1, "&"))) continue;
    if (s.is(i + 2, ")")) return Parameter{kNone, i + 2};
    if (s.is_identifier(i + 2) && s.is(i + 3, ")")) return Parameter{i + 2};
  }
  while (last > first && s.is(last - 1, "]") && s.match(last - 1) != kNone) {
    last = s.match(last - 1);
  }
  if (last == first) return std::nullopt;
  const Token& end = s[last - 1];
  if (end.is(")") || macros.contains(end.text)) return std::nullopt;
  const bool is_pack = end.is("...") || s.is(last - 2, "...");
  const bool is_word = end.is_identifier() && !is_keyword(end.text) &&
                       !end.text.starts_with("__") && last > first + 1;
  if (!is_word) return Parameter{kNone, last, is_pack};
  size_t k = last - 2;
  while (k > first && (s.is(k, "const") || s.is(k, "volatile"))) --k;  // `float* const x`
  const Token& before = s[k];
  if (!before.is_identifier()) {
    return before.is("::") ? Parameter{kNone, last, is_pack} : Parameter{last - 1, kNone, is_pack};
  }
  if (macros.contains(before.text)) return std::nullopt;  // `real x` or `CONST float4`
  return precedes_type(before.text) ? Parameter{kNone, last} : Parameter{last - 1};
}

// Those between `open` and its match; nothing where one of them is not certain.
std::optional<std::vector<Parameter>> read_parameters(const Stream& s, size_t open,
                                                      const std::set<std::string_view>& macros) {
  std::vector<Parameter> parameters;
  const size_t close = s.match(open);
  if (close == open + 1 || (close == open + 2 && s.is(open + 1, "void"))) return parameters;
  size_t first = open + 1, angles = 0;
  bool has_value = false;
  for (size_t i = first; i <= close; ++i) {
    if (i == close || (angles == 0 && s.is(i, ","))) {
      const auto parameter = read_parameter(s, first, i, macros);
      if (!parameter) return std::nullopt;
      parameters.push_back(*parameter);
      first = i + 1;
      has_value = false;
      continue;
    }
    has_value = has_value || s.is(i, "=");
    // Whether it opens template arguments or says "less than" is not certain.
    if (s.is(i, "<") && has_value) return std::nullopt;
    if (s.is(i, "<")) ++angles;
    angles -= std::min(angles, closing_angles(s[i]));
    if ((s.is(i, "(") || s.is(i, "[") || s.is(i, "{")) && s.match(i) != kNone) i = s.match(i);
  }
  return parameters;
}

// Their types, without names and default values.
std::string types_of(const Stream& s, size_t open, const std::vector<Parameter>& parameters) {
  std::string types;
  bool in_value = false;
  for (size_t i = open + 1; i < s.match(open); ++i) {
    const bool of_list = s.around(i) == open;
    if (of_list && s.is(i, "=")) in_value = true;
    if (of_list && s.is(i, ",")) in_value = false;
    const bool is_name = std::ranges::any_of(
        parameters, [&](const Parameter& parameter) { return parameter.name == i; });
    if (!in_value && !is_name) types += std::string(s[i].text) + " ";
  }
  return types;
}

// The function that is asked: "k(T x, int n = 1) -> Parameters<the types of x and n>; ".
std::string question_of(const Stream& s, const FunctionHead& head,
                        const std::vector<Parameter>& parameters) {
  std::string list, types;
  size_t number = 0;
  const size_t close = s.match(head.parameters);
  for (size_t i = head.parameters; i <= close; ++i) {
    const bool has_next = number < parameters.size();
    if (has_next && (parameters[number].name == i || parameters[number].before == i)) {
      const Parameter& parameter = parameters[number++];
      const std::string name =
          parameter.name == i ? std::string(s[i].text) : "convkit_" + std::to_string(number);
      if (parameter.before == i) list += name + " ";
      types += (types.empty() ? "" : ", ") +
               ("::convkit::simt::OfParameter<decltype(" + name + ")>") +
               (parameter.is_pack ? "..." : "");
    }
    list += std::string(s[i].text) + (i == close ? "" : " ");
  }
  return "auto convkit_parameters_" + std::string(s[head.name].text) + list +
         " -> ::convkit::simt::Parameters<" + types + ">; ";
}

}  // namespace

bool is_of_another_declaration(const Stream& s, const FunctionHead& head) {
  const size_t begin = declaration_begin(s, head.name);
  const bool instantiation = s.is(begin, "template") && !s.is(begin + 1, "<");
  return instantiation || s.is(head.name + 1, "<");
}

std::optional<KernelParameters> read_kernel_parameters(const Source& source, const Stream& s,
                                                       const FunctionHead& head,
                                                       const std::set<std::string_view>& macros) {
  KernelParameters found;
  found.source = &source;
  found.begin = declaration_begin(s, head.name);
  const size_t before = found.begin - 1;
  const bool begins =
      found.begin == 0 || s.is(before, ";") || s.is(before, "}") || s.is(before, "{");
  const size_t close = s.match(head.parameters);
  if (!begins || close == kNone) return std::nullopt;
  for (size_t i = found.begin; i <= close;
       ++i) {  // a part of it in `#if`, or `template` in a macro
    const bool is_macro = i < head.name && macros.contains(s[i].text);
    if (is_macro || s[i].decided != s[found.begin].decided) return std::nullopt;
  }
  if (s.is(found.begin, "template")) {
    const size_t end = skip_templates(s, found.begin, head.name);
    // Behind it stands a specifier; else a `>` of a default value was taken for its end.
    const bool ends = end < head.name && (s.is_identifier(end) || s.is(end, "["));
    if (!ends || s.is(end, "requires")) return std::nullopt;
    found.is_template = true;
    found.question = text_between(s, found.begin, end) + " ";
  }
  const auto parameters = read_parameters(s, head.parameters, macros);
  if (!parameters) return std::nullopt;
  found.types = types_of(s, head.parameters, *parameters);
  for (size_t i = head.parameters; i < close; ++i) {
    found.is_template = found.is_template || s.is(i, "auto");
  }
  found.question += question_of(s, head, *parameters);
  return found;
}

size_t launched_name(const Stream& s, size_t begin, size_t end) {
  size_t i = s.is(begin, "::") ? begin + 1 : begin;
  while (s.is_identifier(i) && s.is(i + 1, "::")) i += 2;
  if (i >= end || !s.is_identifier(i)) return kNone;
  const bool arguments_end = closing_angles(s[end - 1]) > 0 && s.is(i + 1, "<");
  return i + 1 == end || arguments_end ? i : kNone;
}

}  // namespace convkit::rewrite
