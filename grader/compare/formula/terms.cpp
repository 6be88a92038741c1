// SPDX-License-Identifier: MIT
#include "compare/formula/terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "compare/agreement.h"
#include "compare/formula/edits.h"
#include "compare/formula/value.h"

namespace convkit {
namespace {

using Kind = Node::Kind;

constexpr int64_t kMostVisits = 10'000'000;

class TermReader : public FormulaValue {
 public:
  TermReader(const Formula& formula, const Evidence& evidence)
      : FormulaValue(formula, evidence, kMostVisits) {}

  std::optional<Terms> read_terms(int64_t element, int64_t most) {
    if (!complete()) return std::nullopt;
    at(element);  // which sets the variables of the output's loops
    const int reduction = find_reduction(formula_.root);
    if (reduction == kNoNode) return std::nullopt;
    follow(reduction);
    int64_t terms = 1;
    for (const int64_t count : found_.count) terms *= count;
    if (terms <= 0 || terms > most) return std::nullopt;
    collect_reads(term_, reads_);
    for (const int read : reads_) found_.tensors.push_back(name_of(read));
    visit(0);
    std::vector<int> others;
    collect_reads(formula_.root, others);
    for (const int read : others) found_.others.push_back(element_at(read));
    const Node& root = formula_.at(past_parts(formula_.root));
    if (root.kind == Kind::divide && past_parts(root.children[0]) == reduction_) {
      found_.divisor = value(root.children[1]);
    }
    found_.formula = formula_.text(formula_.root);
    for (const OutputAxis& axis : formula_.axes) {
      const auto variable = static_cast<size_t>(axis.variable);
      found_.place += fmt::format("{}{} {:.0f}", found_.place.empty() ? "" : ", ",
                                  formula_.names[variable], values_[variable]);
    }
    return complete() && !unknown_ ? std::optional(std::move(found_)) : std::nullopt;
  }

 private:
  int past_parts(int node) const {
    while (formula_.at(node).kind == Kind::part) node = formula_.at(node).children[0];
    return node;
  }
  const std::string& name_of(int node) const {
    return formula_.names[static_cast<size_t>(formula_.at(node).name)];
  }

  // The first sum or maximum, which is what the formula is about.
  int find_reduction(int id) const {
    const Node& node = formula_.at(id);
    if (node.kind == Kind::sum || node.kind == Kind::max) return id;
    if (node.kind == Kind::read || node.kind == Kind::count) return kNoNode;
    for (const int child : node.children) {
      const int found = find_reduction(child);
      if (found != kNoNode) return found;
    }
    return kNoNode;
  }

  // The loops of a reduction, down to its term.
  void follow(int reduction) {
    const Kind kind = formula_.at(reduction).kind;
    found_.is_sum = kind == Kind::sum;
    reduction_ = term_ = reduction;
    while (formula_.at(term_).kind == kind) {
      const Node& loop = formula_.at(term_);
      const auto begin = static_cast<int64_t>(value(loop.children[0]));
      loops_.push_back(loop.name);
      found_.variables.push_back(name_of(term_));
      found_.first.push_back(begin);
      found_.count.push_back(
          std::max<int64_t>(static_cast<int64_t>(value(loop.children[1])) - begin, 0));
      term_ = past_parts(loop.children[2]);
    }
    found_.products = is_product(term_);
  }

  bool is_product(int id) const {
    const Node& node = formula_.at(id);
    if (node.kind == Kind::read) return true;
    return node.kind == Kind::multiply && is_product(past_parts(node.children[0])) &&
           is_product(past_parts(node.children[1]));
  }

  // All of them but those by which another is indexed, and those of a reduction.
  void collect_reads(int id, std::vector<int>& reads) const {
    const Node& node = formula_.at(id);
    if (id == reduction_ || node.kind == Kind::count) return;
    if (id != term_ && is_reduction(node.kind)) return;
    if (node.kind == Kind::read) {
      if (std::ranges::find(reads, id) == reads.end()) reads.push_back(id);
      return;
    }
    for (const int child : node.children) {
      if (child != kNoNode) collect_reads(child, reads);
    }
  }

