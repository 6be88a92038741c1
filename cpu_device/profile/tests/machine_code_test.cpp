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

// "100c: 1 turn, 1019: 2 in 1": the loops, and those around them.
std::string loops_of(const MachineCode& code) {
  const MachineCode::Loops loops = code.loops();
  std::ostringstream text;
  for (const auto& [address, place] : loops.places) {
    text << (text.tellp() == 0 ? "" : ", ") << std::hex << address << ": " << place.loop;
    if (const uint32_t outer = loops.outer[place.loop]; outer != 0) text << " in " << outer;
    text << (place.begins_turn ? " turn" : "");
  }
  return text.str();
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

TEST_CASE("a loop's turns begin where it is entered") {
  CHECK(loops_of(code_of(kLoop)) == "100c: 1 turn, 1019: 1");
}

TEST_CASE("loops within a loop are told apart, and a turn may begin elsewhere than at the entry") {
  // The outer loop is entered at 1040, which has no mark; both inner ones have one block.
  CHECK(loops_of(code_of(R"(
0000000000001000 <_Z6kernelPf>:
    1000:	call   1100 <__sanitizer_cov_trace_pc@plt>
    1005:	jmp    1040 <_Z6kernelPf+0x40>
    1007:	call   1100 <__sanitizer_cov_trace_pc@plt>
    100c:	jne    1007 <_Z6kernelPf+0x7>
    100e:	call   1100 <__sanitizer_cov_trace_pc@plt>
    1013:	jne    100e <_Z6kernelPf+0xe>
    1015:	call   1100 <__sanitizer_cov_trace_pc@plt>
    101a:	je     1050 <_Z6kernelPf+0x50>
    1040:	mov    (%rsp),%eax
    1043:	jmp    1007 <_Z6kernelPf+0x7>
    1050:	call   1100 <__sanitizer_cov_trace_pc@plt>
    1055:	ret
)")) == "100c: 2 in 1 turn, 1013: 3 in 1 turn, 101a: 1 turn");
}

TEST_CASE("a loop with a jump into its middle is a loop") {
  CHECK(loops_of(code_of(R"(
0000000000001000 <_Z6kernelPf>:
    1000:	call   1100 <__sanitizer_cov_trace_pc@plt>
    1005:	je     100e <_Z6kernelPf+0xe>
    1007:	call   1100 <__sanitizer_cov_trace_pc@plt>
    100c:	je     1020 <_Z6kernelPf+0x20>
    100e:	call   1100 <__sanitizer_cov_trace_pc@plt>
    1013:	jmp    1007 <_Z6kernelPf+0x7>
    1020:	ret
)")) == "100c: 1 turn, 1013: 1");
}

TEST_CASE("a loop is not entered by what fills the space before it") {
  CHECK(loops_of(code_of(R"(
0000000000001000 <_Z6kernelPf>:
    1000:	call   1100 <__sanitizer_cov_trace_pc@plt>
    1005:	jmp    1019 <_Z6kernelPf+0x19>
    1007:	nopl   0x0(%rax,%rax,1)
    1010:	mov    %eax,%ebx
    1012:	call   1100 <__sanitizer_cov_trace_pc@plt>
    1017:	je     1025 <_Z6kernelPf+0x25>
    1019:	call   1100 <__sanitizer_cov_trace_pc@plt>
    101e:	je     1010 <_Z6kernelPf+0x10>
    1020:	jmp    1012 <_Z6kernelPf+0x12>
    1025:	ret
)")) == "1017: 1, 101e: 1 turn");
}

TEST_CASE("where each turn goes another way round, the turns of a loop are not counted") {
  CHECK(loops_of(code_of(R"(
0000000000001000 <_Z6kernelPf>:
    1000:	call   1100 <__sanitizer_cov_trace_pc@plt>
    1005:	test   %eax,%eax
    1007:	je     1012 <_Z6kernelPf+0x12>
    1009:	call   1100 <__sanitizer_cov_trace_pc@plt>
    100e:	jmp    1005 <_Z6kernelPf+0x5>
    1012:	call   1100 <__sanitizer_cov_trace_pc@plt>
    1017:	jmp    1005 <_Z6kernelPf+0x5>
)")) == "100e: 1, 1017: 1");
}

namespace {

// Loop 2 is within loop 1; loop 3 is in another function.
const OuterLoops kOuter = {0, 0, 1, 0};
constexpr CodePlace kNoLoop{}, kTurn{1, true}, kInTurn{1, false}, kInnerTurn{2, true},
    kCalledTurn{3, true};

struct Step {
  CodePlace place;
  uintptr_t stack = 0x7000;
};
constexpr uintptr_t kCall = 0x6000, kDeeperCall = 0x5000;

uint64_t path_of(std::initializer_list<Step> steps) {
  LoopPath path;
  for (const Step& step : steps) path.pass(step.place, step.stack, kOuter);
  return path.path();
}

}  // namespace

TEST_CASE("lanes in the same turn have one path, whatever they did in the turns before") {
  const uint64_t second = path_of({{kTurn}, {kInTurn}, {kTurn}});
  CHECK(second == path_of({{kTurn}, {kInnerTurn}, {kInnerTurn}, {kTurn}}));
  CHECK(second == path_of({{kTurn}, {kTurn}, {kInnerTurn}, {kInTurn}}));
  CHECK(second != path_of({{kTurn}}));
  CHECK(second != path_of({{kTurn}, {kTurn}, {kTurn}}));
}

TEST_CASE("the turns of an inner loop are counted anew in each turn of the outer one") {
  const uint64_t path = path_of({{kTurn}, {kTurn}, {kInnerTurn}});
  CHECK(path == path_of({{kTurn}, {kInnerTurn}, {kInnerTurn}, {kTurn}, {kInnerTurn}}));
  CHECK(path != path_of({{kTurn}, {kInnerTurn}}));
  CHECK(path != path_of({{kTurn}, {kTurn}, {kInnerTurn}, {kInnerTurn}}));
}

TEST_CASE("behind a loop its turns do not matter") {
  CHECK(path_of({{kTurn}, {kInnerTurn}, {kNoLoop}}) == 0);
  CHECK(path_of({{kTurn}, {kNoLoop}, {kTurn}}) == path_of({{kTurn}}));
}

TEST_CASE(
    "in a called function the turn around the call counts, and behind the call nothing of it") {
  const uint64_t second = path_of({{kTurn}, {kTurn}, {kCalledTurn, kCall}});
  CHECK(second != path_of({{kTurn}, {kCalledTurn, kCall}}));
  CHECK(second != path_of({{kCalledTurn}}));
  CHECK(second == path_of({{kTurn}, {kCalledTurn, kCall}, {kTurn}, {kCalledTurn, kCall}}));
  // Before the caller comes to its next block, and also where the called function ends in its loop.
  CHECK(path_of({{kTurn}, {kCalledTurn, kCall}, {kNoLoop, kCall}}) == path_of({{kTurn}}));
  CHECK(path_of({{kTurn}, {kCalledTurn, kCall}, {kInTurn}}) == path_of({{kTurn}}));
}

TEST_CASE("a function that calls itself within a loop has turns of its own each time") {
  const uint64_t second = path_of({{kTurn, kCall}, {kTurn, kCall}});
  CHECK(path_of({{kTurn, kCall}, {kTurn, kDeeperCall}, {kTurn, kCall}}) == second);
  CHECK(path_of({{kTurn, kCall}, {kTurn, kDeeperCall}}) != second);
}

TEST_CASE("a call in the place of a return leaves the loops of the function") {
  CHECK(path_of({{kTurn}, {kCalledTurn}}) == path_of({{kCalledTurn}}));
}

}  // namespace convkit::simt::profile
