// SPDX-License-Identifier: MIT
// Doing it wrong.
#include <algorithm>
#include <array>
#include <climits>
#include <numeric>
#include <utility>
#include <vector>

#include "compare/formula/edits.h"
#include "compare/formula/places.h"

namespace convkit {
namespace {

using Kind = Node::Kind;
using What = Edit::What;

std::vector<size_t> permutation(size_t axes, int number) {
  std::vector<size_t> order(axes);
  std::iota(order.begin(), order.end(), size_t(0));
  for (int i = 0; i < number; ++i) std::ranges::next_permutation(order);
  return order;
}

class Editor {
 public:
  Editor(Formula formula, const Edit& edit) : formula_(std::move(formula)), edit_(edit) {}

  Formula done() {
    std::vector<int> nodes = alike(edit_.node), mirrors;
    Edit mirror = edit_;
    if (edit_.on_both_axes) {
      const int twin = twin_of(formula_, places_of(formula_), edit_.node);
      if (edit_.what == What::other_name || edit_.what == What::multiplied_by ||
          edit_.what == What::divided_by || edit_.what == What::half_of ||
          edit_.what == What::other_part || edit_.what == What::other_frame) {
        mirror.argument = mirrored(formula_, edit_.argument);
      }
      mirrors = alike(twin);
    }
    for (const int twin : mirrors) {
      mirror.node = twin;
      make(mirror);
    }
    Edit here = edit_;
    for (const int node : nodes) {
      // (Both of two places, where the same expression stands.)
      if (std::ranges::find(mirrors, node) != mirrors.end()) continue;
      here.node = node;
      make(here);
    }
    return std::move(formula_);
  }

 private:
  // Where the same expression stands, if the edit is made wherever it does.
  std::vector<int> alike(int id) const {
    if (!edit_.everywhere) return {id};
    return same_expressions(formula_, places_of(formula_), id);
  }
  int node(Kind kind, std::vector<int> children, int name = -1, double number = 0) {
    return formula_.add({kind, number, name, std::move(children)});
  }
  int number(double value) { return node(Kind::number, {}, -1, value); }
  // A copy of the node, so that the original can stand for a larger expression.
  int copy(int id) { return formula_.add(Node(formula_.at(id))); }
  void become(int id, Node other) { formula_.at(id) = std::move(other); }
  int rounded_down(int id, int parts) {
    const int whole = node(Kind::floor_divide, {copy(id), number(parts)});
    return node(Kind::multiply, {whole, number(parts)});
  }

  void complement(int id) {
    const Node a = formula_.at(formula_.at(id).children[1]);
    const Complements all = complements_of(formula_, places_of(formula_), id);
    for (const int factor : all.factors) {
      const int one = number(1), inner = copy(factor);
      become(factor, {Kind::subtract, 0, -1, {one, inner}});
    }
    for (const int other : all.complements) become(other, a);
  }

