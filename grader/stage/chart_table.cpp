// SPDX-License-Identifier: MIT
#include "stage/chart_table.h"

#include "stage/toml_reader.h"

namespace convkit {

Chart read_chart(const TomlReader& in) {
  in.only({"name", "title", "op", "output", "rows", "columns", "shape"});
  Chart chart;
  chart.name = in.get<std::string>("name");
  chart.title = in.get<std::string>("title");
  chart.op = in.get<std::string>("op");
  chart.output = in.get<std::string>("output");
  chart.rows = in.strings("rows");
  chart.columns = in.strings("columns");
  if (chart.rows.empty()) in.fail(nullptr, "`rows` names no row.");
  if (chart.columns.empty()) in.fail(nullptr, "`columns` names no column.");
  for (const TomlReader& s : in.tables("shape")) {
    s.only({"title", "params", "inputs"});
    chart.shapes.push_back({s.get<std::string>("title"), s.params("params"), s.shapes("inputs")});
  }
  if (chart.shapes.empty()) in.fail(nullptr, "`shape` is missing: [[chart.shape]].");
  return chart;
}

}  // namespace convkit
