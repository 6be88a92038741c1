// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/inline_ptx.h"

#include "catch.h"
#include "rewritten.h"
#include "simt/ptx/parser.h"

namespace convkit::rewrite {
namespace {

using test::is_said;
using test::lines_in;
using test::rewritten;
using test::text_of;

std::string in_kernel(const std::string& code) {
  return "__global__ void k() { " + code + " }";
}

bool is_rewritten(const std::string& code) {
  return text_of(code).find("convkit_ptx") != std::string::npos;
}

// A statement with as many operands as the text can name.
std::string said_of(const std::string& ptx) {
  return text_of(
      in_kernel("asm volatile(\"" + ptx + "\" : \"=r\"(a), \"=r\"(b) : \"r\"(c), \"l\"(p));"));
}

}  // namespace

TEST_CASE("an asm statement becomes a call with its text and its operands in order") {
  const std::string text =
      text_of(in_kernel("asm volatile(\"add.u32 %0, %1, %2;\" : \"=r\"(d) : \"r\"(a), \"r\"(f(x, "
                        "y)) : \"memory\");"));
  CHECK(text.find(
            "return \"add.u32 %0, %1, %2;\" ; } }; "
            "::convkit_ptx_run<convkit_ptx_source>(  \"=r\" \"\"_convkit_ptx (d) ,  "
            "\"r\" \"\"_convkit_ptx (a), \"r\" \"\"_convkit_ptx (f(x, y)) ); } while (false);") !=
        std::string::npos);
}

TEST_CASE("each section of an asm statement may be empty or missing") {
  const auto call = [](const std::string& sections) {
    const std::string text = text_of(in_kernel("asm(\"membar.gl;\"" + sections + ");"));
    const std::string begin = "convkit_ptx_run<convkit_ptx_source>(";
    const size_t at = text.find(begin);
    if (at == std::string::npos) return text;
    const size_t end = text.find("); } while (false);", at);
    std::string inside = text.substr(at + begin.size(), end - at - begin.size());
    inside.erase(std::remove(inside.begin(), inside.end(), ' '), inside.end());
    return inside;
  };
  for (const std::string none : {"", ":", "::", ":::", "::: \"memory\"", ": : : \"memory\""}) {
    INFO(none);
    CHECK(call(none).empty());
  }
  const std::string in = "\"r\"\"\"_convkit_ptx(a)", out = "\"=r\"\"\"_convkit_ptx(b)";
  CHECK(call(":: \"r\"(a)") == in);
  CHECK(call(": : \"r\"(a)") == in);
  CHECK(call(":: \"r\"(a) : \"memory\"") == in);
  CHECK(call(": \"=r\"(b)") == out);
  CHECK(call(": \"=r\"(b) :: \"memory\"") == out);
  CHECK(call(": \"=r\"(b) : : \"memory\"") == out);
  CHECK(call(": \"=r\"(b) : \"r\"(a)") == out + "," + in);
}

TEST_CASE("every line of an asm statement stays where it was") {
  const std::string code =
      "__device__ void f() {\n  asm volatile(\n\"{\\n\"\n\"mov.u32 %0, %1;\\n}\"\n  : \"=r\"(a)\n"
      "  : \"r\"(b)\n  : \"memory\",\n \"cc\");\n}\n";
  CHECK(lines_in(text_of(code)) == lines_in(code));
  CHECK(is_rewritten(code));
}

TEST_CASE("#if in the middle of an asm statement stays there") {
  const std::string code =
      "__device__ void f() {\n  asm volatile(\n#if FAST\n\"prefetch.global.L2 [%0];\"\n#else\n"
      "\"prefetch.global.L1 [%0];\"\n#endif\n  :: \"l\"(p));\n}\n";
  const std::string text = text_of(code);
  CHECK(text.find("#if FAST\n\"prefetch.global.L2 [%0];\"\n#else\n\"prefetch.global.L1 [%0];\"\n"
                  "#endif\n  ; } }; ::convkit_ptx_run<convkit_ptx_source>( \"l\"") !=
        std::string::npos);
}

TEST_CASE("inline PTX in macros is rewritten, with texts that the preprocessor puts together") {
  CHECK(is_rewritten("#define LANE(x) asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(x))\n"));
  CHECK(is_rewritten("#define COPY(n) asm volatile(\"cp.async.wait_group %0;\\n\" :: \"n\"(n))\n"));
  CHECK(is_rewritten("#define MMA(s) asm(\"mma.sync.aligned.\" #s \".row.col\" : \"=f\"(a))\n"));
  CHECK(is_rewritten(in_kernel("asm(LOAD \".f32 %0, [%1];\" : \"=f\"(a) : PTR(p));")));
  CHECK(is_rewritten("#define TWO(text, x, y) asm(text \" %0, %1;\" : \"=r\"(x) : \"r\"(y))\n"));
  CHECK(is_rewritten(in_kernel("asm(LOAD : \"=f\"(a) : \"l\"(p));")));
}

TEST_CASE("assembly of the host is left alone") {
  const auto same = [](const std::string& code) { CHECK(text_of(code) == code); };
  same("void h() { asm(\"nop\"); }");
  same("void h() { asm volatile(\"movq %%rax, %0\" : \"=r\"(a)); }");
  same("void h() { asm volatile(\"rdtsc\" : \"=a\"(low), \"=d\"(high)); }");
  same("extern int f(int) asm(\"f_of_c\");");
  same("asm(\".globl x\");");
  same("__global__ void k() { asm volatile(\"\" ::: \"memory\"); }");
  same("#define BARRIER() asm volatile(\"\" ::: \"memory\")\n");
  same("#define ASM(text) asm volatile(text)\n");
  same("#define CPUID(t, x) asm(t \" %1\" : \"=a\"(x) : \"r\"(1))\n");
  same("#define PAUSE() asm volatile(\"pause\")\n");
}

TEST_CASE("PTX outside functions that are known to be device code is told by its look") {
  CHECK(is_rewritten("__host__ __device__ void d() { asm(\"add.f32 %0, %0, %0;\" : \"+f\"(x)); }"));
  CHECK(is_rewritten("auto f = [] __device__() { asm volatile(\"bar.sync 0;\"); };"));
  CHECK(is_rewritten("#define WAIT() asm volatile(\"cp.async.wait_all;\\n\" ::)\n"));
}

TEST_CASE("what the CPU device does not know of PTX is refused by its name") {
  const auto names = [](const std::string& ptx, const std::string& part) {
    INFO(ptx);
    CHECK(said_of(ptx).find(part) != std::string::npos);
    CHECK(said_of(ptx).starts_with("1:23: inline PTX: "));
  };
  names("wgmma.fence.sync.aligned;", "the instruction `wgmma.fence.sync.aligned` is not supported");
  names("mbarrier.init.shared.b64 [%2], 1;", "`mbarrier.init.shared.b64`");
  names("frobnicate %0;", "the instruction `frobnicate`");
  names("cp.async.bulk.commit_group;",
        "this form of the instruction, `cp.async.bulk.commit_group`");
  names("ld.tex.f32 %0, [%3];", "`ld.tex.f32`");
  names("mul.u32 %0, %1, %2;", "`mul.u32`");
  names("mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32 {%0}, {%1}, {%2}, {%3};", "m8n8k32");
  names("atom.add.f16 %0, [%3], %2;", "`atom.add.f16`");
  names("mov.u32 %0, %%pm0;", "`pm0` is neither declared with `.reg` nor a special register");
  names("add.u32 %0, t, 1;", "`t` is neither declared");
  names("L1: mov.u32 %0, 1;", "labels and branches (`L1`)");
  names("bra L1;", "labels and branches (`bra`)");
  names("call (%0), f, (%1);", "labels and branches (`call`)");
  names(".shared .b32 x;", "`.shared`");
}

TEST_CASE("PTX that is wrong is refused, and says where") {
  const auto says = [](const std::string& ptx, const std::string& words) {
    INFO(ptx);
    CHECK(said_of(ptx).find(words) != std::string::npos);
  };
  says("add.u32 %0, %1;", "the operands of `add.u32` are not those of the instruction");
  says("add.u32 %0, %1, %2, %3;", "the operands of `add.u32`");
  says("ld.global.u32 %0, %3;", "the operands of `ld.global.u32`");
  says("ld.global.v2.u32 %0, [%3];", "the operands of `ld.global.v2.u32`");
  says("ld.global.v4.u32 {%0, %1}, [%3];", "the operands of `ld.global.v4.u32`");
  says("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0}, {%1}, {%2}, {%3};", "the operands");
  says("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1}, [%3];", "the operands of `ldmatrix");
  says("mov.u32 %4, %1;", "an operand of `mov.u32` has a number");
  says("{ mov.u32 %0, %1;", "do not match: `{`");
  says("mov.u32 %0, %1; }", "do not match: `}`");
  says("ld.global.u32 %0, [%3;", "do not match: `[`");
  says("ld.global.u32 %0, [%3-4];", "do not match: `[`");
  says("mov.b64 {%0, %1, %3;", "do not match: `{`");
  says("add.u32 %0, %1 %2;", "a semicolon is missing behind `add.u32`");
  says("mov.u32 %0, %1 mov.u32 %1, %0;", "a semicolon is missing behind `mov.u32`");
  says("mov.u32 %0, #;", "cannot be read from `#` on");
  says("mov.u32 , %0;", "cannot be read from `,` on");
  says("* %0;", "cannot be read from `*` on");
  says(".reg .b32;", "a semicolon is missing behind `.reg`");
  says("{ .reg .pred p; } @p mov.u32 %0, 1;", "`p` is neither declared");
  CHECK(is_said(in_kernel("asm(\"mov.u32 %0, 1;\" : [d] \"=r\"(x));"), "names of operands"));
}

TEST_CASE("a block with registers, predicates, comments and numbers of all forms is read") {
  CHECK(said_of("{ .reg .pred p, q; .reg .b32 t<4>, %r;\\n\\t setp.ne.and.u32 p|q, %2, 0, !p;  "
                "@p mov.u32 t3, 0x1F; @!q mov.b32 t0, 0f3F800000; // comment\\n /* ; } */ "
                "add.s32 %r, t0, -5; { .reg .u32 t0; mov.u32 t0, 017; } "
                "ld.shared.u32 %0, [%3+16]; ld.global.nc.L1::no_allocate.u32 %1, [ %3 + -4 ]; }")
            .find("convkit_ptx") != std::string::npos);
}

TEST_CASE("any text is read or refused") {
  for (const std::string text : {"",
                                 ";",
                                 "{",
                                 "}",
                                 "@",
                                 "@p",
                                 "%",
                                 "%%",
                                 "!",
                                 "[",
                                 "]",
                                 ".",
                                 ".reg",
                                 ".reg .b32 <",
                                 "a::b",
                                 "0x",
                                 "mov.",
                                 "mov.u32 0f",
                                 "/*",
                                 "//",
                                 "mov.u32 %0, {",
                                 "-",
                                 "mov.u32 _, _|_|_",
                                 "{{{{{{{{{{",
                                 "mov.b64 %0, {1,2,3,4,5,6,7,8,9}"}) {
    simt::ptx::Parser parser(text);
    simt::ptx::Instruction instruction;
    int count = 0;
    while (parser.next(instruction)) ++count;
    CHECK(count <= 1);
  }
}

TEST_CASE("a literal's value is that of its escapes, and a raw string's its inside") {
  CHECK(literal_value("\"a\\n\\tb\\\\\\\"\"") == "a\n\tb\\\"");
  CHECK(literal_value("R\"x(a\\n)x\"") == "a\\n");
  CHECK(literal_value("\"") == "");
}

}  // namespace convkit::rewrite
