// SPDX-License-Identifier: MIT
#include "grade/causes.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "compare/diagnose.h"
#include "compare/formula/edits.h"
#include "compare/formula/mistakes.h"

using namespace convkit;

namespace {

const Guess kFlipped{"flipped_kernel", "The kernel is flipped.", "Do not turn it.",
                     Guess::Basis::model};
const Guess kSwapped{"swapped_hw", "h and w are swapped.", "Check every index.",
                     Guess::Basis::model};
const Guess kLost{"lost_precision", "Every error is small.", "Sum in float."};
const Guess kTwice{"accumulated_twice", "Every output is 2 times the expected value.", ""};

// Of an output that says enough for a guess.
Weight enough() {
  Weight weight;
  weight.values = 9;
  weight.elements = 9;
  weight.outputs = 1;
  return weight;
}

CaseResult failing(const std::string& name, std::vector<Guess> guesses,
                   const std::string& op = "conv2d_forward") {
  CaseResult result;
  result.name = name;
  result.op = op;
  result.status = Status::wrong;
  result.symptoms = {"3 of 9 outputs differ.", "Look at the border.", "", std::move(guesses), true};
  const Diagnosis alone = diagnosis_of(result.symptoms, result.symptoms.guesses);
  result.message = alone.message;
  result.hint = alone.hint;
  result.mistake = alone.id;
  return result;
}

std::unique_ptr<Trial> no_trial(size_t) {
  throw std::logic_error("no passing case is to be looked at");
}

// y = x + 1 for x = 1, 2, 3, and nothing to run.
class AddsOne final : public Trial {
 public:
  explicit AddsOne(std::string op = "adds_one") : op_(std::move(op)) {}
  const Params& params() const override { return params_; }
  std::vector<TensorSpec> inputs() const override { return {}; }
  std::vector<TensorSpec> outputs() const override { return {}; }
  std::span<const std::byte> input(size_t) const override { return {}; }
  bool judge(size_t, std::span<const std::byte>, bool, CaseResult&) override { return true; }
  std::vector<Evidence> references() const override {
    Evidence evidence;
    evidence.op = op_;
    evidence.inputs = {{"x", {3}, x_, {}, {}}};
    evidence.reference = {"y", {3}, {}, y_, {}};
    evidence.got = {"y", {3}, {}, {}, {}};
    evidence.magnitude = y_;
    return {evidence};
  }

 private:
  std::string op_;
  Params params_;
  std::vector<float> x_ = {1, 2, 3};
  std::vector<double> y_ = {2, 3, 4};
};

std::unique_ptr<Trial> of_another_function(size_t) {
  return std::make_unique<AddsOne>();
}

constexpr const char* kAddsOne = "y[i<n] = x[i:n] + 1 + 0";
const OperationFormula kAdds[] = {{"adds_one", kAddsOne, "Add one."}};
const RegisterFormulas kAddsRegistered(kAdds);

Guess missing(const std::string& term) {
  const Formula formula(kAddsOne);
  for (const Edit& edit : edits_of(formula)) {
    if (edit.what != Edit::What::no_right) continue;
    const std::string sentence = sentence_of(formula, edit);
    if (!sentence.starts_with(term)) continue;
    Guess guess{"formula", sentence, "", Guess::Basis::formula};
    guess.weight = enough();
    return guess;
  }
  throw std::logic_error("there is no such term");
}

// One that would show in it, and one that would not.
const Guess kMissing = missing("1 is missing");
const Guess kNotSeen = missing("0 is missing");

}  // namespace

