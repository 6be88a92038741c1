// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/names.h"

#include <algorithm>

#include "cpu_device/rewrite/declaration.h"
#include "cpu_device/rewrite/device_variables.h"
#include "cpu_device/rewrite/expression.h"
#include "cpu_device/rewrite/launches.h"
#include "cpu_device/rewrite/name_uses.h"
#include "cpu_device/rewrite/waiting_loops.h"

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

// The brace of the innermost namespace around token `i` that has a name, or kNone.
size_t named_namespace(const Stream& s, size_t i) {
  size_t open = s.around(i);
  while (open != kNone && open > 0 &&
         (s.is(open - 1, "namespace") || s[open - 1].kind == Token::Kind::string)) {
    open = s.around(open);
  }
  return open;
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
      if (token.is("__global__")) {
        macros_make_kernels_ = true;
        for (const Token& other : directive.tokens) unasked_.insert(other.text);
      }
      if (token.is("##")) macros_make_names_ = true;
      if (decides_storage(token.text)) storage_macros_.insert(directive.tokens.front().text);
    }
  }
}

void Names::finish() {
  for (const Source* source : sources_) read_declarations(*source);
  if (!macros_make_names_) {
    for (const Source* source : sources_) read_device_memory(*source);
  }
  tell_launches_ = macros_that_tell_launches(sources_);
  if (device_memory_.empty()) return;
  for (const Source* source : sources_) drop_doubtful_device_memory(*source);
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
      if (function.in_class && head.is_kernel()) unasked_.insert(stream[head.name].text);
    } else if (head.is_kernel()) {
      ++meaning.kernels;
      read_kernel(source, stream, head);
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
  note_unasked(stream, scopes);
  for (size_t i = 0; i < stream.size(); ++i) {
    const auto variable = read_device_variable(stream, i);
    if (variable && variable->external) external_.insert(stream[variable->name].text);
  }
  shared_.merge(shared_names(stream, scopes));
}

void Names::read_kernel(const Source& source, const Stream& stream, const FunctionHead& head) {
  const std::string_view name = stream[head.name].text;
  if (auto bound = read_launch_bound(source, stream, head, macros_)) {
    bounds_.emplace(name, std::move(*bound));
  }
  if (is_of_another_declaration(stream, head)) return;
  if (auto parameters = read_kernel_parameters(source, stream, head, macros_)) {
    parameters_[name].push_back(std::move(*parameters));
  } else {
    unasked_.insert(name);
  }
}

void Names::note_unasked(const Stream& s, const Scopes& scopes) {
  for (size_t i = 2; i < s.size(); ++i) {
    // `using a::k;` brings the kernel alone.
    if (s.is(i, ";") && s.is(i - 2, "::")) unasked_.insert(s[i - 1].text);
    // `DEFINE_KERNEL(k)`
    const bool macro =
        s.is(i, "(") && scopes.in_namespace[i - 1] && macros_.contains(s[i - 1].text);
    const size_t end = macro ? s.match(i) : kNone;
    for (size_t k = i + 1; end != kNone && k < end; ++k) unasked_.insert(s[k].text);
  }
}

void Names::read_device_memory(const Source& source) {
  const Stream stream(source);
  const Scopes& scopes = scopes_.at(&source);
  for (size_t i = 0; i < stream.size(); ++i) {
    if (!scopes.in_namespace[i]) continue;
    const auto variable = read_device_variable(stream, i);
    if (!variable || !scopes.in_namespace[variable->name]) continue;
    DeviceMemory memory;
    bool certain = true;
    for (size_t k = variable->begin; k <= variable->name; ++k) {
      const Token& token = stream[k];
      if (token.is("__constant__")) memory.constant = true;
      certain = certain && token.decided && !macros_.contains(token.text) &&
                !token.is("__managed__") && !token.is("__shared__") && !token.is("&") &&
                !token.is("&&");
    }
    if (!certain) continue;
    memory.source = &source;
    memory.name = variable->name;
    memory.space = named_namespace(stream, variable->name);
    for (size_t k = variable->name + 1; stream.is(k, "[") && stream.match(k) != kNone;
         k = stream.match(k) + 1) {
      ++memory.dimensions;
    }
    device_memory_.emplace(stream[memory.name].text, memory);
  }
}

void Names::drop_doubtful_device_memory(const Source& source) {
  for (const Directive& directive : source.directives()) {
    for (const Token& token : directive.tokens) device_memory_.erase(token.text);
  }
  const Stream stream(source);
  const Scopes& scopes = scopes_.at(&source);
  for (size_t i = 0; i < stream.size(); ++i) {
    if (!stream.is_identifier(i)) continue;
    if (stream.is(i, "static") && !scopes.in_namespace[i] && !scopes.in_block[i]) {
      for (size_t k = i + 1; k < i + kLongestDeclaration && k < stream.size(); ++k) {
        if (stream.is(k, ";") || stream.is(k, "{")) break;
        if (stream.is_identifier(k)) statics_.insert(stream[k].text);
      }
    }
    const auto at = device_memory_.find(stream[i].text);
    if (at == device_memory_.end()) continue;
    const bool declaration = at->second.source == &source && at->second.name == i;
    if (!declaration && !is_certain_use(stream, scopes, macros_, i)) device_memory_.erase(at);
  }
}

const DeviceMemory* Names::device_memory(std::string_view name) const {
  const auto at = device_memory_.find(name);
  return at == device_memory_.end() || macros_.contains(name) ? nullptr : &at->second;
}

const Names::Meaning* Names::meaning(std::string_view name) const {
  const auto at = meanings_.find(name);
  return at == meanings_.end() || macros_.contains(name) ? nullptr : &at->second;
}

bool Names::is_only_kernel(std::string_view name) const {
  const Meaning* m = meaning(name);
  return m && m->kernels > 0 && m->device_functions + m->host_functions + m->others == 0;
}

const LaunchBound* Names::launch_bound(std::string_view name, std::string_view space) const {
  const Meaning* m = meaning(name);
  const auto at = bounds_.find(name);
  const bool is_one = m && at != bounds_.end() && m->kernels == 1 && !macros_make_kernels_ &&
                      !macros_make_names_ && is_only_kernel(name);
  if (!is_one) return nullptr;
  const std::string& of_kernel = at->second.space;
  const bool is_inside =
      of_kernel.empty() || space == of_kernel || space.starts_with(of_kernel + "::");
  return is_inside ? &at->second : nullptr;
}

const std::vector<KernelParameters>* Names::kernel_parameters(std::string_view name) const {
  const auto at = parameters_.find(name);
  const bool asked = at != parameters_.end() && !unasked_.contains(name) && !macros_.contains(name);
  if (!asked) return nullptr;
  const bool one = std::ranges::all_of(at->second, [&](const KernelParameters& each) {
    return !each.is_template && each.types == at->second.front().types;
  });
  return one ? nullptr : &at->second;
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
