// SPDX-License-Identifier: MIT
#include "convkit/npz.h"

#include <numeric>

#include "catch.h"
#include "file_bytes.h"
#include "temporary_folder.h"
#include "zip_forge.h"

namespace convkit {
namespace {

using test::bytes_of;
using test::complaint;
using test::file_text;
using test::forge_zip;
using test::TemporaryFolder;

std::map<std::string, NpyArray> some_arrays() {
  std::vector<float> x(60000);
  std::iota(x.begin(), x.end(), 0.0f);
  std::map<std::string, NpyArray> arrays;
  arrays["in.x"] = make_array<float>({2, 300, 100}, x);
  arrays["out.y"] = make_array<double>({3}, std::vector<double>{1.5, -2, 0});
  arrays["labels"] = make_array<uint8_t>({0}, {});
  arrays["p"] = make_array<int32_t>({2}, std::vector<int32_t>{-1, 7});
  return arrays;
}

bool same(const std::map<std::string, NpyArray>& a, const std::map<std::string, NpyArray>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [](const auto& left, const auto& right) {
        return left.first == right.first && left.second.dtype == right.second.dtype &&
               left.second.dims == right.second.dims && left.second.bytes == right.second.bytes;
      });
}

TEST_CASE("arrays come back from stored and deflated .npz archives") {
  TemporaryFolder folder;
  const auto arrays = some_arrays();
  write_npz(folder / "stored.npz", arrays);
  write_npz(folder / "deflated.npz", arrays, Compression::deflated);
  CHECK(same(read_npz(folder / "stored.npz"), arrays));
  CHECK(same(read_npz(folder / "deflated.npz"), arrays));
  CHECK(std::filesystem::file_size(folder / "deflated.npz") <
        std::filesystem::file_size(folder / "stored.npz") / 2);
}

TEST_CASE("an archive without members comes back") {
  TemporaryFolder folder;
  write_npz(folder / "a.npz", {});
  CHECK(read_npz(folder / "a.npz").empty());
}

TEST_CASE("writing the same arrays twice gives the same bytes") {
  TemporaryFolder folder;
  for (const Compression compression : {Compression::stored, Compression::deflated}) {
    write_npz(folder / "a.npz", some_arrays(), compression);
    write_npz(folder / "b.npz", some_arrays(), compression);
    CHECK(file_text(folder / "a.npz") == file_text(folder / "b.npz"));
  }
}

TEST_CASE("members of an open archive are read one by one") {
  TemporaryFolder folder;
  write_npz(folder / "a.npz", some_arrays(), Compression::deflated);
  const NpzArchive archive(folder / "a.npz");
  CHECK(archive.names() == std::vector<std::string>{"in.x", "labels", "out.y", "p"});
  CHECK(archive.contains("p"));
  CHECK_FALSE(archive.contains("p.npy"));
  CHECK(archive.header("in.x").dims == std::vector<int64_t>{2, 300, 100});
  CHECK(archive.header("in.x").data_bytes == 240000);
  CHECK(archive.read("out.y").values<double>()[1] == -2);

  std::vector<int32_t> into(2);
  archive.read_into("p", std::as_writable_bytes(std::span(into)));
  CHECK(into == std::vector<int32_t>{-1, 7});
  std::vector<std::byte> small(7);
  CHECK_THROWS_AS(archive.read_into("p", small), std::invalid_argument);
  CHECK(complaint([&] { archive.read("q"); }) ==
        test::named(folder / "a.npz") + " has no member 'q'.");
}

TEST_CASE("zip64 sizes are read where a member's headers refer to them") {
  const std::string content = test::npy_of_floats(3);
  const std::string sizes = test::le64(content.size()) + test::le64(content.size());
  test::ForgedMember member{.name = "a.npy", .content = content};
  member.bytes = member.packed_bytes = member.directory_offset = 0xffffffff;
  member.local_extra = test::le16(1) + test::le16(16) + sizes;
  // Another tool's field first: a time stamp.
  member.directory_extra = "UT" + test::le16(5) + std::string(5, '\0') + test::le16(1) +
                           test::le16(24) + sizes + test::le64(0);
  const std::string archive = forge_zip({member});
  CHECK(parse_npz(bytes_of(archive), "a.npz").at("a").values<float>()[2] == 3);
}

TEST_CASE("the zip64 end record is read") {
  const std::string content = test::npy_of_floats(3);
  const std::string plain = forge_zip({{.name = "a.npy", .content = content}});
  const size_t directory = plain.find("PK\x01\x02");
  const size_t end = plain.find("PK\x05\x06");
  test::ForgedEnd forged{.members = uint16_t{0xffff}, .offset = 0xffffffffu, .bytes = 0xffffffffu};
  forged.before = "PK\x06\x06" + test::le64(44) + test::le16(45) + test::le16(45) + test::le32(0) +
                  test::le32(0) + test::le64(1) + test::le64(1) + test::le64(end - directory) +
                  test::le64(directory) + "PK\x06\x07" + test::le32(0) + test::le64(end) +
                  test::le32(1);
  const std::string archive = forge_zip({{.name = "a.npy", .content = content}}, forged);
  CHECK(parse_npz(bytes_of(archive), "a.npz").at("a").values<float>()[2] == 3);
}

TEST_CASE("sizes that follow the data, as in streamed archives, are taken from the directory") {
  const std::string content = test::npy_of_floats(3);
  test::ForgedMember member{.name = "a.npy", .content = content, .flags = 8};
  member.local_bytes = 0;
  const std::string archive = forge_zip({member}, {.comment = "a comment"});
  CHECK(parse_npz(bytes_of(archive), "a.npz").at("a").values<float>()[2] == 3);
}

TEST_CASE("the limits on members, one member and all of them hold") {
  const std::string content = test::npy_of_floats(25);
  const std::string archive = forge_zip({{.name = "a.npy", .content = content},
                                         {.name = "b.npy", .content = content, .deflated = true}});
  const uint64_t size = content.size();
  const auto read = [&](const NpzLimits& limits) {
    return complaint([&] { parse_npz(bytes_of(archive), "f.npz", limits); });
  };
  CHECK(read({.member_bytes = size, .total_bytes = 2 * size, .members = 2}).empty());
  CHECK(read({.members = 1}) == "'f.npz' has 2 members; the limit is 1.");
  CHECK(read({.member_bytes = size - 1}) == "Member 'a.npy' of 'f.npz' unpacks to " +
                                                std::to_string(size) + " bytes; the limit is " +
                                                std::to_string(size - 1) + ".");
  CHECK(read({.total_bytes = 2 * size - 1}) ==
        "'f.npz' unpacks to more than " + std::to_string(2 * size - 1) + " bytes, the limit.");
}

TEST_CASE("an archive that cannot be written leaves the old one and no temporary file") {
  TemporaryFolder folder;
  write_npz(folder / "a.npz", some_arrays());
  auto bad = some_arrays();
  bad["p"].dims = {3};
  CHECK_THROWS_AS(write_npz(folder / "a.npz", bad), std::invalid_argument);
  CHECK(same(read_npz(folder / "a.npz"), some_arrays()));
  CHECK_THROWS_WITH(
      write_npz(folder / "no" / "a.npz", some_arrays()),
      test::named(folder / "no" / "a.npz") + " cannot be written: No such file or directory.");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

}  // namespace
}  // namespace convkit
