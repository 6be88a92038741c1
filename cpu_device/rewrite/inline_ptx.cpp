// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/inline_ptx.h"

#include <algorithm>
#include <vector>

#include "simt/ptx/parser.h"

namespace convkit::rewrite {
namespace {

using simt::ptx::Problem;

// asm volatile ( text : outputs : inputs : clobbers )
struct Statement {
  size_t begin = 0, open = 0, close = 0;  // `asm` and the parentheses
  // What begins each section but the text, and its first token: of `::` both sections are empty but
  // the last.
  struct Section {
    size_t separator, first;
  };
  std::vector<Section> sections;

  size_t text_end() const { return sections.empty() ? close : sections[0].separator; }
  size_t first(size_t section) const {
    return section < sections.size() ? sections[section].first : close;
  }
  size_t end(size_t section) const {
    return section + 1 < sections.size() ? sections[section + 1].separator : close;
  }
  bool has(size_t section) const { return first(section) < end(section); }
};

bool is_asm(const Stream& s, size_t i) {
  return s.is(i, "asm") || s.is(i, "__asm__") || s.is(i, "__asm");
}

// False where it is not a whole statement of this form.
bool read_statement(const Stream& s, size_t i, Statement& statement) {
  statement.begin = i++;
  while (s.is(i, "volatile") || s.is(i, "__volatile__") || s.is(i, "__volatile") ||
         s.is(i, "inline")) {
    ++i;
  }
  statement.open = i;
  statement.close = s.is(i, "(") ? s.match(i) : kNone;
  if (statement.close == kNone) return false;
  for (size_t k = i + 1; k < statement.close; ++k) {
    if (s.around(k) != statement.open) continue;
    if (s.is(k, ":")) statement.sections.push_back({k, k + 1});
    if (s.is(k, "::")) {
      statement.sections.push_back({k, k});  // nothing is in between
      statement.sections.push_back({k, k + 1});
    }
  }
  return statement.text_end() > statement.open + 1;
}

// The text, as far as it stands there: macros are left out. `whole`: it does.
std::string text_of(const Stream& s, const Statement& statement, bool& whole) {
  std::string text;
  whole = true;
  for (size_t k = statement.open + 1; k < statement.text_end(); ++k) {
    if (s[k].kind == Token::Kind::string) {
      text += literal_value(s[k].text);
    } else {
      whole = false;
    }
  }
  return text;
}

// ".f32", ".u64": no assembler of a host has these.
bool has_type_of_ptx(std::string_view text) {
  for (size_t i = 0; i + 2 < text.size(); ++i) {
    if (text[i] != '.') continue;
    const std::string_view type = text.substr(i + 1, 3);
    if (std::string_view("usfb").find(type[0]) == std::string_view::npos) continue;
    if (type.substr(1) == "16" || type.substr(1) == "32" || type.substr(1) == "64") return true;
  }
  return text.find(".pred") != std::string_view::npos;
}

// "bar.sync", "cp.async": an instruction of PTX with a dot in its name.
bool begins_like_ptx(std::string_view text) {
  const size_t begin = text.find_first_not_of("{ \t\r\n;");
  if (begin == std::string_view::npos) return false;
  const std::string_view word = text.substr(begin, text.find_first_of(" \t\r\n;", begin) - begin);
  return word.find('.') != std::string_view::npos && simt::ptx::find_opcode(word) != nullptr;
}

bool is_in_device_code(size_t i, const Scopes* scopes) {
  if (scopes == nullptr || scopes->function[i] == kNone) return false;
  const FunctionHead& head = scopes->functions[scopes->function[i]].head;
  return head.is_kernel() || head.runs_on_device_only();
}

size_t count_operands(const Stream& s, const Statement& statement) {
  size_t count = 0;
  for (size_t section = 0; section < 2; ++section) {
    if (!statement.has(section)) continue;
    ++count;
    for (size_t k = statement.first(section); k < statement.end(section); ++k) {
      if (s.around(k) == statement.open && s.is(k, ",")) ++count;
    }
  }
  return count;
}

Problem find_problem(std::string_view text, size_t operands) {
  simt::ptx::Parser parser(text);
  simt::ptx::Instruction instruction;
  while (parser.next(instruction)) {
    const Problem missing = simt::ptx::missing_argument(instruction, static_cast<int>(operands));
    if (missing) return missing;
  }
  return parser.problem();
}

class Rewriter {
 public:
  Rewriter(const Stream& stream, const Scopes* scopes, std::string_view source, Edits& edits,
           Report& report)
      : s_(stream), scopes_(scopes), source_(source), edits_(edits), report_(report) {}

