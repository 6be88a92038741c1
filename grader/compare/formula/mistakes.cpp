// SPDX-License-Identifier: MIT
#include "compare/formula/mistakes.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <sstream>
#include <string>

#include "compare/agreement.h"
#include "compare/field.h"
#include "compare/formula/edits.h"
#include "compare/formula/places.h"
#include "compare/formula/terms.h"
#include "compare/formula/value.h"

namespace convkit {
namespace {

// Nodes visited for a case; one takes about 10 ns.
constexpr int64_t kMostWork = 8'000'000;
// Of these for one edit. Of a large output only so much is looked at.
constexpr int64_t kMostWorkOfOne = 1'000'000;
// For one edit that may read outside a tensor.
constexpr int64_t kMostWorkOfAccess = 100'000;
constexpr size_t kMostGuesses = 150;  // of an output that holds nothing

std::vector<OperationFormula>& formula_registry() {
  static std::vector<OperationFormula> formulas;
  return formulas;
}

bool is_for(const OperationFormula& formula, const std::string& op) {
  std::istringstream patterns(formula.ops);
  for (std::string pattern; patterns >> pattern;) {
    if (fnmatch(pattern.c_str(), op.c_str(), 0) == 0) return true;
  }
  return false;
}

int64_t elements_of(const Evidence& evidence) {
  return int64_t(std::max(evidence.reference.f64.size(), evidence.reference.i32.size()));
}

bool is_unwritten_value(const float& value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  return is_unwritten(bits) || is_fresh(bits);
}

// Wrong elements first, as most mistakes are ruled out by one of them; then right ones, which all
// are where there is no output.
std::vector<int64_t> samples(const Evidence& evidence, const Agreement& agreement) {
  constexpr size_t kOfEach = 12;
  const bool has_output = !evidence.got.f32.empty() || !evidence.got.i32.empty();
  std::vector<int64_t> wrong, right;
  for (int64_t i = 0; i < elements_of(evidence); ++i) {
    const double expected = evidence.reference.i32.empty() ? evidence.reference.f64[size_t(i)]
                                                           : evidence.reference.i32[size_t(i)];
    const bool agrees = !has_output || agreement.agrees(size_t(i), expected);
    (agrees ? right : wrong).push_back(i);
  }
  std::vector<int64_t> chosen;
  for (const auto& of_kind : {wrong, right}) {
    const size_t count = std::min(of_kind.size(), kOfEach);
    for (size_t i = 0; i < count; ++i) chosen.push_back(of_kind[i * of_kind.size() / count]);
  }
  return chosen;
}

class Trial {
 public:
  explicit Trial(const Evidence& evidence)
      : evidence_(evidence),
        agreement_(evidence),
        has_unwritten_(std::ranges::any_of(evidence.got.f32, is_unwritten_value)),
        samples_(samples(evidence, agreement_)) {}

  bool gives_reference(const Formula& formula) const {
    FormulaValue value(formula, evidence_, 2 * kMostWorkOfOne);
    const bool gives = value.complete() && std::ranges::all_of(samples_, [&](int64_t i) {
                         if (value.work() > kMostWorkOfOne) return true;
                         const double predicted = value.at(i);
                         return !is_special(predicted, predicted_anything()) &&
                                !agreement_.differs_from_reference(size_t(i), predicted);
                       });
    return gives && value.complete();
  }

  bool explained_by(const Formula& formula) {
    // Most outputs are written throughout, and no edit of that kind has to be tried.
    const bool leaves_out = formula.stored != kNoNode || formula.only_inside_stored;
    if (leaves_out && !has_unwritten_) return false;
    return explained_by(formula, false) || (has_exp(formula) && explained_by(formula, true));
  }

  // Whether the reference rules it out, as far as looked.
  bool shows(const Formula& formula) const {
    FormulaValue value(formula, evidence_, kMostWorkOfOne);
    bool differs = false;
    const int64_t elements = elements_of(evidence_);
    for (int64_t i = 0; i < elements && value.complete() && !differs; ++i) {
      const double predicted = value.at(i);
      differs = value.complete() && agreement_.differs_from_reference(size_t(i), predicted);
    }
    return differs;
  }

