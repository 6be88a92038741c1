// SPDX-License-Identifier: MIT
#include <numeric>

#include "catch.h"
#include "convkit/npz.h"
#include "test_files.h"
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

// Damaged and forged .npz archives, each with its sentence.

using test::forge_zip;
using test::ForgedMember;

struct ForgedArchive {
  const char* what;
  std::string file;
  std::string sentence;
};

const std::string kContent = test::npy_of_floats(3);  // 80 bytes

ForgedMember member(const std::string& name = "a.npy") {
  return {.name = name, .content = kContent};
}

// One member, changed by `change`.
template <class Change>
std::string forged(Change&& change, bool deflated = false) {
  ForgedMember m = member();
  m.deflated = deflated;
  change(m);
  return forge_zip({m});
}

std::vector<ForgedArchive> forged_directories() {
  const std::string good = forge_zip({member()});
  const std::string file = "'f.npz' ";
  const std::string no_end = file + "is not a whole zip archive: its end record is missing.";
  const std::string misplaced = file + "has a zip directory that is not where it should be.";
  const std::string damaged = file + "has a damaged zip directory.";
  const std::string end64 = file + "has a damaged zip64 end record.";
  return {
      {"empty file", "", "'f.npz' is not a whole zip archive: its end record is missing."},
      {"a .npy file", kContent, no_end},
      {"end cut off", good.substr(0, good.size() - 1), no_end},
      {"bytes after the end", good + "x", no_end},
      {"bytes before the archive", "x" + good, misplaced},
      {"directory past the end", forge_zip({member()}, {.offset = 0x7fffffff}), misplaced},
      {"directory of 4 GiB", forge_zip({member()}, {.bytes = 0xfffffffe}), misplaced},
      {"several parts", forge_zip({member()}, {.disk = uint16_t{1}}),
       file + "is one part of a zip archive in several files."},
      {"counts disagree", forge_zip({member()}, {.members_here = uint16_t{2}}),
       file + "is one part of a zip archive in several files."},
      {"more members promised", forge_zip({member()}, {.members = uint16_t{2}}), damaged},
      {"60000 members promised", forge_zip({member()}, {.members = uint16_t{60000}}),
       file + "has 60000 members; the limit is 1000."},
      {"fewer members promised",
       forge_zip({member("a.npy"), member("b.npy")}, {.members = uint16_t{1}}),
       file + "has more in its zip directory than it says."},
      {"no zip64 locator", forge_zip({member()}, {.members = uint16_t{0xffff}}), end64},
      {"locator points nowhere",
       forge_zip({member()}, {.members = uint16_t{0xffff},
                              .before = std::string(56, 'x') + "PK\x06\x07" + test::le32(0) +
                                        test::le64(~uint64_t{0}) + test::le32(1)}),
       end64},
      {"two members of one name", forge_zip({member(), member()}),
       file + "has two members named 'a.npy'."},
      {"not an array", forge_zip({member("a.txt")}),
       "Member 'a.txt' of 'f.npz' is not named like an array, x.npy."},
      {"a folder", forge_zip({member("a/")}),
       "Member 'a/' of 'f.npz' is not named like an array, x.npy."},
      {"no name", forge_zip({member(".npy")}),
       "Member '.npy' of 'f.npz' is not named like an array, x.npy."},
      {"a name with an escape sequence", forge_zip({member("\x1b[2J")}),
       "Member '\\x1b[2J' of 'f.npz' is not named like an array, x.npy."},
  };
}

