// SPDX-License-Identifier: MIT
// A random shape of an [[adjoint]] table, and random tensors of it. The same seed gives the same on
// every machine.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "stage/adjoint_table.h"

namespace convkit {

struct AdjointDraw {
  Params params;  // with oh and ow, where there is a window
  std::map<std::string, TensorShape> shapes;
  std::map<std::string, std::vector<float>> values;

  // "c=3, dilation_h=1, ..."
  std::string params_text() const;
};

// The shape and the tensors of one trial. Values have magnitudes in [1/2, 1) and random signs: no
// product of three of them is small, so no error hides behind a factor near zero. Throws KitError
// where the ranges hold no shape with an output.
AdjointDraw draw_adjoint(const AdjointTable& table, const std::string& seed, unsigned trial);

}  // namespace convkit
