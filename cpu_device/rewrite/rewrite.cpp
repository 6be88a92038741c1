// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/rewrite.h"

#include <algorithm>

#include "cpu_device/rewrite/device_variables.h"
#include "cpu_device/rewrite/diagnostics.h"
#include "cpu_device/rewrite/dynamic_shared.h"
#include "cpu_device/rewrite/host_assignments.h"
#include "cpu_device/rewrite/inline_ptx.h"
#include "cpu_device/rewrite/kernel_casts.h"
#include "cpu_device/rewrite/launches.h"
#include "cpu_device/rewrite/thread_loops.h"
#include "cpu_device/rewrite/waiting_loops.h"
#include "cpu_device/rewrite/warp_steps.h"

namespace convkit::rewrite {
namespace {

bool includes_a_file(const Directive& directive) {
  return (directive.name == "include" || directive.name == "import") && !directive.tokens.empty();
}

// `#define NAME(parameters) body`
struct Macro {
  std::set<std::string_view> parameters;
  std::span<const Token> body;
};

Macro read_macro(const Directive& define) {
  Macro macro;
  const std::span<const Token> tokens = define.tokens;
  size_t body = 1;
  // With white space between, the parenthesis belongs to the body.
  if (tokens.size() > 1 && tokens[1].is("(") && tokens[1].begin == tokens[0].end) {
    for (body = 2; body < tokens.size() && !tokens[body].is(")"); ++body) {
      macro.parameters.insert(tokens[body].is("...") ? "__VA_ARGS__" : tokens[body].text);
    }
    ++body;
  }
  macro.body = tokens.subspan(std::min(body, tokens.size()));
  return macro;
}

}  // namespace

bool Rewritten::has_errors() const {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& each) {
    return each.severity == Diagnostic::Severity::error;
  });
}

std::vector<Include> includes(const Source& source) {
  std::vector<Include> found;
  for (const Directive& directive : source.directives()) {
    if (!includes_a_file(directive)) continue;
    const Token& token = directive.tokens.front();
    const bool angled = token.kind == Token::Kind::header_name;
    const bool quoted =
        token.text.size() >= 2 && token.text.front() == '"' && token.text.back() == '"';
    if (!angled && !quoted) continue;
    found.push_back(
        {std::string(token.text.substr(1, token.text.size() - 2)), angled, token.begin, token.end});
  }
  return found;
}

Rewritten rewrite(const Source& source, const Names& names, const Redirect& redirect,
                  DeviceCode device_code, const QuietCode* quiet) {
  Rewritten result;
  Edits edits;
  Report report(source, edits);
  // A byte order mark means something at the beginning of a file only.
  if (source.text().starts_with("\xef\xbb\xbf")) edits.replace(0, 3, "");

  if (redirect) {
    for (const Include& include : includes(source)) {
      if (const auto target = redirect(include)) {
        edits.replace(include.begin, include.end, "\"" + *target + "\"");
      }
    }
  }

  const std::set<std::string_view> no_parameters;
  const Stream code(source);
  const Scopes& scopes = names.scopes(source);
  const std::vector<Launch> launches =
      rewrite_launches(code, {names.macros(), no_parameters}, &names, edits, report);
  for (const auto& [name, bound] : names.launch_bounds()) {
    if (bound.source == &source && names.launch_bound(name, bound.space) != nullptr) {
      edits.insert(code[bound.begin].begin, bound.constant);
    }
  }
  for (const auto& [name, declarations] : names.kernel_parameters()) {
    if (names.kernel_parameters(name) == nullptr) continue;
    for (const KernelParameters& each : declarations) {
      if (each.source == &source) edits.insert(code[each.begin].begin, each.question);
    }
  }
  result.launches = launches.size();
  const auto note_templates = [&](const Stream& s, const std::vector<Launch>& found) {
    for (const Launch& launch : found) {
      if (s[launch.open - 1].text.ends_with(">")) result.template_launches = true;
    }
    for (size_t i = 0; i < s.size(); ++i) {
      if (s.is(i, "requires") || s.is(i, "concept")) result.concept_words = true;
    }
  };
  note_templates(code, launches);
  result.dynamic_shared = rewrite_dynamic_shared(code, &scopes, edits, report);
  if (device_code == DeviceCode::whole) rewrite_device_variables(code, scopes, names, edits);
  result.inline_ptx = rewrite_inline_ptx(code, &scopes, source.text(), edits, report);
  rewrite_kernel_casts(code, &names, edits);
  mark_waiting_loops(code, &scopes, names.shared(), edits);
  if (quiet) {
    rewrite_thread_loops(code, scopes, *quiet, edits);
    keep_warps_in_step(code, scopes, edits);
  }
  find_misuse(code, scopes, names, launches, report);
  find_host_assignments(source, code, names, report);
  find_unsupported(code, &scopes, names, report);

  report.enter_macro();
  for (const Directive& directive : source.directives()) {
    if (directive.name != "define" || directive.tokens.size() < 2) continue;
    const Macro macro = read_macro(directive);
    const Stream body(macro.body);
    const std::vector<Launch> in_macro =
        rewrite_launches(body, {names.macros(), macro.parameters}, nullptr, edits, report);
    result.launches += in_macro.size();
    note_templates(body, in_macro);
    result.dynamic_shared += rewrite_dynamic_shared(body, nullptr, edits, report);
    result.inline_ptx += rewrite_inline_ptx(body, nullptr, {}, edits, report);
    rewrite_kernel_casts(body, nullptr, edits);
    mark_waiting_loops(body, nullptr, names.shared(), edits);
    if (names.tells_launches(directive.tokens.front().text)) {
      keep_original_texts(body, macro.parameters, edits);
    }
    find_unsupported(body, nullptr, names, report);
  }
  report.leave_macro();

  result.text = edits.apply(source.text(), result.columns);
  result.diagnostics = report.take();
  return result;
}

}  // namespace convkit::rewrite