  bool leaves_open(const Formula& formula) const {
    FormulaValue value(formula, evidence_, kMostWorkOfOne);
    const int64_t elements = elements_of(evidence_);
    bool is_open = false;
    for (int64_t i = 0; i < elements && value.complete(); ++i) {
      const double predicted = value.at(i);
      if (agreement_.differs_from_reference(size_t(i), predicted)) return false;
      is_open = is_open || is_special(predicted, predicted_anything());
    }
    return value.complete() && is_open;
  }

  bool goes_on() const { return work_ < kMostWork; }
  bool has_unwritten() const { return has_unwritten_; }
  int64_t work() const { return work_; }
  void add_work(int64_t work) { work_ += work; }
  const Weight& weight() const { return weight_; }  // of the formula that explained it last

 private:
  static bool has_exp(const Formula& formula) {
    return std::ranges::find(formula.names, "exp") != formula.names.end();
  }

  // What is read outside of a tensor is not known, but it is stored.
  bool agrees(int64_t i, double predicted) const {
    const bool is_stored = !is_in_parts_ && is_special(predicted, predicted_anything());
    if (is_stored && has_unwritten_ && is_unwritten_value(evidence_.got.f32[size_t(i)])) {
      return false;
    }
    return agreement_.agrees(size_t(i), predicted);
  }

  bool explained_by(const Formula& formula, bool float_range) {
    is_in_parts_ = formula.stored != kNoNode;  // parts of an element, too
    FormulaValue value(formula, evidence_, 2 * kMostWorkOfOne, float_range);
    const bool is = value.complete() && fits(value) && value.complete();
    work_ += value.work();
    return is;
  }

  bool fits(FormulaValue& value) {
    int64_t known = 0, looked_at = 0;
    for (const int64_t i : samples_) {
      if (value.work() > kMostWorkOfOne) break;
      const double predicted = value.at(i);
      if (!agrees(i, predicted)) return false;
      known += !is_special(predicted, predicted_anything());
      ++looked_at;
    }
    if (known == 0) return false;
    const int64_t elements = elements_of(evidence_);
    const int64_t affordable =
        std::max<int64_t>(kMostWorkOfOne / 2 / (value.work() / looked_at + 1), 1);
    const int64_t step = (elements + affordable - 1) / affordable;
    int64_t telling = 0, seen = 0;
    Weigher weigher;
    for (int64_t i = 0; i < elements; i += step, ++seen) {
      const double predicted = value.at(i);
      if (!agrees(i, predicted)) return false;
      telling += agreement_.differs_from_reference(size_t(i), predicted);
      weigh(evidence_, agreement_, size_t(i), predicted, weigher);
    }
    weight_ = weigher.weight();
    // As for models, but an output of two or three elements may show a mistake, too.
    return telling >= std::min<int64_t>(std::clamp<int64_t>(seen / 10, 4, 16), seen);
  }

