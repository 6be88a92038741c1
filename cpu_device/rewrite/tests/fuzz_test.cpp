// SPDX-License-Identifier: MIT
// A short, repeatable run of what tests/fuzz/rewriter.cpp does at length.
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "catch.h"
#include "fuzz_property.h"

namespace convkit::rewrite {
namespace {

// Of the processor, however busy it is with other programs.
double seconds_for(const std::string& text) {
  const std::clock_t start = std::clock();
  test::check_properties(text);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

std::string repeated(const std::string& piece, size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += piece;
  return text;
}

}  // namespace

TEST_CASE("random pieces of programs keep their lines and crash nothing") {
  std::mt19937 random(1);
  for (int i = 0; i < 4000; ++i) {
    const std::string text = test::random_program(random);
    INFO(text);
    REQUIRE_NOTHROW(test::check_properties(text));
  }
}

TEST_CASE("damaged programs keep their lines and crash nothing") {
  std::mt19937 random(2);
  const auto folder = std::filesystem::path(CONVKIT_SOURCE_DIR) / "cpu_device/rewrite/tests";
  for (const auto& entry : std::filesystem::directory_iterator(folder / "fixtures")) {
    std::ostringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    for (int i = 0; i < 150; ++i) {
      const std::string damaged = test::mutated(text.str(), random);
      INFO(damaged);
      REQUIRE_NOTHROW(test::check_properties(damaged));
    }
  }
}

TEST_CASE("programs cut off anywhere keep their lines and crash nothing") {
  const std::string barriers =
      "__global__ void k(int* x, int n) {\n __shared__ int s[8];\n const int t = threadIdx.x, m = "
      "n;\n"
      " int a[2] = {}, b = x[t];\n for (int i = 0; i < m; ++i) {\n s[t] = b; __syncthreads();\n"
      " a[i % 2] += s[t ^ 1]; if (n > 2) { __syncthreads(); b = 1; } else { n; }\n }\n"
      " if (b) return;\n x[t] = a[0];\n}\n";
  for (size_t length = 0; length <= barriers.size(); ++length) {
    REQUIRE_NOTHROW(test::check_properties(barriers.substr(0, length)));
    REQUIRE_NOTHROW(test::check_properties(barriers.substr(0, length) +
                                           barriers.substr(std::min(length + 1, barriers.size()))));
  }
  const std::string program =
      "#if X\n#define M(a) k<a><<<1, \\\n 2>>>(a)\n#else\nextern __shared__ float s[];\n#endif\n"
      "template <class T> __global__ void k(T* x) { asm(\"x\"); auto s = R\"(\n)\"; }\n"
      "int main() { k<A<B<int>>><<<dim3(1, 2), f([] { return 3; })>>>(0); M('a'); }\n";
  for (size_t length = 0; length <= program.size(); ++length) {
    REQUIRE_NOTHROW(test::check_properties(program.substr(0, length)));
    REQUIRE_NOTHROW(test::check_properties(program.substr(length)));
  }
}

TEST_CASE("no text takes long: time grows with its size") {
  const char* scale =
      std::getenv("CONVKIT_TIME_SCALE");  // of an emulated machine (docs/install.md)
  const double most_s = 5 * (scale ? std::atof(scale) : 1);
  for (const std::string piece : {"k<<<",
                                  "k<<<(",
                                  "<<<>>>",
                                  "k<<<1,2>>>(x)",
                                  "k<<<1,2>>>(x).",
                                  "(k<<<1,2>>>())",
                                  "a>",
                                  "a<",
                                  ">>>(",
                                  "k<1><<<1,2>>>(k)",
                                  "{",
                                  "}",
                                  "(",
                                  "[",
                                  "int a = {} ",
                                  "#if X\n{",
                                  "#if X\n(((\n",
                                  "#if X\n#else\n}\n",
                                  "__shared__ ",
                                  "extern __shared__ ",
                                  "extern __shared__ a, ",
                                  "[x]{",
                                  "#define M k<<<\n",
                                  "#define M(x) k<<<1,2>>>(x)\n",
                                  "\\\n",
                                  "/*",
                                  "R\"a(",
                                  "'",
                                  "\"",
                                  "asm(",
                                  "template <",
                                  "tex2DLod(",
                                  "f() {",
                                  "k.k.",
                                  "k::",
                                  "a##",
                                  "k<<<A<B<C<",
                                  "k<<<1>>>"}) {
    INFO(piece);
    CHECK(seconds_for(repeated(piece, 200'000)) < most_s);
  }
}

}  // namespace convkit::rewrite
