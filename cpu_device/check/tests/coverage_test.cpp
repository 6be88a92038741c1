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
        "Of its 80 elements, 7 to 9, 17 to 19 and so on, 10 apart, and then 47 to 79, were written "
        "by no thread.");
  CHECK(told(80, [](size_t i) { return i == 3 || i == 4 || i == 9 || i == 33 || i == 70; }) ==
        "Of its 80 elements, 5, the first of them 3 and the last 70, were written by no thread.");
}

TEST_CASE("the step that a loop over a shared array lacks is told") {
  const auto step = [](size_t count, uint3 threads, auto writer) {
    std::vector<int> writers;
    for (size_t e = 0; e < count; ++e) writers.push_back(writer(static_cast<int>(e)));
    const auto gap = std::find(writers.begin(), writers.end(), kNoThread);
    return missing_step(writers, threads, static_cast<size_t>(gap - writers.begin()));
  };
  CHECK(step(392, {32, 8, 1}, [](int e) { return e < 256 ? e : kNoThread; }) ==
        "Each of the block's 256 threads wrote one element, and none goes on to element 256: let "
        "the loop go on in steps of 256, the threads of the block, up to the last element.");
  // What leaves a second half unwritten may be the block's size, too, or another tile.
  CHECK(
      step(512, {32, 8, 1}, [](int e) { return e < 256 ? e : kNoThread; }) ==
      "Each of the block's 256 threads wrote one element, and none goes on to element 256: if it "
      "belongs to the same tile, let the loop go on in steps of 256, the threads of the block, up "
      "to the last element, or launch as many threads as the array has elements; if another tile "
      "begins there, nothing has filled that one.");
  CHECK(step(392, {64, 1, 1}, [](int e) {
          return e < 128 ? e % 64 : kNoThread;
        }).starts_with("Each of the block's 64 threads wrote 2 elements, 64 apart, and none"));
  // Rows of 34: of 10 rows, 8 threads in y wrote one each.
  const auto in_rows = [](int e) { return e / 34 % 8 * 32 + e % 34 % 32; };
  CHECK(step(340, {32, 8, 1}, [&](int e) { return e < 272 ? in_rows(e) : kNoThread; }) ==
        "In rows of 34 elements, thread (x, y) wrote row y only, and none goes on to row 8: a loop "
        "over the rows has to go on by the threads of the block in y, 8, up to the last row.");
  // The same, where the steps of the two loops are exchanged: threads share the elements of a row.
  const auto shares_row = [](int e) { return e / 34 % 8 * 32 + e % 34 % 8; };
  CHECK(step(340, {32, 8, 1}, [&](int e) {
          return e < 272 ? shares_row(e) : kNoThread;
        }).starts_with("In rows of 34 elements, thread (x, y) wrote row y only, and none goes on"));
  CHECK(step(340, {32, 8, 1}, [&](int e) {
          return e < 272 ? (shares_row(e) + 32) % 256 : kNoThread;
        }).empty());
  CHECK(step(340, {32, 8, 1}, [&](int e) { return e % 34 < 32 ? in_rows(e) : kNoThread; }) ==
        "In rows of 34 elements, thread (x, y) wrote column x only, and none goes on to column 32: "
        "a loop over the columns has to go on by the threads of the block in x, 32, up to the end "
        "of the row.");
  // A column that only keeps rows in other banks, and a row that nobody has loaded.
  std::vector<int> padded;
  for (int e = 0; e < 17 * 16; ++e)
    padded.push_back(e % 17 < 16 && e < 17 * 7 ? e / 17 * 16 + e % 17 : kNoThread);
  CHECK(missing_step(padded, {16, 16, 1}, 16).find("none goes on to column 16") !=
        std::string::npos);
  CHECK(missing_step(padded, {16, 16, 1}, 17 * 7).empty());
  // Not by any loop; nothing missing; one thread for all.
  CHECK(step(64, {32, 1, 1}, [](int e) { return e % 3 == 0 ? kNoThread : e % 7; }).empty());
  CHECK(step(64, {32, 1, 1}, [](int e) { return e % 32; }).empty());
  CHECK(step(64, {32, 1, 1}, [](int e) { return e < 8 ? 0 : kNoThread; }).empty());
}

}  // namespace convkit::simt::check
