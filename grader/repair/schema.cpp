// SPDX-License-Identifier: MIT
#include "repair/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace convkit::repair {

// `a < b` becomes `a < convkit_op{7,8} < b`, whatever a and b are: both operators bind alike.
// Without `##`, which hides from the cache of objects what a file includes (object_key.cpp): files
// without mutants are not compiled again.
const char* const kSchemaHeaderText = R"(#ifndef CONVKIT_MUTANTS_H
#define CONVKIT_MUTANTS_H
#pragma GCC optimize("O1")
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wunused"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Wdiv-by-zero"
#include <math.h>
// Of one value while a function of the program runs: a compiler may read it once.
__attribute__((const)) int convkit_mutant();
void convkit_enter(int n);
struct convkit_op { int first, second; };
template <class T> struct convkit_value { using type = T; };
template <class T> struct convkit_value<T&> : convkit_value<T> {};
template <class T> struct convkit_value<T&&> : convkit_value<T> {};
template <class T> struct convkit_value<const T> : convkit_value<T> {};
template <class T> struct convkit_value<T[]> { using type = T*; };
template <class T, decltype(sizeof 0) n> struct convkit_value<T[n]> { using type = T*; };
template <class T, decltype(sizeof 0) n> struct convkit_value<const T[n]> {
  using type = const T*;
};
template <class T> using convkit_as = typename convkit_value<T>::type;
template <class T> inline T convkit_own(T value) { return value; }
template <class T, class U>
inline auto convkit_to(U&& value, int) ->decltype(static_cast<T>(static_cast<U&&>(value))) {
  return static_cast<T>(static_cast<U&&>(value));
}
template <class T, class U> inline T convkit_to(U&&, long) { __builtin_trap(); }
#define CONVKIT_OP(name, name_of, op, one, other)                                       \
  template <class T> struct name { T left; convkit_op number; };                        \
  template <class T> inline name<T> operator op(T left, convkit_op o) {                 \
    return {left, o};                                                                    \
  }                                                                                      \
  template <class T, class U>                                                            \
  inline auto name_of(T left, convkit_op number, U right, int)                          \
      ->decltype(left one right, left other right, left op right) {                      \
    const int n = convkit_mutant();                                                      \
    if (n == number.first) return left one right;                                        \
    if (n == number.second) return left other right;                                     \
    return left op right;                                                                \
  }                                                                                      \
  template <class T, class U>                                                            \
  inline auto name_of(T left, convkit_op, U right, long)                                \
      ->decltype(left op right) {                                                        \
    return left op right;                                                                \
  }                                                                                      \
  template <class T, class U> inline auto operator op(name<T> l, U right)               \
      ->decltype(name_of(l.left, l.number, right, 0)) {                                 \
    return name_of(l.left, l.number, right, 0);                                         \
  }
CONVKIT_OP(convkit_lt, convkit_lt_of, <, <=, >)
CONVKIT_OP(convkit_le, convkit_le_of, <=, <, >=)
CONVKIT_OP(convkit_gt, convkit_gt_of, >, >=, <)
CONVKIT_OP(convkit_ge, convkit_ge_of, >=, >, <=)
CONVKIT_OP(convkit_eq, convkit_eq_of, ==, !=, !=)
CONVKIT_OP(convkit_ne, convkit_ne_of, !=, ==, ==)
CONVKIT_OP(convkit_add, convkit_add_of, +, -, -)
CONVKIT_OP(convkit_sub, convkit_sub_of, -, +, +)
CONVKIT_OP(convkit_mul, convkit_mul_of, *, /, /)
CONVKIT_OP(convkit_div, convkit_div_of, /, *, *)
CONVKIT_OP(convkit_mod, convkit_mod_of, %, /, /)
#undef CONVKIT_OP
#endif
)";

// In check mode the macro no_sanitize stands for nothing.
const char* const kSchemaSourceText = R"(#undef no_sanitize
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
static const int none = 0;
static const int* chosen() {
  const char* name = getenv("CONVKIT_MUTANT");
  const int fd = name ? open(name, O_RDONLY) : -1;
  void* memory = fd < 0 ? MAP_FAILED : mmap(nullptr, sizeof(int), PROT_READ, MAP_SHARED, fd, 0);
  return memory == MAP_FAILED ? &none : static_cast<const int*>(memory);
}
static const int* const number = chosen();
// Check mode does not look at it: kernels read it, and it is no device memory.
__attribute__((no_sanitize("thread"))) int convkit_mutant() { return *number; }
__attribute__((no_sanitize("thread"))) void convkit_enter(int n) { if (*number == n) _exit(86); }
)";

