// SPDX-License-Identifier: MIT
#include "stage/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "stage/kit_error.h"
#include "stage/nearest.h"

namespace convkit {
namespace {

constexpr double kMostPoints = 10000;
constexpr int64_t kMostElements = int64_t{1} << 32;

// A table of the file, with errors that name file, line and key. Every key must be known: a
// misspelt one would otherwise be ignored in silence.
class Reader {
 public:
  Reader(const toml::table& table, std::string file, std::string where)
      : table_(table), file_(std::move(file)), where_(std::move(where)) {}

  [[noreturn]] void fail(const toml::node* at, const std::string& what) const {
    const auto line = at ? at->source().begin.line : table_.source().begin.line;
    throw KitError(fmt::format("{}:{}: {}{}", file_, line, where_, what));
  }

  template <class T>
  T get(const char* key) const {
    const toml::node* node = table_.get(key);
    if (!node) fail(nullptr, fmt::format("`{}` is missing.", key));
    return as<T>(*node, key);
  }
  template <class T>
  T get_or(const char* key, T fallback) const {
    const toml::node* node = table_.get(key);
    return node ? as<T>(*node, key) : fallback;
  }
  // A number in [least, most]; NaN is in no range.
  template <class T>
  T get_in(const char* key, T least, T most, std::optional<T> fallback = std::nullopt) const {
    const T value = fallback ? get_or<T>(key, *fallback) : get<T>(key);
    if (!(value >= least && value <= most)) {
      fail(table_.get(key), fmt::format("`{}` must be between {} and {}.", key, least, most));
    }
    return value;
  }
  // A name that other files refer to: each once among its kind.
  std::string name(const char* key, std::set<std::string>& taken) const {
    const auto value = get<std::string>(key);
    if (!taken.insert(value).second) {
      fail(table_.get(key), fmt::format("`{}` \"{}\" is there twice.", key, value));
    }
    return value;
  }
  std::vector<std::string> strings(const char* key) const {
    std::vector<std::string> result;
    if (const toml::node* node = table_.get(key)) {
      const toml::array* array = node->as_array();
      if (!array) fail(node, fmt::format("`{}` must be an array of strings.", key));
      for (const toml::node& item : *array) result.push_back(as<std::string>(item, key));
    }
    return result;
  }
  std::vector<Reader> tables(const char* key) const {
    std::vector<Reader> result;
    if (const toml::node* node = table_.get(key)) {
      const toml::array* array = node->as_array();
      if (!array) fail(node, fmt::format("`{}` must be written as [[{}]].", key, key));
      for (const toml::node& item : *array) {
        if (!item.as_table()) fail(&item, fmt::format("`{}` must be written as [[{}]].", key, key));
        result.emplace_back(*item.as_table(), file_, fmt::format("[[{}]] ", key));
      }
    }
    return result;
  }
  Reader section(const char* key) const {
    static const toml::table empty;
    const toml::node* node = table_.get(key);
    if (node && !node->as_table()) fail(node, fmt::format("`{}` must be a table.", key));
    return Reader(node ? *node->as_table() : empty, file_, fmt::format("[{}] ", key));
  }
  void only(std::initializer_list<const char*> known) const {
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (std::none_of(known.begin(), known.end(), [&](const char* k) { return name == k; })) {
        fail(&node, fmt::format("unknown key `{}`.", name));
      }
    }
  }
  const toml::table& table() const { return table_; }

  std::vector<TensorShape> shapes(const char* key) const {
    std::vector<TensorShape> result;
    const toml::node* node = table_.get(key);
    if (!node || !node->as_table()) {
      fail(node, fmt::format("`{}` must be a table of shapes, such as {{x = [1, 4]}}.", key));
    }
    for (const auto& [name, dims] : *node->as_table()) {
      TensorShape shape{std::string(name.str()), {}};
      int64_t elements = 1;
      if (!dims.as_array()) fail(&dims, fmt::format("`{}` must be an array of sizes.", shape.name));
      for (const toml::node& dim : *dims.as_array()) {
        shape.dims.push_back(as<int64_t>(dim, key));
        if (shape.dims.back() < 1) fail(&dim, fmt::format("`{}` has a size below 1.", shape.name));
        if (shape.dims.back() > kMostElements / elements) {
          fail(&dim, fmt::format("`{}` has too many elements.", shape.name));
        }
        elements *= shape.dims.back();
      }
      result.push_back(std::move(shape));
    }
    return result;
  }