  size_t run() {
    for (size_t i = 0; i < s_.size() && !report_.full(); ++i) {
      Statement statement;
      if (is_asm(s_, i) && read_statement(s_, i, statement)) take(statement);
    }
    return count_;
  }

 private:
  void take(const Statement& statement) {
    bool whole = false;
    const std::string text = text_of(s_, statement, whole);
    // One of several texts.
    if (has_directive(s_[statement.begin].begin, s_[statement.text_end()].begin)) whole = false;
    const bool empty = text.find_first_not_of(" \t\r\n;") == std::string::npos;
    if (empty && whole) return;
    if (!is_in_device_code(statement.begin, scopes_) && !has_type_of_ptx(text) &&
        !begins_like_ptx(text) && (whole || !has_constraints_of_ptx(statement))) {
      return;
    }
    const Token& at = s_[statement.begin];
    if (const size_t name = symbolic_name(statement); name != kNone) {
      return report_.error(at, "names of operands in inline PTX (`[" + std::string(s_[name].text) +
                                   "]`) are not supported by the CPU device; nvcc has only %0, %1 "
                                   "and so on");
    }
    if (whole) {
      const Problem problem = find_problem(text, count_operands(s_, statement));
      if (problem) {
        return report_.error(at, ptx_problem_text(static_cast<int>(problem.kind), problem.subject));
      }
    }
    ++count_;
    replace(statement);
  }

  // Whether there are operands, and their constraints could all be PTX's. It decides where a macro
  // hides the name of the instruction.
  bool has_constraints_of_ptx(const Statement& statement) const {
    bool found = false;
    for (size_t section = 0; section < 2; ++section) {
      for (size_t k = statement.first(section); k < statement.end(section); ++k) {
        if (s_.around(k) != statement.open || s_[k].kind != Token::Kind::string) continue;
        found = true;
        const std::string constraint = literal_value(s_[k].text);
        if (constraint.find_first_not_of("=+hrlfdn") != std::string::npos) return false;
      }
    }
    return found;
  }

  size_t symbolic_name(const Statement& statement) const {
    for (size_t section = 0; section < 2; ++section) {
      for (size_t k = statement.first(section); k < statement.end(section); ++k) {
        if (s_.around(k) == statement.open && s_.is(k, "[")) return k + 1;
      }
    }
    return kNone;
  }

  // The call stands on the line of `asm`, which reports name. So the text goes in front of it,
  // unless there are #if and the like in between.
  void replace(const Statement& statement) {
    // The names are such as no parameter of a macro has.
    static const std::string kFunction = " static constexpr ";
    std::string begin = "do { struct convkit_ptx_source {" + kFunction +
                        "const char* convkit_ptx_file() { return __FILE__; }" + kFunction +
                        "int convkit_ptx_line() { return __LINE__; }" + kFunction +
                        "const char* convkit_ptx_text() { return ";
    const std::string call = "; } }; ::convkit_ptx_run<convkit_ptx_source>(";
    const size_t text_end = statement.text_end();
    std::string behind = call;
    if (!has_directive(s_[statement.begin].begin, s_[text_end].begin)) {
      begin += text_tokens(statement) + call;
      edits_.replace(s_[statement.begin].begin, s_[statement.open].end, begin);
      edits_.replace(s_[statement.open + 1].begin, s_[text_end - 1].end, "");
      behind.clear();
    } else {
      edits_.replace(s_[statement.begin].begin, s_[statement.open].end, begin);
    }
    replace_sections(statement, behind);
  }

  std::string text_tokens(const Statement& statement) const {
    std::string text;
    for (size_t k = statement.open + 1; k < statement.text_end(); ++k) {
      text += std::string(s_[k].text) + " ";
    }
    return text;
  }

