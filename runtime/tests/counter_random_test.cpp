// SPDX-License-Identifier: MIT
#include "convkit/counter_random.h"

#include "catch.h"

namespace {

// References, digits and the numbers that students draw depend on every bit.
TEST_CASE("the numbers of SplitMix64 are those of its authors") {
  CHECK(splitmix64(0, 1) == 0xe220a8397b1dcdaf);
  CHECK(splitmix64(0, 2) == 0x6e789e6aa1b965f4);
}

TEST_CASE("a number of a stream is the same everywhere") {
  CHECK(random_bits(42, 1000, 0) == 0x550de21fe13c9ca4);
  CHECK(random_bits(42, 1000, 2) == 0xff0926a47bf2828b);
  CHECK(random_bits((uint64_t{1} << 63) + 5, 7, 1) == 0xb27d7babb0efa35e);
  CHECK(uniform_float(42, 1000, 1) == 0x6fe8ee * 0x1p-24f);
}

}  // namespace