TEST_CASE(
    "of two mistakes that explain the same, one that cases which passed contradict is not told") {
  std::vector<CaseResult> cases = {failing("a", {kMissing, kNotSeen}, "adds_one"),
                                   failing("b", {kMissing, kNotSeen}, "adds_one")};
  CaseResult passed;
  passed.name = "c";
  passed.op = "adds_one";
  passed.status = Status::pass;
  cases.push_back(passed);
  agree_on_causes(cases, [](size_t index) {
    CHECK(index == 2);
    return std::make_unique<AddsOne>();
  });
  CHECK(cases[0].message.ends_with(kNotSeen.sentence));
  // Where nothing speaks against either, both are told; a hidden case says nothing.
  cases[2].hidden = true;
  agree_on_causes(cases, no_trial);
  CHECK(cases[0].message.ends_with("Probably: " + kMissing.sentence +
                                   "\nOr, with the same outputs: " + kNotSeen.sentence));
}

TEST_CASE("a mistake that cases which passed contradict is told with a doubt") {
  std::vector<CaseResult> cases = {failing("a", {kMissing}, "adds_one"),
                                   failing("b", {kMissing}, "adds_one")};
  CaseResult passed;
  passed.name = "c";
  passed.op = "adds_one";
  passed.status = Status::pass;
  cases.push_back(passed);
  agree_on_causes(cases, of_another_function);
  CHECK(cases[0].message.ends_with(
      "Probably: " + kMissing.sentence +
      "\nBut c passes, where this would show, too: the mistake is in code that only the cases that "
      "fail run (a branch, or an instance of a template), or in the test that chooses it; or "
      "something makes up for it in the others."));
  // Of one output with few numbers that is a question.
  cases = {failing("a", {kMissing}, "adds_one"), passed};
  agree_on_causes(cases, of_another_function);
  CHECK(cases[0].message.ends_with("too: is there code of its own for the cases that fail?"));
}

TEST_CASE("code for another size is told where nothing else explains the outputs") {
  Guess instance = kNotSeen;
  instance.kind = Guess::Kind::instance;
  std::vector<CaseResult> cases = {failing("a", {instance}, "adds_one"),
                                   failing("b", {instance}, "adds_one")};
  const auto told = [&] {
    std::vector<CaseResult> seen = cases;
    agree_on_causes(seen, no_trial);
    return seen[0].message;
  };
  CHECK_THAT(told(), Catch::Contains(kNotSeen.sentence));
  for (CaseResult& one : cases) one.symptoms.guesses.push_back(kMissing);
  CHECK_THAT(told(), !Catch::Contains(kNotSeen.sentence) && Catch::Contains(kMissing.sentence));
}

TEST_CASE("an output that is right beside a wrong one speaks against what would show in it") {
  std::vector<CaseResult> cases = {failing("a", {kMissing, kNotSeen}, "adds_one")};
  const auto told = [&] {
    std::vector<CaseResult> seen = cases;
    agree_on_causes(seen, of_another_function);
    return seen[0].message;
  };
  CHECK_THAT(told(), Catch::Contains(kMissing.sentence));
  cases[0].right_outputs = {"y"};
  CHECK_THAT(told(), !Catch::Contains(kMissing.sentence) && Catch::Contains(kNotSeen.sentence));
  cases[0].right_outputs = {"z"};
  CHECK_THAT(told(), Catch::Contains(kMissing.sentence));
}

TEST_CASE("so is a model by hand, which is told without a doubt where nothing contradicts it") {
  static const MistakeModel kModels[] = {
      {"one_missing", "adds_one", "1 is not added.", "Add one.", [](const Evidence& evidence) {
         const auto& x = evidence.inputs[0].f32;
         return std::optional(std::vector<double>(x.begin(), x.end()));
       }}};
  static const RegisterMistakes registered(kModels);
  Guess model{"one_missing", "1 is not added.", "", Guess::Basis::model};
  model.weight = enough();
  CaseResult passed;
  passed.name = "c";
  passed.op = "adds_one";
  passed.status = Status::pass;
  std::vector<CaseResult> cases = {failing("a", {model}, "adds_one"), passed};
  agree_on_causes(cases, of_another_function);
  CHECK(
      cases[0].message.ends_with("Probably: 1 is not added.\nBut c passes, where this would show, "
                                 "too: is there code of its own "
                                 "for the cases that fail?"));
  cases[1].op = "another";
  cases[0] = failing("a", {model}, "adds_one");
  agree_on_causes(cases, of_another_function);
  CHECK(cases[0].message.ends_with("differ.\n1 is not added."));
}

