// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/launch_bounds.h"

#include "catch.h"
#include "rewritten.h"

namespace convkit::rewrite {

using test::lines_in;
using test::text_of;

TEST_CASE("a kernel with launch bounds gets a constant that its launches name") {
  CHECK(
      text_of("__global__ void __launch_bounds__(32) k(int* x) {}\nvoid f() { k<<<1, 2>>>(0); }") ==
      "[[maybe_unused]] static constexpr unsigned convkit_bounds_k = static_cast<unsigned>(32); "
      "__global__ void __launch_bounds__(32) k(int* x) {}\n"
      "void f() { CONVKIT_SIMT_KNOWN_LAUNCH((k),(1, "
      "2),(convkit_bounds_k),(::convkit::simt::not_asked)) (0); }");
  CHECK(text_of("__launch_bounds__(kA * kB, 2) __global__ void k() {}")
            .find("static_cast<unsigned>(kA * kB); ") != std::string::npos);
}

TEST_CASE("the constant of a template is a template, for launches that name all arguments") {
  const std::string kernel =
      "template <int N, class T>\n__global__ void __launch_bounds__(N) k(T* x) {}\n";
  const std::string text = text_of(kernel + "void f() { k<8, float><<<1, 2>>>(0); }");
  CHECK(text.find("template < int N , class T > [[maybe_unused]] static constexpr unsigned "
                  "convkit_bounds_k = static_cast<unsigned>(N); template") == 0);
  CHECK(text.find("CONVKIT_SIMT_KNOWN_TEMPLATE_LAUNCH((k<8, float>),(1, 2),(convkit_bounds_k < 8 , "
                  "float >),") != std::string::npos);
  CHECK(lines_in(text) == 2);
  CHECK(text_of(kernel + "void f() { k<8><<<1, 2>>>(x); }")
            .find("CONVKIT_SIMT_KNOWN_TEMPLATE_LAUNCH((k<8>),(1, 2),(0),") != std::string::npos);
  CHECK(text_of(kernel + "void f() { k<<<1, 2>>>(x); }")
            .find("CONVKIT_SIMT_KNOWN_LAUNCH((k),(1, 2),(0),") != std::string::npos);
}

TEST_CASE("where it is not certain which kernel is meant, nothing changes") {
  const std::string kernel = "__global__ void __launch_bounds__(32) k(int* x) {}\n";
  for (const std::string& text : std::vector<std::string>{
           kernel + "__global__ void k(float* x) {}",     // overloads
           kernel + "template <class K> void f(K k) {}",  // a parameter of that name
           "#if A\n" + kernel + "#endif\n",               // perhaps not compiled
           "namespace a [[deprecated]] { " + kernel + "}",
           "#define BOUNDS __launch_bounds__(32)\n__global__ void BOUNDS k(int* x) {}",
           "__global__ void __launch_bounds__(32) k(int* x);",  // only declared
       }) {
    CHECK(text_of(text).find("convkit_bounds") == std::string::npos);
  }
}

TEST_CASE("a kernel in a namespace without a name has a constant there") {
  const std::string text = text_of(
      "namespace { __global__ void __launch_bounds__(32) k() {} }\nvoid f() { k<<<1, 2>>>(); }");
  CHECK(text.find("namespace { [[maybe_unused]] static constexpr unsigned convkit_bounds_k") == 0);
  CHECK(text.find("CONVKIT_SIMT_KNOWN_LAUNCH((k),(1, "
                  "2),(convkit_bounds_k),(::convkit::simt::not_asked)) ()") != std::string::npos);
}

TEST_CASE("a kernel in a named namespace has a constant there, for launches from there") {
  const std::string in_a = "namespace a { __global__ void __launch_bounds__(32) k() {} }\n";
  const std::string bounded =
      "CONVKIT_SIMT_KNOWN_LAUNCH((k),(1, 2),(convkit_bounds_k),(::convkit::simt::not_asked)) ()";
  const std::string text = text_of(in_a + "namespace a { void f() { k<<<1, 2>>>(); } }");
  CHECK(text.find("namespace a { [[maybe_unused]] static constexpr unsigned convkit_bounds_k") ==
        0);
  CHECK(text.find(bounded) != std::string::npos);
  CHECK(text_of(in_a + "namespace a::b { namespace { void f() { k<<<1, 2>>>(); } } }")
            .find(bounded) != std::string::npos);
  // Whether the constant has this name there, too, is not certain.
  for (const std::string& launch : std::vector<std::string>{
           "void f() { a::k<<<1, 2>>>(); }", "using namespace a; void f() { k<<<1, 2>>>(); }",
           "using a::k; void f() { k<<<1, 2>>>(); }",
           "namespace ab { void f() { k<<<1, 2>>>(); } }",
           "namespace a { void f() { ::k<<<1, 2>>>(); } }"}) {
    CHECK(text_of(in_a + launch).find("CONVKIT_SIMT_LAUNCH(") != std::string::npos);
  }
}

}  // namespace convkit::rewrite