std::string schema_of(std::string_view text, std::span<const Mutant> mutants, int first,
                      rewrite::ColumnMap& columns) {
  // All versions of one site stand together; a site inside another one stands inside it.
  using Form = Mutant::Form;
  struct Version {
    int number;
    const Mutant::Site* site;
  };
  struct Place {
    size_t begin, end;
    Form form;
    std::vector<Version> versions;
  };
  std::map<std::tuple<size_t, size_t, Form>, Place> by_place;
  std::map<size_t, int> bodies;
  for (size_t i = 0; i < mutants.size(); ++i) {
    const Mutant& m = mutants[i];
    const int number = first + static_cast<int>(i);
    bodies.try_emplace(m.body, number);
    for (const Mutant::Site& site : m.sites) {
      Place& place = by_place
                         .try_emplace({site.begin, site.end, site.form},
                                      Place{site.begin, site.end, site.form, {}})
                         .first->second;
      place.versions.push_back({number, &site});
    }
  }
  std::vector<const Place*> sites;
  for (const auto& [place, site] : by_place) sites.push_back(&site);
  // The outer ones first: what is put in before a statement, statements, expressions.
  std::ranges::stable_sort(sites, [](const Place* a, const Place* b) {
    if (a->begin != b->begin) return a->begin < b->begin;
    if ((a->form == Form::before) != (b->form == Form::before)) return a->form == Form::before;
    if (a->end != b->end) return a->end > b->end;
    return a->form == Form::statement && b->form != Form::statement;
  });
  std::map<size_t, std::pair<std::string, std::string>> at;  // closes, opens
  for (const Place* site : sites) {
    std::string open, close;
    for (const auto& [number, version] : site->versions) {
      switch (site->form) {
        case Form::expression:
          open += version->type.empty()
                      ? fmt::format("convkit_mutant()=={}?({}):", number, version->text)
                      : fmt::format(
                            "convkit_mutant()=={}?convkit_to<convkit_as<decltype({})>>(({}),0):",
                            number, version->type, version->text);
          break;
        case Form::statement:
          open += fmt::format("if(convkit_mutant()=={}){{{}}}else ", number, version->text);
          break;
        case Form::before:
          open += fmt::format("if(convkit_mutant()=={}){{{}}}", number, version->text);
          break;
        case Form::infix:
          break;
      }
    }
    if (site->form == Form::expression) {
      // Both sides of `?:` get one type, where it has a name.
      const std::string& type = site->versions[0].site->type;
      const std::string own = fmt::format("convkit_own<convkit_as<decltype({})>>(", type);
      open = "(" + open + (type.empty() ? "(" : own);
      close = "))";
      // g++ puts the index of `(c ? a : b)[i]` into both branches, and computes what is temporary
      // in it in one of them only.
      const size_t next = text.find_first_not_of(" \t\n", site->end);
      if (next != text.npos && text[next] == '[') open = "convkit_own" + open;
    } else if (site->form == Form::statement) {
      open = "{" + open + "{";
      close = "}}";
    } else if (site->form == Form::infix) {
      const std::string_view op = text.substr(site->begin, site->end - site->begin);
      int one = -1, other = -1;  // `<=` and `>` for `<`
      for (const auto& [number, version] : site->versions) {
        const bool turns = (op[0] == '<' || op[0] == '>') && version->text[0] != op[0];
        (turns ? other : one) = number;
      }
      at[site->end].second =
          fmt::format(" convkit_op{{{},{}}} {}", one, other, op) + at[site->end].second;
      continue;
    }
    at[site->begin].second += open;
    at[site->end].first = close + at[site->end].first;
  }
  for (const auto& [body, number] : bodies) {
    at[body].first += fmt::format("convkit_enter({});", -number);
  }
  rewrite::Edits edits;
  for (const auto& [offset, texts] : at) edits.insert(offset, texts.first + texts.second);
  return fmt::format("#include \"{}\"\n", kSchemaHeader) + edits.apply(text, columns);
}

}  // namespace convkit::repair
