// SPDX-License-Identifier: MIT
// Saying what is wrong.
#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "compare/formula/edits.h"
#include "compare/formula/places.h"

namespace convkit {
namespace {

using Kind = Node::Kind;
using What = Edit::What;

class Teller {
 public:
  Teller(const Formula& formula, const Edit& edit)
      : formula_(formula),
        edit_(edit),
        after_(edited(formula, edit)),
        places_(places_of(formula)) {}

  std::string sentence() const {
    std::string text = what();
    if (edit_.on_both_axes)
      text += are_rows_and_columns() ? ", for rows and for columns" : ", twice";
    if (edit_.node == kNoNode || edit_.what == What::other_name_always) return text + '.';
    const int place = shown();
    const std::string is = after_.text(place), belongs = formula_.text(place);
    if (is == belongs) return text + '.';
    return fmt::format("{}: `{}` instead of `{}`{}.", text, is, belongs, where(place));
  }

 private:
  std::string name(int place) const { return formula_.names[size_t(place)]; }
  std::string old() const { return formula_.text(edit_.node); }
  std::string child(size_t i) const { return formula_.text(formula_.at(edit_.node).children[i]); }
  std::string variable() const { return name(formula_.at(edit_.node).name); }
  std::string axis() const { return name(formula_.axes[size_t(edit_.argument)].variable); }

  // Of the two places of an edit; else they are two uses of one thing.
  bool are_rows_and_columns() const {
    const int twin = twin_of(formula_, places_, edit_.node);
    const int parent = places_[size_t(edit_.node)].parent;
    const int parent_there = twin == kNoNode ? kNoNode : places_[size_t(twin)].parent;
    if (parent == kNoNode || parent_there == kNoNode) return true;
    return formula_.text(edit_.node) != formula_.text(twin) ||
           formula_.text(parent) != formula_.text(parent_there);
  }

  // The largest expression around the node that is still short, within one index or one loop.
  int shown() const {
    int at = edit_.node;
    for (;;) {
      const int parent = places_[size_t(at)].parent;
      if (parent == kNoNode) return at;
      const Kind kind = formula_.at(parent).kind;
      const bool is_index = kind == Kind::read && places_[size_t(at)].child % 3 == 0;
      const bool is_length = kind == Kind::read && !is_index;
      const bool of_loop = is_reduction(kind);
      const bool ends = is_index || of_loop || kind == Kind::part;
      if (ends || formula_.text(parent).size() > 90) return at;
      at = parent;
      if (is_length) return at;
    }
  }

  std::string where(int place) const {
    const Place& at = places_[size_t(place)];
    if (at.parent == kNoNode) return "";
    const Node& parent = formula_.at(at.parent);
    if (parent.kind == Kind::part) return " in " + name(parent.name);
    if (parent.kind == Kind::read) {
      return fmt::format(" as the {} of {}",
                         axis_name(formula_.text(parent.children[at.child / 3 * 3 + 1])),
                         name(parent.name));
    }
    return "";
  }

  static std::string axis_name(const std::string& length) {
    static const std::map<std::string, std::string> kNames = {
        {"h", "row"},         {"w", "column"},
        {"kh", "kernel row"}, {"kw", "kernel column"},
        {"oh", "output row"}, {"ow", "output column"},
        {"c", "channel"},     {"n", "image"},
        {"m", "feature map"}};
    const auto found = kNames.find(length);
    return found == kNames.end() ? "index below " + length : found->second;
  }

  std::string layout(const Formula& formula) const {
    std::string text;
    if (edit_.node == kNoNode) {
      for (const OutputAxis& one : formula.axes) {
        text += '[' + formula.text(edit_.what == What::other_layout ? one.length : one.index) + ']';
      }
      return text;
    }
    const Node& read = formula.at(edit_.node);
    const size_t part = edit_.what == What::other_layout ? 1 : 0;
    for (size_t i = 0; i < read.children.size(); i += 3) {
      text += '[' + formula.text(read.children[i + part]) + ']';
    }
    return text;
  }

