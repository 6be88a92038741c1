// SPDX-License-Identifier: MIT
#include "stage/adjoint_table.h"

#include <algorithm>

#include "convkit/kit_error.h"
#include "stage/toml_reader.h"

namespace convkit {
namespace {

constexpr int64_t kMostTrials = 20;
constexpr int64_t kLargestParam = 1 << 16;

// The parameters that follow from the others: Conv2dShape's output size.
bool is_derived(const std::string& name) {
  return name == "oh" || name == "ow";
}

std::map<std::string, ParamRange> read_ranges(const TomlReader& in, const toml::table& table) {
  std::map<std::string, ParamRange> ranges;
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    ParamRange range;
    if (const toml::array* ends = node.as_array()) {
      if (ends->size() != 2) {
        in.fail(&node, fmt::format("`{}` must be a number or [least, most].", name));
      }
      range = {in.as<int64_t>(*ends->get(0), name), in.as<int64_t>(*ends->get(1), name)};
    } else {
      range.low = range.high = in.as<int64_t>(node, name);
    }
    if (range.low < 0 || range.low > range.high || range.high > kLargestParam) {
      in.fail(&node,
              fmt::format("`{}` must go from 0 or more to {} or less.", name, kLargestParam));
    }
    ranges[name] = range;
  }
  return ranges;
}

// Sizes may only be made of what is drawn, or the first grading would fail.
void check_names(const TomlReader& in, const char* key, const SizeFormula& formula,
                 const AdjointTable& table) {
  for (const std::string& name : formula.names()) {
    if (is_derived(name) || table.params.contains(name)) continue;
    in.fail_at(key, fmt::format("`{}`: `{}` is not in `params`.", key, name));
  }
}

void read_tensors(const TomlReader& in, AdjointTable& table) {
  const TomlReader tensors = in.section("tensors");
  for (const auto& [key, node] : tensors.table()) {
    AdjointTensor tensor{std::string(key.str()), {}};
    const toml::array* dims = node.as_array();
    if (!dims || dims->empty()) {
      in.fail(&node, fmt::format("`{}` must be an array of sizes.", tensor.name));
    }
    for (const toml::node& dim : *dims) {
      tensor.dims.push_back(in.formula_of(dim, tensor.name));
      check_names(in, "tensors", tensor.dims.back(), table);
    }
    table.tensors.push_back(std::move(tensor));
  }
  if (table.tensors.empty()) in.fail_at("tensors", "`tensors` names no tensor.");
}

void read_op(const TomlReader& in, const AdjointTable& table, AdjointOp& op) {
  const auto must_be_tensor = [&](const char* key, const std::string& name) {
    if (std::ranges::any_of(table.tensors, [&](const auto& t) { return t.name == name; })) return;
    in.fail_at(key, fmt::format("`{}` \"{}\" is not in `tensors`.", key, name));
  };
  op.op = in.get<std::string>("op");
  op.inputs = in.strings("inputs");
  if (op.inputs.empty()) in.fail_at("inputs", "`inputs` names no tensor.");
  for (const std::string& name : op.inputs) must_be_tensor("inputs", name);
  op.output = in.get<std::string>("output");
  op.pair = in.get<std::string>("pair");
  must_be_tensor("pair", op.pair);
  if (std::ranges::find(op.inputs, op.pair) != op.inputs.end()) {
    in.fail_at("pair", fmt::format("`pair` \"{}\" is an input of {}; the inner product needs the "
                                   "tensor that this operation does not read.",
                                   op.pair, op.op));
  }
  op.terms = in.formula("terms");
  check_names(in, "terms", op.terms, table);
}

}  // namespace

const AdjointTensor& AdjointTable::tensor(const std::string& tensor_name) const {
  const auto found = std::ranges::find(tensors, tensor_name, &AdjointTensor::name);
  if (found == tensors.end()) throw KitError(fmt::format("{} has no {}.", name, tensor_name));
  return *found;
}

std::string case_name(const AdjointTable& table, const AdjointCheck& check) {
  return table.name + "_" + check.op;
}

AdjointTable read_adjoint(const TomlReader& in) {
  in.only({"name", "title", "group", "draws", "params", "shapes", "tensors", "forward", "check"});
  AdjointTable table;
  table.text = in.text();
  table.name = in.get<std::string>("name");
  table.title = in.get<std::string>("title");
  table.draws = static_cast<unsigned>(in.get_in<int64_t>("draws", 0, kMostTrials, 3));
  table.params = read_ranges(in, in.section("params").table());
  for (const TomlReader& shape : in.tables("shapes")) {
    table.shapes.push_back(read_ranges(in, shape.table()));
    for (const auto& [name, range] : table.shapes.back()) {
      if (!table.params.contains(name)) {
        in.fail_at("shapes", fmt::format("`shapes`: `{}` is not in `params`.", name));
      }
    }
  }
  if (table.trials() == 0) in.fail_at("draws", "`draws` is 0 and there are no `shapes`.");
  read_tensors(in, table);
  const TomlReader forward = in.section("forward");
  forward.only({"op", "inputs", "output", "pair", "terms"});
  read_op(forward, table, table.forward);
  const auto group = in.get_or<std::string>("group", "");
  for (const TomlReader& c : in.tables("check")) {
    c.only({"op", "inputs", "output", "pair", "terms", "task", "group"});
    AdjointCheck check;
    read_op(c, table, check);
    if (std::ranges::find(table.forward.inputs, check.pair) == table.forward.inputs.end()) {
      c.fail_at("pair", fmt::format("`pair` \"{}\" is not an input of `forward`.", check.pair));
    }
    check.task = c.get<std::string>("task");
    check.group = c.get_or<std::string>("group", group);
    table.checks.push_back(std::move(check));
  }
  if (table.checks.empty()) in.fail(nullptr, "`check` is missing: [[adjoint.check]].");
  return table;
}

}  // namespace convkit
