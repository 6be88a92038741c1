// SPDX-License-Identifier: MIT
// Formulas: what they say, what they are worth, and what is told of a mistake in one.
#include "compare/formula/formula.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.h"
#include "compare/agreement.h"
#include "compare/formula/edits.h"
#include "compare/formula/mistakes.h"
#include "compare/formula/value.h"
#include "compare/tests/formula_case.h"

using namespace convkit;
using namespace convkit::formula_tests;

namespace {

std::string sentence(const char* text, Edit::What what, const std::string& place = "") {
  const Formula formula(text);
  return sentence_of(formula, edit_of(formula, what, place));
}

constexpr const char* kProduct =
    "c[i<rows, j<cols] = sum(k<inner) a[i:rows, k:inner] * b[k:inner, j:cols]";
constexpr const char* kWindow =
    "y[i<oh, j<ow] = sum(p<kh, q<kw) x[i*stride_h - pad_h + p ? h, j*stride_w - pad_w + q ? w] * "
    "w[p:kh, q:kw]";

}  // namespace

TEST_CASE("a formula is written as it was read") {
  const auto text = [](const char* formula) {
    const Formula read(formula);
    return read.text(read.root);
  };
  CHECK(text("y[i<n] = a - (b - c) * 2 // d") == "a - (b - c) * 2 // d");
  CHECK(text("y[i<n] = -(a + b) % 3") == "-(a + b) % 3");
  CHECK(text("y[i<n] = if(x[i:n] > 0, exp(x[i:n]), 0.5)") == "(x[i] > 0 ? exp(x[i]) : 0.5)");
  CHECK(text("y[i<n] = sum(k<c) x[i:n, k:c]") == "sum_{k < c} x[i][k]");
  CHECK(text("y[i<n] = part * part; part = a + b") == "part * part");
}