  void make(const Edit& edit) {
    switch (edit.what) {
      case What::other_name:
      case What::other_tensor:
        formula_.at(edit.node).name = edit.argument;
        break;
      case What::other_name_always:
        for (Node& one : formula_.nodes) {
          if (one.kind == Kind::name && one.name == edit.node) one.name = edit.argument;
        }
        break;
      case What::one_always:
        for (Node& one : formula_.nodes) {
          if (one.kind == Kind::name && one.name == edit.node) one = {Kind::number, 1, -1, {}};
        }
        break;
      case What::names_exchanged:
        for (Node& one : formula_.nodes) {
          if (one.kind != Kind::name) continue;
          const int before = one.name;
          if (before == edit.node) one.name = edit.argument;
          if (before == edit.argument) one.name = edit.node;
        }
        break;
      case What::exchanged_in_parts: {
        const std::vector<int> inside = nodes_of_parts(formula_);
        const auto exchange = [&](int name, int other) {
          for (const int id : inside) {
            Node& one = formula_.at(id);
            if (one.kind != Kind::name) continue;
            if (one.name == name) {
              one.name = other;
            } else if (one.name == other) {
              one.name = name;
            }
          }
        };
        exchange(edit.node, edit.argument);
        const int twin = mirrored(formula_, edit.node);
        if (twin != edit.node) exchange(twin, mirrored(formula_, edit.argument));
        break;
      }
      case What::parts_overlap:
        overlap(edit);
        break;
      case What::parts_rounded_down:
        leave_out_rest(edit);
        break;
      case What::strips_overlap:
        overlap_strips(edit);
        break;
      case What::complement:
        complement(edit.node);
        break;
      case What::no_left:
        if (formula_.at(edit.node).kind == Kind::subtract) {
          become(edit.node, {Kind::negate, 0, -1, {formula_.at(edit.node).children[1]}});
        } else if (formula_.at(edit.node).kind == Kind::divide) {
          const int below = formula_.at(edit.node).children[1];
          formula_.at(edit.node).children = {number(1), below};
        } else {
          become(edit.node, Node(formula_.at(formula_.at(edit.node).children[1])));
        }
        break;
      case What::no_right:
      case What::no_function:
        become(edit.node, Node(formula_.at(formula_.at(edit.node).children[0])));
        break;
      case What::other_sign: {
        Kind& kind = formula_.at(edit.node).kind;
        kind = kind == Kind::add ? Kind::subtract : Kind::add;
        break;
      }
      case What::multiplied_for_divided: {
        Kind& kind = formula_.at(edit.node).kind;
        kind = kind == Kind::multiply ? Kind::divide : Kind::multiply;
        break;
      }
      case What::multiplied_by:
      case What::divided_by: {
        const int inner = copy(edit.node);
        const int factor = node(Kind::name, {}, edit.argument);
        const Kind kind = edit.what == What::divided_by ? Kind::divide : Kind::multiply;
        become(edit.node, {kind, 0, -1, {inner, factor}});
        break;
      }
      case What::averaged: {
        const int count = count_of(edit.node);
        const int divisor = node(Kind::call, {count, number(1)}, formula_.name_of("max"));
        become(edit.node, {Kind::divide, 0, -1, {copy(edit.node), divisor}});
        break;
      }
      case What::scaled: {
        const int tensor = formula_.at(edit.node).name;
        const int factor = number(edit.argument == 1 ? 2 : 0.5);
        const int nodes = int(formula_.nodes.size());
        for (int id = 0; id < nodes; ++id) {
          if (formula_.at(id).kind != Kind::read || formula_.at(id).name != tensor) continue;
          become(id, {Kind::multiply, 0, -1, {copy(id), factor}});
        }
        break;
      }
      case What::either_inside:
        formula_.at(edit.node).outside_if = edit.argument == 0   ? Node::Outside::along_both
                                            : edit.argument == 1 ? Node::Outside::along_both_clamped
                                                                 : Node::Outside::of_plane;
        break;
      case What::only_quarter:
        formula_.at(edit.node).only_quarter = true;
        break;
      case What::phase_undilated: {
        const std::vector<int> product = formula_.at(edit.node).children;
        const int stride = named(edit.argument);
        const int position = times(over(product[0], stride), times(product[1], stride));
        become(edit.node, {Kind::add, 0, -1, {modulo(product[0], stride), position}});
        break;
      }
      case What::half_of:
        become(edit.node,
               {Kind::floor_divide, 0, -1, {node(Kind::name, {}, edit.argument), number(2)}});
        break;
      case What::twice:
        become(edit.node, {Kind::multiply, 0, -1, {number(2), copy(edit.node)}});
        break;
      case What::longer_rows:
        lengthen_rows(edit);
        break;
      case What::stored_as_read:
        store_as_read(edit);
        break;
      case What::taps_in_phases:
        for (const int loop : {edit.node, edit.second}) {
          if (loop == kNoNode) continue;
          const int end = formula_.at(loop).children[1], stride = stride_of_taps(formula_, loop);
          const int last = node(Kind::subtract, {plus(end, stride), number(1)});
          const int taps = times(over(edit.argument == 1 ? last : end, stride), stride);
          formula_.at(loop).children[1] = taps;
        }
        break;
      case What::transposed_in_parts:
        transpose_in_parts(edit);
        break;
      case What::every_second:
        leave_out_every_second(edit);
        break;
      case What::any_remainder:
        count_any_remainder(edit);
        break;
      case What::first_rounded:
        round_first_window(edit.node);
        if (edit.second != kNoNode) round_first_window(edit.second);
        break;
      case What::one_more:
      case What::one_less: {
        if (formula_.at(edit.node).kind == Kind::number) {
          formula_.at(edit.node).number += edit.what == What::one_more ? 1 : -1;
          break;
        }
        const int inner = copy(edit.node);
        const int one = number(1);
        const Kind kind = edit.what == What::one_more ? Kind::add : Kind::subtract;
        become(edit.node, {kind, 0, -1, {inner, one}});
        break;
      }
      case What::rounded_up: {
        const std::vector<int> parts = formula_.at(edit.node).children;
        const int sum = node(Kind::add, {parts[0], parts[1]});
        formula_.at(edit.node).children[0] = node(Kind::subtract, {sum, number(1)});
        break;
      }
      case What::not_rounded:
        formula_.at(edit.node).kind = Kind::divide;
        break;
      case What::no_brackets: {
        // Of the sum only one part is multiplied, or divided.
        const Node product = formula_.at(edit.node);
        Node sum = formula_.at(product.children[size_t(edit.argument)]);
        // The part next to the other factor, or, where the sum is written last, the other one.
        const size_t next = (edit.argument == 0) != (edit.second == 1) ? 1 : 0;
        std::vector<int> factors = product.children;
        factors[size_t(edit.argument)] = sum.children[next];
        sum.children[next] = node(product.kind, std::move(factors));
        become(edit.node, std::move(sum));
        break;
      }
      case What::other_number:
        formula_.at(edit.node).number = formula_.at(edit.argument).number;
        break;
      case What::function_first: {
        const Node call = formula_.at(edit.node);
        Node sum = formula_.at(call.children[0]);
        sum.children[0] = node(Kind::call, {sum.children[0]}, call.name);
        become(edit.node, sum);
        break;
      }
      case What::function_last: {
        Node sum = formula_.at(edit.node);
        const Node call = formula_.at(sum.children[0]);
        sum.children[0] = call.children[0];
        const int inside = formula_.add(std::move(sum));
        become(edit.node, {Kind::call, 0, call.name, {inside}});
        break;
      }
      case What::equal_counts:
      case What::equal_fails: {
        Kind& kind = formula_.at(edit.node).kind;
        kind = kind == Kind::less         ? Kind::less_equal
               : kind == Kind::less_equal ? Kind::less
               : kind == Kind::greater    ? Kind::greater_equal
                                          : Kind::greater;
        break;
      }
      case What::always_then:
        become(edit.node, Node(formula_.at(formula_.at(edit.node).children[1])));
        break;
      case What::always_else:
        become(edit.node, Node(formula_.at(formula_.at(edit.node).children[2])));
        break;
      case What::other_way:
        std::swap(formula_.at(edit.node).children[1], formula_.at(edit.node).children[2]);
        break;
      case What::remainder:
        formula_.at(edit.node).kind = Kind::floor_divide;
        break;
      case What::truncation:
        formula_.at(edit.node).name = formula_.name_of("truncated");
        break;
      case What::one_for_length:
        become(edit.node, {Kind::number, 1, -1, {}});
        break;
      case What::untested:
      case What::untested_below:
      case What::untested_above:
      case What::clamped:
      case What::zero:
      case What::not_indexed:
        of_read_axis(edit);
        break;
      case What::other_layout:
      case What::indices_exchanged:
        permute(edit);
        break;
      case What::first_term:
      case What::last_term:
      case What::whole_parts:
      case What::also_over:
      case What::carried:
      case What::squared:
      case What::again:
        of_reduction(edit);
        break;
      case What::part_unscaled:
      case What::within_unscaled: {
        const std::vector<int> product = formula_.at(edit.node).children;
        const int first = rounded_down(product[0], edit.parts);
        const int within = node(Kind::modulo, {copy(product[0]), number(edit.parts)});
        const int scaled = edit.what == What::part_unscaled ? within : first;
        const int left = edit.what == What::part_unscaled ? first : within;
        const int right = node(Kind::multiply, {scaled, product[1]});
        become(edit.node, {Kind::add, 0, -1, {left, right}});
        break;
      }
      case What::other_part:
        for (size_t other = 0; other < formula_.nodes.size(); ++other) {
          const Node there = formula_.at(int(other));
          if (there.kind != Kind::part || there.name != edit.argument) continue;
          become(edit.node, there);
          break;
        }
        break;
      case What::part_so_far: {
        int at = places_of(formula_)[size_t(edit.node)].parent;
        while (!is_reduction(formula_.at(at).kind)) at = places_of(formula_)[size_t(at)].parent;
        Node reduction = formula_.at(formula_.at(edit.node).children[0]);
        reduction.children[1] = plus(named(formula_.at(at).name), number(1));
        if (edit.parts == 0) {
          become(edit.node, std::move(reduction));
        } else {
          const int top = copy(edit.node), so_far = formula_.add(std::move(reduction));
          become(edit.node, {Kind::subtract, 0, -1, {times(number(2), so_far), top}});
        }
        break;
      }
      case What::other_part_always: {
        const int name = formula_.at(edit.node).name;
        const std::vector<int> uses = uses_of_part(formula_, name);
        const auto there = std::ranges::find_if(formula_.nodes, [&](const Node& one) {
          return one.kind == Kind::part && one.name == edit.argument;
        });
        if (there == formula_.nodes.end()) break;
        const Node other = *there;
        for (const int use : uses) become(use, other);
        break;
      }
      case What::ends_outside:
        end_outside(edit.node, edit.parts == 1);
        if (edit.second != kNoNode) end_outside(edit.second, edit.parts == 1);
        break;
      case What::start_clipped: {
        const int start = formula_.at(edit.node).children[0];
        const int clipped = node(Kind::call, {start, number(0)}, formula_.name_of("max"));
        formula_.at(edit.node).children[0] = clipped;
        break;
      }
      case What::only_first: {
        const int one = number(1);
        formula_.at(edit.node).children[size_t(edit.argument) * 3 + 2] = one;
        formula_.at(edit.node).zero_outside = true;
        break;
      }
      case What::so_far: {
        const int here = named(formula_.axes[size_t(edit.argument)].variable);
        const int end = edit.second == 1 ? here : node(Kind::add, {here, number(1)});
        formula_.at(edit.node).children[1] = end;
        break;
      }
      case What::window_before:
      case What::window_after:
        one_window_more(edit.node, edit.argument);
        if (edit.second != kNoNode) {
          one_window_more(edit.second, mirrored(formula_, edit.argument));
        }
        break;
      case What::only_inside_stored:
        formula_.only_inside_stored = true;
        break;
      case What::carry_lost:
        lose_carry(edit);
        break;
      case What::taps_of_part:
        begin_anew(edit);
        break;
      case What::copy_turned:
        turn_copy(edit);
        break;
      case What::other_step:
        step_otherwise(edit);
        break;
      case What::other_plane:
        step_of_other_plane(edit);
        break;
      case What::counted_inside:
        count_inside(edit);
        break;
      case What::loops_exchanged:
      case What::loops_split:
        take_loops_apart(edit);
        break;
      case What::split_by:
      case What::split_exchanged: {
        const std::string own = formula_.text(edit.node);
        const std::string& other = formula_.names[size_t(edit.argument)];
        const std::vector<int> here = divisors_of(formula_, edit.second, own);
        const std::vector<int> there = divisors_of(formula_, edit.second, other);
        const Node own_length = formula_.at(edit.node), other_length = length(edit.argument);
        for (const int place : here) become(place, other_length);
        if (edit.what == What::split_by) break;
        for (const int place : there) become(place, own_length);
        break;
      }
      case What::other_frame: {
        const int pad = copy(edit.node);
        int reach = node(Kind::subtract, {named(edit.argument), number(1)});
        const std::string& text = formula_.names[size_t(formula_.at(edit.node).name)];
        const std::string dilation = "dilation_" + text.substr(4);
        if (std::ranges::find(formula_.names, dilation) != formula_.names.end()) {
          reach = node(Kind::multiply, {named(formula_.name_of(dilation)), reach});
        }
        become(edit.node, {Kind::subtract, 0, -1, {reach, pad}});
        break;
      }
      case What::reach_of_sum:
      case What::reach_of_product: {
        // With the 1 that is added to it: k + dilation - 1, or k * dilation.
        const std::vector<int> product = formula_.at(edit.node).children;
        const Kind kind = edit.what == What::reach_of_sum ? Kind::add : Kind::multiply;
        const int kernel = formula_.at(product[1]).children[0];
        const int all = node(kind, {kernel, product[0]});
        const int less = number(edit.what == What::reach_of_sum ? 2 : 1);
        become(edit.node, {Kind::subtract, 0, -1, {all, less}});
        break;
      }
      case What::other_remainder: {
        const Dividend parts = *dividend_of(formula_, edit.node);
        int tested = parts.variable;
        if (edit.argument == 1) tested = node(Kind::subtract, {parts.variable, parts.tap});
        if (edit.argument == 2) tested = node(Kind::add, {parts.variable, parts.pad});
        if (edit.argument == 3) {
          const int tap = formula_.at(parts.tap).children[0];
          tested = node(Kind::subtract, {plus(parts.variable, parts.pad), tap});
        }
        formula_.at(edit.node).children.push_back(tested);
        break;
      }
      case What::taken_apart:
      case What::rest_forgotten:
        take_output_apart(edit);
        break;
      case What::part_unmultiplied: {
        const std::vector<int> children = formula_.at(edit.node).children;
        int step = number(1);
        for (size_t axis = size_t(edit.argument) + 1; axis < children.size() / 3; ++axis) {
          step = node(Kind::multiply, {step, children[axis * 3 + 1]});
        }
        const int first = rounded_down(children[size_t(edit.argument) * 3], edit.parts);
        const int less = node(Kind::subtract, {number(1), step});
        const int added = node(Kind::multiply, {first, less});
        formula_.at(edit.node).added = added;
        break;
      }
      case What::counted_in_part: {
        const int inner = copy(edit.node);
        const int parts = number(edit.parts);
        become(edit.node, {Kind::modulo, 0, -1, {inner, parts}});
        break;
      }
      case What::first_of_part:
        become(edit.node, Node(formula_.at(rounded_down(edit.node, edit.parts))));
        break;
      case What::pair_exchanged: {
        const int inner = copy(edit.node), parts = number(edit.parts);
        const int place = modulo(inner, parts), distance = number(edit.second_parts - edit.second);
        const int is_first = node(Kind::equal, {place, number(edit.second)});
        const int is_second = node(Kind::equal, {place, number(edit.second_parts)});
        const int down = node(Kind::choose, {is_second, minus(inner, distance), inner});
        become(edit.node, {Kind::choose, 0, -1, {is_first, plus(inner, distance), down}});
        break;
      }
      case What::unguarded: {
        OutputAxis& axis = formula_.axes[size_t(edit.argument)];
        const int end = in_parts(axis.end, edit.parts);
        axis.end = node(Kind::multiply, {end, number(edit.parts)});
        break;
      }
      case What::ends_exchanged:
        std::swap(formula_.axes[size_t(edit.argument)].end, formula_.axes[size_t(edit.second)].end);
        break;
      case What::interleaved:
        interleave(edit);
        break;
      case What::not_stored_apart:
        formula_.axes[size_t(edit.argument)].index = number(0);
        break;
      case What::parts_of_other:
      case What::parts_exchanged:
      case What::gaps:
      case What::quarter:
        formula_.stored = condition(edit);
        break;
      case What::reversed: {
        const int name = formula_.at(edit.node).name;
        const int length = length_of(edit.node, name);
        if (length == kNoNode) break;
        const int last = node(Kind::subtract, {length, number(1)});
        const int inner = copy(edit.node);
        become(edit.node, {Kind::subtract, 0, -1, {last, inner}});
        break;
      }
      case What::last_not_computed:
      case What::first_not_computed:
      case What::whole_parts_computed: {
        OutputAxis& axis = formula_.axes[size_t(edit.argument)];
        if (edit.what == What::first_not_computed) {
          axis.begin = number(1);
        } else if (edit.what == What::last_not_computed) {
          axis.end = node(Kind::subtract, {axis.end, number(1)});
        } else {
          axis.end = rounded_down(axis.end, edit.parts);
        }
        break;
      }
    }
  }

