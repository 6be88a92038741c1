// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/thread_loops.h"

#include "catch.h"
#include "rewritten.h"

namespace convkit::rewrite {
namespace {

using test::lines_in;
using test::looped;
using test::text_of;

bool is_loop(const std::string& text) {
  return looped(text).find("_THREADS") != std::string::npos;
}

// A kernel with this statement in it.
std::string kernel(const std::string& statement) {
  return "__global__ void k(float* x, float* y, int n) {\n  int i = threadIdx.x;\n  " + statement +
         "\n}\n";
}

// A kernel that begins with this, and goes on.
bool is_guarded(const std::string& beginning) {
  return looped("__global__ void k(int* x, int n) { const int i = threadIdx.x; " + beginning +
                " x[i] = n; }")
             .find("CONVKIT_SIMT_GUARDED_THREADS") != std::string::npos;
}

}  // namespace

TEST_CASE("a kernel that never waits can run the threads of a block as a loop") {
  const std::string text =
      "__global__ void k(float* x, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i >= n) return;\n"
      "  x[i] *= 2;\n"
      "}\n";
  CHECK(looped(text) ==
        "__global__ void k(float* x, int n) { CONVKIT_SIMT_GUARDED_THREADS\n"
        "  int i = ::convkit::simt::plus_thread(blockIdx.x * blockDim.x , threadIdx.x);\n"
        "  if (CONVKIT_SIMT_FAILS (i >= n)) return; CONVKIT_SIMT_PASSED\n"
        "  x[i] *= 2;\n"
        "CONVKIT_SIMT_END_THREADS }\n");
  CHECK(text_of(text) == text);  // only where it is asked for
}

TEST_CASE("a condition around all that is left of a kernel is a guard, too") {
  CHECK(looped("__global__ void k(int* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 0; }") ==
        "__global__ void k(int* x, int n) { CONVKIT_SIMT_GUARDED_THREADS "
        "if (CONVKIT_SIMT_PASSES (threadIdx.x < n)) { CONVKIT_SIMT_PASSED x[threadIdx.x] = 0; } "
        "CONVKIT_SIMT_END_THREADS }");
  CHECK(looped("__global__ void k(int* x, int n) { if (threadIdx.x < n) { x[threadIdx.x] = 0; } }")
            .find("if (CONVKIT_SIMT_PASSES (threadIdx.x < n)) { CONVKIT_SIMT_PASSED x[") !=
        std::string::npos);
}

TEST_CASE("a kernel with a loop that may wait for other threads runs them one by one") {
  CHECK_FALSE(is_loop("__device__ volatile int flag;\n" + kernel("while (flag == 0); x[i] = n;")));
  CHECK_FALSE(
      is_loop("__device__ volatile int flag;\n__device__ void wait() { while (flag == 0); }\n" +
              kernel("wait(); x[i] = n;")));
  CHECK_FALSE(is_loop(kernel("while (atomicAdd(x, 0.f) != n) {} x[i] = n;")));
}

TEST_CASE("several guards are passed together") {
  CHECK(looped("__global__ void k(int* x, int n) { if (threadIdx.x > n) return; "
               "if (threadIdx.y > n) { return; } x[threadIdx.x] = 0; }") ==
        "__global__ void k(int* x, int n) { CONVKIT_SIMT_GUARDED_THREADS "
        "if (CONVKIT_SIMT_FAILS (threadIdx.x > n)) return; "
        "if (CONVKIT_SIMT_FAILS (threadIdx.y > n)) { return; } CONVKIT_SIMT_PASSED "
        "x[threadIdx.x] = 0; CONVKIT_SIMT_END_THREADS }");
}

TEST_CASE("a guard is computed from indices, arguments and constants alone") {
  for (const std::string& guard :
       std::vector<std::string>{"if (i >= n) return;", "if (i >= n || i % 2 == 0) { return; }",
                                "int a = i * n, b = -a; if (a < (b - 1) * n) return;",
                                "const unsigned a = min(i, n); if (!(a < 5u)) return;",
                                "size_t a = size_t(i) * n; if (a > n) return;"}) {
    CAPTURE(guard);
    CHECK(is_guarded(guard));
  }
  for (const std::string& not_guard : std::vector<std::string>{
           "if (x[i] == 0) return;", "if (*x == 0) return;", "int a = *x; if (a == 0) return;",
           "int a = (int)*x; if (a == 0) return;", "if (f(i)) return;",
           "int* p = x + i; if (i >= n) return;", "n /= 2; if (i >= n) return;",
           "if (i >= n) return; else n = 1;", "if (i >= n) x[i] = 1;", "if (int a = i) return;",
           "if (--n < i) return;", "{ if (i >= n) return; }",
           "if (i\n#if A\n >= n\n#endif\n) return;"}) {
    CAPTURE(not_guard);
    CHECK_FALSE(is_guarded(not_guard));
  }
  CHECK(looped("#define LAST (n - 1)\n" + kernel("if (i > LAST) return; x[i] = 0;"))
            .find("GUARDED") != std::string::npos);
  CHECK(looped("#define LAST (*last)\n" + kernel("if (i > LAST) return; x[i] = 0;"))
            .find("GUARDED") == std::string::npos);
}

TEST_CASE("sums of threadIdx.x and a product with blockIdx.x are told to the compiler") {
  const auto sum = [](const std::string& text) {
    return looped("__global__ void k(int* x, int N) { x[" + text + "] = threadIdx.y; }");
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(has(sum("threadIdx.x + blockDim.x * blockIdx.x"),
            "x[::convkit::simt::thread_plus(threadIdx.x , blockDim.x * blockIdx.x)]"));
  CHECK(has(sum("blockIdx.x * 16 + threadIdx.x"), "plus_thread(blockIdx.x * 16 , threadIdx.x)]"));
  CHECK(has(sum("N * blockIdx.x + threadIdx.x + 1"),
            "plus_thread(N * blockIdx.x , threadIdx.x) + 1]"));
  for (const std::string& other : std::vector<std::string>{
           "2 * blockIdx.x * N + threadIdx.x", "N + threadIdx.x",
           "N - blockIdx.x * N + threadIdx.x", "blockIdx.x * N + threadIdx.x * 2",
           "blockIdx.y * N + threadIdx.x", "N / blockIdx.x + threadIdx.x",
           "threadIdx.x + blockIdx.x * N / 2", "blockIdx.x * a.N + threadIdx.x"}) {
    CAPTURE(other);
    CHECK(has(sum(other), "x[" + other + "]"));
  }
}

TEST_CASE("a kernel may call what never waits") {
  for (const std::string& statement : std::vector<std::string>{
           "y[i] = sqrtf(x[i]) + fmaxf(x[i], 0.f) + __expf(x[i]) + std::min(i, n);",
           "y[i] = static_cast<float>(i) + (float)(i) + float(n) + sizeof(float);",
           "atomicAdd(&y[0], x[i]);", "for (int j = 0; j < n; ++j) y[i] += x[j];",
           "auto f = [&](int j) { return x[j]; }; y[i] = f(i);",
           "float4 a = make_float4(1, 2, 3, 4); y[i] = a.x;",
           "if (i < n) { while (n > 0) --n; return; } y[i] = 1;",
           "static constexpr int kSteps = 3; y[i] = kSteps;", "y[i] = __ldg(x + i);"}) {
    CAPTURE(statement);
    CHECK(is_loop(kernel(statement)));
  }
  CHECK(is_loop("__device__ float f(float a) { return a * a; }\n" + kernel("y[i] = f(x[i]);")));
  CHECK(is_loop("template <int N> __device__ float f(float a) { return a * N; }\n" +
                kernel("y[i] = f<3>(x[i]);")));
  CHECK(is_loop("struct V { float a; __device__ float f() const { return a; } };\n" +
                kernel("V v{x[i]}; y[i] = v.f();")));
  CHECK(is_loop("#define SQUARE(a) ((a) * (a))\n" + kernel("y[i] = SQUARE(x[i]);")));
  CHECK(is_loop("#define ME threadIdx.x\n__global__ void k(float* x) { x[ME] = 0; }"));
  CHECK(is_loop("template <class T> __global__ void k(T* x, T a) { x[threadIdx.x] = a; }"));
  CHECK(is_loop("namespace { extern \"C\" __global__ void k(float* x) { x[threadIdx.x] = 0; } }"));
}

TEST_CASE("a kernel that may wait, or that others may ask who runs, stays as it is") {
  for (const std::string& statement :
       std::vector<std::string>{"__syncthreads();",
                                "y[i] = __shfl_down_sync(~0u, x[i], 1);",
                                "__nanosleep(5);",
                                "__shared__ float s[32]; s[i] = 1;",
                                "extern __shared__ float s[];",
                                "asm(\"\");",
                                "volatile int a = 1;",
                                "static int a = 1;",
                                "k<<<1, 1>>>(x, y, n);",
                                "y[i] = g(x[i]);",
                                "y[i] = (*g)(x[i]);",
                                "y[i] = table[i](x[i]);",
                                "y[i] = g<3>(i);",
                                "printf(\"%d\", i);",
                                "assert(i < n);",
                                "while (atomicCAS(lock, 0, 1) != 0) {}",
                                "y[i] = ::threadIdx.x;",
                                "auto t = threadIdx;",
                                "auto& g = ::gridDim;",
                                "x[i] = v.f();",
                                "int* p = new int;",
                                "throw 1;",
                                "puts(__func__);",
                                "y[i] = a::f(x[i]);",
                                "y[i] = (T)(x[i]);"}) {
    CAPTURE(statement);
    CHECK_FALSE(is_loop(kernel(statement)));
  }
  const std::string calls_f = kernel("y[i] = f(x[i]);");
  for (const std::string& text : std::vector<std::string>{
           "__device__ float f(float a) { __syncthreads(); return a; }\n" + calls_f,
           "__device__ float f(float a) { return a + threadIdx.x; }\n" + calls_f,
           "__device__ float g() { return threadIdx.x; }\n"
           "__device__ float f(float a) { return a + g(); }\n" +
               calls_f,
           "__device__ float f(float a);\n" + calls_f,  // defined elsewhere
           "__device__ float f(float a) { return f(a); }\n" + calls_f,
           "__device__ float f(float a) { return a; }\n"
           "__device__ float f(double a) { __syncwarp(); return a; }\n" +
               calls_f,
           "#define f(a) __syncthreads()\n" + calls_f, "#define f(a) g##a(1)\n" + calls_f,
           "#define ME threadIdx.x\n__device__ int f(int) { return ME; }\n" + calls_f}) {
    CAPTURE(text);
    CHECK_FALSE(is_loop(text));
  }
  CHECK(looped(kernel("SYNC;"), "SYNC").find("_THREADS") == std::string::npos);
}

TEST_CASE("what is called without its name may not wait anywhere in the program") {
  const std::string quiet = kernel("y[i] = x[i];");
  CHECK(is_loop("namespace cg = cooperative_groups;\n" + quiet));
  for (const std::string& text : std::vector<std::string>{
           "__device__ V operator+(V a, V b) { __syncthreads(); return a; }\n",
           "struct V { __device__ V() { n = threadIdx.x; } int n; };\n",
           "struct V { __device__ operator int() { return threadIdx.x; } };\n",
           "#define ME threadIdx.x\nstruct V { __device__ ~V() { f(ME); } };\n",
           "#include <cuda/atomic>\n", "#include HEADER\n"}) {
    CAPTURE(text);
    CHECK_FALSE(is_loop(text + quiet));
  }
}

TEST_CASE("a kernel whose parameters a lambda cannot copy stays as it is") {
  for (const std::string& parameters : std::vector<std::string>{
           "int& n", "float (*f)(float)", "int blockDim", "volatile int* n", "T... n"}) {
    CAPTURE(parameters);
    CHECK_FALSE(is_loop("__global__ void k(float* x, " + parameters + ") { x[threadIdx.x] = 0; }"));
  }
  // Copies of what has a destructor are counted by the program.
  const std::string kernel = "__global__ void k(float* x, V v) { x[threadIdx.x] = 0; }";
  CHECK(is_loop("struct V { int a; };\n" + kernel));
  CHECK_FALSE(is_loop("struct V { ~V() {} };\n" + kernel));
  CHECK(is_loop("struct W { ~W() {} };\nstruct V { int a; };\n" + kernel));
  CHECK_FALSE(is_loop("struct W { ~W() {} };\nstruct V { W a; };\n" + kernel));
  CHECK_FALSE(is_loop("struct W { ~W() {} };\nstruct V : W { int a; };\n" + kernel));
  CHECK_FALSE(is_loop("struct V { V(const V& other); };\n" + kernel));
  CHECK(is_loop("struct V { ~V() {} };\n__global__ void k(V* x, int n) { x[threadIdx.x].a = n; }"));
}

TEST_CASE("kernels that are not certain to be what they seem stay as they are") {
  for (const std::string& text : std::vector<std::string>{
           "#if A\n__global__ void k(int* x) {\n#else\n__global__ void k(long* x) {\n#endif\n"
           "  x[threadIdx.x] = 0; }",
           "struct S { __global__ void k(int* x) { x[threadIdx.x] = 0; } };",
           "#define KERNEL __global__\nKERNEL void k(int* x) { x[threadIdx.x] = 0; }",
           "__global__ void k(int* x) { x[0] = 1; }",  // one thread
           "__global__ void k(int* x) {}", "__global__ void k(int* x);",
           "#define x x\n__global__ void k(int* a) { a[0] = x; }"}) {
    CAPTURE(text);
    CHECK_FALSE(is_loop(text));
  }
}

TEST_CASE("alternatives in a kernel are all looked at, and lines stay where they are") {
  const std::string text = kernel("#if A\n  y[i] = x[i];\n#else\n  y[i] = 0;\n#endif");
  CHECK(is_loop(text));
  CHECK(lines_in(looped(text)) == lines_in(text));
  CHECK_FALSE(is_loop(kernel("#if A\n  __syncthreads();\n#endif\n  y[i] = 0;")));
}

}  // namespace convkit::rewrite
