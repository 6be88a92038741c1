// SPDX-License-Identifier: MIT
#include "models.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "options.h"

namespace convkit::train {
namespace {

constexpr const char* kMlp = R"(input 1x28x28
flatten
dense 128
relu
dense 10
softmax
)";

constexpr const char* kLenet = R"(input 1x28x28
conv 8 5x5
relu
maxpool 2x2
conv 16 5x5
relu
maxpool 2x2
flatten
dense 64
relu
dense 10
softmax
)";

constexpr const char* kCnn = R"(input 1x28x28
conv 32 5x5
relu
maxpool 2x2
conv 64 5x5
relu
maxpool 2x2
flatten
dense 128
relu
dense 10
softmax
)";

}  // namespace

std::string model_text(const std::string& model) {
  if (model == "mlp") return kMlp;
  if (model == "lenet") return kLenet;
  if (model == "cnn") return kCnn;
  std::ifstream file(model, std::ios::binary);
  if (!file) {
    throw UsageError(fmt::format(
        "--model {}: there is no such model (mlp, lenet, cnn) and no such file.", model));
  }
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace convkit::train
