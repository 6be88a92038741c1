// SPDX-License-Identifier: MIT
#include "grade/mend/change_search.h"

#include <string>
#include <vector>

#include "catch.h"

namespace convkit {
namespace {

CaseResult result_of(const std::string& op, Status status) {
  CaseResult one;
  one.op = op;
  one.status = status;
  return one;
}

CaseResult known(CaseResult one) {
  one.mistake = "strides";
  one.explained = true;
  return one;
}

}  // namespace

TEST_CASE("a guess that does not give the whole output tells no cause") {
  CaseResult one = result_of("relu", Status::wrong);
  CHECK_FALSE(tells_cause(one));
  one.mistake = "border";
  CHECK_FALSE(tells_cause(one));
  CHECK(tells_cause(known(one)));
}

TEST_CASE("a report of check mode tells the cause") {
  CaseResult reported = result_of("relu", Status::wrong);
  reported.by_device = true;
  CHECK(tells_cause(reported));
  CaseResult added = result_of("relu", Status::wrong);
  added.explanation = "Threads do not wait for each other.";
  CHECK(tells_cause(added));
}

TEST_CASE(
    "a short search is for the first function that fails, if most cases do not tell its cause") {
  const CaseResult right = result_of("relu", Status::pass);
  const CaseResult wrong = result_of("conv", Status::wrong);
  const CaseResult later = result_of("dense", Status::wrong);
  CHECK(function_untold(std::vector{right, wrong, later}) == "conv");
  CHECK(function_untold(std::vector{right, wrong, known(wrong), later}).empty());
  CHECK(function_untold(std::vector{right, wrong, known(wrong), wrong, later}) == "conv");
  CHECK(is_told_in_part(std::vector{right, wrong, known(wrong), later}, "conv"));
  CHECK_FALSE(is_told_in_part(std::vector{right, wrong, later}, "conv"));
  CHECK(function_untold(std::vector{right, known(wrong), later}).empty());
  CHECK(function_untold(std::vector{result_of("conv", Status::crashed), later}).empty());
  CHECK(function_untold(std::vector{right}).empty());
}

TEST_CASE("where an access goes is no cause, but what explains it is") {
  CaseResult outside = result_of("conv", Status::crashed);
  outside.by_device = true;
  outside.mistake = "out_of_bounds_global";
  outside.hint = "Compare the index with the array's size before using it.";
  const CaseResult later = result_of("dense", Status::wrong);
  CHECK_FALSE(tells_cause(outside));
  CHECK(function_untold(std::vector{outside, outside, later}) == "conv");
  CaseResult explained = outside;
  explained.explained = true;
  CHECK(tells_cause(explained));
  CHECK(function_untold(std::vector{explained, outside, outside, outside}).empty());
  CaseResult advised = outside;
  advised.hint = "The launch's third argument counts bytes: multiply it. " + outside.hint;
  CHECK(tells_cause(advised));
  CaseResult refused = outside;  // "... it must return cudaErrorInvalidValue and touch nothing."
  refused.hint.clear();
  CHECK(tells_cause(refused));
  CaseResult freed = outside;
  freed.mistake = "use_after_free";
  CHECK(tells_cause(freed));
}

TEST_CASE("a crash at an element that is not there asks for a search, another one does not") {
  CaseResult crashed = result_of("relu", Status::crashed);
  crashed.message = "relu read past the end of `x` (at element 64 of 64).";
  crashed.hint = "An index left the tensor: check the loop bounds and the order of the dimensions.";
  CHECK(function_untold(std::vector{crashed}) == "relu");
  crashed.explained = true;
  CHECK(function_untold(std::vector{crashed}).empty());
  CaseResult divided = result_of("relu", Status::crashed);
  divided.message = "relu divided an integer by zero.";
  CHECK(function_untold(std::vector{divided}).empty());
}

TEST_CASE("a hidden case asks for no search") {
  CaseResult hidden = result_of("conv", Status::wrong);
  hidden.hidden = true;
  CHECK(function_untold(std::vector{hidden}).empty());
}

}  // namespace convkit
