// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/dynamic_shared.h"

#include "catch.h"
#include "rewritten.h"

namespace convkit::rewrite {

using test::text_of;

namespace {
const std::string kSymbol = " __asm__(\"convkit_simt_dynamic_shared\")";
}

TEST_CASE("dynamic shared memory is given its storage") {
  CHECK(text_of("extern __shared__ float s[];") == "extern __thread   float s[]" + kSymbol + ";");
  CHECK(text_of("__global__ void k() { extern __shared__ unsigned char s[]; }") ==
        "__global__ void k() {                   unsigned char (&s)[] = "
        "::convkit::simt::dynamic_shared; }");
  CHECK(text_of("template <class T> __device__ void k() { extern __shared__ T s[][4]; }") ==
        "template <class T> __device__ void k() {                   T (&s)[][4] = "
        "::convkit::simt::dynamic_shared; }");
  CHECK(text_of("namespace n { extern __shared__ float s[]; }") ==
        "namespace n { extern __thread   float s[]" + kSymbol + "; }");
}

TEST_CASE("static shared memory is declared static once") {
  CHECK(text_of("__global__ void k() { static __shared__ int s[4]; }") ==
        "__global__ void k() {        __shared__ int s[4]; }");
  CHECK(text_of("__global__ void k() { __shared__ static int s[4]; }") ==
        "__global__ void k() { __shared__        int s[4]; }");
  CHECK(text_of("static int a; __shared__ int s;") == "static int a; __shared__ int s;");
}

TEST_CASE("its type may be any") {
  const auto typed = [](const std::string& type, const std::string& name) {
    CHECK(text_of("extern __shared__ " + type + name + ";") ==
          "extern __thread   " + type + name + kSymbol + ";");
  };
  typed("T ", "s[]");
  typed("typename T::value_type ", "s[]");
  typed("volatile float ", "s[]");
  typed("std::pair<int, float> ", "s[]");
  typed("Foo<Bar<int[3]>, 2> ", "s[]");
  typed("Foo<Bar<Baz<int>>> ", "s[]");
  typed("::n::T ", "s[]");
  typed("float4 ", "s[][32]");
  typed("float ", "s[][N + 1][f(2)]");
  typed("float* ", "s[]");
  typed("unsigned long long int ", "s[]");
  typed("struct Pair { int a; float b[2]; } ", "s[]");
  typed("__align__(16) float ", "s[]");
  typed("float __align__(16) ", "s[]");
  typed("float2 ", "(s[])");
}

TEST_CASE("its specifiers may stand in any order") {
  CHECK(text_of("__shared__ extern float s[];") == "extern __thread  float s[]" + kSymbol + ";");
  CHECK(text_of("float extern __shared__ s[];") == "float extern __thread   s[]" + kSymbol + ";");
  CHECK(text_of("extern float __shared__ s[];") == "extern float __thread   s[]" + kSymbol + ";");
  CHECK(text_of("__shared__ float extern s[];") == "extern __thread float  s[]" + kSymbol + ";");
  CHECK(text_of("alignas(16) extern __shared__ float s[];") ==
        "alignas(16) extern __thread   float s[]" + kSymbol + ";");
  CHECK(text_of("extern __align__(8) __shared__ float s[];") ==
        "extern __align__(8) __thread   float s[]" + kSymbol + ";");
  CHECK(text_of("[[maybe_unused]] extern __shared__ float s[];") ==
        "[[maybe_unused]] extern __thread   float s[]" + kSymbol + ";");
}

TEST_CASE("each of several arrays is given its storage") {
  CHECK(text_of("extern __shared__ float a[], b[][2];") ==
        "extern __thread   float a[]" + kSymbol + ", b[][2]" + kSymbol + ";");
}

TEST_CASE("attributes follow the storage") {
  CHECK(text_of("extern __shared__ float s[] __attribute__((aligned(16)));") ==
        "extern __thread   float s[]" + kSymbol + " __attribute__((aligned(16)));");
}

TEST_CASE("in a function, attributes stand before the storage") {
  CHECK(text_of("void k() { extern __shared__ float s[] __attribute__((aligned(16))), t[]; }") ==
        "void k() {                   float (&s)[] __attribute__((aligned(16))) = "
        "::convkit::simt::dynamic_shared, (&t)[] = ::convkit::simt::dynamic_shared; }");
}

TEST_CASE("a declaration over several lines keeps its lines") {
  CHECK(text_of("extern\n__shared__\nfloat\ns\n[\n]\n;\n") ==
        "extern\n__thread  \nfloat\ns\n[\n]" + kSymbol + "\n;\n");
}

TEST_CASE("a macro may declare dynamic shared memory") {
  CHECK(text_of("#define SHARED(T, s) extern __shared__ T s[]\n") ==
        "#define SHARED(T, s) extern __thread   T s[]" + kSymbol + "\n");
}

TEST_CASE("extern of known size is static shared memory, as nvcc has it") {
  CHECK(text_of("extern __shared__ float s[32];") == "       __shared__ float s[32];");
  CHECK(text_of("extern __shared__ int counter;") == "       __shared__ int counter;");
}

TEST_CASE("static goes where shared memory says so already") {
  CHECK(text_of("static __shared__ float s[2];") == "       __shared__ float s[2];");
  CHECK(text_of("void k() { __shared__ static float s[2]; }") ==
        "void k() { __shared__        float s[2]; }");
}

TEST_CASE("standard attributes go before __shared__, where a compiler wants them") {
  const auto spaces = [](size_t count) { return std::string(count, ' '); };
  CHECK(text_of("__shared__ alignas(16) float s[4];") ==
        "alignas ( 16 ) __shared__ " + spaces(11) + " float s[4];");
  CHECK(text_of("void k() { __shared__ alignas(float4) float s[4], t; }") ==
        "void k() { alignas ( float4 ) __shared__ " + spaces(15) + " float s[4], t; }");
  CHECK(text_of("__shared__ [[maybe_unused]] int s[4];") ==
        "[ [ maybe_unused ] ] __shared__ " + spaces(16) + " int s[4];");
  CHECK(text_of("__shared__ alignas(8) __align__(4) alignas(n) int s[4];") ==
        "alignas ( 8 ) alignas ( n ) __shared__ " + spaces(10) + " __align__(4) " + spaces(10) +
            " int s[4];");
  CHECK(text_of("__align__(8) __shared__ alignas(16) int s[4];") ==
        "alignas ( 16 ) __align__(8) __shared__ " + spaces(11) + " int s[4];");
  CHECK(text_of("__shared__\nalignas(\n16)\nfloat s[4];") ==
        "alignas ( 16 ) __shared__\n" + spaces(8) + "\n" + spaces(3) + "\nfloat s[4];");
  CHECK(text_of("#define TILE __shared__ alignas(16) float s[4]\n") ==
        "#define TILE alignas ( 16 ) __shared__ " + spaces(11) + " float s[4]\n");
}

TEST_CASE("other shared memory stays") {
  for (const std::string text :
       {"__shared__ float s[32];", "__shared__ float s[32], t; extern int x[];",
        "extern int x[]; __shared__ int y;", "static int x; __shared__ int y;",
        "alignas(16) __shared__ float s[4];", "__shared__ __align__(16) float s[4];",
        "__shared__ struct alignas(16) { float x; } s;", "__shared__ float s alignas(16)[4];",
        "extern \"C\" { __shared__ int y; }", "extern \"C\" __shared__ int y;",
        "// extern __shared__ float s[];\n", "#if 0\nextern __shared__ float s[];\n#endif\n"}) {
    CHECK(text_of(text) == text);
  }
}

TEST_CASE("dynamic shared memory in pieces is refused with what to write") {
  CHECK(test::is_said("extern __shared__ float a[], b[4];", "in separate declarations"));
  const Rewritten r = test::rewritten("#define SHARED extern __shared__\n");
  CHECK(r.diagnostics.empty());
  CHECK(r.text.find("GCC error") != std::string::npos);
}

}  // namespace convkit::rewrite
