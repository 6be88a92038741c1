// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/kernel_casts.h"

#include "catch.h"
#include "rewritten.h"

namespace convkit::rewrite {

using test::text_of;

TEST_CASE("the cast of a kernel that is launched by its address goes") {
  for (const std::string cast : {"(void*)", "(const void*)", "(void const*)", "(const void *const)",
                                 "reinterpret_cast<const void*>", "reinterpret_cast<void*>"}) {
    const std::string blank(cast.size(), ' ');
    const std::string kernel = cast.front() == '(' ? "k" : "(k<float>)";
    CHECK(text_of("int main() { cudaLaunchKernel(" + cast + kernel + ", 1, 2, args, 0, s); }") ==
          "int main() { cudaLaunchKernel(" + blank + kernel + ", 1, 2, args, 0, s); }");
  }
  CHECK(text_of("e = cudaLaunchKernel((void*)(const void*)&ns::k<2>, g, b, a);") ==
        "e = cudaLaunchKernel(                    &ns::k<2>, g, b, a);");
  CHECK(text_of("cudaLaunchCooperativeKernel((void*)k, g, b, a);") ==
        "cudaLaunchCooperativeKernel(       k, g, b, a);");
  CHECK(text_of("cudaLaunchKernelExC(config(1, 2), (void*)k, a);") ==
        "cudaLaunchKernelExC(config(1, 2),        k, a);");
  CHECK(text_of("#define GO(k) cudaLaunchKernel((void*)k, 1, 1, 0)\n") ==
        "#define GO(k) cudaLaunchKernel(       k, 1, 1, 0)\n");
}

TEST_CASE("a kernel that becomes void* tells its type") {
  const std::string kernel = "__global__ void k(int*);\n", type = "::convkit::simt::kernel_type->*";
  CHECK(text_of(kernel + "void* p = (void*)k;") == kernel + "void* p = " + type + "       k;");
  CHECK(text_of(kernel + "f((const void*)&n::k<2>);") ==
        kernel + "f(" + type + "             &n::k<2>);");
  CHECK(text_of(kernel + "Params p = {reinterpret_cast<void*>(k), 1};") ==
        kernel + "Params p = {" + type + "                       (k), 1};");
  CHECK(text_of("p.func = (void*)pointer;") == "p.func = " + type + "       pointer;");
  CHECK(text_of("Params p = {.func = (void*)pointer};") ==
        "Params p = {.func = " + type + "       pointer};");
  CHECK(text_of("#define SET(k) p->func = (void*)k\n") ==
        "#define SET(k) p->func = " + type + "       k\n");
  for (const std::string text : {"void* p = (void*)k;", "func = (void*)k;", "p.func == (void*)k;",
                                 "__global__ void k(int*); int k; void* p = (void*)k;"}) {
    CHECK(text_of(text) == text);
  }
}

TEST_CASE("other casts and other functions of the name stay") {
  for (const std::string text :
       {"cudaLaunchKernel(k, (void*)g, b, a);", "cudaLaunchKernel((Kernel)k, g, b, a);",
        "cudaLaunchKernel((void**)k, g, b, a);", "cudaLaunchKernel((void)k, g, b, a);",
        "own.cudaLaunchKernel((void*)k);", "cudaLaunchKernelExC((void*)k);",
        "launch((const void*)k, g, b, a);", "cudaFuncGetAttributes(&a, (const void*)k);",
        "// cudaLaunchKernel((void*)k)\n"}) {
    CHECK(text_of(text) == text);
  }
}

}  // namespace convkit::rewrite
