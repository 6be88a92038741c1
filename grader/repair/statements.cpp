// SPDX-License-Identifier: MIT
#include "repair/statements.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "repair/conditions.h"
#include "repair/streams.h"
#include "repair/sums.h"
#include "repair/words.h"

namespace convkit::repair {

using rewrite::kNone;
using rewrite::Stream;
using rewrite::Token;

namespace {

constexpr size_t kLongestMoved = 60;  // in tokens: of two statements that change places

bool is_number(const std::optional<Kind>& kind) {
  return kind && kind->is_number();
}

// A place that is counted in bytes.
bool says_bytes(std::string_view name) {
  return name.find("byte") != name.npos || name.find("workspace") != name.npos;
}

}  // namespace

Statements::Statements(Draft& draft, std::string_view name,
                       const std::set<std::string>& comparisons, const Guards& guards)
    : d_(draft),
      name_(name),
      comparisons_(comparisons),
      guards_(guards),
      expressions_(draft, [this](size_t open, size_t close) { block(open, close); }) {}

void Statements::block(size_t open, size_t close) {
  if (close == kNone) return;
  const size_t head = std::exchange(head_, kNone);
  d_.variables.open_scope();
  ++depth_;
  if (loops_ > 0) start_anew(open, close);
  std::vector<Part> all;
  size_t previous = kNone;  // the statement before, where it may change places with the next one
  size_t last = kNone;
  for (size_t i = open + 1; i < close;) {
    const bool is_case = tokens().is(i, "case") || tokens().is(i, "default");
    if (!is_case) put_before(i, previous);
    const size_t end = d_.code.semicolon(i, close);
    const bool declares = is_declaration({i, end});
    if (!is_case) prepare_device(d_, i, end, depth_);
    const size_t next = std::max(statement(i, close), i + 1);
    all.push_back({i, next});
    if (declares) leave_after_declaration({i, end}, next);
    previous = declares || is_case || tokens().is(i, "return") ? kNone : i;
    last = i;
    i = next;
  }
  put_before(close, kNone);
  if (previous != kNone) move_out({last, close}, close);
  move_within(all, close);
  if (depth_ > 1 && head != kNone) move_before_head(all, head);
  move_into_blocks(all);
  --depth_;
  d_.variables.close_scope();
}

// What may be missing before a statement, or may have to stand before the previous one.
void Statements::put_before(size_t i, size_t previous) {
  if (d_.on_device) d_.list.put_before(i, "__syncthreads();", {Cause::barrier, kLikely});
  if (tokens().is(i, "}")) return;
  if (depth_ == 1 && loops_ == 0) {
    for (const std::string& guard : guards_) {
      const size_t condition = guard.find('(');
      const size_t end = guard.rfind(") return");
      if (d_.is_visible(guard.substr(condition, end + 1 - condition))) {
        d_.list.put_before(i, guard, {Cause::guard, kSeldom});
      }
    }
  }
  if (previous == kNone || tokens().is(i, "else") || tokens().is(i, "return")) return;
  const size_t end = d_.code.semicolon(i, tokens().size());
  if (!tokens().is(end, ";") || is_declaration({i, end}) || tokens().is(i, "for") ||
      tokens().is(i, "if") || tokens().is(i, "{") || tokens().is(i, "while")) {
    return;
  }
  const Part one = {previous, i}, other = {i, end + 1};
  if (one.size() + other.size() <= kLongestMoved)
    d_.list.exchange_statements(one, other, {Cause::statement_order, kLikely});
}

// A thread beyond the last element may have to leave: `if (m >= s.m) return;`.
void Statements::leave_after_declaration(Part declared, size_t next) {
  if (!d_.on_device || !tokens().is(declared.end, ";")) return;
  for (size_t k = declared.begin; k < declared.end; k = d_.code.past(k)) {
    if (!tokens().is_identifier(k) || !tokens().is(k + 1, "=")) continue;
    const std::string_view name = tokens()[k].text;
    if (d_.variables.kind_of(name) != number_of(false)) continue;
    const std::string leave = loops_ > 0 ? " continue;" : " return;";
    const auto put = [&](std::string_view limit, unsigned rank) {
      const std::string condition = "if (" + std::string(name) + " >= " + std::string(limit) + ")";
      d_.list.put_before(next, condition + leave, {Cause::guard, rank});
    };
    if (!tokens().is(next, "}") || loops_ > 0) {
      for (const std::string& limit : d_.variables.members_like(number_of(false))) {
        const std::string last = limit.substr(limit.find_last_of(".>") + 1);
        put(limit, last == name ? kSeldom : kLast);
      }
      for (const std::string_view limit : d_.variables.others_like(name, number_of(false))) {
        put(limit, kLast);
      }
    }
  }
}

// The last statement of a block to the place behind it.
void Statements::move_out(Part last, size_t close) {
  const Stream& s = tokens();
  if (depth_ < 2 || s.is(close + 1, "else") || s.is(close + 1, ";") || s.is(close + 1, ",") ||
      s.is(close + 1, ")") || last.size() > kLongestMoved) {
    return;
  }
  if (!s.is(close - 1, ";") || s.is(last.begin, "continue") || s.is(last.begin, "break")) return;
  for (size_t k = last.begin; k < last.end; ++k) {
    constexpr size_t kBlockAndHead = 2;
    if (d_.variables.is_within(s[k].text, kBlockAndHead)) return;
  }
  d_.list.move(last, close + 1, {Cause::statement_order, kLikely});
}

// A call, an assignment, or `if (...) return;`.
bool Statements::may_move(Part statement) const {
  const Stream& s = tokens();
  constexpr size_t kLongest = 40;
  if (statement.size() > kLongest || !s.is(statement.end - 1, ";")) return false;
  const size_t i = statement.begin;
  if (s.is(i, "if")) {
    const size_t then = s.match(i + 1) == kNone ? kNone : s.match(i + 1) + 1;
    return then != kNone && (s.is(then, "return") || s.is(then, "continue")) &&
           d_.code.semicolon(then, statement.end) == statement.end - 1;
  }
  for (const char* word : {"for", "while", "do", "switch", "return", "break", "continue", "else",
                           "case", "default", "{"}) {
    if (s.is(i, word)) return false;
  }
  return !kNoStatements.contains(s[i].text) && !is_declaration({i, statement.end - 1}) &&
         d_.code.semicolon(i, statement.end) == statement.end - 1;
}

// Whether `over` declares what `moved` names.
bool Statements::crosses(Part moved, Part over) const {
  const Stream& s = tokens();
  if (!is_declaration({over.begin, over.end - 1})) return false;
  for (size_t k = over.begin; k < over.end; k = d_.code.past(k)) {
    const bool declares =
        s.is_identifier(k) && (s.is(k + 1, "=") || s.is(k + 1, ",") || s.is(k + 1, ";") ||
                               s.is(k + 1, "(") || s.is(k + 1, "[") || s.is(k + 1, "{"));
    if (!declares) continue;
    for (size_t m = moved.begin; m < moved.end; ++m) {
      if (s[m].text == s[k].text) return true;
    }
    if (s.is(k + 1, "=")) k = d_.code.comma(k + 1, over.end);  // a value declares nothing
  }
  return false;
}

// To a place up to three statements before or behind. Those that can change places with the one
// beside them have.
void Statements::move_within(std::span<const Part> statements, size_t close) {
  constexpr size_t kFurthest = 3;
  for (size_t i = 0; i < statements.size(); ++i) {
    if (!may_move(statements[i])) continue;
    for (size_t by = 1; by <= kFurthest && by <= i; ++by) {
      if (crosses(statements[i], statements[i - by])) break;
      d_.list.move(statements[i], statements[i - by].begin, {Cause::statement_order, kPlain});
    }
    for (size_t by = 1; by <= kFurthest && i + by < statements.size(); ++by) {
      if (tokens().is(statements[i + by].begin, "return")) break;
      const bool is_last = i + by + 1 == statements.size();
      d_.list.move(statements[i], is_last ? close : statements[i + by + 1].begin,
                   {Cause::statement_order, kPlain});
    }
  }
}

// Out of a loop or a branch, to the place before it.
void Statements::move_before_head(std::span<const Part> statements, size_t head) {
  constexpr size_t kFirst = 2, kBlockAndHead = 2;
  if (tokens().is(head - 1, "else")) return;
  for (const Part statement : statements.first(std::min(statements.size(), kFirst))) {
    if (!may_move(statement)) continue;
    bool is_bound = false;
    for (size_t k = statement.begin; k < statement.end; ++k) {
      is_bound = is_bound || d_.variables.is_within(tokens()[k].text, kBlockAndHead);
    }
    if (!is_bound) d_.list.move(statement, head, {Cause::statement_order, kPlain});
  }
}

// To the beginning of the block that follows, and to the end of the one before.
void Statements::move_into_blocks(std::span<const Part> statements) {
  const Stream& s = tokens();
  for (size_t i = 0; i < statements.size(); ++i) {
    if (!may_move(statements[i])) continue;
    const auto block_of = [&](const Part& other) {
      const bool is_head =
          s.is(other.begin, "for") || s.is(other.begin, "if") || s.is(other.begin, "while");
      const size_t close = is_head ? s.match(other.begin + 1) : kNone;
      return close != kNone && s.is(close + 1, "{") && s.match(close + 1) == other.end - 1
                 ? close + 1
                 : kNone;
    };
    const size_t next = i + 1 < statements.size() ? block_of(statements[i + 1]) : kNone;
    if (next != kNone) {
      d_.list.move(statements[i], next + 1, {Cause::statement_order, kPlain});
    }
    const size_t before = i > 0 ? block_of(statements[i - 1]) : kNone;
    if (before != kNone) {
      d_.list.move(statements[i], s.match(before), {Cause::statement_order, kPlain});
    }
  }
}

// A sum that is declared before the loop may have to begin anew in it.
void Statements::start_anew(size_t open, size_t close) {
  const Stream& s = tokens();
  for (const Begun& sum : begun_) {
    if (!d_.variables.kind_of(sum.name) || !d_.is_visible(sum.value)) continue;
    bool is_changed = false;
    for (size_t k = open; k < close && !is_changed; ++k) {
      is_changed = s[k].text == sum.name && kAssignments.contains(s[k + 1].text);
    }
    if (is_changed) {
      d_.list.put_before(open + 1, std::string(sum.name) + " = " + sum.value + ";",
                         {Cause::reset, kPlain});
    }
  }
}

// `min(part, n - first)` for `part` in the loop over `first`.
void Statements::end_at_last_part(Part value) {
  constexpr size_t kLongest = 5;
  if (value.empty() || value.size() > kLongest || !d_.is_integer(value)) return;
  const std::string own = d_.code.text(value);
  for (const Turns& loop : turns_) {
    if (!d_.variables.kind_of(loop.counter) || own.find(loop.counter) != own.npos) continue;
    const std::string left = loop.bound + " - " + std::string(loop.counter);
    d_.list.replace(value, left + " < " + own + " ? " + left + " : " + own,
                    {Cause::last_part, kPlain});
  }
}

// `i < 4 && first + i < n` for `i < 4` in the loop of `first`, which takes 4 at a time.
void Statements::end_within_outer_loop(Part condition) {
  for (const Turns& outer : turns_) {
    if (outer.step.empty()) continue;
    const std::string at =
        std::string(outer.counter) + " + " + std::string(tokens()[condition.begin].text);
    d_.list.replace(condition, "(" + d_.code.text(condition) + ") && " + at + " < " + outer.bound,
                    {Cause::last_part, kPlain});
  }
}

// `if (i + 1 < n) load(i + 1);` in the loop of `i`: there is nothing behind the last one.
void Statements::keep_from_last_turn(Part statement) {
  const Stream& s = tokens();
  for (const Turns& loop : turns_) {
    for (size_t k = statement.begin; k + 2 < statement.end; ++k) {
      if (!s.is(k, loop.counter) || !s.is(k + 1, "+") || d_.code.is_dot(k - 1)) continue;
      const Part first = {statement.begin, statement.begin + 1};
      d_.list.replace_in_statement(
          statement, first,
          "if (" + d_.code.text({k, k + 3}) + " < " + loop.bound + ") " + d_.code.text(first),
          {Cause::guard, kLikely});
      break;
    }
  }
}

// The argument 4 in a loop that takes 4 at a time.
void Statements::end_at_last_part_in_call(Part part) {
  const Stream& s = tokens();
  for (size_t k = part.begin; k < part.end; ++k) {
    if (!s.is(k, "(") || !s.is_identifier(k - 1) || s.match(k) == kNone) continue;
    for (const Part argument : d_.code.arguments(k)) {
      const auto is_step = [&](const Turns& one) { return one.step == d_.code.text(argument); };
      if (!argument.empty() && std::ranges::any_of(turns_, is_step)) end_at_last_part(argument);
    }
  }
}

size_t Statements::statement(size_t i, size_t limit) {
  const Stream& s = tokens();
  if (s.is(i, "{")) {
    block(i, s.match(i));
    return s.match(i) == kNone ? limit : s.match(i) + 1;
  }
  if (s.is(i, "if") || s.is(i, "while") || s.is(i, "for") || s.is(i, "switch")) {
    return controlled(i, limit);
  }
  if (s.is(i, "do") || s.is(i, "else")) return statement(i + 1, limit);
  if (s.is(i, "case") || s.is(i, "default")) {
    while (i < limit && !s.is(i, ":")) ++i;
    return i + 1;
  }
  const size_t end = d_.code.semicolon(i, limit);
  if (end > i && (s.is(i, "continue") || s.is(i, "break"))) {
    const bool is_break = s.is(i, "break");
    d_.list.replace_in_statement({i, end + 1}, {i, end + 1}, ";",
                                 {Cause::surplus_statement, kLikely});
    d_.list.replace_in_statement({i, end + 1}, {i, i + 1}, is_break ? "continue" : "break",
                                 {Cause::operation, kLikely});
  } else if (kNoStatements.contains(s[i].text)) {
    return end + 1;
  } else if (s.is(i, "return")) {
    right_side({i + 1, end}, d_.returns, name_);
  } else if (is_declaration({i, end})) {
    declaration({i, end}, true);
  } else if (end > i) {
    plain_statement({i, end});
  }
  return end + 1;
}

size_t Statements::controlled(size_t i, size_t limit) {
  const Stream& s = tokens();
  size_t open = i + 1;
  const bool constant = s.is(open, "constexpr");
  if (constant) ++open;
  const size_t close = s.match(open);
  if (!s.is(open, "(") || close == kNone) return limit;
  const bool loops = s.is(i, "for") || s.is(i, "while");
  const size_t outer = turns_.size();
  d_.variables.open_scope();
  if (s.is(i, "for")) {
    loop(open, close);
  } else if (s.is(i, "switch")) {
    expressions_.read({open + 1, close});
  } else if (!constant) {
    condition({open + 1, close}, s.is(i, "if"));
  }
  loops_ += loops;
  head_ = s.is(close + 1, "{") ? i : kNone;
  size_t next = statement(close + 1, limit);
  loops_ -= loops;
  turns_.resize(outer);
  if (s.is(i, "if") && s.is(next, "else")) {
    next = statement(next + 1, limit);
  } else if (s.is(i, "if") && !constant) {
    repeat(i, {open + 1, close}, next);
  }
  d_.variables.close_scope();
  return next;
}

// `if (col >= w) col -= w;` may have to be done until it holds no more.
void Statements::repeat(size_t i, Part condition, size_t end) {
  const Stream& s = tokens();
  bool may_end = false;  // what the condition asks about may change
  for (size_t k = condition.end + 1; k < end; ++k) {
    for (const std::string_view leaves : {"return", "break", "continue", "goto", "__syncthreads"}) {
      if (s.is(k, leaves)) return;
    }
    for (size_t c = condition.begin; c < condition.end && s.is_identifier(k); ++c) {
      may_end = may_end || s.is(c, s[k].text);
    }
  }
  if (may_end && end - i <= kLongestMoved) {
    d_.list.replace_in_statement({i, end}, {i, i + 1}, "while", {Cause::repetition, kPlain});
  }
}

void Statements::loop(size_t open, size_t close) {
  const Stream& s = tokens();
  const size_t first = d_.code.semicolon(open + 1, close);
  if (first >= close) {
    // `for (const int64_t i : range(n))`
    size_t colon = open + 1;
    while (colon < close && !s.is(colon, ":")) colon = d_.code.past(colon);
    if (colon >= close) return;
    declaration({open + 1, colon}, false);
    expressions_.read({colon + 1, close});
    change_sums(d_, {colon + 1, close});
    expressions_.exchange_arguments({colon + 1, close});
    return;
  }
  const size_t second = d_.code.semicolon(first + 1, close);
  if (is_declaration({open + 1, first})) {
    declaration({open + 1, first}, true);
    for (size_t k = open + 1; k < first; ++k) {
      if (s.is(k + 1, "=")) d_.counters.insert(s[k].text);
    }
  } else {
    expressions_.read({open + 1, first});
  }
  // Another variable in its place makes the loop endless.
  if (s.is_identifier(first + 1)) d_.counter = s[first + 1].text;
  if (s.is_identifier(first + 1) && s.is(first + 2, "<") && first + 3 < second) {
    const size_t step = second + 1;
    const bool has_step = s.is(step, s[first + 1].text) && s.is(step + 1, "+=");
    end_within_outer_loop({first + 1, second});
    turns_.push_back(
        {s[first + 1].text, d_.code.text({first + 3, second}),
         has_step ? d_.code.text({step + 2, d_.code.comma(step + 2, close)}) : std::string()});
  }
  condition({first + 1, second}, false);
  d_.counter = {};
  d_.is_step = true;
  for (size_t k = second + 1; k < close; k = d_.code.past(k)) {
    if (kAssignments.contains(s[k].text)) step({k + 1, d_.code.comma(k + 1, close)});
  }
  d_.is_step = false;
  // `, y += n` beside `x += n`
  for (size_t k = second + 1; k < close;) {
    const size_t end = d_.code.comma(k, close);
    const auto kind = s.is(k + 1, "+=") ? d_.variables.kind_of(s[k].text) : std::nullopt;
    if (kind && kind->indices == 1) {
      for (const bool reads_only : {false, true}) {
        Kind other = *kind;
        other.reads_only = reads_only;
        for (const std::string_view v : d_.variables.others_like(s[k].text, other)) {
          const std::string more = std::string(v) + " += " + d_.code.text({k + 2, end});
          d_.list.replace_value({k, end}, d_.code.text({k, end}) + ", " + more,
                                {Cause::missing_term, kPlain});
        }
      }
    }
    k = end + 1;
  }
}

// Of a loop. A thread may go on by its own block instead of all of them.
void Statements::step(Part part) {
  expressions_.read(part);
  const std::string own = d_.code.text(part);
  for (const std::string_view v : d_.variables.others_like("", number_of(false))) {
    d_.list.replace(part, own + " * " + std::string(v), {Cause::missing_factor, kPlain});
  }
  for (const std::string& v : d_.variables.members_like(number_of(false))) {
    d_.list.replace(part, own + " * " + v, {Cause::missing_factor, kRare});
  }
}

void Statements::condition(Part part, bool whole) {
  expressions_.read(part);
  if (part.empty()) return;
  change_sums(d_, part);
  if (!whole) {
    change_condition(d_, part, {});
    return;
  }
  if (is_declaration(part)) return;  // `if (const cudaError_t error = ...)`
  change_condition(d_, part, comparisons_);
  change_choices(d_, part);
  d_.list.replace(part, "true", {Cause::surplus_condition, kPlain});
  d_.list.replace(part, "false", {Cause::surplus_condition, kPlain});
  d_.list.replace(part, "!(" + d_.code.text(part) + ")", {Cause::opposite, kPlain});
}

void Statements::plain_statement(Part part) {
  const Part whole = {part.begin, part.end + 1};
  d_.list.replace_in_statement(whole, whole, ";", {Cause::surplus_statement, kLikely});
  put_launch_on_stream(d_, part);
  keep_from_last_turn(whole);
  end_at_last_part_in_call(part);
  size_t assign = part.begin;
  while (assign < part.end && !kAssignments.contains(tokens()[assign].text)) {
    assign = d_.code.past(assign);
  }
  if (assign < part.end) {
    assignment(part, assign);
    return;
  }
  expressions_.read(part);
  change_sums(d_, part);
  change_choices(d_, part);
  expressions_.exchange_arguments(part);
}

void Statements::assignment(Part part, size_t assign) {
  const Stream& s = tokens();
  const Part left = {part.begin, assign};
  target(left);
  if (d_.on_device) {
    guard_index(part, assign);
    add_atomically(part, assign);
  }
  const auto kind = d_.kind_of_target(left);
  // `a = 1, b = 2;`: each has a type of its own.
  const size_t stop = d_.code.comma(assign + 1, part.end);
  right_side({assign + 1, stop}, kind, s[part.begin].text);
  if (stop < part.end) {
    size_t next = stop + 1;
    while (next < part.end && !kAssignments.contains(s[next].text)) next = d_.code.past(next);
    if (next < part.end) assignment({stop + 1, part.end}, next);
    return;
  }
  if (!is_number(kind) || s.is(assign, "*=") || s.is(assign, "/=")) return;
  const Part whole = {part.begin, part.end + 1};
  for (const char* other : {"=", "+=", "-="}) {
    if (s.is(assign, other)) continue;
    d_.list.replace_in_statement(whole, {assign, assign + 1}, other, {Cause::assignment, kLikely});
  }
}

// A part of an index may have to be smaller than something: `if (j < ow) y[i * ow + j] = ...;`
void Statements::guard_index(Part part, size_t assign) {
  const Stream& s = tokens();
  std::set<std::string> parts;
  for (size_t open = part.begin; open < assign; open = d_.code.past(open)) {
    if (!s.is(open, "[") || s.match(open) == kNone) continue;
    for (size_t k = open + 1; k < s.match(open); k = d_.code.past(k)) {
      const auto kind = s.is_identifier(k) ? d_.variables.kind_of(s[k].text) : std::nullopt;
      const bool alone = kind && *kind == number_of(false) && !s.is(k + 1, ".");
      if (alone) parts.insert(d_.code.text({k, k + 1}));
      const bool calls = s.is_identifier(k - 1) || s.is(k - 1, ">");
      if (s.is(k, "(") && !calls && s.match(k) != kNone) {
        parts.insert(d_.code.text({k, d_.code.past(k)}));
      }
    }
  }
  const Part whole = {part.begin, part.end + 1};
  for (const std::string& index : parts) {
    for (const std::string_view limit : d_.variables.others_like(index, number_of(false))) {
      const std::string condition = "if (" + index + " < " + std::string(limit) + ") ";
      d_.list.replace_in_statement(whole, {part.begin, part.begin + 1},
                                   condition + d_.code.text({part.begin, part.begin + 1}),
                                   {Cause::guard, kSeldom});
    }
  }
}

// `atomicAdd(&y[i], x);` for `y[i] += x;`
void Statements::add_atomically(Part part, size_t assign) {
  if (!tokens().is(assign, "+=") || !tokens().is(assign - 1, "]")) return;
  const std::string to = d_.code.text({part.begin, assign});
  const std::string value = d_.code.text({assign + 1, part.end});
  const Part whole = {part.begin, part.end + 1};
  d_.list.replace_in_statement(whole, whole, "atomicAdd(&" + to + ", " + value + ");",
                               {Cause::atomic, kLikely});
}

// What is assigned to stays, its indices may change.
void Statements::target(Part part) {
  for (size_t k = part.begin; k < part.end; k = d_.code.past(k)) {
    if (d_.code.past(k) == k + 1) continue;
    expressions_.read({k + 1, d_.code.past(k) - 1});
    change_sums(d_, {k + 1, d_.code.past(k) - 1});
  }
}

// Of an assignment or a return. `taker`: the kind of what takes it, where that is known.
void Statements::right_side(Part part, const std::optional<Kind>& taker, std::string_view name) {
  const Stream& s = tokens();
  expressions_.read(part);
  if (part.empty()) return;
  if (s.is(part.begin, "{") && s.match(part.begin) == part.end - 1) {
    change_sums(d_, part);
    expressions_.exchange_neighbours(part.begin);
    expressions_.exchange_arguments(part);
    return;
  }
  change_sums(d_, part);
  expressions_.exchange_arguments(part);
  size_t choice = part.begin;
  while (choice < part.end && !s.is(choice, "?")) choice = d_.code.past(choice);
  const Part before = {part.begin, choice};
  const bool compares = !comparisons_in(d_, before).empty();
  if (compares) change_condition(d_, before, comparisons_);
  change_choices(d_, part);
  if (taker == number_of(true)) {
    floating_value(part);
  } else if (!compares) {
    integer_value(part, says_bytes(name));
  }
}

void Statements::integer_value(Part part, bool is_size) {
  const std::string whole = d_.code.text(part);
  end_at_last_part(part);
  if (d_.is_integer(part) || is_size) {
    d_.list.replace(part, "sizeof(float) * (" + whole + ")",
                    {Cause::bytes, is_size ? kLikely : kRare});
  }
  if (!d_.is_integer(part) || part.size() < 3) return;
  d_.list.replace(part, std::string(d_.on_device ? "" : "std::") + "max(" + whole + ", 0)",
                  {Cause::call, kRare});
}

// A sum of products may lack a sign, a factor or a term.
void Statements::floating_value(Part part) {
  const std::string whole = d_.code.text(part);
  divide_exactly(part);
  d_.list.replace_value(part, "-(" + whole + ")", {Cause::sign, kPlain});
  for (const std::string_view v : d_.variables.others_like("", number_of(true))) {
    for (const char* op : {"*", "/", "+", "-"}) {
      d_.list.replace_value(
          part, "(" + whole + ") " + op + " " + std::string(v),
          {*op == '*' || *op == '/' ? Cause::missing_factor : Cause::missing_term, kRare});
    }
  }
  for (const std::string_view v : d_.variables.others_like("", number_of(false))) {
    d_.list.replace_value(part, "(" + whole + ") / " + std::string(v),
                          {Cause::missing_factor, kRare});
  }
}

// `1.0f * a / b`, where integers would drop the remainder. It has another type.
void Statements::divide_exactly(Part part) {
  const Stream& s = tokens();
  for (size_t k = part.begin + 1; k + 1 < part.end; ++k) {
    if (!s.is(k, "/")) continue;
    size_t left = k - 1;
    if (s.is(left, ")") && s.match(left) != kNone) left = s.match(left);
    while (left > part.begin + 1 && s.is(left - 1, ".")) left -= 2;
    const std::string& all = d_.code.source().text();
    const size_t begin = s[left].begin, first = s[part.begin].begin;
    d_.list.replace_value(part,
                          all.substr(first, begin - first) + "1.0f * " +
                              all.substr(begin, s[part.end - 1].end - begin),
                          {Cause::rounding, kPlain});
  }
}

bool Statements::is_declaration(Part part) const {
  const Stream& s = tokens();
  const size_t i = part.begin, end = part.end;
  if (part.empty() || !s.is_identifier(i) || kNoDeclarations.contains(s[i].text)) return false;
  const std::string_view first = s[i].text;
  if (kIntegers.contains(first) || kFloats.contains(first) || kSpecifiers.contains(first) ||
      first == "auto") {
    return !s.is(i + 1, "(");
  }
  size_t k = i + 1;
  while (s.is(k, "::") && s.is_identifier(k + 1)) k += 2;
  if (s.is(k, "<")) k = d_.code.past_angles(k, end);
  while (s.is(k, "*") || s.is(k, "&") || s.is(k, "const")) ++k;
  if (k >= end || !s.is_identifier(k)) return false;
  // `a * b;` is no statement that anybody writes.
  return s.is(k + 1, "=") || s.is(k + 1, "(") || s.is(k + 1, "{") || s.is(k + 1, "[") ||
         s.is(k + 1, ",") || k + 1 == end;
}

void Statements::declaration(Part part, bool with_mutants) {
  const Stream& s = tokens();
  const size_t end = part.end;
  Kind kind;
  bool constant = false, is_const = false, refers = false;
  size_t k = part.begin;
  for (; k < end; ++k) {
    const std::string_view word = s[k].text;
    if (word == "<") {
      k = d_.code.past_angles(k, end) - 1;
    } else if (kIntegers.contains(word)) {
      kind.base = Kind::Base::integer;
    } else if (kFloats.contains(word)) {
      kind.base = Kind::Base::floating;
    } else if (word == "*") {
      ++kind.indices;
      kind.reads_only = is_const;
    } else if (word == "&") {
      refers = true;
    } else if (kNotEvaluated.contains(word)) {
      k = d_.code.past(k + 1) - 1;
    } else if (kSpecifiers.contains(word)) {
      constant = constant || word == "constexpr";
      is_const = is_const || (word == "const" && kind.indices == 0);
    } else if (s.is_identifier(k) && begins_declarator(k, end)) {
      break;
    } else if (s.is_identifier(k) && word != "auto") {
      kind.type = word;
    } else if (word == "[") {
      return;  // names of a structure's parts
    }
  }
  while (k < end && s.is_identifier(k)) {
    const std::string_view name = s[k].text;
    Kind own = kind;
    size_t next = k + 1;
    for (; s.is(next, "[") && s.match(next) != kNone; next = s.match(next) + 1) ++own.indices;
    const size_t stop = d_.code.comma(next, end);
    if (own.base == Kind::Base::other && own.type.empty()) own = guessed({next, stop});
    if (with_mutants && !constant && next < stop) {
      if (s.is(next, "=") && !is_const && own.is_number()) {
        begun_.push_back({name, d_.code.text({next + 1, stop})});
      }
      if (s.is(next, "=") && refers) {
        target({next + 1, stop});  // which must be one: its indices may change
      } else if (s.is(next, "=")) {
        right_side({next + 1, stop}, own, name);
      }
      if (s.is(next, "(") || s.is(next, "{")) {
        expressions_.read({next + 1, stop - 1});
        change_sums(d_, {next + 1, stop - 1});
        expressions_.exchange_neighbours(next);
      }
    }
    d_.variables.declare(name, own);
    k = stop + 1;
    while (s.is(k, "*") || s.is(k, "&")) ++k;
  }
}

bool Statements::begins_declarator(size_t k, size_t end) const {
  if (k + 1 == end) return true;
  for (const char* next : {"=", ",", "[", "(", "{", ";"}) {
    if (tokens().is(k + 1, next)) return true;
  }
  return false;
}

// Of `auto`: by what initialises it.
Kind Statements::guessed(Part part) const {
  const Stream& s = tokens();
  Kind kind = number_of(false);
  for (size_t i = part.begin; i < part.end; ++i) {
    const Token& token = s[i];
    const bool literal = token.kind == Token::Kind::number &&
                         token.text.find_first_of(".f") != std::string_view::npos;
    if (literal || kFloats.contains(token.text)) kind.base = Kind::Base::floating;
    if (!token.is_identifier() || d_.code.is_dot(i - 1)) continue;
    if (kIntegers.contains(token.text) || kFloats.contains(token.text)) continue;
    if (kCasts.contains(token.text) || kPlaces.contains(token.text)) continue;
    const auto named = d_.kind_at(i);
    if (!named || !named->is_number()) return {};
    if (named->base == Kind::Base::floating) kind.base = Kind::Base::floating;
  }
  return kind;
}

}  // namespace convkit::repair
