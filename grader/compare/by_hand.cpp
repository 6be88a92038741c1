// SPDX-License-Identifier: MIT
#include "compare/by_hand.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "compare/compare.h"
#include "compare/field.h"
#include "compare/formula/mistakes.h"
#include "compare/wording.h"

namespace convkit {
namespace {

constexpr int64_t kMostTerms = 1 << 20;
constexpr int64_t kMostSide = 8;      // rows and columns of a window
constexpr int64_t kMostWindows = 3;   // that are drawn
constexpr int64_t kMostBeside = 100;  // characters of windows that stand side by side
constexpr int64_t kCellWidth = 9;

// The two innermost loops are the rows and columns of a window, and each round of the others is a
// window. A single loop is broken into rows.
struct Windows {
  int64_t rows = 1, columns = 1, count = 1;

  explicit Windows(const Terms& terms) {
    const size_t loops = terms.count.size();
    columns = terms.count.back();
    if (loops == 1) {
      const int64_t whole = columns;
      columns = std::min(whole, kMostSide);
      rows = (whole + columns - 1) / columns;
      return;
    }
    rows = terms.count[loops - 2];
    for (size_t i = 0; i + 2 < loops; ++i) count *= terms.count[i];
  }
  int64_t drawn_rows() const { return std::min(rows, kMostSide); }
  int64_t drawn_columns() const { return std::min(columns, kMostSide); }
  bool is_cut() const { return drawn_rows() < rows || drawn_columns() < columns; }
};

std::string cell(const ReadElement& element) {
  return element.outside ? "-" : fmt::format("{:.4g}", element.value);
}

class Drawing {
 public:
  explicit Drawing(const Terms& terms) : terms_(terms), windows_(terms) {
    titles_ = terms.tensors;
    // A term that is one element alone needs no column of its own.
    has_values_ = !terms.products || terms.tensors.size() > 1;
    if (has_values_) titles_.push_back(terms.products ? "product" : "term");
  }

  std::string text() {
    const int64_t shown = std::min(windows_.count, kMostWindows);
    for (int64_t window = 0; window < shown; ++window) draw(window);
    if (shown < windows_.count) tell_of_rest(shown);
    if (std::ranges::any_of(terms_.terms, &FormulaTerm::outside)) {
      text_ += "  - lies outside and does not count.\n";
    }
    if (windows_.is_cut() && windows_.rows * windows_.columns > 0) {
      text_ += fmt::format("  Drawn are the first {} of {} rows and {} of {} columns.\n",
                           windows_.drawn_rows(), windows_.rows, windows_.drawn_columns(),
                           windows_.columns);
    }
    return text_;
  }

  // The sum of all terms.
  std::string whole() const { return total_text(0, static_cast<int64_t>(terms_.terms.size())); }

 private:
  // Null behind the end, where a single loop does not fill its last row.
  const FormulaTerm* term(int64_t window, int64_t row, int64_t column) const {
    const int64_t at = (window * windows_.rows + row) * windows_.columns + column;
    return at < static_cast<int64_t>(terms_.terms.size()) ? &terms_.terms[static_cast<size_t>(at)]
                                                          : nullptr;
  }

  std::string cells(int64_t window, int64_t row, size_t what) const {
    std::string line;
    for (int64_t column = 0; column < windows_.drawn_columns(); ++column) {
      const FormulaTerm* one = term(window, row, column);
      if (!one) break;
      line += fmt::format(
          "{:>{}}",
          what < one->reads.size() ? cell(one->reads[what]) : cell({"", one->value, one->outside}),
          kCellWidth);
    }
    return line;
  }

  // "k 2", the round of the outer loops.
  std::string round(int64_t window) const {
    std::string text;
    for (size_t i = terms_.count.size() - std::min<size_t>(terms_.count.size(), 2); i-- > 0;) {
      text =
          fmt::format("{} {}{}{}", terms_.variables[i], terms_.first[i] + window % terms_.count[i],
                      text.empty() ? "" : ", ", text);
      window /= terms_.count[i];
    }
    return text;
  }

