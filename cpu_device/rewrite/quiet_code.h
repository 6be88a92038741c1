// SPDX-License-Identifier: MIT
// Code that surely neither waits for other threads nor asks which thread runs it, except by
// `threadIdx.x` in the kernel itself: the threads of such a kernel can run as a loop
// (thread_loops.h); if it waits at barriers only, as one loop from barrier to barrier
// (thread_phases.cpp). Errs on the side of no.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

#include "cpu_device/rewrite/names.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

// Macros in macros deeper than this are not looked into.
constexpr int kDeepestMacro = 8;

// A function of mathematics, an intrinsic, an atomic operation that no lock is made of, ...: what
// the CPU device's headers and the C library offer to kernels, as far as it is computed in place.
bool is_quiet_builtin(std::string_view name);

// One of them that changes nothing and reads no memory.
bool is_computing_builtin(std::string_view name);

// A built-in type, or one of the vector types.
bool is_builtin_type(std::string_view name);

// A name that waits, or asks which thread runs; no list could be complete for code that is called
// by its name (then it must be known to be quiet).
bool waits_or_asks(std::string_view name);

// An operator that changes nothing, a parenthesis, or what names are made of.
bool is_plain_operator(std::string_view text);

// Whether the token can end a factor, so that `*` or `&` after it takes two operands.
bool ends_factor(const Stream& stream, size_t i);

// The names of a translation unit's macros, with their texts, and of its functions, with their
// bodies. `names` and its sources must outlive this.
class QuietCode {
 public:
  explicit QuietCode(const Names& names);

  // Whether the parameters and the body of a kernel, given by the brackets that open them, are
  // quiet and would mean the same in a lambda that captures the parameters by value.
  bool is_quiet_kernel(const Stream& stream, size_t parameters, size_t body) const;
  // The same of a kernel that has shared memory, and barriers in its own text.
  bool is_quiet_between_barriers(const Stream& stream, size_t parameters, size_t body) const;

  bool is_function(std::string_view name) const { return bodies_.contains(name); }
  // Whether a function may change an argument that is not a pointer.
  bool may_change_arguments(std::string_view name) const;
  // Whether a function computes its result from the values of its arguments (and of its object),
  // and does nothing else.
  bool only_computes(std::string_view name) const;
  // Whether a variable of this name may lie in memory that kernels change.
  bool may_be_memory(std::string_view name) const { return memory_.contains(name); }
  // Whether members of classes that have this name are pointers.
  bool is_pointer_member(std::string_view name) const;
  // Copies and destructors of other types may do something.
  bool is_copied_bit_by_bit(std::string_view type) const;

  bool is_macro(std::string_view name) const { return names_.macros().contains(name); }
  // Calls `visit(stream)` with each text of a macro; false where they are not all known.
  template <class Visit>
  bool visit_macro(std::string_view name, const Visit& visit) const {
    const auto at = macros_.find(name);
    if (at == macros_.end()) return false;
    for (const Code& code : at->second) visit(*code.stream);
    return true;
  }

 private:
  struct Code {
    const Stream* stream;
    size_t begin, end;
  };
  enum class Place { kernel, function, kernel_with_barriers };

  void read_macros(const Source& source);
  void read_functions(const Source& source, const Stream& stream);
  void read_memory(const Stream& stream);
  void look_for_hidden_waits(const Source& source, const Stream& stream);
  bool is_quiet_body(const Stream& stream, size_t parameters, size_t body, Place place) const;
  bool computes(const Code& code) const;
  bool are_quiet_parameters(const Stream& stream, size_t open) const;
  bool is_quiet(const Code& code, Place place) const;
  bool is_quiet_identifier(const Stream& stream, size_t i, Place place) const;
  bool is_quiet_call(const Stream& stream, size_t i) const;
  bool is_quiet_name(std::string_view name) const;
  bool is_quiet_macro(std::string_view name, Place place) const;

  const Names& names_;
  std::vector<std::unique_ptr<const Stream>> streams_;
  std::map<std::string_view, std::vector<Code>> bodies_;  // of functions, by name
  std::map<std::string_view, std::vector<Code>> macros_;
  std::map<std::string_view, std::vector<Code>> classes_;  // their definitions, by name
  std::set<std::string_view> owners_;  // classes with a destructor or a copy constructor
  std::set<std::string_view> memory_;  // names in declarations with `__device__` or `__managed__`
  // A function that is called without being named (an operator, a constructor) may wait.
  bool hides_waits_ = false;
  enum class Answer { yes, no, being_asked };
  mutable std::map<std::string_view, Answer> functions_asked_, computes_asked_, macros_asked_[3];
};

}  // namespace convkit::rewrite
