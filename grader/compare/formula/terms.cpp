// SPDX-License-Identifier: MIT
#include "compare/formula/terms.h"

#include <fmt/format.h>

#include <algorithm>

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

std::optional<Terms> terms_of(const Formula& formula, const Evidence& evidence, int64_t at,
                              int64_t most) {
  return TermReader(formula, evidence).read_terms(at, most);
}

}  // namespace convkit