  double total(int64_t begin, int64_t end) const {
    double total = terms_.is_sum ? 0 : -std::numeric_limits<double>::infinity();
    for (int64_t i = begin; i < end; ++i) {
      const FormulaTerm& one = terms_.terms[static_cast<size_t>(i)];
      if (one.outside) continue;
      total = terms_.is_sum ? total + one.value : std::max(total, one.value);
    }
    return total;
  }
  std::string total_text(int64_t begin, int64_t end) const {
    return fmt::format("{} {:.6g}", terms_.is_sum ? "sum" : "largest", total(begin, end));
  }

  void draw(int64_t window) {
    const int64_t size = windows_.rows * windows_.columns;
    if (windows_.count > 1) {
      text_ +=
          fmt::format("  {}: {}\n", round(window), total_text(window * size, (window + 1) * size));
    }
    const int64_t width = windows_.drawn_columns() * kCellWidth;
    const bool beside = (width + 3) * static_cast<int64_t>(titles_.size()) <= kMostBeside;
    if (beside) {
      std::string head;
      for (const std::string& title : titles_) head += fmt::format("   {:>{}}", title, width);
      text_ += head + "\n";
      for (int64_t row = 0; row < windows_.drawn_rows(); ++row) {
        std::string line;
        for (size_t what = 0; what < titles_.size(); ++what) {
          line += fmt::format("   {:<{}}", cells(window, row, what), width);
        }
        text_ += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
      }
      return;
    }
    for (size_t what = 0; what < titles_.size(); ++what) {
      text_ += fmt::format("    {}\n", titles_[what]);
      for (int64_t row = 0; row < windows_.drawn_rows(); ++row) {
        text_ += "   " + cells(window, row, what) + "\n";
      }
    }
  }

  void tell_of_rest(int64_t shown) {
    const int64_t size = windows_.rows * windows_.columns;
    text_ += fmt::format("  {} to {}: {}\n", round(shown), round(windows_.count - 1),
                         total_text(shown * size, windows_.count * size));
  }

  const Terms& terms_;
  Windows windows_;
  std::vector<std::string> titles_;
  bool has_values_ = false;
  std::string text_;
};

}  // namespace

std::string drawn(const Terms& terms) {
  Drawing drawing(terms);
  std::string text = drawing.text();
  const auto counting = std::ranges::count(terms.terms, false, &FormulaTerm::outside);
  text += fmt::format("  Together: {} of {}", drawing.whole(),
                      counted(counting, terms.products && terms.tensors.size() > 1 ? "product"
                                        : terms.products                           ? "element"
                                                                                   : "term"));
  if (terms.divisor) text += fmt::format(", divided by {:g}", *terms.divisor);
  for (const ReadElement& other : terms.others) {
    text += fmt::format("; {} = {:.6g}", other.name, other.value);
  }
  return text + "\n";
}

int64_t telling_element(const Evidence& evidence) {
  const Field field(evidence);
  int64_t worst = -1;
  double worst_ratio = 0;
  for (int64_t i = 0; i < field.size(); ++i) {
    if (field.state(i) != ElementState::wrong) continue;
    const double difference = std::fabs(field.got(i) - field.expected(i));
    const double ratio = field.allowed(i) > 0 ? difference / field.allowed(i) : difference;
    if (worst >= 0 && !(ratio > worst_ratio)) continue;
    worst = i;
    worst_ratio = ratio;
  }
  return worst >= 0 ? worst : evidence.comparison.first.index;
}

std::string by_hand(const Evidence& evidence, int64_t at) {
  const OperationFormula* known = formula_of(evidence);
  if (!known) return "";
  const Formula formula(known->text);
  const auto terms = terms_of(formula, evidence, at, kMostTerms);
  if (!terms) return "";
  const Field field(evidence);
  const ElementState state = field.state(at);
  const double expected = field.expected(at);
  return fmt::format(
      "{} by hand ({}):\n  {}\n{}  {}\n", field.name(at), terms->place, terms->formula,
      drawn(*terms),
      state == ElementState::unwritten
          ? fmt::format("Expected {:.6g}; it was never written.", expected)
      : state == ElementState::from_unwritten
          ? fmt::format("Expected {:.6g}; it was computed from what was never written.", expected)
          : field.expected_and_got(at) + ".");
}

}  // namespace convkit
