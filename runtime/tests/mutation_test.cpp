// SPDX-License-Identifier: MIT
// Files damaged at random (the same way every time) are read or refused with FormatError; nothing
// else happens. Most telling under address and undefined-behaviour sanitizers.
#include <random>

#include "catch.h"
#include "convkit/idx.h"
#include "convkit/npz.h"
#include "test_files.h"
#include "zip_forge.h"

namespace convkit {
namespace {

constexpr int kMutations = 5000;

// One to four changes: a bit, a byte, a number that is likely to hurt, a cut, a piece repeated.
std::string mutate(std::string text, std::mt19937& random) {
  const auto below = [&](size_t n) {
    return static_cast<size_t>(random() % std::max<size_t>(n, 1));
  };
  const auto changes = 1 + below(4);
  for (size_t i = 0; i < changes && !text.empty(); ++i) {
    const size_t at = below(text.size());
    switch (below(5)) {
      case 0:
        text[at] ^= static_cast<char>(1 << below(8));
        break;
      case 1:
        text[at] = static_cast<char>(below(256));
        break;
      case 2: {
        const uint32_t values[] = {0, 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
        const std::string value = test::le32(values[below(6)]);
        for (size_t k = 0; k < 4 && at + k < text.size(); ++k) text[at + k] = value[k];
        break;
      }
      case 3:
        text.resize(at);
        break;
      default:
        text.insert(at, text.substr(below(text.size()), below(40)));
        break;
    }
  }
  return text;
}

// Returns how many of the mutations `read` refused.
template <class Read>
int refused(const std::string& good, Read&& read) {
  REQUIRE_NOTHROW(read(test::bytes_of(good)));
  std::mt19937 random(20240229);
  int count = 0;
  for (int i = 0; i < kMutations; ++i) {
    const std::string text = mutate(good, random);
    try {
      read(test::bytes_of(text));
    } catch (const FormatError& error) {
      ++count;
      if (!std::string_view(error.what()).ends_with('.')) FAIL("not a sentence: " << error.what());
    }
  }
  return count;
}

TEST_CASE("a mutated .npy file is read or refused") {
  const int count = refused(test::npy_of_floats(9),
                            [](auto bytes) { parse_npy(bytes, "f.npy", uint64_t{1} << 20); });
  CHECK(count > kMutations / 2);
}

TEST_CASE("a mutated .npz archive is read or refused") {
  const std::string content = test::npy_of_floats(9);
  test::ForgedMember large{.name = "c.npy", .content = content};
  large.bytes = large.packed_bytes = 0xffffffff;
  large.local_extra = large.directory_extra =
      test::le16(1) + test::le16(16) + test::le64(content.size()) + test::le64(content.size());
  const std::string good = test::forge_zip({{.name = "a.npy", .content = content},
                                            {.name = "b.npy", .content = content, .deflated = true},
                                            large});
  const NpzLimits limits{.member_bytes = 1 << 20, .total_bytes = 1 << 22, .members = 10};
  const int count = refused(good, [&](auto bytes) { parse_npz(bytes, "f.npz", limits); });
  CHECK(count > kMutations / 2);
}

TEST_CASE("a mutated IDX file is read or refused") {
  const std::string good =
      std::string("\0\0\x08\x02\0\0\0\x04\0\0\0\x05", 12) + "abcdefghijklmnopqrst";
  for (const std::string& text : {good, test::gzip(good)}) {
    const int count = refused(text, [](auto bytes) { parse_idx(bytes, "f", 1 << 20); });
    CHECK(count > kMutations / 4);
  }
}

}  // namespace
}  // namespace convkit
