// SPDX-License-Identifier: MIT
#include "profile/card.h"

#include <catch.h>

#include "profile/kernel_resources.h"
#include "profile/words.h"

namespace convkit {
namespace {

std::string fits(const char* card, const BlockNeeds& needs) {
  const Occupancy found = occupancy(card_named(card), needs);
  return std::to_string(found.blocks) + " by " + found.limited_by;
}

// The expected blocks are those of NVIDIA's cuda_occupancy.h.
TEST_CASE("blocks on a multiprocessor are limited by what runs out first") {
  CHECK(fits("h200", {256, 32, 0}) == "8 by warps");
  CHECK(fits("h200", {32, 32, 0}) == "32 by blocks");
  CHECK(fits("h200", {256, 33, 0}) == "6 by registers");  // a warp's are 1280, not 1056
  CHECK(fits("h200", {512, 38, 2048}) == "3 by registers");
  CHECK(fits("h200", {1024, 255, 0}) == "0 by registers");
  CHECK(fits("h200", {128, 32, 48 << 10}) == "4 by shared memory");
  CHECK(fits("h200", {96, 16, 0}) == "21 by warps");
  CHECK(fits("a100", {128, 32, 40000}) == "4 by shared memory");
  CHECK(fits("rtx3090", {32, 0, 0}) == "16 by blocks");
  CHECK(fits("t4", {128, 32, 20000}) == "3 by shared memory");
}

TEST_CASE("an unknown card is answered with the known ones") {
  CHECK_THROWS_WITH(card_named("h900"),
                    "There are no figures of a card `h900`. Known are " + known_cards() + ".");
}

TEST_CASE("a kernel is known by its name without what stands around it") {
  for (const char* kernel : {"k", "(k)", "k<4>", "ns::k<4, Tile<8>>", "k<a<b>::c> ",
                             "void (anonymous namespace)::k<1>(float*)",
                             "std::enable_if<true, void>::type k<float>(float*)",
                             "void a::b::k<(anonymous namespace)::S<3> >(int, float (*)(int))"}) {
    CHECK(unqualified_name(kernel) == "k");
  }
}

const char* const kPtxas = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_ZN32_GLOBAL__N__fe785367_4_k_cu_main1kILi128EEEvPf' for 'sm_90'
ptxas info    : Function properties for _ZN32_GLOBAL__N__fe785367_4_k_cu_main1kILi128EEEvPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 1 barriers, 512 bytes smem
ptxas info    : Compiling entry function '_ZN32_GLOBAL__N__fe785367_4_k_cu_main1kILi64EEEvPf' for 'sm_90'
ptxas info    : Function properties for _ZN32_GLOBAL__N__fe785367_4_k_cu_main1kILi64EEEvPf
    16 bytes stack frame, 12 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 256 bytes smem
ptxas info    : Compiling entry function 'plain' for 'sm_90'
ptxas info    : Function properties for plain
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Function properties for _Z6calledf
    32 bytes stack frame, 28 bytes spill stores, 28 bytes spill loads
ptxas info    : Used 8 registers
)";

TEST_CASE("what ptxas prints is read; of the instances of a template, the most counts") {
  const auto resources = kernel_resources(kPtxas);
  REQUIRE(resources.size() == 2);
  const KernelResources& k = resources.at("k");
  CHECK(k.registers == 40);
  CHECK(k.shared_bytes == 512);
  CHECK(k.local_bytes == 16);
  CHECK(k.spilled_bytes == 12);
  CHECK(resources.at("plain").registers == 8);
  CHECK(resources.at("plain").shared_bytes == 0);
  CHECK(resources.at("plain").spilled_bytes == 0);
  CHECK(kernel_resources("nvcc fatal: no").empty());
}

ProfiledKernel on_a_card(const BlockNeeds& needs, uint64_t blocks, uint64_t local = 0,
                         uint64_t spilled = 0) {
  ProfiledKernel kernel;
  kernel.launches = 2;
  kernel.blocks = 2 * blocks;
  const Card& card = card_named("h200");
  kernel.occupancy = {&card, needs, local, spilled, occupancy(card, needs)};
  return kernel;
}

TEST_CASE("occupancy is told in words") {
  CHECK(occupancy_words({}).empty());
  CHECK(occupancy_words(on_a_card({256, 32, 2000}, 4)) ==
        "On an H200, 8 blocks of 256 threads are on a multiprocessor at a time: all of its 64 "
        "warps. A thread has 32 registers, a block 2,000 bytes of shared memory. "
        "128 of its 132 multiprocessors get no block.");
  CHECK(occupancy_words(on_a_card({512, 38, 0}, 1000, 32, 24)) ==
        "On an H200, 3 blocks of 512 threads are on a multiprocessor at a time: 48 of its 64 "
        "warps, limited by registers. A thread has 38 registers, a block 0 bytes of shared memory. "
        "24 bytes of a thread's registers are spilled to local memory. "
        "The 1,000 blocks of a launch are 2.5 waves of 396.");
  CHECK_THAT(occupancy_words(on_a_card({512, 38, 0}, 1000, 400)),
             Catch::Contains("400 bytes of a thread's variables are in local memory"));
  CHECK_THAT(occupancy_words(on_a_card({96, 0, 0}, 4)),
             Catch::Contains("63 of its 64 warps, and no further block fits. At most: "));
  CHECK(occupancy_words(on_a_card({1024, 255, 0}, 4)) ==
        "On an H200, no block of this kernel fits on a multiprocessor: there is not "
        "enough of the registers it needs.");
  CHECK_THAT(occupancy_words(on_a_card({1024, 64, 0}, 131)),
             Catch::Contains("1 block of 1,024 threads is on a multiprocessor") &&
                 Catch::Contains(" 1 of its 132 multiprocessors gets no block."));
}

}  // namespace
}  // namespace convkit
