// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/launches.h"

#include <algorithm>
#include <array>

#include "cpu_device/rewrite/expression.h"

namespace convkit::rewrite {
namespace {

// The configuration of one launch, from `<<<` to `>>>`.
struct Configuration {
  size_t first = 0, last = 0;             // its tokens
  size_t close_begin = 0, close_end = 0;  // the `>>>`, in the text
  size_t next = 0;                        // the token after it
  size_t arguments = 0;       // at most: commas between template arguments count here ...
  size_t sure_arguments = 0;  // ... and not here
  bool empty_argument = false;
  bool expands = false;  // holds `...` or a macro: the number of arguments is open
};

class LaunchFinder {
 public:
  LaunchFinder(const Stream& stream, const Expanding& expanding, const Names* names, Edits& edits,
               Report& report)
      : s_(stream), expanding_(expanding), names_(names), edits_(edits), report_(report) {}

  std::vector<Launch> run() {
    for (size_t i = 0; i < s_.size() && !report_.full(); ++i) {
      if (const size_t tokens = opens(i)) {
        launch(i, tokens);
        i += tokens - 1;
      } else if (s_.is(i, ">>>") && !closes_.contains(s_[i].begin)) {
        stray_close(i);
      }
    }
    return std::move(launches_);
  }

 private:
  // How many tokens the `<<<` at `i` is made of: `<<<`, or `<< <` as older formatters leave it.
  size_t opens(size_t i) const {
    if (i > 0 && s_.is(i - 1, "operator")) return 0;  // operator<< <int>(...)
    if (s_.is(i, "<<<")) return is_conflict_marker(i) ? 0 : 1;
    return s_.is(i, "<<") && s_.is(i + 1, "<") ? 2 : 0;
  }

  // <<<<<<< HEAD
  bool is_conflict_marker(size_t i) const {
    const auto joins = [&](size_t k) {
      return k + 1 < s_.size() && s_[k].end == s_[k + 1].begin && s_[k + 1].text.starts_with("<");
    };
    return joins(i) || (i > 0 && joins(i - 1) && s_[i - 1].text.starts_with("<"));
  }

  void launch(size_t open, size_t open_tokens) {
    const size_t begin = postfix_begin(s_, open);
    if (begin == kNone) {
      report_.error(s_[open],
                    "there is no kernel before this `<<<`; "
                    "write the launch in one piece, as `kernel<<<grid, block>>>(arguments)`");
      return;
    }
    Configuration config;
    config.first = open + open_tokens;
    if (!read(config)) {
      say_unclosed(open, config);
      return;
    }
    if (!check(open, config)) return;
    const std::string bound =
        bound_of_launch(s_, begin, open, [&](std::string_view name, std::string_view space) {
          return names_ ? names_->launch_bound(name, space) : nullptr;
        });
    const std::string parameters =
        parameters_of_launch(s_, begin, open, [&](std::string_view name) {
          return names_ && names_->kernel_parameters(name) != nullptr;
        });
    const bool known = !bound.empty() || !parameters.empty();
    edits_.insert(s_[begin].begin,
                  std::string(known ? "CONVKIT_SIMT_KNOWN_" : "CONVKIT_SIMT_") +
                      (s_[open - 1].text.ends_with(">") ? "TEMPLATE_LAUNCH((" : "LAUNCH(("));
    edits_.replace(s_[open], "),(");
    if (open_tokens == 2) edits_.replace(s_[open + 1], "");
    edits_.replace(config.close_begin, config.close_end,
                   !known ? ")) "
                          : "),(" + (bound.empty() ? "0" : bound) + "),(" +
                                (parameters.empty() ? "::convkit::simt::not_asked" : parameters) +
                                ")) ");
    closes_.insert(s_[config.next - 1].begin);
    launches_.push_back({begin, open});
  }

