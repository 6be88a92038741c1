// SPDX-License-Identifier: MIT
#include "stage/training_table.h"

#include "stage/toml_reader.h"

namespace convkit {
namespace {

constexpr int64_t kMostTrain = 60000;
// With fewer answers, too many may be right by chance.
constexpr int64_t kLeastHeldBack = 100, kMostHeldBack = 10000;
constexpr int64_t kMostSeeds = 10, kMostSeconds = 3600, kMostEpochs = 10000;
constexpr double kLeastAccuracy = 0.2;  // guessing gives a tenth

Dataset data_of(const TomlReader& in) {
  const auto name = in.get<std::string>("data");
  if (name == "mnist") return Dataset::mnist;
  if (name == "fashion") return Dataset::fashion_mnist;
  in.fail_at("data", "`data` must be mnist or fashion.");
}

bool permuted(const TomlReader& in) {
  const auto labels = in.get_or<std::string>("labels", "as_is");
  if (labels != "as_is" && labels != "permuted") {
    in.fail_at("labels", "`labels` must be as_is or permuted.");
  }
  return labels == "permuted";
}

// `amounts`, with the values that `in` gives replaced; parameters one by one.
void read_amounts(const TomlReader& in, TrainingAmounts& amounts) {
  const auto number = [&](const char* key, int64_t least, int64_t most, int64_t before) {
    return in.get_in<int64_t>(key, least, most, before ? std::optional(before) : std::nullopt);
  };
  amounts.train = number("train", 1, kMostTrain, amounts.train);
  amounts.held_back = number("held_back", kLeastHeldBack, kMostHeldBack, amounts.held_back);
  amounts.seeds = static_cast<unsigned>(number("seeds", 1, kMostSeeds, amounts.seeds));
  if (amounts.wall.count() == 0 || in.has("seconds")) {
    amounts.wall = in.time_limit("seconds", kMostSeconds, std::nullopt);
  }
  const bool first = amounts.accuracy == 0;
  amounts.accuracy = in.get_in<double>("accuracy", kLeastAccuracy, 1,
                                       first ? std::nullopt : std::optional(amounts.accuracy));
  amounts.synthetic = in.get_in<double>("synthetic", kLeastAccuracy, 1,
                                        first ? amounts.accuracy : amounts.synthetic);
  for (const auto& [name, param] : in.params("params")) amounts.params[name] = param;
  if (amounts.params.contains("seed")) {
    in.fail_at("params", "`params` holds `seed`, which the grader adds.");
  }
  const auto epochs = amounts.params.find("epochs");
  if (epochs == amounts.params.end() || !epochs->second.integer || epochs->second.value < 1 ||
      epochs->second.value > kMostEpochs) {
    in.fail(in.table().get("params"),
            fmt::format("`params` must hold `epochs`, from 1 to {}.", kMostEpochs));
  }
}

}  // namespace

TrainingTable read_training(const TomlReader& in) {
  in.only({"name", "title", "task", "group", "op", "data", "labels", "hidden", "train", "held_back",
           "seeds", "accuracy", "synthetic", "params", "seconds", "gpu"});
  TrainingTable table;
  table.name = in.get<std::string>("name");
  table.title = in.get<std::string>("title");
  table.task = in.get<std::string>("task");
  table.group = in.get<std::string>("group");
  table.op = in.get<std::string>("op");
  table.data = data_of(in);
  table.permuted = permuted(in);
  table.hidden = in.flag("hidden");
  read_amounts(in, table.on_cpu);
  table.on_gpu = table.on_cpu;
  const TomlReader gpu = in.section("gpu");
  gpu.only({"train", "held_back", "seeds", "accuracy", "synthetic", "params", "seconds"});
  read_amounts(gpu, table.on_gpu);
  return table;
}

}  // namespace convkit
