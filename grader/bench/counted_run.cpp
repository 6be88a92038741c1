// SPDX-License-Identifier: MIT
#include "bench/counted_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "grade/verdict.h"

namespace convkit {
namespace {

SharedArena arena_of(const std::vector<TensorShape>& shapes) {
  std::vector<TensorSpec> specs;
  for (const TensorShape& shape : shapes) specs.push_back({shape.name, DType::float32, shape.dims});
  return SharedArena(std::move(specs));
}

// [n][c][h][w], and not filters [m][c][kh][kw] of which there happen to be as many as images.
bool is_batch(const TensorShape& tensor, const Params& params) {
  const auto is = [&](size_t axis, const char* name) {
    const auto param = params.find(name);
    return param != params.end() && static_cast<double>(tensor.dims[axis]) == param->second.value;
  };
  if (tensor.dims.size() != 4 || !is(0, "n")) return false;
  return !(is(0, "m") && is(2, "kh") && is(3, "kw"));
}

bool has_batch(const SpeedCase& speed) {
  return std::ranges::any_of(
      speed.inputs, [&](const TensorShape& tensor) { return is_batch(tensor, speed.params); });
}

}  // namespace

CountedShape counted_shape(const SpeedCase& speed) {
  if (speed.count) return *speed.count;
  CountedShape shape{speed.params, speed.inputs, speed.output, speed.flop};
  if (!has_batch(speed)) return shape;
  for (TensorShape& input : shape.inputs) {
    if (is_batch(input, speed.params)) input.dims.front() = 1;
  }
  if (is_batch(shape.output, speed.params)) shape.output.dims.front() = 1;
  shape.flop /= shape.params["n"].value;
  shape.params["n"].value = 1;
  return shape;
}

std::string counted_shape_text(const SpeedCase& speed) {
  if (speed.count) {
    std::string text;
    for (const auto& [name, param] : speed.count->params) {
      const auto timed = speed.params.find(name);
      if (timed != speed.params.end() && timed->second.value == param.value) continue;
      text += fmt::format("{}{} = {:g}", text.empty() ? "here " : ", ", name, param.value);
    }
    return text;
  }
  return has_batch(speed) ? "one image" : "";
}

std::string no_kernel(const Counted& counted, const std::string& op) {
  if (counted.of("launches") > 0) return "";
  return fmt::format("{} launches no kernel: not started?", op);
}

std::string not_started_sentence(const std::string& todo, const std::string& op) {
  return fmt::format("{} is not started.", todo.empty() ? op : todo);
}

Counted count_run(const Stage& stage, SessionOptions session_options, const std::string& op,
                  const CountedShape& shape) {
  SharedArena inputs = arena_of(shape.inputs), outputs = arena_of({shape.output});
  for (size_t i = 0; i < inputs.tensors().size(); ++i) {
    std::ranges::fill(inputs.bytes(i), std::byte{0});
  }
  outputs.poison();
  session_options.environment.emplace_back("CONVKIT_SIMT_COUNT=1");
  Session session(session_options);
  Answer answer = session.start();
  if (answer.kind == Answer::Kind::ok) answer = session.prepare(op, shape.params, inputs, outputs);
  if (answer.kind == Answer::Kind::ok) answer = session.run();
  Counted counted;
  counted.outputs = static_cast<double>(shape.output.elements());
  if (answer.kind != Answer::Kind::ok) {
    counted.problem = verdict_of(answer, stage, op, -1).message;
    return counted;
  }
  std::istringstream words(answer.text);  // "launches 1 threads 4096 ..."
  std::string name;
  for (double value = 0; words >> name >> value;) {
    if (name == "library_calls") break;  // behind the counts of kernels
    counted.counts[name] = value;
  }
  // What calls other functions may reach a stub of theirs.
  if (answer.todo_reached > 0 && counted.of("launches") == 0) {
    counted.problem = not_started_sentence(answer.todo, op);
    counted.not_started = true;
  }
  return counted;
}

}  // namespace convkit
