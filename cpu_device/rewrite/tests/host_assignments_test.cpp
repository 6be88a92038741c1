// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/host_assignments.h"

#include "catch.h"
#include "rewritten.h"

namespace convkit::rewrite {

using test::is_said;
using test::said;

namespace {

const std::string kWords = "and host code cannot assign it";

// A program with variables of every kind that counts, and `text` in a function of the host.
std::string program(const std::string& text) {
  return "struct Shape { int h, w, sides[2]; };\n"
         "__constant__ Shape c_shape;\n"
         "__constant__ float c_table[4][3] = {};\n"
         "static __device__ int d_count = 5;\n"
         "namespace { __device__ float* d_pointer; }\n"
         "__global__ void k(int n, float* out) {\n"
         "  for (int i = 0; i < d_count; ++i) out[i * c_shape.w + n] = c_table[0][i] * "
         "d_pointer[i];\n"
         "  atomicAdd(&d_count, 1);\n"
         "}\n"
         "void f(const Shape* shape, float x, int i) {\n  " +
         text + "\n}\n";
}

void check_is_refused(const std::string& text, const std::string& name) {
  INFO(text);
  CHECK(is_said(program(text), "`" + name + "` is in "));
}

void check_is_right(const std::string& text) {
  INFO(text);
  CHECK(said(text) == std::vector<std::string>{});
}

}  // namespace

TEST_CASE(
    "a host function that assigns a variable in device memory is told of cudaMemcpyToSymbol") {
  CHECK(said("__constant__ Shape c_shape;\nvoid f(const Shape* shape) {\n  c_shape = *shape;\n}") ==
        std::vector<std::string>{
            "3:3: `c_shape` is in constant memory, and host code cannot assign it: kernels would "
            "not see the new value; copy it there: `cudaMemcpyToSymbol(c_shape, &value, "
            "sizeof(value))`"});
  CHECK(is_said("__device__ int n;\nint main() { n = 3; }",
                "2:14: `n` is in device memory, and host code cannot assign it"));
}

TEST_CASE("every form of assignment counts") {
  for (const char* text :
       {"c_shape = *shape;", "c_shape.h += 1;", "c_shape.sides[0] = 3;", "c_shape = {1, 2};",
        "if (i) c_shape.h = 1;", "for (;;) { if (i) {} else c_shape.h -= 1; }", "++c_shape.h;"}) {
    check_is_refused(text, "c_shape");
  }
  for (const char* text :
       {"d_count = 0;", "++d_count;", "d_count--;", "d_count <<= 2;", "i = d_count = 3;",
        "for (d_count = 0; i < 3; ++i) {}", "for (;; ++d_count) {}",
        "switch (i) { case 1: d_count = 2; }", "if (i) { --d_count; }", "while (i) ++d_count;",
        "do d_count = 1; while (i);", "return d_count++;", "try { d_count |= 4; } catch (int e) {}",
        "int n = sizeof(d_count); d_count = n;"}) {
    check_is_refused(text, "d_count");
  }
  check_is_refused("c_table[i][2] = x;", "c_table");
  check_is_refused("c_table[i][f(0, 1, 2)] *= x;", "c_table");
  check_is_refused("cudaMalloc(&p, 4); d_pointer = p;", "d_pointer");
}

TEST_CASE(
    "where the variable and the function stand does not matter, as long as both are certain") {
  for (const char* text :
       {"namespace n { __device__ int c; void f() { c = 1; } }",
        "namespace n { namespace { __device__ int c; } extern \"C\" void f() { c = 1; } }",
        "extern \"C\" { __constant__ int c; }\nstatic int f() { c = 1; return 0; }",
        "#ifndef A_H\n#define A_H\n__device__ int c;\ncudaError_t f() { c = 1; }\n#endif",
        "__device__ int c;\n#ifdef X\nint d;\n#endif\nvoid f() { c = 1; }"}) {
    INFO(text);
    CHECK(is_said(text, kWords));
  }
}

TEST_CASE("reading and copying are right") {
  for (const char* text :
       {"cudaMemcpyToSymbol(c_shape, shape, sizeof(c_shape));",
        "cudaMemcpyToSymbol(c_shape, shape, sizeof c_shape); k<<<1, 1>>>(1, 0);",
        "cudaMemcpyFromSymbol(&i, d_count, sizeof(d_count));",
        "i = sizeof(c_table) / sizeof(c_table[0]);", "cudaGetSymbolAddress((void**)&p, c_table);",
        "if (c_shape.h == 3) i = 1;", "d_pointer[i] = x;", "*d_pointer = x;",
        "c_shape.data()[i] = x;", "i = d_count + 1;", "int bytes = sizeof(d_count++);"}) {
    check_is_right(program(text));
  }
}

TEST_CASE("device code assigns its variables") {
  for (const char* text :
       {"__device__ int c;\n__global__ void k() { c = 1; c++; }",
        "__device__ int c;\n__device__ void d() { c = 1; }",
        "__device__ int c;\n__host__ __device__ void d() { c = 1; }",
        "__device__ int c;\n__device__ void d();\nvoid d() { c = 1; }",
        "__device__ int c;\nconstexpr void d() { c = 1; }",
        "__device__ int c;\ntemplate <class T> void d() { c = 1; }",
        "__device__ int c;\n#define HD __host__ __device__\nHD void d() { c = 1; }",
        "#include <qualifiers.h>\n__device__ int c;\nINLINE void d() { c = 1; }",
        "#include <kernel.h>\n__device__ int c;\ninlined void d() { c = 1; }",
        "__device__ int c;\nstruct S { __device__ void d() { c = 1; } void e() { c = 1; } };",
        "__device__ int c;\nvoid S::e() { c = 1; }",
        "__device__ int c;\nvoid f() { run([=] __device__(int i) { c = i; }); }",
        "__device__ int c;\nvoid f() { run([&](int i) { c = i; }); }",
        "__device__ int c;\nvoid f() { struct L { __device__ void operator()() { c = 1; } }; }",
        "__device__ int c;\nvoid f() { run(1, DEVICE_LAMBDA(int i) { c = i; }); }",
        "__device__ int c;\nvoid f() { ON_DEVICE(i) { c = i; } }",
        "__device__ int c;\nvoid f() { for_each_thread(i) { if (i) { c = i; } } }",
        "__device__ int c;\nauto f = [] __device__() { c = 1; };"}) {
    check_is_right(text);
  }
}

TEST_CASE("managed memory is the host's, too") {
  for (const char* text :
       {"__managed__ int c;\nvoid f() { c = 1; }",
        "__device__ __managed__ int c;\nvoid f() { c = 1; }",
        "__managed__ __device__ int c;\nvoid f() { ++c; }",
        "#define SHARED_BY_ALL __managed__\nSHARED_BY_ALL __device__ int c;\nvoid f() { c = 1; }",
        "#ifdef X\n__managed__ int c;\n#else\n__device__ int c;\n#endif\nvoid f() { c = 1; }",
        "#ifdef X\n__managed__\n#endif\n__device__ int c;\nvoid f() { c = 1; }"}) {
    check_is_right(text);
  }
}

TEST_CASE("where the name is also that of something else, nothing is said") {
  for (const char* other : {"void g() { int c = 3; }",
                            "void g() { Shape c; }",
                            "void g(int c) {}",
                            "void g(Shape* c, int d) {}",
                            "void g(const Shape& c) {}",
                            "void g(float (&c)[9]) {}",
                            "void g(float (*c)[9]) {}",
                            "void g() { int a, c; }",
                            "void g() { int *a, *c; }",
                            "void g() { int a, c = 3, b; }",
                            "void g() { std::vector<int> c; }",
                            "void g() { auto [a, c] = pair; }",
                            "void g() { const auto& [c, a] = pair; }",
                            "void g() { for (auto& [a, c] : map) {} }",
                            "void g() { for (int i = 0, c = 1; i < 3; ++i) {} }",
                            "void g() { for (int c : list) {} }",
                            "void g() { auto l = [c = 3] {}; }",
                            "void g() { auto l = [](int c) {}; }",
                            "void g() { struct { int a; } c = {3}; }",
                            "void g() { catch (E& c) {} }",
                            "void g() { int(c) = 3; }",
                            "void g() { Shape(c); }",
                            "void g() { alignas(8) Shape c; }",
                            "void g() { decltype(x) c = 3; }",
                            "void g() { LOCAL(int, c); }",
                            "void g() { decltype(x)* c = y; }",
                            "enum { a, c };",
                            "enum { c = 3 };",
                            "struct S { int c; };",
                            "struct S { int a, c; };",
                            "namespace n { int c; }",
                            "namespace n { __device__ int c; }",
                            "template <int c> struct S {};",
                            "template <T* c> struct S {};",
                            "#define c other",
                            "#define LOCAL int c",
                            "#define LOCAL(x) int c##x",
                            "void g() { x.c = 3; }",
                            "void g() { x->c = 3; }",
                            "void g() { n::c = 3; }",
                            "void g() { using n::c; }",
                            "void g() { S s = {.c = 3}; }",
                            "int c(int);",
                            "void g() { case 1: T* c = x; }",
                            "void g() { extern int c; }"}) {
    check_is_right("__device__ int c;\n" + std::string(other) + "\nvoid f() { c = 1; }");
    check_is_right(std::string(other) + "\n__device__ int c;\nvoid f() { c = 1; }");
  }
}

TEST_CASE("the other files of the program count") {
  const Source main("__device__ int c;\nvoid f() { c = 1; }\n");
  const auto is_refused_beside = [&](const std::string& text) {
    const Source header(text);
    Names names;
    names.add(header);
    names.add(main);
    names.finish();
    return rewrite(main, names).has_errors();
  };
  CHECK(is_refused_beside("struct S { int d; };"));
  CHECK_FALSE(is_refused_beside("struct S { int c; };"));
  CHECK_FALSE(is_refused_beside("#define c other"));
  CHECK_FALSE(is_refused_beside("__device__ void f();"));
  Names names;
  names.add(main);
  names.add_macro("c");
  names.finish();
  CHECK_FALSE(rewrite(main, names).has_errors());
}

TEST_CASE("where only the compiler knows what counts, nothing is said of assignments") {
  for (const char* text :
       {"__device__ int c;\nvoid f() {\n#ifdef X\n  c = 1;\n#endif\n}",
        "__device__ int c;\n#ifdef X\nvoid f() { c = 1; }\n#endif",
        "#ifdef X\n__device__ int c;\n#endif\nvoid f() { c = 1; }",
        "__device__ int c;\n#ifdef X\nvoid f()\n#else\n__global__ void f()\n#endif\n{ c = 1; }",
        "__device__ int c;\n#define F void f() { c = 1; }"}) {
    check_is_right(text);
  }
}

TEST_CASE("a variable of another namespace, a reference and a static member are left alone") {
  for (const char* text :
       {"namespace n { __device__ int c; }\nvoid f() { c = 1; }",
        "namespace n { __device__ int c; }\nnamespace m { void f() { c = 1; } }",
        "__device__ int& c = d;\nvoid f() { c = 1; }",
        "struct S { static int *a, *host; };\n__device__ S c;\nvoid f() { c.host = p; }",
        "struct S { static __device__ int c; };\nvoid f() { c = 1; }",
        "void g() { __shared__ int c; }\nvoid f() { c = 1; }"}) {
    check_is_right(text);
  }
}

}  // namespace convkit::rewrite
