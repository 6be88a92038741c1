// SPDX-License-Identifier: MIT
// Code that surely neither waits for other threads nor asks which thread runs it, except by
// `threadIdx.x` in the kernel itself: the threads of such a kernel can run as a loop
// (thread_loops.h). Errs on the side of no.
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

// The names of a translation unit's macros, with their texts, and of its functions, with their
// bodies. `names` and its sources must outlive this.
class QuietCode {
 public:
  explicit QuietCode(const Names& names);

  // Whether the parameters and the body of a kernel, given by the brackets that open them, are
  // quiet and would mean the same in a lambda that captures the parameters by value.
  bool is_quiet_kernel(const Stream& stream, size_t parameters, size_t body) const;

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
  enum class Place { kernel, function };

  void read_macros(const Source& source);
  void read_functions(const Source& source, const Stream& stream);
  void look_for_hidden_waits(const Source& source, const Stream& stream);
  bool is_copied_bit_by_bit(std::string_view type) const;
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
  // A function that is called without being named (an operator, a constructor) may wait.
  bool hides_waits_ = false;
  enum class Answer { yes, no, being_asked };
  mutable std::map<std::string_view, Answer> functions_asked_, macros_asked_[2];
};

}  // namespace convkit::rewrite