  ReadElement element_at(int id) {
    const Node& node = formula_.at(id);
    ReadElement element{name_of(id), 0, false};
    outside_ = false;
    element.value = read(node);
    element.outside = outside_;
    if (element.outside) return element;
    std::vector<int64_t> index;
    for (size_t i = 0; i < node.children.size(); i += 3) {
      index.push_back(static_cast<int64_t>(value(node.children[i])));
    }
    element.name += fmt::format("[{}]", fmt::join(index, ","));
    return element;
  }

  void visit(size_t depth) {
    if (depth == loops_.size()) {
      FormulaTerm term;
      for (const int read : reads_) term.reads.push_back(element_at(read));
      outside_ = false;
      term.value = value(term_);
      term.outside = outside_;
      found_.terms.push_back(std::move(term));
      return;
    }
    for (int64_t i = 0; i < found_.count[depth]; ++i) {
      values_[static_cast<size_t>(loops_[depth])] = static_cast<double>(found_.first[depth] + i);
      visit(depth + 1);
    }
    outside_ = false;
  }

  Terms found_;
  int reduction_ = kNoNode, term_ = kNoNode;
  std::vector<int> loops_, reads_;
};

}  // namespace

namespace {

// The terms of one sum, with the loops directly within it.
class SumReader : public FormulaValue {
 public:
  SumReader(const Formula& formula, const Evidence& evidence, int sum)
      : FormulaValue(formula, evidence, kMostVisits / 4) {
    for (int at = sum; formula_.at(at).kind == Kind::sum; at = formula_.at(at).children[2]) {
      loops_.push_back(at);
    }
  }

  // Of element `element`, in the order of the loops; 0 where a term does not count.
  std::vector<double> terms_of(int64_t element) {
    at(element);
    std::vector<double> terms;
    if (complete()) visit(0, terms);
    return complete() && !unknown_ ? terms : std::vector<double>();
  }

 private:
  void visit(size_t depth, std::vector<double>& terms) {
    if (depth == loops_.size()) {
      outside_ = false;
      const double term = value(formula_.at(loops_.back()).children[2]);
      terms.push_back(outside_ ? 0 : term);
      return;
    }
    const Node& loop = formula_.at(loops_[depth]);
    const double begin = value(loop.children[0]), end = value(loop.children[1]);
    for (double i = begin; i < end && complete(); ++i) {
      values_[static_cast<size_t>(loop.name)] = i;
      visit(depth + 1, terms);
    }
  }

  std::vector<int> loops_;
};

// The first sum that is not within another one; kNoNode if there is none.
int first_sum(const Formula& formula, int id) {
  const Node& node = formula.at(id);
  if (node.kind == Kind::sum) return id;
  if (node.kind == Kind::read || node.kind == Kind::part || is_reduction(node.kind)) return kNoNode;
  for (const int child : node.children) {
    const int found = first_sum(formula, child);
    if (found != kNoNode) return found;
  }
  return kNoNode;
}

// Elements of an output that are a sum times a factor, and a rest.
struct LinearElement {
  int64_t element;
  double factor, rest;
  std::vector<double> before;  // [t]: the sum of the terms before t
  double of(double sum) const { return factor * sum + rest; }
  size_t terms() const { return before.size() - 1; }
  // Of the terms from `begin` on and before `end`, as far as there are any.
  double between(size_t begin, size_t end) const {
    return before[std::min(end, terms())] - before[std::min(begin, terms())];
  }
};

class SumsInParts {
 public:
  SumsInParts(const Formula& formula, const Evidence& evidence, int sum, const char* hint)
      : formula_(formula), evidence_(evidence), agreement_(evidence), sum_(sum), hint_(hint) {}

  SharedSums search() {
    read_elements();
    if (!found_.is_long || elements_.size() < kFewest) return std::move(found_);
    ends_missing();
    parts_overlapping();
    tiles_of_parts_overlapping();
    single_parts();
    if (found_.guesses.empty()) parts_lost_or_doubled();
    return std::move(found_);
  }

 private:
  static constexpr size_t kFewestTerms = 48, kFewest = 2;
  static constexpr int64_t kMostWork = 2'000'000;

