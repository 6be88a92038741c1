// SPDX-License-Identifier: MIT
#include "compare/compare.h"

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "catch.h"
#include "convkit/sentinel.h"

using convkit::compare;
using convkit::compare_int;
using convkit::Comparison;
using convkit::Tolerance;

namespace {

const float kNaN = std::numeric_limits<float>::quiet_NaN();
const float kInfinity = std::numeric_limits<float>::infinity();
const Tolerance kExact;
const Tolerance kTenTerms{10};

// `values` with the element at `index` replaced by `bits`, without a conversion that would quiet a
// signalling NaN.
std::vector<float> with_bits(std::vector<float> values, size_t index, uint32_t bits) {
  std::memcpy(&values[index], &bits, sizeof bits);
  return values;
}

Comparison compare_one(float got, double reference, double magnitude, Tolerance tolerance) {
  return compare(std::vector{got}, std::vector{reference}, std::vector{magnitude}, tolerance);
}

}  // namespace

TEST_CASE("gamma is n u / (1 - n u)") {
  const Tolerance tolerance{577};
  const double nu = 577 * 0x1p-24;
  CHECK(tolerance.gamma() == nu / (1 - nu));
  CHECK(tolerance.allowed(3) == Approx(3 * nu / (1 - nu)).epsilon(1e-12));
  CHECK(Tolerance{}.allowed(1e30) == 0);
  CHECK(Tolerance{1, 0x1p-24, 4}.allowed(1) == Approx(4 * 0x1p-24));
}

TEST_CASE("so many terms that no bound exists are refused") {
  CHECK_THROWS_AS(Tolerance{0x1p24}.gamma(), std::invalid_argument);
  CHECK_THROWS_AS(compare_one(0, 0, 0, Tolerance{2e7}), std::invalid_argument);
  CHECK_THROWS_AS(Tolerance{-1}.gamma(), std::invalid_argument);
}

TEST_CASE("an error of exactly the bound passes and the next float fails") {
  const double allowed = Tolerance{1}.allowed(1);
  CHECK(compare_one(1, 1 + allowed, 1, Tolerance{1}).passed());
  CHECK_FALSE(compare_one(1, 1 + 1.001 * allowed, 1, Tolerance{1}).passed());
  CHECK_FALSE(compare_one(1, 1 - 1.001 * allowed, 1, Tolerance{1}).passed());
}

TEST_CASE("underflowing products are allowed for") {
  // Ten products of 2^-75 * 2^-75 each round to 0 in float.
  CHECK(compare_one(0, 10 * 0x1p-150, 10 * 0x1p-150, kTenTerms).passed());
  CHECK_FALSE(compare_one(0, 0x1p-140, 0x1p-140, kTenTerms).passed());
}

TEST_CASE("zero terms ask for equality") {
  CHECK(compare(std::vector{1.5f, -0.0f}, std::vector{1.5, 0.0}, {}, kExact).passed());
  const Comparison off = compare(std::vector{1.5f}, std::vector{1.5 + 1e-9}, {}, kExact);
  CHECK(off.wrong == 1);
  CHECK(std::isinf(off.first.ratio));
}

TEST_CASE("NaN never passes for a number") {
  const Comparison result =
      compare(std::vector{1.0f, kNaN}, std::vector{1.0, 2.0}, std::vector{1.0, 2.0}, kTenTerms);
  CHECK(result.wrong == 1);
  CHECK(result.nan == 1);
  CHECK(result.unwritten == 0);
  CHECK(result.first.index == 1);
  CHECK(std::isinf(result.first.ratio));
  CHECK(compare(std::vector{kNaN}, std::vector{2.0}, {}, kExact).nan == 1);
}

TEST_CASE("where the reference is NaN, only NaN passes") {
  const std::vector<double> reference{std::nan("")};
  const std::vector<double> magnitude{1};
  CHECK(compare(std::vector{kNaN}, reference, magnitude, kTenTerms).passed());
  CHECK(compare(std::vector{-kNaN}, reference, {}, kExact).passed());
  const Comparison number = compare(std::vector{0.0f}, reference, magnitude, kTenTerms);
  CHECK(number.wrong == 1);
  CHECK(number.nan == 0);
}

TEST_CASE("the sentinel is unwritten even where NaN is expected") {
  for (double expected : {1.0, std::nan("")}) {
    const auto got = with_bits({1, 1}, 1, convkit::kSentinelBits);
    const Comparison result =
        compare(got, std::vector{1.0, expected}, std::vector{1.0, 1.0}, kTenTerms);
    CHECK(result.wrong == 1);
    CHECK(result.unwritten == 1);
    CHECK(result.nan == 0);
    CHECK(std::bit_cast<uint32_t>(result.first.got) == convkit::kSentinelBits);
  }
}

