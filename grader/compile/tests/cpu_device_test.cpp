// SPDX-License-Identifier: MIT
// CUDA sources, compiled for the CPU device.
#include <algorithm>

#include "catch.h"
#include "compile/builder.h"
#include "compile/symbols.h"
#include "scene.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using Status = BuildResult::Status;

using test::compiled_objects;
using test::fresh;

struct CudaScene : test::Scene {
  explicit CudaScene(const fs::path& cache = shared_cache()) : Scene(cache) {
    request.target = BuildTarget::cpu_device;
    request.flags = {"-std=c++17", "-O1"};
    request.device_headers = CONVKIT_SOURCE_DIR "/cpu_device/include";
    request.device_libraries = {CONVKIT_BINARY_DIR "/bin/libconvkit_simt.so"};
  }
};

constexpr const char* kFill =
    "__global__ void fill(int* x, int with) { x[threadIdx.x] = with; }\n"
    "extern \"C\" cudaError_t run(int* x) {\n"
    "  fill<<<1, 32>>>(x, 7);\n"
    "  return cudaGetLastError();\n"
    "}\n";

}  // namespace

TEST_CASE("a CUDA source becomes a shared object without a word") {
  CudaScene scene;
  scene.file("a.cu", fresh(kFill));
  const BuildResult result = scene.build();
  CAPTURE(result.message);
  REQUIRE(result.status == Status::ok);
  CHECK(result.log.empty());
  const Symbols symbols = dynamic_symbols(result.library);
  CHECK(std::count(symbols.defined.begin(), symbols.defined.end(), "run") == 1);
  CHECK(std::count(symbols.undefined.begin(), symbols.undefined.end(), "convkit_simt_launch") == 1);
}