  // Wrong ones first, then right ones, as many as there is time for.
  void read_elements() {
    const auto count = static_cast<int64_t>(evidence_.got.f32.size());
    std::vector<int64_t> wrong, right;
    for (int64_t i = 0; i < count; ++i) {
      const double expected = evidence_.reference.f64[size_t(i)];
      (agreement_.agrees(size_t(i), expected) ? right : wrong).push_back(i);
    }
    const Formula without = with_sum(0), with_one = with_sum(1), with_two = with_sum(2);
    FormulaValue rest(without, evidence_, kMostVisits), one(with_one, evidence_, kMostVisits),
        two(with_two, evidence_, kMostVisits);
    SumReader reader(formula_, evidence_, sum_);
    constexpr size_t kOfEach = 40;
    for (const auto& kind : {wrong, right}) {
      const size_t step = std::max<size_t>(kind.size() / kOfEach, 1);
      for (size_t k = 0; k < kind.size() && reader.work() < kMostWork; k += step) {
        const std::vector<double> terms = reader.terms_of(kind[k]);
        if (terms.size() < kFewestTerms) return;
        LinearElement element{kind[k], 0, rest.at(kind[k]), {0}};
        element.factor = one.at(kind[k]) - element.rest;
        // Where the sum is within something else, such as a square, it is not looked at.
        const double again = two.at(kind[k]) - element.rest - element.factor;
        if (!(std::fabs(again - element.factor) <= 1e-9 * std::fabs(element.factor))) return;
        for (const double term : terms) element.before.push_back(element.before.back() + term);
        elements_.push_back(std::move(element));
      }
    }
    found_.work = reader.work();
    found_.is_long = !elements_.empty();
  }

  Formula with_sum(double sum) const {
    Formula other = formula_;
    other.at(sum_) = {Kind::number, sum, -1, {}};
    return other;
  }

  using SumOf = std::function<double(const LinearElement&)>;

  // Whether all elements hold such a sum, and enough of them show it.
  std::optional<Weight> explained_by(const SumOf& sum_of) const {
    Weigher weigher;
    size_t telling = 0;
    for (const LinearElement& element : elements_) {
      const double predicted = element.of(sum_of(element));
      if (!agreement_.agrees(size_t(element.element), predicted)) return std::nullopt;
      telling += agreement_.differs_from_reference(size_t(element.element), predicted);
      weigh(evidence_, agreement_, size_t(element.element), predicted, weigher);
    }
    return telling >= kFewest ? std::optional(weigher.weight()) : std::nullopt;
  }

  void add(std::string sentence, const char* cause, const Weight& weight) {
    const bool is_known = std::ranges::any_of(
        found_.guesses, [&](const Guess& known) { return known.sentence == sentence; });
    if (is_known) return;
    Guess guess{"formula", std::move(sentence), hint_, Guess::Basis::formula};
    guess.cause = cause;
    guess.weight = weight;
    guess.needs_support = says_little(weight);
    found_.guesses.push_back(std::move(guess));
  }

  std::string loops() const {
    std::string text;
    for (int at = sum_; formula_.at(at).kind == Kind::sum; at = formula_.at(at).children[2]) {
      text += (text.empty() ? "" : ", ") + formula_.names[size_t(formula_.at(at).name)];
    }
    return text;
  }

  // Terms are missing at the end, or all but those at the end.
  void ends_missing() {
    const size_t terms = elements_[0].terms();
    for (size_t last = terms; last-- > 1;) {
      const auto first_terms = [=](const LinearElement& one) { return one.between(0, last); };
      const auto weight = explained_by(first_terms);
      if (!weight) continue;
      if (2 * last < terms) {
        add(fmt::format("Only the first {} of the {} terms of each sum count (over {}): of the "
                        "parts of the sum, only the first are added.",
                        last, terms, loops()),
            "only the first parts of a sum are added", *weight);
      } else {
        add(fmt::format("The last {} of the {} terms of each sum are missing (over {}). Where a "
                        "sum is cut into parts, a length that is rounded down leaves the rest of "
                        "the terms to no part.",
                        terms - last, terms, loops()),
            kEndMissing, *weight);
      }
      return;  // terms that are 0 make no difference: so many are missing at least
    }
    for (size_t first = 1; first < terms; ++first) {
      const auto last_terms = [=](const LinearElement& one) { return one.between(first, terms); };
      const auto weight = explained_by(last_terms);
      if (!weight) continue;
      add(fmt::format("Only the last {} of the {} terms of each sum count (over {}): what was "
                      "summed before them, in other parts or passes, is overwritten.",
                      terms - first, terms, loops()),
          "only the last part of a sum is left", *weight);
      return;
    }
  }

