// SPDX-License-Identifier: MIT
// Reading a formula, and writing parts of it.
#include "compare/formula/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <utility>

namespace convkit {
namespace {

using Kind = Node::Kind;

struct Operator {
  std::string_view sign;
  Kind kind;
};
// By precedence, the loosest first; of signs that begin alike the longer first.
constexpr Operator kCompare[] = {{"<=", Kind::less_equal},
                                 {">=", Kind::greater_equal},
                                 {"==", Kind::equal},
                                 {"<", Kind::less},
                                 {">", Kind::greater}};
constexpr Operator kAdd[] = {{"+", Kind::add}, {"-", Kind::subtract}};
constexpr Operator kMultiply[] = {
    {"*", Kind::multiply}, {"//", Kind::floor_divide}, {"/", Kind::divide}, {"%", Kind::modulo}};
constexpr std::span<const Operator> kLevels[] = {kCompare, kAdd, kMultiply};

class Parser {
 public:
  Parser(std::string_view text, Formula& formula) : text_(text), formula_(formula) {}

  void formula() {
    // Parts stand at the end, and are needed before.
    const size_t head_end = std::min(text_.find(';'), text_.size());
    const std::string_view whole = text_;
    size_t begin = head_end;
    while (begin < whole.size()) {
      const size_t end = std::min(whole.find(';', begin + 1), whole.size());
      at_ = begin + 1;
      text_ = whole.substr(0, end);
      const std::string name = word();
      expect("=");
      parts_[name] = expression();
      at_end();
      begin = end;
    }
    at_ = 0;
    text_ = whole.substr(0, head_end);
    formula_.output = word();
    expect("[");
    do {
      output_axis();
    } while (skip(","));
    expect("]");
    expect("=");
    formula_.root = expression();
    add_unused_parts();
    at_end();
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw std::invalid_argument(fmt::format("formula '{}', at '{}': {}", text_,
                                            text_.substr(std::min(at_, text_.size())), why));
  }
  void spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  void at_end() {
    spaces();
    if (at_ < text_.size()) fail("an operator was expected");
  }
  bool skip(std::string_view sign) {
    spaces();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  void expect(std::string_view sign) {
    if (!skip(sign)) fail(fmt::format("'{}' was expected", sign));
  }
  std::string word() {
    spaces();
    const size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) {
      ++at_;
    }
    if (begin == at_) fail("a name was expected");
    return std::string(text_.substr(begin, at_ - begin));
  }
  int node(Kind kind, std::vector<int> children = {}, int name = -1, double number = 0) {
    return formula_.add({kind, number, name, std::move(children)});
  }
  int number(double value) { return node(Kind::number, {}, -1, value); }
  int named(const std::string& name) { return node(Kind::name, {}, formula_.name_of(name)); }
  int variable(const std::string& name) {
    const int place = formula_.name_of(name);
    formula_.is_variable[size_t(place)] = true;
    return place;
  }

  void output_axis() {
    const std::string name = word();
    const int of_loop = variable(name);
    expect("<");
    const size_t length = at_;
    const int end = level(1);
    at_ = length;
    const int index = named(name), length_of_axis = level(1);
    const Node& whole = formula_.at(length_of_axis);
    const int length_name = whole.kind == Kind::name ? whole.name : -1;
    formula_.axes.push_back({of_loop, number(0), end, index, length_of_axis, length_name});
  }

  int expression() { return level(0); }

  int level(size_t depth) {
    if (depth == std::size(kLevels)) return factor();
    int left = level(depth + 1);
    for (;;) {
      const auto found =
          std::ranges::find_if(kLevels[depth], [&](const Operator& one) { return skip(one.sign); });
      if (found == kLevels[depth].end()) return left;
      left = node(found->kind, {left, level(depth + 1)});
    }
  }

  int factor() {
    if (skip("-")) return node(Kind::negate, {factor()});
    if (skip("(")) {
      const int inner = expression();
      expect(")");
      return inner;
    }
    spaces();
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) {
      const std::string rest(text_.substr(at_));
      char* end = nullptr;
      const double value = std::strtod(rest.c_str(), &end);
      at_ += size_t(end - rest.c_str());
      return number(value);
    }
    const std::string name = word();
    if (skip("[")) return read(name);
    if (skip("(")) return call(name);
    const auto part = parts_.find(name);
    if (part != parts_.end()) return node(Kind::part, {part->second}, formula_.name_of(name));
    return named(name);
  }

  int read(const std::string& tensor) {
    std::vector<int> children;
    do {
      children.push_back(expression());
      const bool tested = skip("?");
      if (!tested) expect(":");
      const size_t length = at_;
      children.push_back(level(1));
      if (tested) at_ = length;
      children.push_back(tested ? level(1) : kNoNode);
    } while (skip(","));
    expect("]");
    return node(Kind::read, children, formula_.name_of(tensor));
  }