TEST_CASE("arithmetic on the sentinel is told from other NaN") {
  volatile float memory;
  uint32_t bits = convkit::kSentinelBits;
  std::memcpy(const_cast<float*>(&memory), &bits, sizeof bits);
  memory = memory + 1.0f;
  const float added = memory;
  REQUIRE(std::bit_cast<uint32_t>(added) == convkit::kQuietedSentinelBits);
  const Comparison result = compare(std::vector{added, -added, kNaN}, std::vector{1.0, 1.0, 1.0},
                                    std::vector{1.0, 1.0, 1.0}, kTenTerms);
  CHECK(result.wrong == 3);
  CHECK(result.from_unwritten == 2);
  CHECK(result.nan == 1);
  CHECK(result.unwritten == 0);
}

TEST_CASE("where the reference is infinite, only the same infinity passes") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(compare_one(kInfinity, infinity, 1, kTenTerms).passed());
  CHECK_FALSE(compare_one(-kInfinity, infinity, 1, kTenTerms).passed());
  CHECK_FALSE(compare_one(kInfinity, 1, 1, kTenTerms).passed());
  CHECK_FALSE(compare_one(1, infinity, 1, kTenTerms).passed());
  SECTION("even if the magnitude overflowed") {
    CHECK_FALSE(compare_one(kInfinity, 1, infinity, kTenTerms).passed());
    CHECK_FALSE(compare_one(1, infinity, infinity, kTenTerms).passed());
  }
}

TEST_CASE("a magnitude that is NaN fails instead of passing everything") {
  CHECK_FALSE(compare_one(1, 1.5, std::nan(""), kTenTerms).passed());
}

TEST_CASE("first and worst are found across blocks") {
  std::vector<float> got(5000, 1);
  const std::vector<double> ones(5000, 1);
  got[1023] = 1.5f;
  got[1024] = 3;
  got[4999] = 2;
  const Comparison result = compare(got, ones, ones, kTenTerms);
  CHECK(result.elements == 5000);
  CHECK(result.wrong == 3);
  CHECK(result.first.index == 1023);
  CHECK(result.first.got == 1.5f);
  CHECK(result.worst.index == 1024);
  CHECK(result.worst.ratio == Approx(2 / kTenTerms.allowed(1)));
}

TEST_CASE("among exact comparisons the largest difference is the worst") {
  const Comparison result =
      compare(std::vector{2.0f, 9.0f, 3.0f}, std::vector{1.0, 1.0, 1.0}, {}, kExact);
  CHECK(result.first.index == 0);
  CHECK(result.worst.index == 1);
}

TEST_CASE("every position of a block is looked at") {
  for (size_t size : {1u, 2u, 3u, 7u, 1023u, 1024u, 1025u, 2048u}) {
    const std::vector<double> reference(size, 1);
    for (size_t position : {size_t{0}, size / 2, size - 1}) {
      std::vector<float> got(size, 1);
      got[position] = 2;
      const Comparison result = compare(got, reference, reference, kTenTerms);
      CHECK(result.wrong == 1);
      CHECK(result.first.index == int64_t(position));
    }
  }
}

TEST_CASE("if nothing is compared, nothing is wrong") {
  const Comparison result = compare({}, {}, {}, kTenTerms);
  CHECK(result.passed());
  CHECK(result.elements == 0);
  CHECK(result.first.index == -1);
  CHECK(compare_int({}, {}).passed());
}

TEST_CASE("lengths that differ are refused with both lengths") {
  const std::vector<float> got(3);
  const std::vector<double> reference(4), magnitude(5);
  CHECK_THROWS_WITH(compare(got, reference, magnitude, kTenTerms),
                    "the output has 3 elements, its reference 4");
  CHECK_THROWS_WITH(compare(std::vector<float>(4), reference, magnitude, kTenTerms),
                    "the reference has 4 elements, its magnitude 5");
  CHECK_THROWS_AS(compare_int(std::vector<int32_t>(1), {}), std::invalid_argument);
}

TEST_CASE("integers are compared exactly") {
  const auto sentinel = int32_t(convkit::kSentinelBits);
  CHECK(compare_int(std::vector{1, -2}, std::vector{1, -2}).passed());
  const Comparison result =
      compare_int(std::vector{16777217, sentinel, 5}, std::vector{16777216, 0, 5});
  CHECK(result.wrong == 2);
  CHECK(result.unwritten == 1);
  CHECK(result.first.index == 0);
  CHECK(compare_int(std::vector{sentinel}, std::vector{sentinel}).passed());
}
