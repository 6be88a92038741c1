// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/device_variables.h"

#include "catch.h"
#include "rewritten.h"

namespace convkit::rewrite {

using test::text_of;

namespace {

const std::string kStatic = "static __attribute__((unused)) ";
const std::string kConstant = "CONVKIT_SIMT_CONSTANT_MEMORY ";

// `text` with kStatic where the star is.
void check_becomes_static(std::string text) {
  const size_t star = text.find('@');
  REQUIRE(star != std::string::npos);
  text.erase(star, 1);
  std::string expected = text;
  const bool constant = text.find("__constant__") != std::string::npos;
  CHECK(text_of(text) == expected.insert(star, constant ? kConstant + kStatic : kStatic));
}

}  // namespace

TEST_CASE("a variable in device memory belongs to its file") {
  for (const char* text :
       {"@__constant__ float f[9];", "@__device__ int n = 3;", "@__managed__ Pair<int, 3> p{1, 2};",
        "const @__device__ int n = 3;", "int @__device__ n;", "@__device__ __managed__ int n, m;",
        "namespace own { @__constant__ int n; }", "extern \"C\" { @__device__ int n; }",
        "@__device__ float* p = nullptr;", "@__constant__ unsigned char table[4][2] = {};",
        "@__constant__ std::array<int, (3 < 4)> a;", "alignas(16) @__device__ float a[4];",
        "@__device__ __align__(16) float a[4];", "__device__ alignas(16) @float a[4];",
        "__constant__ alignas(32) [[maybe_unused]] @float a[4];", "@__device__ decltype(0) n;",
        "#define N 3\n#define REAL float\n@__constant__ REAL f[N];",
        "struct S {} s; @__device__ S t;"}) {
    check_becomes_static(text);
  }
}

TEST_CASE("constant memory is marked where it is static already") {
  CHECK(text_of("static __constant__ float f[9];") ==
        "static " + kConstant + "__constant__ float f[9];");
  CHECK(text_of("__constant__ static int n;") == kConstant + "__constant__ static int n;");
}

TEST_CASE("managed memory that the linker merges is no part of a section") {
  CHECK(text_of("inline __managed__ int n = 3;") == "inline  int n = 3;");
  CHECK(text_of("__device__ __managed__ inline int n;") == "__device__  inline int n;");
}

TEST_CASE("what has another linkage, or is no variable, stays") {
  for (const std::string text :
       {"static __device__ float f[9];",
        "static const __constant__ float f[9] = {};",
        "__constant__ static constexpr int n = 3;",
        "extern __constant__ int n;",
        "extern __device__ int n;",
        "extern __device__ int n; __device__ int n = 3;",
        "extern \"C\" __device__ int n;",
        "inline __device__ int n = 3;",
        "constexpr __device__ int n = 3;",
        "__device__ constexpr int n = 3;",
        "template <class T> __device__ T value = T(3);",
        "__device__ int S::n = 3;",
        "__device__ float f(float x);",
        "__device__ float f(float x) { return x; }",
        "__host__ __device__ S::S() : n{3} {}",
        "__device__ S operator+(S a, S b);",
        "__device__ bool operator==(S a, S b) { return a.n == b.n; }",
        "__device__ S::operator bool() const { return true; }",
        "__device__ float (*f)(float) = g;",
        "struct S { __device__ int f() const; __host__ __device__ S() = default; };",
        "#define OWN static\nOWN __device__ int n;",
        "__device__ auto f(int) -> int;",
        "__device__ struct { int n; } s;"}) {
    CHECK(text_of(text) == text);
  }
}

TEST_CASE("with -rdc=true variables are the program's") {
  const Source source("__device__ int n;");
  Names names;
  names.add(source);
  names.finish();
  CHECK(rewrite(source, names, {}, DeviceCode::relocatable).text == source.text());
}

}  // namespace convkit::rewrite
