// SPDX-License-Identifier: MIT
#include "repair/code.h"

#include <algorithm>
#include <queue>
#include <set>

#include "repair/words.h"

namespace convkit::repair {

using rewrite::kNone;
using rewrite::Stream;
using rewrite::Token;

std::string Code::text(Part part) const {
  if (part.empty()) return "";
  return source_.text().substr(s_[part.begin].begin, s_[part.end - 1].end - s_[part.begin].begin);
}

std::string Code::between(size_t i, size_t end) const {
  const size_t begin = s_[i - 1].end;
  return source_.text().substr(begin, s_[end].begin - begin);
}

std::string Code::joined(Part part) const {
  std::string joined;
  for (size_t k = part.begin; k < part.end; ++k) {
    if (k > part.begin) joined += ' ';
    joined += s_[k].text;
  }
  return joined;
}

size_t Code::past(size_t k) const {
  const bool opens = s_.is(k, "(") || s_.is(k, "[") || s_.is(k, "{");
  return opens && s_.match(k) != kNone ? s_.match(k) + 1 : k + 1;
}

size_t Code::semicolon(size_t i, size_t limit) const {
  while (i < limit && !s_.is(i, ";") && !s_.is(i, "}")) i = past(i);
  return std::min(i, limit);
}

size_t Code::comma(size_t i, size_t limit) const {
  while (i < limit && !s_.is(i, ",")) i = past(i);
  return std::min(i, limit);
}

size_t Code::past_angles(size_t k, size_t end) const {
  int depth = 0;
  for (; k < end; ++k) {
    if (s_.is(k, "<")) ++depth;
    if (s_.is(k, ">")) --depth;
    if (s_.is(k, ">>")) depth -= 2;
    if (depth <= 0) return k + 1;
  }
  return end;
}

std::vector<Part> Code::arguments(size_t open) const {
  std::vector<Part> all;
  const size_t close = s_.match(open);
  for (size_t first = open + 1; close != kNone && first < close;) {
    const size_t stop = comma(first, close);
    all.push_back({first, stop});
    first = stop + 1;
  }
  return all;
}

std::string_view Code::cast_before(size_t open) const {
  size_t k = open - 1;
  if (!s_.is(k, ">")) return {};
  while (k > 0 && !s_.is(k, "<")) --k;
  return k > 0 ? s_[k - 1].text : std::string_view{};
}

bool Code::is_address(size_t k, size_t begin) const {
  return s_.is(k, "&") && (k == begin || !ends_value(k - 1));
}

bool Code::ends_value(size_t k) const {
  const Token& token = s_[k];
  if (token.is_identifier()) return !kNoNames.contains(token.text);
  return token.kind == Token::Kind::number || token.is(")") || token.is("]");
}

namespace {

class LinesBehind {
 public:
  LinesBehind(const std::map<std::string, rewrite::Source>& files, unsigned most) : most_(most) {
    for (const auto& [name, source] : files) code_.try_emplace(name, source);
  }

  std::map<Line, unsigned> from(const Line& line) {
    const auto file = code_.find(line.first);
    if (file == code_.end()) return {};
    for (size_t k = 0; k < file->second.tokens().size(); ++k) {
      if (line_of(*file, k) == line) put(*file, k, 0);
    }
    while (!open_.empty()) {
      const Open next = open_.front();
      open_.pop();
      follow(*next.file, next.statement, next.steps);
    }
    return std::move(found_);
  }

 private:
  using File = std::pair<const std::string, Code>;
  struct Open {
    const File* file;
    Part statement;
    unsigned steps;
  };

  static Line line_of(const File& file, size_t k) {
    const Code& code = file.second;
    return {file.first, code.source().place(code.tokens()[k].begin).line};
  }

  static bool is_body(const Stream& s, size_t open) {
    return s.is(open, "{") && (s.is(open - 1, ")") || s.is(open - 1, "const"));
  }

  // The one that the token is in, with the heads of loops and conditions before it; the head alone
  // where a block follows.
  static Part statement_at(const Code& code, size_t k) {
    const Stream& s = code.tokens();
    while (s.around(k) != kNone && !s.is(s.around(k), "{")) k = s.around(k);
    size_t begin = k, end = k;
    while (begin > 0 && !s.is(begin - 1, ";") && !s.is(begin - 1, "{") && !s.is(begin - 1, "}")) {
      --begin;
      if (s.is(begin, ")") && s.match(begin) != kNone) begin = s.match(begin);
    }
    while (end < s.size() && !s.is(end, ";") && !s.is(end, "}") && !is_body(s, end)) {
      end = code.past(end);
    }
    return {begin, end};
  }

