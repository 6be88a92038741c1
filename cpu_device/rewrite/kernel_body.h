// SPDX-License-Identifier: MIT
// A kernel as statements around its barriers, and the variables that they declare.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "cpu_device/rewrite/quiet_code.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

struct Part {
  size_t begin = 0, end = 0;  // tokens; `end` is behind the last
  bool empty() const { return begin == end; }
  bool holds(size_t i) const { return begin <= i && i < end; }
};

// Statements that follow one another, some of them barriers, or with barriers in them.
struct List {
  Part extent;
  size_t around = kNone;  // the list that it is in
  bool braced = true;
};

struct Item {
  enum class Kind { barrier, statement, declaration, outside, control };
  Kind kind = Kind::statement;
  Part extent;  // of control: of its header only
  size_t list = 0;
  std::vector<size_t> variables;    // that it declares
  std::vector<Part> assigns, asks;  // in the header of a control statement
  std::set<std::string_view> names;
};

struct Variable {
  std::string_view name;
  size_t token = 0, list = 0, item = kNone;
  Part specifiers, declarator, value;
  bool parameter = false, array = false, pointer = false, reference = false, constant = false,
       automatic = false;
  bool constexpr_ = false;
  std::vector<size_t> changes;  // tokens; find_changes() looks for them

  // How it is stored: thread_phases.cpp decides.
  bool changes_in_phases = false;
  bool uniform = false, reads_memory = false, recomputed = false;
  std::vector<size_t> needs;  // the variables that its value is computed from
  size_t phase = kNone;       // that declares it
  bool kept = false, used_elsewhere = false;
};

// What an expression is computed from.
struct Reads {
  bool thread = false, memory = false, mathematics = false;
  std::vector<size_t> variables;
};

bool is_assignment(const Token& token);  // `=`, `+=`, ...
bool is_step(const Token& token);        // `++` or `--`
// Whether the name at `i` is one in an object, class or namespace.
bool is_qualified(const Stream& stream, size_t i);
// Whether the `*` or `&` at `i` has no operand before it.
bool takes_one_operand(const Stream& stream, size_t i);

struct KernelBody {
  KernelBody(const Stream& its_code, const QuietCode& quiet_code, Part body)
      : code(its_code), quiet(quiet_code), extent(body) {}

  const Stream& code;
  const QuietCode& quiet;
  Part extent;
  std::vector<List> lists;
  std::vector<Item> items;
  std::vector<Variable> variables;
  std::set<std::string_view> shared;       // names that read shared memory
  std::set<std::string_view> inner_types;  // that the lists inside define

  bool visible(const Variable& variable, size_t at) const;
  // The variable that a name at token `at` stands for, or kNone.
  size_t find(std::string_view name, size_t at) const;
  // What a part of `stream` is computed from, if it changes nothing. `at`: the token of `code`
  // where its names are looked up.
  bool read(const Stream& stream, Part part, size_t at, Reads& reads, int depth = 0) const;
  // Of the value that it is declared with.
  bool read_value(const Variable& variable, Reads& reads) const;
  // All that is declared, without the name.
  std::vector<size_t> type_tokens(const Variable& variable) const;

  // Calls `visit(stream)` with the texts of the macro at `i`, and of those in them.
  template <class Visit>
  void visit_macro(size_t i, const Visit& visit) const {
    std::set<std::string_view> visited;
    if (code.is_identifier(i) && !is_qualified(code, i)) visit_macro(code[i].text, visit, visited);
  }

 private:
  template <class Visit>
  void visit_macro(std::string_view name, const Visit& visit,
                   std::set<std::string_view>& visited) const {
    if (!quiet.is_macro(name) || !visited.insert(name).second) return;
    quiet.visit_macro(name, [&](const Stream& text) {
      visit(text);
      for (const Token& token : text.tokens()) visit_macro(token.text, visit, visited);
    });
  }
  bool read_name(const Stream& stream, size_t i, size_t at, Reads& reads, int depth) const;

  mutable size_t tokens_read_ = 0;
};

// Given are the brackets that open its parameters and its body. Nothing where not all of it is
// understood, where it has no barrier, or where its threads all do the same.
std::optional<KernelBody> read_kernel_body(const Stream& code, size_t parameters, size_t body,
                                           const QuietCode& quiet);

// Fills in the `changes` of the variables: where they may change, that is, where it is not sure
// that they do not. False: a pointer to one of them may live longer than the statement that makes
// it.
bool find_changes(KernelBody& kernel);

}  // namespace convkit::rewrite
