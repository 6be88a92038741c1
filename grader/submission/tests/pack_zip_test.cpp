// SPDX-License-Identifier: MIT
#include <sys/stat.h>

#include "catch.h"
#include "scratch.h"

using namespace convkit;
namespace fs = std::filesystem;

namespace {

std::string pack_error(const fs::path& archive, const fs::path& folder,
                       const std::vector<std::string>& files) {
  try {
    pack_zip(archive, folder, "01_cpu_conv", files);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("what is packed is taken in again, byte for byte") {
  const Scratch scratch;
  std::string noise;
  for (uint32_t i = 0, state = 1; i < 5000; ++i) {
    noise += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  }
  scratch.file("hw/conv2d.cpp", "int a;\r\n");
  scratch.file("hw/sub folder/größe.h", std::string(10000, 'x'));
  scratch.file("hw/noise.bin", noise);
  scratch.file("hw/empty.h", "");
  pack_zip(scratch / "out.zip", scratch / "hw", "01_cpu_conv",
           {"noise.bin", "conv2d.cpp", "sub folder/größe.h", "empty.h"});
  const Submission submission = scratch.take("out.zip");
  CHECK(listing(submission) ==
        "01_cpu_conv/conv2d.cpp 01_cpu_conv/empty.h 01_cpu_conv/noise.bin "
        "01_cpu_conv/sub folder/größe.h");
  const fs::path top = scratch.into() / "01_cpu_conv";
  CHECK(contents(top / "conv2d.cpp") == "int a;\r\n");
  CHECK(contents(top / "noise.bin") == noise);
  CHECK(contents(top / "empty.h").empty());
  CHECK(contents(top / "sub folder/größe.h") == std::string(10000, 'x'));
}

TEST_CASE("the same files give the same zip, whatever their order and age") {
  const Scratch scratch;
  scratch.file("hw/a.cpp");
  scratch.file("hw/b.cpp");
  pack_zip(scratch / "1.zip", scratch / "hw", "hw", {"a.cpp", "b.cpp"});
  fs::last_write_time(scratch / "hw/a.cpp",
                      fs::file_time_type::clock::now() - std::chrono::hours(9));
  pack_zip(scratch / "2.zip", scratch / "hw", "hw", {"b.cpp", "a.cpp", "b.cpp"});
  CHECK(contents(scratch / "1.zip") == contents(scratch / "2.zip"));
}

TEST_CASE("Python reads the zip and finds nothing wrong with it") {
  const Scratch scratch;
  scratch.file("hw/größe.cpp", std::string(5000, 'x'));
  pack_zip(scratch / "out.zip", scratch / "hw", "hw", {"größe.cpp"});
  const std::string test =
      "python3 -c \"import zipfile, sys; z = zipfile.ZipFile(sys.argv[1]); "
      "sys.exit(z.testzip() is not None or z.namelist() != ['hw/größe.cpp'])\" '";
  CHECK(std::system((test + (scratch / "out.zip").string() + "'").c_str()) == 0);
}

TEST_CASE("an older archive is replaced whole") {
  const Scratch scratch;
  scratch.file("hw/a.cpp");
  scratch.file("out.zip", std::string(100000, 'x'));
  pack_zip(scratch / "out.zip", scratch / "hw", "hw", {"a.cpp"});
  CHECK(listing(scratch.take("out.zip")) == "hw/a.cpp");
}

TEST_CASE("a file that cannot be packed is named, and the older archive stays") {
  const Scratch scratch;
  fs::create_directories(scratch / "hw/folder");
  scratch.file("out.zip", "old");
  CHECK(pack_error(scratch / "out.zip", scratch / "hw", {"missing.cpp"}) ==
        "Cannot pack `" + (scratch / "hw/missing.cpp").string() + "`: it is not a file.");
  CHECK(pack_error(scratch / "out.zip", scratch / "hw", {"folder"}) ==
        "Cannot pack `" + (scratch / "hw/folder").string() + "`: it is not a file.");
  CHECK(contents(scratch / "out.zip") == "old");
}

TEST_CASE("an archive that cannot be written is named") {
  const Scratch scratch;
  scratch.file("hw/a.cpp");
  const fs::path archive = scratch / "no such folder/out.zip";
  CHECK(pack_error(archive, scratch / "hw", {"a.cpp"}).find(archive.string()) != std::string::npos);
}
