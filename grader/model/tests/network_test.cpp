// SPDX-License-Identifier: MIT
// Networks small enough to compute by hand, and checkpoints that are not what they should be.
#include "model/network.h"

#include <cmath>
#include <limits>

#include "catch.h"
#include "convkit/kit_error.h"
#include "convkit/npz.h"
#include "runtime/tests/test_files.h"

namespace convkit {
namespace {

using Arrays = std::map<std::string, NpyArray>;

NpyArray floats(const std::vector<int64_t>& dims, float value) {
  int64_t count = 1;
  for (const int64_t dim : dims) count *= dim;
  return make_array(dims,
                    std::span<const float>(std::vector<float>(static_cast<size_t>(count), value)));
}

NpyArray text(const std::string& words) {
  return make_array({static_cast<int64_t>(words.size())},
                    std::span(reinterpret_cast<const uint8_t*>(words.data()), words.size()));
}

Arrays small_network() {
  return {{"architecture", text("input 1x28x28\nconv 2 5x5\nbatchnorm\nrelu\nmaxpool 4x4\nflatten\n"
                                "dropout 0.5\ndense 10\nsoftmax\n")},
          {"conv1.weight", floats({2, 1, 5, 5}, 0.1f)},
          {"conv1.bias", floats({2}, 0)},
          {"batchnorm1.scale", floats({2}, 1)},
          {"batchnorm1.shift", floats({2}, 0)},
          {"batchnorm1.mean", floats({2}, 0)},
          {"batchnorm1.variance", floats({2}, 1)},
          {"dense1.weight", floats({10, 72}, 0)},
          {"dense1.bias", floats({10}, 0)},
          {"optimizer.dense1.bias", floats({10}, 0)}};
}

// What load_network says, without the file's name; "" where it takes it.
std::string refusal(const Arrays& arrays) {
  const test::TemporaryFolder folder;
  const auto file = folder / "model.npz";
  write_npz(file, arrays);
  try {
    load_network(file);
  } catch (const FormatError& error) {
    const std::string said = error.what(), name = "'" + file.string() + "'";
    REQUIRE(said.starts_with(name));
    return said.substr(name.size());
  }
  return "";
}

std::string refusal_with(const std::string& name, NpyArray array) {
  Arrays arrays = small_network();
  arrays[name] = std::move(array);
  return refusal(arrays);
}

LayerSpec layer_of(const std::string& lines) {
  return parse_architecture(lines + "\nflatten\nsoftmax\n").layers.front();
}

TEST_CASE("a network is computed layer by layer") {
  const test::TemporaryFolder folder;
  Arrays arrays = small_network();
  std::vector<float> bias(10, 0);
  bias[3] = std::log(4.0f);
  arrays["dense1.bias"] = make_array({10}, std::span<const float>(bias));
  write_npz(folder / "model.npz", arrays);
  const Network network = load_network(folder / "model.npz");
  const std::vector<uint8_t> image(784, 200);
  const std::vector<double> probabilities = predict(network, image);
  REQUIRE(probabilities.size() == 10);
  CHECK(probabilities[3] == Approx(4.0 / 13));
  CHECK(probabilities[0] == Approx(1.0 / 13));
}

TEST_CASE("a convolution pads with zeros and does not turn its kernel") {
  const LayerSpec layer = layer_of("input 1x2x3\nconv 1 3x3 pad 1");
  const std::vector<double> x = {1, 2, 3, 4, 5, 6};
  const std::vector<float> w = {1, 0, 0, 0, 10, 0, 0, 0, 100}, b = {0.5f};
  // Up left once, itself ten times, down right a hundred times.
  CHECK(convolve(layer, x, w, b) == std::vector<double>{510.5, 620.5, 30.5, 40.5, 51.5, 62.5});
}

TEST_CASE("a window drops what is left over at the edge") {
  const std::vector<double> x = {1, 5, -3, 2, 3, 9};
  CHECK(pool(layer_of("input 1x2x3\nmaxpool 2x2"), x) == std::vector<double>{5});
  CHECK(pool(layer_of("input 1x2x3\navgpool 2x2"), x) == std::vector<double>{2.75});
  const std::vector<double> negative = {-4, -3, -2, -1};
  CHECK(pool(layer_of("input 1x2x2\nmaxpool 2x2"), negative) == std::vector<double>{-1});
}

TEST_CASE("softmax of large scores does not overflow") {
  std::vector<double> x = {1000, 1000, -1000};
  softmax(x);
  CHECK(x == std::vector<double>{0.5, 0.5, 0});
}

TEST_CASE("a checkpoint that does not fit its architecture names the layer") {
  CHECK(refusal(small_network()).empty());
  CHECK(refusal_with("conv1.weight", floats({2, 1, 3, 3}, 0)) ==
        ": `conv1.weight` is float32 [2, 1, 3, 3], but layer conv1 (`conv 2 5x5`) needs float32 "
        "[2, 1, 5, 5].");
  CHECK(refusal_with("dense1.bias", text("0123456789")) ==
        ": `dense1.bias` is uint8 [10], but layer dense1 (`dense 10`) needs float32 [10].");
  Arrays arrays = small_network();
  arrays.erase("batchnorm1.mean");
  CHECK(refusal(arrays) ==
        " holds no `batchnorm1.mean`, which layer batchnorm1 (`batchnorm`) needs.");
  CHECK(refusal_with("conv1.bias", floats({2}, std::numeric_limits<float>::infinity())) ==
        ": element 0 of `conv1.bias`, in layer conv1 (`conv 2 5x5`), is NaN or infinite.");
}

TEST_CASE("an invalid architecture is refused with its line") {
  Arrays arrays = small_network();
  arrays.erase("architecture");
  CHECK(refusal(arrays) ==
        " is not a checkpoint: it has no `architecture`, the text of a network.");
  CHECK(refusal_with("architecture", floats({3}, 0)) ==
        ": `architecture` must be a text: uint8, at most 65536 bytes.");
  CHECK(refusal_with("architecture", text(std::string(70000, 'x'))).find("at most") !=
        std::string::npos);
  CHECK(refusal_with("architecture", text("input 1x28x28\nconv 0 5x5\n")).find("Line 2") !=
        std::string::npos);
  CHECK_FALSE(refusal_with("architecture", text("input 1x28x28\n\x1b[31m\n")).find('\x1b') !=
              std::string::npos);
  CHECK(refusal_with("architecture", text("input 3x32x32\nflatten\nsoftmax\n")) ==
        " is a network for inputs of 3x32x32, not for images of 1x28x28.");
  CHECK(refusal_with("architecture", text("input 65535x65535x65535\nflatten\nsoftmax\n")) != "");
  CHECK(refusal_with("architecture",
                     text("input 1x28x28\nconv 20000 28x28 pad 13\nconv 20000 28x28 pad 13\n"
                          "flatten\nsoftmax\n"))
            .find("too large") != std::string::npos);
}

TEST_CASE("a checkpoint cut short is refused") {
  const test::TemporaryFolder folder;
  write_npz(folder / "model.npz", small_network());
  const std::string bytes = test::file_text(folder / "model.npz");
  for (const size_t length : {size_t{0}, size_t{10}, bytes.size() / 2, bytes.size() - 1}) {
    test::write_text(folder / "cut.npz", bytes.substr(0, length));
    CHECK_THROWS_AS(load_network(folder / "cut.npz"), FormatError);
  }
  CHECK_THROWS_AS(load_network(folder / "none.npz"), FormatError);
}

TEST_CASE("a score that overflows is told with its layer") {
  const test::TemporaryFolder folder;
  Arrays arrays = small_network();
  arrays["batchnorm1.variance"] = floats({2}, -1);
  write_npz(folder / "model.npz", arrays);
  const Network network = load_network(folder / "model.npz");
  CHECK_THROWS_WITH(predict(network, std::vector<uint8_t>(784, 200)),
                    "Layer batchnorm1 (`batchnorm`) gives values that are not finite.");
}

}  // namespace
}  // namespace convkit
