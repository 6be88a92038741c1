// SPDX-License-Identifier: MIT
// [[chart]] of stage.toml: figures that a submission itself measures, which `bench` shows.
#pragma once

#include <string>
#include <vector>

#include "stage/shapes.h"

namespace convkit {

class TomlReader;

struct ChartShape {
  std::string title;
  Params params;
  std::vector<TensorShape> inputs;
};

// `op` fills a float32 tensor of rows x columns for each shape; NaN if there is no figure.
struct Chart {
  std::string name, title;
  std::string op;
  std::string output;                // the tensor's name
  std::vector<std::string> rows;     // "WINOGRAD"
  std::vector<std::string> columns;  // "milliseconds"
  std::vector<ChartShape> shapes;
};

Chart read_chart(const TomlReader& in);

}  // namespace convkit
