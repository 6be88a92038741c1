// SPDX-License-Identifier: MIT
#include "stage/training_table.h"

#include <fmt/format.h>

#include <set>

#include "convkit/digits.h"
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

// The layers that the grader can train; see grade/training/replay.h.
std::optional<Architecture> network_of(const TomlReader& in) {
  Architecture network;
  try {
    network = parse_architecture(in.get<std::string>("network"));
  } catch (const std::invalid_argument& error) {
    in.fail_at("network", error.what());
  }
  static const std::set<std::string> kKnown = {"conv",    "dense",   "relu",
                                               "maxpool", "flatten", "softmax"};
  for (const LayerSpec& layer : network.layers) {
    if (!kKnown.contains(layer.kind)) {
      in.fail_at("network",
                 fmt::format("`network` holds {}, which the grader cannot train.", layer.name));
    }
  }
  if (network.input.size() != int64_t{kDigitSize} * kDigitSize ||
      network.layers.back().out.c != kClasses) {
    in.fail_at("network", "`network` must take 1x28x28 and tell 10 classes apart.");
  }
  return network;
}

// What a training of a network depends on.
void must_hold_settings(const TomlReader& in, const TrainingAmounts& amounts) {
  for (const char* name : {"batch", "optimizer", "schedule", "lr", "momentum", "weight_decay"}) {
    if (!amounts.params.contains(name)) {
      in.fail_at("network", fmt::format("`network` needs `{}` among `params`.", name));
    }
  }
  if (amounts.batch() < 1) in.fail_at("network", "`network` needs a `batch` of 1 and more.");
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
  if (in.has("network")) amounts.network = network_of(in);
  if (amounts.network) must_hold_settings(in, amounts);
}

}  // namespace

TrainingTable read_training(const TomlReader& in) {
  in.only({"name", "title", "task", "group", "op", "data", "labels", "hidden", "train", "held_back",
           "seeds", "accuracy", "synthetic", "params", "network", "seconds", "gpu"});
  TrainingTable table;
  table.text = in.text();
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
  gpu.only(
      {"train", "held_back", "seeds", "accuracy", "synthetic", "params", "network", "seconds"});
  read_amounts(gpu, table.on_gpu);
  return table;
}

}  // namespace convkit
