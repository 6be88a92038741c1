// SPDX-License-Identifier: MIT
#include "compare/formula/value.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace convkit {
namespace {

using Kind = Node::Kind;

double element_of(const CaseTensor& tensor, size_t i) {
  if (!tensor.f32.empty()) return double(tensor.f32[i]);
  return tensor.f64.empty() ? double(tensor.i32[i]) : tensor.f64[i];
}

size_t elements_of(const CaseTensor& tensor) {
  return std::max({tensor.f32.size(), tensor.f64.size(), tensor.i32.size()});
}

// exp(-200) is 0 in a program that does not subtract the largest element of a row.
double as_float(double value) {
  if (value > double(std::numeric_limits<float>::max())) {
    return std::numeric_limits<double>::infinity();
  }
  return value < double(std::numeric_limits<float>::denorm_min()) / 2 ? 0 : value;
}

}  // namespace

FormulaValue::FormulaValue(const Formula& formula, const Evidence& evidence, int64_t most_work,
                           bool float_range)
    : formula_(formula),
      values_(formula.names.size(), std::numeric_limits<double>::quiet_NaN()),
      float_range_(float_range),
      evidence_(evidence),
      tensors_(formula.names.size(), nullptr),
      most_work_(most_work) {
  for (size_t i = 0; i < formula.names.size(); ++i) {
    const auto param = evidence.params.find(formula.names[i]);
    // A function takes it as a float.
    if (param != evidence.params.end()) values_[i] = double(float(param->second));
    for (const CaseTensor& tensor : evidence.inputs) {
      if (tensor.name == formula.names[i]) tensors_[i] = &tensor;
    }
  }
  const std::vector<int64_t>& dims = evidence.reference.dims;
  if (dims.size() != formula.axes.size()) {
    complete_ = false;
    return;
  }
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    const int length = formula.axes[axis].length_name;
    if (length < 0) continue;
    double& known = values_[size_t(length)];
    if (std::isnan(known)) known = double(dims[axis]);
  }
  for (const Node& node : formula.nodes) {
    const bool is_parameter = node.kind == Kind::name && !formula.is_variable[size_t(node.name)];
    if (is_parameter && std::isnan(values_[size_t(node.name)])) complete_ = false;
  }
  if (!complete_) return;
  find_parts();
  place_results();
}

// Where results are stored in their own places, `held_` stays empty.
void FormulaValue::place_results() {
  bool in_place = true;
  const std::vector<int64_t>& dims = evidence_.reference.dims;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    const OutputAxis& one = formula_.axes[axis];
    const Node& index = formula_.at(one.index);
    const double begin = value(one.begin), end = value(one.end), length = value(one.length);
    in_place = in_place && index.kind == Kind::name && index.name == one.variable &&
               end <= double(dims[axis]) && length == double(dims[axis]);
    extent_.push_back(std::max<int64_t>(int64_t(end), 0));
    computed_.emplace_back(int64_t(begin), extent_.back());
  }
  if (in_place) {
    extent_ = dims;
    return;
  }
  int64_t results = 1;
  for (const int64_t extent : extent_) results *= extent;
  int64_t elements = 1;
  for (const int64_t dim : dims) elements *= dim;
  // About ten nodes are visited for each axis of a result.
  if (results > 4 * elements + 64 || results * 10 * int64_t(dims.size()) > most_work_) {
    complete_ = false;
    return;
  }
  held_.emplace(size_t(elements), -1);
  for (int64_t result = 0; result < results; ++result) {
    int64_t rest = result;
    ++element_;
    bool begun = true;
    for (size_t axis = extent_.size(); axis-- > 0;) {
      const OutputAxis& one = formula_.axes[axis];
      values_[size_t(one.variable)] = double(rest % extent_[axis]);
      begun = begun && double(rest % extent_[axis]) >= value(one.begin);
      rest /= extent_[axis];
    }
    double place = 0;
    for (const OutputAxis& one : formula_.axes)
      place = place * value(one.length) + value(one.index);
    if (begun && place >= 0 && place < double(elements)) (*held_)[size_t(place)] = result;
  }
}

int64_t FormulaValue::results() const {
  int64_t product = 1;
  for (const int64_t extent : extent_) product *= extent;
  return product;
}

double FormulaValue::place_of_result(int64_t result) {
  if (result < 0 || result >= results()) return std::numeric_limits<double>::quiet_NaN();
  for (size_t axis = extent_.size(); axis-- > 0;) {
    values_[size_t(formula_.axes[axis].variable)] = double(result % extent_[axis]);
    result /= extent_[axis];
  }
  begin_element();
  double place = 0;
  for (const OutputAxis& one : formula_.axes) place = place * value(one.length) + value(one.index);
  if (watched_.first >= 0) value(formula_.root);
  return place;
}

