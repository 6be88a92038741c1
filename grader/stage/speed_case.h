// SPDX-License-Identifier: MIT
// [[speed]] of stage.toml: a shape that is timed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stage/shapes.h"

namespace convkit {

// A smaller shape of the same operation.
struct CountedShape {
  Params params;
  std::vector<TensorShape> inputs;
  TensorShape output;
  double flop = 0;
};

// Points are earned log-linearly between the ratios `none` and `full` of the baseline's time to the
// submission's.
struct SpeedCase {
  std::string name;
  std::string title;
  std::string op;
  double points = 0;  // 0: shown by `bench` only
  double none = 1, full = 1;
  double terms = 1;  // products in one output, for the error bound
  double flop = 0;
  Params params;
  std::vector<TensorShape> inputs;
  TensorShape output;
  std::optional<CountedShape> count;  // what is counted on the CPU device instead
  std::string text;                   // all that the table says: TomlReader::text
};

}  // namespace convkit