TEST_CASE("messages about one very long line do not fill a result") {
  CudaScene scene;
  std::string text = "int f();\n";
  for (int i = 0; i < 100'000; ++i) text += "kernel<<<\"";
  scene.file("a.cu", fresh(text));
  const BuildResult result = scene.build();
  CHECK(result.status == Status::failed);
  CHECK(result.log.size() < 600'000);
  CHECK(result.message.size() < 2'000);
}

TEST_CASE("a source that calls cuBLAS is linked with what stands in for it") {
  CudaScene scene;
  scene.file("a.cu", fresh("#include <cublas_v2.h>\n"
                           "extern \"C\" int run(cublasHandle_t handle, float* x) {\n"
                           "  const float two = 2;\n"
                           "  return cublasSscal(handle, 4, &two, x, 1);\n"
                           "}\n"));
  CHECK(scene.build().status == Status::failed);  // without the library
  scene.request.device_libraries.push_back(CONVKIT_BINARY_DIR "/bin/libconvkit_simt_cublas.so");
  const BuildResult result = scene.build();
  CAPTURE(result.message, result.log);
  REQUIRE(result.status == Status::ok);
  const Symbols symbols = dynamic_symbols(result.library);
  CHECK(std::count(symbols.undefined.begin(), symbols.undefined.end(), "cublasSscal") == 1);
}

TEST_CASE("a library of the kit that is damaged is the kit's fault, and is named") {
  for (const char* contents : {"", "no library",
                               "\x7f"
                               "ELF and no more"}) {
    CudaScene scene;
    const fs::path library = scene.outside() / "libconvkit_simt.so";
    std::ofstream(library, std::ios::binary) << contents;
    scene.request.device_libraries = {library};
    scene.request.partial = true;
    const BuildResult result = scene.file("a.cu", fresh(kFill)).build();
    INFO("'" << contents << "': " << result.message);
    CHECK(result.status == Status::no_compiler);
    CHECK_THAT(result.message,
               Catch::Contains("The kit's library " + library.string() + " is damaged"));
  }
}

TEST_CASE("a submission that names the kit's library in what it lacks is at fault itself") {
  CudaScene scene;
  const BuildResult result = scene
                                 .file("a.cu", fresh("extern \"C\" int convkit_simt_gone();\n"
                                                     "int f() { return convkit_simt_gone(); }\n"))
                                 .build();
  CHECK(result.status == Status::failed);
  CHECK(result.message == "`convkit_simt_gone` is used but not defined in any file.");
}

TEST_CASE("a build of the same CUDA sources takes everything from the cache") {
  CudaScene scene;
  scene.file("a.cu", fresh(kFill));
  scene.file("b.cu", fresh("__global__ void other() {}\n"));
  CHECK(compiled_objects(scene.build()) == 2);
  const BuildResult again = scene.build();
  CHECK(again.status == Status::ok);
  CHECK(again.compiled == 0);
  CHECK(again.cached == 3);
  scene.file("b.cu", fresh("__global__ void third() {}\n"));
  CHECK(compiled_objects(scene.build()) == 1);
}

TEST_CASE("cuda_runtime.h is precompiled once for all sources with the same flags") {
  const test::TemporaryFolder cache;
  CudaScene scene(cache.path());
  scene.file("a.cu", kFill);
  scene.file("b.cu", "__global__ void other() {}\n");
  const auto headers = [&] {
    return std::count_if(fs::directory_iterator(cache.path()), fs::directory_iterator(),
                         [](const auto& entry) { return entry.path().extension() == ".gch"; });
  };
  REQUIRE(scene.build().status == Status::ok);
  CHECK(headers() == 1);
  scene.file("a.cu", "__global__ void third() {}\n");
  REQUIRE(scene.build().status == Status::ok);
  CHECK(headers() == 1);
  scene.request.flags.push_back("-DNDEBUG");
  REQUIRE(scene.build().status == Status::ok);
  CHECK(headers() == 2);
}

TEST_CASE("a change of a header compiles again what may include it") {
  CudaScene scene;
  scene.file("a.cu", fresh("#include \"launch.cuh\"\n#include \"size.h\"\n"
                           "extern \"C\" int size() { launch(); return kSize; }\n"));
  scene.file("size.h", "const int kSize = 1;\n");
  scene.file("launch.cuh", "__global__ void k() {}\ninline void launch() { k<<<1, 1>>>(); }\n");
  CHECK(compiled_objects(scene.build()) == 1);
  CHECK(scene.build().compiled == 0);
  scene.file("size.h", "const int kSize = 2;\n");
  CHECK(compiled_objects(scene.build()) == 1);
  scene.file("launch.cuh", "__global__ void k() {}\ninline void launch() { k<<<2, 2>>>(); }\n");
  CHECK(compiled_objects(scene.build()) == 1);
}

TEST_CASE("another version of the CPU device's headers compiles everything again") {
  CudaScene scene;
  const fs::path headers = scene.outside() / "headers";
  fs::copy(scene.request.device_headers, headers, fs::copy_options::recursive);
  scene.request.device_headers = headers;
  scene.file("a.cu", fresh(kFill));
  CHECK(compiled_objects(scene.build()) == 1);
  CHECK(scene.build().compiled == 0);
  std::ofstream(headers / "simt" / "launch.h", std::ios::app) << "// changed\n";
  CHECK(compiled_objects(scene.build()) == 1);
}

TEST_CASE("the same file for the host and for the CPU device are two objects") {
  CudaScene scene;
  scene.file("a.cpp", fresh("extern \"C\" int plain() { return 1; }\n"));
  CHECK(compiled_objects(scene.build()) == 1);
  scene.request.target = BuildTarget::host;
  CHECK(compiled_objects(scene.build()) == 1);
}

TEST_CASE("what the rewriter refuses is a failed build with the student's line") {
  CudaScene scene;
  scene.file("a.cu",
             "__global__ void fill(int* x) {}\n"
             "extern \"C\" void run(int* x) {\n"
             "  fill<<<1, 32(x);\n"
             "}\n");
  const BuildResult result = scene.build();
  CHECK(result.status == Status::failed);
  CHECK_THAT(result.message, Catch::StartsWith("a.cu:3:7: ") && Catch::Contains("`>>>`"));
  CHECK_THAT(result.log, Catch::StartsWith("a.cu:3:7: error: "));
  CHECK(result.library.empty());
}

TEST_CASE("what the compiler refuses is told of the student's line and column") {
  CudaScene scene;
  scene.file("a.cu",
             "__global__ void fill(int* x) {}\n"
             "extern \"C\" void run(int* x) {\n"
             "  fill<<<1, 32>>>(x); nowhere(x);\n"
             "}\n");
  const BuildResult result = scene.build();
  CHECK(result.status == Status::failed);
  CHECK_THAT(result.message, Catch::StartsWith("a.cu:3:23: ") && Catch::Contains("nowhere"));
  CHECK_THAT(result.log, !Catch::Contains("CONVKIT_SIMT") && !Catch::Contains("simt/") &&
                             !Catch::Contains("/build-"));
}

TEST_CASE("an error in a header that is rewritten is told of that header") {
  CudaScene scene;
  scene.file("deep/k.cuh",
             "#pragma once\n__global__ void k() {}\n"
             "inline void go() {\n  k<<<1, 1>>>();\n  gone();\n}\n");
  scene.file("a.cu", "#include \"deep/k.cuh\"\n");
  const BuildResult result = scene.build();
  CHECK(result.status == Status::failed);
  CHECK_THAT(result.message, Catch::StartsWith("deep/k.cuh:5:3: "));
}

// The rewriter runs in the grader, outside of the sandbox: it may not read what a submission may
// not.
TEST_CASE("files outside of the submission do not come in by way of the rewriter") {
  CudaScene scene;
  const fs::path secret = scene.outside() / "secret.h";
  std::ofstream(secret) << "#error the secret is 42 <<<\n";
  std::string name;
  SECTION("by a path upwards") {
    name = "../secret.h";
  }
  SECTION("by an absolute path") {
    name = secret.string();
  }
  SECTION("by a symbolic link") {
    fs::create_symlink(secret, scene.folder() / "link.h");
    name = "link.h";
  }
  scene.file("a.cu", fresh("#include \"" + name + "\"\n") + kFill);
  const BuildResult result = scene.build();
  CHECK_THAT(result.log, !Catch::Contains("42"));
  if (name == "link.h") return;  // in the sandbox it leads to a file without content
  CHECK(result.status == Status::failed);
  CHECK_THAT(result.message, Catch::StartsWith("a.cu:2:10: "));
}

TEST_CASE("host code beside CUDA code is compiled and linked with it") {
  CudaScene scene;
  scene.file("a.cu", fresh(kFill));
  scene.file("b.cpp", fresh("#include <cuda_runtime.h>\nextern \"C\" cudaError_t run(int*);\n"
                            "extern \"C\" cudaError_t twice(int* x) { run(x); return run(x); }\n"));
  CHECK(compiled_objects(scene.build()) == 2);
}

TEST_CASE("a forbidden function is found in CUDA sources, too") {
  CudaScene scene;
  scene.request.forbidden_symbols = {"system"};
  scene.file("a.cu", fresh("#include <cstdlib>\nextern \"C\" int a() { return system(\"\"); }\n"));
  const BuildResult result = scene.build();
  CHECK(result.status == Status::policy);
  CHECK_THAT(result.message, Catch::Contains("system()"));
}

TEST_CASE("check mode compiles objects of its own") {
  CudaScene scene;
  const fs::path checker = CONVKIT_BINARY_DIR "/bin/libconvkit_simt_check.so";
  scene.file("a.cu", fresh(kFill));
  CHECK(compiled_objects(scene.build()) == 1);
  scene.request.mode = SimtMode::check;
  scene.request.device_libraries.insert(scene.request.device_libraries.begin(), checker);
  const BuildResult checked = scene.build();
  CHECK(compiled_objects(checked) == 1);
  const Symbols symbols = dynamic_symbols(checked.library);
  CHECK(std::any_of(symbols.undefined.begin(), symbols.undefined.end(),
                    [](const std::string& name) { return name.rfind("__tsan_", 0) == 0; }));
}

}  // namespace convkit
