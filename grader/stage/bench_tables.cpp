// SPDX-License-Identifier: MIT
#include "stage/bench_tables.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

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

namespace {

constexpr size_t kMostCombinations = 400;

void read_count(const TomlReader& in, SpeedCase& speed) {
  if (!in.has("count")) return;
  const TomlReader counted = in.section("count");
  counted.only({"params", "inputs", "output", "flop"});
  CountedShape count;
  count.params = counted.params("params");
  count.inputs = counted.shapes("inputs");
  std::vector<TensorShape> output = counted.shapes("output");
  if (output.size() != 1) counted.fail_at("output", "`output` must name one tensor.");
  count.output = std::move(output.front());
  count.flop = counted.get_in<double>("flop", 1, 1e18);
  speed.count = std::move(count);
}

void read_shape(const TomlReader& in, SpeedCase& speed) {
  speed.terms = in.get_in<double>("terms", 1, 1e6);
  speed.flop = in.get_in<double>("flop", 1, 1e18);
  speed.params = in.params("params");
  speed.inputs = in.shapes("inputs");
  std::vector<TensorShape> outputs = in.shapes("output");
  if (outputs.size() != 1) in.fail_at("output", "`output` must name one tensor.");
  speed.output = std::move(outputs.front());
  read_count(in, speed);
}

// The shape of a [[speed]] of this name, or one's own.
SpeedCase shape_of(const TomlReader& in, const std::vector<SpeedCase>& speeds) {
  if (!in.has("speed")) {
    SpeedCase shape;
    shape.name = in.get<std::string>("name");
    shape.title = in.get<std::string>("shape");
    shape.op = in.get<std::string>("op");
    read_shape(in, shape);
    return shape;
  }
  for (const char* key : {"shape", "terms", "flop", "params", "inputs", "output"}) {
    if (in.has(key)) in.fail_at(key, fmt::format("`speed` already gives `{}`; leave it out.", key));
  }
  const auto name = in.get<std::string>("speed");
  const auto found = std::ranges::find(speeds, name, &SpeedCase::name);
  if (found == speeds.end()) {
    in.fail_at("speed", fmt::format("`speed` \"{}\" is not the name of a [[speed]].", name));
  }
  SpeedCase shape = *found;
  shape.op = in.get_or<std::string>("op", shape.op);
  read_count(in, shape);
  return shape;
}

bool is_identifier(const std::string& name) {
  const auto letter = [](char ch) {
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
  };
  return !name.empty() && letter(name.front()) &&
         std::ranges::all_of(name, [&](char ch) { return letter(ch) || (ch >= '0' && ch <= '9'); });
}

bool leaves_folder(const std::string& path) {
  return path.starts_with("/") || path.find("..") != std::string::npos;
}

SweepMacro read_macro(const TomlReader& in, const std::string& name, const toml::node& node) {
  SweepMacro macro{name, {}};
  const toml::array* values = node.as_array();
  if (!is_identifier(name)) in.fail(&node, fmt::format("`{}` is not the name of a macro.", name));
  if (!values || values->empty()) {
    in.fail(&node, fmt::format("`{}` must be an array of whole numbers.", name));
  }
  for (const toml::node& value : *values) macro.values.push_back(in.as<int64_t>(value, name));
  return macro;
}

}  // namespace

size_t Sweep::combinations() const {
  size_t count = 1;
  for (const SweepMacro& macro : macros) {
    if (__builtin_mul_overflow(count, macro.values.size(), &count)) return SIZE_MAX;
  }
  return count;
}

std::vector<int64_t> Sweep::values(size_t index) const {
  std::vector<int64_t> values(macros.size());
  for (size_t i = macros.size(); i-- > 0;) {
    values[i] = macros[i].values[index % macros[i].values.size()];
    index /= macros[i].values.size();
  }
  return values;
}

SpeedCase read_speed(const TomlReader& in) {
  in.only({"name", "title", "op", "points", "none", "full", "terms", "flop", "params", "inputs",
           "output", "count"});
  SpeedCase speed;
  speed.text = in.text();
  speed.name = in.get<std::string>("name");
  speed.title = in.get<std::string>("title");
  speed.op = in.get<std::string>("op");
  speed.points = in.get_in<double>("points", 0, kMostPoints, 0);
  speed.none = in.get_or<double>("none", 1);
  speed.full = in.get_or<double>("full", 2);
  if (!(speed.full > speed.none && speed.none > 0 && std::isfinite(speed.full))) {
    in.fail_at("full", "`full` must be above `none`, and both above 0.");
  }
  read_shape(in, speed);
  return speed;
}

