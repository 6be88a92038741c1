// SPDX-License-Identifier: MIT
// The value of a formula for the inputs of a case.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compare/diagnose.h"
#include "compare/formula/formula.h"

namespace convkit {

// The evidence and the formula must outlive it. After an edit of the formula construct another.
class FormulaValue {
 public:
  // Visits `most_work` nodes at most.
  FormulaValue(const Formula& formula, const Evidence& evidence, int64_t most_work);

  // False where the case lacks a parameter that the formula names, or where so many nodes were
  // visited that it was given up: then no value counts.
  bool complete() const { return complete_; }

  // Of element `at` of the output, C order. predicted_anything() where a read leaves its tensor,
  // predicted_unwritten() where no loop stores.
  double at(int64_t element);

  int64_t work() const { return work_; }  // nodes visited so far

 private:
  double value(int node);
  double part(const Node& node);
  void find_parts();
  double read(const Node& node);
  double reduced(const Node& node);
  double called(const Node& node);
  void place_results();

  const Formula& formula_;
  const Evidence& evidence_;
  std::vector<double> values_;              // by name
  std::vector<const CaseTensor*> tensors_;  // by name
  bool complete_ = true;
  bool outside_ = false;  // the term does not count
  bool unknown_ = false;  // a read left its tensor
  int64_t work_ = 0, most_work_;
  // Parts that depend on the element alone: by their nodes, the value and whose it is.
  struct PartOfElement {
    bool is_one = false;
    int64_t element = -1;
    double value = 0;
  };
  std::vector<PartOfElement> parts_;
  int64_t element_ = 0;  // counts up: no two calls of at() share values
  // Where results are not stored in order: the result (loops' indices, flattened over `extent_`)
  // that each element holds in the end, -1 for none.
  std::optional<std::vector<int64_t>> held_;
  std::vector<int64_t> extent_;
};

}  // namespace convkit