  // Each part goes on through the parts behind it.
  void parts_overlapping() {
    const size_t terms = elements_[0].terms();
    for (const int threads : {32, 64, 128, 256, 512, 1024}) {
      const size_t groups = (terms + size_t(threads) - 1) / size_t(threads);
      for (size_t parts = 2; parts <= groups; ++parts) {
        const auto weight = explained_by([=](const LinearElement& one) {
          double sum = 0;  // part p holds all from its beginning on
          for (size_t p = 0; p < parts; ++p) sum += one.between(p * size_t(threads), terms);
          return sum;
        });
        if (!weight) continue;
        const Edit edit{Edit::What::parts_overlap, sum_, 0, threads, 0, static_cast<int>(parts)};
        add(sentence_of(formula_, edit), kPartsOverlap, *weight);
        break;
      }
    }
  }

  // Each part goes through its terms in tiles, the last of which is cut at the end of the sum only.
  void tiles_of_parts_overlapping() {
    constexpr size_t kMostParts = 64;
    const size_t terms = elements_[0].terms();
    for (size_t parts = 2; parts <= std::min(terms / 2, kMostParts); ++parts) {
      const size_t length = (terms + parts - 1) / parts;
      for (const size_t tile : {4, 8, 16, 32, 64, 128}) {
        // A part is seldom much shorter than its tiles, and many such sums resemble each other.
        if (length % tile == 0 || tile >= 2 * length) continue;
        const auto weight = explained_by([=](const LinearElement& one) {
          double sum = 0;
          for (size_t begin = 0; begin < terms; begin += length) {
            const size_t own = std::min(length, terms - begin);
            sum += one.between(begin, begin + (own + tile - 1) / tile * tile);
          }
          return sum;
        });
        if (!weight) continue;
        add(fmt::format("Terms are added twice where two parts of the sum meet ({} parts of {} "
                        "terms, over {}, in tiles of {}): the last tile of a part goes on into the "
                        "next part. It must end with its part, not only with the whole sum.",
                        parts, length, loops(), tile),
            kPartsOverlap, *weight);
        return;
      }
    }
  }

  // Of groups of terms, dealt out to the parts in turn, those of one part.
  void single_parts() {
    constexpr size_t kMostParts = 64;
    const size_t terms = elements_[0].terms();
    for (const size_t threads : {32, 64, 128, 256, 512, 1024}) {
      const size_t groups = (terms + threads - 1) / threads;
      for (size_t parts = 2; parts <= std::min(groups, kMostParts); ++parts) {
        for (const bool is_last : {false, true}) {
          const auto weight = explained_by([=](const LinearElement& one) {
            double sum = 0;
            for (size_t group = is_last ? parts - 1 : 0; group < groups; group += parts) {
              sum += one.between(group * threads, (group + 1) * threads);
            }
            return sum;
          });
          if (!weight) continue;
          add(fmt::format("Of the {} parts of each sum only the {} one is added (its terms are {} "
                          "of every {}).",
                          parts, is_last ? "last" : "first", threads, threads * parts),
              "only one part of a sum is added", *weight);
          return;
        }
      }
    }
  }

  // Of groups of `threads` terms, dealt out to the parts in turn, those of part `part`.
  static double of_part(const LinearElement& one, size_t threads, size_t parts, size_t part) {
    double sum = 0;
    for (size_t at = part * threads; at < one.terms(); at += parts * threads) {
      sum += one.between(at, at + threads);
    }
    return sum;
  }

  // The parts that no half holds where an odd number of them is halved, and added, again and again.
  static std::vector<size_t> lost_by_halving(size_t parts) {
    std::vector<size_t> lost;
    for (; parts > 1; parts /= 2) {
      if (parts % 2 == 1) lost.push_back(parts - 1);
    }
    return lost;
  }