 private:
  template <class T>
  T as(const toml::node& node, const char* key) const {
    if constexpr (std::is_same_v<T, double>) {
      if (auto value = node.value<double>()) return *value;
      fail(&node, fmt::format("`{}` must be a number.", key));
    } else if constexpr (std::is_same_v<T, int64_t>) {
      if (node.is_integer()) return *node.value<int64_t>();
      fail(&node, fmt::format("`{}` must be an integer.", key));
    } else {
      if (auto value = node.value<std::string>()) return *value;
      fail(&node, fmt::format("`{}` must be a string.", key));
    }
  }

  const toml::table& table_;
  std::string file_;
  std::string where_;
};

SpeedCase read_speed(const Reader& in, std::set<std::string>& names) {
  in.only({"name", "title", "op", "points", "none", "full", "terms", "flop", "params", "inputs",
           "output"});
  SpeedCase speed;
  speed.name = in.name("name", names);
  speed.title = in.get<std::string>("title");
  speed.op = in.get<std::string>("op");
  speed.points = in.get_in<double>("points", 0, kMostPoints, 0);
  speed.none = in.get_or<double>("none", 1);
  speed.full = in.get_or<double>("full", 2);
  if (!(speed.full > speed.none && speed.none > 0 && std::isfinite(speed.full))) {
    in.fail(in.table().get("full"), "`full` must be above `none`, and both above 0.");
  }
  speed.terms = in.get_in<double>("terms", 1, 1e6);
  speed.flop = in.get_in<double>("flop", 1, 1e18);
  for (const auto& [key, node] : in.section("params").table()) {
    if (!node.is_number()) in.fail(&node, fmt::format("`{}` must be a number.", key.str()));
    speed.params[std::string(key.str())] = {*node.value<double>(), node.is_integer()};
  }
  speed.inputs = in.shapes("inputs");
  std::vector<TensorShape> outputs = in.shapes("output");
  if (outputs.size() != 1) in.fail(in.table().get("output"), "`output` must name one tensor.");
  speed.output = std::move(outputs.front());
  return speed;
}

double precision_of(const Reader& in) {
  const auto name = in.get_or<std::string>("precision", "float32");
  if (name == "float32") return 0x1p-24;
  if (name == "tf32" || name == "float16") return 0x1p-11;
  in.fail(in.table().get("precision"), "`precision` must be float32, tf32 or float16.");
}

}  // namespace

int64_t TensorShape::elements() const {
  int64_t product = 1;
  for (int64_t dim : dims) product *= dim;
  return product;
}

double Stage::speed_points() const {
  double sum = 0;
  for (const SpeedCase& s : speed) sum += s.points;
  return sum;
}

double Stage::max_points() const {
  double sum = speed_points();
  for (const Group& g : groups) sum += g.points;
  return sum;
}

const Task* Stage::task(const std::string& task_id) const {
  for (const Task& t : tasks) {
    if (t.id == task_id) return &t;
  }
  return nullptr;
}

