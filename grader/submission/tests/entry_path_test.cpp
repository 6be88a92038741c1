// SPDX-License-Identifier: MIT
#include "submission/entry_path.h"

#include "catch.h"

using namespace convkit;

TEST_CASE("names in messages are printable") {
  CHECK(shown("größe 作業.cpp") == "größe 作業.cpp");
  CHECK(shown("a\x1b[31m\n\x7f.cpp") == "a_[31m__.cpp");
  CHECK(shown("fdp.exe\xe2\x80\xae.cpp") == "fdp.exe_.cpp");  // right-to-left override
}

TEST_CASE("invalid UTF-8 is replaced byte by byte") {
  CHECK(shown("\xc0\xaf") == "__");            // an overlong '/'
  CHECK(shown("\xe0\x80\xaf") == "___");       // another
  CHECK(shown("\xed\xa0\x80") == "___");       // a surrogate
  CHECK(shown("\xf4\x90\x80\x80") == "____");  // beyond Unicode
  CHECK(shown("a\xe4\xbd") == "a__");          // cut off
  CHECK(shown("\xf0\x9f\x98\x80") == "\xf0\x9f\x98\x80");
}

TEST_CASE("a long name is cut between characters") {
  std::string name;
  for (int i = 0; i < 100; ++i) name += "ü";
  const std::string text = shown("a" + name);
  CHECK(text.size() < 100);
  CHECK(text == shown(text));
  CHECK(text.find('_') == std::string::npos);
}

TEST_CASE("an overlong slash is no way around the rules") {
  CHECK(clean_path("..\xc0\xaf"
                   "evil",
                   "a.zip")
            .path == "..__evil");
}

TEST_CASE("a colon is only a drive letter in second place") {
  CHECK(clean_path("a/b:c.cpp", "a.zip").path == "a/b:c.cpp");
  CHECK(clean_path("ab:c.cpp", "a.zip").path == "ab:c.cpp");
}

TEST_CASE("three dots are a name like any other") {
  CHECK(clean_path(".../a..b", "a.zip").path == ".../a..b");
}

TEST_CASE("version control, build results and leftovers are left out, sources are not") {
  CHECK(left_out(".git/config", false) == ".git/");
  CHECK(left_out("hw/.git", true) == "hw/.git/");
  CHECK(left_out("hw/Build/x.cpp", false) == "hw/Build/");
  CHECK(left_out("cmake-build-debug/x", false) == "cmake-build-debug/");
  CHECK(left_out("a/conv2d.o", false) == "a/conv2d.o");
  CHECK(left_out("a/libconv.SO", false) == "a/libconv.SO");
  CHECK(left_out("a/._conv2d.cpp", false) == "a/._conv2d.cpp");
  CHECK_FALSE(left_out("build.cpp", false));
  CHECK_FALSE(left_out("rebuild/x.cpp", false));
  CHECK_FALSE(left_out("build", false));  // a file of that name
  CHECK_FALSE(left_out(".gitignore", false));
  CHECK_FALSE(left_out("a/.o", false));
  CHECK_FALSE(left_out("a/conv2d.cpp", false));
  CHECK_FALSE(left_out("", true));
}
