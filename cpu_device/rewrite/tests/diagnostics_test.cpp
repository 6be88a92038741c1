// SPDX-License-Identifier: MIT
// What is said of wrong and of unsupported programs; valid_programs_test.cpp has the others.
#include "catch.h"
#include "rewritten.h"

namespace convkit::rewrite {

using test::is_said;
using test::said;
using test::text_of;

TEST_CASE("a launch that is not closed is named with its place") {
  CHECK(text_of("void f() {\n  k<<<g, b(x);\n}\n") ==
        "2:4: this launch configuration has no closing `>>>`; write "
        "`kernel<<<grid, block>>>(arguments)`");
  CHECK(text_of("k<<<g, b>>(x);") ==
        "1:9: the launch configuration ends with `>>`; it must end with `>>>`");
  CHECK(text_of("k<<<g, b>(x);") ==
        "1:9: the launch configuration ends with `>`; it must end with `>>>`");
  CHECK(is_said("f(k<<<g, b);", "no closing"));
  CHECK(is_said("k<<<g, b }", "no closing"));
  CHECK(is_said("k<<<g, b", "no closing"));
  CHECK(is_said("k<<<g, (b;", "no closing"));
  CHECK(is_said("k<<<a; j<<<1, 2>>>(x);", "1:2: this launch configuration has no closing"));
}

TEST_CASE("a launch that is not opened is named") {
  CHECK(text_of("k<<g, b>>>(x);") ==
        "1:2: the launch configuration begins with `<<`; it must begin with `<<<`");
}

TEST_CASE("the number of a configuration's arguments is checked") {
  CHECK(text_of("k<<<>>>(x);") ==
        "1:2: the launch configuration is empty; it needs a grid and a block: `<<<grid, block>>>`");
  CHECK(text_of("k<<<1, 2, 3, 4, 5>>>(x);") ==
        "1:2: a launch configuration has at most four arguments, `<<<grid, block, shared bytes, "
        "stream>>>`; this one has 5");
  CHECK(text_of("k<<<1, , 3>>>(x);") == "1:2: an argument of the launch configuration is empty");
  CHECK(is_said("k<<<1, >>>(x);", "is empty"));
  CHECK(is_said("k<<<, 2>>>(x);", "is empty"));
  // nvcc takes one thread a block then, so it is no error.
  CHECK(
      said("k<<<g>>>(x);") ==
      std::vector<std::string>{"1:2: warning: this launch names no block size, so a block has one "
                               "thread; write `<<<grid, block>>>`"});
}

TEST_CASE("a launch without its kernel or its arguments is named") {
  CHECK(is_said("; <<<1, 2>>>(x);", "1:3: there is no kernel before this `<<<`"));
  CHECK(is_said("3<<<1, 2>>>(x);", "there is no kernel"));
  CHECK(is_said("k<<<1, 2>>>;", "1:9: after `>>>` come the kernel's arguments in parentheses"));
  CHECK(is_said("k<<<1, 2>>>>(x);", "after `>>>` come"));
}

TEST_CASE("a kernel called like a function is named with the launch to write") {
  const std::string kernel = "__global__ void k(int* x) {}\n";
  CHECK(said(kernel + "int main() { k(0); }") ==
        std::vector<std::string>{"2:14: `k` is a kernel and cannot be called like a "
                                 "function; launch it: `k<<<grid, block>>>(...)`"});
  CHECK(is_said(kernel + "void f() { if (a) k(0); }", "`k` is a kernel"));
  CHECK(is_said(kernel + "void f() { if (a) {} else ::k(0); }", "`k` is a kernel"));
  CHECK(is_said(kernel + "void f() { for (;;) k(0); }", "`k` is a kernel"));
  CHECK(
      is_said("namespace n { template <class T> __global__ void k(T* x); }\n"
              "void f() { n::k<float>(0); }",
              "2:12: `k` is a kernel"));
  CHECK(is_said("__global__ void __launch_bounds__(256) k() {}\nvoid f() { k(); }", "is a kernel"));
  CHECK(is_said("template <class T> __global__ void k() {}\nvoid f() { k<A<B<int>>>(); }",
                "is a kernel"));
  CHECK(is_said("extern \"C\" __global__ void k();\nvoid f() { [] { k(); }(); }", "is a kernel"));
  CHECK(is_said(kernel + "#if X\nvoid f(int a) {\n#else\nvoid f() {\n#endif\n  k(0);\n}\n",
                "`k` is a kernel"));
}

TEST_CASE("the launch of something that is no kernel is named") {
  CHECK(said("__device__ float d(float x) { return x; }\nvoid f() { d<<<1, 2>>>(3); }") ==
        std::vector<std::string>{"2:12: `d` is a `__device__` function and cannot be launched; "
                                 "declare it `__global__`, or call it from a kernel"});
  CHECK(
      said("void h(float* x) {}\nvoid f() { h<<<1, 2>>>(0); }") ==
      std::vector<std::string>{"2:12: `h` is an ordinary function and cannot be launched; declare "
                               "it `__global__`, or call it without `<<<...>>>`"});
  CHECK(is_said("__host__ __device__ void d() {}\nvoid f() { d<<<1, 2>>>(); }", "`__device__`"));
  CHECK(is_said("namespace n { template <int N> void h() {} }\nvoid f() { n::h<3><<<1, 2>>>(); }",
                "is an ordinary function"));
}

TEST_CASE("barriers and warp functions in host code are named") {
  CHECK(said("int main() {\n  __syncthreads();\n}") ==
        std::vector<std::string>{"2:3: `__syncthreads()` is called in `main`, which is host code; "
                                 "it belongs into a kernel or a `__device__` function. On the "
                                 "host, `cudaDeviceSynchronize()` waits for the GPU"});
  CHECK(is_said("template <class T> void f() { int a = __shfl_down_sync(~0u, 1, 2); }",
                "`__shfl_down_sync()` is called in `f`"));
  CHECK(is_said("struct S { void f() { if (x) { __syncwarp(); } } };", "is called in `f`"));
  CHECK(is_said("__host__ void f() { __threadfence(); }", "is called in `f`"));
}

TEST_CASE("launches in kernels and device functions are launches as any other") {
  CHECK(said("__global__ void k() { if (a) k<<<1, 2>>>(); }").empty());
  CHECK(said("__device__ void d() { k<<<1, 2, 0, cudaStreamTailLaunch>>>(); }").empty());
  CHECK(is_said("__device__ void d() {}\n__global__ void k() { d<<<1, 2>>>(); }",
                "cannot be launched"));
}

TEST_CASE("functions of the runtime that kernels cannot call are named in device code only") {
  const std::string words = "cannot be called in device code";
  CHECK(said("__global__ void k() {\n  cudaDeviceSynchronize();\n}") ==
        std::vector<std::string>{
            "2:3: `cudaDeviceSynchronize()` cannot be called in device code; a kernel cannot wait "
            "for the grids that it launches; what is to follow them goes into "
            "`cudaStreamTailLaunch`, or into a launch by the host"});
  CHECK(is_said("__device__ void d() { cudaMallocManaged(&p, 4); }", "there is `cudaMalloc`"));
  CHECK_FALSE(is_said("__device__ void d() { cudaMalloc(&p, 4); }", words));
  CHECK_FALSE(is_said("__global__ void k() { e = cudaGetLastError(); }", words));
  CHECK_FALSE(is_said("void h() { cudaDeviceSynchronize(); }", words));
  CHECK_FALSE(
      is_said("#if A == 1\n__device__ void d() {}\n#elif A == 2\n__device__ void d() {}\n"
              "#else\n#endif\nvoid h() { cudaMemcpy(p, q, 4); }",
              words));
  CHECK_FALSE(is_said("__host__ __device__ void b() { cudaDeviceSynchronize(); }", words));
}

TEST_CASE("unsupported parts of CUDA are named with what to use instead") {
  const auto refused = [](const std::string& code, const std::string& words) {
    INFO(code);
    CHECK(is_said("__global__ void k() { " + code + " }", words));
    CHECK(is_said("__global__ void k() { " + code + " }", "not supported by the CPU device; "));
  };
  refused("texture<float, 2> t;", "`texture`: texture and surface references");
  refused("static texture<float, 2> t;", "cudaCreateTextureObject");
  refused("surface<void, 2> s;", "cudaCreateSurfaceObject");
  refused("cudaBindTexture2D(a, b, c, d);", "references, which CUDA 12 dropped");
  refused("float a = tex2DLod<float>(t, x, y, z);", "`tex2DLod`: mipmapped arrays are");
  refused("cudaMipmappedArray_t a;", "an array and a texture object for each level");
  refused("float4 a = texCubemap<float4>(t, x, y, z);", "`texCubemap`: cubemaps are");
  refused("surfCubemapwrite(a, s, x, y, z);", "a layered array of 6 faces");
  refused("cudaGraphAddMemAllocNode(&n, g, 0, 0, &p);", "memory that graphs allocate is");
  refused("cudaGraphConditionalHandle h;", "let the host decide which graph to launch");
  refused("cudaGraphicsMapResources(1, &r);", "graphics API");
  refused("a = __nv_sqrtf(b);", "`__nv_sqrtf`: functions of NVIDIA's device library");
  CHECK(
      said("__global__ void k() { a = __nv_bfloat162(b, c); d = __nv_cvt_float_to_fp8(e, f, g); }")
          .empty());
}

TEST_CASE("an unsupported name is reported once, every name at its first place") {
  CHECK(said("float a = tex2DLod<float>(t, x, y);\nfloat b = tex2DLod<float>(t, x, y);\n"
             "float c = tex3DLod<float>(t, x, y, z);")
            .size() == 2);
}

TEST_CASE("where only the compiler knows whether code counts, it says what is wrong") {
  const std::string undecided = text_of("#ifdef X\nk<<<1, 2(x);\n#endif\n");
  CHECK(undecided.starts_with(
      "#ifdef X\nk _Pragma(\"GCC error \\\"this launch configuration has no"));
  const std::string macro = text_of("#define L k<<<>>>()\n");
  CHECK(macro.starts_with("#define L k _Pragma(\"GCC error \\\"the launch configuration is empty"));
  CHECK(text_of("#define L <<<1, 2>>>\n").find("there is no kernel") != std::string::npos);
  CHECK(text_of("#define L tex2DLod(a, b)\n").find("GCC error") != std::string::npos);
  CHECK(text_of("#ifdef X\nk<<<1>>>(x);\n#endif\n").find("GCC warning") != std::string::npos);
  CHECK(test::lines_in(undecided) == 3);
}

TEST_CASE("diagnostics come in the order of the file, and not without end") {
  const auto lines = said("; <<<1, 2>>>(x);\ncudaMipmappedArray_t g;\nk<<<>>>();\n");
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].starts_with("1:"));
  CHECK(lines[1].starts_with("2:"));
  CHECK(lines[2].starts_with("3:"));
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "k<<<>>>();\n";
  CHECK(said(many).size() == 50);
}

}  // namespace convkit::rewrite
