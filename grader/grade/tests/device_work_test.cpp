// SPDX-License-Identifier: MIT
#include "grade/device/device_work.h"

#include "catch.h"

namespace convkit {
namespace {

std::string work(int launches, int calls, int bytes, int of_host) {
  return "launches " + std::to_string(launches) + " blocks 4 library_calls " +
         std::to_string(calls) + " output_bytes " + std::to_string(bytes) + " bytes_of_host " +
         std::to_string(of_host);
}

// Of an output of 4096 bytes, in host memory if there are none in device memory.
std::string counts(int launches, int calls, int bytes, int of_host, int from_device = 4096) {
  return work(launches, calls, bytes, of_host) + " bytes_from_device " +
         std::to_string(from_device);
}

std::string said_of(const std::string& counts) {
  return work_of_host(counts, 4096);
}

}  // namespace

TEST_CASE("an output in host memory needs a kernel or a library call") {
  CHECK(said_of(counts(0, 0, 0, 0)) ==
        "launched no kernel and called no library: the host computed the output.");
  CHECK(said_of(counts(1, 0, 0, 0)).empty());
  CHECK(said_of(counts(0, 1, 0, 0)).empty());
}

TEST_CASE("beside a kernel, an output in host memory came from the device") {
  CHECK(said_of(counts(1, 0, 0, 0, 1024)).empty());
  CHECK(said_of(counts(1, 0, 0, 0, 1023)) ==
        "brought 1023 bytes from the device that a kernel had written: the host computed the "
        "output, of 4096 bytes.");
  CHECK(said_of(work(1, 0, 0, 0)).empty());  // not known
}

TEST_CASE("half of an output in host memory holds values that came from the device") {
  const auto kept = [](int bytes) {
    return counts(1, 0, 0, 0) + " bytes_as_computed " + std::to_string(bytes);
  };
  CHECK(said_of(kept(4096)).empty());
  CHECK(said_of(kept(2048)).empty());
  CHECK(said_of(kept(2047)) ==
        "left 2047 of the 4096 bytes of the output as the device had computed them: the host "
        "computed the others.");
  CHECK(work_of_host(kept(0), 16).empty());  // a few numbers may be finished on the host
  CHECK(work_of_host(kept(0), 20) != "");
}

TEST_CASE("without a kernel, an output in device memory that the host has not written is right") {
  CHECK(said_of(counts(0, 0, 4096, 0)).empty());
  CHECK_THAT(said_of(counts(0, 0, 4096, 4)), Catch::Contains("launched no kernel"));
}

TEST_CASE("beside a kernel, the host may have written half of the output, or a few bytes") {
  CHECK(said_of(counts(1, 0, 4096, 2048)).empty());
  CHECK(said_of(counts(1, 0, 4096, 2049)) ==
        "copied 2049 of the 4096 bytes of the output from the host, which computed them.");
  CHECK(said_of(counts(0, 3, 4096, 4096)) != "");
  CHECK(said_of(counts(1, 0, 16, 16)).empty());
  CHECK(said_of(counts(1, 0, 20, 20)) != "");
}

TEST_CASE("where a library is asked for, own kernels are not enough") {
  CHECK(work_without_library(counts(2, 1, 4096, 0)).empty());
  CHECK(work_without_library(counts(2, 0, 4096, 0)) == "launched 2 kernels and called no library.");
  CHECK(work_without_library(counts(1, 0, 4096, 0)) == "launched 1 kernel and called no library.");
  CHECK(work_without_library(counts(0, 0, 4096, 0)) == "launched no kernel and called no library.");
  CHECK(work_without_library("").empty());  // not known
}

TEST_CASE("a device that does not count has done the work") {
  CHECK(said_of("").empty());
  CHECK(said_of("nonsense 3 launches").empty());
  CHECK(said_of("launches 0 blocks 0").empty());
}

}  // namespace convkit