Sweep read_sweep(const TomlReader& in, const std::vector<SpeedCase>& speeds,
                 const std::vector<std::string>& files) {
  in.only({"name", "title", "file", "speed", "shape", "op", "terms", "flop", "params", "inputs",
           "output", "count", "macros", "axes"});
  Sweep sweep;
  sweep.name = in.get<std::string>("name");
  sweep.title = in.get<std::string>("title");
  sweep.file = in.get<std::string>("file");
  if (std::ranges::find(files, sweep.file) == files.end()) {
    in.fail_at("file", fmt::format("`file` \"{}\" is not in `files`.", sweep.file));
  }
  sweep.shape = shape_of(in, speeds);
  // In the order of the file: toml++ has them by name.
  std::vector<std::pair<toml::source_position, SweepMacro>> macros;
  const TomlReader section = in.section("macros");
  for (const auto& [key, node] : section.table()) {
    macros.emplace_back(node.source().begin, read_macro(in, std::string(key.str()), node));
  }
  std::ranges::sort(macros, [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [at, macro] : macros) sweep.macros.push_back(std::move(macro));
  if (sweep.macros.empty()) in.fail(nullptr, "`macros` names no macro.");
  if (sweep.combinations() > kMostCombinations) {
    in.fail_at("macros", fmt::format("`macros` make {} combinations; {} at most.",
                                     sweep.combinations(), kMostCombinations));
  }
  const std::vector<std::string> axes = in.strings("axes");
  sweep.across = axes.empty() ? sweep.macros.front().name : axes.front();
  sweep.down = axes.size() > 1 ? axes[1] : sweep.macros.size() > 1 ? sweep.macros[1].name : "";
  for (const std::string& axis : axes) {
    if (axes.size() > 2 ||
        std::ranges::find(sweep.macros, axis, &SweepMacro::name) == sweep.macros.end()) {
      in.fail_at("axes", "`axes` must be two of the macros: across, then down.");
    }
  }
  return sweep;
}

Ladder read_ladder(const TomlReader& in, const std::vector<SpeedCase>& speeds) {
  in.only({"name", "title", "speed", "shape", "op", "terms", "flop", "params", "inputs", "output",
           "count", "step"});
  Ladder ladder;
  ladder.name = in.get<std::string>("name");
  ladder.title = in.get<std::string>("title");
  ladder.shape = shape_of(in, speeds);
  bool peer = false;
  for (const TomlReader& s : in.tables("step")) {
    s.only({"title", "op", "from", "rung", "in_place_of", "peer", "library", "params"});
    LadderStep step;
    step.title = s.get<std::string>("title");
    step.op = s.get_or<std::string>("op", ladder.shape.op);
    step.from = s.get_or<std::string>("from", "");
    if (leaves_folder(step.from)) {
      s.fail_at("from", "`from` must be a path in the stage's folder.");
    }
    step.rung = s.get_or<std::string>("rung", "");
    step.in_place_of = s.get_or<std::string>("in_place_of", "");
    for (const char* key : {"rung", "in_place_of"}) {
      if (!leaves_folder(s.get_or<std::string>(key, ""))) continue;
      s.fail_at(key, fmt::format("`{}` must be a path in the solution's folder.", key));
    }
    if (step.rung.empty() != step.in_place_of.empty()) {
      const bool lone = !step.rung.empty();
      s.fail_at(lone ? "rung" : "in_place_of", "`rung` and `in_place_of` must be given together.");
    }
    if (!step.from.empty() && !step.rung.empty()) {
      s.fail_at("from", "a step has `from` or `rung`, not both.");
    }
    step.peer = s.flag("peer");
    step.library = step.peer || s.flag("library");
    if (step.peer && peer) s.fail_at("peer", "`peer` is true twice.");
    peer = peer || step.peer;
    step.params = s.params("params");
    ladder.steps.push_back(std::move(step));
  }
  if (ladder.steps.empty()) in.fail(nullptr, "`step` is missing: [[ladder.step]].");
  return ladder;
}

}  // namespace convkit
