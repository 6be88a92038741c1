// SPDX-License-Identifier: MIT
// Saying what is wrong.
#include <fmt/format.h>

#include <algorithm>
#include <array>
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
    const bool tells_axes = edit_.what == What::start_clipped && is_in_a_count();
    if (edit_.on_both_axes && !tells_axes)
      text += are_rows_and_columns() ? ", for rows and for columns" : ", twice";
    if (edit_.everywhere) {
      return fmt::format("{}, at all places where `{}` belongs.", text, old());
    }
    if (edit_.node == kNoNode || is_of_a_name() || tells_all()) return text + '.';
    const int place = shown();
    const std::string is = after_.text(place), belongs = formula_.text(place);
    constexpr size_t kReadable = 200;
    if (edit_.what == What::squared || edit_.what == What::carried || edit_.what == What::also_over)
      return text + '.';
    if (is == belongs || is.size() + belongs.size() > kReadable) return text + '.';
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

  std::vector<std::string> axes_of(const Formula& formula) const {
    std::vector<std::string> names;
    if (edit_.node == kNoNode) {
      for (const OutputAxis& one : formula.axes)
        names.push_back(axis_name(formula.text(one.length)));
      return names;
    }
    const Node& read = formula.at(edit_.node);
    for (size_t i = 0; i < read.children.size(); i += 3) {
      names.push_back(axis_name(formula.text(read.children[i + 1])));
    }
    return names;
  }

  // " (image before feature map)": what is first in this layout, where the layouts differ.
  std::string order(const Formula& formula, const Formula& other) const {
    const std::vector<std::string> here = axes_of(formula), there = axes_of(other);
    size_t first = 0;
    while (first < here.size() && here[first] == there[first]) ++first;
    if (first == here.size() || here[first].starts_with("index")) return "";
    if (there[first].starts_with("index")) return "";
    return fmt::format(" ({} before {})", here[first], there[first]);
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
        return fmt::format("The loop over {} has the wrong end", spoken(axis.variable));
      }
      if (edit_.node == axis.length) {
        return fmt::format("Where {} is written, the length of its {} axis is wrong",
                           formula_.output, axis_name(old()));
      }
    }
    if (at.parent == kNoNode) return "";
    const Node& parent = formula_.at(at.parent);
    if (is_reduction(parent.kind) && at.child == 1) {
      return fmt::format("The loop over {} has the wrong end", spoken(parent.name));
    }
    if (is_reduction(parent.kind) && at.child == 0) {
      return fmt::format("The loop over {} has the wrong beginning", spoken(parent.name));
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
    return fmt::format("Where {} is read, the length of its {} axis is wrong{}", name(parent.name),
                       axis, step);
  }

  // A sum fills lines, and what is left of it tells more.
  std::string missing(size_t which) const {
    if (!is_reduction(formula_.at(formula_.at(edit_.node).children[which]).kind)) {
      return fmt::format("{} is missing", quoted(child(which)));
    }
    return fmt::format("Only {} is there, and the sum is missing", quoted(child(1 - which)));
  }

  std::string what() const {
    const std::string length =
        edit_.node == kNoNode || is_of_a_name() ? std::string() : of_length();
    switch (edit_.what) {
      case What::other_name:
        if (ends_a_loop()) {
          return fmt::format("The loop over {}{} ends at {} instead of {}{}", spoken(loop()),
                             counts() ? ", of the count," : "", name(edit_.argument), old(),
                             edit_.on_both_axes ? or_taken_apart() : "");
        }
        if (is_length_of_axis()) return axis_of_wrong_length();
        if (!length.empty())
          return fmt::format("{}, {} instead of {}", length, name(edit_.argument), old());
        return fmt::format("{} stands where {} belongs", name(edit_.argument), old());
      case What::other_name_always:
        return fmt::format("{} is used wherever {} belongs", name(edit_.argument),
                           name(edit_.node));
      case What::names_exchanged:
        return fmt::format(
            "{0} and {1} are exchanged: {1} is used wherever {0} belongs, and {0} "
            "wherever {1} belongs",
            name(edit_.node), name(edit_.argument));
      case What::other_tensor:
        return fmt::format("{} is read where {} belongs", name(edit_.argument), variable());
      case What::complement: {
        const bool alone = complements_of(formula_, places_, edit_.node).factors.empty();
        return alone ? fmt::format("{} stands where {} belongs", child(1), old())
                     : fmt::format("{} and {} are exchanged", child(1), old());
      }
      case What::no_left:
        return missing(0);
      case What::no_right:
        return missing(1);
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
      case What::half_of:
        return fmt::format(
            "Half of {} stands where {} belongs, as for a filter that is centred on its output",
            name(edit_.argument), variable());
      case What::twice:
        return fmt::format(
            "The padding is applied twice: the index has 2 * {0} where {0} belongs, as where both "
            "a function that reads an element and its caller subtract it",
            variable());
      case What::longer_rows:
        return longer_rows();
      case What::taps_in_phases: {
        const std::string stride = formula_.text(stride_of_taps(formula_, edit_.node));
        const std::string taps = formula_.text(formula_.at(edit_.node).children[1]);
        const std::string axes = of_windows();
        if (edit_.argument == 1) {
          return fmt::format(
              "Elements behind the end of a window count to it, too: each element is taken to lie "
              "in `{0} / {1}` windows, rounded up, but where {0} is no multiple of {1} some lie in "
              "one window less{2}",
              taps, stride, axes);
        }
        return fmt::format(
            "The last taps are missing: of the {0} taps every {1}-th one meets an element, and "
            "their number is taken as `{0} / {1}`, rounded down, but where {0} is no multiple of "
            "{1} some elements (the first phases) have one tap more{2}",
            taps, stride, axes);
      }
      case What::stored_as_read: {
        const Node& read = formula_.at(edit_.node);
        std::string is, belongs;
        for (size_t axis = size_t(edit_.argument) + 1; axis < formula_.axes.size(); ++axis) {
          is += (is.empty() ? "" : " * ") + formula_.text(read.children[axis * 3 + 1]);
          belongs += (belongs.empty() ? "" : " * ") + formula_.text(formula_.axes[axis].length);
        }
        const std::string axis =
            axis_name(formula_.text(formula_.axes[size_t(edit_.argument)].length));
        return fmt::format(
            "Where {0} is written, each {1} begins `{2}` elements behind the one before it, as in "
            "{3}; in {0} it is `{4}`",
            formula_.output, axis, is, variable(), belongs);
      }
      case What::transposed_in_parts:
        return fmt::format(
            "The pixels are transposed in parts of {0}, each as if it were a matrix of its own: in "
            "a part a channel begins {0} elements behind the channel before it, but a row of the "
            "whole matrix has h * w of them (its pitch, also for a part of it)",
            edit_.parts);
      case What::every_second:
        if (edit_.parts == 1) {
          return fmt::format(
              "Of the terms 0, 1, 2, ... of each sum (over {}) only every second one counts, those "
              "with an even number: where lanes or threads share the sum, the step that adds a "
              "neighbour's sum (distance 1) is missing",
              loops_of_sum());
        }
        return fmt::format(
            "Of the terms 0, 1, 2, ... of each sum (over {0}) only every second group of {1} "
            "counts: where lanes or threads share the sum, the step that adds the sum from {1} "
            "lanes further on is missing",
            loops_of_sum(), edit_.parts);
      case What::any_remainder: {
        const std::string stride = formula_.text(formula_.at(edit_.argument).children[1]);
        const std::string other =
            edit_.second == kNoNode
                ? ""
                : " and " + formula_.text(formula_.at(edit_.second).children[1]);
        return fmt::format(
            "Products are added whose distance from the window's beginning is no multiple of {0}{1}"
            ": a program that goes from each element of the input to the outputs must test the "
            "remainder of its division by {0}{1}; a quotient that is rounded down takes in all "
            "elements up to the next window",
            stride, other);
      }
      case What::first_rounded: {
        const FirstWindow first = *first_window_of(formula_, edit_.node);
        return fmt::format(
            "Window 0 is left out for elements that lie near the beginning{}: the first window "
            "that holds an element is found by a quotient of a negative number, which is rounded "
            "towards 0 instead of down (C++ does so with / {})",
            edit_.second == kNoNode
                ? fmt::format(" (along {})", spoken(formula_.at(edit_.node).name))
                : "",
            formula_.text(first.stride));
      }
      case What::one_more:
        if (is_limit_of_test()) {
          return fmt::format(
              "The test whether the {} lies inside {} lets one too many pass: {} {}, just outside, "
              "counts as inside",
              axis_of_length(), tensor_of_length(), axis_of_length(), old());
        }
        return length.empty() ? fmt::format("{} is one too large", quoted(old()))
                              : length + ", one too large";
      case What::one_less:
        if (is_limit_of_test()) {
          return fmt::format(
              "The test whether the {} lies inside {} lets one too few pass: the last {} counts as "
              "outside",
              axis_of_length(), tensor_of_length(), axis_of_length());
        }
        return length.empty() ? fmt::format("{} is one too small", quoted(old()))
                              : length + ", one too small";
      case What::only_first:
        return fmt::format(
            "Only {0} 0 of {1} is there: of every other {0} zeros are read, as if what copies {1} "
            "ended behind the first one",
            axis_name(child(size_t(edit_.argument) * 3 + 1)), variable());
      case What::so_far:
        return fmt::format(
            "The {0} is used before it is complete: each {1} has that of the elements {2}, and not "
            "that of all. Finish the loop of the {0} before its result is used",
            reduction_name(), axis(), edit_.second == 1 ? "before it" : "up to itself");
      case What::window_before:
        return fmt::format(
            "The window before the first one that holds the element takes part, too: it ends just "
            "before the element, so that the loop over windows begins one too early{}",
            of_windows());
      case What::window_after:
        return fmt::format(
            "The window behind the last one that holds the element takes part, too: it begins just "
            "behind the element, so that the loop over windows ends one too late{}",
            of_windows());
      case What::only_inside_stored:
        return fmt::format(
            "Exactly the elements of {} that lie in the padding are never written: store a 0 "
            "there, instead of leaving them out (by a return, say)",
            formula_.output);
      case What::rounded_up:
        return quoted(old()) + " is rounded up instead of down";
      case What::not_rounded:
        return quoted(old()) + " is not rounded down to a whole number";
      case What::no_brackets:
        if (edit_.second == 1) {
          const Node& sum = formula_.at(formula_.at(edit_.node).children[size_t(edit_.argument)]);
          const std::string multiplied = formula_.text(sum.children[edit_.argument == 0 ? 0 : 1]);
          const std::string alone = formula_.text(sum.children[edit_.argument == 0 ? 1 : 0]);
          return fmt::format("{} lacks the factor (or divisor) {}, which {} alone has",
                             quoted(alone), quoted(child(edit_.argument == 0 ? 1 : 0)),
                             quoted(multiplied));
        }
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
            "Nothing tests whether {} is a multiple of {}: where a remainder is left, no {} "
            "belongs to the element",
            quoted(child(0)), child(1), axis_of_index().starts_with("kernel") ? "tap" : "output");
      case What::truncation:
        return fmt::format(
            "The remainder of {} by {} is not tested, and a negative quotient becomes 0",
            quoted(child(0)), child(1));
      case What::untested:
        if (is_counted()) return counted_outside("outside of ");
        return fmt::format(
            "Nothing tests whether the {} lies inside {}: what lies there in memory takes part",
            tested_axes(), variable());
      case What::untested_below:
        if (is_counted()) return counted_outside("before the beginning of ");
        return fmt::format(
            "Nothing tests whether the {} of {} is below 0: what lies in memory before it takes "
            "part",
            tested_axes(), variable());
      case What::untested_above:
        if (is_counted()) return counted_outside("behind the end of ");
        return fmt::format(
            "Only whether the {} of {} is below 0 is tested, not whether it is too large: what "
            "lies in memory behind it takes part",
            tested_axes(), variable());
      case What::one_for_length:
        return fmt::format("The factor {} is missing where the index of {} is computed",
                           quoted(old()), tensor_of_length());
      case What::clamped:
        if (is_counted()) return counted_outside("outside of ");
        return fmt::format("Outside of {} its nearest {} is read instead", variable(),
                           tested_axes());
      case What::zero:
        if (is_counted()) return counted_outside("outside of ");
        return fmt::format("Positions outside of {} take part with the value 0", variable());
      case What::not_indexed: {
        const Node& read = formula_.at(edit_.node);
        return fmt::format("The {} is missing in the index of {}",
                           axis_name(formula_.text(read.children[size_t(edit_.argument) * 3 + 1])),
                           variable());
      }
      case What::other_layout:
        return fmt::format("{} is {} as {}{}; it is stored as {}{}",
                           edit_.node == kNoNode ? formula_.output : variable(),
                           edit_.node == kNoNode ? "written" : "read", layout(after_),
                           order(after_, formula_), layout(formula_), order(formula_, after_));
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
            "The loop over {} takes whole groups only (of {}, or of a multiple of it): the terms "
            "of "
            "the rest at its end are left out",
            spoken(formula_.at(edit_.node).name), edit_.parts);
      case What::also_over:
        return fmt::format("The {} goes over all {}, too, where each has its own", reduction_name(),
                           axis());
      case What::squared: {
        const int loop = edit_.argument == 0 ? edit_.node : formula_.at(edit_.node).children[2];
        return fmt::format(
            "The elements that count along {} are multiplied with themselves, instead of with "
            "those "
            "along the other axis (rows * rows where rows * columns belongs)",
            spoken(formula_.at(loop).name));
      }
      case What::carried:
        return fmt::format("The {} is not begun anew for each {}: it goes on from the one before",
                           reduction_name(), axis());
      case What::again:
        return fmt::format(
            "In the last tile, which is not full, terms of the tile before are added a second "
            "time: where {} has passed the end, the tile still holds the old values and must be "
            "set to 0",
            variable());
      case What::part_unscaled:
        return fmt::format(
            "The first {} of a tile (or of a block) is not multiplied by {}: only the tiles at the "
            "beginning are right",
            child(0), child(1));
      case What::within_unscaled:
        return fmt::format(
            "The place of {} within its tile (or block) is not multiplied by {}: it goes on "
            "in steps of 1",
            child(0), child(1));
      case What::other_part:
        return fmt::format("{} stands where {} belongs", name(edit_.argument), variable());
      case What::other_part_always:
        return fmt::format("{} is used wherever {} belongs", name(edit_.argument), variable());
      case What::exchanged_in_parts:
        return fmt::format(
            "{} and {} are exchanged where {} is computed from them (in the order of the "
            "arguments, perhaps)",
            bare(edit_.node), bare(edit_.argument), first_part());
      case What::parts_overlap:
        return fmt::format(
            "Terms of the sum are added more than once: behind the first {} of them each is added "
            "by {}. Where several blocks (or parts) share a sum, each thread must step over the "
            "threads of all of them, not of its own alone",
            edit_.parts, edit_.second_parts == 2 ? "two parts" : "several parts");
      case What::parts_rounded_down:
        return "Where the sum is cut into parts, the length of a part is rounded down: the terms "
               "behind the last part, fewer than there are parts, are added by none";
      case What::strips_overlap:
        return fmt::format(
            "The {} places along {} that one thread computes overlap those of the next one: thread "
            "t begins at t instead of at t * {} in its tile",
            edit_.second_parts, spoken(formula_.axes[size_t(edit_.argument)].variable),
            edit_.second_parts);
      case What::ends_outside:
        return fmt::format(
            "The loop over {}{} ends at the first place outside of {} (in the padding{}): what "
            "comes after it is lost; such a place is to be skipped, with continue, not break",
            spoken(formula_.at(edit_.node).name),
            edit_.second == kNoNode
                ? ""
                : fmt::format(", and that over {},", spoken(formula_.at(edit_.second).name)),
            name(formula_.at(tested().read).name),
            edit_.parts == 0 && formula_.at(tested().index).kind == Kind::call
                ? ", or where the division leaves a remainder"
                : "");
      case What::start_clipped:
        if (is_in_a_count()) return counted_outside("before the beginning of ");
        return fmt::format(
            "Where a window begins in the padding, its first {} is raised to 0 before its end is "
            "computed from it, so that it reaches too far into {}: compute the end first",
            axis_of_index(), tensor_of_length());
      case What::other_step:
        return step_of_axis();
      case What::other_plane: {
        const Node& read = formula_.at(edit_.node);
        const size_t axes = read.children.size() / 3;
        const Plane other = *other_plane_of(formula_, edit_.node);
        const auto axis = [&](int at) {
          return axis_name(formula_.text(read.children[size_t(at) * 3 + 1]));
        };
        return fmt::format(
            "Where {} is read, the step from one {} to the next{} is made of `{} * {}` instead of "
            "`{} * {}`: of the other plane's size",
            variable(), axis(edit_.argument),
            edit_.second == 1 && edit_.argument > 0
                ? fmt::format(", and so from one {} to the next,", axis(edit_.argument - 1))
                : "",
            formula_.text(other.rows), formula_.text(other.columns),
            formula_.text(read.children[axes * 3 - 5]), formula_.text(read.children[axes * 3 - 2]));
      }
      case What::counted_inside: {
        const Node& read = formula_.at(edit_.node);
        return fmt::format(
            "In {} the place moves on only with the taps that lie inside: at a tap in the padding "
            "it must move on, too, or all elements after it are taken too early (counted anew for "
            "each {})",
            variable(), axis_name(formula_.text(read.children[size_t(edit_.argument) * 3 - 2])));
      }
      case What::loops_exchanged:
        return fmt::format(
            "{0} and {1} (row and column of a tap, say) are exchanged where {2} is read, and not "
            "elsewhere: `{3}` instead of `{4}`",
            name(edit_.argument), name(edit_.second), variable(), after_.text(edit_.node), old());
      case What::loops_split: {
        const std::string outer = name(edit_.argument), inner = name(edit_.second);
        return fmt::format(
            "The index that holds {0} and {1} is taken apart with the wrong length where {2} is "
            "read: {1} is the remainder by the number of {0}, not by that of {1}",
            outer, inner, variable());
      }
      case What::part_so_far:
        if (edit_.parts == 1) {
          return fmt::format(
              "Each time {0} grows, what has been summed up before is rescaled the wrong way: by "
              "exp(new {0} - old {0}) instead of exp(old {0} - new {0})",
              variable());
        }
        return fmt::format(
            "In the sum {0} is only the {1} of the elements so far: each time it grows, what has "
            "been summed up before must be rescaled to the new {0}",
            variable(),
            formula_.at(formula_.at(edit_.node).children[0]).kind == Kind::max ? "maximum" : "sum");
      case What::taps_of_part:
        return fmt::format(
            "In {} the same {} taps are read for every part of the sum: the place of a tap is "
            "counted from the beginning of its part of {}, and where the part begins is not added",
            variable(), edit_.parts, edit_.parts);
      case What::pair_exchanged:
        return fmt::format(
            "Of every {0} {1}s of {2}, number {3} and number {4} (counted from 0) are exchanged: "
            "each is read where the other one belongs",
            edit_.parts,
            axis_name(formula_.text(formula_.at(places_[size_t(edit_.node)].parent).children[1])),
            name(formula_.at(places_[size_t(edit_.node)].parent).name), edit_.second,
            edit_.second_parts);
      case What::phase_undilated:
        return fmt::format(
            "`{}` is taken apart by {} before the dilation, which then counts for the quotient "
            "alone: the place of a tap is `{} * {}`, and the phase is its remainder by {}",
            old(), name(edit_.argument), child(0), child(1), name(edit_.argument));
      case What::only_quarter:
        return fmt::format(
            "Only the first quarter of {0} arrives, and the rest is 0: where {0} is copied, a "
            "number of elements stands where a number of bytes belongs (a float has 4)",
            variable());
      case What::either_inside:
        if (edit_.argument == 2) {
          return fmt::format(
              "Whether a place lies inside of {} is tested by one number, made of row and column: "
              "beside the left and the right border the elements of the neighbouring row are taken "
              "for the padding. Row and column must be tested each by itself",
              variable());
        }
        return fmt::format(
            "What lies outside of {} is left out only where row and column both lie outside: one "
            "of them is enough (|| where && belongs, or the other way round), and else {}",
            variable(),
            edit_.argument == 1 ? "the nearest element of the border is taken for the padding"
                                : "the next row's elements in memory are taken for the padding");
      case What::averaged:
        return fmt::format(
            "The {} is divided by the number of its terms: a mean stands where the sum belongs",
            reduction_name());
      case What::scaled:
        return fmt::format(
            "The function is computed of {0} {1} 2 instead of {0}: in the exponent a factor 2 is "
            "{2}",
            variable(), edit_.argument == 1 ? "*" : "/",
            edit_.argument == 1 ? "too much" : "missing");
      case What::one_always:
        return fmt::format(
            "Everything is computed as if {0} were 1: is {0} passed on, and as the size that it is "
            "(in another's place the shape keeps 1 for it)",
            name(edit_.node));
      case What::carry_lost: {
        const auto [outer, middle, inner] = taps();
        return fmt::format(
            "A carry is lost where the place of a tap in {} moves on in steps, without a division: "
            "where {} passes its end and begins anew, {} must become one more, too",
            variable(), edit_.second == 0 ? inner : middle, edit_.second == 0 ? middle : outer);
      }
      case What::copy_turned: {
        const Node& read = formula_.at(edit_.node);
        const std::string group = axis_name(formula_.text(read.children[1]));
        return fmt::format(
            "The copy of {0} that the program keeps is stored in one order and read in another: as "
            "[{1}][tap] here and as [tap][{1}] there (or with another step from one {1} or tap to "
            "the next)",
            variable(), group);
      }
      case What::split_by:
      case What::split_exchanged: {
        std::string is, belongs;
        for (int id = 0; id < int(formula_.nodes.size()); ++id) {
          const int parent = places_[size_t(id)].parent;
          const bool goes_on = parent != kNoNode && split_variable(formula_, parent) >= 0;
          const bool is_whole = split_variable(formula_, id) == edit_.second && !goes_on;
          if (!is_whole || formula_.text(id) == after_.text(id)) continue;
          is += (is.empty() ? "`" : ", `") + after_.text(id) + '`';
          belongs += (belongs.empty() ? "`" : ", `") + formula_.text(id) + '`';
        }
        return fmt::format(
            "Where {} is taken apart, {}: {} instead of {}", name(edit_.second),
            edit_.what == What::split_by
                ? fmt::format("{} stands for {}", name(edit_.argument), old())
                : fmt::format("{} and {} are exchanged", old(), name(edit_.argument)),
            is, belongs);
      }
      case What::other_frame:
        return fmt::format(
            "The frame of zeros is that of the other direction: what the kernel reaches beyond {0} "
            "stands where {0} belongs (forward and backward pass have {0} and `kernel - 1 - {0}`)",
            variable());
      case What::reach_of_sum:
      case What::reach_of_product: {
        const std::string dilation = child(0);
        const std::string kernel =
            formula_.text(formula_.at(formula_.at(edit_.node).children[1]).children[0]);
        return fmt::format(
            "What a kernel with {0} reaches over is computed as `{1} {2}` instead of `{0} * ({1} - "
            "1) + 1`",
            dilation, kernel,
            edit_.what == What::reach_of_sum ? "+ " + dilation + " - 1" : "* " + dilation);
      }
      case What::other_remainder: {
        const Node& after = after_.at(edit_.node);
        return fmt::format(
            "Whether the division by {} leaves a remainder is tested with `{}` instead of `{}`",
            child(1), after_.text(after.children[2]), child(0));
      }
      case What::taken_apart:
        return fmt::format(
            "Where the index of an element of {} is taken apart, {} is the remainder by {} instead "
            "of {}, and the indices before it come from the quotient",
            formula_.output, axis(), name(edit_.parts), output_length(edit_.argument));
      case What::rest_forgotten:
        return fmt::format(
            "Where the index of an element of {} is taken apart, the remainder by {} is missing: "
            "{} goes on counting from one {} to the next",
            formula_.output, output_length(edit_.argument), axis(),
            axis_name(output_length(edit_.argument - 1)));
      case What::part_unmultiplied: {
        const Node& read = formula_.at(edit_.node);
        std::string belongs = std::to_string(edit_.parts);
        for (size_t at = size_t(edit_.argument) + 1; at < read.children.size() / 3; ++at) {
          belongs += " * " + formula_.text(read.children[at * 3 + 1]);
        }
        return fmt::format(
            "The part of {} from {} {} on is taken from {} elements behind the first one instead "
            "of `{}`: its offset counts whole {}s where elements are to be counted",
            variable(), axis_name(formula_.text(read.children[size_t(edit_.argument) * 3 + 1])),
            edit_.parts, edit_.parts, belongs,
            axis_name(formula_.text(read.children[size_t(edit_.argument) * 3 + 1])));
      }
      case What::reversed:
        return fmt::format("{} runs backwards", old());
      case What::last_not_computed:
        return fmt::format("The loop over {} ends one too early: the last {} is not computed",
                           axis(), axis());
      case What::first_not_computed:
        return fmt::format("The loop over {} begins at 1: the first {} is not computed", axis(),
                           axis());
      case What::whole_parts_computed:
        return fmt::format(
            "Only whole groups are computed along {} (of {}, or of a multiple of it): the rest at "
            "the end is left out",
            spoken(formula_.axes[size_t(edit_.argument)].variable), edit_.parts);
      case What::not_stored_apart:
        return fmt::format(
            "The {} is missing in the index of {}: all of them are written to the same place, one "
            "over the other",
            axis_name(output_length(edit_.argument)), formula_.output);
      case What::counted_in_part:
        return fmt::format(
            "{} is read at a {} that is counted from the beginning of a part (the first part has "
            "{}), not from 0",
            name(formula_.at(places_[size_t(edit_.node)].parent).name), old(), edit_.parts);
      case What::first_of_part:
        return fmt::format(
            "{0} is read at the first {1} of each group of {2}, for every {1} of the group",
            name(formula_.at(places_[size_t(edit_.node)].parent).name), old(), edit_.parts);
      case What::unguarded:
        return fmt::format(
            "Nothing stops the threads beyond the last {}, or the loop there: what they compute "
            "is "
            "stored where the next elements of {} lie, or past its end",
            spoken(formula_.axes[size_t(edit_.argument)].variable), formula_.output);
      case What::ends_exchanged:
        return fmt::format(
            "{0} and {1} are exchanged: {0} runs over as many as {1} has, and {1} over as many as "
            "{0} has (in the grid, or in what is taken from it)",
            axis(), other_axis());
      case What::interleaved:
        return fmt::format(
            "The results of a thread are stored in the wrong places along {}: it computes {} "
            "neighbours and stores them {} apart (or it computes {} that lie {} apart, and stores "
            "them as neighbours)",
            axis(), edit_.parts, edit_.second_parts, edit_.second_parts, edit_.parts);
      case What::parts_of_other:
        return edit_.parts == 1
                   ? fmt::format(
                         "Along {}, only as many outputs are computed as there are along "
                         "{}: the end of the loop (or the size of the grid) is taken from "
                         "the wrong axis",
                         axis(), other_axis())
                   : fmt::format(
                         "Along {}, there are only as many blocks of {} as {} needs: the size of "
                         "the grid is computed from the wrong axis",
                         axis(), edit_.parts, other_axis());
      case What::parts_exchanged:
        return fmt::format(
            "The two sizes of the grid are exchanged: along {} there are as many blocks (of {}) as "
            "{} needs, and along {} as many (of {}) as {} needs; the outputs behind them are never "
            "computed",
            axis(), edit_.parts, other_axis(), other_axis(), edit_.second_parts, axis());
      case What::gaps:
        if (edit_.second_parts > 0) {
          return fmt::format(
              "Tiles of outputs begin {} rows and {} columns apart, but hold only {} - ({} - 1) "
              "rows "
              "and {} - ({} - 1) columns: the tiles are as far apart as a tile of inputs (or a "
              "block) is large, and the outputs between them are never written",
              edit_.parts, edit_.second_parts, edit_.parts, name(edit_.second), edit_.second_parts,
              name(mirrored(formula_, edit_.second)));
        }
        return fmt::format(
            "Tiles of outputs begin {} apart along {}, but hold only {} - ({} - 1) outputs each: "
            "the tiles are as far apart as a tile of inputs (or a block) is wide, and the outputs "
            "between them are never written",
            edit_.parts, axis(), edit_.parts, name(edit_.second));
      case What::quarter:
        return fmt::format(
            "Only the first quarter of {} arrives: a number of elements stands where a number of "
            "bytes belongs (functions that copy memory count bytes, and a float has 4)",
            formula_.output);
    }
    return "";
  }

  // Where each of two loops has the other's length, another reason is as likely.
  std::string or_taken_apart() const {
    const int twin = twin_of(formula_, places_, edit_.node);
    if (twin == kNoNode || formula_.at(twin).name != edit_.argument) return "";
    const int parent = places_[size_t(twin)].parent;
    if (parent == kNoNode || !is_reduction(formula_.at(parent).kind)) return "";
    return fmt::format(" (or {} and {} are exchanged where one index is taken apart)", name(loop()),
                       name(formula_.at(parent).name));
  }

  // "stride" of `stride_h`.
  std::string bare(int of) const {
    const std::string text = name(of);
    return text.ends_with("_h") ? text.substr(0, text.size() - 2) : text;
  }
  std::string first_part() const {
    for (const Node& node : formula_.nodes) {
      if (node.kind != Kind::part) continue;
      std::vector<int> waiting{node.children[0]};
      while (!waiting.empty()) {
        const int at = waiting.back();
        waiting.pop_back();
        if (at == kNoNode) continue;
        const Node& one = formula_.at(at);
        if (one.kind == Kind::name && one.name == edit_.node) return name(node.name);
        if (one.kind == Kind::part) continue;
        waiting.insert(waiting.end(), one.children.begin(), one.children.end());
      }
    }
    return formula_.output;
  }

  // A read whose place alone is looked at, to count what lies inside.
  bool is_counted() const { return is_count(places_[size_t(edit_.node)].parent); }
  bool is_in_a_count() const {
    const int read = places_[size_t(edit_.node)].parent;
    return read != kNoNode && is_count(places_[size_t(read)].parent);
  }
  bool is_count(int node) const { return node != kNoNode && formula_.at(node).kind == Kind::count; }
  // Which elements count that do not lie inside.
  std::string counted_outside(const char* side) const {
    const bool of_index = formula_.at(edit_.node).kind != Kind::read;
    const std::string tensor = of_index ? tensor_of_length() : variable();
    std::string axes = of_index ? axis_of_index() : tested_axes();
    if (of_index && edit_.on_both_axes) axes = "row and column";
    return fmt::format(
        "The divisor is wrong, the sum is right: in the number of elements the {} in the padding "
        "{}{} counts, too",
        axes, side, tensor);
  }

  std::string of_windows() const {
    return edit_.second != kNoNode
               ? ", for rows and for columns"
               : fmt::format(", along {}", spoken(formula_.at(edit_.node).name));
  }

  // "k, p, q"
  std::string loops_of_sum() const {
    std::string text;
    for (int at = edit_.node; formula_.at(at).kind == Kind::sum; at = formula_.at(at).children[2]) {
      text += (text.empty() ? "" : ", ") + name(formula_.at(at).name);
    }
    return text;
  }

  std::string longer_rows() const {
    const bool of_output = edit_.node == kNoNode;
    std::string length;
    if (of_output) {
      length = formula_.text(formula_.axes.back().length);
    } else {
      const Node& read = formula_.at(edit_.node);
      for (size_t axis = size_t(edit_.argument) + 1; axis < read.children.size() / 3; ++axis) {
        length += (length.empty() ? "" : " * ") + formula_.text(read.children[axis * 3 + 1]);
      }
    }
    const std::string row =
        of_output ? spoken(formula_.axes[size_t(edit_.argument)].variable)
                  : axis_name(formula_.text(
                        formula_.at(edit_.node).children[size_t(edit_.argument) * 3 + 1]));
    return fmt::format(
        "In {0} the step from one {1} to the next is too large where it is {2}: {3}; {0} has no "
        "gaps, "
        "and the step is `{4}`",
        of_output ? formula_.output : variable(), row, of_output ? "written" : "read",
        edit_.parts == 1 ? fmt::format("`{} + 1`", length)
                         : fmt::format("`{}` rounded up to a multiple of {}", length, edit_.parts),
        length);
  }

  // The sentence needs no expression beside it.
  bool tells_all() const {
    switch (edit_.what) {
      case What::other_part_always:
      case What::ends_outside:
      case What::parts_overlap:
      case What::parts_rounded_down:
      case What::start_clipped:
      case What::other_step:
      case What::other_plane:
      case What::longer_rows:
      case What::stored_as_read:
      case What::taps_in_phases:
      case What::transposed_in_parts:
      case What::every_second:
      case What::any_remainder:
      case What::first_rounded:
      case What::twice:
      case What::counted_inside:
      case What::loops_exchanged:
      case What::loops_split:
      case What::carry_lost:
      case What::copy_turned:
      case What::split_by:
      case What::split_exchanged:
      case What::phase_undilated:
      case What::part_so_far:
      case What::taps_of_part:
      case What::pair_exchanged:
      case What::only_quarter:
      case What::either_inside:
      case What::averaged:
      case What::scaled:
      case What::other_frame:
      case What::reach_of_sum:
      case What::reach_of_product:
      case What::other_remainder:
      case What::part_unmultiplied:
      case What::only_first:
      case What::so_far:
      case What::window_before:
      case What::window_after:
      case What::only_inside_stored:
        return true;
      case What::untested:
      case What::untested_below:
      case What::untested_above:
      case What::clamped:
      case What::zero:
        return is_counted();
      default:
        return false;
    }
  }

  // The variables of the three innermost loops around the node, the outermost first.
  std::array<std::string, 3> taps() const {
    std::array<std::string, 3> found;
    size_t left = found.size();
    for (int at = places_[size_t(edit_.node)].parent; at != kNoNode && left > 0;
         at = places_[size_t(at)].parent) {
      if (is_reduction(formula_.at(at).kind)) found[--left] = name(formula_.at(at).name);
    }
    return found;
  }

  TestedIndex tested() const {
    const Node& loop = formula_.at(edit_.node);
    return tested_indices(formula_, loop.children[2], loop.name).front();
  }

  std::string axis_of_index() const {
    const Place& at = places_[size_t(edit_.node)];
    return axis_name(formula_.text(formula_.at(at.parent).children[at.child + 1]));
  }

  // "In w the step from one kernel row to the next is kh instead of kw"
  std::string step_of_axis() const {
    const Node& read = formula_.at(edit_.node);
    std::string is, belongs;
    for (size_t axis = size_t(edit_.argument) + 1; axis < read.children.size() / 3; ++axis) {
      const std::string length = formula_.text(read.children[axis * 3 + 1]);
      belongs += (belongs.empty() ? "" : " * ") + length;
      if (axis == size_t(edit_.second) && edit_.parts == kNoNode) continue;
      const bool is_other = axis == size_t(edit_.second);
      is += (is.empty() ? "" : " * ") + (is_other ? name(edit_.parts) : length);
    }
    return fmt::format("Where {} is read, the step from one {} to the next is `{}` instead of `{}`",
                       variable(),
                       axis_name(formula_.text(read.children[size_t(edit_.argument) * 3 + 1])),
                       is.empty() ? "1" : is, belongs);
  }

  // Of a tensor in memory.
  bool is_length_of_axis() const {
    const Place& at = places_[size_t(edit_.node)];
    if (at.parent != kNoNode) {
      return formula_.at(at.parent).kind == Kind::read && at.child % 3 == 1;
    }
    return std::ranges::any_of(formula_.axes,
                               [&](const OutputAxis& axis) { return axis.length == edit_.node; });
  }
  // What a length is wrong of: the last one is that of a row.
  std::string axis_of_wrong_length() const {
    const Place& at = places_[size_t(edit_.node)];
    const bool of_output = at.parent == kNoNode;
    const bool is_row = of_output ? formula_.axes.back().length == edit_.node
                                  : at.child + 2 == formula_.at(at.parent).children.size();
    return fmt::format("Where {} is {}, {} taken to have {} elements instead of {}",
                       tensor_of_length(), of_output ? "written" : "read",
                       is_row ? fmt::format("the rows of {} are", tensor_of_length())
                              : fmt::format("its axis of length {} is", old()),
                       name(edit_.argument), old());
  }
  bool is_limit_of_test() const {
    const Place& at = places_[size_t(edit_.node)];
    return at.parent != kNoNode && formula_.at(at.parent).kind == Kind::read && at.child % 3 == 2;
  }
  std::string axis_of_length() const {
    const Place& at = places_[size_t(edit_.node)];
    const Node& read = formula_.at(at.parent);
    return axis_name(formula_.text(read.children[at.child / 3 * 3 + 1]));
  }
  std::string output_length(int axis) const {
    return formula_.text(formula_.axes[size_t(axis)].length);
  }
  std::string other_axis() const { return name(formula_.axes[size_t(edit_.second)].variable); }
  std::string tensor_of_length() const {
    const int parent = places_[size_t(edit_.node)].parent;
    return parent == kNoNode ? formula_.output : name(formula_.at(parent).name);
  }
  // `node` is the place of a name then.
  bool is_of_a_name() const {
    return edit_.what == What::other_name_always || edit_.what == What::one_always ||
           edit_.what == What::names_exchanged || edit_.what == What::exchanged_in_parts;
  }

  // Of the loop whose end the node is; -1 for other nodes.
  int loop() const {
    for (const OutputAxis& axis : formula_.axes) {
      if (edit_.node == axis.end) return axis.variable;
    }
    const Place& at = places_[size_t(edit_.node)];
    const bool ends = at.parent != kNoNode && is_reduction(formula_.at(at.parent).kind);
    return ends && at.child == 1 ? formula_.at(at.parent).name : -1;
  }
  bool ends_a_loop() const { return loop() >= 0; }
  // The loop counts terms; another one with the same variable sums them.
  bool counts() const {
    const int parent = places_[size_t(edit_.node)].parent;
    return parent != kNoNode && formula_.at(parent).kind == Kind::count;
  }

  // "k (the channel)"
  std::string spoken(int variable) const {
    std::string word;
    for (const OutputAxis& axis : formula_.axes) {
      if (axis.variable == variable) word = axis_name(formula_.text(axis.end));
    }
    for (const Node& one : formula_.nodes) {
      const bool is_loop = is_reduction(one.kind) && one.name == variable;
      if (is_loop && word.empty()) word = axis_name(formula_.text(one.children[1]));
    }
    const bool says_more = !word.empty() && !word.starts_with("index") && word != name(variable);
    return says_more ? fmt::format("{} (the {})", name(variable), word) : name(variable);
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