TEST_CASE("a model is doubted where a wrong output speaks against it, and untold where most do") {
  static const MistakeModel kModels[] = {
      {"half_added", "adds_half", "Half is added.", "Add one.", [](const Evidence& evidence) {
         std::vector<double> predicted;
         for (const float x : evidence.inputs[0].f32) predicted.push_back(double(x) + 0.5);
         return std::optional(predicted);
       }}};
  static const RegisterMistakes registered(kModels);
  Guess model{"half_added", "Half is added.", "", Guess::Basis::model};
  model.weight = enough();
  const auto told = [&](size_t explained, size_t others, const char* op) {
    std::vector<CaseResult> cases;
    for (size_t i = 0; i < explained; ++i) cases.push_back(failing("a", {model}, op));
    for (size_t i = 0; i < others; ++i) cases.push_back(failing("b", {}, op));
    agree_on_causes(cases, [op](size_t) { return std::make_unique<AddsOne>(op); });
    return cases[0].message;
  };
  CHECK(told(2, 0, "adds_half").ends_with("differ.\nHalf is added."));
  CHECK(told(2, 2, "adds_half").ends_with("differ.\nProbably: Half is added."));
  CHECK(told(2, 3, "adds_half").ends_with("differ."));
  // Where it would not show, nothing speaks against it.
  CHECK(told(2, 3, "another").ends_with("differ.\nHalf is added."));
}

TEST_CASE("what a number of a relation is must hold in every case") {
  Guess nine = kTwice, three = kTwice;
  nine.sentence = "The bias is added 9 times; 9 is kh * kw.";
  three.sentence = "The bias is added 3 times; 3 is kh * kw.";
  std::vector<CaseResult> cases = {failing("a", {nine}), failing("b", {three})};
  agree_on_causes(cases, no_trial);
  CHECK(cases[0].message.ends_with(nine.sentence));
  CHECK(cases[1].message.ends_with(three.sentence));
  three.sentence = "The bias is added 3 times; 3 is c.";
  cases = {failing("a", {nine}), failing("b", {three})};
  agree_on_causes(cases, no_trial);
  CHECK(cases[0].message.ends_with("The bias is added 9 times."));
  CHECK(cases[1].message.ends_with("The bias is added 3 times."));
}

TEST_CASE("a case of which a guess says nothing does not speak against it") {
  // One further is beyond the end of an x of one element.
  static const OperationFormula kCopies[] = {{"copies", "y[i<n] = x[i:n]", "Copy."}};
  static const RegisterFormulas registered(kCopies);
  class Copies final : public Trial {
   public:
    explicit Copies(int64_t n) : x_(size_t(n)), y_(size_t(n)) {
      for (size_t i = 0; i < x_.size(); ++i) y_[i] = x_[i] = float(i + 7);
    }
    const Params& params() const override { return params_; }
    std::vector<TensorSpec> inputs() const override { return {}; }
    std::vector<TensorSpec> outputs() const override { return {}; }
    std::span<const std::byte> input(size_t) const override { return {}; }
    bool judge(size_t, std::span<const std::byte>, bool, CaseResult&) override { return true; }
    std::vector<Evidence> references() const override {
      Evidence evidence;
      evidence.op = "copies";
      const int64_t n = std::ssize(x_);
      evidence.inputs = {{"x", {n}, x_, {}, {}}};
      evidence.reference = {"y", {n}, {}, y_, {}};
      evidence.got = {"y", {n}, {}, {}, {}};
      evidence.magnitude = y_;
      return {evidence};
    }

   private:
    Params params_;
    std::vector<float> x_;
    std::vector<double> y_;
  };
  const Formula formula(kCopies[0].text);
  const std::vector<Edit> edits = edits_of(formula);
  const auto further = std::ranges::find_if(edits, [&](const Edit& edit) {
    return edit.what == Edit::What::one_more &&
           sentence_of(formula, edit).find("i + 1") != std::string::npos;
  });
  REQUIRE(further != edits.end());
  Guess guess{"formula", sentence_of(formula, *further), "", Guess::Basis::formula};
  guess.weight = enough();
  std::vector<CaseResult> cases = {failing("a", {guess}, "copies"), failing("b", {}, "copies"),
                                   failing("c", {}, "copies")};
  const auto told = [&](int64_t elements) {
    std::vector<CaseResult> seen = cases;
    agree_on_causes(seen, [&](size_t) { return std::make_unique<Copies>(elements); });
    return seen[0].message.find(guess.sentence) != std::string::npos;
  };
  CHECK_FALSE(told(9));
  CHECK(told(1));
}

