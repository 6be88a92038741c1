// SPDX-License-Identifier: MIT
#include "grade/partial_build.h"

#include <signal.h>

#include <fstream>

#include "catch.h"
#include "compile/function_text.h"
#include "runtime/tests/test_files.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

class PartSubmission {
 public:
  PartSubmission& file(const std::string& name, const std::string& text) {
    write(folder_.path() / name, text);
    return *this;
  }
  PartSubmission& starter(const std::string& name, const std::string& text) {
    write(starter_.path() / name, text);
    return *this;
  }
  PartSubmission& fails(const std::string& name) {
    built_.failed.push_back({name, BuildResult::Status::failed, name + ":1:1: expected ';'"});
    return *this;
  }
  PartSubmission& lacks(const std::string& symbol) {
    built_.missing.push_back(symbol);
    return *this;
  }
  PartialBuild build() const { return {built_, folder_.path(), starter_.path()}; }

 private:
  static void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
  test::TemporaryFolder folder_, starter_;
  BuildResult built_;
};

Answer ended_with(int signal, const std::string& text) {
  Answer answer;
  answer.kind = Answer::Kind::ended;
  answer.ending.kind = Ending::Kind::signalled;
  answer.ending.signal = signal;
  answer.text = text;
  return answer;
}

Answer without(const std::string& function) {
  Answer answer;
  answer.kind = Answer::Kind::missing_entry;
  answer.text = function;
  return answer;
}

const std::string kStub = "convkit: missing function ";

}  // namespace

TEST_CASE("a function is defined where its body is, not where it is called or declared") {
  CHECK(defines_function("int twice(int x) { return 2 * x; }", "twice"));
  CHECK(defines_function("int twice\n(int (*f)(int))\n noexcept\n{", "twice"));
  CHECK_FALSE(defines_function("int twice(int x);", "twice"));
  CHECK_FALSE(defines_function("if (twice(1)) {", "twice"));
  CHECK_FALSE(defines_function("int not_twice(int x) {", "twice"));
  CHECK_FALSE(defines_function("int twice(int x", "twice"));
  CHECK_FALSE(defines_function("twice", "twice"));
  CHECK_FALSE(defines_function("f() {", ""));
}

TEST_CASE("a missing function is named with its file and the compiler's words") {
  const PartialBuild partial = PartSubmission()
                                   .file("a.cpp", "void one() { two() }")
                                   .file("b.cpp", "void two( { }")
                                   .starter("b.cpp", "void two() {}")
                                   .starter("c.cpp", "void three() {}")
                                   .fails("a.cpp")
                                   .fails("b.cpp")
                                   .build();
  CHECK(partial.verdict_of(without("one"))->message ==
        "`one` is in `a.cpp`, which does not compile: a.cpp:1:1: expected ';'");
  CHECK(partial.verdict_of(without("one"))->status == Status::build_failed);
  // Its own line is broken: the starter knows where it belongs.
  CHECK(partial.verdict_of(without("two"))->message ==
        "`two` is in `b.cpp`, which does not compile: b.cpp:1:1: expected ';'");
  // Its file compiles, so it was not written.
  CHECK_FALSE(partial.verdict_of(without("three")));
  CHECK(partial.verdict_of(without("four"))->message ==
        "`four` is in no file that compiles. `a.cpp` and `b.cpp` do not compile: "
        "a.cpp:1:1: expected ';'");
  CHECK(partial.to_mend() == "a.cpp:1:1: expected ';'\nb.cpp:1:1: expected ';'\n");
}

TEST_CASE("only an abort in a stub that was linked is taken for one") {
  const PartialBuild partial = PartSubmission().lacks("_Z4gonef").build();
  CHECK(partial.verdict_of(ended_with(SIGABRT, kStub + "0"))->message ==
        "`gone(float)` is used but not defined in any file.");
  CHECK(partial.to_mend() == "`gone(float)` is used but not defined in any file.\n");
  for (const char* forged : {"1", "-1", "", "0x", "99999999999999999999999", "0 "}) {
    CHECK_FALSE(partial.verdict_of(ended_with(SIGABRT, kStub + forged)));
  }
  CHECK_FALSE(partial.verdict_of(ended_with(SIGSEGV, kStub + "0")));
  CHECK_FALSE(PartialBuild().verdict_of(ended_with(SIGABRT, kStub + "0")));
  CHECK_FALSE(PartialBuild().verdict_of(without("one")));
}

}  // namespace convkit
