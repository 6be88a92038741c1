// SPDX-License-Identifier: MIT
#include "cpu_device/engine/shared_poison.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "catch.h"
#include "cpu_device/engine/settings.h"

namespace convkit::simt {
namespace {

constexpr size_t kSharedBytes = 64 << 10;
constexpr int kOne = 1, kOther = 2;
const SharedPoison::Key kKernel{&kOne, nullptr}, kOtherKernel{&kOther, nullptr};

struct Memory {
  Memory()
      : begin(static_cast<unsigned char*>(mmap(nullptr, kSharedBytes, PROT_READ | PROT_WRITE,
                                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    // Ranges need not begin or end at pieces.
    poison.reset({{begin, 1000}, {begin + 1000, kSharedBytes - 1000}});
  }
  ~Memory() { munmap(begin, kSharedBytes); }
  bool is_poisoned() const {
    return std::all_of(begin, begin + kSharedBytes,
                       [](unsigned char byte) { return byte == kPoison; });
  }

  unsigned char* begin;
  SharedPoison poison;
};

TEST_CASE("What every block writes is poisoned after each of them") {
  Memory memory;
  for (const SharedPoison::Key& kernel : {kKernel, kOtherKernel, kKernel}) {
    memory.poison.begin(kernel);
    for (int block = 0; block < 50; ++block) {
      INFO("block " << block);
      REQUIRE(memory.is_poisoned());
      std::memset(memory.begin + 700, 0, 1500);
      memory.begin[kSharedBytes - 1] = 7;
      memory.poison.after_block();
    }
    memory.poison.end();
  }
  REQUIRE(memory.is_poisoned());
}

TEST_CASE("What a late block writes is poisoned at the end of the launch, and learned") {
  Memory memory;
  for (const int late : {40, 3}) {
    INFO("block " << late << " writes");
    memory.poison.begin(kKernel);
    for (int block = 0; block < 50; ++block) {
      if (block == late) memory.begin[9000] = 0;
      memory.poison.after_block();
      // Unknown at first; in the second launch at once.
      if (late == 3) REQUIRE(memory.is_poisoned());
    }
    memory.poison.end();
    REQUIRE(memory.is_poisoned());
  }
}

TEST_CASE("What no block of a kernel writes is not written for it") {
  Memory memory;
  memory.poison.begin(kOtherKernel);
  std::memset(memory.begin, 0, kSharedBytes);
  memory.poison.after_block();
  memory.poison.end();
  REQUIRE(mprotect(memory.begin, kSharedBytes, PROT_READ) ==
          0);  // from here on writing ends the test
  memory.poison.begin(kKernel);
  for (int block = 0; block < 50; ++block) memory.poison.after_block();
  memory.poison.end();
}

TEST_CASE("A new set of ranges is poisoned, and nothing is known of it") {
  Memory memory;
  memory.poison.begin(kKernel);
  memory.poison.after_block();
  memory.poison.end();
  std::memset(memory.begin, 0, kSharedBytes);
  memory.poison.reset({{memory.begin, kSharedBytes}});
  REQUIRE(memory.is_poisoned());
  memory.poison.begin(kKernel);
  memory.begin[5] = 5;
  memory.poison.after_block();
  REQUIRE(memory.is_poisoned());
}

}  // namespace
}  // namespace convkit::simt
