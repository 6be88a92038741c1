// SPDX-License-Identifier: MIT
#include "grade/across_cases.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.h"
#include "grade/device/outside_tensor.h"

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

// It only has tensors.
class SizedTrial final : public Trial {
 public:
  SizedTrial(const Params& params, std::vector<TensorSpec> inputs, std::vector<TensorSpec> outputs)
      : params_(params), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {}
  const Params& params() const override { return params_; }
  std::vector<TensorSpec> inputs() const override { return inputs_; }
  std::vector<TensorSpec> outputs() const override { return outputs_; }
  std::span<const std::byte> input(size_t) const override { return {}; }
  bool judge(size_t, std::span<const std::byte>, bool, CaseResult&) override { return false; }

 private:
  Params params_;
  std::vector<TensorSpec> inputs_, outputs_;
};

class SizedCase final : public Case {
 public:
  SizedCase(std::string name, Params params) : params_(std::move(params)) {
    head_.name = std::move(name);
    head_.op = "blur";
  }
  SizedCase(Params params, std::vector<TensorSpec> inputs, std::vector<TensorSpec> outputs)
      : SizedCase("case", std::move(params)) {
    inputs_ = std::move(inputs);
    outputs_ = std::move(outputs);
  }
  const CaseHead& head() const override { return head_; }
  CaseKind kind() const override { return CaseKind::stored; }
  std::unique_ptr<Trial> trial(unsigned) override {
    if (outputs_.empty()) throw std::logic_error("it is not run");
    return std::make_unique<SizedTrial>(params_, inputs_, outputs_);
  }
  const Params* own_params() const override { return &params_; }
  unsigned trials() const override { return 3; }

 private:
  CaseHead head_;
  Params params_;
  std::vector<TensorSpec> inputs_, outputs_;
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

  // A convolution with 3 x 3 kernels, and the report of the device where it fails.
  CaseResult& add_image(int64_t pad_h, int64_t pad_w, const std::string& report = "", int64_t h = 7,
                        int64_t w = 8, int64_t m = 8) {
    const Params params = {{"h", {double(h), true}},
                           {"w", {double(w), true}},
                           {"kh", {3, true}},
                           {"kw", {3, true}},
                           {"pad_h", {double(pad_h), true}},
                           {"pad_w", {double(pad_w), true}}};
    const std::vector<int64_t> y = {1, m, h + 2 * pad_h - 2, w + 2 * pad_w - 2};
    return add_reported(params, {{"x", DType::float32, {1, 2, h, w}}}, {{"y", DType::float32, y}},
                        report);
  }

  CaseResult& add_product(int64_t rows, int64_t inner, int64_t cols, const std::string& report) {
    const Params params = {{"rows", {double(rows), true}},
                           {"inner", {double(inner), true}},
                           {"cols", {double(cols), true}}};
    return add_reported(params, {}, {{"c", DType::float32, {rows, cols}}}, report);
  }

  CaseResult& add_reported(const Params& params, std::vector<TensorSpec> inputs,
                           std::vector<TensorSpec> outputs, const std::string& report) {
    add(params, report.empty() ? Status::pass : Status::crashed);
    cases.back() = std::make_unique<SizedCase>(params, std::move(inputs), std::move(outputs));
    results.back().message = report;
    results.back().by_device = true;
    return results.back();
  }

  std::string explained(size_t index) {
    explain_accesses(cases, results);
    const std::string& text = results[index].message;
    return text.find('\n') == std::string::npos ? "" : text.substr(text.find('\n') + 1);
  }

  // Alone, every case ends like this, if it gets to trial `trial`.
  void look(Status alone, unsigned trial = 0) {
    look_across_cases(cases, results, [&](Case&, unsigned trials) {
      CaseResult result;
      result.status = trial < trials ? alone : Status::pass;
      return result;
    });
  }
};

}  // namespace