void with_models_of_the_grid() {
  const auto model = [](const char* id, MistakeModel::Grid grid) {
    return MistakeModel{.id = id, .op = "of_a_test", .sentence = id, .hint = "", .grid = grid};
  };
  static const MistakeModel models[] = {model("rounds", MistakeModel::Grid::rounded_down),
                                        model("overlaps", MistakeModel::Grid::covers),
                                        model("else", MistakeModel::Grid::any)};
  static const RegisterMistakes registered(models);
}

TEST_CASE("a model that says something else of the grid than what was seen is not told") {
  with_models_of_the_grid();
  const auto told = [](const char* id, const char* report) {
    std::vector<CaseResult> cases = {failing("a", {{id, id, "", Guess::Basis::model}}),
                                     failing("b", {{id, id, "", Guess::Basis::model}})};
    cases[1].grid = report;
    agree_on_causes(cases, no_trial);
    CHECK(cases[0].mistake == cases[1].mistake);
    return cases[0].mistake;
  };
  CHECK(told("rounds", "") == "rounds");
  CHECK(told("rounds", "grid_rounded_down") == "rounds");
  CHECK(told("rounds", "grid_too_small").empty());
  CHECK(told("overlaps", "") == "overlaps");
  CHECK(told("overlaps", "grid_rounded_down").empty());
  CHECK(told("overlaps", "grid_too_small").empty());
  CHECK(told("else", "grid_too_small") == "else");
}

TEST_CASE("a mistake that the grid contradicts gives way to what was seen") {
  with_models_of_the_grid();
  CaseResult one = failing("a", {kFlipped});
  CHECK_FALSE(drop_what_grid_contradicts("grid_too_small", one));
  CHECK(one.mistake == "flipped_kernel");
  one = failing("a", {{"overlaps", "overlaps", "", Guess::Basis::model}});
  CHECK_FALSE(drop_what_grid_contradicts("", one));
  CHECK(drop_what_grid_contradicts("grid_too_small", one));
  CHECK(one.message == "3 of 9 outputs differ.");
  CHECK(one.hint == "Look at the border.");
  CHECK(one.mistake.empty());
}

TEST_CASE("of two mistakes that explain a case, the one that also explains the others is told") {
  std::vector<CaseResult> cases = {failing("square", {kFlipped, kSwapped}),
                                   failing("oblong", {kSwapped})};
  REQUIRE(cases[0].mistake.empty());
  agree_on_causes(cases, no_trial);
  for (const CaseResult& one : cases) {
    CHECK(one.mistake == "swapped_hw");
    CHECK(one.message == "3 of 9 outputs differ.\nh and w are swapped.");
    CHECK(one.hint == "Check every index.");
  }
}

