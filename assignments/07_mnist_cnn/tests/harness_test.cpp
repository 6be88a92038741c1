// SPDX-License-Identifier: MIT
// What the harness asks of a submission: calls of a timing, of which up to a thousand are prepared
// at once.
#include "runner/harness.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "catch.h"
#include "mnist_cnn.h"

namespace convkit::harness {
namespace {

int networks_alive = 0;

cudaError_t create(const char*, int, uint64_t, int, MnistNetwork** network) {
  ++networks_alive;
  *network = reinterpret_cast<MnistNetwork*>(&networks_alive);
  return cudaSuccess;
}
void destroy(MnistNetwork*) {
  --networks_alive;
}
int list_no_parameters(const MnistNetwork*, MnistParameter*, int) {
  return 0;
}
cudaError_t forward(MnistNetwork*, const float*, int, int, int64_t, float*, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t backward(MnistNetwork*, const float*, const float*, int, float*, cudaStream_t) {
  return cudaSuccess;
}

// One step of a batch of 2.
class Step final : public Call {
 public:
  void* device_scratch(std::string_view, size_t) const override { return memory_; }
  CUstream_st* stream() const override { return nullptr; }
  void expect_untouched() const override {}
  std::span<const int64_t> dims(std::string_view) const override { return dims_; }
  int64_t integer(std::string_view name) const override { return name == "n" ? 2 : 0; }
  double real(std::string_view) const override { return 0; }

 protected:
  void* symbol_address(const char* symbol) const override {
    const std::pair<const char*, void*> functions[] = {
        {"mnist_create", reinterpret_cast<void*>(&create)},
        {"mnist_destroy", reinterpret_cast<void*>(&destroy)},
        {"mnist_parameters", reinterpret_cast<void*>(&list_no_parameters)},
        {"mnist_forward", reinterpret_cast<void*>(&forward)},
        {"mnist_backward", reinterpret_cast<void*>(&backward)}};
    for (const auto& [name, address] : functions) {
      if (std::strcmp(name, symbol) == 0) return address;
    }
    throw std::logic_error(symbol);
  }
  const void* input_bytes(std::string_view, Type) const override { return memory_; }
  void* output_bytes(std::string_view, Type) const override { return memory_; }
  void* device_bytes(std::string_view, bool, Type) const override { return memory_; }

 private:
  mutable float memory_[20] = {};
  std::vector<int64_t> dims_ = {2, 10};
};

TEST_CASE("all calls of a timing share one network, so that a thousand fit into a device") {
  const std::span<const Op> ops = stage_ops();
  const auto op = std::ranges::find_if(
      ops, [](const Op& one) { return std::string_view(one.name) == "training_step"; });
  REQUIRE(op != ops.end());
  const Step call;
  {
    std::vector<Launch> launches;
    for (int slot = 0; slot < 3; ++slot) launches.push_back(op->prepare(call));
    CHECK(networks_alive == 1);
    for (const Launch& launch : launches) CHECK_NOTHROW(launch());
  }
  CHECK(networks_alive == 0);
  const Launch next_case = op->prepare(call);
  CHECK(networks_alive == 1);
}

}  // namespace
}  // namespace convkit::harness