  // Finds the `>>>`. `<` after a name may open template arguments or say "less than"; it is taken
  // for the former as long as that leaves a `>>>`.
  bool read(Configuration& config) const {
    size_t angles = 0;  // that may be open
    bool needs_argument = true;
    config.sure_arguments = config.arguments = 1;
    size_t i = config.first;
    for (; i < s_.size(); ++i) {
      const Token& token = s_[i];
      if (token.is(";") || token.is(")") || token.is("]") || token.is("}") || opens(i) > 0) break;
      if (const size_t count = closing_angles(token)) {
        if (close(config, i, angles)) {
          config.last = i;
          config.empty_argument = config.empty_argument || needs_argument;
          if (i == config.first) config.arguments = config.sure_arguments = 0;
          return true;
        }
        angles -= std::min(angles, count);
        continue;
      }
      if (token.is(",")) {
        ++config.arguments;
        if (angles == 0) ++config.sure_arguments;
        config.empty_argument = config.empty_argument || needs_argument;
        needs_argument = true;
        continue;
      }
      needs_argument = false;
      if (token.is("...") || expanding_.contains(token.text)) config.expands = true;
      if (token.is("<") && i > 0 && s_.is_identifier(i - 1)) ++angles;
      if (token.is("(") || token.is("[") || token.is("{")) {
        const size_t end = s_.match(i);
        if (end == kNone) break;
        i = end;
      }
    }
    config.last = i;
    return false;
  }

  // Whether the angles at `i` hold the end of the configuration, and where.
  bool close(Configuration& config, size_t i, size_t angles) const {
    const Token& token = s_[i];
    config.next = i + 1;
    config.close_begin = token.begin;
    config.close_end = token.end;
    // `>> >`, as older formatters leave it.
    if (token.is(">>") && angles == 0 && s_.is(i + 1, ">")) {
      config.close_end = s_[i + 1].end;
      config.next = i + 2;
      return s_.is(i + 2, "(") && config.close_end - token.begin < 64;
    }
    if (!token.is(">>>")) return false;
    // `Type<int>>>>`: the last three close the launch.
    size_t end = i + 1, extra = 0;
    while (end < s_.size() && s_[end].begin == s_[end - 1].end && closing_angles(s_[end]) > 0) {
      extra += closing_angles(s_[end++]);
    }
    if (extra > 0 && extra <= angles && s_[end - 1].end - token.begin == 3 + extra) {
      config.close_begin = token.begin + extra;
      config.close_end = s_[end - 1].end;
      config.next = end;
      return true;
    }
    return angles < 3 || !closes_later(i + 1);
  }

  // Whether another `>>>` follows in the same statement.
  bool closes_later(size_t i) const {
    for (; i < s_.size(); ++i) {
      if (s_.is(i, ";") || s_.is(i, "}") || s_.is(i, ")")) return false;
      if (s_.is(i, ">>>")) return true;
      if ((s_.is(i, "(") || s_.is(i, "{")) && s_.match(i) != kNone) i = s_.match(i);
    }
    return false;
  }

  void say_unclosed(size_t open, const Configuration& config) {
    for (size_t i = config.first; i < config.last; ++i) {
      const size_t end = s_.is(i, "(") || s_.is(i, "{") ? s_.match(i) : kNone;
      if (end != kNone) i = end;
      if ((s_.is(i, ">>") || s_.is(i, ">")) && s_.is(i + 1, "(")) {
        report_.error(s_[i], "the launch configuration ends with `" + std::string(s_[i].text) +
                                 "`; it must end with `>>>`");
        return;
      }
    }
    report_.error(s_[open],
                  "this launch configuration has no closing `>>>`; "
                  "write `kernel<<<grid, block>>>(arguments)`");
  }

  bool check(size_t open, const Configuration& config) {
    if (config.arguments == 0) {
      report_.error(s_[open],
                    "the launch configuration is empty; "
                    "it needs a grid and a block: `<<<grid, block>>>`");
      return false;
    }
    if (config.empty_argument && !config.expands) {
      report_.error(s_[open], "an argument of the launch configuration is empty");
      return false;
    }
    if (config.sure_arguments > 4 && !config.expands) {
      report_.error(s_[open],
                    "a launch configuration has at most four arguments, `<<<grid, block, "
                    "shared bytes, stream>>>`; this one has " +
                        std::to_string(config.arguments));
      return false;
    }
    // Anything else may be a macro that stands for the arguments.
    const std::array<std::string_view, 6> kWrong = {";", "}", ",", ">", ">>", "."};
    if (std::any_of(kWrong.begin(), kWrong.end(),
                    [&](std::string_view text) { return s_.is(config.next, text); })) {
      report_.error(s_[config.next - 1],
                    "after `>>>` come the kernel's arguments in parentheses, even when there are "
                    "none: `kernel<<<grid, block>>>()`");
      return false;
    }
    if (config.arguments == 1 && !config.expands) {
      report_.warning(s_[open],
                      "this launch names no block size, "
                      "so a block has one thread; write `<<<grid, block>>>`");
    }
    return true;
  }

