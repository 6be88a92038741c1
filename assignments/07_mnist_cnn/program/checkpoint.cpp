// SPDX-License-Identifier: MIT
#include "checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "convkit/npz.h"

namespace convkit::train {
namespace {

namespace fs = std::filesystem;
using Arrays = std::map<std::string, NpyArray>;

template <class T>
NpyArray array_of(const std::vector<T>& values) {
  return make_array<T>({static_cast<int64_t>(values.size())}, std::span<const T>(values));
}

NpyArray number(int64_t value) {
  return array_of<int32_t>({static_cast<int32_t>(value)});
}

NpyArray text_array(const std::string& text) {
  return array_of(std::vector<uint8_t>(text.begin(), text.end()));
}

// The arrays of a checkpoint, with errors that name it.
class Reader {
 public:
  explicit Reader(const fs::path& file) : file_(file) {
    if (!fs::exists(file)) {
      throw UsageError(fmt::format("{}: there is no such checkpoint.", file.string()));
    }
    try {
      arrays_ = read_npz(file);
    } catch (const FormatError& error) {
      throw UsageError(fmt::format("The checkpoint cannot be used: {}", error.what()));
    }
  }

  template <class T>
  std::span<const T> values(const std::string& name) const {
    try {
      return array(name).values<T>();
    } catch (const FormatError&) {
      refuse(fmt::format("its `{}` has another type.", name));
    }
  }
  const NpyArray& array(const std::string& name) const {
    const auto at = arrays_.find(name);
    if (at == arrays_.end()) refuse(fmt::format("it has no `{}`.", name));
    return at->second;
  }
  template <class T>
  T one(const std::string& name) const {
    const auto all = values<T>(name);
    if (all.size() != 1) refuse(fmt::format("its `{}` is not one number.", name));
    return all[0];
  }
  std::string text(const std::string& name) const {
    const auto bytes = values<uint8_t>(name);
    return {bytes.begin(), bytes.end()};
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw UsageError(fmt::format("The checkpoint {} cannot be used: {}", file_.string(), why));
  }

