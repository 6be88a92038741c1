// SPDX-License-Identifier: MIT
// Integer intrinsics against loops over bits, bytes and wide products.
#include "simt/integer_intrinsics.h"

#include <random>

#include "catch.h"
#include "simt/dot_products.h"

namespace convkit {
namespace {

constexpr int kCount = 20000;

// Words of all lengths, with zeros and full ones.
class Words {
 public:
  uint64_t next() {
    const uint64_t word = random_() >> random_() % 64;
    switch (random_() % 4) {
      case 0:
        return ~word;
      case 1:
        return word << random_() % 64;
      default:
        return word;
    }
  }
  unsigned next32() { return static_cast<unsigned>(next()); }
  int next_int() { return static_cast<int>(next32()); }

 private:
  std::mt19937_64 random_{42};
};

TEST_CASE("bits are counted and reversed") {
  Words words;
  for (int i = 0; i < kCount; ++i) {
    const uint64_t word = words.next();
    int set = 0, leading = 0, first = 0;
    uint64_t reversed = 0;
    for (int bit = 0; bit < 64; ++bit) {
      const bool is_set = (word >> bit & 1) != 0;
      set += is_set;
      leading = is_set ? 0 : leading + 1;
      if (is_set && first == 0) first = bit + 1;
      reversed |= static_cast<uint64_t>(is_set) << (63 - bit);
    }
    REQUIRE(__popcll(word) == set);
    REQUIRE(__clzll(static_cast<long long>(word)) == leading);
    REQUIRE(__ffsll(static_cast<long long>(word)) == first);
    REQUIRE(__brevll(word) == reversed);
    const unsigned low = static_cast<unsigned>(word);
    REQUIRE(__popc(low) == __popcll(low));
    REQUIRE(__clz(static_cast<int>(low)) == __clzll(low) - 32);
    REQUIRE(__ffs(static_cast<int>(low)) == __ffsll(low));
    REQUIRE(__brev(low) == static_cast<unsigned>(__brevll(low) >> 32));
  }
  CHECK(__clz(0) == 32);
  CHECK(__clzll(0) == 64);
  CHECK(__ffs(0) == 0);
}

TEST_CASE("__fns finds the n-th set bit upwards and downwards") {
  CHECK(__fns(0b101100, 0, 1) == 2);
  CHECK(__fns(0b101100, 0, 2) == 3);
  CHECK(__fns(0b101100, 0, 3) == 5);
  CHECK(__fns(0b101100, 0, 4) == 0xffffffffu);
  CHECK(__fns(0b101100, 3, 1) == 3);
  CHECK(__fns(0b101100, 3, 2) == 5);
  CHECK(__fns(0b101100, 31, -1) == 5);
  CHECK(__fns(0b101100, 4, -2) == 2);
  CHECK(__fns(0b101100, 3, 0) == 3);
  CHECK(__fns(0b101100, 4, 0) == 0xffffffffu);
  CHECK(__fns(0xffffffffu, 0, 32) == 31);
}

TEST_CASE("bytes are permuted by the low three bits of each selector") {
  CHECK(__byte_perm(0x33221100, 0x77665544, 0x3210) == 0x33221100);
  CHECK(__byte_perm(0x33221100, 0x77665544, 0x7654) == 0x77665544);
  CHECK(__byte_perm(0x33221100, 0x77665544, 0x0426) == 0x00442266);
  CHECK(__byte_perm(0x33221100, 0x77665544, 0xffff89ba) == 0x00113322);
}

TEST_CASE("funnel shifts take the distance modulo 32 or stop at 32") {
  Words words;
  for (int i = 0; i < kCount; ++i) {
    const unsigned low = words.next32(), high = words.next32();
    const unsigned distance = static_cast<unsigned>(i % 100);
    unsigned left = high, right = low, left_stopped = high, right_stopped = low;
    unsigned from_below = low, from_above = high, below = low, above = high;
    for (unsigned step = 0; step < distance; ++step) {
      if (step < distance % 32) {
        left = left << 1 | from_below >> 31, from_below <<= 1;
        right = right >> 1 | from_above << 31, from_above >>= 1;
      }
      if (step < 32) {
        left_stopped = left_stopped << 1 | below >> 31, below <<= 1;
        right_stopped = right_stopped >> 1 | above << 31, above >>= 1;
      }
    }
    REQUIRE(__funnelshift_l(low, high, distance) == left);
    REQUIRE(__funnelshift_r(low, high, distance) == right);
    REQUIRE(__funnelshift_lc(low, high, distance) == left_stopped);
    REQUIRE(__funnelshift_rc(low, high, distance) == right_stopped);
  }
}

// Schoolbook multiplication by shifts and additions, 128 bits wide.
struct Product {
  uint64_t high = 0, low = 0;
  Product(uint64_t left, uint64_t right) {
    for (int bit = 63; bit >= 0; --bit) {
      high = high << 1 | low >> 63;
      low <<= 1;
      if ((right >> bit & 1) != 0) {
        low += left;
        high += low < left;
      }
    }
  }
};

TEST_CASE("high halves of products") {
  Words words;
  for (int i = 0; i < kCount; ++i) {
    const uint64_t left = words.next(), right = words.next();
    const Product product(left, right);
    REQUIRE(__umul64hi(left, right) == product.high);
    // As signed numbers, a set top bit stands for 2^64 less.
    const uint64_t signed_high =
        product.high - (left >> 63 != 0 ? right : 0) - (right >> 63 != 0 ? left : 0);
    REQUIRE(static_cast<uint64_t>(__mul64hi(static_cast<long long>(left),
                                            static_cast<long long>(right))) == signed_high);
    const unsigned left32 = words.next32(), right32 = words.next32();
    REQUIRE(__umulhi(left32, right32) == Product(left32, right32).low >> 32);
    const int64_t whole = int64_t{static_cast<int>(left32)} * static_cast<int>(right32);
    REQUIRE(__mulhi(static_cast<int>(left32), static_cast<int>(right32)) ==
            static_cast<int>(whole >> 32));
  }
}

TEST_CASE("products of 24 bits") {
  CHECK(__mul24(-3, 5) == -15);
  CHECK(__mul24(0x7f000002, 3) == 6);             // the top byte is not looked at
  CHECK(__mul24(0x00ffffff, 2) == -2);            // bit 23 is the sign
  CHECK(__umul24(0x00ffffff, 2) == 0x01fffffeu);  // here it is not
  CHECK(__umul24(0xff000003, 3) == 9u);
  CHECK(__mul24(0x007fffff, 0x007fffff) == static_cast<int>(0xff000001u));
  CHECK(__umul24(0xffffff, 0xffffff) == 0xfe000001u);
}

TEST_CASE("averages round down or up, differences are absolute") {
  Words words;
  for (int i = 0; i < kCount; ++i) {
    const int left = words.next_int(), right = words.next_int();
    const unsigned uleft = static_cast<unsigned>(left), uright = static_cast<unsigned>(right);
    const int64_t sum = int64_t{left} + right;
    const int64_t floor = sum / 2 - (sum % 2 < 0);
    REQUIRE(__hadd(left, right) == floor);
    REQUIRE(__rhadd(left, right) == floor + (sum % 2 != 0));
    const uint64_t usum = uint64_t{uleft} + uright;
    REQUIRE(__uhadd(uleft, uright) == usum / 2);
    REQUIRE(__urhadd(uleft, uright) == (usum + 1) / 2);
    const int64_t difference = int64_t{left} - right;
    REQUIRE(__sad(left, right, 7u) ==
            static_cast<unsigned>((difference < 0 ? -difference : difference) + 7));
    REQUIRE(__usad(uleft, uright, 9u) == (uleft > uright ? uleft - uright : uright - uleft) + 9u);
  }
}

TEST_CASE("dot products of packed integers") {
  CHECK(__dp4a(0x7f80ff01, 0x02030405, 10) == 127 * 2 + -128 * 3 + -1 * 4 + 1 * 5 + 10);
  CHECK(__dp4a(0x7f80ff01u, 0x02030405u, 10u) == 127 * 2 + 128 * 3 + 255 * 4 + 1 * 5 + 10);
  CHECK(__dp4a(char4{1, -2, 3, -4}, char4{5, 6, -7, 8}, 100) == 5 - 12 - 21 - 32 + 100);
  CHECK(__dp4a(uchar4{255, 0, 1, 2}, uchar4{255, 9, 3, 4}, 1u) == 255 * 255 + 3 + 8 + 1);
  CHECK(__dp2a_lo(static_cast<int>(0x8000fffdu), 0x04030201, 5) == -3 * 1 + -32768 * 2 + 5);
  CHECK(__dp2a_hi(static_cast<int>(0x8000fffdu), 0x04030201, 5) == -3 * 3 + -32768 * 4 + 5);
  CHECK(__dp2a_lo(0x8000fffdu, 0x0403ff01u, 5u) == 65533u * 1 + 32768u * 255 + 5);
  CHECK(__dp2a_hi(short2{-2, 3}, char4{1, 2, -3, 4}, 1) == 6 + 12 + 1);
  CHECK(__dp2a_lo(ushort2{65535, 3}, uchar4{1, 2, 3, 4}, 1u) == 65535 + 6 + 1);
  CHECK(__dp4a(-1, 0x01010101, -2147483647 - 1) == 2147483644);  // wraps around
}

}  // namespace
}  // namespace convkit
