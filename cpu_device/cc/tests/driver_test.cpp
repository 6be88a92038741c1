// SPDX-License-Identifier: MIT
#include "cpu_device/cc/driver.h"

#include <cstdlib>

#include "catch.h"
#include "cc_scene.h"
#include "convkit/kit_error.h"

namespace convkit {
namespace {

using test::CcScene;

const std::string kProgram =
    "#include <cstdio>\n"
    "__global__ void fill(int* x, int by) { x[threadIdx.x] = by * int(threadIdx.x); }\n"
    "int main() {\n"
    "  int x[4];\n"
    "  fill<<<1, 4>>>(x, 3);\n"
    "  for (int each : x) std::printf(\"%d \", each);\n"
    "  std::printf(\"%s:%d\\n\", __FILE__, __LINE__);\n"
    "}\n";

// A make rule on one line.
std::string on_one_line(std::string rule) {
  for (size_t at; (at = rule.find(" \\\n")) != std::string::npos;) rule.erase(at, 3);
  return rule;
}

size_t count_files(const std::filesystem::path& folder, const std::string& extension) {
  size_t count = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == extension) ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("a program is compiled, linked and runs") {
  CcScene scene;
  scene.source("a.cu", kProgram);
  const CcResult result = scene.cc({"a.cu", "-o", "prog", "-arch=sm_90"});
  CHECK(result.messages == "");
  REQUIRE(result.exit_code == 0);
  CHECK(scene.run("prog") == "0 3 6 9 a.cu:7\n");
  CHECK(scene.cc({"a.cu"}).exit_code == 0);
  CHECK(scene.exists("a.out"));
}

TEST_CASE("a folder and a file with spaces and other letters are like others") {
  CcScene scene;
  scene.source("über uns/prog 1.cu", "#include \"teil 2.cuh\"\n" + kProgram)
      .source("über uns/teil 2.cuh", "#pragma once\n");
  const CcResult result = scene.cc({"über uns/prog 1.cu", "-o", "mein prog"});
  CHECK(result.messages == "");
  CHECK(scene.run("mein prog") == "0 3 6 9 über uns/prog 1.cu:8\n");
}

TEST_CASE("several files are compiled one by one and linked") {
  CcScene scene;
  scene.source("k.cuh", "__global__ void one(int* x);\nvoid run(int* x);\nint host();\n")
      .source("k.cu",
              "#include \"k.cuh\"\n__global__ void one(int* x) { *x += 1; }\n"
              "void run(int* x) { one<<<1, 1>>>(x); }\n")
      .source("main.cu",
              "#include \"k.cuh\"\nint main() { int x = 4; run(&x); one<<<1, 1>>>(&x);\n"
              "return x + host(); }\n")
      .source("host.cpp", "int host() { return 10; }\n");
  REQUIRE(scene.cc({"-dc", "k.cu", "main.cu", "host.cpp"}).exit_code == 0);
  CHECK((scene.exists("k.o") && scene.exists("main.o") && scene.exists("host.o")));
  REQUIRE(scene.cc({"-dlink", "k.o", "main.o", "-o", "link.o"}).exit_code == 0);
  const CcResult linked = scene.cc({"k.o", "main.o", "host.o", "link.o", "-o", "prog"});
  CHECK(linked.messages == "");
  REQUIRE(linked.exit_code == 0);
  CHECK(scene.cc({"k.cu", "main.cu", "host.cpp", "-o", "prog2"}).exit_code == 0);
  CHECK(scene.exists("prog2"));
}

TEST_CASE("launches in included headers run") {
  CcScene scene;
  scene
      .source("a.cu",
              "#include <cstdio>\n#include <lib/run.cuh>\nint main() { int x = 1;\n"
              "  run(&x); std::printf(\"%d\\n\", x); }\n")
      .source("inc/lib/run.cuh",
              "#pragma once\n#include \"kernels.cuh\"\n"
              "inline void run(int* x) { add<int><<<1, 1>>>(x); }\n")
      .source("inc/lib/kernels.cuh",
              "#pragma once\ntemplate <class T> __global__ void add(T* x) {\n"
              "  extern __shared__ T s[];\n  s[0] = *x; *x = s[0] + 41; }\n");
  const CcResult result = scene.cc({"a.cu", "-Iinc", "-o", "prog"});
  CHECK(result.messages == "");
  CHECK(scene.run("prog") == "42\n");
}

TEST_CASE("the compiler's errors name the student's line and column") {
  CcScene scene;
  scene.source("a.cu", "__global__ void k(int* x) {}\nint main() {\n  k<<<1, 2>>>(none);\n}\n");
  const CcResult result = scene.cc({"a.cu"});
  CHECK(result.exit_code == 1);
  CHECK(result.messages.find("a.cu:3:15: error: ") != std::string::npos);
  CHECK(result.messages.find("    3 |   k<<<1, 2>>>(none);\n      |               ^~~~\n") !=
        std::string::npos);
  CHECK(result.messages.find("CONVKIT") == std::string::npos);
  CHECK_FALSE(scene.exists("a.out"));
}

TEST_CASE("errors of headers name the headers") {
  CcScene scene;
  scene.source("a.cu", "#include \"b.cuh\"\nint main() { return missing; }\n")
      .source("b.cuh", "\nint x = wrong;\n");
  const CcResult result = scene.cc({"a.cu", "-c"});
  CHECK(result.messages.find("b.cuh:2:9: error: ") != std::string::npos);
  CHECK(result.messages.find("a.cu:2:21: error: ") != std::string::npos);
}

TEST_CASE("errors of the rewriter end the compilation before the compiler runs") {
  CcScene scene;
  scene.source("a.cu", "int main() {\n  k<<<1, 2(3);\n  also_wrong;\n}\n");
  const CcResult result = scene.cc({"a.cu"});
  CHECK(result.exit_code == 1);
  CHECK(result.messages.starts_with("a.cu:2:4: error: this launch configuration has no closing"));
  CHECK(result.messages.find("also_wrong") == std::string::npos);
}

TEST_CASE("what only the compiler can decide, it says at the student's line") {
  CcScene scene;
  scene.source("a.cu", "#ifdef BAD\nvoid f() {\n  k<<<1, 2(3);\n}\n#endif\nint main() {}\n");
  CHECK(scene.cc({"a.cu"}).exit_code == 0);
  const CcResult result = scene.cc({"a.cu", "-DBAD"});
  CHECK(result.exit_code == 1);
  CHECK(result.messages.find("a.cu:3:") != std::string::npos);
  CHECK(result.messages.find("this launch configuration has no closing `>>>`") !=
        std::string::npos);
}

TEST_CASE("every file is compiled even when one is wrong, and nothing is linked") {
  CcScene scene;
  scene.source("a.cu", "int main() { return wrong_a; }\n").source("b.cu", "int x = wrong_b;\n");
  const CcResult result = scene.cc({"a.cu", "b.cu", "-o", "prog"});
  CHECK(result.messages.find("wrong_a") != std::string::npos);
  CHECK(result.messages.find("wrong_b") != std::string::npos);
  CHECK_FALSE(scene.exists("prog"));
}

TEST_CASE("the linker's errors come without scratch folders") {
  CcScene scene;
  scene.source("a.cu", "void missing();\nint main() { missing(); }\n");
  const CcResult result = scene.cc({"a.cu"});
  CHECK(result.exit_code != 0);
  CHECK(result.messages.find("missing()") != std::string::npos);
  CHECK(result.messages.find("convkit-cc.") == std::string::npos);
}

TEST_CASE("macros, standards and warnings reach the compiler") {
  CcScene scene;
  scene.source("a.cu", "int main() { int unused; return X + (__cplusplus > 201703L); }\n");
  const CcResult result = scene.cc({"a.cu", "-DX=3", "-std=c++20", "-Wall", "-o", "p"});
  CHECK(result.exit_code == 0);
  CHECK(result.messages.find("unused") != std::string::npos);
  CHECK(scene.cc({"a.cu", "-DX=3", "-Wall", "-Werror"}).exit_code == 1);
  CHECK(scene.cc({"a.cu", "-DX=3", "-Xcompiler", "-Wall,-Werror"}).exit_code == 1);
  CHECK(scene.cc({"a.cu", "-DX=3", "-Wall", "-w"}).messages == "");
}

TEST_CASE("the kit's headers cause no warnings") {
  CcScene scene;
  scene.source("a.cu", kProgram);
  const CcResult result =
      scene.cc({"a.cu", "-Wall", "-Wextra", "-Wpedantic", "-Wold-style-cast", "-Wshadow"});
  CHECK(result.messages.find("kit/include") == std::string::npos);
}

TEST_CASE("a shared library can be made") {
  CcScene scene;
  scene.source("a.cu",
               "__global__ void k(int* x) { *x = 1; }\n"
               "extern \"C\" void f(int* x) { k<<<1, 1>>>(x); }\n");
  const CcResult result = scene.cc({"-shared", "a.cu", "-o", "liba.so"});
  CHECK(result.messages == "");
  CHECK(scene.exists("liba.so"));
}

TEST_CASE("preprocessed text, rules and commands are printed") {
  CcScene scene;
  scene.source("a.cu", "#include \"b.cuh\"\nMARK(1)\n").source("b.cuh", "#define MARK(x) x##2\n");
  CHECK(scene.cc({"-E", "a.cu"}).output.find("\n12\n") != std::string::npos);
  CHECK(on_one_line(scene.cc({"-MM", "a.cu"}).output) == "a.o: a.cu b.cuh\n");
  const CcResult dry = scene.cc({"--dryrun", "a.cu", "-o", "prog"});
  CHECK(dry.output.find(" -c ") != std::string::npos);
  CHECK(dry.output.find("-lconvkit_simt") != std::string::npos);
  CHECK_FALSE(scene.exists("prog"));
  CHECK(scene.cc({"--version"}).output.starts_with("convkit cc 1.2.3: "));
}

TEST_CASE("launches with template arguments get concepts, unless a name would become a keyword") {
  const std::string launch =
      "template <int n> __global__ void k(int*) {}\n"
      "void f(int* x) { k<2><<<1, 2>>>(x); }\n";
  const auto has_concepts = [](const std::string& text) {
    CcScene scene;
    scene.source("a.cu", text);
    return scene.cc({"--dryrun", "-c", "a.cu"}).output.find("-fconcepts") != std::string::npos;
  };
  CHECK(has_concepts(launch));
  CHECK_FALSE(has_concepts(kProgram));
  CHECK_FALSE(has_concepts(launch + "int requires = 1;\n"));
  CHECK(has_concepts("#define RUN(n) k<n><<<1, 2>>>(x)\n" + launch.substr(0, launch.find('\n'))));
}

TEST_CASE("rules for make name the files that the user knows") {
  CcScene scene;
  scene.source("a.cu", "#include \"b.cuh\"\nint x;\n").source("b.cuh", "\n");
  REQUIRE(scene.cc({"-MMD", "-c", "a.cu", "-o", "out.o"}).exit_code == 0);
  CHECK(on_one_line(scene.read("out.d")) == "out.o: a.cu b.cuh\n");
  REQUIRE(scene.cc({"-MD", "-MF", "rule", "-c", "a.cu"}).exit_code == 0);
  CHECK(scene.read("rule").starts_with("a.o: a.cu"));
  scene.source("my a.cu", "#include \"my b.cuh\"\n").source("my b.cuh", "\n");
  REQUIRE(scene.cc({"-MMD", "-c", "my a.cu", "-o", "my out.o"}).exit_code == 0);
  CHECK(on_one_line(scene.read("my out.d")) == "my\\ out.o: my\\ a.cu my\\ b.cuh\n");
}

TEST_CASE("what the compiler reads can be kept") {
  CcScene scene;
  scene.source("a.cu", kProgram);
  REQUIRE(scene.cc({"-c", "--keep", "a.cu"}).exit_code == 0);
  const std::string text = scene.read("a.cu.convkit.cpp");
  CHECK(text.starts_with("#line 1 \"a.cu\"\n"));
  CHECK(text.find("CONVKIT_SIMT_LAUNCH((fill),(1, 4)) (x, 3);") != std::string::npos);
}

TEST_CASE("kernels that never wait become loops over threads in plain mode only") {
  CcScene scene;
  scene.source("a.cu", "__global__ void k(int* x) { x[threadIdx.x] = 1; }\n");
  const auto kept = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"-c", "--keep", "a.cu"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    REQUIRE(scene.cc(arguments).exit_code == 0);
    return scene.read("a.cu.convkit.cpp");
  };
  CHECK(kept({}).find("CONVKIT_SIMT_THREADS") != std::string::npos);
  CHECK(kept({"--check"}).find("CONVKIT_SIMT_THREADS") == std::string::npos);
  CHECK(kept({"--profile"}).find("CONVKIT_SIMT_THREADS") == std::string::npos);
}

TEST_CASE("check mode instruments, and links the library for it") {
  CcScene scene;
  scene.source("a.cu", kProgram);
  const std::string commands = scene.cc({"--check", "--dryrun", "-c", "a.cu"}).output;
  CHECK(commands.find("-fsanitize=thread") != std::string::npos);
  CHECK(commands.find("-O2") == std::string::npos);
  CHECK_THROWS_AS(scene.cc({"--check", "a.cu"}), KitError);  // the stand-in has none
}

TEST_CASE("the profiler instruments without check mode's checks, and links its own library") {
  CcScene scene;
  scene.source("a.cu", kProgram);
  const std::string commands = scene.cc({"--profile", "--dryrun", "-c", "a.cu"}).output;
  CHECK(commands.find("-fsanitize=thread") != std::string::npos);
  CHECK(commands.find("-fsanitize=alignment") == std::string::npos);
  CHECK(commands.find("-O2") == std::string::npos);
  CHECK_THROWS_AS(scene.cc({"--profile", "a.cu"}), KitError);  // the stand-in has none
}

TEST_CASE("the header is precompiled once for each set of flags") {
  CcScene scene;
  scene.source("a.cu", kProgram);
  const auto cache = scene.root() / "cache";
  REQUIRE(scene.cc({"a.cu"}).exit_code == 0);
  CHECK(count_files(cache, ".gch") == 1);
  REQUIRE(scene.cc({"a.cu", "-o", "again"}).exit_code == 0);
  CHECK(count_files(cache, ".gch") == 1);
  REQUIRE(scene.cc({"a.cu", "-O0", "-DX"}).exit_code == 0);
  CHECK(count_files(cache, ".gch") == 2);
}

TEST_CASE("a header that changes is precompiled again") {
  CcScene scene;
  scene.source("a.cu", "int main() { return added; }\n");
  CHECK(scene.cc({"a.cu"}).exit_code == 1);
  std::ofstream(scene.root() / "kit/include/cuda_runtime.h", std::ios::app)
      << "constexpr int added = 0;\n";
  CHECK(scene.cc({"a.cu"}).messages == "");
}

TEST_CASE("without a cache, compiling works") {
  CcScene scene;
  scene.source("a.cu", kProgram).file("cache", "a file, not a folder");
  CHECK(scene.cc({"a.cu", "-o", "prog"}).messages == "");
  CHECK(scene.run("prog") == "0 3 6 9 a.cu:7\n");
}

TEST_CASE("a damaged precompiled header is not read") {
  CcScene scene;
  scene.source("a.cu", kProgram);
  REQUIRE(scene.cc({"a.cu"}).exit_code == 0);
  for (const auto& entry : std::filesystem::directory_iterator(scene.root() / "cache")) {
    if (entry.path().extension() == ".gch") std::ofstream(entry.path()) << "damaged";
  }
  const CcResult result = scene.cc({"a.cu", "-o", "prog"});
  CHECK(result.exit_code == 0);
  CHECK(scene.run("prog") == "0 3 6 9 a.cu:7\n");
}

TEST_CASE("clang compiles the same program, with its own precompiled header") {
  if (find_on_path("clang++").empty()) return;
  CcScene scene;
  scene.source("a.cu", kProgram);
  const CcArguments arguments = read_cc_arguments({"-ccbin", "clang", "a.cu", "-o", "prog"});
  const char* cxx = std::getenv("CXX");
  const std::string before = cxx ? cxx : "";
  for (int i = 0; i < 2; ++i) {
    CcDriver driver(scene.kit(), Toolchain::find(), scene.root() / "cache", "1");
    const CcResult result = driver.run(arguments);
    CHECK(result.messages == "");
    CHECK(scene.run("prog") == "0 3 6 9 a.cu:7\n");
  }
  CHECK(count_files(scene.root() / "cache", ".gch") == 1);
  before.empty() ? unsetenv("CXX") : setenv("CXX", before.c_str(), 1);
}

TEST_CASE("a toolkit's own headers are not read") {
  CcScene scene;
  scene.source("a.cu", kProgram)
      .file("cuda/include/crt/host_config.h", "")
      .file("cuda/include/cuda_runtime.h", "#error the toolkit's\n");
  CHECK(scene.cc({"a.cu", "-I" + (scene.root() / "cuda/include").string()}).messages == "");
}

}  // namespace convkit