void FormulaValue::begin_element() {
  outside_ = unknown_ = false;
  ++element_;  // values of parts are of another one
  counted_ = 0;
  counted_before_.assign(formula_.names.size(), 0);
}

double FormulaValue::at(int64_t element) {
  if (held_) element = (*held_)[size_t(element)];
  if (element < 0) return predicted_unwritten();
  for (size_t axis = extent_.size(); axis-- > 0;) {
    const int64_t index = element % extent_[axis];
    if (index < computed_[axis].first || index >= computed_[axis].second) {
      return predicted_unwritten();
    }
    values_[size_t(formula_.axes[axis].variable)] = double(index);
    element /= extent_[axis];
  }
  begin_element();
  if (formula_.stored != kNoNode) {
    const double stored = value(formula_.stored);
    if (stored <= 0) return predicted_unwritten();
    if (stored < 1) return predicted_anything();
  }
  const double result = value(formula_.root);
  if (unknown_) return predicted_anything();
  if (outside_ && formula_.only_inside_stored) return predicted_unwritten();
  return outside_ ? 0 : result;
}

double FormulaValue::value(int id) {
  ++depth_;
  const double result = value_of(id);
  --depth_;
  return result;
}

double FormulaValue::value_of(int id) {
  constexpr int kDeepest = 200;
  if (++work_ > most_work_ || depth_ > kDeepest) {
    complete_ = false;
    unknown_ = true;
    return 0;
  }
  const Node& node = formula_.at(id);
  const auto child = [&](size_t i) { return value(node.children[i]); };
  switch (node.kind) {
    case Kind::number:
      return node.number;
    case Kind::name:
      return values_[size_t(node.name)];
    case Kind::part:
      return part(node);
    case Kind::negate:
      return -child(0);
    case Kind::add:
      return child(0) + child(1);
    case Kind::subtract:
      return child(0) - child(1);
    case Kind::multiply:
      return child(0) * child(1);
    case Kind::divide:
      return child(0) / child(1);
    case Kind::floor_divide:
      return std::floor(child(0) / child(1));
    case Kind::modulo: {
      const double left = child(0), right = child(1);
      return left - right * std::floor(left / right);
    }
    case Kind::less:
      return child(0) < child(1);
    case Kind::less_equal:
      return child(0) <= child(1);
    case Kind::greater:
      return child(0) > child(1);
    case Kind::greater_equal:
      return child(0) >= child(1);
    case Kind::equal:
      return child(0) == child(1);
    case Kind::call:
      return called(node);
    case Kind::choose:
      return child(0) != 0 ? child(1) : child(2);
    case Kind::read:
      return read(node);
    case Kind::sum:
    case Kind::max:
    case Kind::count:
      return reduced(node);
  }
  return 0;
}

// A part whose loops are all its own is the same in every pass of the loops around it.
void FormulaValue::find_parts() {
  parts_.resize(formula_.nodes.size());
  std::vector<bool> of_output(formula_.names.size());
  for (const OutputAxis& axis : formula_.axes) of_output[size_t(axis.variable)] = true;
  // A mistaken loop over a variable of the output, within which the part is not the same.
  for (const Node& node : formula_.nodes) {
    if (is_reduction(node.kind) && of_output[size_t(node.name)]) return;
  }
  for (const Node& node : formula_.nodes) {
    if (node.kind != Kind::part) continue;
    const int root = node.children[0];
    std::vector<bool> is_own = of_output;
    std::vector<int> seen{root};
    for (size_t i = 0; i < seen.size(); ++i) {
      const Node& inner = formula_.at(seen[i]);
      if (is_reduction(inner.kind)) is_own[size_t(inner.name)] = true;
      for (const int child : inner.children) {
        if (child != kNoNode) seen.push_back(child);
      }
      if (seen.size() > 1000) return;
    }
    parts_[size_t(root)].is_one = std::ranges::all_of(seen, [&](int id) {
      const Node& inner = formula_.at(id);
      return inner.kind != Kind::name || !formula_.is_variable[size_t(inner.name)] ||
             is_own[size_t(inner.name)];
    });
  }
}

double FormulaValue::part(const Node& node) {
  const int root = node.children[0];
  PartOfElement& known = parts_[size_t(root)];
  if (known.is_one && known.element == element_) return known.value;
  const bool was_outside = outside_;
  outside_ = false;
  const double result = value(root);
  if (known.is_one && !outside_ && !unknown_) known.element = element_, known.value = result;
  outside_ = outside_ || was_outside;
  return result;
}

