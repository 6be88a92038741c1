// SPDX-License-Identifier: MIT
#include "cpu_device/check/origin.h"

#include <array>
#include <cstring>

#include "catch.h"
#include "cpu_device/check/shadow.h"

using namespace convkit::simt::check;
using convkit::simt::Allocation;
using convkit::simt::MemoryKind;

namespace {

constexpr size_t kBytes = 64;

// Each test works on addresses of its own, of memory that nobody touches.
uintptr_t fresh_range() {
  static uintptr_t next = uintptr_t{1} << 29;
  return next += 1 << 20;
}

struct HostArray {
  std::array<unsigned char, kBytes> bytes{};
  uintptr_t at() const { return reinterpret_cast<uintptr_t>(bytes.data()); }
};

void kernel_writes(uintptr_t begin, size_t bytes) {
  for (uintptr_t at = begin; at < begin + bytes; at += 4) {
    make_cell(at)->write = event_stamp(kFirstEvent);
  }
}

void copy(uintptr_t to, Side to_side, uintptr_t from, Side from_side, size_t bytes = kBytes) {
  note_origin({to, to_side, from, from_side, bytes, 0});
}

void set(uintptr_t to, int value) {
  note_origin({to, Side::device, 0, Side::host, kBytes, value});
}

size_t of_host(uintptr_t at) {
  return bytes_of_host(at, at + kBytes);
}

}  // namespace

TEST_CASE("what a copy brings from the host is the host's until a kernel writes there") {
  const HostArray host;
  const uintptr_t at = fresh_range();
  CHECK(of_host(at) == 0);
  copy(at, Side::device, host.at(), Side::host);
  CHECK(of_host(at) == kBytes);
  CHECK(bytes_of_host(at + 6, at + 10) == 4);
  kernel_writes(at + 8, 16);
  CHECK(of_host(at) == kBytes - 16);
}

TEST_CASE("a copy from the host on top of a kernel's output is the host's") {
  const HostArray host;
  const uintptr_t at = fresh_range();
  kernel_writes(at, kBytes);
  CHECK(of_host(at) == 0);
  copy(at + 5, Side::device, host.at(), Side::host, 10);
  CHECK(of_host(at) == 10);
  kernel_writes(at, kBytes);
  CHECK(of_host(at) == 0);
}

TEST_CASE("a kernel that wrote long ago has written") {
  const HostArray host;
  const uintptr_t at = fresh_range();
  copy(at, Side::device, host.at(), Side::host);
  make_cell(at)->write = kWrittenByKernel;
  make_cell(at + 4)->write = kWritten;
  make_cell(at + 8)->write = kUnwritten;
  CHECK(of_host(at) == kBytes - 4);
}

TEST_CASE("a copy within the device keeps what is the host's, and what is not") {
  const HostArray host;
  const uintptr_t from = fresh_range(), to = fresh_range();
  copy(from, Side::device, host.at(), Side::host);
  kernel_writes(from, 16);
  copy(to, Side::device, from, Side::device);
  CHECK(of_host(to) == kBytes - 16);
  copy(from, Side::device, fresh_range(), Side::device);
  copy(to, Side::device, from, Side::device);
  CHECK(of_host(to) == 0);
}

TEST_CASE("a memset with zeros is nobody's; one with another value is the host's") {
  const uintptr_t at = fresh_range();
  set(at, 1);
  CHECK(of_host(at) == kBytes);
  set(at, 0);
  CHECK(of_host(at) == 0);
}

TEST_CASE("what a library has written is not the host's") {
  const HostArray host;
  const uintptr_t at = fresh_range();
  copy(at, Side::device, host.at(), Side::host);
  library_wrote(at, 16);
  CHECK(of_host(at) == kBytes - 16);
}

