// SPDX-License-Identifier: MIT
// The generators themselves, and what conformance programs cannot print of the host API.
#include <cuda_runtime.h>
#include <curand_kernel.h>

#include <array>
#include <string>
#include <vector>

#include "catch.h"
#include "simt/refused_call.h"

namespace {

template <class State>
State begun(unsigned long long seed, unsigned long long subsequence, unsigned long long offset) {
  State state;
  curand_init(seed, subsequence, offset, &state);
  return state;
}

template <class State>
std::array<unsigned, 5> next_five(State state) {
  std::array<unsigned, 5> draws;
  for (unsigned& draw : draws) draw = curand(&state);
  return draws;
}

std::array<unsigned, 4> philox(uint4 counter, uint2 key) {
  const uint4 out = curand_Philox4x32_10(counter, key);
  return {out.x, out.y, out.z, out.w};
}

std::string why(curandStatus_t status) {
  return convkit_simt_why_refused(CONVKIT_SIMT_CURAND, status);
}

}  // namespace

TEMPLATE_TEST_CASE("a skip is as many draws", "", curandStateXORWOW, curandStatePhilox4_32_10,
                   curandStateMRG32k3a) {
  auto stepped = begun<TestType>(5, 3, 0);
  for (unsigned long long n = 0; n < 600; ++n, curand(&stepped)) {
    const auto expected = next_five(stepped);
    REQUIRE(next_five(begun<TestType>(5, 3, n)) == expected);
    auto skipped = begun<TestType>(5, 3, n / 3);
    skipahead(n - n / 3, &skipped);
    REQUIRE(next_five(skipped) == expected);
  }
}

TEMPLATE_TEST_CASE("skips add up, also far ones", "", curandStateXORWOW, curandStatePhilox4_32_10,
                   curandStateMRG32k3a) {
  const unsigned long long far = 0x123456789abcdefull;
  auto twice = begun<TestType>(5, far, far);
  skipahead(far, &twice);
  skipahead(7ull, &twice);
  CHECK(next_five(twice) == next_five(begun<TestType>(5, far, 2 * far + 7)));
}

TEST_CASE("XORWOW's subsequences are 2^67 draws apart") {
  auto state = begun<curandStateXORWOW>(5, 0, 0);
  for (int i = 0; i < 16; ++i) skipahead(1ull << 63, &state);
  CHECK(next_five(state) == next_five(begun<curandStateXORWOW>(5, 1, 0)));
}

TEST_CASE("Philox's subsequences are 2^66 draws apart") {
  auto state = begun<curandStatePhilox4_32_10>(5, 0, 0);
  for (int i = 0; i < 8; ++i) skipahead(1ull << 63, &state);
  CHECK(next_five(state) == next_five(begun<curandStatePhilox4_32_10>(5, 1, 0)));
}

TEST_CASE("MRG32k3a's subsequences are 2^76 draws apart, its sequences 2^127") {
  auto state = begun<curandStateMRG32k3a>(5, 0, 0);
  for (int i = 0; i < 1 << 13; ++i) skipahead(1ull << 63, &state);
  CHECK(next_five(state) == next_five(begun<curandStateMRG32k3a>(5, 1, 0)));
  state = begun<curandStateMRG32k3a>(5, 1ull << 50, 0);
  skipahead_subsequence(1ull << 50, &state);
  auto sequence = begun<curandStateMRG32k3a>(5, 0, 0);
  skipahead_sequence(1, &sequence);
  CHECK(next_five(state) == next_five(sequence));
}

// Salmon et al.'s Random123, kat_vectors.
TEST_CASE("Philox4x32-10 gives its authors' known answers") {
  constexpr unsigned kAll = 0xffffffff;
  CHECK(philox({0, 0, 0, 0}, {0, 0}) ==
        std::array{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u});
  CHECK(philox({kAll, kAll, kAll, kAll}, {kAll, kAll}) ==
        std::array{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        std::array{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u});
}

TEST_CASE("uniform numbers reach 1 and not 0") {
  using convkit::simt::uniform_of;
  CHECK(uniform_of(0u) == 0x1p-33f);
  CHECK(uniform_of(0xffffffffu) == 1);
  CHECK(uniform_of(0u, 0u) == 0x1p-54);
  CHECK(uniform_of(0x1fffffu, 0xffffffffu) == 1);  // 11 bits of the two draws lie on each other
}

TEST_CASE("settings made before an operation runs are not its own") {
  curandGenerator_t generator;
  REQUIRE(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
  unsigned* x = nullptr;
  REQUIRE(cudaMallocManaged(&x, 8 * sizeof(unsigned)) == cudaSuccess);
  CHECK(curandGenerate(generator, x, 4) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetPseudoRandomGeneratorSeed(generator, 77) == CURAND_STATUS_SUCCESS);
  CHECK(curandGenerate(generator, x + 4, 4) == CURAND_STATUS_SUCCESS);
  CHECK(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS);
  for (unsigned i = 0; i < 8; ++i) {  // a new seed keeps the place
    auto state = begun<curandStateXORWOW>(i < 4 ? 0 : 77, i, 0);
    CHECK(x[i] == curand(&state));
  }
  cudaFree(x);
}

TEST_CASE("what is refused says why") {
  curandGenerator_t generator = nullptr;
  CHECK(curandCreateGeneratorHost(&generator, static_cast<curandRngType_t>(142)) ==
        CURAND_STATUS_TYPE_ERROR);
  CHECK(why(CURAND_STATUS_TYPE_ERROR).find("rng_type is 142") != std::string::npos);
  CHECK(curandGenerateSeeds(generator) == CURAND_STATUS_NOT_INITIALIZED);

  REQUIRE(curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_XORWOW) == CURAND_STATUS_SUCCESS);
  std::vector<float> out(4);
  CHECK(curandGenerateNormal(generator, out.data(), 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK(why(CURAND_STATUS_LENGTH_NOT_MULTIPLE).find("n is 3") != std::string::npos);
  CHECK(curandGenerateUniform(generator, nullptr, 3) == CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_DYNAMIC) ==
        CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandGenerateUniform(generator, nullptr, 0) == CURAND_STATUS_SUCCESS);
  CHECK(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS);
  CHECK(curandDestroyGenerator(generator) == CURAND_STATUS_NOT_INITIALIZED);
}