 private:
  fs::path file_;
  Arrays arrays_;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

void compare_networks(const Reader& reader, const std::string& saved, const std::string& wanted) {
  const auto a = lines_of(saved), b = lines_of(wanted);
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string in_file = i < a.size() ? a[i] : "", here = i < b.size() ? b[i] : "";
    if (in_file == here) continue;
    reader.refuse(fmt::format("it is of another network. Layer {}: `{}` there, `{}` here.", i,
                              in_file.empty() ? "nothing" : in_file,
                              here.empty() ? "nothing" : here));
  }
}

void put(Arrays& arrays, const std::string& name, const MnistParameter& p, const float* d_values) {
  const std::vector<int64_t> dims(p.dims, p.dims + p.rank);
  const std::vector<float> values = from_device(d_values, p.size);
  arrays.emplace(name, make_array<float>(dims, values));
}

void get(const Reader& reader, const std::string& name, const MnistParameter& p, float* d_values) {
  const NpyArray& array = reader.array(name);
  if (array.dims != std::vector<int64_t>(p.dims, p.dims + p.rank)) {
    reader.refuse(fmt::format("its `{}` is {}; this network's is {}.", name,
                              fmt::join(array.dims, "x"), fmt::join(p.dims, p.dims + p.rank, "x")));
  }
  to_device(d_values, reader.values<float>(name));
}

// The optimizer's numbers: "optimizer.conv1.weight", of Adam ".m" and ".v".
struct State {
  std::string name;
  float* d_values;
};
std::vector<State> states_of(const MnistParameter& p, bool adam) {
  if (!p.trained) return {};
  const std::string name = std::string("optimizer.") + p.name;
  if (adam) return {{name + ".m", p.d_m}, {name + ".v", p.d_v}};
  return {{name, p.d_m}};
}

}  // namespace

void save(const fs::path& file, const Network& network, const Options& options, int64_t data_count,
          const Checkpoint& state) {
  Arrays arrays;
  arrays.emplace("architecture", text_array(network.text()));
  arrays.emplace("training.optimizer", text_array(options.optimizer));
  arrays.emplace("training.schedule", text_array(options.schedule));
  arrays.emplace("training.backend", text_array(options.backend));
  arrays.emplace("training.data", text_array(options.data_name));
  arrays.emplace("epoch", number(state.epoch));
  arrays.emplace("step", number(state.step));
  arrays.emplace("training.batch", number(options.batch));
  arrays.emplace("training.epochs", number(options.epochs));
  arrays.emplace("training.seed", number(options.seed));
  arrays.emplace("training.images", number(data_count));
  const auto real = [](double value) { return array_of<double>({value}); };
  arrays.emplace("training.lr", real(options.lr));
  arrays.emplace("training.momentum", real(options.momentum));
  arrays.emplace("training.weight_decay", real(options.weight_decay));
  arrays.emplace("progress.loss_sum", real(state.loss_sum));
  arrays.emplace("progress.right", number(state.right));
  arrays.emplace("progress.images", number(state.images));
  arrays.emplace("history.loss", array_of(state.history.loss));
  arrays.emplace("history.accuracy", array_of(state.history.accuracy));
  arrays.emplace("history.test_accuracy", array_of(state.history.test_accuracy));
  for (const MnistParameter& p : network.parameters()) {
    put(arrays, p.name, p, p.d_value);
    for (const State& s : states_of(p, options.optimizer == "adam")) {
      put(arrays, s.name, p, s.d_values);
    }
  }
  write_npz(file, arrays);
}

std::string read_settings(const fs::path& file, Options& options) {
  const Reader reader(file);
  const auto take = [&](const char* option, auto& value, const auto& saved) {
    if (options.given.count(option) != 0 && value != saved) {
      throw UsageError(fmt::format(
          "The training in {} has --{} {}; with {} it would be another one. Leave --{} out.",
          file.string(), option, saved, value, option));
    }
    value = saved;
  };
  take("batch", options.batch, reader.one<int32_t>("training.batch"));
  take("seed", options.seed, int64_t{reader.one<int32_t>("training.seed")});
  take("lr", options.lr, reader.one<double>("training.lr"));
  take("momentum", options.momentum, reader.one<double>("training.momentum"));
  take("weight-decay", options.weight_decay, reader.one<double>("training.weight_decay"));
  take("optimizer", options.optimizer, reader.text("training.optimizer"));
  take("schedule", options.schedule, reader.text("training.schedule"));
  take("data-name", options.data_name, reader.text("training.data"));
  if (options.given.count("backend") == 0) options.backend = reader.text("training.backend");
  if (options.given.count("epochs") == 0) options.epochs = reader.one<int32_t>("training.epochs");
  return reader.text("architecture");
}

Checkpoint restore(const fs::path& file, const Network& network, int64_t data_count) {
  const Reader reader(file);
  compare_networks(reader, reader.text("architecture"), network.text());
  if (reader.one<int32_t>("training.images") != data_count) {
    reader.refuse(fmt::format("its training has {} images, and these are {}.",
                              reader.one<int32_t>("training.images"), data_count));
  }
  Checkpoint state;
  state.epoch = reader.one<int32_t>("epoch");
  state.step = reader.one<int32_t>("step");
  if (state.step < 0 || state.epoch < 0) reader.refuse("its step or epoch is below 0.");
  state.loss_sum = reader.one<double>("progress.loss_sum");
  state.right = reader.one<int32_t>("progress.right");
  state.images = reader.one<int32_t>("progress.images");
  const auto list = [&](const char* name) {
    const auto values = reader.values<float>(std::string("history.") + name);
    return std::vector<float>(values.begin(), values.end());
  };
  state.history = {list("loss"), list("accuracy"), list("test_accuracy")};
  const bool adam = reader.text("training.optimizer") == "adam";
  for (const MnistParameter& p : network.parameters()) {
    get(reader, p.name, p, p.d_value);
    for (const State& s : states_of(p, adam)) get(reader, s.name, p, s.d_values);
  }
  return state;
}

}  // namespace convkit::train
