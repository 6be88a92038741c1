// SPDX-License-Identifier: MIT
// Logs as g++ 12 and clang 14 write them, shortened.
#include "cpu_device/cc/messages.h"

#include "catch.h"
#include "cc_scene.h"
#include "cpu_device/cc/compiler_log.h"
#include "cpu_device/cc/supported_names.h"

namespace convkit {
namespace {

using test::CcScene;

// The unit of `source`, and what becomes of `log`, where "KIT/" stands for the kit's headers.
std::string mended(const std::string& source, std::string log) {
  CcScene scene;
  scene.source("a.cu", source);
  TranslationUnitRequest request;
  request.folder = scene.work();
  request.file = "a.cu";
  request.scratch = scene.root();
  const std::string headers = scene.kit().headers.string();
  for (size_t at; (at = log.find("KIT/")) != std::string::npos;) log.replace(at, 3, headers);
  return mend_messages(log, read_translation_unit(request), headers);
}

}  // namespace

TEST_CASE("an error is shown with the line and the column of the original") {
  CHECK(mended("int main() {\n  k<<<grd, 1>>>(d);\n}\n",
               "a.cu: In function ‘int main()’:\n"
               "a.cu:2:28: error: ‘grd’ was not declared in this scope\n"
               "KIT/simt/launch.h:259:37: note: in definition of macro ‘CONVKIT_SIMT_LAUNCH’\n"
               "a.cu:2:3: note: in expansion of macro ‘CONVKIT_SIMT_LAUNCH’\n") ==
        "a.cu: In function ‘int main()’:\n"
        "a.cu:2:7: error: ‘grd’ was not declared in this scope\n"
        "    2 |   k<<<grd, 1>>>(d);\n"
        "      |       ^~~\n");
}

TEST_CASE("arguments that do not fit the kernel are told as such") {
  CHECK(
      mended("k<<<1, 1>>>(s);\n",
             "a.cu:1:35: error: no match for call to ‘(convkit::simt::Launcher<int>) (char*&)’\n"
             "In file included from KIT/cuda_runtime.h:25,\n"
             "                 from <command-line>:\n"
             "KIT/simt/launch.h:216:8: note: candidate: ‘template<class ... A>’\n"
             "KIT/simt/launch.h:216:8: note:   template argument deduction/substitution failed:\n"
             "KIT/simt/launch.h:215:25: error: no type named ‘type’ in ‘struct "
             "std::enable_if<false>’\n"
             "KIT/simt/launch.h:140:20: note:   no known conversion for argument 1 from ‘char*’ "
             "to ‘int*’\n") ==
      "a.cu:1:14: error: the arguments do not fit the kernel's parameters: no known conversion for "
      "argument 1 from ‘char*’ to ‘int*’\n"
      "    1 | k<<<1, 1>>>(s);\n"
      "      |              ^\n");
  CHECK(
      mended("k<<<1, 1>>>(s);\n",
             "a.cu:1:1: error: no matching function for call to object of type 'Launcher<int>'\n"
             "KIT/simt/launch.h:258:3: note: expanded from macro 'CONVKIT_SIMT_LAUNCH'\n"
             "KIT/simt/launch.h:140:8: note: candidate function not viable: requires 2 arguments, "
             "but 1 was provided\n") ==
      "a.cu:1:1: error: the arguments do not fit the kernel's parameters: the kernel expects 2 "
      "arguments, but 1 was provided\n"
      "    1 | k<<<1, 1>>>(s);\n"
      "      | ^\n");
}

TEST_CASE("an error inside the kit's headers is told of the line that led there") {
  CHECK(mended("int a;\nk<<<1, 1>>>(d);\n",
               "KIT/simt/launch.h: In instantiation of ‘void f() [with T = {}]’:\n"
               "KIT/simt/launch.h:88:30:   required from ‘void convkit::simt::g()’\n"
               "a.cu:2:35:   required from here\n"
               "KIT/simt/launch.h:265:71: error: too few "
               "arguments to function ‘void k(int*, float)’\n"
               "a.cu:2:3: note: in expansion of macro ‘CONVKIT_SIMT_LAUNCH’\n"
               "a.cu:1:5: note: declared here\n") ==
        "a.cu:2:14: error: too few arguments to function ‘void k(int*, float)’\n"
        "    2 | k<<<1, 1>>>(d);\n"
        "      |              ^\n"
        "a.cu:1:5: note: declared here\n"
        "    1 | int a;\n"
        "      |     ^\n");
}

TEST_CASE("PTX whose text macros put together is refused by the name of the instruction") {
  const std::string told = mended(
      "int a;\nf(x);\n",
      "KIT/simt/ptx/operands.h: In instantiation of ‘struct convkit::simt::ptx::PtxIsRefused<1, "
      "'f', '.', 'b', '>'>’:\n"
      "KIT/simt/ptx.h:88:30:   required from ‘void convkit_ptx_run(const Operand& ...)’\n"
      "a.cu:2:1:   required from here\n"
      "KIT/simt/ptx/operands.h:130:22: error: static assertion failed: this text of inline PTX is "
      "refused\n");
  CHECK(told.find("a.cu:2:1: error: inline PTX: the instruction `f.b") != std::string::npos);
  CHECK(told.find("PtxIsRefused") == std::string::npos);
}

TEST_CASE("what follows from an error that was told is left out") {
  const std::string first = "a.cu:1:22: error: ‘k’ was not declared in this scope\n";
  const std::string once = mended("k<<<1, 1>>>(d);\n", first);
  CHECK(
      mended("k<<<1, 1>>>(d);\n", first + first +
                                      "a.cu:1:35:   required from here\n"
                                      "KIT/simt/launch.h:74:9: error: no match for call to ‘(const "
                                      "<lambda(auto:12)>) (int)’\n") == once);
}

TEST_CASE("errors in headers of the system keep their way there") {
  const std::string log =
      "In file included from /usr/include/c++/12/vector:66,\n"
      "                 from a.cu:1:\n"
      "/usr/include/c++/12/bits/stl_vector.h: In instantiation of ‘class V’:\n"
      "a.cu:2:3:   required from here\n"
      "/usr/include/c++/12/bits/stl_vector.h:400:3: error: static assertion failed\n";
  CHECK(mended("#include <vector>\nint a;\n", log) == log);
}

TEST_CASE("an unknown name of CUDA's is followed by the nearest that is supported") {
  const auto note = [](const std::string& error) {
    const std::string text = mended("cudaDeviceSync();\n", "a.cu:1:1: error: " + error + "\n");
    const size_t at = text.find("note: ");
    return at == std::string::npos ? "" : text.substr(at + 6, text.find('\n', at) - at - 6);
  };
  const std::string near =
      "the CPU device has no `cudaDeviceSyncronise`; the nearest name that it has is "
      "`cudaDeviceSynchronize`";
  CHECK(note("‘cudaDeviceSyncronise’ was not declared in this scope") == near);
  CHECK(note("use of undeclared identifier 'cudaDeviceSyncronise'") == near);
  CHECK(note("‘cudaQuiteSomethingElse’ was not declared in this scope") ==
        "the CPU device has no `cudaQuiteSomethingElse`");
  CHECK(note("‘x’ was not declared in this scope") == "");
  CHECK(note("‘cudaMemcopy’ was not declared in this scope; did you mean ‘cudaMemcpy’?") == "");
  // What CUDA 13 dropped.
  CHECK(note("‘struct cudaDeviceProp’ has no member named ‘clockRate’; did you mean ‘clocks’?") ==
        "CUDA 13 dropped `clockRate`: compile with --cuda12, or call cudaDeviceGetAttribute");
  CHECK(note("no member named 'computeMode' in 'cudaDeviceProp'") ==
        "CUDA 13 dropped `computeMode`: compile with --cuda12, or call cudaDeviceGetAttribute");
  CHECK(note("‘struct cudaDeviceProp’ has no member named ‘colour’") == "");
  // What unsupported.h declares is there to be refused.
  CHECK(
      note("‘cudaOnlyToRefus’ was not declared in this scope; did you mean ‘cudaOnlyToRefuse’?") ==
      "the CPU device has no `cudaOnlyToRefus`");
}

TEST_CASE("a missing CUDA header is explained") {
  CHECK(mended("#include <cub/cub.cuh>\n",
               "a.cu:1:10: fatal error: cub/cub.cuh: No such file or directory\n"
               "compilation terminated.\n") ==
        "a.cu:1:10: fatal error: cub/cub.cuh: No such file or directory\n"
        "    1 | #include <cub/cub.cuh>\n"
        "      |          ^\n"
        "a.cu:1:10: note: `cub/cub.cuh` is a header of CUB that the CPU device does not have\n"
        "compilation terminated.\n");
  CHECK(mended("#include <thrust/x.h>\n", "a.cu:1:10: fatal error: 'thrust/x.h' file not found\n")
            .find("a header of Thrust that") != std::string::npos);
  CHECK(mended("#include <cufft.h>\n", "a.cu:1:10: fatal error: 'cufft.h' file not found\n")
            .find("a header of cuFFT, which") != std::string::npos);
}

TEST_CASE("a log of anything is passed on") {
  for (const std::string log :
       {"", "\n", "collect2: error: ld returned 1 exit status\n", "x:1:\n", ":1:1: error: \n",
        "a.cu:99:99: error: far\n", "a.cu:1:1: warning: w [-Wall]\n",
        "  indented a.cu:1:1: error: x\n", "x:0:0: error: y\n",
        "/tmp/ccX.s: Assembler messages:\n/tmp/ccX.s:3: Error: no such "
        "instruction: `mov.u32'\n"}) {
    const std::string text = mended("\n", log);
    INFO(log);
    CHECK(text == log);
  }
}

TEST_CASE("names with colons are file names") {
  const auto reports = read_compiler_log("a:b:c.cu:12:3: error: x\n");
  REQUIRE(reports.size() == 1);
  CHECK(reports[0].primary.file == "a:b:c.cu");
  CHECK(reports[0].primary.line == 12);
  CHECK(reports[0].primary.column == 3);
  CHECK(reports[0].primary.text == "x");
}

TEST_CASE("excerpts mark a name, or as much as they are told") {
  CHECK(excerpt("a\nint größe = x;\r\n", 2, 15) ==
        "    2 | int größe = x;\n      |             ^\n");
  CHECK(excerpt("abc def\n", 1, 5) == "    1 | abc def\n      |     ^~~\n");
  CHECK(excerpt("abc def\n", 1, 5, 2) == "    1 | abc def\n      |     ^~\n");
  CHECK(excerpt("abc\n" + std::string(3000, 'x'), 2, 5, 2) == "");
  CHECK(excerpt("abc\n", 1, 50) == "    1 | abc\n      |    ^\n");
  CHECK(excerpt("abc\n", 7, 1).empty());
}

TEST_CASE("names of CUDA's are known by their beginnings") {
  CHECK(is_cuda_name("cudaMalloc"));
  CHECK(is_cuda_name("__shfl_sync"));
  CHECK(is_cuda_name("atomicAdd"));
  CHECK(is_cuda_name("cublasSgemm"));
  CHECK(is_cuda_name("CUBLAS_OP_N"));
  CHECK(is_cuda_name("curand_uniform"));
  CHECK(is_cuda_name("curandGenerate"));
  CHECK(is_cuda_name("cudnnSetTensor"));
  CHECK(is_cuda_name("CUDNN_DATA_FLOAT"));
  CHECK_FALSE(is_cuda_name("cublas"));
  CHECK_FALSE(is_cuda_name("cudnn"));
  CHECK_FALSE(is_cuda_name("cuda"));
  CHECK_FALSE(is_cuda_name("__FILE__"));
  CHECK_FALSE(is_cuda_name("atomics"));
}

}  // namespace convkit