  int call(const std::string& name) {
    const bool reduces = name == "sum" || name == "count" || (name == "max" && is_loop());
    if (reduces) {
      return reduction(name == "max" ? Kind::max : name == "sum" ? Kind::sum : Kind::count);
    }
    std::vector<int> arguments;
    do {
      arguments.push_back(expression());
    } while (skip(","));
    expect(")");
    if (name == "if") {
      if (arguments.size() != 3) fail("if(condition, then, else) was expected");
      return node(Kind::choose, arguments);
    }
    return node(Kind::call, arguments, formula_.name_of(name));
  }

  // max(k<n) is a loop, max(a, b) is not.
  bool is_loop() const {
    const size_t sign = text_.find_first_of("<,)", at_);
    return sign != std::string_view::npos && text_[sign] == '<';
  }

  int reduction(Kind kind) {
    std::vector<std::pair<int, int>> loops;  // variable, end
    do {
      const int name = variable(word());
      expect("<");
      loops.emplace_back(name, level(1));
    } while (skip(","));
    expect(")");
    int term = level(2);
    for (size_t i = loops.size(); i-- > 0;) {
      const bool innermost = i + 1 == loops.size();
      term = node(kind == Kind::count && !innermost ? Kind::sum : kind,
                  {number(0), loops[i].second, term}, loops[i].first);
    }
    return term;
  }

  std::string_view text_;
  size_t at_ = 0;
  Formula& formula_;
  // What is defined and not used may stand where another part belongs.
  void add_unused_parts() {
    for (const auto& [name, value] : parts_) {
      const int of = formula_.name_of(name);
      const bool is_used = std::ranges::any_of(formula_.nodes, [&](const Node& one) {
        return one.kind == Kind::part && one.name == of;
      });
      if (!is_used) node(Kind::part, {value}, of);
    }
  }

  std::map<std::string, int> parts_;
};

std::string_view sign_of(Kind kind) {
  for (const auto& level : kLevels) {
    for (const Operator& one : level) {
      if (one.kind == kind) return one.sign;
    }
  }
  return "";
}

int precedence(Kind kind) {
  for (size_t depth = 0; depth < std::size(kLevels); ++depth) {
    for (const Operator& one : kLevels[depth]) {
      if (one.kind == kind) return int(depth);
    }
  }
  return kind == Kind::negate ? 2 : 3;
}

}  // namespace

Formula::Formula(std::string_view text) {
  Parser(text, *this).formula();
}

int Formula::add(Node node) {
  nodes.push_back(std::move(node));
  return int(nodes.size()) - 1;
}

int Formula::name_of(std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return int(found - names.begin());
  names.emplace_back(name);
  is_variable.push_back(false);
  return int(names.size()) - 1;
}

std::string Formula::text(int id) const {
  const Node& node = at(id);
  const auto child = [&](size_t i) { return text(node.children[i]); };
  const auto bracketed = [&](size_t i, bool right) {
    const int own = precedence(node.kind), inner = precedence(at(node.children[i]).kind);
    return inner < own || (right && inner == own && own < 3) ? '(' + child(i) + ')' : child(i);
  };
  const auto listed = [&](size_t step, std::string_view between) {
    std::string list;
    for (size_t i = 0; i < node.children.size(); i += step) {
      list += (i > 0 ? std::string(between) : std::string()) + child(i);
    }
    return list;
  };
  switch (node.kind) {
    case Kind::number:
      return fmt::format("{:g}", node.number);
    case Kind::name:
    case Kind::part:
      return names[size_t(node.name)];
    case Kind::negate:
      return '-' + bracketed(0, true);
    case Kind::call:
      return fmt::format("{}({})", names[size_t(node.name)], listed(1, ", "));
    case Kind::choose:
      return fmt::format("({} ? {} : {})", child(0), child(1), child(2));
    case Kind::read:
      return fmt::format("{}[{}]", names[size_t(node.name)], listed(3, "]["));
    case Kind::sum:
    case Kind::max:
    case Kind::count: {
      const Node& begin = at(node.children[0]);
      const bool from_zero = begin.kind == Kind::number && begin.number == 0;
      return fmt::format("{}_{{{}{} < {}}} {}",
                         node.kind == Kind::sum   ? "sum"
                         : node.kind == Kind::max ? "max"
                                                  : "count",
                         from_zero ? "" : child(0) + " <= ", names[size_t(node.name)], child(1),
                         bracketed(2, false));
    }
    default:
      return fmt::format("{} {} {}", bracketed(0, false), sign_of(node.kind), bracketed(1, true));
  }
}

}  // namespace convkit