TEST_CASE("what comes back from the host as it went is not the host's") {
  HostArray host, staged;
  static const HostArray result;  // nobody else's, as the cells remember the kernel
  const uintptr_t at = fresh_range();
  kernel_writes(result.at(), kBytes);
  copy(host.at(), Side::host, result.at(), Side::device, 32);
  copy(host.at() + 32, Side::host, result.at() + 32, Side::device, 32);
  copy(at, Side::device, host.at(), Side::host);
  CHECK(of_host(at) == 0);
  // From pageable memory, a copy on a stream goes through another place.
  copy(staged.at(), Side::host, host.at(), Side::host);
  copy(at, Side::device, staged.at(), Side::host);
  CHECK(of_host(at) == 0);
  host.bytes[40] = 1;
  copy(at, Side::device, host.at(), Side::host);
  CHECK(of_host(at) == kBytes);
  host.bytes[40] = 0;
  begin_case();
  copy(at, Side::device, host.at(), Side::host);
  CHECK(of_host(at) == kBytes);
}

TEST_CASE("what was the host's is so after a way there and back") {
  const HostArray host, result, again;
  copy(result.at(), Side::device, host.at(), Side::host);
  copy(again.at(), Side::host, result.at(), Side::device);
  const uintptr_t at = fresh_range();
  copy(at, Side::device, again.at(), Side::host);
  CHECK(of_host(at) == kBytes);
}

TEST_CASE("what the program is given is not computed by its host code") {
  const HostArray given;
  const uintptr_t at = fresh_range();
  know_given(given.at(), kBytes);
  copy(at, Side::device, given.at(), Side::host);
  CHECK(of_host(at) == 0);
  forget_origin(given.at(), kBytes);
  copy(at, Side::device, given.at(), Side::host);
  CHECK(of_host(at) == kBytes);
}

TEST_CASE("managed memory may be the host's where neither kernel nor library has written") {
  const uintptr_t managed = fresh_range(), at = fresh_range();
  kernel_writes(managed, 16);
  library_wrote(managed + 32, 8);
  copy(at, Side::device, managed, Side::managed);
  CHECK(of_host(at) == kBytes - 16 - 8);
}

TEST_CASE("pinned memory is not the host's where a kernel or a library has written") {
  static const HostArray pinned;
  const uintptr_t at = fresh_range();
  kernel_writes(pinned.at(), 16);
  library_wrote(pinned.at() + 32, 8);
  copy(at, Side::device, pinned.at(), Side::host);
  CHECK(of_host(at) == kBytes - 16 - 8);
}

TEST_CASE("memory that is allocated anew is nobody's") {
  const HostArray host;
  const uintptr_t at = fresh_range();
  copy(at, Side::device, host.at(), Side::host);
  forget_origin(at, kBytes);
  CHECK(of_host(at) == 0);
}

TEST_CASE("what the host gets of kernels and libraries is counted") {
  HostArray host;
  const HostArray plain;
  static const HostArray result;
  begin_case();
  copy(host.at(), Side::host, plain.at(), Side::device);
  copy(host.at(), Side::host, plain.at(), Side::host);
  CHECK(bytes_from_device() == 0);
  kernel_writes(result.at() + 8, 24);
  library_wrote(result.at() + 24, 16);
  copy(host.at(), Side::host, result.at(), Side::device);
  CHECK(bytes_from_device() == 32);
  begin_case();
  CHECK(bytes_from_device() == 0);
}

TEST_CASE("what changes in an output between the device's operations is the host's") {
  static HostArray output;  // stands for device memory
  begin_case();
  watch_output(output.at(), kBytes);
  look_at_watched();
  CHECK(of_host(output.at()) == 0);
  output.bytes[6] = 1;  // by a system call, say, that nobody saw
  look_at_watched();
  CHECK(of_host(output.at()) == 4);
  output.bytes[41] = 1;
  kernel_left_watched();  // as a kernel does whose writes are not seen
  look_at_watched();
  CHECK(of_host(output.at()) == 4);
  kernel_writes(output.at(), kBytes);
  output.bytes.fill(7);
  kernel_left_watched();
  look_at_watched();
  CHECK(of_host(output.at()) == 0);
  output.bytes.fill(8);
  look_at_watched();
  CHECK(of_host(output.at()) == kBytes);
  forget_origin(output.at(), kBytes);
  output.bytes.fill(9);
  look_at_watched();
  CHECK(of_host(output.at()) == 0);
}

