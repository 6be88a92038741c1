// SPDX-License-Identifier: MIT
#include "stage/drawn_table.h"

#include "stage/toml_reader.h"

namespace convkit {

DrawnTable read_drawn(const TomlReader& in) {
  in.only({"name", "title", "op", "task", "group", "terms", "params", "inputs", "output"});
  DrawnTable drawn;
  drawn.text = in.text();
  drawn.name = in.get<std::string>("name");
  drawn.title = in.get<std::string>("title");
  drawn.op = in.get<std::string>("op");
  drawn.task = in.get<std::string>("task");
  drawn.group = in.get<std::string>("group");
  drawn.terms = in.get_in<double>("terms", 1, 1e6);
  drawn.params = in.params("params");
  drawn.inputs = in.shapes("inputs");
  std::vector<TensorShape> outputs = in.shapes("output");
  if (outputs.size() != 1) in.fail_at("output", "`output` must name one tensor.");
  drawn.output = std::move(outputs.front());
  return drawn;
}

}  // namespace convkit
