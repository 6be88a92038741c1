// SPDX-License-Identifier: MIT
#include "grade/device/told_apart.h"

#include <cstdlib>
#include <fstream>

#include "catch.h"
#include "convkit/temporary_folder.h"

namespace convkit {

TEST_CASE("a name that tells devices apart is found with its line, not in comments or strings") {
  const TemporaryFolder folder("told-apart");
  std::ofstream(folder.path() / "a.cu") << "int n;\n#if defined(CONVKIT_SIMT) && 1\n#endif\n";
  std::ofstream(folder.path() / "b.cuh") << "// __CUDA_ARCH__\nconst char* s = \"__NVCC__\";\n";
  std::ofstream(folder.path() / "c.cu") << "#ifdef __CUDA_\\\nARCH__\n#endif\n";
  const auto said =
      names_that_tell_devices_apart(folder.path(), {"a.cu", "b.cuh", "c.cu", "no.cu"});
  REQUIRE(said.size() == 2);
  CHECK(said[0].starts_with("a.cu:2 uses CONVKIT_SIMT, "));
  CHECK(said[1].starts_with("c.cu:1 uses __CUDA_ARCH__, "));
}

TEST_CASE("attributes that switch instrumentation off and its functions' names are found") {
  const TemporaryFolder folder("told-apart");
  const auto said = [&](const std::string& text) {
    std::ofstream(folder.path() / "a.cu") << text;
    const auto sentences = names_that_tell_devices_apart(folder.path(), {"a.cu"});
    return sentences.empty() ? "" : sentences[0];
  };
  CHECK(said("int n;\n__attribute__((no_sanitize(\"thread\"))) void f();")
            .starts_with("a.cu:2 uses no_sanitize, so check mode cannot see "));
  CHECK(said("[[gnu::__no_sani\\\ntize_thread__]] void f();")
            .starts_with("a.cu:1 uses __no_sanitize_thread__, so check mode cannot see "));
  CHECK(said("#define QUICK __attribute__((disable_sanitizer_instrumentation))\n") != "");
  CHECK(said("_Pragma(\"clang attribute push (__attribute__((no_sani\" \"tize)))\")") != "");
  CHECK(said("int n;\nvoid f() __asm__(\"__ts\" \"an_write4\");")
            .starts_with("a.cu:2 uses __tsan_, so check mode and "));
  CHECK(said("const char* s = \"sanitize\"; int sanitize, no;") == "");
}

TEST_CASE("what reads memory by an instruction of the host's processor is found") {
  const TemporaryFolder folder("told-apart");
  const auto said = [&](const std::string& text) {
    std::ofstream(folder.path() / "a.cu") << text;
    const auto sentences = names_that_tell_devices_apart(folder.path(), {"a.cu"});
    return sentences.empty() ? "" : sentences[0];
  };
  CHECK(said("#define GATHER _mm_i32gather_ps\n")
            .starts_with("a.cu:1 uses _mm_i32gather_ps, so check mode cannot see "));
  CHECK(said("float f = __builtin_ia32_gathersiv4sf();") != "");
  CHECK(said("__builtin_memcpy(a, b, 12);") != "");
  CHECK(said("int i = __atomic_load_n(p, 0), j = __sync_fetch_and_add(p, 1);") != "");
  CHECK(said("__syncthreads(); __syncwarp(); int mm, _m = __syncthreads_count(1);") == "");
}

TEST_CASE("assembly in a source that is not refused for it is found") {
  const TemporaryFolder folder("told-apart");
  const auto said = [&](const std::string& file, const std::string& text) {
    std::ofstream(folder.path() / file) << text;
    return names_that_tell_devices_apart(folder.path(), {file});
  };
  const std::string text = "// asm\nvoid f() { asm volatile(\"nop\"); }";
  REQUIRE(said("a.cpp", text).size() == 1);
  CHECK(said("a.cpp", text)[0].starts_with("a.cpp:2 uses asm, so check mode cannot see "));
  CHECK(said("a.h", "void f() { __asm__(\"\"); }").size() == 1);
  CHECK(said("a.cu", text).empty());
}

TEST_CASE("symbols of check mode are found in a library, and others are none") {
  const TemporaryFolder folder("told-apart");
  const auto library = [&](const std::string& source) {
    const auto file = folder.path() / "a.so";
    std::ofstream(folder.path() / "a.c") << source;
    const std::string command = "cc -w -shared -fPIC -nostdlib -o " + file.string() + " " +
                                (folder.path() / "a.c").string();
    REQUIRE(std::system(command.c_str()) == 0);
    return file;
  };
  const auto said = [&](const std::string& name) {
    const auto notes =
        notes_on_symbols(library("void " + name + "(); void f() { " + name + "(); }"), {});
    return notes.empty() ? "" : notes[0];
  };
  CHECK(said("memcpy") == "");
  CHECK(said("dlsym") == "");  // of CUDA's runtime, where nvcc linked it
  for (const std::string name :
       {"convkit_simt_check_start_over", "__real_memcpy", "__wrap_memcpy", "__tsan_read4"}) {
    CHECK(said(name) == "The submission has the symbol " + name +
                            ", which belongs to check mode, so check mode may run other code than "
                            "a GPU does.");
  }

  const std::filesystem::path self = "/proc/self/exe";
  const auto in_check_mode = [&](const std::string& name) {
    const auto notes =
        notes_on_symbols(self, library("void " + name + "(); void f() { " + name + "(); }"));
    return notes.empty() ? "" : notes[0];
  };
  CHECK(in_check_mode("__wrap_memcpy") == "");
  CHECK(in_check_mode("dlsym") ==
        "The submission calls dlsym(), which can find functions of check mode, so check mode may "
        "run other code than a GPU does.");
  CHECK(in_check_mode("convkit_simt_check_told").starts_with("The submission has the symbol "));
}

}  // namespace convkit