TEST_CASE("two mistakes that explain every case stay untold") {
  std::vector<CaseResult> cases = {failing("a", {kFlipped, kSwapped}),
                                   failing("b", {kFlipped, kSwapped})};
  agree_on_causes(cases, no_trial);
  CHECK(cases[0].mistake.empty());
  CHECK(cases[0].message == "3 of 9 outputs differ.");
  CHECK(cases[0].hint == "Look at the border.");
}

TEST_CASE("a relation of values that another case of the function does not show is dropped") {
  std::vector<CaseResult> cases = {failing("a", {kLost}), failing("b", {}),
                                   failing("c", {kLost}, "dense_forward")};
  REQUIRE(cases[0].mistake == "lost_precision");
  agree_on_causes(cases, no_trial);
  CHECK(cases[0].mistake.empty());
  CHECK(cases[0].message == "3 of 9 outputs differ.");
  CHECK(cases[2].mistake == "lost_precision");  // of another function
}

TEST_CASE("a relation that holds in all cases stays, with the numbers of each") {
  Guess thrice = kTwice;
  thrice.sentence = "Every output is 3 times the expected value.";
  std::vector<CaseResult> cases = {failing("a", {kTwice}), failing("b", {thrice})};
  agree_on_causes(cases, no_trial);
  CHECK(cases[0].message.ends_with(kTwice.sentence));
  CHECK(cases[1].message.ends_with(thrice.sentence));
}

TEST_CASE("a mistake that explains one case of many may be an accident") {
  std::vector<CaseResult> cases = {failing("a", {kFlipped}), failing("b", {}), failing("c", {})};
  agree_on_causes(cases, of_another_function);
  CHECK(cases[0].mistake.empty());
  cases = {failing("a", {kFlipped}), failing("b", {kFlipped}), failing("c", {}), failing("d", {}),
           failing("e", {})};
  agree_on_causes(cases, of_another_function);
  CHECK(cases[0].mistake == "flipped_kernel");
  CHECK(cases[2].mistake.empty());
}

TEST_CASE("what an output without values suggests is told only where another case suggests it") {
  Guess flipped = kFlipped;
  flipped.needs_support = true;
  std::vector<CaseResult> cases = {failing("all zero", {flipped}), failing("too", {flipped})};
  REQUIRE(cases[0].mistake.empty());
  agree_on_causes(cases, no_trial);
  CHECK(cases[0].mistake.empty());
  cases.push_back(failing("numbers", {kFlipped}));
  agree_on_causes(cases, no_trial);
  for (const CaseResult& one : cases) CHECK(one.mistake == "flipped_kernel");
}

TEST_CASE("guesses of one cause support each other, whatever layer they name") {
  Guess first{"network", "relu1 is left out.", "", Guess::Basis::program};
  first.weight = enough();
  Guess second = first, other = first;
  first.cause = second.cause = "ReLU: left out";
  second.sentence = "relu3 is left out.";
  other.sentence = other.cause = "dense1 has no bias.";
  std::vector<CaseResult> cases = {failing("a", {other, first}), failing("b", {second}),
                                   failing("c", {})};
  agree_on_causes(cases, no_trial);
  CHECK(cases[0].message.ends_with(first.sentence));
  CHECK(cases[1].message.ends_with(second.sentence));
  CHECK(cases[2].mistake.empty());
}

