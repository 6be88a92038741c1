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

bool has_phases(const std::string& text) {
  return looped(text).find("CONVKIT_SIMT_PHASES") != std::string::npos;
}

// A kernel with a barrier in a loop, around which this stands.
std::string around_barrier(const std::string& before, const std::string& loop,
                           const std::string& after = "") {
  return "__global__ void k(float* x, int n) {\n  __shared__ float s[64];\n  int t = "
         "threadIdx.x;\n  " +
         before + "\n  " + loop + " { s[t] = x[t]; __syncthreads(); x[t] = s[63 - t]; }\n  " +
         after + "\n}\n";
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

TEST_CASE("a kernel whose barriers all threads reach runs them from barrier to barrier") {
  const std::string text =
      "__global__ void k(const float* x, float* y, int n) {\n"
      "  __shared__ float cell[256];\n"
      "  const int i = blockIdx.x * 256 + threadIdx.x;\n"
      "  float sum = 0;\n"
      "  for (int turn = 0; turn < n; ++turn) {\n"
      "    cell[threadIdx.x] = x[i];\n"
      "    __syncthreads();\n"
      "    sum += cell[255 - threadIdx.x];\n"
      "    __syncthreads();\n"
      "  }\n"
      "  y[i] = sum;\n"
      "}\n";
  const std::string again =
      "[[maybe_unused]] const int i = ::convkit::simt::plus_thread(blockIdx.x * 256 , "
      "threadIdx.x); ";
  const std::string local =
      "[[maybe_unused]] ::convkit::simt::LocalOf<float> sum = convkit_sum_4[convkit_thread]; ";
  CHECK(
      looped(text) ==
      "__global__ void k(const float* x, float* y, int n) { CONVKIT_SIMT_PHASES\n"
      "  __shared__ float cell[256]; CONVKIT_SIMT_KEEP(convkit_sum_4, float) CONVKIT_SIMT_PHASE()\n"
      "  const int i = ::convkit::simt::plus_thread(blockIdx.x * 256 , threadIdx.x);\n"
      "  float sum = 0; CONVKIT_SIMT_END_PHASE(static_cast<void>(i); "
      "convkit_sum_4.keep_value(convkit_thread, sum); )\n"
      "  for (int turn = 0; turn < n; ++turn) { CONVKIT_SIMT_PHASE(" +
          again +
          ")\n"
          "    cell[threadIdx.x] = x[i]; CONVKIT_SIMT_END_PHASE()\n"
          "    CONVKIT_SIMT_BARRIER(); CONVKIT_SIMT_PHASE(" +
          local +
          ")\n"
          "    sum += cell[255 - threadIdx.x]; "
          "CONVKIT_SIMT_END_PHASE(convkit_sum_4.put_value(convkit_thread, sum); )\n"
          "    CONVKIT_SIMT_BARRIER();\n"
          "  } CONVKIT_SIMT_PHASE(" +
          again + local +
          ")\n"
          "  y[i] = sum; CONVKIT_SIMT_END_PHASE()\n"
          "CONVKIT_SIMT_END_PHASES }\n");
  CHECK(text_of(text) == text);
}

TEST_CASE("what is around a barrier must be the same for all threads of the block") {
  for (const std::string& loop : std::vector<std::string>{
           "for (int i = 0; i < n; ++i)", "for (int i = blockDim.x / 2; i > 0; i >>= 1)",
           "for (int i = 0, m = n; i < m; i += 2, --m)", "if (n > 3)", "while (s[0] != 0)", "",
           "for (unsigned i = min(n, 3); i * blockIdx.x < gridDim.x; ++i)"}) {
    CAPTURE(loop);
    CHECK(has_phases(around_barrier("", loop)));
  }
  for (const std::string& loop : std::vector<std::string>{
           "for (int i = t; i < n; ++i)", "for (int i = 0; i < t; ++i)", "if (t < 32)",
           "for (int i = 0; i < n; i += t)", "while (s[t] != 0)", "while (--n > 0)",
           "for (int i = 0; i < f(n); ++i)", "do", "switch (n)",
           "for (int i = 0; i < n; x[0] = i++)"}) {
    CAPTURE(loop);
    CHECK_FALSE(has_phases(around_barrier("", loop)));
  }
}

TEST_CASE(
    "a variable is the same for the block if it is given such values only, outside of phases") {
  const auto decides = [](const std::string& before, const std::string& after = "") {
    return has_phases(around_barrier(before, "for (int i = 0; i < m; ++i)", after));
  };
  CHECK(decides("const int m = (n + 15) / 16;"));
  CHECK(decides("int m = n; m = m / 2;"));
  CHECK(decides("int m; m = n;"));
  CHECK(decides("int m = s[0];"));
  CHECK(decides("const int a = n, m = a * 2; float b = x[t];"));
  CHECK(decides("int m = n;", "m += 1;"));
  CHECK_FALSE(decides("int m = t;"));
  CHECK_FALSE(decides("int a = t; const int m = a + 1;"));
  CHECK_FALSE(decides("int m = n; if (t > 3) m = 2;"));
  CHECK_FALSE(decides("int m = n; int* p = &m;"));
  CHECK_FALSE(decides("int m = n; int& r = m;"));
  CHECK_FALSE(decides("int m = n;", "m = t;"));
  CHECK_FALSE(decides("int m = n; (m) += t;"));
  CHECK_FALSE(decides("int m = atomicAdd(x, 1);"));
  CHECK_FALSE(decides("int m = s[t];"));
  CHECK_FALSE(has_phases("#define UP(v) v += threadIdx.x\n" +
                         around_barrier("int m = n; UP(m);", "for (int i = 0; i < m; ++i)")));
  CHECK_FALSE(has_phases("__device__ void up(int& v) { ++v; }\n" +
                         around_barrier("int m = n; up(m);", "for (int i = 0; i < m; ++i)")));
  CHECK(has_phases("__device__ int up(int v) { return v + 1; }\n" +
                   around_barrier("int m = up(n);", "for (int i = 0; i < m; ++i)")));
}

TEST_CASE("what outlives a barrier is computed again, or kept for each thread") {
  const auto rewritten = [](const std::string& before, const std::string& after) {
    return looped(around_barrier(before, "if (n)", after));
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(has(rewritten("int a = t * n;", "x[t] = a;"),
            "PHASE([[maybe_unused]] int t = threadIdx.x; "
            "[[maybe_unused]] int a = t * n; )"));
  for (const std::string& before : std::vector<std::string>{
           "int a = t; a += 1;", "int a = x[t];", "int a; a = t;", "int a = t; (1 ? a : a) = 2;",
           "int a = t; int& r = a;", "int a = t; ++a;", "int m = n; m = 3; int a = t + m;"}) {
    CAPTURE(before);
    CHECK(has(rewritten(before, "x[t] = a;"), "_KEEP(convkit_a_"));
  }
  CHECK(has(rewritten("float a[4][2] = {};", "x[t] = a[1][1];"), ", float [ 4 ] [ 2 ])"));
  CHECK(
      has(rewritten("const float *p = x + 1, *q = p + t; ++q;", "x[t] = *q;"), ", const float *)"));
  CHECK(has(rewritten("const int m = 4; float a[m] = {};", "x[t] = a[1];"),
            "_COPY(const int m = 4; )"));
  CHECK_FALSE(has(rewritten("float a = x[t]; x[t] = a;", ""), "_KEEP("));
  for (const std::string& before : std::vector<std::string>{
           "auto a = x[t];", "float& a = x[t];",
           "static_assert(true); int a(x[t]), t2 = 1; goto end;", "struct V { int b; } a;"}) {
    CAPTURE(before);
    CHECK_FALSE(has(rewritten(before, "x[t] = a;"), "PHASE"));
  }
  CHECK(has(rewritten("auto a = t + 1;", "x[t] = a;"), "PHASE"));
}

TEST_CASE("a variable that a pointer may outlive a barrier with stays where it is") {
  const auto kernel = [](const std::string& before, const std::string& after) {
    return has_phases(
        "struct Node { int v; Node* next; int* self() { return &v; } };\n"
        "__device__ int* pick(int& x) { return &x; }\n"
        "__device__ void raise(int& x) { ++x; }\n"
        "__global__ void k(int* y, int n) { __shared__ int s[64];\n"
        "int x = threadIdx.x, buf[4] = {}; Node node = {x, 0};\n" +
        before + "\ns[threadIdx.x] = x; __syncthreads();\n" + after +
        "\ny[threadIdx.x] = s[63 - threadIdx.x] + x + buf[0] + node.v; }");
  };
  CHECK(kernel("x += 1;", "raise(x);"));
  CHECK(kernel("buf[1] = x; const int* p = &y[1];", "buf[2] = buf[1] + p[0];"));
  for (const char* before :
       {"int* p = &x;", "int* p = &(x);", "int* p = buf;", "int* p = buf + 1;", "int* p = &buf[1];",
        "int* p = n ? &x : y;", "Node h = {1, &node};", "int* p = &node.v;", "int* p = pick(x);",
        "int* p = node.self();", "unsigned long long p = (unsigned long long)&x;",
        "const int* ps[2] = {y, &x};"}) {
    CAPTURE(before);
    CHECK_FALSE(kernel(before, ""));
  }
  CHECK_FALSE(
      has_phases("#define AT(v) (&(v))\n"
                 "__global__ void k(int* y) { __shared__ int s[64];\n"
                 "int x = 1; int* p = AT(x); s[threadIdx.x] = x; __syncthreads();\n"
                 "y[threadIdx.x] = s[0] + *p; }"));
}

TEST_CASE("what follows the brace of a kernel at once is not joined to a word of the kit") {
  CHECK(looped("__global__ void k(int* y){__shared__ int s[64];s[threadIdx.x]=1;__syncthreads();"
               "y[threadIdx.x]=s[63-threadIdx.x];}")
            .find("CONVKIT_SIMT_PHASES __shared__") != std::string::npos);
  CHECK(looped("__global__ void k(int* y){y[threadIdx.x]=1;}").find("CONVKIT_SIMT_THREADS y[") !=
        std::string::npos);
  const std::string guarded =
      looped("__global__ void k(int* y,int n){int i=threadIdx.x;if(i>=n)return;y[i]=1;}");
  CHECK(guarded.find("CONVKIT_SIMT_GUARDED_THREADS int i") != std::string::npos);
  CHECK(guarded.find("CONVKIT_SIMT_PASSED y[i]") != std::string::npos);
}

TEST_CASE("a kernel with barriers that some threads may not reach stays as it is") {
  for (const std::string& statement : std::vector<std::string>{
           "if (t >= n) return; __syncthreads();", "if (t < n) { __syncthreads(); }",
           "for (int i = 0; i < n; ++i) { if (s[i] > 0) break; __syncthreads(); }",
           "for (int i = 0; i < n; ++i) { if (i == 2) continue; __syncthreads(); }",
           "n > 0 ? __syncthreads() : void();", "while (n) __syncthreads(), --n;",
           "auto f = [&] { return t; }; __syncthreads(); x[t] = f();",
           "__syncthreads(); x[t] = __shfl_down_sync(~0u, x[t], 1);",
           "int r = __syncthreads_or(t); x[t] = r;", "__syncwarp(); __syncthreads();",
           "wait(); __syncthreads();", "volatile float v = x[t]; __syncthreads(); x[t] = v;",
           "n -= t; __syncthreads(); x[t] = n;", "SHARED u[3]; __syncthreads();",
           "__syncthreads(); x[t] = 1; if (t) return; n = 2;",
           "\n#if A\n__syncthreads();\n#endif\n x[t] = 1;"}) {
    CAPTURE(statement);
    CHECK_FALSE(
        has_phases("#define SHARED __shared__ int\n__device__ void wait() { __syncthreads(); }\n"
                   "__global__ void k(float* x, int n) { __shared__ float s[64]; "
                   "const int t = threadIdx.x; s[t] = n; " +
                   statement + " }"));
  }
  // Of one thread.
  CHECK_FALSE(has_phases("__global__ void k(int* x) { x[0] = 1; __syncthreads(); x[1] = 1; }"));
}

TEST_CASE("threads may return after the last barrier, and lines stay where they are") {
  const std::string text =
      around_barrier("", "for (int i = 0;\n i < n; ++i)", "if (t > n)\n return;\n x[t] = 1;");
  CHECK(looped(text).find("CONVKIT_SIMT_LAST_PHASE") != std::string::npos);
  CHECK(lines_in(looped(text)) == lines_in(text));
}

}  // namespace convkit::rewrite
