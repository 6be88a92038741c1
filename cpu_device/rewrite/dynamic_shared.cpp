// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/dynamic_shared.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cpu_device/rewrite/declaration.h"
#include "cpu_device/rewrite/expression.h"

namespace convkit::rewrite {
namespace {

constexpr const char* kSymbol = " __asm__(\"convkit_simt_dynamic_shared\")";
constexpr const char* kObject = " = ::convkit::simt::dynamic_shared";

class Finder {
 public:
  Finder(const Stream& stream, const Scopes* scopes, Edits& edits, Report& report)
      : s_(stream), scopes_(scopes), edits_(edits), report_(report) {}

  size_t run() {
    size_t rewritten = 0;
    for (size_t i = 0; i < s_.size(); ++i) {
      if (!s_.is(i, "__shared__")) continue;
      const size_t begin = declaration_begin(s_, i);
      const size_t external = find_extern(begin, i);
      if (external == kNone) {
        drop_static(begin, i);
        move_attributes(i);
        continue;
      }
      i = declaration(external, i);
      ++rewritten;
    }
    return rewritten;
  }

 private:
  // `static __shared__` is allowed and says nothing more; the header's `__shared__` is static
  // already.
  void drop_static(size_t begin, size_t shared) {
    for (size_t i = begin; i <= shared + 1; ++i) {
      if (s_.is(i, "static")) edits_.replace(s_[i], "      ");
    }
  }

  // nvcc allows `__shared__ alignas(16) T x`, because its `__shared__` is an attribute, too. The
  // header's is `static __thread`, and standard attributes come before those.
  void move_attributes(size_t shared) {
    size_t front = shared;  // attributes of g++ may stand before
    while (front > 0 && s_.is(front - 1, ")")) {
      const size_t open = s_.match(front - 1);
      if (open == kNone || open == 0 || !is_of_gnu(open - 1)) break;
      front = open - 1;
    }
    std::string moved;
    for (size_t i = shared + 1; i < s_.size(); ++i) {
      const bool brackets = s_.is(i, "[") && s_.is(i + 1, "[");
      if (!brackets && !s_.is(i, "alignas") && !is_of_gnu(i)) break;
      const size_t end = s_.match(brackets ? i : i + 1);
      if (end == kNone) break;
      if (brackets || s_.is(i, "alignas")) {
        for (size_t k = i; k <= end; ++k) {
          moved += std::string(s_[k].text) + " ";
          edits_.replace(s_[k], std::string(s_[k].text.size(), ' '));
        }
      }
      i = end;
    }
    if (!moved.empty()) edits_.insert(s_[front].begin, moved);
  }

  bool is_of_gnu(size_t i) const { return s_.is(i, "__align__") || s_.is(i, "__attribute__"); }

  bool is_string(size_t i) const { return i < s_.size() && s_[i].kind == Token::Kind::string; }

  // `extern` among the specifiers, which may go on after `__shared__`.
  size_t find_extern(size_t begin, size_t shared) const {
    for (size_t i = begin; i < s_.size() && i < shared + kLongestDeclaration; ++i) {
      if (s_.is(i, "extern") && !is_string(i + 1)) return i;
      if (i <= shared) continue;
      const bool specifier = s_[i].is_identifier() || s_.is(i, "::") || s_.is(i, "<") ||
                             s_.is(i, ",") || closing_angles(s_[i]) > 0 || s_.is(i, "*") ||
                             s_[i].kind == Token::Kind::number;
      if (s_.is(i, "(") && opens_arguments_of_specifier(s_, i) && s_.match(i) != kNone) {
        i = s_.match(i);
      } else if (!specifier) {
        return kNone;
      }
    }
    return kNone;
  }

  // Returns its last token.
  size_t declaration(size_t external, size_t shared) {
    size_t unsized = 0, others = 0, end = std::max(external, shared) + 1;
    const std::vector<size_t> ends = declarators(end, unsized, others);
    rewrite(external, shared, ends, unsized, others);
    return end - 1;
  }

