// SPDX-License-Identifier: MIT
// The value of a formula for the inputs of a case.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "compare/diagnose.h"
#include "compare/formula/formula.h"

namespace convkit {

// The evidence and the formula must outlive it. After an edit of the formula construct another.
class FormulaValue {
 public:
  // Visits `most_work` nodes at most. `float_range`: exp overflows and underflows as in float.
  FormulaValue(const Formula& formula, const Evidence& evidence, int64_t most_work,
               bool float_range = false);

  // False where the case lacks a parameter that the formula names, or where so many nodes were
  // visited that it was given up: then no value counts.
  bool complete() const { return complete_; }

  // Of element `at` of the output, C order. predicted_anything() where a read leaves its tensor,
  // predicted_unwritten() where no loop stores.
  double at(int64_t element);

  int64_t work() const { return work_; }  // nodes visited so far

  // What the loops compute, whether or not it is stored in an element: so many results.
  int64_t results() const;
  const std::vector<int64_t>& extent() const { return extent_; }  // over each axis, C order
  // Computes one, and returns the place where it is stored, which may lie outside of the output.
  double place_of_result(int64_t result);

  // From now on looks for a read of the element with this number in a tensor of `elements`, which
  // has no such element.
  void watch_for(int64_t elements, int64_t index) { watched_ = {elements, index}; }
  bool saw_watched() const { return saw_watched_; }

 protected:
  // With the variables as they are. A read that leaves its tensor's tested axes sets `outside_`.
  double value(int node);
  double part(const Node& node);
  void find_parts();
  double value_of(int node);
  double read(const Node& node);

  const Formula& formula_;
  std::vector<double> values_;  // by name
  bool outside_ = false;        // the term does not count
  bool unknown_ = false;        // a read left its tensor
  bool counts_ = false;         // of what is read only whether it lies inside counts

 private:
  double reduced(const Node& node);
  double called(const Node& node);
  void begin_element();
  void place_results();

  bool float_range_;
  const Evidence& evidence_;
  std::vector<const CaseTensor*> tensors_;  // by name
  bool complete_ = true;
  int64_t work_ = 0, most_work_;
  int depth_ = 0;
  std::pair<int64_t, int64_t> watched_{-1, 0};
  bool saw_watched_ = false;
  // Parts that depend on the element alone: by their nodes, the value and whose it is.
  struct PartOfElement {
    bool is_one = false;
    int64_t element = -1;
    double value = 0;
  };
  std::vector<PartOfElement> parts_;
  // Terms of sums that have counted in this element: so far, and when a variable had its value.
  int64_t counted_ = 0;
  std::vector<int64_t> counted_before_;  // by name
  int64_t element_ = 0;                  // counts up: no two calls of at() share values
  // Where results are not stored in order: the result (loops' indices, flattened over `extent_`)
  // that each element holds in the end, -1 for none.
  std::optional<std::vector<int64_t>> held_;
  std::vector<int64_t> extent_;
  std::vector<std::pair<int64_t, int64_t>> computed_;  // from and up to which index of each axis
};

}  // namespace convkit
