// SPDX-License-Identifier: MIT
#include "device_memory/values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <vector>

#include "catch.h"

namespace convkit::device_memory {
namespace {

TEST_CASE("the words of inputs are those of ChaCha8") {
  // The first block for a key and a nonce of zeros (J. Strombergson, "Test vectors for the stream
  // cipher ChaCha", draft-strombergson-chacha-test-vectors-01, TC1).
  const std::array<unsigned char, 16> first = {0x3e, 0x00, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6,
                                               0x7f, 0x5b, 0xb8, 0xe8, 0x1f, 0x09, 0xa5, 0xa1};
  const uint32_t key[8] = {};
  uint32_t words[16];
  chacha8(key, 0, 0, words);
  CHECK(std::memcmp(words, first.data(), first.size()) == 0);
}

TEST_CASE("calls, places and keys have words of their own") {
  std::set<uint32_t> firsts;
  for (uint32_t key_word : {0u, 1u}) {
    for (uint64_t call = 0; call < 8; ++call) {
      for (uint64_t block = 0; block < 8; ++block) {
        const uint32_t key[8] = {0, 0, 0, key_word};
        uint32_t words[16];
        chacha8(key, block, call, words);
        firsts.insert(words[0]);
      }
    }
  }
  CHECK(firsts.size() == 128);
}

TEST_CASE("a value keeps its magnitude within a sixteenth, with either sign") {
  for (const uint32_t bits : {0u, 0xfffffu, 0x80000000u, 0x800fffffu}) {
    const float value = value_of(0.3f, bits);
    CHECK(std::fabs(value) <= 0.3f);
    CHECK(std::fabs(value) > 0.3f * 15 / 16);
    CHECK(std::signbit(value) == (bits >> 31 == 1));
  }
}

TEST_CASE("every element can be a sample, and a small output is sampled whole") {
  std::vector<int> drawn(3000);
  for (uint64_t call = 0; call < 100; ++call) {
    for (uint64_t s = 0; s < 1024; ++s) ++drawn[place_of(7, call, s, 1024, drawn.size())];
  }
  CHECK(*std::min_element(drawn.begin(), drawn.end()) > 0);  // 34 are expected of each
  for (uint64_t s = 0; s < 10; ++s) CHECK(place_of(7, 3, s, 10, 10) == s);
}

TEST_CASE("a sample's place is the same on every device") {
  CHECK(place_of(7, 3, 0, 1024, 1000003) == 84848);
  CHECK(place_of(7, 3, 1, 1024, 1000003) == 831228);
  CHECK(place_of(7, 3, 1023, 1024, 1000003) == 775496);
}

}  // namespace
}  // namespace convkit::device_memory
