// SPDX-License-Identifier: MIT
// Dropout. Which elements stay is each device's affair; how many, how they are scaled, and that the
// gradient goes the same way, is not. Link with -lcudnn.
#include "../check_cudnn.h"

using Dropout =
    Owner<cudnnDropoutDescriptor_t, cudnnCreateDropoutDescriptor, cudnnDestroyDropoutDescriptor>;

int main() {
  const Dnn dnn;
  const Dropout dropout;
  constexpr int kCount = 4 * 4 * 32 * 32;
  const Tensor desc(4, 4, 32, 32);
  std::size_t state_bytes = 0, reserve_bytes = 0;
  CHECK(cudnnDropoutGetStatesSize(dnn, &state_bytes));
  CHECK(cudnnDropoutGetReserveSpaceSize(desc, &reserve_bytes));
  expect("it needs both", state_bytes > 0 && reserve_bytes > 0);
  const DeviceArray<char> states(state_bytes), reserve(reserve_bytes);
  const DeviceArray<float> x(std::vector<float>(kCount, 3)), y(kCount), dx(kCount);
  constexpr float kProbability = 0.25f;
  constexpr unsigned long long kSeed = 2026;
  CHECK(cudnnSetDropoutDescriptor(dropout, dnn, kProbability, states.data(), state_bytes, kSeed));
  const auto forward = [&] {
    CHECK(cudnnDropoutForward(dnn, dropout, desc, x.data(), desc, y.data(), reserve.data(),
                              reserve_bytes));
    return y.host();
  };

  const std::vector<float> first = forward();
  int dropped = 0;
  bool scaled = true;
  for (const float value : first) {
    if (value == 0) {
      ++dropped;
    } else {
      scaled = scaled && value == 4;  // 3 / 0.75
    }
  }
  expect("a quarter is dropped", dropped > kCount / 4 - 400 && dropped < kCount / 4 + 400);
  expect("the rest is scaled", scaled);
  CHECK(cudnnDropoutBackward(dnn, dropout, desc, x.data(), desc, dx.data(), reserve.data(),
                             reserve_bytes));
  expect("the gradient goes the same way", dx.host() == first);

  const std::vector<float> second = forward();
  expect("another call drops others", second != first);
  CHECK(cudnnSetDropoutDescriptor(dropout, dnn, kProbability, states.data(), state_bytes, kSeed));
  expect("the same seed, the same again", forward() == first);
  CHECK(
      cudnnRestoreDropoutDescriptor(dropout, dnn, kProbability, states.data(), state_bytes, kSeed));
  expect("restored, it goes on", forward() == second);

  float probability = 0;
  void* where = nullptr;
  unsigned long long seed = 0;
  CHECK(cudnnGetDropoutDescriptor(dropout, dnn, &probability, &where, &seed));
  expect("the descriptor", probability == kProbability && where == states.data() && seed == kSeed);
  CHECK(cudnnSetDropoutDescriptor(dropout, dnn, 0, states.data(), state_bytes, kSeed));
  expect("with probability 0 all stays", forward() == x.host());
}

/* Prints:
it needs both: ok
a quarter is dropped: ok
the rest is scaled: ok
the gradient goes the same way: ok
another call drops others: ok
the same seed, the same again: ok
restored, it goes on: ok
the descriptor: ok
with probability 0 all stays: ok
*/