  void put(const File& file, size_t k, unsigned steps) {
    const Part statement = statement_at(file.second, k);
    if (statement.empty() || !seen_.insert({file.first, statement.begin}).second) return;
    for (size_t t = statement.begin; t < statement.end; ++t) {
      found_.try_emplace(line_of(file, t), steps);
    }
    open_.push({&file, statement, steps});
  }

  void follow(const File& file, Part statement, unsigned steps) {
    if (steps == most_) return;
    const Stream& s = file.second.tokens();
    size_t body = kNone;  // of the function
    for (size_t open = s.around(statement.begin); open != kNone; open = s.around(open)) {
      if (!is_body(s, open)) continue;
      put(file, open - 1, steps + 1);
      const size_t arguments = s.match(open - 1);
      if (arguments != kNone && s.is(arguments - 1, "]")) put_calls_of_lambda(file, open, steps);
      body = open;
    }
    if (body == kNone) return;
    Words names;
    for (size_t k = statement.begin; k < statement.end; ++k) {
      if (s.is_identifier(k) && !file.second.is_dot(k - 1)) names.insert(s[k].text);
    }
    for (size_t k = body; k < s.match(body); ++k) {
      const bool leaves = s.is(k, "return") || s.is(k, "continue") || s.is(k, "break");
      const bool changes = kAssignments.contains(s[k + 1].text) || s.is(k + 1, "++") ||
                           s.is(k + 1, "--") || s.is(k - 1, "++") || s.is(k - 1, "--");
      if (leaves && k < statement.begin) put_condition(file, k, steps + 1);
      if (changes && names.contains(s[k].text)) put(file, k, steps + 1);
    }
    const std::string_view own = name_of(s, body);
    if (entered_.insert(own).second) put_calls(file, own, steps + 1);
    put_bodies(file, names, steps + 1);
  }

  // `if (...) return;` and `if (...) { ... return; }`
  void put_condition(const File& file, size_t leaves, unsigned steps) {
    const Stream& s = file.second.tokens();
    const Part own = statement_at(file.second, leaves);
    if (s.is(own.begin, "if")) put(file, own.begin, steps);
    const size_t open = s.around(leaves);
    if (open == kNone || !is_body(s, open)) return;
    const Part head = statement_at(file.second, open - 1);
    if (s.is(head.begin, "if")) put(file, head.begin, steps);
  }

  // `load(c + 1);`, of `const auto load = [&](int c) {`.
  void put_calls_of_lambda(const File& file, size_t open, unsigned steps) {
    const Stream& s = file.second.tokens();
    const Part head = statement_at(file.second, open - 1);
    for (size_t k = head.begin + 1; k < head.end; ++k) {
      if (s.is(k, "=")) return put_calls(file, s[k - 1].text, steps + 1);
    }
  }

  // Before the arguments of the function whose body begins there.
  static std::string_view name_of(const Stream& s, size_t body) {
    size_t close = body - 1;
    while (close > 0 && !s.is(close, ")")) --close;
    const size_t open = s.match(close);
    return open == kNone || open == 0 ? std::string_view{} : s[open - 1].text;
  }

  // Another file may have a kernel of the same name: what is in a header is called from others.
  static bool may_call(const File& caller, const File& called) {
    return &caller == &called || called.first.ends_with("h") || called.first.ends_with(".hpp");
  }

  void put_calls(const File& of, std::string_view function, unsigned steps) {
    for (const auto& file : code_) {
      if (!may_call(file, of)) continue;
      const Stream& s = file.second.tokens();
      for (size_t k = 0; k < s.size(); ++k) {
        if (s.is_identifier(k) && s[k].text == function) put(file, k, steps);
      }
    }
  }

  // What short functions do that are called: "is it inside?"
  void put_bodies(const File& caller, const Words& functions, unsigned steps) {
    constexpr size_t kLongest = 60;  // in tokens
    for (const auto& file : code_) {
      if (!may_call(caller, file)) continue;
      const Stream& s = file.second.tokens();
      for (size_t open = 1; open < s.size(); ++open) {
        if (!is_body(s, open) || s.match(open) == kNone || s.match(open) - open > kLongest)
          continue;
        const std::string_view name = name_of(s, open);
        if (!functions.contains(name) || !entered_.insert(name).second) continue;
        for (size_t k = open + 1; k < s.match(open); ++k) put(file, k, steps);
      }
    }
  }

  std::map<std::string, Code> code_;
  unsigned most_;
  std::set<std::pair<std::string_view, size_t>> seen_;  // statements, by where they begin
  std::set<std::string_view> entered_;  // functions, from where they are called or by a call
  std::queue<Open> open_;
  std::map<Line, unsigned> found_;
};

}  // namespace

std::map<Line, unsigned> lines_behind(const std::map<std::string, rewrite::Source>& files,
                                      const Line& line, unsigned most) {
  return LinesBehind(files, most).from(line);
}

}  // namespace convkit::repair