TEST_CASE("text that is no formula is refused with the place") {
  for (const char* wrong : {"y[i<n] = ", "y[i] = 1", "y[i<n] = (a", "y[i<n] = a b",
                            "y[i<n] = if(a, b)", "y[i<n] = x[i]", "y[i<n] = a; = b"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(Formula(wrong), std::invalid_argument);
  }
  CHECK_THROWS_WITH(Formula("y[i<n] = a b"), Catch::Contains("at 'b'"));
}

TEST_CASE("loops, tests, parts and functions have their values") {
  Case sums("y[i<n] = sum(k<m) x[k:m] * i + max(k<m) x[k:m]", {{"m", 3}}, {{"x", {1, 4, 2}}}, {2});
  CHECK(sums.values() == std::vector<double>{4, 11});

  Case padded("y[i<n] = sum(p<3) x[i - 1 + p ? n]", {}, {{"x", {1, 2, 3}}}, {3});
  CHECK(padded.values() == std::vector<double>{3, 6, 5});

  Case counted("y[i<n] = count(p<3) x[i - 1 + p ? n]", {}, {{"x", {1, 2, 3}}}, {3});
  CHECK(counted.values() == std::vector<double>{2, 3, 2});

  Case largest("y[i<n] = max(p<2) x[i - 1 + p ? n]", {}, {{"x", {-1, -2, -3}}}, {3});
  CHECK(largest.values() == std::vector<double>{-1, -1, -2});

  // The division has to leave no rest: 0, 1/2, 1.
  Case exact("y[i<3] = sum(k<1) x[exact(i, 2) ? 2]", {}, {{"x", {5, 7}}}, {3});
  CHECK(exact.values() == std::vector<double>{5, 0, 7});

  Case parts("y[i<n] = twice + i // 2 + i % 2; twice = 2 * a", {{"a", 3}}, {}, {4});
  CHECK(parts.values() == std::vector<double>{6, 7, 7, 8});
}

TEST_CASE(
    "a read outside of its tensor predicts nothing, a result that nobody stores the sentinel") {
  Case reads("y[i<n] = x[i + 1:n]", {}, {{"x", {1, 2}}}, {2});
  const std::vector<double> read = reads.values();
  CHECK(read[0] == 2);
  CHECK(is_special(read[1], predicted_anything()));

  Case whole(kProduct, {{"inner", 1}}, {{"a", {1, 2, 3}}, {"b", {1, 2}}}, {3, 2});
  const Formula formula(whole.text);
  const auto stored =
      whole.values(edited(formula, edit_of(formula, Edit::What::last_not_computed)));
  CHECK(stored[3] == 4);
  CHECK(is_special(stored[4], predicted_unwritten()));
}

TEST_CASE("a formula that names what the case lacks, or takes too long, counts as none") {
  Case lacks("y[i<n] = a", {}, {}, {2});
  const Formula formula(lacks.text);
  CHECK_FALSE(FormulaValue(formula, lacks.evidence, kPlenty).complete());

  Case large("y[i<n] = sum(k<1000000) k", {}, {}, {2});
  const Formula endless(large.text);
  FormulaValue value(endless, large.evidence, 1000);
  value.at(0);
  CHECK_FALSE(value.complete());
}

TEST_CASE("each mistake is said in a sentence, with what stands there and what belongs there") {
  using What = Edit::What;
  CHECK(sentence(kProduct, What::one_less, "inner") ==
        "The loop over k has the wrong end, one too small: `inner - 1` instead of `inner`.");
  CHECK(sentence(kProduct, What::last_term) ==
        "Only the last k counts: each overwrites what those before it gave: `sum_{inner - 1 <= k < "
        "inner} (a[i][k] * b[k][j])` instead of `sum_{k < inner} (a[i][k] * b[k][j])`.");
  CHECK(sentence(kProduct, What::last_not_computed) ==
        "The loop over i ends one too early: the last i is not computed.");
  CHECK(sentence(kProduct, What::other_layout, "a[i][k]") ==
        "a is read as [inner][rows]; it is stored as [rows][inner]: `a[k][i] * b[k][j]` instead of "
        "`a[i][k] * b[k][j]`.");
  CHECK(sentence(kWindow, What::untested) ==
        "Nothing tests whether the row lies inside x: what lies there in memory takes part.");
  CHECK(sentence(kWindow, What::no_right, "i * stride_h - pad_h") ==
        "pad_h is missing: `i * stride_h + p` instead of `i * stride_h - pad_h + p` as the row of "
        "x.");
  CHECK(sentence("y[i<n] = if(x[i:n] > 0, x[i:n], 0)", What::other_way) ==
        "`x[i] > 0` is answered the wrong way round: `(x[i] > 0 ? 0 : x[i])` instead of `(x[i] > 0 "
        "? x[i] : 0)`.");
  CHECK(sentence("y[i<n] = part; part = total // 2", What::rounded_up) ==
        "`total // 2` is rounded up instead of down: `(total + 2 - 1) // 2` instead of `total // "
        "2` in part.");
}

TEST_CASE("a mistake in rows is made in columns, too, where both are alike") {
  const Formula formula(kWindow);
  const auto edits = edits_of(formula);
  const auto both = std::ranges::find_if(edits, [&](const Edit& edit) {
    return edit.on_both_axes && edit.what == Edit::What::no_right &&
           formula.text(edit.node) == "i * stride_h - pad_h";
  });
  REQUIRE(both != edits.end());
  const Formula wrong = edited(formula, *both);
  CHECK(wrong.text(wrong.root) ==
        "sum_{p < kh} sum_{q < kw} (x[i * stride_h + p][j * stride_w + q] * w[p][q])");
  CHECK(sentence_of(formula, *both) ==
        "pad_h is missing, for rows and for columns: `i * stride_h + p` instead of `i * stride_h - "
        "pad_h + p` as the row of x.");
}

TEST_CASE("no edit of a formula leaves it as it is") {
  for (const char* text : {kProduct, kWindow}) {
    const Formula formula(text);
    for (const Edit& edit : edits_of(formula)) {
      CAPTURE(sentence_of(formula, edit));
      const Formula wrong = edited(formula, edit);
      const auto whole = [](const Formula& one) {
        std::string all = one.text(one.root);
        for (const Node& node : one.nodes) {
          if (node.stops != kNoNode) all += one.text(node.stops);
          if (node.added != kNoNode) all += one.text(node.added);
          if (node.kind != Node::Kind::read) continue;
          for (const int child : node.children) all += child == kNoNode ? "-" : one.text(child);
          all += node.zero_outside ? "0" : "";
          all += std::to_string(int(node.outside_if)) + (node.only_quarter ? "q" : "");
          all += std::to_string(node.untested_below) + '/' + std::to_string(node.untested_above);
        }
        if (one.stored != kNoNode) all += one.text(one.stored);
        for (const OutputAxis& axis : one.axes) {
          for (const int part : {axis.begin, axis.end, axis.index, axis.length}) {
            all += ' ' + one.text(part);
          }
        }
        return all;
      };
      CHECK(whole(wrong) != whole(formula));
    }
  }
}

TEST_CASE("the edit that explains every element is told") {
  static const OperationFormula kMade[] = {{"made", kProduct, "Sum over k."},
                                           {"made", kWindow, "Look at the window."}};
  static const RegisterFormulas registered(kMade);
  Case product(kProduct, {{"inner", 3}}, {{"a", drawn(18)}, {"b", drawn(15)}}, {6, 5});
  Case window(kWindow,
              {{"stride_h", 2},
               {"stride_w", 1},
               {"pad_h", 1},
               {"pad_w", 2},
               {"h", 7},
               {"w", 5},
               {"kh", 3},
               {"kw", 2}},
              {{"x", drawn(35)}, {"w", drawn(6)}}, {4, 8});
  for (Case* one : {&product, &window}) {
    const Formula formula(one->text);
    int edits = 0;
    std::string untold;
    for (const Edit& edit : edits_of(formula)) {
      if (edit.what == Edit::What::unguarded) continue;  // its output is a matter of luck
      const std::vector<double> wrong = one->values(edited(formula, edit));
      const bool predicts = std::ranges::none_of(
          wrong, [](double value) { return is_special(value, predicted_anything()); });
      if (!predicts || wrong == one->values()) continue;
      ++edits;
      const auto told = one->told(edit);
      const std::string sentence = sentence_of(formula, edit);
      if (std::ranges::find(told, sentence) == told.end()) untold += sentence + '\n';
    }
    CAPTURE(one->text);
    CHECK(edits > 40);
    CHECK(untold == "");
  }
}

TEST_CASE("where the formula does not give the reference, nothing is guessed") {
  static const OperationFormula kOther[] = {{"other", "z[i<n] = x[i:n] + 1", "Add one."}};
  static const RegisterFormulas registered(kOther);
  Case twice("z[i<n] = 2 * x[i:n]", {}, {{"x", drawn(9)}}, {9});
  twice.evidence.op = "other";
  CHECK(twice.told(edit_of(Formula(twice.text), Edit::What::one_more, "2")).empty());
}

namespace {

constexpr const char* kFolded = "b[m<n] = (x[m:n] - mean[m:n]) * factor[m:n] + shift[m:n]";
constexpr const char* kSteps = "rates[i<n] = pow(2, i // 3)";
const OperationFormula kBracketed[] = {{"made", kFolded, "Fold."}, {"made", kSteps, "Steps."}};
const RegisterFormulas kBracketedRegistered(kBracketed);

}  // namespace

TEST_CASE("brackets that are missing, and quotients that are not rounded, are told") {
  Case folded(kFolded, {},
              {{"x", drawn(6)},
               {"mean", {2, -3, 5, 1, 7, -2}},
               {"factor", {3, 2, -4, 5, 6, 7}},
               {"shift", {1, 2, 3, 4, 5, 6}}},
              {6});
  const auto told = folded.told(edit_of(Formula(folded.text), Edit::What::no_brackets));
  REQUIRE_FALSE(told.empty());
  CHECK(told[0] ==
        "The brackets around `x[m] - mean[m]` are missing: `x[m] - mean[m] * factor[m] + shift[m]` "
        "instead of `(x[m] - mean[m]) * factor[m] + shift[m]`.");

  Case steps(kSteps, {}, {}, {8});
  const auto smooth = steps.told(edit_of(Formula(steps.text), Edit::What::not_rounded));
  REQUIRE_FALSE(smooth.empty());
  CHECK(smooth[0] ==
        "`i // 3` is not rounded down to a whole number: `pow(2, i / 3)` instead of `pow(2, i // "
        "3)`.");
}

TEST_CASE(
    "a part is the same in all passes of a loop around it, and computed anew for each element") {
  Case centred(
      "y[k<c] = sum(i<n) (x[k:c, i:n] - mean) * (x[k:c, i:n] - mean); mean = sum(j<n) x[k:c, "
      "j:n] / n",
      {{"n", 4}}, {{"x", {1, 2, 3, 6, 0, 0, 4, 4}}}, {2});
  CHECK(centred.values() == std::vector<double>{14, 16});
  const Formula formula(centred.text);
  FormulaValue value(formula, centred.evidence, kPlenty);
  value.at(0);
  CHECK(value.work() < 150);  // with the mean in every pass it is about 300
}