TEST_CASE("a limit of a size is told where many sets of cases could have failed") {
  const std::vector<Params> whole = {sizes(16, 3), sizes(32, 3), sizes(48, 3)};
  std::vector<Params> failed;
  for (int kh = 5; kh < 23; kh += 2) failed.push_back(sizes(kh, 3));
  CHECK(condition(failed, whole) == "");  // 220 sets of 9 of 12 cases
  failed.push_back(sizes(49, 3));         // 286 of 10 of 13
  CHECK(condition(failed, whole) == "kh is not a multiple of 2");
}

TEST_CASE("the condition that tells failing cases from others is said, the plainest first") {
  CHECK(condition({sizes(2, 3), sizes(5, 1)}, {sizes(3, 3), sizes(1, 1)}) == "kh differs from kw");
  CHECK(condition({sizes(3, 3, 0), sizes(2, 3, 0)}, {sizes(3, 3, 1), sizes(2, 3, 2)}) ==
        "pad_h is 0");
  CHECK(condition({sizes(3, 3, 2), sizes(2, 3, 1)}, {sizes(3, 3, 0), sizes(2, 3, 0)}) ==
        "pad_h is above 0");
}

TEST_CASE("a limit that is no size of its own is said where few sets of cases would fit one") {
  std::vector<Params> failed = {sizes(1, 6), sizes(6, 7)}, passed = {sizes(1, 5), sizes(6, 2)};
  CHECK(condition(failed, passed) == "");
  for (int i = 0; i < 3; ++i) failed.push_back(failed[0]);
  for (int i = 0; i < 5; ++i) passed.push_back(passed[0]);
  CHECK(condition(failed, passed) == "kw is above 5");
}

TEST_CASE("a padding that leaves a rest in phases of the stride, and sizes of the output, count") {
  const auto image = [](double h, double pad, double stride) {
    return Params{{"h", {h, true}},
                  {"kh", {3, true}},
                  {"pad_h", {pad, true}},
                  {"stride_h", {stride, true}},
                  {"dilation_h", {1, true}}};
  };
  CHECK_THAT(condition({image(9, 1, 2), image(9, 2, 3), image(9, 4, 3)},
                       {image(9, 2, 2), image(9, 1, 1), image(9, 0, 2), image(12, 3, 3)}),
             Catch::StartsWith("pad_h is not a multiple of stride_h"));
  // 7, 11, 5, 7, 9 and 13 rows fail; 8, 4, 16, 8 and 12 pass.
  const std::vector<Params> odd = {image(9, 0, 1),  image(13, 0, 1), image(7, 0, 1),
                                   image(13, 1, 2), image(17, 1, 2), image(15, 0, 1)};
  const std::vector<Params> even = {image(10, 0, 1), image(6, 0, 1), image(16, 1, 1),
                                    image(15, 1, 2), image(14, 0, 1)};
  CHECK(condition(odd, even) == "oh is not a multiple of 2");
}

