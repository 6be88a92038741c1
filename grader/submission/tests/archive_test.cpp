// SPDX-License-Identifier: MIT
// Archives that are taken in, as honest archivers on all systems make them.
#include "catch.h"
#include "hostile_archives.h"
#include "scratch.h"

using namespace convkit;
namespace fs = std::filesystem;

namespace {

const std::vector<TarMember> kTwoFiles = {{"01_cpu_conv", "", '5', ""},
                                          {"01_cpu_conv/conv2d.cpp", "int a;\n", '0', ""},
                                          {"01_cpu_conv/include/my.h", "int b;\n", '0', ""}};

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a zip is laid down as it was packed") {
  const Scratch scratch;
  scratch.file(
      "ada.zip",
      zip({{"hw/", "", 040755}, {"hw/conv2d.cpp", "int a;\n"}, {"hw/x/my.h", "int b;\n"}}));
  const Submission submission = scratch.take("ada.zip");
  CHECK(submission.name == "ada.zip");
  CHECK(submission.root == scratch.into());
  CHECK(listing(submission) == "hw/conv2d.cpp hw/x/my.h");
  CHECK(submission.files[0].bytes == 7);
  CHECK(submission.files[0].modified != 0);
  CHECK(contents(scratch.into() / "hw/conv2d.cpp") == "int a;\n");
  CHECK(contents(scratch.into() / "hw/x/my.h") == "int b;\n");
  CHECK(submission.notes.empty());
}

TEST_CASE("a deflated member is unpacked and its checksum verified") {
  const Scratch scratch;
  const std::string zeros = deflated_zeros(1);
  const auto crc = static_cast<uint32_t>(0xa738ea1c);  // of one MiB of zeros
  scratch.file("ada.zip", zip({{"zeros.bin", zeros, 0100644, 0, 8, 3, crc, 1 << 20}}));
  CHECK(scratch.take("ada.zip").files.at(0).bytes == 1 << 20);
}

TEST_CASE("tar, tar.gz, tar.xz, tar.bz2 and tar.zst are taken whatever they are called") {
  for (const std::string filter : {"", "gzip", "xz", "bzip2", "zstd"}) {
    CAPTURE(filter);
    const Scratch scratch;
    const std::string bytes = tar(kTwoFiles);
    scratch.file("upload.zip", filter.empty() ? bytes : compressed(bytes, filter));
    CHECK(listing(scratch.take("upload.zip")) == "01_cpu_conv/conv2d.cpp 01_cpu_conv/include/my.h");
    CHECK(contents(scratch.into() / "01_cpu_conv/include/my.h") == "int b;\n");
  }
}