  int named(int name) { return node(Kind::name, {}, name); }
  int in_parts(int length, int parts) {
    const int sum = node(Kind::add, {length, number(parts - 1)});
    return node(Kind::floor_divide, {sum, number(parts)});
  }
  // Whether the axis's index lies in the blocks counted for `other`.
  int in_parts_of(const OutputAxis& axis, int parts, const OutputAxis& other, int of_other) {
    const int end = node(Kind::multiply, {in_parts(other.end, of_other), number(parts)});
    return node(Kind::less, {named(axis.variable), end});
  }

  int condition(const Edit& edit) {
    if (edit.what == What::quarter) {
      int flat = number(0), all = number(1);
      for (const OutputAxis& axis : formula_.axes) {
        flat = node(Kind::add, {node(Kind::multiply, {flat, axis.length}), axis.index});
        all = node(Kind::multiply, {all, axis.length});
      }
      const int quarter = node(Kind::divide, {all, number(sizeof(float))});
      return node(Kind::subtract, {quarter, flat});
    }
    const OutputAxis axis = formula_.axes[size_t(edit.argument)];
    if (edit.what == What::gaps) {
      const int own = is_in_part(axis, edit.parts, edit.second);
      if (edit.second_parts == 0) return own;
      const OutputAxis next = formula_.axes[size_t(edit.argument) + 1];
      return times(own, is_in_part(next, edit.second_parts, mirrored(formula_, edit.second)));
    }
    const OutputAxis other = formula_.axes[size_t(edit.second)];
    const int own = in_parts_of(axis, edit.parts, other, edit.second_parts);
    if (edit.what == What::parts_of_other) return own;
    return node(Kind::multiply, {own, in_parts_of(other, edit.second_parts, axis, edit.parts)});
  }

