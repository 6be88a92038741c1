// SPDX-License-Identifier: MIT
// [[drawn]] of stage.toml: a case whose inputs are drawn while grading, so that it needs no file
// however large its tensors are. Its operation is a sum of products.
#pragma once

#include <string>
#include <vector>

#include "stage/sizes.h"

namespace convkit {

class TomlReader;

struct DrawnTable {
  std::string name;
  std::string title;  // the one sentence that is public even of hidden cases
  std::string op, task, group;
  double terms = 1;  // products in one output, + 1 for a bias
  Params params;
  std::vector<TensorShape> inputs;
  TensorShape output;
  std::string text;  // all that the table says: TomlReader::text
};

DrawnTable read_drawn(const TomlReader& in);

}  // namespace convkit