  // Of the axis of a read that is not tested.
  std::string tested_axes() const {
    const Node& read = formula_.at(edit_.node);
    std::string text;
    for (size_t axis = 0; axis < read.children.size() / 3; ++axis) {
      const int length = read.children[axis * 3 + 2];
      if (length == kNoNode || (edit_.argument >= 0 && size_t(edit_.argument) != axis)) continue;
      text += (text.empty() ? "" : " and ") + axis_name(formula_.text(length));
    }
    return text;
  }

  // "`kh` is the length of"
  std::string of_length() const {
    const Place& at = places_[size_t(edit_.node)];
    for (const OutputAxis& axis : formula_.axes) {
      if (edit_.node == axis.end) {
        return fmt::format("The loop over {} has the wrong end", name(axis.variable));
      }
      if (edit_.node == axis.length) {
        return fmt::format("{} is written with the wrong length of an axis ({})", formula_.output,
                           axis_name(old()));
      }
    }
    if (at.parent == kNoNode) return "";
    const Node& parent = formula_.at(at.parent);
    if (is_reduction(parent.kind) && at.child == 1) {
      return fmt::format("The loop over {} has the wrong end", name(parent.name));
    }
    if (is_reduction(parent.kind) && at.child == 0) {
      return fmt::format("The loop over {} has the wrong beginning", name(parent.name));
    }
    if (parent.kind != Kind::read || at.child % 3 == 0) return "";
    const std::string axis = axis_name(formula_.text(parent.children[at.child / 3 * 3 + 1]));
    if (at.child % 3 == 2) {
      return fmt::format("The test whether the {} lies inside {} has the wrong limit", axis,
                         name(parent.name));
    }
    const size_t before = at.child / 3 * 3;
    const std::string outer =
        before < 3 ? "" : axis_name(formula_.text(parent.children[before - 3 + 1]));
    const std::string step = outer.empty() || outer.starts_with("index")
                                 ? ""
                                 : fmt::format("; it makes the step to the next {}", outer);
    return fmt::format("{} is read with the wrong length of an axis ({}{})", name(parent.name),
                       axis, step);
  }

