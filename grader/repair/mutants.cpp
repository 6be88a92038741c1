// SPDX-License-Identifier: MIT
#include "repair/mutants.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "cpu_device/rewrite/scopes.h"
#include "repair/conditions.h"
#include "repair/statements.h"
#include "repair/together.h"
#include "repair/words.h"

namespace convkit::repair {
namespace {

using rewrite::kNone;
using rewrite::Source;
using rewrite::Stream;
using rewrite::Token;

struct Function {
  size_t name = 0, parameters = 0;  // tokens: `operator` of an operator; the bracket
  size_t open = 0;                  // the bracket of its body
  bool on_device = false;
};

class Finder {
 public:
  Finder(const Source& source, const rewrite::Names& names, std::span<const Source> headers)
      : draft_(source), s_(draft_.code.tokens()), scopes_(names.scopes(source)) {
    for (const Source& header : headers) draft_.variables.read_structs(Stream(header));
    draft_.variables.read_structs(s_);
    read_macros(source);
    find_functions();
    find_guards();
  }

  std::vector<Mutant> find() {
    const Guards none;
    for (const Function& f : functions_) {
      const size_t close = s_.match(f.open);
      std::set<std::string> comparisons = comparisons_in(draft_, {f.open + 1, close});
      comparisons.merge(remainders_in(draft_, {f.open + 1, close}));
      const auto guards = guards_.find(type_of(f));
      Statements statements(draft_, s_[f.name].text, comparisons,
                            guards == guards_.end() ? none : guards->second);
      read_constants_before(f.name, statements);
      draft_.on_device = f.on_device;
      draft_.returns =
          f.name > 0 && kFloats.contains(s_[f.name - 1].text) ? number_of(true) : Kind();
      draft_.counters.clear();
      draft_.list.begin_function(s_[f.open].end);
      draft_.variables.open_scope();
      declare_members_around(f.name);
      template_parameters(f.name);
      for (const Part parameter : draft_.code.arguments(f.parameters)) {
        statements.declaration(parameter, false);
      }
      const size_t first = draft_.list.found().size();
      statements.block(f.open, close);
      draft_.variables.close_scope();
      change_together(draft_.code.source(), draft_.list.found(), first);
      for (size_t i = first; i < draft_.list.found().size(); ++i) {
        Mutant& mutant = draft_.list.found()[i];
        mutant.on_device = f.on_device;
        mutant.decides = !f.on_device && is_condition(mutant, f.open);
      }
    }
    return std::move(draft_.list.found());
  }

 private:
  // ---- Functions

  void find_functions() {
    for (const rewrite::DeclaredFunction& f : scopes_.functions) {
      const size_t open = body_of(f.head.parameters);
      if (open == kNone || is_constant(f.head.name)) continue;
      functions_.push_back({f.head.name, f.head.parameters, open, f.head.global || f.head.device});
    }
    // Operators of classes have no name there.
    for (size_t k = 0; k + 2 < s_.size(); ++k) {
      if (!s_.is(k, "operator")) continue;
      size_t parameters = k + 1;
      if (s_.is(parameters, "(") && s_.is(parameters + 1, ")")) parameters += 2;
      while (parameters < k + 4 && !s_.is(parameters, "(")) ++parameters;
      if (!s_.is(parameters, "(") || s_.match(parameters) == kNone) continue;
      const size_t open = body_of(parameters);
      if (open == kNone || is_constant(k)) continue;
      functions_.push_back({k, parameters, open, has_specifier(k, "__device__")});
    }
    std::ranges::sort(functions_, {}, &Function::open);
  }

  size_t body_of(size_t parameters) const {
    if (parameters == kNone || s_.match(parameters) == kNone) return kNone;
    bool initialises = false;  // members: `A(int n) : b_(n), c_{n} {`
    for (size_t k = s_.match(parameters) + 1; k < s_.size() && !s_.is(k, ";");
         k = draft_.code.past(k)) {
      if (s_.is(k, ":")) initialises = true;
      if (!s_.is(k, "{") || (initialises && s_.is_identifier(k - 1))) continue;
      return s_.match(k) == kNone ? kNone : k;
    }
    return kNone;
  }

  bool has_specifier(size_t name, std::string_view word) const {
    for (size_t k = name; k-- > 0 && !s_.is(k, ";") && !s_.is(k, "{") && !s_.is(k, "}");) {
      if (s_.is(k, word)) return true;
    }
    return false;
  }

  // Its value may be the size of an array: a choice at run time would not compile.
  bool is_constant(size_t name) const {
    return has_specifier(name, "constexpr") || has_specifier(name, "consteval");
  }

  // The words before its name.
  std::string type_of(const Function& f) const {
    size_t k = f.name;
    while (k > 0 && (s_.is_identifier(k - 1) || s_.is(k - 1, "*") || s_.is(k - 1, "&"))) --k;
    while (k < f.name && (kSpecifiers.contains(s_[k].text) || s_.is(k, "__global__"))) ++k;
    return draft_.code.joined({k, f.name});
  }