TEST_CASE("a size of the kernel that the function refuses is asked for its branch") {
  Cases made;
  for (int i = 0; i < 4; ++i) made.add(sizes(1, 2 + i), Status::pass);
  made.add(sizes(1, 1), Status::crashed);
  made.results[4].message = "blur returned 1: the function's own code returned that.";
  made.look(Status::crashed);
  CHECK_THAT(made.results[4].message,
             Catch::EndsWith("only the one fails in which kw is 1: is there a branch, or an "
                             "instance of the template, for that size?"));
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

TEST_CASE("what only a drawn shape has is told where all other cases pass") {
  const auto window = [](double stride, double pad, double dilation) -> Params {
    return {{"stride_h", {stride, true}}, {"stride_w", {1, true}},
            {"pad_h", {pad, true}},       {"pad_w", {1, true}},
            {"dilation_h", {1, true}},    {"dilation_w", {dilation, true}}};
  };
  const auto told = [&](double dilation) {
    Cases made;
    for (const double stride : {1, 2, 3, 1, 2, 3}) {
      made.add(window(stride, 0, 1), Status::pass);
      made.add(window(1, stride, dilation), Status::pass);
    }
    made.add({}, Status::wrong);
    made.results.back().drawn = {{"stride_h", 2}, {"pad_h", 1}, {"dilation_w", 1}};
    made.look(Status::wrong);
    return made.results.back().message;
  };
  CHECK(told(1) ==
        "3 of 9 outputs differ.\nNone of the 12 cases of blur that pass has a stride above 1 and "
        "padding along one axis, as this shape has.");
  // Two things of which each may be it.
  Cases made;
  for (int i = 0; i < 6; ++i) made.add(window(1, 1, 1), Status::pass);
  made.add({}, Status::wrong);
  made.results.back().drawn = {{"stride_h", 2}, {"dilation_w", 3}};
  made.look(Status::wrong);
  CHECK(made.results.back().message == "3 of 9 outputs differ.");
}

TEST_CASE("a case behind one that the device has reported is tried alone, too") {
  Cases made;
  for (int i = 0; i < 3; ++i) made.add(sizes(2, 2), Status::wrong);
  made.results[0].by_device = true;
  made.results[2].message = "Nothing was written to y: all 9 outputs are as the grader left them.";
  made.look(Status::pass);
  CHECK(made.results[0].message == "3 of 9 outputs differ.");
  CHECK(made.results[1].message == "3 of 9 outputs differ.");
  CHECK_THAT(made.results[2].message, Catch::Contains("something is kept from an earlier call"));
}

TEST_CASE("the first call of a function, and a case that fails alone, too, keep what they say") {
  Cases first;
  first.add(sizes(3, 3), Status::wrong);
  first.look(Status::pass);
  CHECK(first.results[0].message == "3 of 9 outputs differ.");

  Cases wrong;
  wrong.add(sizes(3, 3), Status::pass);
  wrong.add(sizes(2, 2), Status::wrong);
  for (const unsigned trial : {0u, 2u}) {
    wrong.look(Status::wrong, trial);
    CHECK(wrong.results[1].message == "3 of 9 outputs differ.");
  }
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

namespace {

std::string before_x(int64_t index) {
  return "blur: thread (0,0,0) reads 4 bytes at a.cu:5, 4 bytes before the beginning of `x` (1 x 2 "
         "x 7 x 8, 448 bytes): as elements of 4 bytes, it has 112, and this is index " +
         std::to_string(index) + ".";
}

std::string past_c(int64_t elements) {
  return "blur: thread (0,7,0) writes 4 bytes at a.cu:5, just past the end of allocation 4 (" +
         std::to_string(4 * elements) + " bytes, made at a.cu:2): as elements of 4 bytes, it has " +
         std::to_string(elements) + ", and this is index " + std::to_string(elements) + ".";
}

}  // namespace

TEST_CASE("an element before x says which border is not tested, with the cases that pass") {
  Cases columns;
  columns.add_image(1, 1, before_x(-1));
  columns.add_image(0, 2, before_x(-2));
  columns.add_image(1, 0);
  columns.add_image(0, 0);
  CHECK(columns.explained(1) ==
        "Probably: Nothing tests whether the column of x is below 0. This is row 0, column -2 of "
        "the first image, in the padding. All 2 cases with pad_w above 0 fail, and the 2 others "
        "pass.");
  CHECK(columns.results[1].explained);

  Cases rows;
  rows.add_image(1, 1, before_x(-8));
  rows.add_image(2, 0, before_x(-16));
  rows.add_image(0, 1);
  CHECK_THAT(rows.explained(0), Catch::StartsWith("Probably: Nothing tests whether the row of x is "
                                                  "below 0. This is row -1, column 0 of"));

  Cases both;
  both.add_image(1, 1, before_x(-9));
  both.add_image(0, 0);
  CHECK_THAT(both.explained(0), Catch::Contains("the row and column of x are below 0"));
}

TEST_CASE("a case that passes with padding contradicts a missing test, or tells of other code") {
  Cases contradicted;
  contradicted.add_image(1, 1, before_x(-1));
  contradicted.add_image(1, 1);
  CHECK(contradicted.explained(0).empty());
  // Without padding there is nothing outside: an index that is one too small.
  Cases unpadded;
  unpadded.add_image(1, 1, before_x(-1));
  unpadded.add_image(0, 0, before_x(-1));
  CHECK(unpadded.explained(0).empty());

  Cases variant;
  variant.add_image(0, 1, before_x(-1));
  for (int64_t pad = 1; pad < 5; ++pad) variant.add_image(pad, pad);
  variant.add_image(0, 0);
  CHECK_THAT(variant.explained(0),
             Catch::Contains("Cases with pad_w above 0 and pad_h above 0, too, pass: in cases "
                             "without pad_h other code runs, which has no test of the border. "
                             "Choose it only where both are 0."));
}

TEST_CASE("an element behind x says which border is not tested if the cases leave one") {
  const std::string past_x =
      "blur: thread (0,0,0) reads 4 bytes at a.cu:5, just past the end of `x` (1 x 2 x 7 x 8, 448 "
      "bytes): as elements of 4 bytes, it has 112, and this is index 112.";
  Cases either;  // row 7, column 0, or row 6, column 8
  for (int i = 0; i < 2; ++i) either.add_image(1, 1, past_x);
  CHECK(either.explained(0).empty());
  Cases made;
  made.add_image(0, 1, past_x);
  made.add_image(1, 1, past_x);
  made.add_image(1, 0);
  CHECK_THAT(made.explained(0),
             Catch::StartsWith("Probably: Nothing tests whether the column of x is below w. This "
                               "is row 6, column 8 of the last image, in the padding. All 2 cases "
                               "whose windows reach behind the last column fail"));
}

TEST_CASE("rows that are stored below the last one are named") {
  const std::string past_y =
      "blur: thread (0,0,0) writes 4 bytes at a.cu:5, just past the end of `y` (1 x 3 x 5 x 6, 360 "
      "bytes): as elements of 4 bytes, it has 90, and this is index 90, y[0,3,0,0].";
  const auto twice = [](const char* element) {
    return "blur: thread (0,0,0) of block (0,1,0) and thread (0,0,0) of block (0,0,0) both write " +
           std::string(element) + " (`y` is 1 x 8 x 5 x 6) at a.cu:5, in the same launch.";
  };
  const auto reports = [&](const char* element) {
    Cases made;
    made.add_image(0, 0, twice(element));
    made.add_image(0, 0, twice(element));
    made.add_image(0, 0, past_y, 7, 8, 3);
    return made.explained(0);
  };
  CHECK_THAT(reports("y[0,4,0,0]"), Catch::StartsWith("Probably: A row below the last one"));
  CHECK(reports("y[0,4,1,0]").empty());  // as a column beyond the last
  CHECK(reports("y[0,4,0,2]").empty());
}

TEST_CASE("an array that has another product's size is named by its sizes") {
  const auto told = [](int64_t rows_that_pass) {
    Cases made;
    made.add_product(33, 7, 66, past_c(7 * 66));
    made.add_product(70, 5, 3, past_c(15));
    made.add_product(2, 3, 4, "blur wrote past the end of `c`.");
    made.add_product(rows_that_pass, 16, 16, "");
    return made.explained(2);
  };
  CHECK(told(16) ==
        "Probably: The array for c on the device has inner * cols elements; it needs rows * cols.");
  CHECK(told(17).empty());  // it would be too small there, too
}

TEST_CASE("a second part that is written behind the first is named") {
  const auto told = [](double images_that_pass) {
    const std::string report =
        "blur: thread (0,0,0) writes 4 bytes at a.cu:5, just past the end of `workspace` (720 "
        "bytes): as elements of 4 bytes, it has 180, and this is index 180.";
    const auto params = [](double n) {
      return Params{{"n", {n, true}}, {"workspace_images", {2, true}}};
    };
    Cases made;
    const std::vector<TensorSpec> workspace = {{"workspace", DType::float32, {180}}};
    const std::vector<TensorSpec> y = {{"y", DType::float32, {1}}};
    for (const double n : {3, 5}) made.add_reported(params(n), workspace, y, report);
    made.add_reported(params(images_that_pass), workspace, y, "");
    return made.explained(1);
  };
  CHECK_THAT(told(2),
             Catch::StartsWith("Probably: The second part of the images is written behind"));
  CHECK(told(4).empty());
}
