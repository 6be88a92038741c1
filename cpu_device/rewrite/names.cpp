// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/names.h"

#include "cpu_device/rewrite/declaration.h"
#include "cpu_device/rewrite/device_variables.h"
#include "cpu_device/rewrite/expression.h"

namespace convkit::rewrite {
namespace {

// Words that stand before a use of a name, never before its declaration.
bool precedes_use(std::string_view word) {
  for (const std::string_view use : {"return", "else", "do", "case", "goto", "throw", "new",
                                     "delete", "sizeof", "alignof", "typeid", "and", "or", "not",
                                     "operator", "template", "co_return", "co_await", "co_yield"}) {
    if (word == use) return true;
  }
  return false;
}

// Whether the identifier at `i` may be declared here as a variable, a parameter, a type or a
// member. Errs on the side of yes.
bool may_declare(const Stream& s, size_t i) {
  if (i == 0) return false;
  const size_t before = i - 1;
  const bool type = s.is(before, "class") || s.is(before, "struct") || s.is(before, "union");
  // A type, in front of what it declares.
  if (s.is_identifier(i + 1) && !s.is(i + 1, "final")) return false;
  for (const std::string_view after : {"*", "&", "&&", "::"}) {
    if (s.is(i + 1, after)) return false;
  }
  if (s.is(i + 1, "<")) return type;
  if (s.is(before, "namespace") && before > 0 && s.is(before - 1, "using")) return false;
  if (s.is_identifier(before)) return !precedes_use(s[before].text);
  if (closing_angles(s[before]) > 0 || s.is(before, "...")) return true;
  if (s.is(before, "]")) return s.is(i + 1, "=") || s.is(i + 1, ";") || s.is(i + 1, "(");
  if (s.is(before, ")")) {  // alignas(8) name
    const size_t open = s.match(before);
    return open != kNone && open > 0 && s.is_identifier(open - 1) &&
           (s[open - 1].text.starts_with("__") || s.is(open - 1, "alignas") ||
            s.is(open - 1, "decltype"));
  }
  if (s.is(before, "*") || s.is(before, "&") || s.is(before, "&&")) {
    return before > 0 && (s.is_identifier(before - 1) || closing_angles(s[before - 1]) > 0 ||
                          s.is(before - 1, "(") || s.is(before - 1, "*") || s.is(before - 1, ")") ||
                          s.is(before - 1, "::"));
  }
  if (s.is(before, ",") || s.is(before, "[") || s.is(before, "{")) {
    // `int a, name = 3;`, `auto [name, b] = pair`, enumerators
    for (const std::string_view after : {"=", ";", "[", "{", "]", "}"}) {
      if (s.is(i + 1, after)) return true;
    }
    return s.is(before, "[") || (s.is(before, "{") && s.is(i + 1, ","));
  }
  return false;
}

}  // namespace

void Names::add(const Source& source) {
  sources_.push_back(&source);
  read_macros(source);
}

void Names::add_macro(std::string_view name) {
  const std::string& kept = *given_.emplace(name).first;
  macros_.insert(kept);
  storage_macros_.insert(kept);  // its meaning is not known here
}

void Names::read_macros(const Source& source) {
  for (const Directive& directive : source.directives()) {
    if (directive.name != "define" || directive.tokens.empty()) continue;
    macros_.insert(directive.tokens.front().text);
    for (const Token& token : directive.tokens) {
      if (token.is("__global__")) macros_make_kernels_ = true;
      if (decides_storage(token.text)) storage_macros_.insert(directive.tokens.front().text);
    }
  }
}

void Names::finish() {
  for (const Source* source : sources_) read_declarations(*source);
}

void Names::read_declarations(const Source& source) {
  const Stream stream(source);
  const Scopes& scopes = scopes_[&source] = find_scopes(stream, source, macros_);
  std::set<size_t> functions;
  for (const DeclaredFunction& function : scopes.functions) {
    const FunctionHead& head = function.head;
    functions.insert(head.name);
    Meaning& meaning = meanings_[stream[head.name].text];
    if (function.in_class || head.qualified) {
      ++meaning.others;
    } else if (head.is_kernel()) {
      ++meaning.kernels;
    } else if (head.device && !head.expands) {
      ++meaning.device_functions;
    } else if (head.runs_on_host_only()) {
      ++meaning.host_functions;
    } else {
      ++meaning.others;
    }
  }
  for (size_t i = 0; i < stream.size(); ++i) {
    if (!stream.is_identifier(i) || functions.contains(i) || !may_declare(stream, i)) continue;
    if (!is_keyword(stream[i].text)) ++meanings_[stream[i].text].others;
  }
  for (size_t i = 0; i < stream.size(); ++i) {
    const auto variable = read_device_variable(stream, i);
    if (variable && variable->external) external_.insert(stream[variable->name].text);
  }
}

const Names::Meaning* Names::meaning(std::string_view name) const {
  const auto at = meanings_.find(name);
  return at == meanings_.end() || macros_.contains(name) ? nullptr : &at->second;
}

bool Names::is_only_kernel(std::string_view name) const {
  const Meaning* m = meaning(name);
  return m && m->kernels > 0 && m->device_functions + m->host_functions + m->others == 0;
}

bool Names::is_only_ordinary_function(std::string_view name) const {
  const Meaning* m = meaning(name);
  // A macro with `__global__` in it may declare a kernel of the same name.
  return m && !macros_make_kernels_ && m->device_functions + m->host_functions > 0 &&
         m->kernels + m->others == 0;
}

bool Names::may_run_on_device(std::string_view name) const {
  const Meaning* m = meaning(name);
  return !m || m->kernels + m->device_functions > 0;
}

bool Names::is_declared(std::string_view name) const {
  return macros_.contains(name) || meanings_.contains(name);
}

}  // namespace convkit::rewrite