  // `k<<grid, block>>>(x)`: outside template arguments `>>>` is not an operator.
  void stray_close(size_t close) {
    if (!s_.is(close + 1, "(")) return;
    size_t shift = kNone;
    for (size_t i = close, steps = 0; i-- > 0; ++steps) {
      if (steps == 200) return;
      if (s_.is(i, ")") || s_.is(i, "]")) {
        i = s_.match(i);
        if (i == kNone) return;
        continue;
      }
      if (s_.is(i, ";") || s_.is(i, "{") || s_.is(i, "}") || s_.is(i, "(")) break;
      if (s_.is(i, "<") || s_.is(i, "<<<") || s_.is(i, "operator")) return;
      if (s_.is(i, "<<")) shift = i;
    }
    if (shift == kNone || shift == 0 || !s_.is_identifier(shift - 1)) return;
    report_.error(s_[shift], "the launch configuration begins with `<<`; it must begin with `<<<`");
  }

  const Stream& s_;
  const Expanding& expanding_;
  const Names* names_;
  Edits& edits_;
  Report& report_;
  std::vector<Launch> launches_;
  std::set<uint32_t> closes_;  // where the `>>>` of launches stand
};

}  // namespace

std::vector<Launch> rewrite_launches(const Stream& stream, const Expanding& expanding,
                                     const Names* names, Edits& edits, Report& report) {
  return LaunchFinder(stream, expanding, names, edits, report).run();
}

namespace {

// `#define NAME(...) ... # ...`: its name; else "".
std::string_view macro_that_makes_text(const Directive& directive) {
  const std::span<const Token> tokens = directive.tokens;
  const bool takes_arguments = directive.name == "define" && tokens.size() > 3 &&
                               tokens[1].is("(") && tokens[1].begin == tokens[0].end;
  if (!takes_arguments) return {};
  for (const Token& token : tokens.subspan(2)) {
    if (token.is("#")) return tokens[0].text;
  }
  return {};
}

// Adds each of `macros` that has a launch among its arguments here.
void add_callers(const Stream& s, const std::set<std::string_view>& macros,
                 std::set<std::string_view>& found) {
  for (size_t i = 0; i < s.size(); ++i) {
    if (!s.is(i, "<<<") && !(s.is(i, "<<") && s.is(i + 1, "<"))) continue;
    for (size_t open = s.around(i); open != kNone; open = s.around(open)) {
      const bool is_call = s.is(open, "(") && open > 0 && s.is_identifier(open - 1);
      if (is_call && macros.contains(s[open - 1].text)) found.insert(s[open - 1].text);
    }
  }
}

}  // namespace

std::set<std::string_view> macros_that_tell_launches(std::span<const Source* const> sources) {
  std::set<std::string_view> macros, found;
  for (const Source* source : sources) {
    for (const Directive& directive : source->directives()) {
      const std::string_view name = macro_that_makes_text(directive);
      if (!name.empty()) macros.insert(name);
    }
  }
  if (macros.empty()) return found;
  for (const Source* source : sources) {
    add_callers(Stream(*source), macros, found);
    for (const Directive& directive : source->directives()) {
      if (directive.name == "define") add_callers(Stream(directive.tokens), macros, found);
    }
  }
  return found;
}

void keep_original_texts(const Stream& body, const std::set<std::string_view>& parameters,
                         Edits& edits) {
  const auto is_text = [&](size_t i) {
    return body.is(i, "#") && i + 1 < body.size() && parameters.contains(body[i + 1].text);
  };
  const auto is_literal = [&](size_t i) {
    return i < body.size() && body[i].kind == Token::Kind::string;
  };
  for (size_t i = 0; i < body.size();) {
    bool has_text = false;
    size_t end = i;
    while (is_text(end) || is_literal(end)) {
      has_text = has_text || is_text(end);
      end += is_text(end) ? 2 : 1;
    }
    if (has_text) {
      edits.insert(body[i].begin, "CONVKIT_SIMT_TEXT(");
      edits.insert(body[end - 1].end, ")");
    }
    i = std::max(end, i + 1);
  }
}

}  // namespace convkit::rewrite