  // Before the gap behind each part, which is as long as two windows overlap.
  int is_in_part(const OutputAxis& axis, int parts, int taps) {
    const int overlap = node(Kind::subtract, {named(taps), number(1)});
    const int length = node(Kind::subtract, {number(parts), overlap});
    const int within = node(Kind::modulo, {named(axis.variable), number(parts)});
    return node(Kind::less, {within, length});
  }

  void of_read_axis(const Edit& edit) {
    if (edit.what == What::zero) {
      formula_.at(edit.node).zero_outside = true;
      return;
    }
    const size_t axes = formula_.at(edit.node).children.size() / 3;
    for (size_t axis = 0; axis < axes; ++axis) {
      if (edit.argument >= 0 && size_t(edit.argument) != axis) continue;
      const std::vector<int> children = formula_.at(edit.node).children;
      const int length = children[axis * 3 + 2];
      int index = children[axis * 3];
      if (edit.what == What::untested_below || edit.what == What::untested_above) {
        Node& read = formula_.at(edit.node);
        (edit.what == What::untested_below ? read.untested_below : read.untested_above) |= 1u
                                                                                           << axis;
        continue;
      }
      if (edit.what == What::not_indexed) {
        index = number(0);
      } else if (length == kNoNode) {
        continue;
      } else if (edit.what == What::clamped) {
        index = node(Kind::call, {index, length}, formula_.name_of("clamped"));
      }
      std::vector<int>& changed = formula_.at(edit.node).children;
      changed[axis * 3] = index;
      if (edit.what != What::not_indexed) changed[axis * 3 + 2] = kNoNode;
    }
  }

  void permute(const Edit& edit) {
    const bool whole = edit.what == What::other_layout;
    if (edit.node == kNoNode) {
      const std::vector<OutputAxis> before = formula_.axes;
      const auto order = permutation(before.size(), edit.argument);
      // Loops stay; results are stored elsewhere. (Index and length need not be of one axis.)
      for (size_t axis = 0; axis < order.size(); ++axis) {
        formula_.axes[axis].index = before[order[axis]].index;
        if (whole) formula_.axes[axis].length = before[order[axis]].length;
      }
      return;
    }
    std::vector<int>& children = formula_.at(edit.node).children;
    const std::vector<int> before = children;
    const auto order = permutation(before.size() / 3, edit.argument);
    for (size_t axis = 0; axis < order.size(); ++axis) {
      for (const size_t part : {0, 1, 2}) {
        if (whole || part == 0) children[axis * 3 + part] = before[order[axis] * 3 + part];
      }
    }
  }