double FormulaValue::read(const Node& node) {
  const CaseTensor* tensor = tensors_[size_t(node.name)];
  double place = 0;
  int inside_along = 0;
  double in_plane = 0, plane = 1;
  for (size_t i = 0; i < node.children.size(); i += 3) {
    const double index = value(node.children[i]);
    if (node.children[i + 2] != kNoNode) {
      const double length = value(node.children[i + 2]);
      const unsigned axis = 1u << (i / 3);
      if (node.outside_if == Node::Outside::of_plane) {
        const double step = value(node.children[i + 1]);
        in_plane = in_plane * step + index;
        plane *= length;
        place = place * step + index;
        continue;
      }
      if (node.outside_if != Node::Outside::along_any) {
        const bool clamps = node.outside_if == Node::Outside::along_both_clamped;
        const bool is_one = index >= 0 && index < length;
        inside_along += is_one;
        const double there = clamps && !is_one ? (index < 0 ? 0 : length - 1) : index;
        place = place * value(node.children[i + 1]) + there;
        continue;
      }
      const bool inside = (index >= 0 || (node.untested_below & axis) != 0) &&
                          (index < length || (node.untested_above & axis) != 0);
      if (!inside) {
        outside_ = outside_ || !node.zero_outside;
        return 0;
      }
    }
    place = place * value(node.children[i + 1]) + index;
  }
  const bool is_outside = node.outside_if == Node::Outside::of_plane
                              ? in_plane < 0 || in_plane >= plane
                              : node.outside_if != Node::Outside::along_any && inside_along == 0;
  if (is_outside) {
    outside_ = outside_ || !node.zero_outside;
    return 0;
  }
  if (counts_) return 1;  // whether it lies inside; it is not read
  if (node.added != kNoNode) place += value(node.added);
  // (The low bytes of a float over zeros are next to 0.)
  const bool arrives =
      !node.only_quarter || !tensor || (place + 1) * sizeof(float) <= double(elements_of(*tensor));
  if (!arrives) return 0;
  if (node.zero_behind && tensor && place >= double(elements_of(*tensor))) return 0;
  if (!tensor || !(place >= 0 && place < double(elements_of(*tensor))) ||
      place != std::floor(place)) {
    const bool is_watched = tensor && int64_t(elements_of(*tensor)) == watched_.first &&
                            place == double(watched_.second);
    saw_watched_ = saw_watched_ || is_watched;
    unknown_ = true;
    return 0;
  }
  return element_of(*tensor, size_t(place));
}

double FormulaValue::reduced(const Node& node) {
  const double begin = value(node.children[0]), end = value(node.children[1]);
  double& variable = values_[size_t(node.name)];
  const double before = variable;
  double result = node.kind == Kind::max ? -std::numeric_limits<double>::infinity() : 0;
  const bool watches = watched_.first >= 0;
  for (double i = begin; i < end && complete_ && (!unknown_ || watches); ++i) {
    variable = i;
    outside_ = false;
    counted_before_[size_t(node.name)] = counted_;
    if (node.stops != kNoNode && (value(node.stops) == 0 || outside_)) break;
    const bool counted = counts_;
    counts_ = counts_ || node.kind == Kind::count;
    const double term = value(node.children[2]);
    counts_ = counted;
    if (outside_) continue;
    counted_ += node.kind == Kind::sum && !is_reduction(formula_.at(node.children[2]).kind);
    if (node.kind == Kind::max) {
      result = std::max(result, term);
    } else {
      result += node.kind == Kind::sum ? term : 1;
    }
  }
  variable = before;
  outside_ = false;
  return result;
}

double FormulaValue::called(const Node& node) {
  const std::string& name = formula_.names[size_t(node.name)];
  if (name == "so_far") {
    int64_t before = 0;
    for (const int loop : node.children) {
      before = std::max(before, counted_before_[size_t(formula_.at(loop).name)]);
    }
    return double(counted_ - before);
  }
  const double x = value(node.children[0]);
  if (node.children.size() == 1) {
    if (name == "exp") return float_range_ ? as_float(std::exp(x)) : std::exp(x);
    if (name == "log") return std::log(x);
    if (name == "sqrt") return std::sqrt(x);
    if (name == "tanh") return std::tanh(x);
    if (name == "abs") return std::fabs(x);
    if (name == "cos") return std::cos(x);
  } else {
    const double y = value(node.children[1]);
    if (name == "max") return std::max(x, y);
    if (name == "min") return std::min(x, y);
    if (name == "pow") return std::pow(x, y);
    if (name == "truncated") return std::trunc(x / y);
    if (name == "clamped") return std::clamp(x, 0.0, std::max(y - 1, 0.0));
    if (name == "exact") {
      const double quotient = std::floor(x / y);
      // What is tested for a rest, if it is not x.
      const double tested = node.children.size() > 2 ? value(node.children[2]) : x;
      outside_ = outside_ || std::floor(tested / y) * y != tested;
      return quotient;
    }
  }
  unknown_ = true;
  return 0;
}

}  // namespace convkit
