// SPDX-License-Identifier: MIT
#include "grade/causes.h"

#include <string>
#include <vector>

#include "catch.h"
#include "compare/diagnose.h"

using namespace convkit;

namespace {

const Guess kFlipped{"flipped_kernel", "The kernel is flipped.", "Do not turn it.",
                     Guess::Basis::model};
const Guess kSwapped{"swapped_hw", "h and w are swapped.", "Check every index.",
                     Guess::Basis::model};
const Guess kLost{"lost_precision", "Every error is small.", "Sum in float."};
const Guess kTwice{"accumulated_twice", "Every output is 2 times the expected value.", ""};

CaseResult failing(const std::string& name, std::vector<Guess> guesses,
                   const std::string& op = "conv2d_forward") {
  CaseResult result;
  result.name = name;
  result.op = op;
  result.status = Status::wrong;
  result.symptoms = {"3 of 9 outputs differ.", "Look at the border.", "", std::move(guesses)};
  const Diagnosis alone = diagnosis_of(result.symptoms, result.symptoms.guesses);
  result.message = alone.message;
  result.hint = alone.hint;
  result.mistake = alone.id;
  return result;
}

}  // namespace

TEST_CASE("of two mistakes that explain a case, the one that also explains the others is told") {
  std::vector<CaseResult> cases = {failing("square", {kFlipped, kSwapped}),
                                   failing("oblong", {kSwapped})};
  REQUIRE(cases[0].mistake.empty());
  agree_on_causes(cases);
  for (const CaseResult& one : cases) {
    CHECK(one.mistake == "swapped_hw");
    CHECK(one.message == "3 of 9 outputs differ.\nh and w are swapped.");
    CHECK(one.hint == "Check every index.");
  }
}

TEST_CASE("two mistakes that explain every case stay untold") {
  std::vector<CaseResult> cases = {failing("a", {kFlipped, kSwapped}),
                                   failing("b", {kFlipped, kSwapped})};
  agree_on_causes(cases);
  CHECK(cases[0].mistake.empty());
  CHECK(cases[0].message == "3 of 9 outputs differ.");
  CHECK(cases[0].hint == "Look at the border.");
}

TEST_CASE("a relation of values that another case of the function does not show is dropped") {
  std::vector<CaseResult> cases = {failing("a", {kLost}), failing("b", {}),
                                   failing("c", {kLost}, "dense_forward")};
  REQUIRE(cases[0].mistake == "lost_precision");
  agree_on_causes(cases);
  CHECK(cases[0].mistake.empty());
  CHECK(cases[0].message == "3 of 9 outputs differ.");
  CHECK(cases[2].mistake == "lost_precision");  // of another function
}

TEST_CASE("a relation that holds in all cases stays, with the numbers of each") {
  Guess thrice = kTwice;
  thrice.sentence = "Every output is 3 times the expected value.";
  std::vector<CaseResult> cases = {failing("a", {kTwice}), failing("b", {thrice})};
  agree_on_causes(cases);
  CHECK(cases[0].message.ends_with(kTwice.sentence));
  CHECK(cases[1].message.ends_with(thrice.sentence));
}

TEST_CASE("a mistake that explains one case of many may be an accident") {
  std::vector<CaseResult> cases = {failing("a", {kFlipped}), failing("b", {}), failing("c", {})};
  agree_on_causes(cases);
  CHECK(cases[0].mistake.empty());
  cases = {failing("a", {kFlipped}), failing("b", {kFlipped}), failing("c", {}), failing("d", {}),
           failing("e", {})};
  agree_on_causes(cases);
  CHECK(cases[0].mistake == "flipped_kernel");
  CHECK(cases[2].mistake.empty());
}

TEST_CASE("what an output without values suggests is told only where another case suggests it") {
  Guess flipped = kFlipped;
  flipped.needs_support = true;
  std::vector<CaseResult> cases = {failing("all zero", {flipped}), failing("too", {flipped})};
  REQUIRE(cases[0].mistake.empty());
  agree_on_causes(cases);
  CHECK(cases[0].mistake.empty());
  cases.push_back(failing("numbers", {kFlipped}));
  agree_on_causes(cases);
  for (const CaseResult& one : cases) CHECK(one.mistake == "flipped_kernel");
}

TEST_CASE("hidden cases neither support nor contradict") {
  std::vector<CaseResult> cases = {failing("a", {kFlipped, kSwapped}), failing("b", {kFlipped}),
                                   failing("c", {kLost}, "dense_forward"),
                                   failing("d", {}, "dense_forward")};
  cases[1].hidden = cases[3].hidden = true;
  agree_on_causes(cases);
  CHECK(cases[0].mistake.empty());
  CHECK(cases[1].mistake == "flipped_kernel");
  CHECK(cases[2].mistake == "lost_precision");
}

TEST_CASE("what a report or a time-out says stays") {
  std::vector<CaseResult> cases = {failing("a", {kFlipped}), failing("b", {})};
  cases[0].message = "conv2d_forward: two threads write one element.";
  cases[1].status = Status::timed_out;
  agree_on_causes(cases);
  CHECK(cases[0].message == "conv2d_forward: two threads write one element.");
  CHECK(cases[1].message == "3 of 9 outputs differ.");
}
