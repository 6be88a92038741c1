// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "convkit/atomic_file.h"
#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "skeleton/skeleton.h"
#include "skeleton/spec_cases.h"
#include "skeleton/template_text.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

// The lines of a case under another name. What makes a case special, such as its seed, stays with
// the original; a case that only hidden sets have stays one.
std::string copied_case(const std::string& text, const SpecCase& original,
                        const std::string& name) {
  static const std::regex key("^(name|summary|seed|count)\\s*=");
  std::istringstream in(text);
  std::string line, copy, pending;
  for (size_t number = 0; std::getline(in, line); ++number) {
    if (number < original.line) continue;
    if (number > original.line && line.starts_with('[') && !line.starts_with("[case.")) break;
    std::smatch found;
    if (std::regex_search(line, found, key)) {
      if (found[1] == "name") {
        line = fmt::format("name = \"{}\"", name);
      } else if (found[1] == "summary") {
        line = "summary = \"TODO: one sentence for students that says what is special\"";
      } else {
        continue;
      }
    }
    // Blank lines and comments at the end belong to what follows the case.
    pending += line + "\n";
    if (line.empty() || line.starts_with('#')) continue;
    copy += pending;
    pending.clear();
  }
  return copy;
}

}  // namespace

NewCase write_new_case(const Kit& kit, const Stage& stage, const std::string& name,
                       const std::string& op) {
  if (!is_plain_name(name)) {
    throw UsageError(fmt::format(
        "`{}` is no name of a case: it may hold a-z, 0-9 and _, and starts with a letter.", name));
  }
  const fs::path spec = stage.directory / "cases.toml";
  const std::string text = kit_file_text(spec);
  const std::vector<SpecCase> cases = read_spec_cases(spec);
  if (std::ranges::find(cases, name, &SpecCase::name) != cases.end()) {
    throw UsageError(fmt::format("{} has a case {} already.", stage.id, name));
  }
  const auto is_of_op = [&](const SpecCase& c) { return op.empty() || c.op == op; };
  auto original = std::find_if(cases.rbegin(), cases.rend(),
                               [&](const SpecCase& c) { return c.visible && is_of_op(c); });
  if (original == cases.rend()) original = std::find_if(cases.rbegin(), cases.rend(), is_of_op);
  if (original == cases.rend()) {
    throw UsageError(op.empty()
                         ? fmt::format("{} has no case to copy from.", spec.string())
                         : fmt::format("{} has no case of `{}` to copy from.", spec.string(), op));
  }
  const char* gap = text.ends_with('\n') ? "\n" : "\n\n";
  write_whole(spec, text + gap + copied_case(text, *original, name));
  try {
    make_visible_cases(kit, stage.id);
  } catch (...) {
    write_whole(spec, text);
    throw;
  }
  return {original->name, original->visible};
}

}  // namespace convkit
