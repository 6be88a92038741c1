// SPDX-License-Identifier: MIT
#include "grade/across_cases.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.h"

using namespace convkit;

namespace {

Params sizes(double kh, double kw, double pad_h = 0) {
  return {{"kh", {kh, true}}, {"kw", {kw, true}}, {"pad_h", {pad_h, true}}};
}

// The last of each is there often enough.
std::string condition(std::vector<Params> failed, std::vector<Params> passed) {
  while (failed.size() + passed.size() < 8) passed.push_back(passed.back());
  const auto pointers = [](const std::vector<Params>& all) {
    std::vector<const Params*> found;
    for (const Params& one : all) found.push_back(&one);
    return found;
  };
  return condition_of_failure(pointers(failed), pointers(passed));
}

class SizedCase final : public Case {
 public:
  SizedCase(std::string name, Params params) : params_(std::move(params)) {
    head_.name = std::move(name);
    head_.op = "blur";
  }
  const CaseHead& head() const override { return head_; }
  CaseKind kind() const override { return CaseKind::stored; }
  std::unique_ptr<Trial> trial(unsigned) override { throw std::logic_error("it is not run"); }
  const Params* own_params() const override { return &params_; }

 private:
  CaseHead head_;
  Params params_;
};

// Cases of one function with what became of them.
struct Cases {
  std::vector<std::unique_ptr<Case>> cases;
  std::vector<CaseResult> results;

  void add(const Params& params, Status status) {
    cases.push_back(std::make_unique<SizedCase>("case", params));
    CaseResult result;
    result.op = "blur";
    result.status = status;
    result.message = "3 of 9 outputs differ.";
    results.push_back(result);
  }

  // Alone, every case ends like this.
  void look(Status alone) {
    look_across_cases(cases, results, [&](Case&) {
      CaseResult result;
      result.status = alone;
      return result;
    });
  }
};

}  // namespace

TEST_CASE("the condition that tells failing cases from others is said, the plainest first") {
  CHECK(condition({sizes(2, 3), sizes(5, 1)}, {sizes(3, 3), sizes(1, 1)}) == "kh differs from kw");
  CHECK(condition({sizes(1, 6), sizes(6, 7)}, {sizes(1, 5), sizes(6, 2)}) == "kw is above 5");
  CHECK(condition({sizes(3, 3, 0), sizes(2, 3, 0)}, {sizes(3, 3, 1), sizes(2, 3, 2)}) ==
        "pad_h is 0");
  CHECK(condition({sizes(3, 3, 2), sizes(2, 3, 1)}, {sizes(3, 3, 0), sizes(2, 3, 0)}) ==
        "pad_h is above 0");
}

TEST_CASE("of few cases, and where nothing tells them apart, no condition is said") {
  const Params square = sizes(3, 3), other = sizes(2, 3);
  CHECK(condition_of_failure(std::vector{&other, &other}, std::vector{&square, &square}) == "");
  CHECK(condition({sizes(2, 3)}, {sizes(3, 3), sizes(1, 1)}) == "");
  CHECK(condition({sizes(2, 3), sizes(3, 3)}, {sizes(3, 2), sizes(3, 3)}) == "");
}

TEST_CASE("a single case is enough where it is the only one without anything of a kind") {
  CHECK(condition({sizes(3, 3, 0)}, {sizes(3, 3, 1), sizes(3, 3, 2)}) == "pad_h is 0");
}

TEST_CASE("a case that passes alone fails for what an earlier call has left") {
  Cases made;
  made.add(sizes(3, 3), Status::pass);
  made.add(sizes(2, 2), Status::wrong);
  made.look(Status::pass);
  CHECK(made.results[1].mistake == "kept_between_calls");
  CHECK_THAT(made.results[1].message, Catch::Contains("something is kept from an earlier call"));
  CHECK(made.results[0].message == "3 of 9 outputs differ.");
}

TEST_CASE("the first call of a function, and a case that fails alone, too, keep what they say") {
  Cases first;
  first.add(sizes(3, 3), Status::wrong);
  first.look(Status::pass);
  CHECK(first.results[0].message == "3 of 9 outputs differ.");

  Cases wrong;
  wrong.add(sizes(3, 3), Status::pass);
  wrong.add(sizes(2, 2), Status::wrong);
  wrong.look(Status::wrong);
  CHECK(wrong.results[1].message == "3 of 9 outputs differ.");
}

TEST_CASE("a condition is said of the first failing case only, and not where the cause is known") {
  for (const bool known : {false, true}) {
    Cases made;
    for (int i = 0; i < 6; ++i) made.add(sizes(3, 3), Status::pass);
    for (int i = 0; i < 2; ++i) made.add(sizes(3, 2), Status::wrong);
    made.results[6].explained = made.results[7].explained = known;
    made.look(Status::wrong);
    const std::string untouched = "3 of 9 outputs differ.";
    CHECK(made.results[6].message ==
          (known ? untouched
                 : untouched + "\nOf the 8 cases of blur, exactly those 2 fail in which kh differs "
                               "from kw."));
    CHECK(made.results[7].message == untouched);
  }
}
