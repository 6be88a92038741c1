// SPDX-License-Identifier: MIT
#include "cpu_device/engine/memory.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <set>
#include <vector>

#include "catch.h"
#include "cpu_device/engine/settings.h"
#include "simt/named_memory.h"

namespace convkit::simt {
namespace {

// Whether the kernel can read there on our behalf: a way to ask without a fault.
bool readable(const void* address) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const bool can = write(ends[1], address, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return can;
}

unsigned char* allocated(size_t bytes, MemoryKind kind = MemoryKind::device) {
  void* pointer = nullptr;
  REQUIRE(allocate(&pointer, bytes, kind) == cudaSuccess);
  return static_cast<unsigned char*>(pointer);
}

bool starts_with(const std::string& text, const std::string& begin) {
  return text.rfind(begin, 0) == 0;
}

}  // namespace

TEST_CASE("allocations are aligned to 256 bytes, apart, and hold zeros") {
  const Gate gate;
  std::set<unsigned char*> seen;
  for (const size_t bytes : {1, 4, 255, 256, 257, 4095, 4096, 4097, 100000}) {
    CAPTURE(bytes);
    unsigned char* at = allocated(bytes);
    CHECK(reinterpret_cast<uintptr_t>(at) % 256 == 0);
    CHECK(in_device_range(at));
    CHECK(seen.insert(at).second);
    CHECK((at[0] == 0 && at[bytes - 1] == 0));
    at[0] = at[bytes - 1] = 1;
  }
  for (unsigned char* at : seen) CHECK(release(at, MemoryKind::device) == cudaSuccess);
}

TEST_CASE("behind an allocation's last 256 bytes lies memory that nobody may touch") {
  const Gate gate;
  unsigned char* at = allocated(5000);
  CHECK(readable(at + 4999));
  CHECK_FALSE(readable(at + 5120));
  CHECK_FALSE(readable(at + 5120 + 4095));
  release(at, MemoryKind::device);
}

TEST_CASE("device memory is out of the host's reach until the gate opens") {
  unsigned char* device = allocated(64);
  unsigned char* managed = allocated(64, MemoryKind::managed);
  CHECK_FALSE(readable(device));
  CHECK(readable(managed));
  {
    const Gate outer;
    { const Gate inner; }
    CHECK(readable(device));
    device[3] = 7;
  }
  CHECK_FALSE(readable(device));
  {
    const Gate gate;
    CHECK(device[3] == 7);
  }
  release(device, MemoryKind::device);
  release(managed, MemoryKind::device);
}

TEST_CASE("device memory is out of the reach of host code that runs among the device's work") {
  unsigned char* device = allocated(64);
  unsigned char* managed = allocated(64, MemoryKind::managed);
  {
    const Gate gate;
    {
      const HostTurn turn;
      CHECK_FALSE(readable(device));
      CHECK(readable(managed));
      {
        const Gate of_a_call;
        CHECK(readable(device));
      }
      CHECK_FALSE(readable(device));
    }
    CHECK(readable(device));
  }
  CHECK_FALSE(readable(device));
  release(device, MemoryKind::device);
  release(managed, MemoryKind::device);
}

TEST_CASE("of a large allocation the beginning and the end are out of the host's reach") {
  constexpr size_t kBytes = 1 << 20;
  unsigned char* device = allocated(kBytes);
  const std::vector<size_t> gated = {0, 4096, 65535, kBytes - 4096, kBytes - 1};
  for (const size_t at : gated) CHECK_FALSE(readable(device + at));
  {
    const Gate gate;
    for (const size_t at : gated) CHECK(readable(device + at));
  }
  for (const size_t at : gated) CHECK_FALSE(readable(device + at));
  release(device, MemoryKind::device);
}

TEST_CASE("memory allocated while the gate stands open is closed with it") {
  unsigned char* device = nullptr;
  {
    const Gate gate;
    device = allocated(64);
    CHECK(readable(device));
  }
  CHECK_FALSE(readable(device));
  release(device, MemoryKind::device);
}

TEST_CASE("freed addresses do not come back soon, and stay out of reach") {
  const Gate gate;
  unsigned char* first = allocated(1000);
  CHECK(release(first, MemoryKind::device) == cudaSuccess);
  CHECK_FALSE(readable(first));
  for (int i = 0; i < 20; ++i) {
    unsigned char* next = allocated(1000);
    CHECK(next != first);
    release(next, MemoryKind::device);
  }
  const auto found = find_allocation(first);
  REQUIRE(found);
  CHECK(found->freed);
}

TEST_CASE("when all addresses have been used, those of freed memory are used again") {
  size_t free_bytes = 0, total = 0;
  memory_info(free_bytes, total);
  REQUIRE(total == settings().memory_bytes);
  unsigned char* kept = allocated(1000);
  {
    const Gate gate;
    kept[0] = 42;
  }
  const size_t large = total / 2;
  for (int i = 0; i < 80; ++i) {  // the range is 16 times the memory
    unsigned char* at = allocated(large);
    REQUIRE((at + large <= kept || at >= kept + 1000));
    REQUIRE(release(at, MemoryKind::device) == cudaSuccess);
  }
  const Gate gate;
  CHECK(kept[0] == 42);
  release(kept, MemoryKind::device);
}

TEST_CASE("more memory than there is is refused, and nothing is lost by asking") {
  size_t before = 0, after = 0, total = 0;
  memory_info(before, total);
  void* pointer = nullptr;
  CHECK(allocate(&pointer, size_t{1} << 40, MemoryKind::device) == cudaErrorMemoryAllocation);
  CHECK(allocate(&pointer, ~size_t{0} - 100, MemoryKind::device) == cudaErrorMemoryAllocation);
  CHECK(pointer == nullptr);
  unsigned char* most = allocated(before);
  CHECK(allocate(&pointer, 1, MemoryKind::device) == cudaErrorMemoryAllocation);
  release(most, MemoryKind::device);
  memory_info(after, total);
  CHECK(after == before);
}

TEST_CASE("only what was allocated is freed, once, by its own function") {
  unsigned char* device = allocated(100);
  unsigned char* pinned = allocated(100, MemoryKind::pinned);
  int local = 0;
  CHECK(release(&local, MemoryKind::device) == cudaErrorInvalidValue);
  CHECK(release(device + 4, MemoryKind::device) == cudaErrorInvalidValue);
  CHECK(release(device, MemoryKind::pinned) == cudaErrorInvalidValue);
  CHECK(release(pinned, MemoryKind::device) == cudaErrorInvalidValue);
  CHECK(release(device, MemoryKind::device) == cudaSuccess);
  CHECK(release(device, MemoryKind::device) == cudaErrorInvalidValue);
  CHECK(release(pinned, MemoryKind::pinned) == cudaSuccess);
  CHECK(release(pinned, MemoryKind::pinned) == cudaErrorInvalidValue);
}

TEST_CASE("registered host memory is known until it is given back, and never freed") {
  std::vector<float> host(100);
  CHECK(register_host(host.data(), 400) == cudaSuccess);
  CHECK(register_host(host.data(), 400) == cudaErrorHostMemoryAlreadyRegistered);
  REQUIRE(find_allocation(&host[50]));
  CHECK(find_allocation(&host[50])->kind == MemoryKind::pinned);
  CHECK(release(host.data(), MemoryKind::pinned) == cudaErrorInvalidValue);
  CHECK(unregister_host(host.data()) == cudaSuccess);
  CHECK(unregister_host(host.data()) == cudaErrorHostMemoryNotRegistered);
  CHECK_FALSE(find_allocation(&host[50]));
}

TEST_CASE("an address is described by the allocation that is nearest") {
  unsigned char* at = allocated(1000);
  const std::string name =
      "allocation " + std::to_string(find_allocation(at)->number) + " (1000 bytes)";
  CHECK(describe_address(at) == "byte 0 of " + name);
  CHECK(describe_address(at + 999) == "byte 999 of " + name);
  CHECK(describe_address(at + 1016) == "16 bytes past the end of " + name);
  CHECK(describe_address(at - 8) == "8 bytes before the beginning of " + name);
  release(at, MemoryKind::device);
  CHECK(describe_address(at + 4) == "byte 4 of " + name + ", which has been freed");
  int local = 0;
  CHECK(describe_address(&local).empty());
  CHECK_FALSE(in_device_range(&local));
}

TEST_CASE("an allocation is found by its name's number, the first of a program being 1") {
  unsigned char* one = allocated(10);
  unsigned char* two = allocated(10);
  CHECK(find_allocation(two)->number == find_allocation(one)->number + 1);
  CHECK(starts_with(describe_address(two), "byte 0 of allocation "));
  release(one, MemoryKind::device);
  release(two, MemoryKind::device);
}

TEST_CASE("what was never freed is a leak, whatever it is, but for symbols and the host's own") {
  static float symbol[4];
  std::vector<float> host(4);
  unsigned char* device = allocated(11);
  unsigned char* pinned = allocated(12, MemoryKind::pinned);
  unsigned char* freed = allocated(13);
  release(freed, MemoryKind::device);
  register_symbol(symbol, sizeof symbol);
  register_host(host.data(), 16);
  std::set<unsigned char*> leaks;
  for_each_leak(
      [](const Allocation& allocation, void* context) {
        static_cast<std::set<unsigned char*>*>(context)->insert(allocation.begin);
      },
      &leaks);
  CHECK(leaks == std::set<unsigned char*>{device, pinned});
  release(device, MemoryKind::device);
  release(pinned, MemoryKind::pinned);
  unregister_host(host.data());
}

TEST_CASE("variables side by side are memory each by itself") {
  alignas(32) static unsigned char both[96];
  register_symbol(both, 32);
  register_symbol(both + 32, 32);
  const auto second = find_allocation(both + 32);
  REQUIRE(second);
  CHECK(second->begin == both + 32);
  CHECK(second->bytes == 32);
  CHECK_FALSE(find_allocation(both + 64));  // the host's
}

// Closes the gate `times` times: after how many of these device memory is out of reach.
static int closings_seen(int times) {
  unsigned char* device = allocated(64);
  int seen = 0;
  for (int i = 0; i < times; ++i) {
    { const Gate gate; }
    seen += readable(device) ? 0 : 1;
  }
  return seen;
}

TEST_CASE("a program that closed the gate often pays for few of the closings to come") {
  const pid_t child = fork();  // so that the other tests begin with none
  if (child == 0) {
    const int first = closings_seen(200), later = closings_seen(2000);
    _exit(first == 200 && later >= 15 && later < 300 ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("reports speak of the name of memory, without the margins around it") {
  void* memory = nullptr;
  REQUIRE(allocate(&memory, 1024, MemoryKind::device) == cudaSuccess);
  auto* const data = static_cast<unsigned char*>(memory) + 256;
  convkit_simt_name_memory(data, 240, "x");
  CHECK(describe_address(data + 239) == "byte 239 of `x` (240 bytes)");
  CHECK(describe_address(data + 244) == "4 bytes past the end of `x` (240 bytes)");
  CHECK(describe_address(data - 8) == "8 bytes before the beginning of `x` (240 bytes)");
  convkit_simt_name_memory(data, 240, "an array of a refused call");
  CHECK(describe_address(data) == "byte 0 of an array of a refused call (240 bytes)");
  convkit_simt_name_memory(data, 240, "x");
  CHECK(release(memory, MemoryKind::device) == cudaSuccess);
  CHECK(describe_address(data) == "byte 0 of `x` (240 bytes), which has been freed");
}

}  // namespace convkit::simt
