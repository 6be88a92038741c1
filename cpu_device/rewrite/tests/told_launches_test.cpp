// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/told_launches.h"

#include "catch.h"
#include "rewritten.h"

namespace convkit::rewrite {

using test::text_of;

TEST_CASE("a macro that tells a launch as text tells the original") {
  CHECK(text_of("#define SAY(...) puts(\"ran \" #__VA_ARGS__ \"\\n\")\n"
                "void f() { SAY(k<<<1, 2>>>(x)); }\n") ==
        "#define SAY(...) puts(CONVKIT_SIMT_TEXT(\"ran \" #__VA_ARGS__ \"\\n\"))\n"
        "void f() { SAY(CONVKIT_SIMT_LAUNCH((k),(1, 2)) (x)); }\n");
  // Used before another macro's argument, and in a macro's body.
  CHECK(text_of("#define DO(x) x; log(#x)\n#define TWICE DO(g(k<<<1, 2>>>(x)))\n") ==
        "#define DO(x) x; log(CONVKIT_SIMT_TEXT(#x))\n"
        "#define TWICE DO(g(CONVKIT_SIMT_LAUNCH((k),(1, 2)) (x)))\n");
}

TEST_CASE("a macro that gets no launch keeps its literal") {
  const std::string pragma =
      "#define PRAGMA(x) _Pragma(#x)\n"
      "void f() { PRAGMA(unroll) for (;;) k<<<1, 2>>>(x); }\n";
  CHECK(text_of(pragma).starts_with("#define PRAGMA(x) _Pragma(#x)\n"));
  const std::string other =
      "#define A(x) #x\n#define B(x) x\nvoid f() { B(k<<<1, 2>>>()); A(1); }\n";
  CHECK(text_of(other).starts_with("#define A(x) #x\n"));
}

TEST_CASE("what is no text of a parameter stays as it is") {
  CHECK(text_of("#define SAY(x) f(\"a\" \"b\", a##x, #x)\nvoid f() { SAY(k<<<1, 2>>>()); }\n") ==
        "#define SAY(x) f(\"a\" \"b\", a##x, CONVKIT_SIMT_TEXT(#x))\n"
        "void f() { SAY(CONVKIT_SIMT_LAUNCH((k),(1, 2)) ()); }\n");
}

}  // namespace convkit::rewrite
