// SPDX-License-Identifier: MIT
// Warnings that tell, and where a function lies.
#include "compile/warnings.h"

#include <algorithm>

#include "catch.h"
#include "compile/function_text.h"

namespace convkit {

namespace {

const char* const kLog =
    "conv.cpp: In function ‘void f(int, int)’:\n"
    "conv.cpp:3:21: warning: unused parameter ‘pad’ [-Wunused-parameter]\n"
    "    3 | void f(int n, int pad) {\n"
    "      |               ~~~~^~~\n"
    "conv.cpp:7:5: warning: ‘sum’ may be used uninitialized [-Wmaybe-uninitialized]\n"
    "    7 |   y += sum;\n"
    "conv.cpp:5:9: note: ‘sum’ was declared here\n"
    "conv.cpp: In function ‘void g()’:\n"
    "conv.cpp:12:3: warning: statement has no effect [-Wunused-value]\n"
    "dense.cpp:4:21: warning: comparison of integer expressions of different signedness: ‘int’ and "
    "‘unsigned’ [-Wsign-compare]\n";

}  // namespace

TEST_CASE("the warnings that tell most come first, with their places") {
  const std::vector<Warning> warnings = telling_warnings(std::string(kLog) + kLog);
  REQUIRE(warnings.size() == 3);
  CHECK(warnings[0].file == "conv.cpp");
  CHECK(warnings[0].line == 7);
  CHECK(warnings[0].kind == "maybe-uninitialized");
  CHECK(warnings[0].text == "‘sum’ may be used uninitialized");
  CHECK(warnings[1].kind == "sign-compare");
  CHECK(warnings[2].kind == "unused-parameter");
}

TEST_CASE("what looks like a warning in a quoted line is none") {
  CHECK(telling_warnings("    7 | // a.cpp:1:2: warning: x [-Wuninitialized]\n").empty());
  CHECK(telling_warnings("a.cpp: warning: x [-Wuninitialized]\nwarning: [-W]\n: warning: [-Wx]\n")
            .empty());
  CHECK(telling_warnings("a.cpp:9:1: error: x [-Werror=uninitialized]\n").empty());
}

TEST_CASE("a log shows no warnings that the stage did not ask for") {
  const std::string plain = without_unasked_warnings(kLog, {"-O3"});
  CHECK(plain ==
        "conv.cpp: In function ‘void g()’:\n"
        "conv.cpp:12:3: warning: statement has no effect [-Wunused-value]\n");
  const std::string all = without_unasked_warnings(kLog, {"-Wall", "-Wno-sign-compare"});
  CHECK(all.find("unused-parameter") == std::string::npos);
  CHECK(all.find("pad") == std::string::npos);
  CHECK(all.find("sign-compare") == std::string::npos);
  CHECK(all.find("In function ‘void f(int, int)’:\nconv.cpp:7:5: warning: ") != std::string::npos);
  CHECK(all.find("note: ‘sum’ was declared here") != std::string::npos);
  CHECK(without_unasked_warnings(kLog, {"-Wall", "-Wextra", "-Wunused-parameter"}) == kLog);
  CHECK(without_unasked_warnings("", {}) == "");
  CHECK(without_unasked_warnings("a.cpp:1:2: error: x\n1 warning and 1 error generated.\n", {}) ==
        "a.cpp:1:2: error: x\n");
}

TEST_CASE("where a warning is that nobody asked for is not shown either") {
  const std::string unasked =
      "In file included from b.h:5,\n"
      "                 from a.cu:4:\n"
      "b.h: In instantiation of ‘void f(T) [with T = int]’:\n"
      "a.cu:7:3:   required from ‘void g(T) [with T = int]’\n"
      "a.cu:9:4:   required from here\n"
      "b.h:3:7: warning: unused variable ‘x’ [-Wunused-variable]\n"
      "    3 |   int x;\n"
      "a.cu: In function ‘void h(int)’:\n"
      "a.cu:12:12: warning: unused parameter ‘n’ [-Wunused-parameter]\n";
  CHECK(without_unasked_warnings(unasked, {}) == "");
  const std::string error = "a.cu:14:3: error: ‘y’ was not declared in this scope\n";
  CHECK(without_unasked_warnings(unasked + error, {}) ==
        "a.cu: In function ‘void h(int)’:\n" + error);
  CHECK(without_unasked_warnings(unasked, {"-Wall", "-Wunused-parameter"}) == unasked);
}

TEST_CASE("each compiler is asked for the warnings that it knows") {
  const auto has = [](const std::vector<std::string>& flags, const char* flag) {
    return std::ranges::find(flags, flag) != flags.end();
  };
  CHECK(has(telling_flags(false), "-Wmaybe-uninitialized"));
  CHECK_FALSE(has(telling_flags(true), "-Wmaybe-uninitialized"));
  CHECK(has(telling_flags(true), "-Wsometimes-uninitialized"));
}

TEST_CASE("functions are found with their lines and with what they may call") {
  const std::vector<FunctionText> functions = functions_in(
      "#include <a.h>\n"
      "#define TWICE(x) { x x }\n"
      "namespace {\n"
      "// void not_this() {\n"
      "template <int K>\n"
      "__global__ void __launch_bounds__(256) kernel(const float* x,\n"
      "                                              int n) {\n"
      "  if (n > 1) { helper(\"}\"); }\n"
      "}\n"
      "struct S {\n"
      "  int size() const { return '{'; }\n"
      "};\n"
      "int table[] = {1, f(2)};\n"
      "}  // namespace\n"
      "extern \"C\" void entry(int n) noexcept {\n"
      "  kernel<3><<<1, n>>>(nullptr, n);\n"
      "}\n"
      "void declared(int n);\n");
  REQUIRE(functions.size() == 3);
  CHECK(functions[0].name == "kernel");
  CHECK(functions[0].first == 6);
  CHECK(functions[0].last == 9);
  CHECK(functions[0].words.contains("helper"));
  CHECK(functions[1].name == "size");
  CHECK(functions[2].name == "entry");
  CHECK(functions[2].first == 15);
  CHECK(functions[2].words.contains("kernel"));
}

TEST_CASE("the place of a warning that is left out does not stand over another file's message") {
  const std::string unused =
      "a.cu: In function 'void f()':\n"
      "a.cu:1:7: warning: unused variable 'n' [-Wunused-variable]\n";
  const std::string other = "b.cu:19:21: error: the launch ends with `>>`\n";
  CHECK(without_unasked_warnings(unused + other, {}) == other);
  const std::string same = "a.cu:2:1: error: expected ';'\n";
  CHECK(without_unasked_warnings(unused + same, {}) == "a.cu: In function 'void f()':\n" + same);
}

TEST_CASE("text that is no program is read to its end") {
  for (const char* text :
       {"", "{", "}", "(", "f(", "f() {", "\"", "'", "/*", "#", "#\\", "f)(){}"}) {
    for (const FunctionText& function : functions_in(text)) CHECK(function.first <= function.last);
  }
}

}  // namespace convkit
