// SPDX-License-Identifier: MIT
#include "cpu_device/cc/toolchain.h"

#include "catch.h"

namespace convkit {

using Names = std::vector<std::string>;

TEST_CASE("submissions are compiled by the usual compilers, g++ first") {
  const Names usual = {"g++", "clang++", "c++"};
  CHECK(compiler_candidates("", "/usr/bin/c++") == usual);
  CHECK(compiler_candidates("", "/usr/bin/g++") == usual);
  CHECK(compiler_candidates("", "") == usual);
}

TEST_CASE("a compiler with a version in its name that built the kit compiles submissions, too") {
  CHECK(compiler_candidates("", "/usr/bin/g++-13") ==
        Names{"/usr/bin/g++-13", "g++", "clang++", "c++"});
  CHECK(compiler_candidates("", "/opt/llvm/bin/clang++-15").front() == "/opt/llvm/bin/clang++-15");
}

TEST_CASE("the compiler that CXX names comes before all others") {
  CHECK(compiler_candidates("clang++-16", "/usr/bin/g++-13") ==
        Names{"clang++-16", "/usr/bin/g++-13", "g++", "clang++", "c++"});
}

}  // namespace convkit
