// SPDX-License-Identifier: MIT
#include "grade/device/device_work.h"

#include "catch.h"

namespace convkit {
namespace {

std::string counts(int launches, int calls, int bytes, int of_host) {
  return "launches " + std::to_string(launches) + " blocks 4 library_calls " +
         std::to_string(calls) + " output_bytes " + std::to_string(bytes) + " bytes_of_host " +
         std::to_string(of_host);
}

constexpr const char* kLeak = "convkit: leak: allocation 1 was never freed.\n";
constexpr const char* kUnwritten = "convkit: uninitialised_global: thread (0,0,0) reads.\n";

}  // namespace

TEST_CASE("an output in host memory needs a kernel or a library call") {
  CHECK(work_of_host(counts(0, 0, 0, 0)) ==
        "launched no kernel and called no library: the host computed the output.");
  CHECK(work_of_host(counts(1, 0, 0, 0)).empty());
  CHECK(work_of_host(counts(0, 1, 0, 0)).empty());
}

TEST_CASE("without a kernel, an output in device memory that the host has not written is right") {
  CHECK(work_of_host(counts(0, 0, 4096, 0)).empty());
  CHECK_THAT(work_of_host(counts(0, 0, 4096, 4)), Catch::Contains("launched no kernel"));
}

TEST_CASE("beside a kernel, the host may have written half of the output, or a few bytes") {
  CHECK(work_of_host(counts(1, 0, 4096, 2048)).empty());
  CHECK(work_of_host(counts(1, 0, 4096, 2049)) ==
        "copied 2049 of the 4096 bytes of the output from the host, which computed them.");
  CHECK(work_of_host(counts(0, 3, 4096, 4096)) != "");
  CHECK(work_of_host(counts(1, 0, 16, 16)).empty());
  CHECK(work_of_host(counts(1, 0, 20, 20)) != "");
}

TEST_CASE("a device that does not count has done the work") {
  CHECK(work_of_host("").empty());
  CHECK(work_of_host("nonsense 3 launches").empty());
  CHECK(work_of_host("launches 0 blocks 0").empty());
}

TEST_CASE("a report that decides and did not arrive is known by its kind") {
  CHECK(lost_report(" leak ", "") == "leak");
  CHECK(lost_report(" uninitialised_global race_shared leak ", kUnwritten) == "race_shared");
  CHECK(lost_report(" leak ", kLeak).empty());
  CHECK(lost_report(" leak race_shared ", kLeak).empty());  // one of them is enough
}

TEST_CASE("of reports that decide nothing, one is enough") {
  CHECK(lost_report(" uninitialised_global ", "text\n") == "uninitialised_global");
  CHECK(lost_report(" uninitialised_vector uninitialised_global ", kUnwritten).empty());
  CHECK(lost_report(" ", "").empty());
}

}  // namespace convkit
