// SPDX-License-Identifier: MIT
#include "cpu_device/check/coverage.h"

#include "catch.h"

namespace convkit::simt::check {
namespace {

// Of so many elements those are unwritten for which this holds.
template <class Unwritten>
std::string told(size_t count, Unwritten unwritten) {
  std::vector<bool> written;
  for (size_t i = 0; i < count; ++i) written.push_back(!unwritten(i));
  return gaps_text(written);
}

}  // namespace

TEST_CASE("the part of an array that nobody has written is told") {
  CHECK(told(340, [](size_t) { return false; }).empty());
  CHECK(told(340, [](size_t i) { return i >= 272; }) ==
        "Of its 340 elements, 272 to 339 were written by no thread.");
  CHECK(told(34, [](size_t i) { return i == 33; }) ==
        "Of its 34 elements, 33 was written by no thread.");
  CHECK(told(34, [](size_t i) { return i == 0 || i > 30; }) ==
        "Of its 34 elements, 0 and 31 to 33 were written by no thread.");
  CHECK(told(7, [](size_t) { return true; }) ==
        "None of its 7 elements was written by any thread.");
}

TEST_CASE("of many parts it is told how they follow one another") {
  CHECK(told(80, [](size_t i) { return i % 10 >= 7; }) ==
        "Of its 80 elements, 7 to 9, 17 to 19 and so on, 10 apart, up to 79, were written by no "
        "thread.");
  // Rows beyond the last, too.
  CHECK(told(80, [](size_t i) { return i % 10 >= 7 || i >= 50; }) ==
        "Of its 80 elements, 7 to 9, 17 to 19 and so on, 10 apart, up to 79, were written by no "
        "thread.");
  CHECK(told(80, [](size_t i) { return i == 3 || i == 4 || i == 9 || i == 33 || i == 70; }) ==
        "Of its 80 elements, 5, the first of them 3 and the last 70, were written by no thread.");
}

}  // namespace convkit::simt::check
