// SPDX-License-Identifier: MIT
#include "convkit/sha256.h"

#include "catch.h"
#include "convkit/kit_error.h"
#include "test_files.h"

namespace convkit {
namespace {

TEST_CASE("SHA-256 gives NIST's published digests") {
  // FIPS 180-2, appendix B, and the CAVP short-message vectors.
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256_hex("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
                   "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu") ==
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  CHECK(sha256_hex(std::string_view("\xd3", 1)) ==
        "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1");
  CHECK(sha256_hex(std::string(1000000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("the digest does not depend on the pieces") {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 7);
  const std::string whole = sha256_hex(text);
  for (size_t piece = 1; piece <= text.size(); ++piece) {
    Sha256 sha;
    for (size_t at = 0; at < text.size(); at += piece) {
      sha.update(test::bytes_of(std::string_view(text).substr(at, piece)));
    }
    INFO("pieces of " << piece);
    CHECK(sha256_hex(sha.finish()) == whole);
  }
}

TEST_CASE("every length of the last block is padded right") {
  // One digest over the digests of 0 to 130 letters, as computed by Python's hashlib.
  std::string digests;
  for (size_t size = 0; size <= 130; ++size) digests += sha256_hex(std::string(size, 'x'));
  CHECK(sha256_hex(digests) == "87aca1c44bc7ba8897768170211f0a02063de70801131ff86c7edb9ce32c6a50");
}

TEST_CASE("the digest is the same with the processor's instructions and without") {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    Sha256 plain(false);
    plain.update(test::bytes_of(text));
    INFO(text.size() << " bytes");
    CHECK(sha256_hex(plain.finish()) == sha256_hex(text));
    text += static_cast<char>(i * 31 + i / 7);
  }
}

TEST_CASE("a file has the digest of its bytes, and a missing one is named") {
  test::TemporaryFolder folder;
  const std::string text(200001, 'b');
  test::write_text(folder / "f", text);
  CHECK(sha256_file(folder / "f") == sha256_hex(text));
  CHECK(test::complaint([&] { sha256_file(folder / "g"); }) ==
        test::named(folder / "g") + " cannot be opened: No such file or directory.");
}

}  // namespace
}  // namespace convkit