  void of_reduction(const Edit& edit) {
    const Node before = formula_.at(edit.node);
    const int begin = before.children[0], end = before.children[1];
    if (edit.what == What::first_term) {
      formula_.at(edit.node).children[1] = node(Kind::add, {begin, number(1)});
      return;
    }
    if (edit.what == What::last_term) {
      formula_.at(edit.node).children[0] = node(Kind::subtract, {end, number(1)});
      return;
    }
    if (edit.what == What::whole_parts) {
      formula_.at(edit.node).children[1] = rounded_down(end, edit.parts);
      return;
    }
    if (edit.what == What::again) {
      count_again(edit);
      return;
    }
    if (edit.what == What::squared) {
      count_axis_twice(edit);
      return;
    }
    const OutputAxis axis = formula_.axes[size_t(edit.argument)];
    const int inner = copy(edit.node);
    int last = axis.end;
    if (edit.what == What::carried) {
      const int here = node(Kind::name, {}, axis.variable);
      last = node(Kind::add, {here, number(1)});
    }
    const Kind kind = before.kind == Kind::count ? Kind::sum : before.kind;
    const int zero = number(0);
    become(edit.node, {kind, 0, axis.variable, {zero, last, inner}});
  }

  // Both loops of the count go along the same axis of what is read.
  void count_axis_twice(const Edit& edit) {
    const int outer = edit.node, inner = formula_.at(outer).children[2];
    const int read = formula_.at(inner).children[2];
    if (formula_.at(read).kind != Kind::read) return;
    const std::vector<int> axes = formula_.at(read).children;
    const size_t kept = axes.size() - (edit.argument == 0 ? 6 : 3);
    const int counted = edit.argument == 0 ? outer : inner,
              other = edit.argument == 0 ? inner : outer;
    formula_.at(other).children[1] = formula_.at(counted).children[1];
    const int again = with_name(axes[kept], formula_.at(counted).name, formula_.at(other).name);
    const int length = axes[kept + 1], limit = axes[kept + 2];
    formula_.at(read).children = {axes[kept], length, limit, again, length, limit};
  }

  // A copy of a tree with one variable in the place of another.
  int with_name(int tree, int name, int other) {
    if (tree == kNoNode) return kNoNode;
    Node one = formula_.at(tree);
    if (one.kind == Kind::name && one.name == name) one.name = other;
    for (int& child : one.children) child = with_name(child, name, other);
    return formula_.add(std::move(one));
  }

  // Where a variable stands in a tree, each place once.
  std::vector<int> uses_in(int tree, int variable) const {
    std::vector<int> waiting{tree}, uses;
    while (!waiting.empty()) {
      const int at = waiting.back();
      waiting.pop_back();
      if (at == kNoNode) continue;
      const Node& one = formula_.at(at);
      if (one.kind == Kind::name && one.name == variable) uses.push_back(at);
      waiting.insert(waiting.end(), one.children.begin(), one.children.end());
    }
    std::ranges::sort(uses);
    uses.erase(std::ranges::unique(uses).begin(), uses.end());
    return uses;
  }

  // Place p of a tile holds what belongs p % n * d + p / n from its beginning, where each of d
  // threads has n places. Tiles are computed to their ends: behind the data there are zeros.
  void interleave(const Edit& edit) {
    const int variable = formula_.axes[size_t(edit.argument)].variable;
    const int all = edit.parts * edit.second_parts;
    for (const int use : uses_in(formula_.root, variable)) {
      const int first = rounded_down(use, all);
      const int within = node(Kind::modulo, {copy(use), number(all)});
      const int turn = node(Kind::modulo, {within, number(edit.second_parts)});
      const int jump = node(Kind::multiply, {turn, number(edit.parts)});
      const int thread = node(Kind::floor_divide, {within, number(edit.second_parts)});
      const int place = node(Kind::add, {jump, thread});
      become(use, {Kind::add, 0, -1, {first, place}});
      for (Node& read : formula_.nodes) {
        if (read.kind != Kind::read) continue;
        for (size_t i = 0; i < read.children.size(); i += 3) {
          if (read.children[i] == use && read.children[i + 2] == kNoNode) {
            read.children[i + 2] = read.children[i + 1];
          }
        }
      }
    }
  }

  // Counted over all loops of the nest, term number e is added by every part that has begun by
  // then.
  void overlap(const Edit& edit) {
    const std::vector<int> loops = nested_in(edit.node);
    const int begun = node(Kind::floor_divide, {term_number(loops), number(edit.parts)});
    const int others =
        node(Kind::call, {begun, number(edit.second_parts - 1)}, formula_.name_of("min"));
    const int times = node(Kind::add, {number(1), others});
    const int term = formula_.at(loops.back()).children[2];
    const int repeated = node(Kind::multiply, {term, times});
    formula_.at(loops.back()).children[2] = repeated;
  }

  // Each part has so many terms as the quotient says, and those behind the last part are lost.
  void leave_out_rest(const Edit& edit) {
    const std::vector<int> loops = nested_in(edit.node);
    int terms = number(1);
    for (const int loop : loops) {
      terms = node(Kind::multiply, {terms, formula_.at(loop).children[1]});
    }
    const int length = node(Kind::floor_divide, {terms, number(edit.parts)});
    const int end = node(Kind::multiply, {length, number(edit.parts)});
    const int inside = node(Kind::less, {term_number(loops), end});
    const int term = formula_.at(loops.back()).children[2];
    const int counted = node(Kind::choose, {inside, term, number(0)});
    formula_.at(loops.back()).children[2] = counted;
  }

  // Of a sum over lanes that lacks the step over `parts` of them.
  void leave_out_every_second(const Edit& edit) {
    const std::vector<int> loops = nested_in(edit.node);
    const int group = over(term_number(loops), number(edit.parts));
    const int is_first = node(Kind::equal, {modulo(group, number(2)), number(0)});
    const int term = formula_.at(loops.back()).children[2];
    const int counted = node(Kind::choose, {is_first, term, number(0)});
    formula_.at(loops.back()).children[2] = counted;
  }

