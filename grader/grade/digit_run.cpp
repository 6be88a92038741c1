// SPDX-License-Identifier: MIT
#include "grade/digit_run.h"

#include <algorithm>
#include <cstring>

#include "convkit/kit_error.h"
#include "convkit/npz.h"
#include "grade/verdict.h"

namespace convkit {
namespace {

constexpr int64_t kSide = 28;

}  // namespace

DigitRun run_digits(const Kit& kit, const Stage& stage, const std::filesystem::path& library,
                    const std::filesystem::path& weights, const LabelledImages& digits) {
  std::map<std::string, NpyArray> parameters;
  try {
    parameters = read_npz(weights);
  } catch (const FormatError& error) {
    throw KitError(error.what());
  }
  std::vector<TensorSpec> specs = {{"x", DType::float32, {digits.count, 1, kSide, kSide}}};
  for (const auto& [name, array] : parameters) specs.push_back({name, array.dtype, array.dims});
  SharedArena inputs(specs);
  SharedArena outputs({{"y", DType::float32, {digits.count, kClasses}}});
  auto* x = reinterpret_cast<float*>(inputs.bytes(0).data());
  std::transform(digits.images.begin(), digits.images.end(), x,
                 [](uint8_t grey) { return static_cast<float>(grey) / 255.0f; });
  size_t next = 1;
  for (const auto& [name, array] : parameters) {
    std::memcpy(inputs.bytes(next++).data(), array.bytes.data(), array.bytes.size());
  }
  outputs.poison();

  DigitRun run;
  Session session(kit.session_options(stage, library));
  Answer answer = session.start();
  if (answer.kind == Answer::Kind::ok) {
    answer = session.prepare("lenet_forward", {{"n", {static_cast<double>(digits.count), true}}},
                             inputs, outputs);
  }
  if (answer.kind == Answer::Kind::ok) answer = session.run();
  if (answer.kind != Answer::Kind::ok) {
    run.failure = verdict_of(answer, stage, "lenet_forward", -1).message;
    return run;
  }
  const auto* y = reinterpret_cast<const float*>(outputs.bytes(0).data());
  run.probabilities.assign(y, y + digits.count * kClasses);
  for (int64_t i = 0; i < digits.count; ++i) {
    const auto row = run.probabilities.begin() + i * kClasses;
    run.right +=
        std::max_element(row, row + kClasses) - row == digits.labels[static_cast<size_t>(i)];
  }
  return run;
}

}  // namespace convkit
