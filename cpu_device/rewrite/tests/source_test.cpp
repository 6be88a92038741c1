// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/source.h"

#include "catch.h"
#include "rewritten.h"

namespace convkit::rewrite {
namespace {

std::string code_of(const std::string& text) {
  const Source source(text);
  std::string joined;
  for (const Token& token : source.code()) {
    if (!joined.empty()) joined += ' ';
    joined += token.text;
    if (!token.decided) joined += '?';
  }
  return joined;
}

}  // namespace

TEST_CASE("tokens are what the compiler reads") {
  CHECK(code_of("a+b /* c */ -> d // e\n::f") == "a + b -> d :: f");
  CHECK(code_of("x>>>y >>= z >> w<<<v") == "x >>> y >>= z >> w <<< v");
  CHECK(code_of("1'000.5e-3f 0x1p+3 .5 1..2") == "1'000.5e-3f 0x1p+3 .5 1..2");
  CHECK(code_of("'a' '\\'' u8'b' L'\"' \"c\\\"d\"_s") == "'a' '\\'' u8'b' L'\"' \"c\\\"d\"_s");
  CHECK(code_of("lo\\\nng na\\  \n me") == "long na me");
  CHECK(code_of("R\"(a)b\")\"; R\"x(\n)\")x\"") == "R\"(a)b\")\" ; R\"x(\n)\")x\"");
  CHECK(code_of("R\"(a\\\nb)\" c") == "R\"(a\\\nb)\" c");
  CHECK(code_of("/* open") == "");
  CHECK(code_of("\"open\nnext") == "\"open next");
  CHECK(code_of("it's\nnext") == "it 's next");
  CHECK(code_of("\xef\xbb\xbfint a;") == "int a ;");
}

TEST_CASE("code that is never compiled is no code") {
  CHECK(code_of("#if 0\na\n#else\nb\n#endif\nc") == "b c");
  CHECK(code_of("#if 1\na\n#else\nb\n#endif\nc") == "a c");
  CHECK(code_of("#if 0\ndon't \" unbalanced\n#elif 1\nb\n#endif") == "b");
  CHECK(code_of("#ifdef __CUDACC__\na\n#else\nb\n#endif") == "a");
  CHECK(code_of("#ifdef __NVCC__\na\n#else\nb\n#endif") == "a");
  CHECK(code_of("#ifndef __CUDACC__\na\n#else\nb\n#endif") == "b");
  CHECK(code_of("#if !defined(__CUDACC__) || 0\na\n#endif\nb") == "b");
  CHECK(code_of("#if defined __CUDACC__ && (1 || X)\na\n#endif\nb") == "a b");
  CHECK(code_of("#if 0\n#if 1\na\n#endif\n#else\nb\n#endif") == "b");
  CHECK(code_of("#if 0 // why\na\n#endif") == "");
  CHECK(code_of("#  if 0\na\n# endif\nb") == "b");
  CHECK(code_of("%:if 0\na\n%:endif\nb") == "b");
  CHECK(code_of("#if 0\n/* #endif\n*/ a\n#endif\nb") == "b");
  CHECK(code_of("#if 00 || 0u\na\n#endif\nb") == "b");
}

TEST_CASE("what only the compiler can decide is marked") {
  CHECK(code_of("#ifdef X\na\n#else\nb\n#endif\nc") == "a? b? c");
  CHECK(code_of("#if X > 3\na\n#elif 0\nb\n#else\nc\n#endif") == "a? c?");
  CHECK(code_of("#if __CUDA_ARCH__ >= 700\na\n#endif") == "a?");
  CHECK(code_of("#if 0\na\n#elif X\nb\n#else\nc\n#endif") == "b? c?");
  CHECK(code_of("#if X\n#if 0\na\n#else\nb\n#endif\n#endif") == "b?");
  CHECK(code_of("#if 1 && X\na\n#endif") == "a?");
  CHECK(code_of("#if 0 * (2)\na\n#endif") == "a?");
}

TEST_CASE("an include guard decides nothing") {
  CHECK(code_of("#ifndef A_H\n#define A_H\na\n#endif\n") == "a");
  CHECK(code_of("#ifndef TILE\n#define TILE 16\n#endif\na") == "a");
  CHECK(code_of("#ifndef A_H\nint x;\n#define A_H\na\n#endif\n") == "int? x? ;? a?");
}

TEST_CASE("conditionals without an end or a beginning do no harm") {
  CHECK(code_of("#endif\n#else\na\n#if 0\nb") == "a");
  CHECK(code_of("#if\na\n#ifdef\nb\n#if (\nc") == "a? b? c?");
  CHECK(code_of("#\n#define\n#include\na") == "a");
}

TEST_CASE("includes are found where they may be obeyed") {
  const Source source(
      "#include \"a.h\"\n#include <b.h>\n#if 0\n#include \"c.h\"\n#endif\n"
      "#ifdef X\n#include \"it's.h\" // \"e.h\"\n#endif\n#include MACRO\n// #include \"f.h\"\n"
      "#  include \"g h.h\"\n");
  std::string found;
  for (const Include& include : includes(source)) {
    found += (include.angled ? "<" : "\"") + include.name + "\n";
    CHECK(source.text().substr(include.begin + 1, include.name.size()) == include.name);
  }
  CHECK(found == "\"a.h\n<b.h\n\"it's.h\n\"g h.h\n");
}

TEST_CASE("includes can be led elsewhere") {
  const Source source("#include \"a.h\"\n#include \"b.h\"\n");
  Names names;
  names.add(source);
  names.finish();
  const Rewritten r = rewrite(source, names, [](const Include& include) {
    return include.name == "a.h" ? std::optional<std::string>("/elsewhere/1.h") : std::nullopt;
  });
  CHECK(r.text == "#include \"/elsewhere/1.h\"\n#include \"b.h\"\n");
}

TEST_CASE("a byte order mark is dropped") {
  CHECK(test::text_of("\xef\xbb\xbfint a;\n") == "int a;\n");
}

}  // namespace convkit::rewrite