std::vector<ForgedArchive> forged_members() {
  const std::string it = "Member 'a.npy' of 'f.npz' ";
  const std::string disagrees = it + "has a header that disagrees with the zip directory.";
  const std::string extra = it + "has a damaged extra field in the zip directory.";
  const std::string packed = test::deflate_raw(kContent);
  const auto impossible = [&](const char* bytes, size_t has) {
    return it + "cannot unpack to " + bytes + " bytes from " + std::to_string(has) +
           " packed ones.";
  };
  // The second member says that its header lies within the first.
  ForgedMember inside = member("b.npy");
  inside.directory_offset = 1;

  return {
      {"encrypted", forged([](auto& m) { m.flags = 1; }),
       it + "is encrypted or a patch; it cannot be read."},
      {"bzip2", forged([](auto& m) { m.method = uint16_t{12}; }),
       it + "is packed with zip method 12; only stored and deflated members can be read."},
      {"a terabyte in a small file", forged([](auto& m) { m.bytes = 0x3fffffff; }),
       impossible("1073741823", kContent.size())},
      {"a deflate bomb that is none", forged([](auto& m) { m.bytes = 0x3fffffff; }, true),
       impossible("1073741823", packed.size())},
      {"member of 4 GiB", forged([](auto& m) { m.bytes = 0xfffffffe; }, true),
       it + "unpacks to 4294967294 bytes; the limit is 1073741824."},
      {"packed data past the end", forged([](auto& m) { m.packed_bytes = 0x7fffffff; }, true),
       it + "lies over another member or past the end."},
      {"header past the end", forged([](auto& m) { m.directory_offset = 0x7fffffff; }),
       it + "lies over another member or past the end."},
      {"members overlap", forge_zip({member(), inside}),
       it + "lies over another member or past the end."},
      {"sizes in no extra field", forged([](auto& m) { m.bytes = 0xffffffff; }), extra},
      {"extra field cut off", forged([](auto& m) {
         m.bytes = 0xffffffff;
         m.directory_extra = test::le16(1) + test::le16(8) + "1234";
       }),
       extra},
      {"extra field of three bytes", forged([](auto& m) { m.directory_extra = "abc"; }), extra},
      {"two zip64 fields", forged([](auto& m) {
         const std::string field = test::le16(1) + test::le16(8) + test::le64(80);
         m.bytes = 0xffffffff;
         m.directory_extra = field + field;
       }),
       extra},
      {"header is elsewhere", forged([](auto& m) { m.directory_offset = 1; }),
       it + "has a damaged header."},
      {"another name in the header", forged([](auto& m) { m.local_name = "b.npy"; }), disagrees},
      {"another size in the header", forged([](auto& m) { m.local_bytes = 79; }), disagrees},
      {"header's zip64 field missing", forged([](auto& m) { m.local_bytes = 0xffffffff; }),
       it + "has a damaged header."},
      {"stored sizes differ", forged([](auto& m) { m.bytes = 79; }),
       impossible("79", kContent.size())},
      {"wrong checksum", forged([](auto& m) { m.crc32 = 1; }),
       it + "is damaged: its CRC-32 does not match."},
      {"wrong checksum, deflated", forged([](auto& m) { m.crc32 = 1; }, true),
       it + "is damaged: its CRC-32 does not match."},
      {"not deflated data", forged([](auto& m) { m.packed = std::string(40, '\xff'); }, true),
       it + "has damaged compressed data (invalid block type)."},
      {"deflated data cut off",
       forged([&](auto& m) { m.packed = packed.substr(0, packed.size() - 8); }, true),
       it + "is cut off in the middle of its compressed data."},
      {"bytes after the deflated data", forged([&](auto& m) { m.packed = packed + "x"; }, true),
       it + "has bytes after the end of its compressed data."},
      {"unpacks to less than it says",
       forged(
           [](auto& m) { m.packed = test::deflate_raw(kContent.substr(0, kContent.size() - 4)); },
           true),
       it + "ends after 8 of 12 bytes of elements."},
      {"unpacks to more than it says",
       forged([](auto& m) { m.packed = test::deflate_raw(kContent + "x"); }, true),
       it + "goes on after its 12 bytes of elements."},
      {"size says less than the header", forged([](auto& m) { m.bytes = 20; }, true),
       it + "holds 0 bytes of elements; its shape (3,) of float32 needs 12."},
      {"not an array inside", forged([](auto& m) { m.content = "hello, hello"; }),
       it + "is not a .npy array: it does not begin with \\x93NUMPY."},
      {"an empty member", forged([](auto& m) { m.content = ""; }),
       it + "is not a .npy array: it does not begin with \\x93NUMPY."},
      {"a shape larger than the member", forged([](auto& m) {
         m.content = test::forge_npy(
             "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000,), }", "12345678");
       }),
       it + "holds 8 bytes of elements; its shape (1000000000,) of float64 needs 8000000000."},
  };
}

TEST_CASE("every forged .npz archive is refused with its sentence") {
  for (const auto& forgeries : {forged_directories(), forged_members()}) {
    for (const ForgedArchive& forgery : forgeries) {
      INFO(forgery.what);
      CHECK(test::complaint([&] { parse_npz(test::bytes_of(forgery.file), "f.npz"); }) ==
            forgery.sentence);
    }
  }
}

TEST_CASE("a .npz archive cut off anywhere is refused") {
  const std::string whole = forge_zip({member()});
  for (size_t size = 0; size < whole.size(); ++size) {
    INFO(size << " of " << whole.size() << " bytes");
    CHECK_THROWS_AS(parse_npz(test::bytes_of(whole.substr(0, size)), "f.npz"), FormatError);
  }
}

}  // namespace

}  // namespace convkit
