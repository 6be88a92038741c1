// SPDX-License-Identifier: MIT
// stage.toml, from its bytes to a Stage.
#include <fmt/format.h>

#include <algorithm>

#include "convkit/file_text.h"
#include "cpu_device/cc/cuda_libraries.h"
#include "process/resource_limits.h"
#include "stage/stage.h"
#include "stage/toml_reader.h"

namespace convkit {
namespace {

double precision_of(const TomlReader& in) {
  const auto name = in.get_or<std::string>("precision", "float32");
  if (name == "float32") return 0x1p-24;
  if (name == "tf32" || name == "float16") return 0x1p-11;
  in.fail_at("precision", "`precision` must be float32, tf32 or float16.");
}

// A case of a table belongs to a group and a task that there are.
void check_case(const TomlReader& in, const Stage& stage, const std::string& name,
                const std::string& group, const std::string& task) {
  if (std::ranges::find(stage.groups, group, &Group::name) == stage.groups.end()) {
    in.fail(nullptr, fmt::format("{}: group \"{}\" is not defined; add a [[group]] with that name.",
                                 name, group));
  }
  if (!stage.task(task)) {
    in.fail(nullptr, fmt::format("{}: task \"{}\" is not defined; add a [[task]] with that id.",
                                 name, task));
  }
}

void read_build(const TomlReader& in, Stage& stage) {
  const TomlReader build = in.section("build");
  build.only({"flags", "libraries"});
  stage.flags = build.strings("flags");
  stage.libraries = build.strings("libraries");
  for (const std::string& library : stage.libraries) {
    if (stage.device != "gpu") {
      build.fail_at("libraries", "`libraries` is for stages with `device` \"gpu\".");
    }
    if (!find_vendor_library(library)) {
      build.fail_at("libraries", fmt::format("`libraries` names \"{}\"; there is: {}.", library,
                                             fmt::join(vendor_library_names(), ", ")));
    }
  }
}

void read_limits(const TomlReader& in, Stage& stage) {
  const TomlReader limits = in.section("limits");
  limits.only({"build_s", "builds_s", "case_s", "stage_s", "memory_mib", "resident_mib",
               "output_kib", "forbidden_symbols"});
  const auto limit = [&](const char* key, int64_t most, int64_t fallback) {
    return limits.get_in<int64_t>(key, 1, most, fallback);
  };
  stage.limits.build = limits.time_limit("build_s", 3600, 60);
  stage.limits.all_builds = limits.time_limit("builds_s", 24 * 3600, 300);
  stage.limits.one_case = limits.time_limit("case_s", 3600, 10);
  stage.limits.all_cases = limits.time_limit("stage_s", 24 * 3600, 120);
  const int64_t most_mib = limit("memory_mib", 1 << 20, 2048);
  stage.limits.memory_bytes = static_cast<uint64_t>(most_mib) << 20;
  const int64_t resident_mib = limit("resident_mib", 1 << 20, std::min<int64_t>(most_mib, 4096));
  stage.limits.resident_bytes = memory_of_machine(static_cast<uint64_t>(resident_mib) << 20);
  stage.limits.output_bytes = static_cast<uint64_t>(limit("output_kib", 64 << 10, 1024)) << 10;
  stage.forbidden_symbols = limits.strings("forbidden_symbols");
}

void read_correctness(const TomlReader& in, Stage& stage) {
  const TomlReader correctness = in.section("correctness");
  correctness.only(
      {"precision", "factor", "products", "calls", "same_bits", "on_device", "by_library"});
  stage.unit_roundoff = precision_of(correctness);
  stage.factor = correctness.get_in<double>("factor", 1, 1e6, 1);
  for (const auto& [op, node] : correctness.section("products").table()) {
    const std::string name(op.str());
    const auto factors = correctness.section("products").strings(name.c_str());
    if (factors.size() != 2) {
      correctness.fail(&node, fmt::format("`products`: {} needs the names of two inputs.", name));
    }
    stage.products[name] = {factors[0], factors[1]};
  }
  for (const auto& [op, node] : correctness.section("calls").table()) {
    const std::string name(op.str());
    stage.calls[name] = correctness.section("calls").strings(name.c_str());
  }
  stage.same_bits = correctness.strings("same_bits");
  stage.on_device = correctness.strings("on_device");
  if (!stage.on_device.empty() && stage.device != "gpu") {
    correctness.fail_at("on_device", "`on_device` is for GPU stages.");
  }
  stage.by_library = correctness.strings("by_library");
  if (!stage.by_library.empty() && stage.libraries.empty()) {
    correctness.fail_at("by_library", "`by_library` is for stages with `[build] libraries`.");
  }
}

void read_elements(const TomlReader& in, Stage& stage) {
  const TomlReader elements = in.section("elements");
  for (const auto& [op, node] : elements.table()) {
    if (!node.is_table()) elements.fail(&node, "it must be a table: [elements.OP].");
    const TomlReader of_op = elements.inner(*node.as_table(), "[elements] ");
    for (const auto& [output, names] : of_op.table()) {
      const std::string key(output.str());
      stage.elements[std::string(op.str())][key] = of_op.strings(key.c_str());
    }
  }
}

void read_values(const TomlReader& in, Stage& stage) {
  const TomlReader values = in.section("values");
  for (const auto& [op, node] : values.table()) {
    if (!node.is_table()) values.fail(&node, "it must be a table: [values.OP].");
    const TomlReader of_op = values.inner(*node.as_table(), "[values] ");
    for (const auto& [output, names] : of_op.table()) {
      if (!names.is_table()) of_op.fail(&names, "it must be a table: {0 = \"cudaSuccess\"}.");
      auto& known = stage.values[std::string(op.str())][std::string(output.str())];
      for (const auto& [key, name] : *names.as_table()) {
        const std::string number(key.str());
        const bool is_number = !number.empty() && number.size() < 10 &&
                               number.find_first_not_of("0123456789") == std::string::npos;
        if (!is_number) of_op.fail(&name, fmt::format("`{}` is no number.", number));
        known[std::stoi(number)] = of_op.as<std::string>(name, number);
      }
    }
  }
}

// Texts, and tables {text = "...", until = ["a_case", "a_function"]}.
std::vector<Hint> read_hints(const TomlReader& task) {
  std::vector<Hint> hints;
  if (!task.has("hints")) return hints;
  const toml::array* all = task.table().get("hints")->as_array();
  if (!all) task.fail_at("hints", "`hints` must be an array.");
  for (const toml::node& one : *all) {
    if (const toml::table* table = one.as_table()) {
      const TomlReader in = task.inner(*table, "hint");
      in.only({"text", "until"});
      hints.push_back({in.get<std::string>("text"), in.strings("until")});
    } else {
      hints.push_back({task.as<std::string>(one, "hints"), {}});
    }
  }
  return hints;
}

void read_tasks_and_groups(const TomlReader& in, Stage& stage) {
  std::set<std::string> task_ids, group_names;
  for (const TomlReader& t : in.tables("task")) {
    t.only({"id", "title", "file", "hints"});
    const auto file_name = t.get<std::string>("file");
    if (std::find(stage.files.begin(), stage.files.end(), file_name) == stage.files.end()) {
      t.fail_at("file", fmt::format("`file` \"{}\" is not in `files`.", file_name));
    }
    stage.tasks.push_back(
        {t.name("id", task_ids), t.get<std::string>("title"), file_name, read_hints(t)});
  }
  for (const TomlReader& g : in.tables("group")) {
    g.only({"name", "title", "points"});
    stage.groups.push_back({g.name("name", group_names), g.get<std::string>("title"),
                            g.get_in<double>("points", 0, kMostPoints)});
  }
}

// What there is to draw, to train and to time; after the tasks and groups that it names.
void read_tables(const TomlReader& in, Stage& stage) {
  std::set<std::string> speed_names, drawn_names, adjoint_names, training_names, sweep_names,
      ladder_names, chart_names;
  for (const TomlReader& s : in.tables("speed")) {
    s.name("name", speed_names);
    stage.speed.push_back(read_speed(s));
  }
  for (const TomlReader& d : in.tables("drawn")) {
    d.name("name", drawn_names);
    stage.drawn.push_back(read_drawn(d));
    const DrawnTable& added = stage.drawn.back();
    check_case(d, stage, added.op, added.group, added.task);
    if (!stage.products.contains(added.op)) {
      d.fail_at("op", fmt::format("`op` \"{}\" is not in [correctness.products].", added.op));
    }
  }
  for (const TomlReader& a : in.tables("adjoint")) {
    a.name("name", adjoint_names);
    stage.adjoint.push_back(read_adjoint(a));
    for (const AdjointCheck& check : stage.adjoint.back().checks) {
      check_case(a, stage, check.op, check.group, check.task);
    }
  }
  for (const TomlReader& t : in.tables("training")) {
    t.name("name", training_names);
    stage.training.push_back(read_training(t));
    const TrainingTable& added = stage.training.back();
    check_case(t, stage, added.name, added.group, added.task);
  }
  for (const TomlReader& s : in.tables("sweep")) {
    s.name("name", sweep_names);
    stage.sweeps.push_back(read_sweep(s, stage.speed, stage.files));
  }
  for (const TomlReader& l : in.tables("ladder")) {
    l.name("name", ladder_names);
    stage.ladders.push_back(read_ladder(l, stage.speed));
  }
  for (const TomlReader& c : in.tables("chart")) {
    c.name("name", chart_names);
    stage.charts.push_back(read_chart(c));
  }
}

}  // namespace

Stage load_stage(const std::filesystem::path& file) {
  return parse_stage(kit_file_text(file), file);
}

Stage parse_stage(const std::string& text, const std::filesystem::path& file) {
  const toml::table table = parse_toml(text, file);
  const TomlReader in(table, file.string(), "");
  in.only({"id",      "title",    "summary", "time",        "needs", "device",   "api",   "files",
           "begin",   "build",    "limits",  "correctness", "task",  "group",    "speed", "drawn",
           "adjoint", "training", "sweep",   "ladder",      "chart", "elements", "values"});
  Stage stage;
  stage.directory = file.parent_path();
  stage.id = in.get<std::string>("id");
  if (stage.id != stage.directory.filename()) {
    in.fail_at("id", fmt::format("`id` is \"{}\" but the folder is named \"{}\".", stage.id,
                                 stage.directory.filename().string()));
  }
  stage.number = std::atoi(stage.id.c_str());
  stage.title = in.get<std::string>("title");
  stage.summary = in.get<std::string>("summary");
  stage.time = in.get_or<std::string>("time", "");
  stage.needs = in.strings("needs");
  for (const std::string& need : stage.needs) {
    // In the order of the list, so that there is a way through it.
    if (need < stage.id) continue;
    in.fail_at("needs",
               fmt::format("`needs` names \"{}\", which does not come before {}.", need, stage.id));
  }
  stage.device = in.get<std::string>("device");
  if (stage.device != "cpu" && stage.device != "gpu") {
    in.fail_at("device", "`device` must be cpu or gpu.");
  }
  stage.api = in.get<std::string>("api");
  stage.files = in.strings("files");
  if (stage.files.empty()) in.fail(nullptr, "`files` names no file.");
  stage.begin = in.get_or("begin", stage.files.front());
  if (std::find(stage.files.begin(), stage.files.end(), stage.begin) == stage.files.end()) {
    in.fail_at("begin", fmt::format("`begin` \"{}\" is not in `files`.", stage.begin));
  }

  read_build(in, stage);
  read_elements(in, stage);
  read_values(in, stage);
  stage.rules =
      in.text({"title", "summary", "time", "needs", "begin", "limits", "task", "group", "elements",
               "values", "speed", "drawn", "adjoint", "training", "sweep", "ladder", "chart"}) +
      fmt::format("forbidden {}",
                  fmt::join(in.section("limits").strings("forbidden_symbols"), " "));
  read_limits(in, stage);
  read_correctness(in, stage);
  read_tasks_and_groups(in, stage);
  read_tables(in, stage);
  return stage;
}

}  // namespace convkit