Stage load_stage(const std::filesystem::path& file) {
  toml::table table;
  try {
    table = toml::parse_file(file.string());
  } catch (const toml::parse_error& error) {
    throw KitError(
        fmt::format("{}:{}: {}", file.string(), error.source().begin.line, error.description()));
  }
  const Reader in(table, file.string(), "");
  in.only({"id", "title", "summary", "time", "device", "api", "files", "build", "limits",
           "correctness", "task", "group", "speed"});
  Stage stage;
  stage.directory = file.parent_path();
  stage.id = in.get<std::string>("id");
  if (stage.id != stage.directory.filename()) {
    in.fail(table.get("id"), fmt::format("`id` is \"{}\" but the folder is named \"{}\".", stage.id,
                                         stage.directory.filename().string()));
  }
  stage.number = std::atoi(stage.id.c_str());
  stage.title = in.get<std::string>("title");
  stage.summary = in.get<std::string>("summary");
  stage.time = in.get_or<std::string>("time", "");
  stage.device = in.get<std::string>("device");
  if (stage.device != "cpu" && stage.device != "gpu") {
    in.fail(table.get("device"), "`device` must be cpu or gpu.");
  }
  stage.api = in.get<std::string>("api");
  stage.files = in.strings("files");
  if (stage.files.empty()) in.fail(nullptr, "`files` names no file.");

  const Reader build = in.section("build");
  build.only({"flags"});
  stage.flags = build.strings("flags");

  const Reader limits = in.section("limits");
  limits.only({"build_s", "case_s", "stage_s", "memory_mib", "output_kib", "forbidden_symbols"});
  // Zero would mean "no limit" further on.
  const auto limit = [&](const char* key, int64_t most, int64_t fallback) {
    return limits.get_in<int64_t>(key, 1, most, fallback);
  };
  stage.limits.build = std::chrono::seconds(limit("build_s", 3600, 60));
  stage.limits.one_case = std::chrono::seconds(limit("case_s", 3600, 10));
  stage.limits.all_cases = std::chrono::seconds(limit("stage_s", 24 * 3600, 120));
  stage.limits.memory_bytes = static_cast<uint64_t>(limit("memory_mib", 1 << 20, 2048)) << 20;
  stage.limits.output_bytes = static_cast<uint64_t>(limit("output_kib", 64 << 10, 1024)) << 10;
  stage.forbidden_symbols = limits.strings("forbidden_symbols");

  const Reader correctness = in.section("correctness");
  correctness.only({"precision", "factor"});
  stage.unit_roundoff = precision_of(correctness);
  stage.factor = correctness.get_in<double>("factor", 1, 1e6, 1);

  std::set<std::string> task_ids, group_names, speed_names;
  for (const Reader& t : in.tables("task")) {
    t.only({"id", "title", "file", "hints"});
    const auto file_name = t.get<std::string>("file");
    if (std::find(stage.files.begin(), stage.files.end(), file_name) == stage.files.end()) {
      t.fail(t.table().get("file"), fmt::format("`file` \"{}\" is not in `files`.", file_name));
    }
    stage.tasks.push_back(
        {t.name("id", task_ids), t.get<std::string>("title"), file_name, t.strings("hints")});
  }
  for (const Reader& g : in.tables("group")) {
    g.only({"name", "title", "points"});
    stage.groups.push_back({g.name("name", group_names), g.get<std::string>("title"),
                            g.get_in<double>("points", 0, kMostPoints)});
  }
  for (const Reader& s : in.tables("speed")) stage.speed.push_back(read_speed(s, speed_names));
  return stage;
}

std::vector<Stage> load_stages(const std::filesystem::path& assignments) {
  std::vector<Stage> stages;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(assignments, error)) {
    const auto file = entry.path() / "stage.toml";
    if (std::filesystem::exists(file)) stages.push_back(load_stage(file));
  }
  if (stages.empty()) {
    throw KitError(fmt::format("No stage was found below {}.", assignments.string()));
  }
  std::sort(stages.begin(), stages.end(),
            [](const Stage& a, const Stage& b) { return a.id < b.id; });
  return stages;
}

const Stage& find_stage(const std::vector<Stage>& stages, const std::string& name) {
  const bool number = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char ch) {
    return std::isdigit(ch) != 0;
  });
  for (const Stage& stage : stages) {
    if (stage.id == name) return stage;
    if (number && name.size() < 4 && stage.number == std::atoi(name.c_str())) return stage;
  }
  std::vector<std::string> ids;
  for (const Stage& stage : stages) ids.push_back(stage.id);
  const std::string near = nearest(name, ids);
  throw UsageError(fmt::format("There is no stage `{}`.{} Stages: {}.", name,
                               near.empty() ? "" : fmt::format(" Did you mean `{}`?", near),
                               fmt::join(ids, ", ")));
}

}  // namespace convkit