  // `if (n == 0) return cudaSuccess;`, by the type of the function that they stand in.
  void find_guards() {
    for (const Function& f : functions_) {
      for (size_t k = f.open + 1; k < s_.match(f.open); k = draft_.code.past(k)) {
        if (!s_.is(k, "if") || !s_.is(k + 1, "(") || s_.match(k + 1) == kNone) continue;
        const size_t then = s_.match(k + 1) + 1;
        if (!s_.is(then, "return")) continue;
        const size_t end = draft_.code.semicolon(then, s_.match(f.open));
        if (end - k <= kLongestGuard) guards_[type_of(f)].insert(draft_.code.joined({k, end + 1}));
      }
    }
  }

  // Of an `if`, or in a statement with a `?:`, in the body that opens at `open`.
  bool is_condition(const Mutant& mutant, size_t open) const {
    const size_t at = mutant.edits[0].begin;
    size_t k = open;
    while (k + 1 < s_.size() && s_[k].end <= at) ++k;
    for (size_t around = s_.around(k); around != kNone && around > open;
         around = s_.around(around)) {
      if (s_.is(around, "{")) break;
      if (s_.is(around - 1, "if")) return true;
    }
    const auto ends = [&](size_t i) { return s_.is(i, ";") || s_.is(i, "{") || s_.is(i, "}"); };
    while (k > open && !ends(k - 1)) --k;
    while (k < s_.size() && !ends(k)) {
      if (s_.is(k++, "?")) return true;
    }
    return false;
  }

  // ---- What a function can name

  void read_macros(const Source& source) {
    draft_.variables.open_scope();
    for (const rewrite::Directive& d : source.directives()) {
      if (d.name != "define" || d.tokens.size() != 2) continue;
      if (d.tokens[1].kind != Token::Kind::number) continue;
      const bool floating = d.tokens[1].text.find_first_of(".ef") != std::string_view::npos;
      draft_.variables.declare(d.tokens[0].text, number_of(floating));
    }
  }

  // Those of the file that stand before the token at `end`, behind those that are known.
  void read_constants_before(size_t end, Statements& statements) {
    for (; next_constant_ < end; ++next_constant_) {
      const size_t i = next_constant_;
      if (!scopes_.in_namespace[i] || !(s_.is(i, "constexpr") || s_.is(i, "const"))) continue;
      size_t stop = i;
      while (stop < s_.size() && !s_.is(stop, ";") && !s_.is(stop, "{") && !s_.is(stop, "(")) {
        ++stop;
      }
      if (s_.is(stop, ";")) statements.declaration({i, stop}, false);
      next_constant_ = std::max(i, stop - 1);
    }
  }

  // Of the class whose function it is.
  void declare_members_around(size_t name) {
    const size_t open = s_.around(name);
    for (size_t k = open; k != kNone && k-- > 0 && !s_.is(k, ";") && !s_.is(k, "}");) {
      if (!s_.is(k, "struct") && !s_.is(k, "class")) continue;
      draft_.variables.declare_members(s_[k + 1].text);
      return;
    }
    if (s_.is(name - 1, "::")) draft_.variables.declare_members(s_[name - 2].text);
  }

  // Those that are numbers: `template <int kRows>`, before the function's name.
  void template_parameters(size_t name) {
    size_t k = name;
    while (k > 0 && !s_.is(k, "template") && !s_.is(k, ";") && !s_.is(k, "}")) --k;
    if (!s_.is(k, "template")) return;
    for (; k + 1 < name; ++k) {
      if (kIntegers.contains(s_[k].text) && s_.is_identifier(k + 1)) {
        draft_.variables.declare(s_[k + 1].text, number_of(false));
      }
    }
  }

  static constexpr size_t kLongestGuard = 20;  // in tokens

  Draft draft_;
  const Stream& s_;
  const rewrite::Scopes& scopes_;
  std::vector<Function> functions_;
  std::map<std::string, Guards> guards_;
  size_t next_constant_ = 0;
};

// Of several that make the same text the likeliest one.
void keep_different(std::vector<Mutant>& found) {
  std::map<std::vector<std::tuple<size_t, size_t, std::string>>, size_t> seen;
  std::vector<Mutant> kept;
  for (Mutant& mutant : found) {
    std::vector<std::tuple<size_t, size_t, std::string>> edits;
    for (const Mutant::Edit& e : mutant.edits) edits.emplace_back(e.begin, e.end, e.text);
    const auto [place, is_new] = seen.try_emplace(std::move(edits), kept.size());
    if (is_new) {
      kept.push_back(std::move(mutant));
    } else {
      kept[place->second].rank = std::min(kept[place->second].rank, mutant.rank);
    }
  }
  found = std::move(kept);
}

}  // namespace

std::vector<Mutant> find_mutants(const Source& source, const rewrite::Names& names,
                                 std::span<const Source> headers) {
  std::vector<Mutant> found = Finder(source, names, headers).find();
  keep_different(found);
  std::ranges::stable_sort(found, {}, [](const Mutant& m) { return m.edits[0].begin; });
  return found;
}

}  // namespace convkit::repair
