// SPDX-License-Identifier: MIT
// Archives that are refused, each with its sentence. Scratch::refusal() also checks that nothing
// was left behind.
#include "catch.h"
#include "hostile_archives.h"
#include "scratch.h"

using namespace convkit;
using Catch::Matchers::StartsWith;
namespace fs = std::filesystem;

namespace {

std::string refused(const std::string& name, const std::string& bytes,
                    const IntakeLimits& limits = {}) {
  const Scratch scratch;
  scratch.file(name, bytes);
  return scratch.refusal(name, limits);
}
std::string refused_zip(const std::vector<ZipMember>& members, const IntakeLimits& limits = {}) {
  return refused("a.zip", zip(members), limits);
}
std::string refused_tar(const std::vector<TarMember>& members, const IntakeLimits& limits = {}) {
  return refused("a.tar", tar(members), limits);
}

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

TEST_CASE("a path with .. is refused and nothing is written beside the target") {
  const Scratch scratch;
  scratch.file("a.zip", zip({{"ok.cpp"}, {"../evil.cpp"}}));
  CHECK(scratch.refusal("a.zip") ==
        "`a.zip` contains `../evil.cpp`, a path with `..`; pack the folder from outside, so that "
        "no path needs `..`.");
  CHECK_FALSE(fs::exists(scratch / "evil.cpp"));
}

TEST_CASE("a path with .. behind backslashes is refused") {
  CHECK(refused_tar({{"a\\..\\..\\evil.cpp"}}) ==
        "`a.tar` contains `a\\..\\..\\evil.cpp`, a path with `..`; pack the folder from outside, "
        "so that no path needs `..`.");
  // In a zip, libarchive itself may already have turned them.
  CHECK(ends_with(refused_zip({{"a\\..\\..\\evil.cpp"}}),
                  ", a path with `..`; pack the folder from outside, so that no path needs `..`."));
}

TEST_CASE("an absolute path is refused") {
  CHECK(refused_tar({{"/etc/evil.cpp"}}) ==
        "`a.tar` contains `/etc/evil.cpp`, an absolute path; pack the folder itself, so that every "
        "path starts inside it.");
}

TEST_CASE("a drive letter is refused") {
  CHECK(refused_tar({{"C:\\homework\\conv2d.cpp"}}) ==
        "`a.tar` contains `C:\\homework\\conv2d.cpp`, an absolute path; pack the folder itself, so "
        "that every path starts inside it.");
  CHECK_THAT(refused_zip({{"c:evil.cpp"}}),
             StartsWith("`a.zip` contains `c:evil.cpp`, an absolute"));
}

TEST_CASE("a network path is refused") {
  CHECK(ends_with(
      refused_zip({{"\\\\server\\share\\a.cpp"}}),
      ", an absolute path; pack the folder itself, so that every path starts inside it."));
}

TEST_CASE("a name longer than file systems take is refused and cut in the message") {
  CHECK(refused_zip({{std::string(300, 'n') + ".cpp"}}) ==
        "`a.zip` contains `" + std::string(60, 'n') + "…" + std::string(26, 'n') +
            ".cpp`, a name of 304 bytes; 255 is the most a file system takes: rename it.");
}

TEST_CASE("a path that is too long as a whole is refused") {
  std::string path;
  for (int i = 0; i < 11; ++i) path += std::string(99, 'd') + '/';
  CHECK(refused_zip({{path + "a.cpp"}}) ==
        "`a.zip` contains `" + std::string(60, 'd') + "…" + std::string(24, 'd') +
            "/a.cpp`, a path of 1105 bytes; 1024 is the most: use shorter names or fewer folders.");
}

TEST_CASE("a link in a tar is refused by name") {
  CHECK(refused_tar({{"01_cpu_conv/conv2d.cpp", "", '2', "/etc/passwd"}}) ==
        "`a.tar` contains the link `01_cpu_conv/conv2d.cpp`; links are not accepted: replace it "
        "with the file itself.");
}

TEST_CASE("a link in a zip is refused by name") {
  CHECK(refused_zip({{"01_cpu_conv/conv2d.cpp", "/etc/passwd", 0120777}}) ==
        "`a.zip` contains the link `01_cpu_conv/conv2d.cpp`; links are not accepted: replace it "
        "with the file itself.");
}

TEST_CASE("a hard link is refused by name") {
  CHECK(refused_tar({{"a.cpp"}, {"b.cpp", "", '1', "a.cpp"}}) ==
        "`a.tar` contains the hard link `b.cpp`; links are not "
        "accepted: replace it with the file itself.");
}

TEST_CASE("a folder link followed by a file in it writes nothing through the link") {
  const Scratch scratch;
  scratch.file("a.tar", tar({{"d", "", '2', ".."}, {"d/evil.cpp"}}));
  CHECK_THAT(scratch.refusal("a.tar"), StartsWith("`a.tar` contains the link `d`;"));
  CHECK_FALSE(fs::exists(scratch / "evil.cpp"));
}

TEST_CASE("a named pipe is refused by name") {
  CHECK(refused_tar({{"p.cpp", "", '6', ""}}) ==
        "`a.tar` contains the named pipe `p.cpp`; only files "
        "and folders are accepted: leave it out.");
}

TEST_CASE("devices are refused by name") {
  for (const char type : {'3', '4'}) {
    CHECK(refused_tar({{"null", "", type, ""}}) ==
          "`a.tar` contains the device `null`; only files and folders are accepted: leave it out.");
  }
}

TEST_CASE("a socket in a zip is refused by name") {
  CHECK(refused_zip({{"s", "", 0140644}}) ==
        "`a.zip` contains the socket `s`; only files and folders are accepted: leave it out.");
}

TEST_CASE("the same path twice is refused") {
  CHECK(refused_zip({{"conv2d.cpp"}, {"./conv2d.cpp"}}) ==
        "`a.zip` contains `conv2d.cpp` twice, and which one counts is unclear; pack it again.");
}

TEST_CASE("paths that differ only in case are refused") {
  CHECK(refused_zip({{"conv2d.cpp"}, {"Conv2D.cpp"}}) ==
        "`a.zip` contains `conv2d.cpp` and `Conv2D.cpp`, whose names differ only in capital "
        "letters; keep one.");
}

TEST_CASE("one name as file and as folder is refused in either order") {
  const std::string sentence = "`a.zip` contains `a` both as a file and as a folder.";
  CHECK(refused_zip({{"a"}, {"a/b.cpp"}}) == sentence);
  CHECK(refused_zip({{"a/b.cpp"}, {"a"}}) == sentence);
}

TEST_CASE("a locked zip is refused") {
  CHECK(refused_zip({{"01/conv2d.cpp", "0123456789abcdef", 0100644, 1}}) ==
        "`a.zip` is locked with a password (`01/conv2d.cpp`); pack it without one.");
}

TEST_CASE("an empty zip is refused") {
  CHECK(refused_zip({}) == "`a.zip` holds no files.");
}

TEST_CASE("an empty tar is refused") {
  CHECK(refused_tar({}) == "`a.tar` holds no files.");
}

TEST_CASE("a zip of folders only is refused") {
  CHECK(refused_zip({{"01_cpu_conv/", "", 040755}}) == "`a.zip` holds no files.");
}

TEST_CASE("a zip of nothing but build results is refused") {
  CHECK(refused_zip({{"build/main.o"}, {"conv2d.o"}}) ==
        "`a.zip` holds only files that do not belong to a submission: `build/` and `conv2d.o`.");
}

TEST_CASE("an empty file is refused") {
  CHECK(refused("a.zip", "") == "`a.zip` is an empty file (0 bytes): pack and upload it again.");
}

TEST_CASE("a zip that was cut off is refused wherever the cut lies") {
  const std::string whole = zip({{"a.cpp", std::string(1000, 'x')}, {"b.cpp"}});
  for (const size_t bytes : {size_t{20}, size_t{500}, whole.size() - 60, whole.size() - 1}) {
    CHECK(refused("a.zip", whole.substr(0, bytes)) ==
          "`a.zip` is a zip whose end is missing or damaged, as after an interrupted upload: pack "
          "and upload it again.");
  }
}

TEST_CASE("a zip with a wrong checksum is refused, naming the file") {
  CHECK_THAT(refused_zip({{"ok.cpp"}, {"a.cpp", "int x;\n", 0100644, 0, 0, 3, 1}}),
             StartsWith("`a.cpp` in `a.zip` cannot be unpacked (ZIP bad CRC"));
}

TEST_CASE("a zip member packed in an unknown way is refused, naming the file") {
  CHECK_THAT(refused_zip({{"a.cpp", "int x;\n", 0100644, 0, 77}}),
             StartsWith("`a.cpp` in `a.zip` is packed by an unknown method. Pack it with Deflate"));
}

TEST_CASE("a tar that was cut off inside a file is refused, naming the file") {
  CHECK_THAT(refused("a.tar", tar({{"a.cpp", std::string(5000, 'x')}}).substr(0, 2000)),
             StartsWith("`a.cpp` in `a.tar` cannot be unpacked (Truncated tar archive"));
}

TEST_CASE("a tar.gz that was cut off is refused") {
  std::string noise;
  for (uint32_t i = 0, state = 1; i < 300000; ++i) {
    noise += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  }
  const std::string whole = compressed(tar({{"a.cpp", noise}}), "gzip");
  CHECK(refused("a.tar.gz", whole.substr(0, 5000)) ==
        "`a.tar.gz` is damaged (truncated gzip input): pack and upload it again.");
  CHECK(refused("a.tar.gz", whole.substr(0, whole.size() - 5000)) ==
        "`a.cpp` in `a.tar.gz` cannot be unpacked (truncated gzip input): pack it again.");
}

TEST_CASE("a gzip file without a tar inside is refused") {
  CHECK(refused("conv2d.cpp.gz", compressed("int x;\n", "gzip")) ==
        "`conv2d.cpp.gz` is a gzip file without a tar archive "
        "inside; send a zip, tar.gz or tar.xz of the folder.");
}

TEST_CASE("a tar compressed twice is refused") {
  CHECK(refused("a.tgz", compressed(compressed(tar({{"a.cpp"}}), "gzip"), "gzip")) ==
        "`a.tgz` is compressed more than once; send a zip, tar.gz or tar.xz of the folder.");
}

TEST_CASE("a file that is not an archive is refused with the kind that it seems to be") {
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"%PDF-1.7\n%", "a PDF document"},
      {std::string("Rar!\x1a\x07\x01\x00", 8), "a RAR archive"},
      {"7z\xbc\xaf\x27\x1c", "a 7z archive"},
      {"\x7f"
       "ELF\2\1\1",
       "a compiled program"},
      {"\x89PNG\r\n", "a picture"},
      {"\n<!DOCTYPE html><title>Log in</title>",
       "a web page (perhaps a log-in page saved instead of the file)"},
      {"Dear TA,\nI could not", "a text file"},
      {std::string("\1\2\3\0", 4), "not a kind of file that convkit knows"},
  };
  for (const auto& [bytes, what] : kinds) {
    CHECK(refused("a.zip", bytes) == "`a.zip` is " + what +
                                         "; convkit opens zip, tar, tar.gz, tar.xz, tar.bz2 and "
                                         "tar.zst, so send the folder as one of these.");
  }
}

