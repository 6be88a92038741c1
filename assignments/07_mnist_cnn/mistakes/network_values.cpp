// SPDX-License-Identifier: MIT
#include "network_values.h"

#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "../network_texts.h"
#include "convkit/counter_random.h"

namespace convkit::stage_07 {

double number(const Evidence& evidence, const char* name) {
  const auto found = evidence.params.find(name);
  return found == evidence.params.end() ? 0.0 : double(float(found->second));
}

int64_t whole(const Evidence& evidence, const char* name) {
  const auto found = evidence.params.find(name);
  return found == evidence.params.end() ? 0 : int64_t(found->second);
}

std::vector<double> input(const Evidence& evidence, const std::string& name) {
  for (const CaseTensor& tensor : evidence.inputs) {
    if (tensor.name == name) return {tensor.f32.begin(), tensor.f32.end()};
  }
  return {};
}

std::optional<Architecture> architecture_of(const Evidence& evidence) {
  const int64_t net = whole(evidence, "net");
  if (net < 0 || net >= int64_t(std::size(kNetworks))) return std::nullopt;
  return parse_architecture(kNetworks[net]);
}

NetworkParameters given_parameters(NetworkProgram& program, const Architecture& network,
                                   const Evidence& evidence) {
  NetworkParameters result;
  for (const auto& [name, size] : parameters_of(network)) {
    result[name] = program.add(name, size, input(evidence, name));
  }
  return result;
}

std::map<std::string, std::vector<double>> first_parameters(const Architecture& network,
                                                            int64_t seed) {
  std::map<std::string, std::vector<double>> all;
  uint64_t stream = 0;
  for (const auto& [name, size] : parameters_of(network)) {
    const bool is_one = name.ends_with("_scale") || name.ends_with("_variance");
    std::vector<double>& values = all[name];
    values.assign(size_t(size), is_one ? 1 : 0);
    for (const LayerSpec& layer : network.layers) {
      if (name != layer.name + "_weight") continue;
      const double limit = std::sqrt(3 * double(layer.out.c) / double(size));  // size / c: fan_in
      for (size_t i = 0; i < values.size(); ++i) {
        values[i] = limit * (2 * double(uniform_float(uint64_t(seed), stream, i)) - 1);
      }
    }
    ++stream;
  }
  return all;
}

int add_pixels(NetworkProgram& program, const Architecture& network, int bytes, int64_t n) {
  NetworkOp op{OpKind::pixels, "the images", {bytes}, {}};
  op.n = n, op.c = network.input.size();
  op.a = 0.1307, op.b = 0.3081;
  op.out = {program.add("the images", op.size())};
  program.ops.push_back(op);
  return op.out[0];
}

int value_of_output(const Evidence& evidence, const char* prefix, const NetworkParameters& values) {
  const std::string& name = evidence.got.name;
  if (!name.starts_with(prefix)) return -1;
  const auto found = values.find(name.substr(std::string_view(prefix).size()));
  return found == values.end() ? -1 : found->second;
}

std::vector<double> order_of_epoch(uint64_t seed, uint64_t epoch, int64_t count) {
  std::vector<double> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0.0);
  for (size_t i = order.size(); i-- > 1;) {
    const uint64_t j = random_bits(seed, 1000 + epoch, i) % (uint64_t(i) + 1);
    std::swap(order[i], order[size_t(j)]);
  }
  return order;
}

}  // namespace convkit::stage_07