  const Evidence& evidence_;
  Agreement agreement_;
  bool has_unwritten_;
  bool is_in_parts_ = false;
  std::vector<int64_t> samples_;
  int64_t work_ = 0;
  Weight weight_;
};

// The formula that gives the reference; `trial` is made where there is one to try.
const OperationFormula* formula_of(const Evidence& evidence, std::optional<Trial>& trial) {
  for (const OperationFormula* one : formulas_for(evidence)) {
    if (one->finds_taps) continue;
    if (!trial) trial.emplace(evidence);
    if (trial->gives_reference(Formula(one->text))) return one;
  }
  return nullptr;
}

struct WrongDivision {
  const OperationFormula* of;
  Formula formula;
  Edit edit;
};

// Of the formulas by which programs find the taps of an output.
std::vector<WrongDivision> wrong_divisions(const Evidence& evidence) {
  std::vector<WrongDivision> found;
  for (const OperationFormula* one : formulas_for(evidence)) {
    if (!one->finds_taps) continue;
    const Formula formula(one->text);
    for (const Edit& edit : edits_of(formula)) {
      const bool is_division =
          edit.what == Edit::What::remainder || edit.what == Edit::What::first_rounded;
      if (is_division) found.push_back({one, formula, edit});
    }
  }
  return found;
}

void add_if_new(std::vector<Guess>& guesses, Guess guess) {
  const bool is_known = std::ranges::any_of(
      guesses, [&](const Guess& known) { return known.sentence == guess.sentence; });
  if (!is_known) guesses.push_back(std::move(guess));  // else of tiles of another size
}

// Whether the edit is one by which programs leave a tensor: only those are tried, as too many
// others could.
bool may_access(const Formula& formula, const Edit& edit, const BadAccess& access) {
  const bool of_output = std::ranges::any_of(formula.axes, [&](const OutputAxis& axis) {
    return edit.node == axis.end || edit.node == axis.length || edit.node == axis.index;
  });
  switch (edit.what) {
    case Edit::What::other_name:
    case Edit::What::one_for_length:
      return of_output || access.kind == BadAccess::Kind::reads;
    case Edit::What::one_more:  // of a loop, or of a test
      return of_output || (access.kind == BadAccess::Kind::reads &&
                           sentence_of(formula, edit).starts_with("The "));
    case Edit::What::other_name_always:
    case Edit::What::names_exchanged:
    case Edit::What::exchanged_in_parts:
    case Edit::What::unguarded:
    case Edit::What::ends_exchanged:
      return true;
    case Edit::What::other_layout:
    case Edit::What::indices_exchanged:
    case Edit::What::not_stored_apart:
    case Edit::What::longer_rows:
      return (edit.node == kNoNode) != (access.kind == BadAccess::Kind::reads);
    case Edit::What::untested:
    case Edit::What::untested_below:
    case Edit::What::untested_above:
      return access.kind == BadAccess::Kind::reads;
    default:
      return false;
  }
}

// Results at the corners of what is computed, and where an axis goes on behind its right end: they
// read the most outside.
std::vector<int64_t> telling_results(const FormulaValue& value, const Evidence& evidence) {
  const std::vector<int64_t>& extent = value.extent();
  std::vector<int64_t> found;
  if (value.results() <= 0) return found;
  for (const bool at_end : {false, true}) {
    for (size_t axis = 0; axis < extent.size(); ++axis) {
      const int64_t length = evidence.reference.dims[axis], last = extent[axis] - 1;
      for (const int64_t index : {int64_t(0), length, last, int64_t(1), length - 1}) {
        if (index < 0 || index > last) continue;
        int64_t result = 0;
        for (size_t other = 0; other < extent.size(); ++other) {
          const int64_t there = other == axis ? index : at_end ? extent[other] - 1 : 0;
          result = result * extent[other] + there;
        }
        if (std::ranges::find(found, result) == found.end()) found.push_back(result);
      }
    }
  }
  return found;
}

// Whether the thread that makes the access may compute the result, as far as that is known. Its
// block's number, or a multiple of it, is an index, or one made of two neighbouring ones (images
// and maps, say).
enum class Computes { no, perhaps, likely };
Computes computes(const BadAccess& access, const std::vector<int64_t>& extent, int64_t result) {
  std::vector<int64_t> indices(extent.size());
  for (size_t axis = extent.size(); axis-- > 0;) {
    indices[axis] = result % extent[axis];
    result /= extent[axis];
  }
  std::vector<int64_t> numbers = indices;
  for (size_t axis = 0; axis + 1 < indices.size(); ++axis) {
    const bool is_last = axis + 2 == indices.size();
    if (is_last && indices.size() > 2) break;  // what the last axes make runs along x
    numbers.push_back(indices[axis] * extent[axis + 1] + indices[axis + 1]);
    numbers.push_back(indices[axis + 1] * extent[axis] + indices[axis]);
  }
  const bool may = std::ranges::all_of(access.block, [&](int64_t block) {
    return block == 0 || std::ranges::any_of(numbers, [&](int64_t number) {
             return number > 0 && number % block == 0;
           });
  });
  if (!may) return Computes::no;
  return access.column >= 0 && indices.back() == access.column ? Computes::likely
                                                               : Computes::perhaps;
}

// How likely the program makes it.
Computes makes_access(FormulaValue& value, const Evidence& evidence, const BadAccess& access) {
  if (access.kind == BadAccess::Kind::reads) {
    value.watch_for(access.elements, access.index);
    for (const int64_t result : telling_results(value, evidence)) {
      value.place_of_result(result);
      if (value.saw_watched()) return Computes::perhaps;
    }
    return Computes::no;
  }
  const bool twice = access.kind == BadAccess::Kind::writes_twice;
  int stored = 0;
  Computes best = Computes::no;
  const int64_t results = value.results();
  for (int64_t i = 0; i < results && value.complete() && best != Computes::likely; ++i) {
    if (value.place_of_result(i) != double(access.index)) continue;
    if (twice && ++stored == 2) return Computes::perhaps;
    if (!twice) best = std::max(best, computes(access, value.extent(), i));
  }
  return best;
}

// Along each axis of the output, the index of the first wrong element: what comes before is right.
std::vector<int64_t> first_wrong(const Evidence& evidence) {
  const std::vector<int64_t>& dims = evidence.reference.dims;
  std::vector<int64_t> first = dims;
  const Field field(evidence);
  for (int64_t i = 0; i < field.size(); ++i) {
    if (!field.bad(i)) continue;
    int64_t rest = i;
    for (size_t axis = dims.size(); axis-- > 0;) {
      first[axis] = std::min(first[axis], rest % dims[axis]);
      rest /= dims[axis];
    }
  }
  return first;
}

Guess::Kind kind_of(const Edit& edit) {
  switch (edit.what) {
    case Edit::What::whole_parts:
    case Edit::What::whole_parts_computed:
      return Guess::Kind::whole_groups;
    case Edit::What::one_more:
    case Edit::What::unguarded:
      return Guess::Kind::just_past;
    default:
      return Guess::Kind::plain;
  }
}

// What programs that store one result in the place of another compute: formulas of the operation's
// other outputs of the same size.
std::vector<const OperationFormula*> others_in_place_of(const OperationFormula& right,
                                                        const Evidence& evidence) {
  const auto lengths = [](const Formula& formula) {
    std::string text;
    for (const OutputAxis& axis : formula.axes) text += formula.text(axis.length) + ';';
    return text;
  };
  const Formula formula(right.text);
  std::vector<const OperationFormula*> found;
  for (const OperationFormula& one : registered_formulas()) {
    if (!is_for(one, evidence.op)) continue;
    const Formula other(one.text);
    if (other.output != formula.output && lengths(other) == lengths(formula)) found.push_back(&one);
  }
  return found;
}

std::string in_place_of(const Formula& other, const Formula& right) {
  return "`" + right.output + "` holds what belongs in `" + other.output +
         "`: one stands in place of the other.";
}

struct OtherFactor {
  Formula formula;
  std::string sentence;
};

// Of an output that is an element of an input times a factor: with another output of the operation
// in the factor's place, as where the other's memory keeps the factor for a while.
std::vector<OtherFactor> other_factors_of(const OperationFormula& right, const Evidence& evidence) {
  const std::string_view text = right.text;
  const size_t begins = text.find(" = "), ends = std::min(text.find(';'), text.size());
  const std::string_view product = text.substr(begins + 3, ends - begins - 3);
  const size_t times = product.find("] * ");
  const size_t bracket =
      product.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  const bool is_product = begins != std::string_view::npos && times != std::string_view::npos &&
                          bracket < times && product[bracket] == '[' && product.find(']') == times;
  const Formula formula(right.text);
  const Node& root = formula.at(formula.root);
  if (!is_product || root.kind != Node::Kind::multiply) return {};
  std::vector<OtherFactor> found;
  for (const OperationFormula& one : registered_formulas()) {
    if (!is_for(one, evidence.op)) continue;
    const Formula other(one.text);
    const bool depends_on_more = std::ranges::any_of(other.axes, [&](const OutputAxis& axis) {
      return std::ranges::none_of(formula.axes, [&](const OutputAxis& known) {
        return formula.names[size_t(known.variable)] == other.names[size_t(axis.variable)];
      });
    });
    if (other.output == formula.output || depends_on_more) continue;
    const std::string_view of_other = one.text;
    const size_t from = of_other.find(" = ") + 3;
    const size_t parts = std::min(of_other.find(';'), of_other.size());
    const auto head = text.substr(0, begins + 3), read = product.substr(0, times + 1);
    found.push_back(
        {Formula(fmt::format("{}{} * ({}){}", head, read, of_other.substr(from, parts - from),
                             of_other.substr(parts))),
         fmt::format("`{0}` is the factor where `{1}` belongs: each element of {2} is "
                     "multiplied by an element of {0}. Was the factor kept in the "
                     "memory of {0}, and overwritten there before it was used?",
                     other.output, formula.text(root.children[1]), read.substr(0, bracket))});
  }
  return found;
}

// What a program without loops and blocks of its own cannot do.
bool is_of_loops(const Edit& edit) {
  if (edit.what == Edit::What::carry_lost || edit.what == Edit::What::copy_turned) return true;
  return edit.what >= Edit::What::first_term && edit.what != Edit::What::also_over &&
         edit.what != Edit::What::reversed;
}

// --- code for kernels of another size ----------------------------------------------------------

// A program that has code for some sizes of a kernel, and takes the wrong one.
struct Instance {
  Formula formula;
  std::string sentence;
};

std::string sizes(double rows, double columns) {
  return fmt::format("{:g} x {:g}", rows, columns);
}

// With `rows` x `columns` in the kernel's place. In memory, the kernel of a channel may still have
// its own size; behind the end of the weights may be zeros.
Formula with_kernel(Formula formula, double rows, double columns, bool own_plane,
                    bool zero_behind) {
  const int kh = formula.name_of("kh"), kw = formula.name_of("kw");
  std::vector<int> weights;
  for (int id = 0; id < int(formula.nodes.size()); ++id) {
    const Node& node = formula.at(id);
    const size_t children = node.kind == Node::Kind::read ? node.children.size() : 0;
    const auto is_length = [&](size_t child, int name) {
      const Node& length = formula.at(node.children[child]);
      return length.kind == Node::Kind::name && length.name == name;
    };
    if (children > 6 && is_length(children - 2, kw) && is_length(children - 5, kh)) {
      weights.push_back(id);
    }
  }
  const auto number = [&](double value) {
    return formula.add({Node::Kind::number, value, -1, {}});
  };
  std::vector<int> own(2);
  own[0] = formula.add({Node::Kind::name, 0, kh, {}});
  own[1] = formula.add({Node::Kind::name, 0, kw, {}});
  std::vector<int> kept = nodes_of_parts(formula);
  kept.insert(kept.end(), own.begin(), own.end());
  for (int id = 0; id < int(formula.nodes.size()); ++id) {
    Node& node = formula.at(id);
    const bool is_size = node.kind == Node::Kind::name && (node.name == kh || node.name == kw);
    if (!is_size || std::ranges::find(kept, id) != kept.end()) continue;
    node = {Node::Kind::number, node.name == kh ? rows : columns, -1, {}};
  }
  for (const int id : weights) {
    formula.at(id).zero_behind = zero_behind;
    if (!own_plane) continue;
    const std::vector<int> children = formula.at(id).children;
    int plane = number(0);
    for (size_t i = 0; i + 6 < children.size(); i += 3) {
      plane = formula.add({Node::Kind::multiply, 0, -1, {plane, children[i + 1]}});
      plane = formula.add({Node::Kind::add, 0, -1, {plane, children[i]}});
    }
    const int area = formula.add({Node::Kind::multiply, 0, -1, {own[0], own[1]}});
    const int more = formula.add({Node::Kind::subtract, 0, -1, {area, number(rows * columns)}});
    const int added = formula.add({Node::Kind::multiply, 0, -1, {plane, more}});
    formula.at(id).added = added;
  }
  return formula;
}

// None where the operation has no kernel whose taps it sums.
std::vector<Instance> instances_of(const Formula& formula, const Evidence& evidence) {
  const auto parameter = [&](const char* name) {
    const auto found = evidence.params.find(name);
    return found == evidence.params.end() ? 0.0 : found->second;
  };
  const double kh = parameter("kh"), kw = parameter("kw");
  const auto is_tap = [&](const char* name) {
    return std::ranges::any_of(formula.nodes, [&](const Node& node) {
      return is_reduction(node.kind) && formula.text(node.children[1]) == name;
    });
  };
  if (kh < 1 || kw < 1 || !is_tap("kh") || !is_tap("kw")) return {};
  constexpr int kLargest = 7;
  std::vector<std::pair<double, double>> taken;  // squares are the likeliest
  const auto take = [&](double rows, double columns) {
    const std::pair one(rows, columns);
    const bool is_own = rows == kh && columns == kw;
    if (!is_own && std::ranges::find(taken, one) == taken.end()) taken.push_back(one);
  };
  for (int size = 1; size <= kLargest; ++size) take(size, size);
  for (int size = 1; size <= kLargest; ++size) take(kh, size), take(size, kw);
  // What the choice may look at besides the size.
  std::string of_kind;
  for (const char* what : {"stride", "dilation"}) {
    const double h = parameter(fmt::format("{}_h", what).c_str());
    const double w = parameter(fmt::format("{}_w", what).c_str());
    if (h * w > 1) of_kind += fmt::format(", {} {}", what, sizes(h, w));
  }
  std::vector<Instance> found;
  for (const auto& [rows, columns] : taken) {
    const std::string as_if = rows != columns ? ""
                              : columns == kw ? " (as if kh were kw)"
                              : rows == kh    ? " (as if kw were kh)"
                                              : "";
    const std::string sentence = fmt::format(
        "A kernel of {0}{1} is computed by code for {2}{3}: {2} taps take part, and the weights "
        "are taken as rows of {4}. Where the code (or the instance of a template) for a kernel is "
        "chosen, {0} gets that of another size.",
        sizes(kh, kw), of_kind, sizes(rows, columns), as_if, columns);
    for (const bool own_plane : {false, true}) {
      for (const bool zero_behind : {false, true}) {
        if (zero_behind && rows * columns <= kh * kw) continue;  // nothing behind is read
        found.push_back({with_kernel(formula, rows, columns, own_plane, zero_behind), sentence});
      }
    }
  }
  return found;
}

// Whether the elements that the edit leaves out could as well be left out by something plainer.
// Gaps between tiles need a second tile: what the first one lacks may be the end of a grid.
bool may_be_plainer(const Edit& edit, const Evidence& evidence) {
  if (edit.what != Edit::What::gaps) return false;
  const auto is_one = [&](int axis, int parts) {
    return evidence.reference.dims[size_t(axis)] <= parts;
  };
  const bool along_next = edit.second_parts > 0 && !is_one(edit.argument + 1, edit.second_parts);
  return is_one(edit.argument, edit.parts) && !along_next;
}

// What the terms of a long sum, read once, tell in less time.
bool is_of_shared_sums(const Edit& edit) {
  return edit.what == Edit::What::parts_overlap || edit.what == Edit::What::parts_rounded_down;
}

// Results are stored too far apart, or end too early.
bool leaves_gaps(const Edit& edit) {
  return edit.what == Edit::What::stored_as_read ||
         (edit.what == Edit::What::longer_rows && edit.node == kNoNode);
}

// Where the place of an index says less than what is done with it.
std::string hint_of(const Edit& edit, const char* of_formula) {
  switch (edit.what) {
    case Edit::What::twice:
      return "Subtract the padding in one place: where the window begins, or where an element is "
             "read.";
    case Edit::What::every_second:
      return "After the last step one lane must hold the sum of all: for (offset = 16; offset > 0; "
             "offset /= 2) sum += __shfl_down_sync(mask, sum, offset). In shared memory likewise, "
             "down to a distance of 1.";
    case Edit::What::any_remainder:
      return "An element belongs to output i by tap p only if (row + pad_h - p * dilation_h) % "
             "stride_h == 0; columns alike.";
    case Edit::What::first_rounded:
      return "For a number that is not above 0 the first window is window 0; else the quotient is "
             "rounded up: (number + stride - 1) / stride.";
    default:
      return of_formula;
  }
}

// So many numbers of blocks are tried that one of them explains much.
bool is_weak(const Edit& edit) {
  return edit.what == Edit::What::parts_of_other || edit.what == Edit::What::parts_exchanged;
}

}  // namespace

RegisterFormulas::RegisterFormulas(std::span<const OperationFormula> formulas) {
  formula_registry().insert(formula_registry().end(), formulas.begin(), formulas.end());
}

std::span<const OperationFormula> registered_formulas() {
  return formula_registry();
}

std::vector<const OperationFormula*> formulas_for(const Evidence& evidence) {
  std::vector<const OperationFormula*> found;
  for (const OperationFormula& one : registered_formulas()) {
    const bool is = is_for(one, evidence.op) && Formula(one.text).output == evidence.got.name;
    if (is) found.push_back(&one);
  }
  return found;
}

const OperationFormula* formula_of(const Evidence& evidence) {
  std::optional<Trial> trial;
  return formula_of(evidence, trial);
}

Guesses guesses_of_formulas(const Evidence& evidence) {
  std::vector<Guess> guesses;
  std::optional<Trial> trial;
  const OperationFormula* one = formula_of(evidence, trial);
  if (!one) return {};
  const Formula formula(one->text);
  std::vector<Edit> edits = edits_of_parts(formula, first_wrong(evidence));
  const std::vector<Edit> others = edits_of(formula);
  edits.insert(edits.end(), others.begin(), others.end());
  for (const OperationFormula* other : others_in_place_of(*one, evidence)) {
    const Formula stored(other->text);
    if (!trial->explained_by(stored)) continue;
    Guess guess{"formula", in_place_of(stored, formula), one->hint, Guess::Basis::formula};
    guess.weight = trial->weight();
    guess.needs_support = says_little(guess.weight);
    add_if_new(guesses, std::move(guess));
  }
  for (const OtherFactor& other : other_factors_of(*one, evidence)) {
    if (!trial->explained_by(other.formula)) continue;
    Guess guess{"formula", other.sentence, one->hint, Guess::Basis::formula};
    guess.weight = trial->weight();
    guess.needs_support = says_little(guess.weight);
    add_if_new(guesses, std::move(guess));
  }
  SharedSums shared = shared_sums(formula, evidence, one->hint);
  if (evidence.by_library) shared.guesses.clear();
  trial->add_work(shared.work);
  std::vector<Guess> instances;  // before the many edits: of a large kernel not all can be tried
  if (!evidence.by_library) {
    const int64_t most = trial->work() + kMostWork / 4;
    for (const Instance& instance : instances_of(formula, evidence)) {
      if (trial->work() > most || !trial->explained_by(instance.formula)) continue;
      Guess guess{"formula", instance.sentence, one->hint, Guess::Basis::formula};
      guess.kind = Guess::Kind::instance;
      guess.cause = "code for kernels of another size";
      guess.weight = trial->weight();
      guess.needs_support = says_little(guess.weight);
      add_if_new(instances, std::move(guess));
    }
  }
  std::vector<Guess> in_parts;  // less likely where something else explains the output
  for (const Edit& edit : edits) {
    // Which of two threads stores last is not known.
    if (edit.what == Edit::What::unguarded) continue;
    if (evidence.by_library && is_of_loops(edit)) continue;
    if (edit.what == Edit::What::copy_turned && !evidence.on_device) continue;
    if (leaves_gaps(edit) && !trial->has_unwritten()) continue;
    if (shared.is_long && is_of_shared_sums(edit)) continue;
    if (!trial->goes_on() || guesses.size() == kMostGuesses) break;
    if (!trial->explained_by(edited(formula, edit))) continue;
    Guess guess{"formula", sentence_of(formula, edit), hint_of(edit, one->hint),
                Guess::Basis::formula};
    guess.of_two = is_weak(edit);
    guess.kind = kind_of(edit);
    guess.weight = trial->weight();
    // What the first image holds besides is right: that the others hold few numbers is expected.
    const bool of_first = edit.what == Edit::What::only_first && guess.weight.values > 1;
    guess.needs_support =
        (says_little(guess.weight) && !of_first) || may_be_plainer(edit, evidence);
    if (edit.what == Edit::What::gaps) guess.cause = "gaps between tiles";  // along either axis
    if (edit.what == Edit::What::part_unmultiplied) guess.cause = "a part begins at its number";
    if (edit.what == Edit::What::first_of_part) guess.cause = "the first of each group";
    // How many parts there are depends on the case, and so does what tells tiles apart.
    if (edit.what == Edit::What::parts_overlap) guess.cause = kPartsOverlap;
    if (edit.what == Edit::What::parts_rounded_down) guess.cause = kEndMissing;
    const bool of_parts =
        edit.what == Edit::What::whole_parts || edit.what == Edit::What::parts_rounded_down;
    add_if_new(of_parts ? in_parts : guesses, std::move(guess));
  }
  guesses.insert(guesses.end(), instances.begin(), instances.end());
  if (guesses.empty()) {
    for (const auto& [of, other, edit] : wrong_divisions(evidence)) {
      if (!trial->goes_on() || !trial->explained_by(edited(other, edit))) continue;
      Guess guess{"formula", sentence_of(other, edit), hint_of(edit, of->hint),
                  Guess::Basis::formula};
      guess.weight = trial->weight();
      guess.needs_support = says_little(guess.weight);
      add_if_new(guesses, std::move(guess));
    }
  }
  // Whole passes of a loop that are missing, say, are better told as such.
  if (guesses.empty()) guesses = std::move(shared.guesses);
  const bool complete = trial->goes_on() && guesses.size() < kMostGuesses;
  guesses.insert(guesses.end(), in_parts.begin(), in_parts.end());
  return {std::move(guesses), complete};
}

std::vector<Guess> guesses_of_access(const Evidence& evidence, const BadAccess& access) {
  std::vector<Guess> guesses;
  std::optional<Trial> trial;
  const OperationFormula* one = formula_of(evidence, trial);
  if (!one) return guesses;
  const Formula formula(one->text);
  if (access.kind != BadAccess::Kind::reads && access.elements != elements_of(evidence)) {
    return guesses;
  }
  int64_t work = 0;
  Computes likeliest = Computes::perhaps;
  std::vector<Edit> edits = edits_of(formula);
  // They are few; of the many others a large output leaves time for some.
  std::ranges::stable_partition(edits, leaves_gaps);
  for (const Edit& edit : edits) {
    if (work >= kMostWork || guesses.size() == kMostGuesses) break;
    if (!may_access(formula, edit, access)) continue;
    const Formula wrong = edited(formula, edit);
    const int64_t most = leaves_gaps(edit) ? 4 * kMostWorkOfAccess : kMostWorkOfAccess;
    FormulaValue value(wrong, evidence, most);
    const Computes makes = value.complete() ? makes_access(value, evidence, access) : Computes::no;
    work += value.work();
    if (makes < likeliest) continue;
    // What another thread would do is not told where something explains the access of this one.
    if (makes > likeliest) guesses.clear();
    likeliest = makes;
    Guess guess{"formula", sentence_of(formula, edit), one->hint, Guess::Basis::formula};
    guess.needs_support = true;
    guess.kind = kind_of(edit);
    guess.weight.accesses = 1;
    add_if_new(guesses, std::move(guess));
  }
  return guesses;
}

namespace {

// Programs with the mistake that the guess is of: of several sizes of tiles, say, where the guess
// leaves them open. None where the operation has no formula.
std::vector<Formula> formulas_with(const Guess& guess, const Evidence& evidence,
                                   std::optional<Trial>& trial) {
  const OperationFormula* one = formula_of(evidence, trial);
  if (!one) return {};
  const Formula formula(one->text);
  for (const OperationFormula* other : others_in_place_of(*one, evidence)) {
    const Formula stored(other->text);
    if (guess.sentence == in_place_of(stored, formula)) return {stored};
  }
  std::vector<Formula> found;
  for (const Edit& edit : edits_of(formula)) {
    if (sentence_of(formula, edit) == guess.sentence) found.push_back(edited(formula, edit));
  }
  for (const auto& [of, other, edit] : wrong_divisions(evidence)) {
    if (sentence_of(other, edit) == guess.sentence) found.push_back(edited(other, edit));
  }
  if (guess.kind != Guess::Kind::instance) return found;
  for (Instance& instance : instances_of(formula, evidence)) {
    if (instance.sentence == guess.sentence) found.push_back(std::move(instance.formula));
  }
  return found;
}

}  // namespace

bool formula_would_show(const Guess& guess, const Evidence& evidence) {
  std::optional<Trial> trial;
  const std::vector<Formula> formulas = formulas_with(guess, evidence, trial);
  return !formulas.empty() && std::ranges::all_of(formulas, [&](const Formula& formula) {
    return trial->shows(formula);
  });
}

bool formula_leaves_open(const Guess& guess, const Evidence& evidence) {
  std::optional<Trial> trial;
  return std::ranges::any_of(formulas_with(guess, evidence, trial),
                             [&](const Formula& formula) { return trial->leaves_open(formula); });
}

}  // namespace convkit
