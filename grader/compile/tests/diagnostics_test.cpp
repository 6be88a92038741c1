// SPDX-License-Identifier: MIT
#include "compile/diagnostics.h"

#include "catch.h"

namespace convkit {

TEST_CASE("the first error of a compiler is one sentence with its place") {
  // g++ 12
  CHECK(first_error("conv.cpp: In function ‘int f()’:\n"
                    "conv.cpp:1:7: warning: unused variable ‘a’ [-Wunused-variable]\n"
                    "conv.cpp:2:18: error: ‘foo’ was not declared in this scope\n"
                    "    2 | int f() { return foo; }\n"
                    "      |                  ^~~\n"
                    "conv.cpp:9:1: error: expected ‘}’ at end of input\n") ==
        "conv.cpp:2:18: ‘foo’ was not declared in this scope");
  CHECK(first_error("conv.cpp:1:10: fatal error: ../nope.h: No such file or directory\n"
                    "    1 | #include \"../nope.h\"\n"
                    "compilation terminated.\n") ==
        "conv.cpp:1:10: ../nope.h: No such file or directory");
  // clang 14
  CHECK(
      first_error("conv.cpp:2:18: error: use of undeclared identifier 'foo'; did you mean 'for'?\n"
                  "int f() { return foo; }\n"
                  "                 ^~~\n"
                  "1 error generated.\n") ==
      "conv.cpp:2:18: use of undeclared identifier 'foo'; did you mean 'for'?");
}

TEST_CASE("an error that says little to a beginner is told in words of the kit") {
  struct Known {
    const char *error, *source, *words;
  };
  for (const auto& [error, source, words] : {
           Known{"invalid conversion from ‘const void*’ to ‘void*’",
                 "   17 |   CUDA_CHECK(cudaMemcpy(a, d_a, n, cudaMemcpyHostToDevice));",
                 "A copy takes the destination first"},
           Known{"invalid conversion from ‘const float*’ to ‘float*’", "   17 |   fill(x, y);",
                 "are the arguments in the right order?"},
           Known{"invalid conversion from ‘cudaStream_t’ {aka ‘CUstream_st*’} to ‘size_t’",
                 "   31 |   conv<<<grid, dim3(32, 8), stream>>>(d_x);", "the fourth is the stream"},
           Known{"invalid operands of types ‘float’ and ‘int’ to binary ‘operator^’",
                 "   42 |   return dy * (1 - y^2);", "a square is x * x"},
           Known{"expected ‘,’ or ‘;’ before ‘int’", "   17 |   int j;", "A semicolon is missing"},
           Known{"cannot convert ‘float*’ to ‘void**’", "   12 |   cudaMalloc(d_x, bytes);",
                 "cudaMalloc(&d_x, bytes)"},
       }) {
    CAPTURE(error);
    const std::string said =
        first_error("a.cu:17:25: error: " + std::string(error) + "\n" + source + "\n");
    CHECK(said.starts_with("a.cu:17:25: "));
    CHECK(said.find(words) != said.npos);
    CHECK(said.ends_with(" (" + std::string(error) + ")"));
  }
  CHECK(first_error("a.cu:3:4: error: ‘foo’ was not declared in this scope\n") ==
        "a.cu:3:4: ‘foo’ was not declared in this scope");
}

TEST_CASE("headers that include each other without end are told what ends it") {
  const std::string sentence =
      "mine.h:1:10: files include each other without end; begin each header with `#pragma once`.";
  CHECK(first_error("In file included from dense.cpp:1:\n"
                    "mine.h:1:10: error: #include nested depth 200 exceeds maximum of 200 (use "
                    "-fmax-include-depth=DEPTH to increase the maximum)\n") == sentence);
  CHECK(first_error("mine.h:1:10: error: #include nested too deeply\n") == sentence);
}

TEST_CASE("a prefix is removed where a path begins, however often it is there") {
  CHECK(without_prefix("  from ././././mine.h:1,\n./a.cpp and b/./c.h\n", "./") ==
        "  from mine.h:1,\na.cpp and b/./c.h\n");
}

TEST_CASE("a long log is cut at the end of a line, and says so") {
  CHECK(cut_log("one\ntwo\n", 8) == "one\ntwo\n");
  CHECK(cut_log("one\ntwo\nthree\n", 8) == "one\ntwo\n(6 more bytes of messages are not shown.)\n");
  CHECK(cut_log("one two", 3) == "one\n(4 more bytes of messages are not shown.)\n");
}

TEST_CASE("source lines that a compiler quotes are not taken for what it says") {
  CHECK(first_error("conv.cpp:3:5: warning: unused variable ‘text’\n"
                    "    3 |     auto text = \"error: undefined reference to `nothing'\";\n"
                    "conv.cpp:4:1: error: expected ‘)’ before ‘}’ token\n") ==
        "conv.cpp:4:1: expected ‘)’ before ‘}’ token");
}

TEST_CASE("an undefined symbol is named, whatever the linker") {
  const std::string sentence = "`net::Layer::size(int) const` is used but not defined in any file.";
  CHECK(first_error("/usr/bin/ld.bfd: u.o: in function `g(net::Layer const&)':\n"
                    "undef.cpp:(.text+0x6): undefined reference to `net::Layer::size(int) const'\n"
                    "collect2: error: ld returned 1 exit status\n") == sentence);
  CHECK(first_error("u.o:undef.cpp:function g(net::Layer const&): error: undefined reference to "
                    "'net::Layer::size(int) const'\n"
                    "collect2: error: ld returned 1 exit status\n") == sentence);
  CHECK(first_error("ld.lld: error: undefined symbol: net::Layer::size(int) const\n"
                    ">>> referenced by undef.cpp\n"
                    ">>>               u.o:(g(net::Layer const&))\n"
                    "collect2: error: ld returned 1 exit status\n") == sentence);
  CHECK(first_error("mold: error: undefined symbol: net::Layer::size(int) const\n"
                    ">>> referenced by undef.cpp\n"
                    "clang: error: linker command failed with exit "
                    "code 1 (use -v to see invocation)\n") == sentence);
}

TEST_CASE("the assembler's first error is told without its temporary file") {
  CHECK(first_error("cc8.s: Assembler messages:\ncc8.s:4: Error: file not found: data.bin\n") ==
        "The assembler: file not found: data.bin");
}

TEST_CASE("a symbol that is defined twice is named, whatever the linker") {
  const std::string sentence = "`net::twice(int)` is defined twice.";
  CHECK(first_error("/usr/bin/ld.bfd: d2.o: in function `net::twice(int)':\n"
                    "dup2.cpp:(.text+0x0): multiple definition of `net::twice(int)'; "
                    "d1.o:dup1.cpp:(.text+0x0): first defined here\n"
                    "collect2: error: ld returned 1 exit status\n") == sentence);
  CHECK(first_error("/usr/bin/ld.gold: error: d2.o: multiple definition of 'net::twice(int)'\n"
                    "/usr/bin/ld.gold: d1.o: previous definition here\n") == sentence);
  CHECK(first_error("ld.lld: error: duplicate symbol: net::twice(int)\n"
                    ">>> defined at dup1.cpp\n") == sentence);
  CHECK(first_error("mold: error: duplicate symbol: d2.o: d1.o: net::twice(int)\n") == sentence);
  CHECK(first_error("mold: error: duplicate symbol: b.cpp: a.cpp: net::twice(int)\n") == sentence);
}

TEST_CASE("a variable that is defined twice may be each file's own") {
  CHECK(first_error("/usr/bin/ld: 2/b.o:(.bss+0x10): multiple definition of `filters'; "
                    "0/a.o:(.bss+0x10): first defined here\n") ==
        "`filters` is defined twice; with `static` before it, each file has its own.");
}

TEST_CASE("a log of any shape gives a sentence") {
  CHECK(first_error("").empty());
  CHECK(first_error("\n\nc++: something unheard of\n") == "c++: something unheard of");
  CHECK(first_error("undefined reference to `") == "`` is used but not defined in any file.");
  // A symbol as long as the whole log: matched with a regular expression, it overflows the stack.
  const std::string name(250 << 10, 'x');
  const std::string sentence =
      first_error("conv.cpp:(.text): undefined reference to `" + name + "'");
  CHECK(sentence == "`" + name.substr(0, 200) + "...` is used but not defined in any file.");
  CHECK(first_error(name + "error: " + name).size() == 2 * name.size());
}

TEST_CASE(
    "a compiler that ran out of memory or room, or crashed, is told from an error in the code") {
  using Status = BuildResult::Status;
  for (const auto& [log, why] : std::initializer_list<std::pair<const char*, Status>>{
           {"cc1plus: out of memory allocating 65536 bytes after a total of 1 bytes\n",
            Status::out_of_memory},
           {"LLVM ERROR: out of memory\nAllocation failed\n", Status::out_of_memory},
           {"as: a.o: File too large\n", Status::file_too_large},
           {"g++: internal compiler error: File size limit exceeded signal terminated program as\n",
            Status::file_too_large},
           {"g++: internal compiler error: Segmentation fault signal terminated program cc1plus\n",
            Status::compiler_crashed}}) {
    CAPTURE(log);
    CHECK(why_compiler_gave_up(log) == why);
  }
  CHECK_FALSE(
      why_compiler_gave_up("conv.cpp:1:2: error: expected unqualified-id\n"
                           "    1 | // LLVM ERROR: out of memory\n"));
}

TEST_CASE("a compiler that was killed is told from one that reached a limit") {
  for (const char* line : {"g++: fatal error: Killed signal terminated program cc1plus",
                           "collect2: fatal error: ld terminated with signal 9 [Killed]",
                           "nvcc error   : 'cicc' died due to signal 9 (Kill signal)",
                           "clang++: error: unable to execute command: Killed"}) {
    CAPTURE(line);
    CHECK(tells_of_a_kill("a.cpp:1: warning: x\n" + std::string(line) + "\n"));
    // What a source can make the compiler say has a place before it or behind it.
    CHECK_FALSE(tells_of_a_kill("a.cpp:1:2: error: " + std::string(line) + "\n"));
    CHECK_FALSE(tells_of_a_kill("    1 | " + std::string(line) + "\n"));
  }
  CHECK_FALSE(
      tells_of_a_kill("g++: fatal error: Killed signal terminated program cc1plus:1:10: error\n"));
  CHECK_FALSE(tells_of_a_kill("g++: fatal error: Segmentation fault signal terminated program x"));
  // The assembler prints what a source tells it to.
  CHECK_FALSE(
      tells_of_a_kill("a.cpp: Assembler messages:\na.cpp:1: Error: .err encountered\n"
                      "g++: fatal error: Killed signal terminated program cc1plus\n"));
  CHECK_FALSE(
      tells_of_a_kill("g++: fatal error: Killed signal terminated program cc1plus\n"
                      "as: a.o: File too large\n"));
}

TEST_CASE("a tool that failed without a reason is told from one that named an error") {
  for (const char* log :
       {"", "\n", "a.cpp:1:5: warning: unused variable 'error' [-Wunused]\n",
        "sh: 0: Cannot fork\n", "a.cu(3): warning: x\nsh: 1: Cannot fork\n",
        "bash: fork: retry: Resource temporarily unavailable\n",
        "g++: fatal error: cannot execute '/usr/lib/cc1plus': vfork: Resource temporarily "
        "unavailable\ncompilation terminated.\n",
        "clang++: error: unable to execute command: posix_spawn failed: Resource temporarily "
        "unavailable\n",
        "terminate called after throwing an instance of 'std::system_error'\n"
        "  what():  Resource temporarily unavailable\n"
        "collect2: fatal error: ld terminated with signal 6 [Aborted]\n"}) {
    CAPTURE(log);
    CHECK(names_no_error(log));
  }
  for (const char* log :
       {"a.cpp:1:5: error: x\n", "a.cu(3): error: x\nsh: 0: Cannot fork\n",
        "/tmp/x.s:1: Error: .err encountered\nCannot fork\n",
        "u.cpp:(.text+0x6): undefined reference to `f()'\nvfork: \n",
        "a.cpp:1:9: note: '#pragma message: Cannot fork'\na.cpp:2:1: error: x\n",
        "/usr/bin/ld: cannot find -lfoo\ncollect2: error: ld returned 1 exit status\n",
        "nvlink error   : Undefined reference to 'f' in 'x.o'\n",
        "a.cpp:1:9: internal compiler error: Segmentation fault\n"}) {
    CAPTURE(log);
    CHECK_FALSE(names_no_error(log));
  }
}

TEST_CASE("a prefix is removed from the beginning of paths only") {
  CHECK(without_prefix("./a.cpp:1: error\nIn file included from ./a.cpp:2,\n", "./") ==
        "a.cpp:1: error\nIn file included from a.cpp:2,\n");
  CHECK(without_prefix("fatal error: ../nope.h: and a/./b.h, '../x/./y'", "./") ==
        "fatal error: ../nope.h: and a/./b.h, '../x/./y'");
  CHECK(without_prefix("‘./a.h’ (./b.h)", "./") == "‘./a.h’ (b.h)");
  CHECK(without_prefix(std::string(200 << 10, '.') + "/", "./").size() == (200 << 10) + 1);
}

}  // namespace convkit
