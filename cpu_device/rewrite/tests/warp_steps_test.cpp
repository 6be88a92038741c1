// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/warp_steps.h"

#include "catch.h"
#include "rewritten.h"

namespace convkit::rewrite {
namespace {

using test::looped;
using test::text_of;

bool is_stepped(const std::string& text) {
  return looped(text).find("in_step") != std::string::npos;
}

}  // namespace

TEST_CASE("lanes read before one writes, where the memory is volatile") {
  const std::string text =
      "__device__ void reduce(volatile float* s, int i) {\n"
      "  s[i] += s[i + 32];\n"
      "}\n";
  CHECK(looped(text) ==
        "__device__ void reduce(volatile float* s, int i) {\n"
        "  { s[i] += ::convkit::simt::in_step(s[i + 32]); ::convkit_simt_active_mask(); }\n"
        "}\n");
  CHECK(text_of(text) == text);  // only in plain mode: check mode is to see the race
  CHECK(
      is_stepped("__global__ void k() { volatile __shared__ int s[64]; if (a) "
                 "s[i] = sum = sum + s[i + 16]; }"));
  CHECK(
      is_stepped("extern __shared__ volatile int s[];\n"
                 "__global__ void k() { if (n > 8) s[i] = max(s[i], s[i + 8]); }"));
}

TEST_CASE("what one lane does with its own element, and other memory, is left alone") {
  CHECK_FALSE(is_stepped("__device__ void f(volatile int* s) { s[0] = s[0] + 1; }"));
  CHECK_FALSE(is_stepped("__device__ void f(volatile int* s) { s[i] += 1; int x = s[i + 1]; }"));
  CHECK_FALSE(
      is_stepped("__device__ void f(volatile int* s) {}\n"
                 "__global__ void k() { __shared__ int s[64]; s[i] += s[i + 32]; }"));
  CHECK_FALSE(is_stepped("void host(volatile int* s) { s[i] += s[i + 32]; }"));
  CHECK_FALSE(is_stepped("__global__ void k(volatile int* s) { int x = s[i] + s[i + 1]; }"));
}

}  // namespace convkit::rewrite
