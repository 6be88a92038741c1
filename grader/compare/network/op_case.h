// SPDX-License-Identifier: MIT
// An operation of a network seen as a case of its own: what knows the mistakes of single
// operations, formulas and models, then also knows them inside of a network.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "compare/diagnose.h"
#include "compare/network/program.h"

namespace convkit {

// The function that computes the operation where it is a case of its own; "" if there is none.
std::string function_of(const NetworkOp& op);

// The evidence points into this object. No output has been got, and the reference has only sizes,
// until the caller sets them.
class OpCase {
 public:
  // Of output `output` of the operation. Inputs are rounded to float, as a program has them, if
  // `as_float`; else they are doubles.
  OpCase(const NetworkOp& op, const std::vector<const std::vector<double>*>& inputs, size_t output,
         bool as_float);
  OpCase(const OpCase&) = delete;

  // False for operations that have no name of their own.
  bool is_known() const { return !evidence.op.empty(); }

  Evidence evidence;

 private:
  std::deque<std::vector<float>> floats_;
  std::deque<std::vector<double>> doubles_;
};

// Computes the formula of the operation in place of its output `formula_of`: of one image, or of
// all.
void compute_formula(const NetworkOp& op, const std::vector<const std::vector<double>*>& inputs,
                     int64_t image, std::vector<std::vector<double>>& outputs);

}  // namespace convkit
