// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/launches.h"
#include "catch.h"
#include "rewritten.h"

namespace convkit::rewrite {

using test::text_of;

TEST_CASE("a launch becomes a macro and its arguments stay as they are") {
  CHECK(text_of("void f() { k<<<g, b>>>(x, y); }") ==
        "void f() { CONVKIT_SIMT_LAUNCH((k),(g, b)) (x, y); }");
  CHECK(text_of("k<<<g, b, bytes>>>();") == "CONVKIT_SIMT_LAUNCH((k),(g, b, bytes)) ();");
  CHECK(text_of("k<<<g, b, 0, stream>>>();") == "CONVKIT_SIMT_LAUNCH((k),(g, b, 0, stream)) ();");
  CHECK(text_of("k <<< g , b >>> (x);") == "CONVKIT_SIMT_LAUNCH((k ),( g , b ))  (x);");
}

TEST_CASE("what is launched may be any postfix expression") {
  const auto launched = [](const std::string& kernel) {
    const std::string text = text_of("void f() { " + kernel + "<<<1, 2>>>(x); }");
    const std::string kind = kernel.back() == '>' ? "TEMPLATE_LAUNCH" : "LAUNCH";
    CHECK(text == "void f() { CONVKIT_SIMT_" + kind + "((" + kernel + "),(1, 2)) (x); }");
  };
  launched("k");
  launched("::k");
  launched("ns::k");
  launched("::a::b::k");
  launched("k<float>");
  launched("k<float, 3>");
  launched("ns::k<float, 3>");
  launched("k<(a > b), 3>");
  launched("k<Foo<int>>");
  launched("k<Foo<Bar<int>>>");
  launched("k<A<B<C<int>>>>");
  launched("k<Foo<int> >");
  launched("k<N < 32>");
  launched("k<(1 << 3)>");
  launched("k<1 << 3>");
  launched("k<sizeof(float), 'a', -1>");
  launched("k<decltype(a[i])>");
  launched("k<Foo{1, 2}.x>");
  launched("Foo<int>::k");
  launched("Foo<int>::Bar<3>::k<2>");
  launched("decltype(x)::k");
  launched("T::template k<N>");
  launched("object.template k<N>");
  launched("pointer->template k<N>");
  launched("object.k");
  launched("pointer->k");
  launched("this->k");
  launched("object.inner->k");
  launched("find(3)->k");
  launched("(*k)");
  launched("(condition ? a : b)");
  launched("(k)");
  launched("table[i]");
  launched("table[i][j]");
  launched("object.table[i + 1]");
  launched("kernel_for(n)");
  launched("kernel_for<float>(n)");
  launched("get()()");
  launched("größe");
  launched("$k");
}

TEST_CASE("a launch may stand wherever a statement or an expression may") {
  const auto after = [](const std::string& before) {
    CHECK(text_of(before + "k<<<1, 2>>>(x);") == before + "CONVKIT_SIMT_LAUNCH((k),(1, 2)) (x);");
  };
  after("");
  after("{");
  after("; ");
  after("if (a) ");
  after("if (a) {} else ");
  after("for (int i = 0; i < 3; ++i) ");
  after("while (a) ");
  after("do ");
  after("case 3: ");
  after("case A::b: ");
  after("label: ");
  after("return ");
  after("(void)0, ");
  after("a ? b() : ");
  after("CHECK(");
  after("[=] { ");
  after("[&](int i) mutable { ");
  after("/* k<<<1>>>() */ ");
  after("// k<<<1>>>()\n");
  after("if (a) (b), ");
}

TEST_CASE("a keyword before a qualified name is no part of it") {
  CHECK(text_of("return ::k<<<1, 2>>>(x);") == "return CONVKIT_SIMT_LAUNCH((::k),(1, 2)) (x);");
  CHECK(text_of("else ns::k<<<1, 2>>>(x);") == "else CONVKIT_SIMT_LAUNCH((ns::k),(1, 2)) (x);");
}

TEST_CASE("the condition of an if is no part of what is launched") {
  CHECK(text_of("if (a) (k)<<<1, 2>>>(x);") == "if (a) CONVKIT_SIMT_LAUNCH(((k)),(1, 2)) (x);");
  CHECK(text_of("if constexpr (a) (k)<<<1, 2>>>(x);") ==
        "if constexpr (a) CONVKIT_SIMT_LAUNCH(((k)),(1, 2)) (x);");
}

TEST_CASE("a configuration may hold what an argument may") {
  const auto configured = [](const std::string& config) {
    CHECK(text_of("k<<<" + config + ">>>(x);") == "CONVKIT_SIMT_LAUNCH((k),(" + config + ")) (x);");
  };
  configured("dim3(1, 2, 3), dim3(4)");
  configured("dim3{1, 2}, {3, 4}");
  configured("(n + 255) / 256, 256");
  configured("n >> 3, 1 << 4");
  configured("(n >> 3), (1 << 4)");
  configured("a < b ? 1 : 2, 3");
  configured("a > b, 3");
  configured("table[i], f(x, y)");
  configured("Foo<int>::value, 3");
  configured("Foo<int, 3>::value, 3");
  configured("Foo<Bar<int>>::value, 3");
  configured("A<B<C<int>>>::value, 3");
  configured("1, Foo<int>()");
  configured("std::min<int>(a, b), std::max(c, d), sizeof(float) * n, s");
  configured("[] { return 3; }(), 2");
  configured("1'000, 0x1p3");
  configured("\"a>>>\"[0], '>'");
  configured("blocks..., 2");
  configured("a->b, c->d");
}

TEST_CASE("angles that touch are told apart") {
  CHECK(text_of("k<Foo<int>><<<1, 2>>>(x);") ==
        "CONVKIT_SIMT_TEMPLATE_LAUNCH((k<Foo<int>>),(1, 2)) (x);");
  CHECK(text_of("k<<<1, Foo<2>>>>(x);") == "CONVKIT_SIMT_LAUNCH((k),(1, Foo<2>)) (x);");
  CHECK(text_of("k<<<1, Foo<Bar<2>>>>>(x);") == "CONVKIT_SIMT_LAUNCH((k),(1, Foo<Bar<2>>)) (x);");
  CHECK(text_of("k<<<1, A<B<C<2>>>>>>(x);") == "CONVKIT_SIMT_LAUNCH((k),(1, A<B<C<2>>>)) (x);");
}

TEST_CASE("angles that old formatters took apart still launch") {
  CHECK(text_of("k<< <1, 2>>>(x);") == "CONVKIT_SIMT_LAUNCH((k),( 1, 2)) (x);");
  CHECK(text_of("k<<<1, 2>> >(x);") == "CONVKIT_SIMT_LAUNCH((k),(1, 2)) (x);");
}

TEST_CASE("every line stays on its line") {
  CHECK(text_of("  k<<<\n    g,  // grid\n    b\n  >>>(\n  x);\n") ==
        "  CONVKIT_SIMT_LAUNCH((k),(\n    g,  // grid\n    b\n  )) (\n  x);\n");
  CHECK(text_of("k\n<<<1, 2>>>\n(x);") == "CONVKIT_SIMT_LAUNCH((k\n),(1, 2)) \n(x);");
  CHECK(text_of("k<<\\\n<1, 2>>>(x);") == "CONVKIT_SIMT_LAUNCH((k),(\\\n1, 2)) (x);");
  CHECK(text_of("k<<<1, 2>\\\r\n>>(x);") == "CONVKIT_SIMT_LAUNCH((k),(1, 2)) \\\n(x);");
  CHECK(text_of("k<<<1, 2>>>(x);\r\nint a;\r\n") ==
        "CONVKIT_SIMT_LAUNCH((k),(1, 2)) (x);\r\nint a;\r\n");
}

TEST_CASE("launches in the bodies of macros are rewritten in place") {
  CHECK(text_of("#define L(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)\n") ==
        "#define L(k, g, b, ...) CONVKIT_SIMT_LAUNCH((k),(g, b)) (__VA_ARGS__)\n");
  CHECK(text_of("#define L do { \\\n  k<<<1, \\\n  2>>>(x); \\\n} while (0)\n") ==
        "#define L do { \\\n  CONVKIT_SIMT_LAUNCH((k),(1, \\\n  2)) (x); \\\n} while (0)\n");
  CHECK(text_of("#define L(n) kernel_##n<<<1, 2>>>()\n") ==
        "#define L(n) CONVKIT_SIMT_LAUNCH((kernel_##n),(1, 2)) ()\n");
  CHECK(text_of("#define L(n) n##_kernel_ ## 3<<<1, 2>>>()\n") ==
        "#define L(n) CONVKIT_SIMT_LAUNCH((n##_kernel_ ## 3),(1, 2)) ()\n");
  CHECK(text_of("#define L(c) k<<<c>>>()\n") == "#define L(c) CONVKIT_SIMT_LAUNCH((k),(c)) ()\n");
  CHECK(text_of("#define L k<<<1, 2>>>\n") == "#define L CONVKIT_SIMT_LAUNCH((k),(1, 2)) \n");
  CHECK(text_of("#define CHECK(x) x\nCHECK(k<<<1, 2>>>(x));\n") ==
        "#define CHECK(x) x\nCHECK(CONVKIT_SIMT_LAUNCH((k),(1, 2)) (x));\n");
  // No parameters: the parenthesis belongs to the body.
  CHECK(text_of("#define L (k<<<1, 2>>>())\n") ==
        "#define L (CONVKIT_SIMT_LAUNCH((k),(1, 2)) ())\n");
}

TEST_CASE("launches in templates and lambdas are launches like others") {
  CHECK(text_of("template <class T> void f(T* x) { k<T><<<1, 2>>>(x); }") ==
        "template <class T> void f(T* x) { CONVKIT_SIMT_TEMPLATE_LAUNCH((k<T>),(1, 2)) (x); }");
  CHECK(text_of("auto f = [](auto* x) { k<<<1, 2>>>(x); };") ==
        "auto f = [](auto* x) { CONVKIT_SIMT_LAUNCH((k),(1, 2)) (x); };");
  CHECK(text_of("template <void (*K)(int*)> void f(int* x) { K<<<1, 2>>>(x); }") ==
        "template <void (*K)(int*)> void f(int* x) { CONVKIT_SIMT_LAUNCH((K),(1, 2)) (x); }");
}

TEST_CASE("several launches in a line are each rewritten") {
  CHECK(text_of("a<<<1, 2>>>(x), b<<<3, 4>>>(y);") ==
        "CONVKIT_SIMT_LAUNCH((a),(1, 2)) (x), CONVKIT_SIMT_LAUNCH((b),(3, 4)) (y);");
  CHECK(text_of("a<<<f([] { b<<<3, 4>>>(y); }), 2>>>(x);") ==
        "CONVKIT_SIMT_LAUNCH((a),(f([] { CONVKIT_SIMT_LAUNCH((b),(3, 4)) (y); }), 2)) (x);");
}

TEST_CASE("what only looks like a launch stays") {
  const auto stays = [](const std::string& text) { CHECK(text_of(text) == text); };
  stays("// k<<<1, 2>>>(x)\n");
  stays("/* k<<<1, 2>>>(x)\n */\n");
  stays("// goes on \\\n k<<<1, 2>>>(x)\n");
  stays("const char* s = \"k<<<1, 2>>>(x)\";\n");
  stays("const char* s = \"\\\"k<<<1, 2>>>(x)\";\n");
  stays("auto s = R\"(k<<<1, 2>>>(x)\n\")\";\n");
  stays("auto s = u8R\"ab(k<<<1, 2>>>(x))\")ab\";\n");
  stays("auto s = LR\"(\\\nk<<<1>>>)\";\n");
  stays("#if 0\nk<<<1, 2>>>(x)\n#endif\n");
  stays("a << b; c >> d; e >>= 1; f <<= 2; g <=> h;\n");
  stays("std::vector<std::vector<std::vector<int>>> v(3);\n");
  stays("A<B<C<int>>>(3);\n");
  stays("operator<<<int>(stream, 3);\n");
  stays("operator<< <int>(stream, 3);\n");
  stays("#error k<<<1, 2>>>(x) don't\n");
  stays("#pragma unroll\n");
  stays("#include <a<<<b>\n");
}

TEST_CASE("conflict markers are left for the compiler to name") {
  CHECK(text_of("<<<<<<< HEAD\nint a;\n=======\nint b;\n>>>>>>> theirs\n") ==
        "<<<<<<< HEAD\nint a;\n=======\nint b;\n>>>>>>> theirs\n");
}

TEST_CASE("columns of the new text are led back to the old") {
  const Rewritten r = test::rewritten("a(b); k<<<g, bb>>>(x);\nc(d);\n");
  const auto old_column = [&](const std::string& what, const std::string& before) {
    return std::pair(r.columns.original(1, r.text.find(what) + 1),
                     std::string("a(b); k<<<g, bb>>>(x);").find(before) + 1);
  };
  for (const char* what : {"a(b)", "k", "g", "bb", "x);"}) {
    const auto [found, expected] = old_column(what, what);
    CHECK(found == expected);
  }
  CHECK(r.columns.original(2, 3) == 3);
  CHECK(r.columns.changes_line(1));
  CHECK_FALSE(r.columns.changes_line(2));
}

TEST_CASE("columns after a line continuation inside a token are led back too") {
  const Rewritten r = test::rewritten("k<<\\\n<1, abc>>>(x);\n");
  REQUIRE(r.text == "CONVKIT_SIMT_LAUNCH((k),(\\\n1, abc)) (x);\n");
  CHECK(r.columns.original(2, 4) == 5);
}

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

TEST_CASE("a kernel may be what a cast gives") {
  CHECK(text_of("static_cast<K<int>>(o)<<<1, 2>>>(x);") ==
        "CONVKIT_SIMT_LAUNCH((static_cast<K<int>>(o)),(1, 2)) (x);");
  CHECK(text_of("a = reinterpret_cast<K>(table[i])<<<1, 2>>>(x);")
            .find("a = CONVKIT_SIMT_LAUNCH((reinterpret_cast<K>(table[i])),") == 0);
}

TEST_CASE("a launch by a name of several kernels asks for the parameters") {
  CHECK(text_of("__global__ void k(float* x) {}\n__global__ void k(const int n = 1);\n"
                "void f() { k<<<1, 2>>>(3); }\n") ==
        "auto convkit_parameters_k( float * x ) -> "
        "::convkit::simt::Parameters<::convkit::simt::OfParameter<decltype(x)>>; "
        "__global__ void k(float* x) {}\n"
        "auto convkit_parameters_k( const int n = 1 ) -> "
        "::convkit::simt::Parameters<::convkit::simt::OfParameter<decltype(n)>>; "
        "__global__ void k(const int n = 1);\n"
        "void f() { CONVKIT_SIMT_KNOWN_LAUNCH((k),(1, 2),(0),(convkit_parameters_k)) (3); }\n");
  CHECK(text_of("namespace a { template <int N, class T> __global__ void k(T x) {} }\n"
                "void f() { a::k<3><<<1, 2>>>(x); }")
            .find("CONVKIT_SIMT_KNOWN_TEMPLATE_LAUNCH((a::k<3>),(1, 2),(0),(a :: "
                  "convkit_parameters_k < "
                  "3 >)) (x)") != std::string::npos);
  CHECK(text_of("template <class... A>\n__global__ void k(float x[3], std::pair<A, int> p, void "
                "(*g)(int), A... more) {}\nvoid f() { k<<<1, 2>>>(x); }")
            .find("OfParameter<decltype(g)>, ::convkit::simt::OfParameter<decltype(more)>...>; ") !=
        std::string::npos);
  // Names that are left out are put in.
  for (const auto& [declared, asked] : std::vector<std::pair<std::string, std::string>>{
           {"const float4", "( const float4 convkit_1 )"},
           {"unsigned int, std::size_t", "( unsigned int convkit_1 , std :: size_t convkit_2 )"},
           {"T* __restrict__ = nullptr", "( T * __restrict__ convkit_1 = nullptr )"},
           {"void (*)(int), float[3]", "( void ( * convkit_1 ) ( int ) , float convkit_2 [ 3 ] )"},
           {"T...", "( T ... convkit_1 )"},
           {"T* const x, T const y, const T", "( T * const x , T const y , const T convkit_3 )"}}) {
    const std::string text = text_of("template <class T> __global__ void k(" + declared + ");");
    INFO(text);
    CHECK(text.find("auto convkit_parameters_k" + asked) != std::string::npos);
  }
}

TEST_CASE("where a declaration cannot be asked, none of the name is") {
  const std::string one = "template <class T> __global__ void k(T* x) {}\n";
  for (const std::string& other : std::vector<std::string>{
           "#define ALL int a, int b\n__global__ void k(ALL);", "using a::k;",
           "struct S { friend __global__ void k(int* x); };",
           "template <class T> requires(sizeof(T) > 4) __global__ void k(T x);",
           "template <int N, bool B = N > 3> __global__ void k(int x);",
           "#define TPL template <class T>\nTPL __global__ void k(T x);",
           "#if A\ntemplate <int N>\n#endif\n__global__ void k(int x);",
           "#define KERNEL(name) __global__ void name(int* x)\nKERNEL(k);",
           "#define KERNEL __global__ void k(int* x)\nKERNEL;"}) {
    INFO(other);
    CHECK(text_of(one + other + "\nvoid f() { k<<<1, 2>>>(x); }").find("convkit_parameters") ==
          std::string::npos);
  }
  // The name of one function, specializations, instantiations.
  CHECK(text_of("__global__ void k(int* y, int n = 3);\n__global__ void k(int* x, int m) {}\n"
                "void f() { k<<<1, 2>>>(x); }")
            .find("convkit_parameters") == std::string::npos);
  const std::string text = text_of(
      one + "template <> __global__ void k<int>(int*);\ntemplate __global__ void k(char*);\n");
  CHECK(text.find("convkit_parameters_k") == text.rfind("convkit_parameters_k"));
}

}  // namespace convkit::rewrite