  // Each tap meets all places from its own up to that of the next window.
  void count_any_remainder(const Edit& edit) {
    const int innermost = nested_in(edit.node).back();
    for (const int product : {edit.argument, edit.second}) {
      if (product == kNoNode) continue;
      const int stride = formula_.at(product).children[1];
      const int rest = formula_.name_of("rest of " + formula_.text(stride));
      formula_.is_variable[size_t(rest)] = true;
      become(product, {Kind::add, 0, -1, {copy(product), named(rest)}});
      const int term = formula_.at(innermost).children[2];
      const int all = node(Kind::sum, {number(0), stride, term}, rest);
      formula_.at(innermost).children[2] = all;
    }
  }

  // The quotient of a negative number is rounded towards 0.
  void round_first_window(int loop) {
    const FirstWindow first = *first_window_of(formula_, loop);
    const int reach = times(node(Kind::subtract, {first.taps, number(1)}), first.dilation);
    const int before =
        node(Kind::subtract, {node(Kind::subtract, {first.place, reach}), number(1)});
    const int quotient = node(Kind::call, {before, first.stride}, formula_.name_of("truncated"));
    const int next = plus(quotient, number(1));
    const int begin = node(Kind::call, {number(0), next}, formula_.name_of("max"));
    formula_.at(loop).children[0] = begin;
  }

  // The loop and those directly within it.
  std::vector<int> nested_in(int loop) const {
    std::vector<int> loops{loop};
    for (;;) {
      const int inner = formula_.at(loops.back()).children[2];
      if (formula_.at(inner).kind != formula_.at(loop).kind) return loops;
      loops.push_back(inner);
    }
  }

  // In the order in which the loops go through them.
  int term_number(const std::vector<int>& loops) {
    int flat = number(0);
    for (const int loop : loops) {
      const int product = node(Kind::multiply, {flat, formula_.at(loop).children[1]});
      flat = node(Kind::add, {product, named(formula_.at(loop).name)});
    }
    return flat;
  }

  // Thread t of a tile begins at t, not at t times the length of its strip.
  void overlap_strips(const Edit& edit) {
    const int variable = formula_.axes[size_t(edit.argument)].variable;
    for (const int use : uses_in(formula_.root, variable)) {
      const int first = rounded_down(use, edit.parts);
      const int within = node(Kind::modulo, {copy(use), number(edit.parts)});
      const int thread = node(Kind::floor_divide, {within, number(edit.second_parts)});
      const int place = node(Kind::modulo, {within, number(edit.second_parts)});
      const int moved = node(Kind::add, {thread, place});
      become(use, {Kind::add, 0, -1, {first, moved}});
    }
  }

  // The loop runs to the end of its last part; behind its own end the tile holds what the part
  // before has left there.
  void count_again(const Edit& edit) {
    const int variable = formula_.at(edit.node).name;
    const int end = formula_.at(edit.node).children[1];
    for (const int use : uses_in(formula_.at(edit.node).children[2], variable)) {
      const int here = named(variable), before = named(variable);
      const int earlier = node(Kind::subtract, {before, number(edit.parts)});
      const int inside = node(Kind::less, {here, end});
      become(use, {Kind::choose, 0, -1, {inside, here, earlier}});
    }
    const int parts = in_parts(end, edit.parts);
    const int whole = node(Kind::multiply, {parts, number(edit.parts)});
    formula_.at(edit.node).children[1] = whole;
  }

  // The taps of an element are so many more, as a window has in the next one.
  void one_window_more(int loop, int stride) {
    const bool before = edit_.what == What::window_before;
    const size_t bound = before ? 1 : 0;
    const Kind kind = before ? Kind::add : Kind::subtract;
    const int moved = node(kind, {formula_.at(loop).children[bound], named(stride)});
    formula_.at(loop).children[bound] = moved;
  }

  // Every loop over the variable ends where one of the tested indices made from it lies outside.
  // Of a quotient, `by_range` looks at its size alone.
  void end_outside(int loop, bool by_range) {
    const int variable = formula_.at(loop).name;
    const std::vector<int> loops = loops_over(formula_, variable);
    for (const int id : loops) {
      const std::vector<TestedIndex> tested =
          tested_indices(formula_, formula_.at(id).children[2], variable);
      for (const TestedIndex& one : tested) {
        int index = one.index;
        if (by_range && formula_.at(index).kind == Kind::call) {
          index = node(Kind::floor_divide, formula_.at(index).children);
        }
        const int above = node(Kind::greater_equal, {index, number(0)});
        const int below = node(Kind::less, {index, one.length});
        const int inside = node(Kind::multiply, {above, below});
        const int before = formula_.at(id).stops;
        const int all = before == kNoNode ? inside : node(Kind::multiply, {before, inside});
        formula_.at(id).stops = all;
      }
    }
  }

  // Along one axis the step in memory is another than the lengths of the axes after it make.
  void step_otherwise(const Edit& edit) {
    const std::vector<int> children = formula_.at(edit.node).children;
    int right = number(1), wrong = number(1);
    for (size_t axis = size_t(edit.argument) + 1; axis < children.size() / 3; ++axis) {
      const int length = children[axis * 3 + 1];
      right = node(Kind::multiply, {right, length});
      int taken = length;
      if (axis == size_t(edit.second)) {
        taken = edit.parts == kNoNode ? number(1) : named(edit.parts);
      }
      wrong = node(Kind::multiply, {wrong, taken});
    }
    const int difference = node(Kind::subtract, {wrong, right});
    const int index = children[size_t(edit.argument) * 3];
    const int added = node(Kind::multiply, {index, difference});
    formula_.at(edit.node).added = added;
  }

  void store_as_read(const Edit& edit) {
    const std::vector<int> children = formula_.at(edit.node).children;
    int right = number(1), wrong = number(1);
    for (size_t axis = size_t(edit.argument) + 1; axis < formula_.axes.size(); ++axis) {
      right = times(right, formula_.axes[axis].length);
      wrong = times(wrong, children[axis * 3 + 1]);
    }
    int index = formula_.axes.back().index, more = node(Kind::subtract, {wrong, right});
    for (size_t axis = size_t(edit.argument) + 1; axis-- > 0;) {
      index = plus(index, times(formula_.axes[axis].index, more));
      if (edit.second == 0) break;
      more = times(more, formula_.axes[axis].length);
    }
    formula_.axes.back().index = index;
  }