  // Whether a line between the two offsets begins with `#`.
  bool has_directive(uint32_t begin, uint32_t end) const {
    const std::string_view part =
        source_.substr(std::min<size_t>(begin, source_.size()), end - begin);
    for (size_t at = part.find('\n'); at < part.size(); at = part.find('\n', at + 1)) {
      const size_t first = part.find_first_not_of(" \t\r\n", at);
      if (first < part.size() && part[first] == '#') return true;
    }
    return false;
  }

  // Outputs and inputs become arguments; what is clobbered goes.
  void replace_sections(const Statement& statement, const std::string& behind_text) {
    for (size_t section = 0; section < 2; ++section) mark_constraints(statement, section);
    const std::string between = statement.has(0) && statement.has(1) ? ", " : " ";
    const std::string end = "); } while (false)";
    const auto& sections = statement.sections;
    if (sections.empty()) return edits_.replace(s_[statement.close], behind_text + end);
    edits_.replace(s_[sections[0].separator], behind_text);
    if (sections.size() > 1 && sections[1].separator != sections[0].separator) {
      edits_.replace(s_[sections[1].separator], between);
    }
    // What the statement clobbers; `::` may have been its separator already.
    size_t rest = statement.close;
    if (sections.size() > 2) {
      const size_t separator = sections[2].separator;
      rest = separator != sections[1].separator ? separator : sections[2].first;
    }
    edits_.replace(s_[rest].begin, s_[statement.close].end, end);
  }

  // "=r"(x) becomes "=r" ""_convkit_ptx (x).
  void mark_constraints(const Statement& statement, size_t section) {
    for (size_t k = statement.first(section); k < statement.end(section); ++k) {
      if (s_.around(k) == statement.open && s_.is(k, "(")) {
        edits_.insert(s_[k].begin, " \"\"_convkit_ptx ");
      }
    }
  }

  const Stream& s_;
  const Scopes* scopes_;
  std::string_view source_;
  Edits& edits_;
  Report& report_;
  size_t count_ = 0;
};

std::string in_backticks(std::string_view name) {
  return "`" + std::string(name) + "`";
}

}  // namespace

std::string literal_value(std::string_view literal) {
  const size_t quote = literal.find('"');
  if (quote == std::string_view::npos) return {};
  const bool raw = quote > 0 && literal[quote - 1] == 'R';
  if (raw) {
    const size_t open = literal.find('('), close = literal.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
      return {};
    return std::string(literal.substr(open + 1, close - open - 1));
  }
  std::string value;
  for (size_t i = quote + 1; i < literal.size() && literal[i] != '"'; ++i) {
    if (literal[i] != '\\' || i + 1 == literal.size()) {
      value += literal[i];
      continue;
    }
    const char escaped = literal[++i];
    value += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped == 'r' ? '\r' : escaped;
  }
  return value;
}

std::string ptx_problem_text(int kind, std::string_view subject) {
  const std::string name = in_backticks(subject);
  switch (static_cast<Problem::Kind>(kind)) {
    case Problem::Kind::instruction:
      return "inline PTX: the instruction " + name +
             " is not supported by the CPU device; use the intrinsic of the same purpose, or plain "
             "C++";
    case Problem::Kind::modifier:
    case Problem::Kind::form:
      return "inline PTX: this form of the instruction, " + name +
             ", is not supported by the CPU device; use the intrinsic of the same purpose, or "
             "plain C++";
    case Problem::Kind::operands:
      return "inline PTX: the operands of " + name + " are not those of the instruction";
    case Problem::Kind::name:
      return "inline PTX: " + name +
             " is neither declared with `.reg` nor a special register that "
             "the CPU device has";
    case Problem::Kind::braces:
      return "inline PTX: the brackets of the text do not match: " + name;
    case Problem::Kind::branch:
      return "inline PTX: labels and branches (" + name +
             ") are not supported by the CPU device; write the branch or loop in C++";
    case Problem::Kind::end:
      return "inline PTX: a semicolon is missing behind " + name;
    case Problem::Kind::argument:
      return "inline PTX: an operand of " + name +
             " has a number that the `asm` statement has no operand for";
    default:
      return "inline PTX: the text cannot be read from " + name + " on";
  }
}

size_t rewrite_inline_ptx(const Stream& stream, const Scopes* scopes, std::string_view source,
                          Edits& edits, Report& report) {
  return Rewriter(stream, scopes, source, edits, report).run();
}

}  // namespace convkit::rewrite
