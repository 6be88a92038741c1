// SPDX-License-Identifier: MIT
#include "convkit/idx.h"

#include "catch.h"
#include "test_files.h"
#include "zip_forge.h"

namespace convkit {
namespace {

using test::bytes_of;
using test::complaint;

std::string be32(uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16),
          static_cast<char>(value >> 8), static_cast<char>(value)};
}

std::string idx(const std::vector<uint32_t>& dims, const std::string& elements, char type = 8) {
  std::string out = {'\0', '\0', type, static_cast<char>(dims.size())};
  for (const uint32_t size : dims) out += be32(size);
  return out + elements;
}

TEST_CASE("an IDX array is read plain and gzip-compressed") {
  const std::string plain = idx({2, 1, 3}, "abcdef");
  for (const std::string& text : {plain, test::gzip(plain)}) {
    const IdxArray array = parse_idx(bytes_of(text), "f");
    CHECK(array.dims == std::vector<int64_t>{2, 1, 3});
    CHECK(std::string(array.bytes.begin(), array.bytes.end()) == "abcdef");
  }
  test::TemporaryFolder folder;
  test::write_text(folder / "f.gz", test::gzip(plain));
  CHECK(read_idx(folder / "f.gz").bytes.size() == 6);
}

TEST_CASE("every forged IDX file is refused with its sentence") {
  const std::string good = idx({2, 3}, "abcdef");
  const std::string packed = test::gzip(good);
  std::string wrong_checksum = packed;
  wrong_checksum[packed.size() - 8] ^= 1;
  const struct {
    const char* what;
    std::string file, sentence;
  } forgeries[] = {
      {"empty file", "", "ends within its IDX header."},
      {"header cut off", good.substr(0, 9), "ends within its IDX header."},
      {"not IDX", "hello, hello", "is not an IDX file: it does not begin with two zeros."},
      {"floats", idx({1}, "abcd", 0x0d),
       "has IDX element type 13; only unsigned bytes (8) can be read."},
      {"no dimensions", idx({}, "a"), "has 0 dimensions; 1 to 8 can be read."},
      {"255 dimensions", std::string("\0\0\x08\xff", 4), "has 255 dimensions; 1 to 8 can be read."},
      {"overflow", idx({0xffffffff, 0xffffffff, 0xffffffff}, ""),
       "has a shape whose size overflows 64 bits."},
      {"4 GiB promised", idx({0xffffffff}, "a"), "holds 4294967295 bytes; the limit is 268435456."},
      {"200 MiB promised", idx({200 << 20}, "a"),
       "is too short for the 209715200 bytes its header promises."},
      {"200 MiB promised, compressed", test::gzip(idx({200 << 20}, "a")),
       "is too short for the 209715200 bytes its header promises."},
      {"elements cut off", idx({2, 3}, "abcde"), "ends after 5 of 6 bytes of elements."},
      {"bytes after the elements", good + "x", "goes on after its 6 bytes of elements."},
      {"a gzip bomb behind a small header", test::gzip(good + std::string(1 << 20, '\0')),
       "goes on after its 6 bytes of elements."},
      {"gzip cut off", packed.substr(0, packed.size() - 1),
       "is cut off in the middle of its compressed data."},
      {"gzip checksum", wrong_checksum, "has damaged compressed data (incorrect data check)."},
      {"bytes after the gzip data", packed + "x",
       "has bytes after the end of its compressed data."},
      {"gzip header only", packed.substr(0, 10),
       "is cut off in the middle of its compressed data."},
  };
  for (const auto& forgery : forgeries) {
    INFO(forgery.what);
    CHECK(complaint([&] { parse_idx(bytes_of(forgery.file), "f"); }) == "'f' " + forgery.sentence);
  }
}

TEST_CASE("an IDX array larger than the limit is refused") {
  const std::string text = idx({6}, "abcdef");
  CHECK(complaint([&] { parse_idx(bytes_of(text), "f", 5); }) ==
        "'f' holds 6 bytes; the limit is 5.");
}

}  // namespace
}  // namespace convkit
