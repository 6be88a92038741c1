// SPDX-License-Identifier: MIT
#include "cpu_device/profile/machine_code.h"

#include <sstream>

#include "catch.h"

namespace convkit::simt::profile {
namespace {

// A loop, with a product that only some turns make, and a sum behind the loop in a block that has
// no mark of its own.
constexpr const char* kLoop = R"(
prog:     file format elf64-x86-64

Disassembly of section .text:

0000000000001000 <_Z6kernelPf>:
    1000:	push   %rbx
    1001:	call   *0x2fd2(%rip)        # 3fd8 <__sanitizer_cov_trace_pc>
    1007:	call   1100 <__sanitizer_cov_trace_pc@plt>
    100c:	vaddss 0x0(%rbp),%xmm1,%xmm0
    1010:	test   %eax,%eax
    1012:	je     1020 <_Z6kernelPf+0x20>
    1014:	call   1100 <__sanitizer_cov_trace_pc@plt>
    1019:	vmulss (%rax),%xmm1,%xmm0
    1020:	vdivss %xmm1,%xmm0,%xmm0
    1024:	jne    1007 <_Z6kernelPf+0x7>
    1026:	vaddsd %xmm1,%xmm0,%xmm0
    102a:	bnd ret

0000000000001030 <_Z5otherv>:
    1030:	call   1100 <__sanitizer_cov_trace_pc@plt>
    1035:	vmulss %xmm1,%xmm0,%xmm0
    1039:	ret
)";

MachineCode code_of(const char* text) {
  std::istringstream in(text);
  return MachineCode(read_disassembly(in));
}

using Times = std::map<uintptr_t, std::optional<uint64_t>>;

Times times_of(const MachineCode& code, const BlockCounts& counts) {
  Times times;
  for (const MachineCode::Executed& one : code.executed(counts)) times[one.address] = one.times;
  return times;
}

}  // namespace

TEST_CASE("objdump's lines become instructions with entries, jumps, marks and work") {
  std::istringstream in(kLoop);
  const auto instructions = read_disassembly(in);
  REQUIRE(instructions.size() == 15);
  CHECK(instructions[0].is_entry);
  CHECK_FALSE(instructions[1].is_entry);
  CHECK(instructions[1].is_marked);
  CHECK(instructions[2].is_marked);
  CHECK(instructions[3].work == Work{Operation::float_add, 1});
  CHECK(instructions[5].flow == Flow::branches);
  CHECK(instructions[5].target == 0x1020);
  CHECK(instructions[11].flow == Flow::ends);
  CHECK(instructions[12].is_entry);
}

TEST_CASE("what has no mark of its own follows from what comes in and what goes out") {
  const MachineCode code = code_of(kLoop);
  // Of 10 threads with 5 turns each, of which 20 have the product.
  const Times times = times_of(code, {{0x1007, 10}, {0x100c, 50}, {0x1019, 20}});
  CHECK(times == Times{{0x100c, 50}, {0x1019, 20}, {0x1020, 50}, {0x1026, 10}});
}

TEST_CASE("a block that nobody passed and a function that nobody called did nothing") {
  const Times times = times_of(code_of(kLoop), {{0x1007, 4}, {0x100c, 4}});
  CHECK(times == Times{{0x100c, 4}, {0x1020, 4}, {0x1026, 4}});
  CHECK(times_of(code_of(kLoop), {{0x1035, 3}}) == Times{{0x1035, 3}});
}

TEST_CASE("what cannot be told is no number") {
  const MachineCode code = code_of(R"(
0000000000001000 <_Z6kernelPf>:
    1000:	call   1100 <__sanitizer_cov_trace_pc@plt>
    1005:	je     1010 <_Z6kernelPf+0x10>
    1007:	vaddss %xmm1,%xmm0,%xmm0
    100b:	jmp    *%rax
    1010:	vmulss %xmm1,%xmm0,%xmm0
    1014:	ret
)");
  CHECK(times_of(code, {{0x1005, 7}}) == Times{{0x1007, {}}, {0x1010, {}}});
}

}  // namespace convkit::simt::profile