TEST_CASE("a network fails with the layer that fails its own cases, and nothing else is blamed") {
  const auto blames = [](const std::string& function) {
    Guess guess{"network", "In " + function + ": p is one too large.", "", Guess::Basis::program};
    guess.function = function;
    guess.weight = enough();
    return guess;
  };
  const auto network = [&](std::vector<Guess> guesses) {
    CaseResult one = failing("lenet", std::move(guesses), "lenet_forward");
    one.symptoms.layers = {"conv2d_forward", "relu_forward", "dense_forward"};
    return one;
  };
  const auto told = [&](CaseResult one, CaseResult other) {
    std::vector<CaseResult> cases = {std::move(one), std::move(other)};
    agree_on_causes(cases, no_trial);
    return cases[0].message;
  };
  const CaseResult dense = failing("dense", {}, "dense_forward");
  CHECK(told(network({blames("relu_forward")}), dense) ==
        "3 of 9 outputs differ.\ndense_forward fails its own cases, and lenet_forward probably "
        "fails with "
        "it.");
  // Nor is what blames no layer, such as their order.
  CHECK(told(network({blames("")}), dense).ends_with("lenet_forward probably fails with it."));
  CHECK(told(network({}), dense).ends_with("lenet_forward probably fails with it."));
  CHECK(told(network({blames("dense_forward")}), dense).ends_with("p is one too large."));
  // Another function that computes convolutions may be the one that the network calls.
  const CaseResult fast = failing("fast", {}, "conv2d_fast");
  CHECK(told(network({blames("relu_forward")}), fast)
            .ends_with("lenet_forward probably fails with it."));
  CHECK(told(network({blames("conv2d_forward")}), fast).ends_with("p is one too large."));
  CaseResult unjudged = dense;
  unjudged.status = Status::grader_error;
  CHECK(told(network({blames("relu_forward")}), unjudged).ends_with("p is one too large."));
  // What is no layer, or passes, or is hidden, says nothing of it.
  const CaseResult tanh = failing("tanh", {}, "tanh_forward");
  CHECK(told(network({blames("relu_forward")}), tanh).ends_with("p is one too large."));
  CaseResult right = dense, hidden = dense;
  right.status = Status::pass;
  hidden.hidden = true;
  CHECK(told(network({blames("relu_forward")}), right).ends_with("p is one too large."));
  CHECK(told(network({blames("relu_forward")}), hidden).ends_with("p is one too large."));
}

TEST_CASE(
    "an edit that leaves a failing case unexplained is doubted, and untold if it leaves most") {
  const Guess edit = kMissing;
  std::vector<CaseResult> cases = {failing("a", {edit}, "f"), failing("b", {edit}, "f")};
  agree_on_causes(cases, of_another_function);
  CHECK(cases[0].message == "3 of 9 outputs differ.\n" + edit.sentence);
  cases.push_back(failing("c", {}, "f"));
  agree_on_causes(cases, of_another_function);
  CHECK(cases[0].message == "3 of 9 outputs differ.\nProbably: " + edit.sentence);
  for (const char* name : {"d", "e"}) cases.push_back(failing(name, {}, "f"));
  agree_on_causes(cases, of_another_function);
  CHECK(cases[0].message == "3 of 9 outputs differ.");
  // Where not everything was tried, nothing speaks against it.
  for (size_t i = 2; i < cases.size(); ++i) cases[i].symptoms.complete = false;
  agree_on_causes(cases, of_another_function);
  CHECK(cases[0].message == "3 of 9 outputs differ.\n" + edit.sentence);
}

TEST_CASE("hidden cases neither support nor contradict") {
  std::vector<CaseResult> cases = {failing("a", {kFlipped, kSwapped}), failing("b", {kFlipped}),
                                   failing("c", {kLost}, "dense_forward"),
                                   failing("d", {}, "dense_forward")};
  cases[1].hidden = cases[3].hidden = true;
  agree_on_causes(cases, no_trial);
  CHECK(cases[0].mistake.empty());
  CHECK(cases[1].mistake == "flipped_kernel");
  CHECK(cases[2].mistake == "lost_precision");
}

TEST_CASE("what a report or a time-out says stays") {
  std::vector<CaseResult> cases = {failing("a", {kFlipped}), failing("b", {})};
  cases[0].message = "conv2d_forward: two threads write one element.";
  cases[1].status = Status::timed_out;
  agree_on_causes(cases, no_trial);
  CHECK(cases[0].message == "conv2d_forward: two threads write one element.");
  CHECK(cases[1].message == "3 of 9 outputs differ.");
}
