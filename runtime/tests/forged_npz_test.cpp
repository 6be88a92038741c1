// SPDX-License-Identifier: MIT
// Damaged and forged .npz archives, each with its sentence.
#include "catch.h"
#include "convkit/npz.h"
#include "file_bytes.h"
#include "zip_forge.h"

namespace convkit {
namespace {

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
