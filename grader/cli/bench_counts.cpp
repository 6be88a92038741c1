// SPDX-License-Identifier: MIT
#include "cli/bench_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/console.h"
#include "cli/work_folder.h"
#include "convkit/atomic_file.h"
#include "grade/verdict.h"
#include "stage/kit_error.h"

namespace convkit {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

struct Counted {
  std::string name;
  fs::path library;
};

// "launches 1 threads 4096 ..."
std::map<std::string, double> parsed(const std::string& text) {
  std::map<std::string, double> counts;
  std::istringstream words(text);
  std::string name;
  for (double value = 0; words >> name >> value;) counts[name] = value;
  return counts;
}

SharedArena filled(const std::vector<TensorShape>& shapes) {
  std::vector<TensorSpec> specs;
  for (const TensorShape& shape : shapes) specs.push_back({shape.name, DType::float32, shape.dims});
  return SharedArena(std::move(specs));
}

// The shape with one image: what is counted for each output does not depend on how many there are.
SpeedCase one_image(SpeedCase speed) {
  const auto n = speed.params.find("n");
  if (n == speed.params.end()) return speed;
  for (TensorShape* tensor : {&speed.inputs.front(), &speed.output}) {
    if (static_cast<double>(tensor->dims.front()) == n->second.value) tensor->dims.front() = 1;
  }
  n->second.value = 1;
  return speed;
}

class Counting {
 public:
  Counting(const Kit& kit, const Stage& stage)
      : kit_(kit), stage_(stage), builder_(kit.builder()) {}

  void add(const std::string& name, const fs::path& folder) {
    StatusLine status;
    status.doing(fmt::format("compiling {}", name));
    const BuildResult built =
        builder_.build(kit_.build_request(stage_, folder, list_files(folder), true), pool_);
    if (built.status != BuildResult::Status::ok) {
      throw UsageError(fmt::format("{} does not build: {}", name, built.message));
    }
    contestants_.push_back({name, built.library});
  }

  bool show(const SpeedCase& whole, ordered_json& out) {
    const SpeedCase speed = one_image(whole);
    fmt::print("\n{}  ({}), one image\n", speed.title, speed.name);
    ordered_json rows = ordered_json::array();
    bool good = true;
    for (const Counted& contestant : contestants_) {
      SharedArena inputs = filled(speed.inputs);
      SharedArena outputs = filled({speed.output});
      for (size_t i = 0; i < inputs.tensors().size(); ++i) {
        std::ranges::fill(inputs.bytes(i), std::byte{0});
      }
      outputs.poison();
      SessionOptions options = kit_.session_options(stage_, contestant.library, true);
      options.limits.wall = std::chrono::seconds(120);
      options.environment.emplace_back("CONVKIT_SIMT_COUNT=1");
      Session session(options);
      Answer answer = session.start();
      if (answer.kind == Answer::Kind::ok) {
        answer = session.prepare(speed.op, speed.params, inputs, outputs);
      }
      if (answer.kind == Answer::Kind::ok) answer = session.run();
      if (answer.kind != Answer::Kind::ok) {
        good = false;
        const std::string why = verdict_of(answer, stage_, speed.op, -1).message;
        fmt::print("  {:<16} {}\n", contestant.name, why);
        rows.push_back({{"name", contestant.name}, {"error", why}});
        continue;
      }
      auto counts = parsed(answer.text);
      const auto elements = static_cast<double>(speed.output.elements());
      fmt::print(
          "  {:<16} {:>3.0f} launches  {:>10.0f} threads  {:>7.2f} barriers a thread  {:>8.2f} "
          "loads an output\n",
          contestant.name, counts["launches"], counts["threads"],
          counts["barriers"] / std::max(1.0, counts["threads"]), counts["global_loads"] / elements);
      ordered_json row = {{"name", contestant.name}};
      for (const auto& [name, value] : counts) row[name] = value;
      row["outputs"] = elements;
      rows.push_back(row);
    }
    out.push_back({{"name", speed.name}, {"rows", rows}});
    return good;
  }

 private:
  const Kit& kit_;
  const Stage& stage_;
  Builder builder_;
  ThreadPool pool_;
  std::vector<Counted> contestants_;
};

}  // namespace

int run_bench_counts(const Kit& kit, const Stage& stage, const BenchOptions& options) {
  fmt::print(
      "{} on the CPU device: no times, because how long a kernel takes here does not predict how\n"
      "long it takes on a GPU. What it does is the same on both; a load is one access to global\n"
      "memory by one thread, whatever its width.\n",
      stage.id);
  Counting counting(kit, stage);
  counting.add("baseline", stage.directory / "baseline");
  if (!options.folder.empty() || !options.solution || fs::exists(kit.work(stage))) {
    const WorkFolder work = open_work(kit, stage, options.folder);
    counting.add(options.folder.empty() ? "yours" : options.folder.filename().string(),
                 work.folder);
  }
  if (options.solution) counting.add("solution", kit.solution(stage));
  ordered_json out = {{"schema", "convkit-counts-1"},
                      {"kit_version", kit.version},
                      {"stage", stage.id},
                      {"shapes", ordered_json::array()}};
  bool good = true;
  for (const SpeedCase& speed : stage.speed) {
    const auto& wanted = options.shapes;
    if (!wanted.empty() && std::ranges::find(wanted, speed.name) == wanted.end()) continue;
    if (interrupted()) break;
    good = counting.show(speed, out["shapes"]) && good;
  }
  if (!options.json.empty()) {
    const std::string text = out.dump(2) + "\n";
    AtomicFile file(options.json);
    file.append(std::as_bytes(std::span(text.data(), text.size())));
    file.commit();
  }
  return good ? 0 : 1;
}

}  // namespace convkit