  void rewrite(size_t external, size_t shared, const std::vector<size_t>& ends, size_t unsized,
               size_t others) {
    if (unsized == 0 && others == 0) {
      report_.error(s_[shared],
                    "write `extern __shared__ type name[];` in one piece, "
                    "so that the array can be given its storage");
      return;
    }
    if (unsized > 0 && others > 0) {
      report_.error(s_[shared],
                    "declare arrays of unknown size and other "
                    "shared variables in separate declarations");
      return;
    }
    if (unsized == 0) {
      edits_.replace(s_[external], "      ");
      return;
    }
    if (in_function(external) && all_named(ends)) {
      edits_.replace(s_[external], "      ");
      edits_.replace(s_[shared], "          ");
      for (const size_t end : ends) {
        const Token& name = s_[name_of(end)];
        edits_.insert(name.begin, "(&");
        edits_.insert(name.end, ")");
        edits_.insert(s_[attributes_end(end)].end, kObject);
      }
      return;
    }
    // g++ wants `extern` before `__thread`.
    if (external < shared) {
      edits_.replace(s_[shared], "__thread  ");
    } else {
      edits_.replace(s_[shared], "extern __thread");
      edits_.replace(s_[external], "");
    }
    for (const size_t end : ends) edits_.insert(s_[end].end, kSymbol);
  }

  // g++ forgets the symbol of a declaration in a function template, so in functions the array is a
  // reference.
  bool in_function(size_t i) const {
    return scopes_ && (scopes_->in_block[i] || scopes_->function[i] != kNone);
  }

  // The name before the brackets of which the last is `end`; kNone where it is in parentheses.
  size_t name_of(size_t end) const {
    while (s_.is(end, "]") && s_.match(end) != kNone && s_.match(end) > 0) end = s_.match(end) - 1;
    return s_.is_identifier(end) ? end : kNone;
  }

  // The last token of the attributes after `end`.
  size_t attributes_end(size_t end) const {
    while (s_.is(end + 1, "__attribute__") && s_.match(end + 2) != kNone) end = s_.match(end + 2);
    return end;
  }

  bool all_named(const std::vector<size_t>& ends) const {
    return std::all_of(ends.begin(), ends.end(), [&](size_t end) { return name_of(end) != kNone; });
  }

  // Goes from `i` through the declarators up to `;`. Returns the last token of each `name[]`, after
  // which the symbol is named; counts those and the others.
  std::vector<size_t> declarators(size_t& i, size_t& unsized, size_t& others) const {
    const size_t first = i;
    std::vector<size_t> ends;
    size_t angles = 0;
    bool array = false, empty_brackets = false, named = false;
    const auto finish = [&] {
      if (empty_brackets) {
        ++unsized;
      } else if (named) {
        ends.resize(unsized);
        ++others;
      }
      array = empty_brackets = false;
    };
    for (; i < s_.size() && !s_.is(i, ";") && !s_.is(i, "}"); ++i) {
      if (s_.is(i, "<")) ++angles;
      angles -= std::min(angles, closing_angles(s_[i]));
      if (angles > 0) continue;
      const size_t end = s_.match(i);
      if (s_.is(i, ",")) {
        finish();
      } else if (s_.is(i, "[") && s_.is(i + 1, "[")) {
        if (end != kNone) i = end;  // an attribute
      } else if (s_.is(i, "[") && end != kNone) {
        if (!array && end == i + 1) {
          empty_brackets = true;
          ends.resize(unsized);
          ends.push_back(end);
        } else if (empty_brackets) {
          ends.back() = end;
        }
        array = true;
        i = end;
      } else if (s_.is(i, ")") && empty_brackets) {
        ends.back() = i;  // float (x[])
      } else if (s_.is(i, "(") && opens_arguments_of_specifier(s_, i)) {
        if (end != kNone) i = end;
      } else if (s_.is(i, "{") && end != kNone) {
        i = end;  // the members of a struct
      } else if (i > first && s_[i].is_identifier() && !is_keyword(s_[i].text) &&
                 !opens_arguments_of_specifier(s_, i + 1)) {
        named = true;  // what comes first is the type
      }
    }
    finish();
    return ends;
  }

  const Stream& s_;
  const Scopes* scopes_;
  Edits& edits_;
  Report& report_;
};

}  // namespace

size_t rewrite_dynamic_shared(const Stream& stream, const Scopes* scopes, Edits& edits,
                              Report& report) {
  return Finder(stream, scopes, edits, report).run();
}

}  // namespace convkit::rewrite