  // Channel k of a part begins k parts' lengths behind the part's beginning: in the output, or in
  // what is read, whichever has the channels before the pixels.
  void transpose_in_parts(const Edit& edit) {
    std::vector<int> children = formula_.at(edit.node).children;
    const bool is_read = formula_.text(children[3]) == formula_.text(formula_.axes[3].index);
    std::array<int, 4> index{}, length{};  // image, channel, row, column
    for (size_t axis = 0; axis < 4; ++axis) {
      index[axis] = is_read ? children[axis * 3] : formula_.axes[axis].index;
      length[axis] = is_read ? children[axis * 3 + 1] : formula_.axes[axis].length;
    }
    const int pixels = times(length[2], length[3]);
    const int pixel = plus(times(index[2], length[3]), index[3]);
    const int before = times(over(pixel, number(edit.parts)), number(edit.parts));
    const int rest = node(Kind::subtract, {pixels, before});
    const int own = node(Kind::call, {rest, number(edit.parts)}, formula_.name_of("min"));
    int place = times(times(index[0], length[1]), pixels);
    place = plus(place, times(before, length[1]));
    place = plus(place, times(index[1], own));
    place = plus(place, node(Kind::subtract, {pixel, before}));
    for (size_t axis = 0; axis < 4; ++axis) {
      const int there = axis == 3 ? place : number(0), one = number(1);
      if (is_read) {
        children[axis * 3] = there, children[axis * 3 + 1] = one;
      } else {
        formula_.axes[axis].index = there, formula_.axes[axis].length = one;
      }
    }
    formula_.at(edit.node).children = children;
  }

  int lengthened(int length, int multiple) {
    if (multiple == 1) return plus(length, number(1));
    return times(in_parts(length, multiple), number(multiple));
  }

  void lengthen_rows(const Edit& edit) {
    if (edit.node == kNoNode) {
      OutputAxis& row = formula_.axes.back();
      row.length = lengthened(row.length, edit.parts);
      return;
    }
    const std::vector<int> children = formula_.at(edit.node).children;
    int row = number(0), step = number(1);
    for (size_t axis = 0; axis < children.size() / 3; ++axis) {
      const int index = children[axis * 3], length = children[axis * 3 + 1];
      if (axis > size_t(edit.argument)) {
        step = times(step, length);
      } else {
        row = plus(times(row, length), index);
      }
    }
    const int more = node(Kind::subtract, {lengthened(step, edit.parts), step});
    const int added = times(row, more);
    formula_.at(edit.node).added = added;
  }

  // A node for a length that the formula has somewhere.
  Node length(int name) const {
    return formula_.at(node_of_length(formula_, formula_.names[size_t(name)]));
  }

  // The step of an axis is made of the other plane, and so, perhaps, are those of the axes before.
  void step_of_other_plane(const Edit& edit) {
    const std::vector<int> children = formula_.at(edit.node).children;
    const size_t axes = children.size() / 3;
    const Plane other = *other_plane_of(formula_, edit.node);
    const int right = node(Kind::multiply, {children[axes * 3 - 5], children[axes * 3 - 2]});
    const int wrong = node(Kind::multiply, {other.rows, other.columns});
    int difference = node(Kind::subtract, {wrong, right});
    int added = number(0);
    for (size_t axis = size_t(edit.argument) + 1; axis-- > 0;) {
      const int moved = node(Kind::multiply, {children[axis * 3], difference});
      added = node(Kind::add, {added, moved});
      if (edit.second == 0) break;
      difference = node(Kind::multiply, {difference, children[axis * 3 + 1]});
    }
    formula_.at(edit.node).added = added;
  }

  // Behind the axes that are right the place is the number of terms so far that were inside.
  void count_inside(const Edit& edit) {
    std::vector<int> children = formula_.at(edit.node).children, kept;
    for (size_t axis = 0; axis < size_t(edit.argument); ++axis) kept.push_back(children[axis * 3]);
    for (size_t i = size_t(edit.argument) * 3; i < children.size(); i += 3) children[i] = number(0);
    children[children.size() - 3] = node(Kind::call, kept, formula_.name_of("so_far"));
    formula_.at(edit.node).children = children;
  }

  void take_loops_apart(const Edit& edit) {
    const int outer = edit.argument, inner = edit.second;
    const std::vector<int> of_outer = uses_in(edit.node, outer),
                           of_inner = uses_in(edit.node, inner);
    int for_outer = named(inner), for_inner = named(outer);
    if (edit.what == What::loops_split) {
      const int divisor = length_of(edit.node, outer), other = length_of(edit.node, inner);
      const int first = node(Kind::multiply, {named(outer), other});
      const int flat = node(Kind::add, {first, named(inner)});
      const int quotient = node(Kind::floor_divide, {flat, divisor});
      for_outer = node(Kind::modulo, {quotient, other});
      for_inner = node(Kind::modulo, {flat, divisor});
    }
    for (const int use : of_outer) become(use, Node(formula_.at(for_outer)));
    for (const int use : of_inner) become(use, Node(formula_.at(for_inner)));
  }

  int plus(int a, int b) { return node(Kind::add, {a, b}); }
  int minus(int a, int b) { return node(Kind::subtract, {a, b}); }
  int times(int a, int b) { return node(Kind::multiply, {a, b}); }
  int over(int a, int b) { return node(Kind::floor_divide, {a, b}); }
  int modulo(int a, int b) { return node(Kind::modulo, {a, b}); }

  // The three innermost loops around a read: their variables and ends, the outermost first.
  struct Taps {
    std::array<int, 3> variable, end;
  };
  Taps taps_of(int read) const {
    Taps taps{};
    const std::vector<Place> places = places_of(formula_);
    size_t found = 3;
    for (int at = places[size_t(read)].parent; at != kNoNode && found > 0;
         at = places[size_t(at)].parent) {
      const Node& loop = formula_.at(at);
      if (!is_reduction(loop.kind)) continue;
      taps.variable[--found] = loop.name;
      taps.end[found] = loop.children[1];
    }
    return taps;
  }
  void replace_taps(int read, const Taps& taps, const std::array<int, 3>& values) {
    std::array<std::vector<int>, 3> uses;
    for (size_t i = 0; i < 3; ++i) uses[i] = uses_in(read, taps.variable[i]);
    for (size_t i = 0; i < 3; ++i) {
      for (const int use : uses[i]) become(use, Node(formula_.at(values[i])));
    }
  }