TEST_CASE("the sum of an archive is that of its bytes") {
  const Scratch scratch;
  scratch.file("conv2d.cpp", "abc");
  CHECK(scratch.take("conv2d.cpp").sha256 ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("what macOS adds to a zip is left out with one note") {
  const Scratch scratch;
  scratch.file("ada.zip", zip({{"01/conv2d.cpp"},
                               {"01/.DS_Store"},
                               {"__MACOSX/01/._conv2d.cpp"},
                               {"__MACOSX/._01"},
                               {"01/._pool.cpp"}}));
  const Submission submission = scratch.take("ada.zip");
  CHECK(listing(submission) == "01/conv2d.cpp");
  CHECK(submission.notes ==
        Texts{"Left out, because they do not belong to a submission: `01/.DS_Store`, "
              "`01/._pool.cpp` and `__MACOSX/`."});
}

TEST_CASE("a zip made by Windows with backslashes becomes folders") {
  const Scratch scratch;
  scratch.file("ada.zip", zip({{"01\\conv2d.cpp", "int x;\n", 0, 0, 0, 0}}));
  CHECK(listing(scratch.take("ada.zip")) == "01/conv2d.cpp");
}

TEST_CASE("backslashes in other archives are read as folders with a note") {
  const Scratch scratch;
  scratch.file("ada.tar", tar({{"01\\", "", '5'}, {"01\\conv2d.cpp"}}));
  const Submission submission = scratch.take("ada.tar");
  CHECK(listing(submission) == "01/conv2d.cpp");
  CHECK(submission.notes == Texts{"Backslashes in names were read as `/`: `01/conv2d.cpp`."});
}

TEST_CASE("spaces and letters of any script are kept") {
  const Scratch scratch;
  scratch.file("ada.zip", zip({{"Übung 1/größe ✓.h", "", 0100644, 0x0800}, {"作業/conv2d.cpp"}}));
  const Submission submission = scratch.take("ada.zip");
  CHECK(listing(submission) == "Übung 1/größe ✓.h 作業/conv2d.cpp");
  CHECK(submission.notes.empty());
}

TEST_CASE("a name that is not UTF-8 is repaired with a note") {
  const Scratch scratch;
  scratch.file("ada.zip", zip({{"gr\x94\xe1"
                                "e.cpp"}}));
  const Submission submission = scratch.take("ada.zip");
  CHECK(listing(submission) == "gr__e.cpp");
  CHECK(submission.notes == Texts{"Unprintable characters in names became `_`: `gr__e.cpp`."});
}

TEST_CASE("a control character in a name is repaired with a note") {
  const Scratch scratch;
  scratch.file("ada.tar", tar({{"a\x1b[2Jb.cpp"}}));
  CHECK(listing(scratch.take("ada.tar")) == "a_[2Jb.cpp");
}

TEST_CASE("a name is what stands before its NUL, as every archiver reads it") {
  const Scratch scratch;
  scratch.file("ada.zip", zip({{std::string("conv2d.cpp\0.png", 15)}}));
  CHECK(listing(scratch.take("ada.zip")) == "conv2d.cpp");
}

TEST_CASE("dots and doubled slashes in paths are straightened") {
  const Scratch scratch;
  scratch.file("ada.tar", tar({{"./", "", '5', ""}, {"./01//./conv2d.cpp"}}));
  CHECK(listing(scratch.take("ada.tar")) == "01/conv2d.cpp");
}

TEST_CASE("Windows line ends and byte-order marks are kept and noted") {
  const Scratch scratch;
  scratch.file("ada.zip", zip({{"conv2d.cpp", "int a;\r\nint b;\r\n"},
                               {"pool.cpp", "\xef\xbb\xbfint c;\n"},
                               {"notes.txt", "not a source\r\n"}}));
  const Submission submission = scratch.take("ada.zip");
  CHECK(submission.notes ==
        Texts{"`conv2d.cpp` has Windows line ends, which are harmless.",
              "`pool.cpp` starts with a UTF-8 byte-order mark, which is harmless."});
  CHECK(contents(scratch.into() / "conv2d.cpp") == "int a;\r\nint b;\r\n");
  CHECK(contents(scratch.into() / "pool.cpp") == "\xef\xbb\xbfint c;\n");
}

TEST_CASE("a source in UTF-16 is noted before the compiler stumbles over it") {
  const Scratch scratch;
  scratch.file("ada.zip", zip({{"conv2d.cpp", std::string("\xff\xfei\0n\0t\0", 8)}}));
  CHECK(scratch.take("ada.zip").notes ==
        Texts{"`conv2d.cpp` is UTF-16 text, which compilers do not read; save as UTF-8."});
}

TEST_CASE("an archive in an archive without sources is opened, into a folder of its name") {
  const Scratch scratch;
  scratch.file("moodle.zip", zip({{"report.pdf"},
                                  {"Ada/01.zip", zip({{"a.cpp"}, {"sub/b.h"}})},
                                  {"Ada/02.zip", zip({{"x.zip", zip({{"c.cu"}})}})}}));
  const Submission submission = scratch.take("moodle.zip");
  CHECK(listing(submission) == "Ada/01/a.cpp Ada/01/sub/b.h Ada/02/x/c.cu report.pdf");
  CHECK(submission.notes == Texts{"Archives inside the submission were opened: `Ada/01.zip`, "
                                  "`Ada/02.zip` and `Ada/02/x.zip`."});
}

TEST_CASE("an archive packed twice is opened, and a folder that holds one is, too") {
  const Scratch scratch;
  scratch.file("ada/inner.zip", zip({{"again.zip", zip({{"a.cpp"}})}}));
  CHECK(listing(scratch.take("ada")) == "inner/again/a.cpp");
  const Scratch other;
  other.file("inner.zip", zip({{"again.zip", zip({{"a.cpp"}})}}));
  CHECK(listing(other.take("inner.zip")) == "again/a.cpp");
}

TEST_CASE("what an inner archive does wrong is said with its name") {
  const Scratch scratch;
  scratch.file("ada.zip", zip({{"inner.zip", zip({{"../evil.cpp"}})}}));
  CHECK(scratch.refusal("ada.zip") ==
        "`inner.zip` contains `../evil.cpp`, a path with `..`; pack the folder from outside, so "
        "that no path needs `..`.");
  scratch.file("bob.zip", zip({{"inner.zip", std::string("PK\3\4") + "no more"}}));
  CHECK(scratch.refusal("bob.zip") ==
        "`inner.zip` is a zip whose end is missing or damaged, as after an interrupted upload: "
        "pack and upload it again.");
}

TEST_CASE("inner archives have the limits of the whole") {
  const Scratch scratch;
  IntakeLimits limits;
  limits.files = 4;
  scratch.file("ada.zip", zip({{"1.zip", zip({{"a.cpp"}, {"b.cpp"}})},
                               {"2.zip", zip({{"c.cpp"}, {"d.cpp"}})}}));
  CHECK(scratch.refusal("ada.zip", limits) != "");
}

TEST_CASE("an archive beside sources is kept unopened and noted") {
  const Scratch scratch;
  scratch.file("ada.zip", zip({{"a.cpp"}, {"inner.zip", zip({{"b.cpp"}})}}));
  const Submission submission = scratch.take("ada.zip");
  CHECK(listing(submission) == "a.cpp inner.zip");
  CHECK(submission.notes == Texts{"Archives inside a submission are not opened: `inner.zip`."});
}

TEST_CASE("links inside folders that are left out do no harm") {
  const Scratch scratch;
  scratch.file("ada.tar", tar({{"a.cpp"}, {".venv/bin/python", "", '2', "/usr/bin/python3"}}));
  CHECK(listing(scratch.take("ada.tar")) == "a.cpp");
}

TEST_CASE("one source file by itself is a submission") {
  const Scratch scratch;
  scratch.file("conv2d.cpp");
  const Submission submission = scratch.take("conv2d.cpp");
  CHECK(listing(submission) == "conv2d.cpp");
  CHECK(submission.notes ==
        Texts{"`conv2d.cpp` was given as a single file, not as a folder or archive."});
}

TEST_CASE("many odd files make one note") {
  const Scratch scratch;
  std::vector<ZipMember> members;
  for (char c = 'a'; c <= 'j'; ++c) members.push_back({std::string(1, c) + ".h", "\r\n"});
  scratch.file("ada.zip", zip(members));
  CHECK(scratch.take("ada.zip").notes ==
        Texts{"`a.h`, `b.h`, `c.h`, `d.h` and 6 more have Windows line ends, which are harmless."});
}
