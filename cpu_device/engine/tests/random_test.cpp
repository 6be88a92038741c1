// SPDX-License-Identifier: MIT
#include "cpu_device/engine/random.h"

#include <set>
#include <vector>

#include "catch.h"

namespace convkit::simt {
namespace {

std::vector<uint64_t> permutation(uint64_t count, uint64_t seed) {
  std::vector<uint64_t> values;
  for (uint64_t i = 0; i < count; ++i) values.push_back(shuffled(i, count, seed));
  return values;
}

}  // namespace

TEST_CASE("a shuffle is a permutation, whatever the count and the seed") {
  for (const uint64_t count :
       {1, 2, 3, 4, 5, 15, 16, 17, 31, 63, 64, 65, 255, 256, 257, 1023, 1024, 1025, 4097, 10007}) {
    for (const uint64_t seed : {uint64_t{1}, uint64_t{2}, uint64_t{77}, ~uint64_t{0}}) {
      CAPTURE(count, seed);
      const std::vector<uint64_t> values = permutation(count, seed);
      const std::set<uint64_t> different(values.begin(), values.end());
      REQUIRE(different.size() == count);
      REQUIRE(*different.rbegin() == count - 1);
    }
  }
}

TEST_CASE("a shuffle is repeated by its seed and changed by another") {
  CHECK(permutation(1024, 5) == permutation(1024, 5));
  CHECK(permutation(1024, 5) != permutation(1024, 6));
}

TEST_CASE("a shuffle leaves hardly anything where it was") {
  unsigned at_home = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    for (uint64_t i = 0; i < 1024; ++i) at_home += shuffled(i, 1024, seed) == i;
  }
  // One in each permutation is to be expected; 20 in all, give or take 4.5.
  CHECK(at_home < 60);
}

TEST_CASE("a shuffle of more blocks than fit into 32 bits stays in range") {
  const uint64_t count = uint64_t{2147483647} * 65535;
  for (uint64_t i = 0; i < 1000; ++i) REQUIRE(shuffled(count - 1 - i, count, 9) < count);
}

TEST_CASE("random numbers below a bound reach all of them, about as often") {
  Random random(3);
  std::vector<unsigned> seen(7);
  for (int i = 0; i < 7000; ++i) ++seen.at(random.below(7));
  for (const unsigned times : seen) {
    CHECK(times > 850);
    CHECK(times < 1150);
  }
  CHECK(Random(3).below(1) == 0);
}

TEST_CASE("random numbers are those of SplitMix64") {
  Random random(1234567);
  CHECK(random.next() == 6457827717110365317u);
  CHECK(random.next() == 3203168211198807973u);
}

}  // namespace convkit::simt