  std::string what() const {
    const std::string length = edit_.node == kNoNode || edit_.what == What::other_name_always
                                   ? std::string()
                                   : of_length();
    switch (edit_.what) {
      case What::other_name:
        if (!length.empty())
          return fmt::format("{}: {} for {}", length, name(edit_.argument), old());
        return fmt::format("{} stands where {} belongs", name(edit_.argument), old());
      case What::other_name_always:
        return fmt::format("{} is used wherever {} belongs", name(edit_.argument),
                           name(edit_.node));
      case What::other_tensor:
        return fmt::format("{} is read where {} belongs", name(edit_.argument), variable());
      case What::no_left:
        return fmt::format("{} is missing", quoted(child(0)));
      case What::no_right:
        return fmt::format("{} is missing", quoted(child(1)));
      case What::other_sign:
        return fmt::format("{} is {} instead of {}", quoted(child(1)),
                           formula_.at(edit_.node).kind == Kind::add ? "subtracted" : "added",
                           formula_.at(edit_.node).kind == Kind::add ? "added" : "subtracted");
      case What::multiplied_for_divided:
        return formula_.at(edit_.node).kind == Kind::multiply
                   ? fmt::format("It is divided by {} instead of multiplied", quoted(child(1)))
                   : fmt::format("It is multiplied by {} instead of divided", quoted(child(1)));
      case What::multiplied_by:
        return fmt::format("{} is multiplied by {}", subject(), name(edit_.argument));
      case What::divided_by:
        return fmt::format("{} is divided by {}", subject(), name(edit_.argument));
      case What::one_more:
        return length.empty() ? fmt::format("{} is one too large", quoted(old()))
                              : length + ", one too large";
      case What::one_less:
        return length.empty() ? fmt::format("{} is one too small", quoted(old()))
                              : length + ", one too small";
      case What::rounded_up:
        return quoted(old()) + " is rounded up instead of down";
      case What::not_rounded:
        return quoted(old()) + " is not rounded down to a whole number";
      case What::no_brackets:
        return fmt::format("The brackets around {} are missing",
                           quoted(child(size_t(edit_.argument))));
      case What::other_number:
        return fmt::format("{} stands where {} belongs", formula_.text(edit_.argument), old());
      case What::no_function:
        return formula_.at(edit_.node).kind == Kind::negate
                   ? "The sign is wrong"
                   : fmt::format("{} is missing", variable());
      case What::function_first:
      case What::function_last:
        return fmt::format("The {} is in the wrong place", variable_of_call());
      case What::equal_counts:
      case What::equal_fails:
        return "The comparison treats equal values wrongly";
      case What::always_then:
        return fmt::format("{} is not looked at", quoted(child(0)));
      case What::always_else:
        return fmt::format("{} is never taken to hold", quoted(child(0)));
      case What::other_way:
        return fmt::format("{} is answered the wrong way round", quoted(child(0)));
      case What::remainder:
        return fmt::format(
            "Nothing tests whether {} is a multiple of {}: where a remainder is left, no output "
            "belongs to the element",
            quoted(child(0)), child(1));
      case What::truncation:
        return fmt::format(
            "The remainder of {} by {} is not tested, and a negative quotient becomes 0",
            quoted(child(0)), child(1));
      case What::untested:
        return fmt::format(
            "Nothing tests whether the {} lies inside {}: what lies there in memory takes part",
            tested_axes(), variable());
      case What::clamped:
        return fmt::format("Outside of {} its nearest {} is read instead", variable(),
                           tested_axes());
      case What::zero:
        return fmt::format("Positions outside of {} take part with the value 0", variable());
      case What::not_indexed: {
        const Node& read = formula_.at(edit_.node);
        return fmt::format("The {} is missing in the index of {}",
                           axis_name(formula_.text(read.children[size_t(edit_.argument) * 3 + 1])),
                           variable());
      }
      case What::other_layout:
        return fmt::format("{} is {} as {}; it is stored as {}",
                           edit_.node == kNoNode ? formula_.output : variable(),
                           edit_.node == kNoNode ? "written" : "read", layout(after_),
                           layout(formula_));
      case What::indices_exchanged:
        return fmt::format("The indices of {} are exchanged: {} instead of {}",
                           edit_.node == kNoNode ? formula_.output : variable(), layout(after_),
                           layout(formula_));
      case What::first_term:
        return fmt::format("Only the first {} counts", variable());
      case What::last_term:
        return fmt::format("Only the last {} counts: each overwrites what those before it gave",
                           variable());
      case What::whole_parts:
        return fmt::format(
            "The loop over {} runs over whole groups of {}; the terms of the rest at its end are "
            "left "
            "out",
            variable(), edit_.parts);
      case What::also_over:
        return fmt::format("The {} goes over all {}, too, where each has its own", reduction_name(),
                           axis());
      case What::carried:
        return fmt::format("The {} is not begun anew for each {}: it goes on from the one before",
                           reduction_name(), axis());
      case What::reversed:
        return fmt::format("{} runs backwards", old());
      case What::last_not_computed:
        return fmt::format("The loop over {} ends one too early: the last {} is not computed",
                           axis(), axis());
      case What::first_not_computed:
        return fmt::format("The loop over {} begins at 1: the first {} is not computed", axis(),
                           axis());
      case What::whole_parts_computed:
        return fmt::format("Only whole groups of {} are computed along {}: the rest is left out",
                           edit_.parts, axis());
    }
    return "";
  }

  std::string variable_of_call() const {
    const Node& node = formula_.at(edit_.node);
    return name(edit_.what == What::function_first ? node.name
                                                   : formula_.at(node.children[0]).name);
  }
  std::string reduction_name() const {
    switch (formula_.at(edit_.node).kind) {
      case Kind::max:
        return "maximum";
      case Kind::count:
        return "count";
      default:
        return "sum";
    }
  }
  std::string subject() const {
    if (edit_.node == formula_.root) return "The result";
    return is_reduction(formula_.at(edit_.node).kind) ? "The " + reduction_name() : old();
  }
  static std::string quoted(const std::string& text) {
    return text.find(' ') == std::string::npos ? text : '`' + text + '`';
  }

  const Formula& formula_;
  const Edit& edit_;
  Formula after_;
  std::vector<Place> places_;
};

}  // namespace

std::string sentence_of(const Formula& formula, const Edit& edit) {
  return Teller(formula, edit).sentence();
}

}  // namespace convkit