TEST_CASE("what copies, memsets and libraries leave in an output is not the host's") {
  static HostArray output, given;
  begin_case();
  given.bytes.fill(3);
  know_given(given.at(), kBytes);
  watch_output(output.at(), kBytes);
  copy(output.at(), Side::device, given.at(), Side::host);
  output.bytes = given.bytes;
  look_at_watched();
  CHECK(of_host(output.at()) == 0);
  set(output.at(), 0);
  output.bytes.fill(0);
  look_at_watched();
  CHECK(of_host(output.at()) == 0);
  library_wrote(output.at(), 32);
  output.bytes.fill(5);
  look_at_watched();
  CHECK(of_host(output.at()) == 32);
  set(output.at(), 0);
  output.bytes.fill(1);
  look_at_watched();
  CHECK(of_host(output.at()) == kBytes);
  forget_origin(output.at(), kBytes);
  forget_origin(given.at(), kBytes);
}

TEST_CASE("managed memory is the host's where the host has changed it since") {
  static HostArray managed;
  const uintptr_t at = fresh_range();
  begin_case();
  know_allocation({MemoryKind::managed, managed.bytes.data(), kBytes, 1, false});
  kernel_writes(managed.at(), kBytes);
  managed.bytes.fill(7);
  kernel_left_watched();
  look_at_watched();
  copy(at, Side::device, managed.at(), Side::managed);
  CHECK(of_host(at) == 0);
  managed.bytes[9] = 8;
  look_at_watched();
  copy(at, Side::device, managed.at(), Side::managed);
  CHECK(of_host(at) == 4);
  forget_origin(managed.at(), kBytes);
}

namespace {

template <class... T>
size_t as_computed(T... values) {
  const std::array<float, sizeof...(T)> output{values...};
  return bytes_as_computed(reinterpret_cast<const unsigned char*>(output.data()), sizeof output);
}

}  // namespace

TEST_CASE("the host has of the device the values that copies brought, wherever it puts them") {
  static HostArray result, host;
  const std::array<float, 3> values{1.5f, 2.5f, 3.5f};
  const double precise = 0.1;
  std::memcpy(result.bytes.data(), values.data(), sizeof values);
  std::memcpy(result.bytes.data() + 16, &precise, sizeof precise);
  begin_case();
  CHECK(as_computed(1.5f) == 0);
  kernel_writes(result.at(), kBytes);
  copy(host.at(), Side::host, result.at(), Side::device);
  CHECK(as_computed(3.5f, 2.5f, 4.5f, 0.0f, 0.1f) == 16);
  begin_case();
  CHECK(as_computed(1.5f) == 0);
}

TEST_CASE("the host has of the device the values that a kernel left in memory of both") {
  static HostArray managed;
  const Allocation allocation{MemoryKind::managed, managed.bytes.data(), kBytes, 1, false};
  const auto leave = [&](float value) { std::memcpy(managed.bytes.data(), &value, sizeof value); };
  begin_case();
  know_allocation(allocation);
  leave(1.5f);
  look_at_watched();  // the host's
  kernel_writes(managed.at(), 4);
  leave(2.5f);
  kernel_left_watched();
  look_at_watched();
  leave(3.5f);  // by the host
  look_at_watched();
  CHECK(as_computed(1.5f, 2.5f, 3.5f) == 4);
  kernel_writes(managed.at(), 4);  // the same again
  begin_case();
  host_reads_all(allocation);
  CHECK(as_computed(1.5f, 2.5f, 3.5f) == 4);
  forget_origin(managed.at(), kBytes);
}
