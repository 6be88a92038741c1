// SPDX-License-Identifier: MIT
// The size of a workspace that is another array's, in a case of the test's own.
#include "catch.h"
#include "compare/tests/made_case.h"

namespace convkit {
namespace {

constexpr int64_t kImages = 3, kChannels = 600, kHeight = 1000, kWidth = 900, kKernel = 3;
constexpr int64_t kRows = kChannels * kKernel * kKernel;
constexpr int64_t kColumns = (kHeight - kKernel + 1) * (kWidth - kKernel + 1);

std::vector<int32_t> words(int64_t bytes) {
  return {int32_t(bytes >> 32), int32_t(uint32_t(uint64_t(bytes)))};
}

MadeCase size_case() {
  MadeCase made;
  made.op = "workspace_size";
  made.output = "bytes";
  made.dims = {1, 2};
  made.params = {{"n", kImages},    {"c", kChannels}, {"h", kHeight},  {"w", kWidth},
                 {"m", 1},          {"kh", kKernel},  {"kw", kKernel}, {"pad_h", 0},
                 {"pad_w", 0},      {"stride_h", 1},  {"stride_w", 1}, {"dilation_h", 1},
                 {"dilation_w", 1}, {"groups", 1}};
  made.int_reference = words(4 * kRows * kColumns);
  return made;
}

std::string told(int64_t bytes) {
  const std::vector<int32_t> got = words(bytes);
  return diagnose(size_case().evidence(got)).message;
}

}  // namespace

TEST_CASE("a workspace of another array's size is told by that array") {
  CHECK_THAT(told(4 * kImages * kRows * kColumns), Catch::Contains("all n images"));
  CHECK_THAT(told(4 * kKernel * kKernel * kColumns), Catch::Contains("for one channel"));
  CHECK_THAT(told(4 * kRows * kHeight * kWidth), Catch::Contains("by the elements of the input"));
  CHECK_THAT(told(4 * kChannels * kHeight * kWidth), Catch::Contains("bytes of an image"));
  CHECK_THAT(told(8 * kRows * kColumns), Catch::Contains("counted as doubles"));
  CHECK_THAT(told(kRows * kColumns), Catch::Contains("elements, not bytes"));
}

TEST_CASE("a workspace of no array's size is not told by one") {
  CHECK_THAT(told(4 * kRows * kColumns + 256), !Catch::Contains("These are"));
}

}  // namespace convkit