  // Calls visit(threads, parts) until it returns true.
  template <class Visit>
  bool find_dealing(const Visit& visit) const {
    constexpr size_t kMostParts = 64;
    const size_t terms = elements_[0].terms();
    for (const size_t threads : {1024, 512, 256, 128, 64, 32}) {
      const size_t groups = (terms + threads - 1) / threads;
      for (size_t parts = 3; parts <= std::min(groups, kMostParts); ++parts) {
        if (visit(threads, parts)) return true;
      }
    }
    return false;
  }

  // One part is not added, or twice: that of a block, or of one round of the outermost loop.
  void parts_lost_or_doubled() {
    const size_t terms = elements_[0].terms();
    const bool is_halved = find_dealing([&](size_t threads, size_t parts) {
      const std::vector<size_t> lost = lost_by_halving(parts);
      if (lost.empty()) return false;
      const auto weight = explained_by([&](const LinearElement& one) {
        double sum = one.between(0, terms);
        for (const size_t part : lost) sum -= of_part(one, threads, parts, part);
        return sum;
      });
      if (!weight) return false;
      add(fmt::format("Of the {} parts of each sum (the terms of a part are {} of every {}) part "
                      "{} is missing, counted from 0. It is what is left over where the number of "
                      "parts is halved again and again: half of an odd number is rounded down, and "
                      "the part in neither half is never added.",
                      parts, threads, threads * parts, fmt::join(lost, " and part ")),
          "a part of a sum is missing", *weight);
      return true;
    });
    if (is_halved || round_lost_or_doubled()) return;
    find_dealing([&](size_t threads, size_t parts) {
      for (size_t part = 0; part < parts; ++part) {
        for (const double times : {-1.0, 1.0}) {
          const auto weight = explained_by([&](const LinearElement& one) {
            return one.between(0, terms) + times * of_part(one, threads, parts, part);
          });
          if (!weight) continue;
          add(fmt::format("Of the {} parts of each sum (the terms of a part are {} of every {}) "
                          "part {}, counted from 0, is {}.",
                          parts, threads, threads * parts, part,
                          times < 0 ? "missing" : "added twice"),
              "a part of a sum is missing, or there twice", *weight);
          return true;
        }
      }
      return false;
    });
  }

  bool round_lost_or_doubled() {
    const Node& loop = formula_.at(sum_);
    if (formula_.at(loop.children[2]).kind != Kind::sum) return false;
    const std::string& name = formula_.names[size_t(loop.name)];
    const auto found = evidence_.params.find(formula_.text(loop.children[1]));
    if (found == evidence_.params.end() || found->second < 3) return false;
    const size_t terms = elements_[0].terms(), rounds = size_t(found->second);
    if (terms % rounds != 0) return false;
    const size_t length = terms / rounds;
    for (size_t round = 0; round < rounds; ++round) {
      for (const double times : {-1.0, 1.0}) {
        const auto weight = explained_by([&](const LinearElement& one) {
          return one.between(0, terms) + times * one.between(round * length, (round + 1) * length);
        });
        if (!weight) continue;
        add(fmt::format("The terms with {} = {} {} each sum.", name, round,
                        times < 0 ? "are missing in" : "count twice in"),
            "one round of a sum's outermost loop is missing, or counts twice", *weight);
        return true;
      }
    }
    return false;
  }

  const Formula& formula_;
  const Evidence& evidence_;
  Agreement agreement_;
  int sum_;
  const char* hint_;
  std::vector<LinearElement> elements_;
  SharedSums found_;
};

}  // namespace

SharedSums shared_sums(const Formula& formula, const Evidence& evidence, const char* hint) {
  const int sum = first_sum(formula, formula.root);
  if (sum == kNoNode || evidence.got.f32.empty()) return {};
  return SumsInParts(formula, evidence, sum, hint).search();
}

std::optional<Terms> terms_of(const Formula& formula, const Evidence& evidence, int64_t at,
                              int64_t most) {
  return TermReader(formula, evidence).read_terms(at, most);
}

}  // namespace convkit