  // How many terms of the nested sums count.
  int count_of(int loop) {
    Node one = formula_.at(loop);
    const bool is_nested = is_reduction(formula_.at(one.children[2]).kind);
    one.kind = is_nested ? Kind::sum : Kind::count;
    if (is_nested) one.children[2] = count_of(one.children[2]);
    return formula_.add(std::move(one));
  }

  int tap_number(const Taps& taps) {
    const int of_outer = plus(times(named(taps.variable[0]), taps.end[1]), named(taps.variable[1]));
    return plus(times(of_outer, taps.end[2]), named(taps.variable[2]));
  }

  void begin_anew(const Edit& edit) {
    const Taps taps = taps_of(edit.node);
    const int rows = taps.end[1], columns = taps.end[2];
    const int tap = modulo(tap_number(taps), number(edit.parts));
    replace_taps(
        edit.node, taps,
        {over(tap, times(rows, columns)), modulo(over(tap, columns), rows), modulo(tap, columns)});
  }

  // Begins at one of the first `parts` taps and goes on in steps of so many.
  void lose_carry(const Edit& edit) {
    const Taps taps = taps_of(edit.node);
    const int rows = taps.end[1], columns = taps.end[2], all = times(rows, columns);
    const int tap = tap_number(taps);
    const int step = number(edit.parts), first = modulo(tap, step), steps = over(tap, step);
    const int outer = plus(over(first, all), times(steps, over(step, all)));
    const int walked =
        plus(modulo(over(first, columns), rows), times(steps, modulo(over(step, columns), rows)));
    const int row = edit.second == 1 ? named(taps.variable[1]) : modulo(walked, rows);
    const int channel = edit.second == 1 ? outer : plus(outer, over(walked, rows));
    replace_taps(edit.node, taps, {channel, row, named(taps.variable[2])});
  }

  // What was never stored in the copy is not known; behind the last group or pass there are zeros.
  void turn_copy(const Edit& edit) {
    const Taps taps = taps_of(edit.node);
    const int rows = taps.end[1], columns = taps.end[2], plane = times(rows, columns);
    const int copied = edit.second_parts == INT_MAX ? taps.end[0] : number(edit.second_parts);
    const int group_index = formula_.at(edit.node).children[0];
    const int group = named(formula_.at(group_index).name), outer = named(taps.variable[0]);
    const int groups = number(edit.parts), pitch = number(edit.argument);
    const int in_groups = modulo(group, groups), in_copied = modulo(outer, copied);
    const int tap = plus(times(plus(times(in_copied, rows), named(taps.variable[1])), columns),
                         named(taps.variable[2]));
    const int all = times(copied, plane);
    const int place =
        edit.second == 0 ? plus(times(tap, pitch), in_groups) : plus(times(in_groups, all), tap);
    const int found_group = edit.second == 0 ? over(place, all) : modulo(place, pitch);
    const int found_tap = edit.second == 0 ? modulo(place, all) : over(place, pitch);
    const int is_stored =
        times(node(Kind::less, {found_group, groups}), node(Kind::less, {found_tap, all}));
    const int new_group = plus(minus(group, in_groups), found_group);
    const int channel = plus(minus(outer, in_copied), over(found_tap, plane));
    replace_taps(edit.node, taps,
                 {channel, modulo(over(found_tap, columns), rows), modulo(found_tap, columns)});
    const int index = node(Kind::choose, {is_stored, new_group, group});
    const int added = node(Kind::choose, {is_stored, number(0), number(-1e9)});
    Node& read = formula_.at(edit.node);
    read.children[0] = index;
    for (const size_t axis : {0, 1}) read.children[axis * 3 + 2] = read.children[axis * 3 + 1];
    read.added = added;
  }

  // The loops' variables are computed from one index over all axes. Those behind the axis come out
  // right.
  void take_output_apart(const Edit& edit) {
    const auto last = size_t(edit.argument);
    int flat = number(0);
    for (size_t axis = 0; axis <= last; ++axis) {
      const int product = node(Kind::multiply, {flat, formula_.axes[axis].end});
      flat = node(Kind::add, {product, named(formula_.axes[axis].variable)});
    }
    std::vector<std::pair<int, int>> values;  // of which variable
    if (edit.what == What::rest_forgotten) {
      values.emplace_back(formula_.axes[last].variable, flat);
    } else {
      int rest = flat;
      for (size_t axis = last; axis > 0; --axis) {
        const int divisor =
            axis == last ? formula_.add(length(edit.parts)) : formula_.axes[axis].end;
        const int value = node(Kind::modulo, {rest, divisor});
        values.emplace_back(formula_.axes[axis].variable, value);
        rest = node(Kind::floor_divide, {rest, divisor});
      }
      values.emplace_back(formula_.axes[0].variable, rest);
    }
    std::vector<std::pair<int, int>> places;
    for (const auto& [variable, value] : values) {
      for (const int use : uses_in(formula_.root, variable)) places.emplace_back(use, value);
    }
    for (const auto& [use, value] : places) become(use, Node(formula_.at(value)));
  }

  // The end of the loop over a variable.
  int length_of(int id, int variable) const {
    for (const OutputAxis& axis : formula_.axes) {
      if (axis.variable == variable) return axis.end;
    }
    const auto places = places_of(formula_);
    for (int at = places[size_t(id)].parent; at != kNoNode; at = places[size_t(at)].parent) {
      const Node& loop = formula_.at(at);
      if (is_reduction(loop.kind) && loop.name == variable) return loop.children[1];
    }
    return kNoNode;
  }

  Formula formula_;
  const Edit& edit_;
};

}  // namespace

Formula edited(const Formula& formula, const Edit& edit) {
  return Editor(formula, edit).done();
}

}  // namespace convkit
