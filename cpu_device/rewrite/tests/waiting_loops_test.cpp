// SPDX-License-Identifier: MIT
#include <catch.h>

#include "rewritten.h"

namespace convkit::rewrite::test {
namespace {

const std::string kSpin = "::convkit_simt_spin()";

std::string in_kernel(const std::string& code) {
  return "__device__ volatile int flag;\n__global__ void k(int* p) { " + code + " }";
}

void becomes(const std::string& code, const std::string& expected) {
  INFO(code);
  CHECK(text_of(in_kernel(code)).find(expected) != std::string::npos);
}

void stays(const std::string& code) {
  INFO(code);
  CHECK(text_of(in_kernel(code)).find(kSpin) == std::string::npos);
}

}  // namespace

TEST_CASE("loops that look at what others may change let other threads run") {
  becomes("while (flag != 1);", "while (" + kSpin + ", flag != 1);");
  becomes("while (atomicCAS(p, 0, 1) != 0) {}", "while (" + kSpin + ", atomicCAS(p");
  becomes("while (true) { if (atomicAdd(p, 0) == 3) break; }", "while (" + kSpin + ", true)");
  becomes("do { x = *(volatile int*)p; } while (x == 0);", "while (" + kSpin + ", x == 0)");
  becomes("do { while (flag == 0); x = 1; } while (x == 0);", "while (" + kSpin + ", x == 0)");
  becomes("for (; flag == 0;);", "for (; flag == 0;" + kSpin + ")");
  becomes("for (int n = 0; flag == 0; ++n) {}", "++n, " + kSpin + ")");
  becomes("for (;;) if (atomicExch(p, 1) == 0) { break; }", "for (;;" + kSpin + ")");
  becomes("for (int k = 0; k < n; ++k) { if (flag == 1) break; }", "++k, " + kSpin + ")");
  becomes("for (int x = 0; x != 1; x = flag);", "x = flag, " + kSpin + ")");
  becomes("do x = flag; while (x != 1);", "while (" + kSpin + ", x != 1)");
  becomes("again: if (flag == 0) goto again;", "if (flag == 0) { " + kSpin + "; goto again; }");
  becomes("auto f = [&] { while (atomicAdd(p, 0) == 0); };", "while (" + kSpin + ", atomicAdd");
  becomes("while (__ldcg(p) != 0);", "while (" + kSpin + ", __ldcg(p)");
}

TEST_CASE("loops that end in any case are left alone") {
  stays("while (i < n) { p[i] = 0; i += 2; }");
  stays("for (int i = 0; i < n; ++i) atomicAdd(p, 1);");
  stays("for (int i = 0; i < n; ++i) { if (p[i] == 0) break; }");
  stays("if (flag) goto end; x = 1; end: x = 2;");
  stays("for (int x : list) { atomicAdd(p, x); }");
  stays("atomicAdd(p, 1); do { ++i; } while (i < n); flag = 1;");
  stays("while (i < n) ++i; if (flag) { ++i; }");
  stays("while (int x = atomicAdd(p, 1)) {}");
  CHECK(text_of("volatile int flag;\nvoid host() { while (flag == 0); }").find(kSpin) ==
        std::string::npos);
}

TEST_CASE("a loop waits for a member, and through a lambda") {
  CHECK(text_of("struct Box { volatile int f; };\n__global__ void k(Box* b) { while (b->f != 1); }")
            .find("while (" + kSpin + ", b->f") != std::string::npos);
  becomes("auto ready = [&](int i) { return atomicAdd(p + i, 0) == 1; }; while (!ready(1)) {}",
          "while (" + kSpin + ", !ready(1))");
}

TEST_CASE("a loop waits through a function or a macro, too") {
  CHECK(text_of("__device__ bool try_lock(int* m) { return atomicCAS(m, 0, 1) == 0; }\n"
                "__global__ void k(int* m) { while (!try_lock(m)) {} }")
            .find("while (" + kSpin + ", !try_lock") != std::string::npos);
  CHECK(text_of("#define LOCK(m) while (atomicCAS(m, 0, 1) != 0)\n")
            .find("while (" + kSpin + ", atomicCAS") != std::string::npos);
  CHECK(text_of("struct Lock { int* m; __device__ void lock() { while (atomicExch(m, 1)); } };")
            .find("while (" + kSpin + ", atomicExch") != std::string::npos);
}

}  // namespace convkit::rewrite::test
