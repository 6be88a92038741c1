// SPDX-License-Identifier: MIT
// The text of a program by its tokens: from which to which one a part of it goes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cpu_device/rewrite/source.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::repair {

// From the token `begin` to the one before `end`.
struct Part {
  size_t begin = 0, end = 0;

  bool empty() const { return begin >= end; }
  size_t size() const { return empty() ? 0 : end - begin; }
};

class Code {
 public:
  explicit Code(const rewrite::Source& source) : source_(source), s_(source) {}

  const rewrite::Source& source() const { return source_; }
  const rewrite::Stream& tokens() const { return s_; }

  // As it stands there.
  std::string text(Part part) const;
  // From the end of the token before `i` to the token at `end`.
  std::string between(size_t i, size_t end) const;
  // Without comments and in one line.
  std::string joined(Part part) const;

  // The next token on this level of brackets.
  size_t past(size_t k) const;
  // Where the first `;`, or `,`, on this level is: `limit` where there is none.
  size_t semicolon(size_t i, size_t limit) const;
  size_t comma(size_t i, size_t limit) const;
  // Behind the `>` of the `<` at `k`.
  size_t past_angles(size_t k, size_t end) const;
  // Each argument behind the bracket at `open`.
  std::vector<Part> arguments(size_t open) const;
  bool is_dot(size_t k) const { return s_.is(k, ".") || s_.is(k, "->"); }
  // `static_cast` of `static_cast<int>(`, whose bracket is at `open`; else "".
  std::string_view cast_before(size_t open) const;
  // `&x` and not `a & x`.
  bool is_address(size_t k, size_t begin) const;
  // Whether a value ends at `k`, so that an operator behind it has two sides.
  bool ends_value(size_t k) const;

 private:
  const rewrite::Source& source_;
  rewrite::Stream s_;
};

using Line = std::pair<std::string, size_t>;  // of a file

// The lines that may decide where a line of one of these files accesses memory: where its names get
// their values, what leads there, and the calls of its function; each with the number of steps from
// it, of which `most` are taken. What a name stands for is not looked up: the lines are a guess.
std::map<Line, unsigned> lines_behind(const std::map<std::string, rewrite::Source>& files,
                                      const Line& line, unsigned most);

}  // namespace convkit::repair