TEST_CASE("a compiled program called conv2d.cpp is refused") {
  CHECK_THAT(refused("conv2d.cpp",
                     "\x7f"
                     "ELF\2\1\1"),
             StartsWith("`conv2d.cpp` is a compiled program; convkit opens zip"));
}

TEST_CASE("a zip bomb of 3 GB that announces itself is refused before anything is written") {
  CHECK(refused_zip({{"bomb.bin", deflated_zeros(3072), 0100644, 0, 8, 3, 0, 3072u << 20}}) ==
        "`bomb.bin` in `a.zip` is larger than 16 MiB, the most that one file may be.");
}

TEST_CASE("a bomb of 3 GB that hides its size is stopped at the limit while unpacking") {
  CHECK(refused_zip({{"bomb.bin", deflated_zeros(3072), 0100644, 0, 8, 3, 0, 100}}) ==
        "`bomb.bin` in `a.zip` is larger than 16 MiB, the most that one file may be.");
}

TEST_CASE("a tar.gz bomb of 100 MB in many files is stopped at the limit on all of them") {
  std::vector<TarMember> members;
  for (int i = 0; i < 10; ++i) {
    members.push_back({"f" + std::to_string(i), std::string(10 << 20, '\0')});
  }
  CHECK(refused("a.tar.gz", compressed(tar(members), "gzip")) ==
        "`a.tar.gz` holds more than 64 MiB (reached at `f6`); hand in sources only, without data "
        "and build results.");
}

TEST_CASE("a bomb among what is left out is stopped as well") {
  const IntakeLimits limits{1 << 20, 1 << 20, 10, 3};
  std::vector<TarMember> members;
  for (int i = 0; i < 20; ++i) {
    members.push_back({"build/f" + std::to_string(i), std::string(1 << 20, '\0')});
  }
  CHECK(refused("a.tar.gz", compressed(tar(members), "gzip"), limits) ==
        "`a.tar.gz` holds too many files that do not belong to a "
        "submission (reached at `build/f16`); pack the sources only.");
}

TEST_CASE("an archive that is itself larger than the limit is refused unopened") {
  CHECK(refused_tar({{"a.bin", std::string(2 << 20, 'x')}}, {1 << 20, 1 << 20, 10, 3}) ==
        "`a.tar` is larger than 1 MiB; pack the sources only, without data and build results.");
}

TEST_CASE("too many files are refused") {
  std::vector<ZipMember> members;
  for (int i = 0; i < 11; ++i) members.push_back({std::to_string(i) + ".h"});
  CHECK(refused_zip(members, {1 << 20, 1 << 20, 10, 3}) ==
        "`a.zip` contains more than 10 files; hand in only the sources of the assignment.");
}

TEST_CASE("too many folders are refused although they hold no files") {
  std::vector<TarMember> members;
  for (int i = 0; i < 1101; ++i) members.push_back({std::to_string(i), "", '5', ""});
  CHECK(refused_tar(members, {1 << 20, 1 << 20, 10, 3}) ==
        "`a.tar` contains more than 1100 entries; hand in only the sources of the assignment.");
}

TEST_CASE("folders that are too deep are refused") {
  CHECK(refused_zip({{"a/b/c/d/e.cpp"}}, {1 << 20, 1 << 20, 10, 3}) ==
        "`a.zip` contains `a/b/c/d/e.cpp`, 4 folders deep; at most 3 are accepted.");
  CHECK(refused_zip({{"a/b/c/e.cpp"}}, {1 << 20, 1 << 20, 10, 3}).empty());
}

TEST_CASE("a file of exactly the limit is accepted and one byte more is not") {
  const IntakeLimits limits{1 << 20, 1000, 10, 3};
  CHECK(refused_zip({{"a.bin", std::string(1000, 'x')}}, limits).empty());
  CHECK(refused_zip({{"a.bin", std::string(1001, 'x')}}, limits) ==
        "`a.bin` in `a.zip` is larger than 1000 bytes, the most that one file may be.");
}

TEST_CASE("a submission that does not exist is refused") {
  const Scratch scratch;
  CHECK(scratch.refusal("nothing.zip") ==
        "There is no file or folder `" + (scratch / "nothing.zip").string() + "`.");
}
