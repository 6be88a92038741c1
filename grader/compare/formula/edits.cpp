// SPDX-License-Identifier: MIT
// Finding what can be done wrong.
#include "compare/formula/edits.h"

#include <algorithm>
#include <climits>
#include <string>
#include <utility>
#include <vector>

#include "compare/formula/places.h"

namespace convkit {
namespace {

using Kind = Node::Kind;
using What = Edit::What;

constexpr int kPartSizes[] = {2, 4, 8, 16, 32};
// Of filters, say, of which as many are computed together as registers hold.
constexpr int kLeftOut[] = {2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 24, 32};
// Of blocks and tiles.
constexpr int kTileSizes[] = {4, 8, 16, 32};
constexpr int kUnguarded[] = {2, 3, 4, 5, 6, 7, 8, 16, 32, 64};
constexpr int kRegisterTiles[] = {2, 4, 8, 16, 32};
constexpr int kThreads[] = {32, 64, 128, 256, 512};
constexpr int kBlockSizes[] = {1, 4, 8, 16, 32, 64};
constexpr int kSteps[] = {1, 4, 8, 16, 32, 64, 128};  // of a walk through a sum
constexpr int kGroups[] = {2, 4, 8, 16, 32};          // whose weights are kept together
constexpr int kCopied[] = {1, 2, 4, 8, INT_MAX};      // channels of them
constexpr int kLonger[] = {1, 2, 4, 8, 16, 32};       // to a multiple of which a row is rounded up
constexpr int kLanes[] = {1, 2, 4, 8, 16};            // steps of a sum over the lanes of a warp

bool is_binary(Kind kind) {
  return kind >= Kind::add && kind <= Kind::equal;
}

class Finder {
 public:
  explicit Finder(const Formula& formula) : formula_(formula), places_(places_of(formula)) {}

  std::vector<Edit> all() {
    of_output();  // cheap to try
    for (int id = 0; id < int(formula_.nodes.size()); ++id) of_node(id);
    of_names();
    permutations(kNoNode, int(formula_.axes.size()));
    in_all_places();
    const size_t single = edits_.size();
    for (size_t i = 0; i < single; ++i) {
      if (!is_local(edits_[i].what)) continue;
      const int twin = twin_of(formula_, places_, edits_[i].node);
      // Once for each pair, and not where the other axis is what stands there already.
      if (twin <= edits_[i].node) continue;
      if (edits_[i].what == What::other_part && !is_of_one_axis(edits_[i])) continue;
      edits_.push_back(edits_[i]);
      edits_.back().on_both_axes = true;
    }
    // Of two that explain an output the likelier is told.
    std::ranges::stable_sort(edits_, {}, [&](const Edit& edit) { return rank_of(edit); });
    return std::move(edits_);
  }

 private:
  // Loops end one too early; numbers within a formula are seldom one off, or scaled. What only
  // tiled programs do wrong stands between.
  int rank_of(const Edit& edit) const {
    switch (edit.what) {
      case What::taps_in_phases:  // few, of sums so long that there is no time for all edits
        return -1;
      case What::one_more:
      case What::one_less: {
        const int parent = places_[size_t(edit.node)].parent;
        if (parent == kNoNode) return 0;
        const Kind kind = formula_.at(parent).kind;
        return is_reduction(kind) || kind == Kind::read ? 0 : 2;
      }
      case What::again:
      case What::parts_of_other:
      case What::parts_exchanged:
      case What::gaps:
      case What::interleaved:
      case What::part_unscaled:
      case What::within_unscaled:
      case What::ends_outside:
      case What::exchanged_in_parts:
      case What::parts_overlap:
      case What::strips_overlap:
      case What::start_clipped:
      case What::other_step:
      case What::other_part_always:
      case What::other_plane:
      case What::longer_rows:
      case What::stored_as_read:
      case What::transposed_in_parts:
      case What::any_remainder:
      case What::first_rounded:
      case What::twice:
      case What::counted_in_part:
      case What::first_of_part:
      case What::part_unmultiplied:
      case What::counted_inside:
      case What::loops_exchanged:
      case What::loops_split:
      case What::carry_lost:
      case What::copy_turned:
      case What::split_by:
      case What::split_exchanged:
      case What::phase_undilated:
      case What::taps_of_part:
      case What::pair_exchanged:
      case What::only_quarter:
      case What::either_inside:
      case What::averaged:
      case What::scaled:
      case What::one_always:
      case What::part_so_far:
      case What::other_frame:
      case What::reach_of_sum:
      case What::reach_of_product:
      case What::other_remainder:
      case What::taken_apart:
      case What::rest_forgotten:
      case What::only_first:
      case What::window_before:
      case What::window_after:
        return 1;
      case What::no_brackets:
        return edit.second;
      case What::multiplied_by:
      case What::divided_by:
      case What::other_number:
      case What::parts_rounded_down:
        return 2;
      case What::other_name:
        return is_alike(formula_.at(edit.node).name, edit.argument) ? 0 : 2;
      case What::other_name_always:
        return is_alike(edit.node, edit.argument) ? 0 : 2;
      default:
        return 0;
    }
  }

  // Two strides, say, or two lengths; nobody takes a stride for a length.
  bool is_alike(int name, int other) const {
    const auto kind = [&](int one) {
      const std::string& text = formula_.names[size_t(one)];
      for (const char* begin : {"stride_", "dilation_", "pad_"}) {
        if (text.starts_with(begin)) return std::string(begin);
      }
      return std::string();
    };
    return kind(name) == kind(other);
  }

  static bool is_local(What what) {
    switch (what) {
      case What::other_name:
      case What::no_left:
      case What::no_right:
      case What::other_sign:
      case What::multiplied_by:
      case What::divided_by:
      case What::half_of:
      case What::twice:
      case What::phase_undilated:
      case What::one_more:
      case What::one_less:
      case What::rounded_up:
      case What::other_number:
      case What::remainder:
      case What::truncation:
      case What::reversed:
      case What::other_part:
      case What::part_unscaled:
      case What::within_unscaled:
      case What::start_clipped:
      case What::other_frame:
      case What::reach_of_sum:
      case What::reach_of_product:
      case What::other_remainder:
        return true;
      default:
        return false;
    }
  }

  // What a program computes once and uses in several places is wrong in all of them.
  void in_all_places() {
    const size_t single = edits_.size();
    for (size_t i = 0; i < single; ++i) {
      const What what = edits_[i].what;
      const bool is_one = what == What::no_left || what == What::no_right ||
                          what == What::one_more || what == What::one_less ||
                          what == What::start_clipped || what == What::reach_of_sum ||
                          what == What::reach_of_product;
      const int node = edits_[i].node;
      if (!is_one || node == kNoNode || !is_binary(formula_.at(node).kind)) continue;
      const std::vector<int> alike = same_expressions(formula_, places_, node);
      if (alike.size() < 2 || alike.front() != node) continue;
      edits_.push_back(edits_[i]);
      edits_.back().everywhere = true;
    }
  }

  void add(What what, int node, int argument = 0, int parts = 0) {
    edits_.push_back({what, node, argument, parts});
  }

  bool in_an_index(int id) const {
    for (int at = id; at != kNoNode; at = places_[size_t(at)].parent) {
      const Place& place = places_[size_t(at)];
      if (place.parent == kNoNode) return false;
      const Kind kind = formula_.at(place.parent).kind;
      if (kind == Kind::read || (is_reduction(kind) && place.child < 2)) return true;
    }
    return false;
  }

  std::vector<int> enclosing_reductions(int id) const {
    std::vector<int> found;
    for (int at = id; at != kNoNode; at = places_[size_t(at)].parent) {
      const Place& place = places_[size_t(at)];
      if (place.parent == kNoNode) break;
      if (is_reduction(formula_.at(place.parent).kind) && place.child == 2) {
        found.push_back(place.parent);
      }
    }
    return found;
  }

  // Variables whose loops are around the node, those of the output included.
  std::vector<int> variables_at(int id) const {
    std::vector<int> found;
    for (const OutputAxis& axis : formula_.axes) found.push_back(axis.variable);
    for (const int reduction : enclosing_reductions(id)) {
      found.push_back(formula_.at(reduction).name);
    }
    return found;
  }

  std::vector<int> parameters() const {
    std::vector<int> found;
    for (const Node& node : formula_.nodes) {
      const bool is_one = node.kind == Kind::name && !formula_.is_variable[size_t(node.name)];
      if (is_one && std::ranges::find(found, node.name) == found.end()) found.push_back(node.name);
    }
    return found;
  }

  void of_node(int id) {
    const Node& node = formula_.at(id);
    const bool index = in_an_index(id);
    switch (node.kind) {
      case Kind::number:
        of_number(id);
        break;
      case Kind::name:
        of_name(id, index);
        break;
      case Kind::read:
        of_read(id);
        break;
      case Kind::choose:
        for (const What what : {What::always_then, What::always_else, What::other_way}) {
          add(what, id);
        }
        break;
      case Kind::call:
        of_call(id);
        break;
      case Kind::negate:
        add(What::no_function, id);
        break;
      case Kind::part:
        of_part(id);
        break;
      default:
        break;
    }
    if (is_binary(node.kind)) of_operator(id);
    if (is_reduction(node.kind)) of_reduction(id);
  }

  void of_number(int id) {
    const Place& place = places_[size_t(id)];
    const bool begins = place.parent != kNoNode && is_reduction(formula_.at(place.parent).kind);
    if (place.parent == kNoNode) return;
    add(What::one_more, id);
    if (!begins) add(What::one_less, id);
    for (int other = 0; other < int(formula_.nodes.size()) && !begins; ++other) {
      const Node& there = formula_.at(other);
      const bool differs = there.kind == Kind::number && there.number != formula_.at(id).number;
      if (differs && there.number != 0 && places_[size_t(other)].parent != kNoNode) {
        add(What::other_number, id, other);
      }
    }
  }

  void of_name(int id, bool index) {
    const int name = formula_.at(id).name;
    const bool is_variable = formula_.is_variable[size_t(name)];
    const bool of_output = places_[size_t(id)].parent == kNoNode;
    const bool is_place = of_output && is_variable;  // where a result is stored
    if (!is_place) {
      add(What::one_less, id);
      add(What::one_more, id);
    }
    const std::string& padding = formula_.names[size_t(name)];
    if (index && (padding.starts_with("pad_") || padding == "pad")) add(What::twice, id);
    // As for a filter that is centred on the output.
    const std::string& own = formula_.names[size_t(name)];
    for (const int other : parameters()) {
      if (own.starts_with("pad_") && formula_.names[size_t(other)] == "k" + own.substr(4)) {
        add(What::half_of, id, other);
        if (index) add(What::other_frame, id, other);
      }
    }
    for (const int other : is_variable ? variables_at(id) : parameters()) {
      if (other != name) add(What::other_name, id, other);
    }
    if (is_place) return;
    if (!index) return;
    if (is_variable) add(What::reversed, id);
    // pad * stride, p without its dilation is no_right.
    for (const int factor : parameters()) {
      const std::string& text = formula_.names[size_t(factor)];
      const bool scales = text.starts_with("stride") || text.starts_with("dilation");
      if (scales && factor != name) add(What::multiplied_by, id, factor);
    }
  }

  void of_operator(int id) {
    const Kind kind = formula_.at(id).kind;
    if (kind == Kind::floor_divide) {
      add(What::rounded_up, id);
      if (!in_an_index(id)) add(What::not_rounded, id);
    }
    if (kind == Kind::multiply || kind == Kind::divide) {
      for (const int child : {0, 1}) {
        const Kind inner = formula_.at(formula_.at(id).children[size_t(child)]).kind;
        if (inner != Kind::add && inner != Kind::subtract) continue;
        add(What::no_brackets, id, child);
        edits_.push_back({What::no_brackets, id, child, 0, 1});
      }
    }
    const bool compares = kind >= Kind::less && kind <= Kind::equal;
    if (!compares) {  // nobody leaves out what is compared with
      add(What::no_right, id);
      add(What::no_left, id);
    }
    if (kind == Kind::add || kind == Kind::subtract) add(What::other_sign, id);
    if (kind == Kind::add) of_window(id);
    const std::vector<int> complements = complements_of(formula_, places_, id).complements;
    if (!complements.empty() && complements.front() == id) add(What::complement, id);
    if (kind == Kind::multiply || kind == Kind::divide) add(What::multiplied_for_divided, id);
    if (kind == Kind::multiply && in_an_index(id)) of_phase(id);
    if (kind == Kind::multiply && is_reach(id)) {
      add(What::reach_of_sum, id);
      add(What::reach_of_product, id);
    }
    if (kind == Kind::floor_divide || kind == Kind::modulo) of_split(id);
    if (kind == Kind::multiply && scales_an_output(id)) {
      for (const int parts : kTileSizes) {
        add(What::part_unscaled, id, 0, parts);
        add(What::within_unscaled, id, 0, parts);
      }
      // Of neighbouring outputs that one thread computes.
      for (const int parts : {2, 3}) add(What::within_unscaled, id, 0, parts);
    }
    if (kind == Kind::less || kind == Kind::greater) add(What::equal_counts, id);
    if (kind == Kind::less_equal || kind == Kind::greater_equal) add(What::equal_fails, id);
    if (kind == Kind::add || kind == Kind::subtract) {
      const Node& left = formula_.at(formula_.at(id).children[0]);
      if (left.kind == Kind::call && left.children.size() == 1) add(What::function_last, id);
    }
  }

  // `p * dilation_h`, where images are kept by the remainders of their columns by the stride.
  void of_phase(int id) {
    const Node& left = formula_.at(formula_.at(id).children[0]);
    const Node& right = formula_.at(formula_.at(id).children[1]);
    if (left.kind != Kind::name || right.kind != Kind::name) return;
    const std::string& factor = formula_.names[size_t(right.name)];
    if (!factor.starts_with("dilation_")) return;
    for (const int stride : parameters()) {
      if (formula_.names[size_t(stride)] == "stride_" + factor.substr(9)) {
        add(What::phase_undilated, id, stride);
      }
    }
  }

  // `dilation_h * (kh - 1)`
  bool is_reach(int id) const {
    const Node& left = formula_.at(formula_.at(id).children[0]);
    const Node& right = formula_.at(formula_.at(id).children[1]);
    return left.kind == Kind::name && formula_.names[size_t(left.name)].starts_with("dilation_") &&
           right.kind == Kind::subtract && formula_.at(right.children[0]).kind == Kind::name;
  }

  // `s // ow` and `s % ow`; `r // kw % kh` and `r % kw`.
  void of_split(int id) {
    const Node& node = formula_.at(id);
    const int divisor = node.children[1], variable = split_variable(formula_, id);
    const bool is_length =
        formula_.at(divisor).kind == Kind::name || formula_.at(divisor).kind == Kind::part;
    if (variable < 0 || !is_length) return;
    const std::string own = formula_.text(divisor);
    if (divisors_of(formula_, variable, own).front() != divisor) return;  // once for all its places
    for (const int name : other_lengths(own)) {
      edits_.push_back({What::split_by, divisor, name, 0, variable});
      const std::string& length = formula_.names[size_t(name)];
      const bool is_other = !divisors_of(formula_, variable, length).empty();
      if (is_other && own < length) {
        edits_.push_back({What::split_exchanged, divisor, name, 0, variable});
      }
    }
  }

  // Those that the formula has, by name.
  std::vector<int> other_lengths(const std::string& own) const {
    std::vector<int> found;
    for (const char* length : {"h", "w", "oh", "ow", "kh", "kw", "c", "m", "n"}) {
      const int node = node_of_length(formula_, length);
      if (node != kNoNode && length != own) found.push_back(formula_.at(node).name);
    }
    return found;
  }

  // `i * stride_h`
  bool scales_an_output(int id) const {
    const Node& left = formula_.at(formula_.at(id).children[0]);
    const Node& right = formula_.at(formula_.at(id).children[1]);
    const bool of_names = left.kind == Kind::name && right.kind == Kind::name &&
                          !formula_.is_variable[size_t(right.name)];
    return of_names && std::ranges::any_of(formula_.axes, [&](const OutputAxis& axis) {
             return axis.variable == left.name;
           });
  }

  // Rows of columns and columns of rows: the two parts would contain each other.
  bool is_of_one_axis(const Edit& edit) const {
    const auto axis = [&](int name) { return formula_.names[size_t(name)].back(); };
    return axis(edit.argument) == axis(formula_.at(edit.node).name);
  }

  bool contains(int tree, int id) const {
    if (tree == kNoNode) return false;
    return tree == id || std::ranges::any_of(formula_.at(tree).children,
                                             [&](int child) { return contains(child, id); });
  }

  void of_part(int id) {
    const std::vector<int> loops = enclosing_reductions(id);
    const Node& whole = formula_.at(formula_.at(id).children[0]);
    if (!loops.empty() && is_reduction(whole.kind) &&
        formula_.text(whole.children[1]) == formula_.text(formula_.at(loops[0]).children[1])) {
      add(What::part_so_far, id);
      if (whole.kind == Kind::max) add(What::part_so_far, id, 0, 1);
    }
    std::vector<int> known{formula_.at(id).name};
    for (const Node& other : formula_.nodes) {
      if (other.kind != Kind::part || std::ranges::find(known, other.name) != known.end()) continue;
      known.push_back(other.name);
      // A part within itself would have no end.
      if (contains(other.children[0], id)) continue;
      add(What::other_part, id, other.name);
      const std::vector<int> uses = uses_of_part(formula_, known.front());
      if (uses.size() > 1 && uses.front() == id &&
          mirrored(formula_, other.name) == known.front()) {
        add(What::other_part_always, id, other.name);
      }
    }
  }

  void of_call(int id) {
    const Node& node = formula_.at(id);
    if (formula_.names[size_t(node.name)] == "exact") {
      const auto dividend = dividend_of(formula_, id);
      for (const int without : {0, 1, 2, 3}) {
        const bool has =
            dividend && (without < 3 || formula_.at(dividend->tap).kind == Kind::multiply);
        if (has) add(What::other_remainder, id, without);
      }
      add(What::remainder, id);
      add(What::truncation, id);
      return;
    }
    if (node.children.size() == 2) {
      add(What::no_right, id);
      add(What::no_left, id);
      return;
    }
    add(What::no_function, id);
    const Kind inner = formula_.at(node.children[0]).kind;
    if (inner == Kind::add || inner == Kind::subtract) add(What::function_first, id);
  }

  void of_read(int id) {
    const Node& node = formula_.at(id);
    const int axes = int(node.children.size() / 3);
    for (int axis = 0; axis < axes; ++axis) {
      add(What::not_indexed, id, axis);
      if (node.children[size_t(axis) * 3 + 2] == kNoNode) continue;
      for (const What what :
           {What::untested, What::untested_below, What::untested_above, What::clamped}) {
        add(what, id, axis);
      }
    }
    for (int axis = 1; axis < axes; ++axis) {
      add(What::one_for_length, node.children[size_t(axis) * 3 + 1]);
    }
    const bool tested = std::ranges::any_of(std::vector<int>{0, 1, 2, 3}, [&](int axis) {
      return axis < axes && node.children[size_t(axis) * 3 + 2] != kNoNode;
    });
    if (tested) {
      for (const What what :
           {What::untested, What::untested_below, What::untested_above, What::clamped}) {
        add(what, id, -1);
      }
      add(What::zero, id);
    }
    if (axes >= 2 && node.children[size_t(axes) * 3 - 1] != kNoNode &&
        node.children[size_t(axes) * 3 - 4] != kNoNode) {
      for (const int way : {0, 1, 2}) add(What::either_inside, id, way);
    }
    if (!enclosing_reductions(id).empty()) add(What::only_quarter, id);
    if (is_argument(id)) {
      for (const int doubled : {0, 1}) add(What::scaled, id, doubled);
    }
    permutations(id, axes);
    other_steps(id, axes);
    for (int axis = 0; axis + 1 < axes; ++axis) {
      for (const int multiple : kLonger) add(What::longer_rows, id, axis, multiple);
    }
    // As images of y that are as far apart as those of x.
    const bool is_alike = axes == int(formula_.axes.size()) &&
                          formula_.text(node.children[0]) == formula_.text(formula_.axes[0].index);
    for (int axis = 0; axis + 2 < axes && is_alike; ++axis) {
      add(What::stored_as_read, id, axis);
      if (axis > 0) edits_.push_back({What::stored_as_read, id, axis, 0, 1});
    }
    if (axes >= 3 && other_plane_of(formula_, id)) {
      for (const int also_before : {0, 1}) {
        edits_.push_back({What::other_plane, id, axes - 3, 0, also_before});
      }
    }
    of_taps(id, axes);
    of_chunks(id, axes);
    const Node& first = formula_.at(node.children[0]);
    if (first.kind == Kind::name && is_of_output(first.name)) add(What::only_first, id, 0);
    for (const Node& other : formula_.nodes) {
      const bool alike = other.kind == Kind::read && other.name != node.name &&
                         other.children.size() == node.children.size();
      if (alike) add(What::other_tensor, id, other.name);
    }
  }

  // Of a function, such as exp(); the first read of the tensor.
  bool is_argument(int id) const {
    const int name = formula_.at(id).name;
    const auto first = std::ranges::find_if(formula_.nodes, [&](const Node& one) {
      return one.kind == Kind::read && one.name == name;
    });
    if (first - formula_.nodes.begin() != id || !enclosing_reductions(id).empty()) return false;
    return std::ranges::any_of(formula_.nodes, [&](const Node& one) {
      return one.kind == Kind::call && formula_.names[size_t(one.name)] == "exp";
    });
  }

  // What a loop goes through in parts: their beginning is left out, or counted in other units.
  void of_chunks(int id, int axes) {
    for (int axis = 0; axis < axes; ++axis) {
      const int index = formula_.at(id).children[size_t(axis) * 3];
      const Node& variable = formula_.at(index);
      const bool is_index =
          variable.kind == Kind::name && formula_.is_variable[size_t(variable.name)];
      for (const int parts : kPartSizes) {
        if (is_index) add(What::first_of_part, index, 0, parts);
        // As of a float4's elements.
        for (int b = 1; is_index && axis == 0 && b < parts && parts <= 4; ++b) {
          for (int a = 0; a < b; ++a) {
            edits_.push_back({What::pair_exchanged, index, 0, parts, a, b});
          }
        }
      }
      if (!is_index || is_of_output(variable.name)) continue;
      for (const int parts : kPartSizes) {
        add(What::counted_in_part, index, 0, parts);
        if (axis + 1 < axes) add(What::part_unmultiplied, id, axis, parts);
      }
    }
  }

  bool is_tested_read(int id) const {
    const Node& node = formula_.at(id);
    bool tested = false;
    for (size_t i = 2; node.kind == Kind::read && i < node.children.size(); i += 3) {
      tested = tested || node.children[i] != kNoNode;
    }
    return tested;
  }

  bool is_of_output(int name) const {
    return std::ranges::any_of(formula_.axes,
                               [&](const OutputAxis& axis) { return axis.variable == name; });
  }

  // Of a product in nested loops: its tensors with a tested index and those without.
  void of_taps(int id, int axes) {
    const std::vector<int> loops = enclosing_reductions(id);
    if (loops.size() < 2) return;
    const int inner = formula_.at(loops[0]).name, outer = formula_.at(loops[1]).name;
    const Node& node = formula_.at(id);
    if (uses_name(formula_, id, inner) && uses_name(formula_, id, outer)) {
      edits_.push_back({What::loops_exchanged, id, outer, 0, inner});
      edits_.push_back({What::loops_split, id, outer, 0, inner});
    }
    const bool has_tested =
        !tested_indices(formula_, formula_.at(loops[0]).children[2], inner).empty();
    const Node& last = formula_.at(node.children[size_t(axes) * 3 - 3]);
    const bool is_plain = last.kind == Kind::name && last.name == inner;
    for (int kept = 1; has_tested && is_plain && kept + 1 < axes; ++kept) {
      add(What::counted_inside, id, kept);
    }
    const bool of_three = loops.size() >= 3 && uses_name(formula_, id, inner) &&
                          uses_name(formula_, id, outer) &&
                          uses_name(formula_, id, formula_.at(loops[2]).name);
    if (!of_three || !has_tested) return;
    for (const int parts : kSteps) {
      if (parts >= 8) add(What::taps_of_part, id, 0, parts);
    }
    if (is_plain) {
      of_copies(id, axes);
    } else {
      for (const int step : kSteps) {
        for (const int carry : {0, 1}) edits_.push_back({What::carry_lost, id, 0, step, carry});
      }
    }
  }

  // Of weights [groups][...], read at an axis of the output and at the three innermost loops.
  void of_copies(int id, int axes) {
    const Node& group = formula_.at(formula_.at(id).children[0]);
    if (axes != 4 || group.kind != Kind::name || !is_of_output(group.name)) return;
    for (const int groups : kGroups) {
      for (const int copied : kCopied) {
        for (const int pitch : {groups, groups + 1, groups | 4}) {
          if (pitch == groups + 1 && pitch == (groups | 4)) continue;
          for (const int way : {0, 1}) {
            edits_.push_back({What::copy_turned, id, pitch, groups, way, copied});
          }
        }
      }
    }
  }

  // A step that leaves out a factor, or has the other axis's in its place; those of all axes before
  // it are right. (Else the length is wrong.)
  void other_steps(int id, int axes) {
    const Node& node = formula_.at(id);
    for (int axis = 0; axis + 1 < axes; ++axis) {
      for (int factor = axis + 1; factor < axes; ++factor) {
        if (axis == 0 && factor == 1) continue;
        edits_.push_back({What::other_step, id, axis, kNoNode, factor});
        const Node& length = formula_.at(node.children[size_t(factor) * 3 + 1]);
        if (length.kind != Kind::name || mirrored(formula_, length.name) == length.name) continue;
        edits_.push_back({What::other_step, id, axis, mirrored(formula_, length.name), factor});
      }
    }
  }

  // `i * stride - pad + p`: a window that begins at `i * stride - pad`.
  void of_window(int id) {
    const Place& place = places_[size_t(id)];
    if (place.parent == kNoNode || formula_.at(place.parent).kind != Kind::read) return;
    const bool tested =
        place.child % 3 == 0 && formula_.at(place.parent).children[place.child + 2] != kNoNode;
    const int start = formula_.at(id).children[0];
    if (!tested || formula_.at(start).kind != Kind::subtract) return;
    const bool is_of_outputs = std::ranges::none_of(enclosing_reductions(id), [&](int loop) {
      return uses_name(formula_, start, formula_.at(loop).name);
    });
    if (is_of_outputs) add(What::start_clipped, id);
  }

  void permutations(int id, int axes) {
    int count = 1;
    for (int i = 2; i <= axes; ++i) count *= i;
    for (int number = 1; number < count; ++number) {
      add(What::other_layout, id, number);
      add(What::indices_exchanged, id, number);
    }
  }

  bool is_within_a_sum(int id) const {
    const int parent = places_[size_t(id)].parent;
    return parent != kNoNode && formula_.at(parent).kind == Kind::sum;
  }

  bool has_tested_index(int loop) const {
    const Node& node = formula_.at(loop);
    return loops_over(formula_, node.name).front() == loop &&
           !tested_indices(formula_, node.children[2], node.name).empty();
  }

  // exact() in an index that the loop tests.
  bool has_division(int loop) const {
    const Node& node = formula_.at(loop);
    const auto tested = tested_indices(formula_, node.children[2], node.name);
    return std::ranges::any_of(
        tested, [&](const TestedIndex& one) { return formula_.at(one.index).kind == Kind::call; });
  }

  // exact(r + pad - p, stride) ? length: a program that goes through the windows of an element
  // begins one too early, or ends one too late.
  void of_windows_around(int id) {
    const Node& loop = formula_.at(id);
    for (const TestedIndex& one : tested_indices(formula_, loop.children[2], loop.name)) {
      const Node& index = formula_.at(one.index);
      if (index.kind != Kind::call || formula_.at(index.children[1]).kind != Kind::name) continue;
      const int stride = formula_.at(index.children[1]).name;
      const bool is_nested =
          is_reduction(formula_.at(loop.children[2]).kind) && has_division(loop.children[2]);
      for (const What what : {What::window_before, What::window_after}) {
        if (is_nested) edits_.push_back({what, id, stride, 0, loop.children[2]});
        edits_.push_back({what, id, stride, 0, kNoNode});
      }
    }
  }

  // x[i * stride - pad + p]: whoever goes from x to the windows finds i by a division.
  void of_strided_windows(int id) {
    std::vector<int> strides;
    for (int at = 0; at < int(formula_.nodes.size()); ++at) {
      const Node& node = formula_.at(at);
      if (node.kind != Kind::multiply || !scales_an_output(at) || !contains(id, at)) continue;
      const int stride = formula_.at(node.children[1]).name;
      const bool is_one = formula_.names[size_t(stride)].starts_with("stride");
      if (is_one && std::ranges::find(strides, at) == strides.end()) strides.push_back(at);
    }
    if (strides.size() == 1) edits_.push_back({What::any_remainder, id, strides[0], 0, kNoNode});
    if (strides.size() != 2) return;
    edits_.push_back({What::any_remainder, id, strides[0], 0, strides[1]});
    for (const int one : strides) edits_.push_back({What::any_remainder, id, one, 0, kNoNode});
  }

  // sum(i<oh) ... exact(r + pad - i * stride, dilation) ? taps: begins at the first window.
  void of_first_window(int id) {
    if (!first_window_of(formula_, id)) return;
    const int inner = formula_.at(id).children[2];
    const bool is_nested =
        is_reduction(formula_.at(inner).kind) && first_window_of(formula_, inner);
    if (is_nested) edits_.push_back({What::first_rounded, id, 0, 0, inner});
    edits_.push_back({What::first_rounded, id, 0, 0, kNoNode});
  }

  void of_reduction(int id) {
    of_first_window(id);
    if (has_tested_index(id)) {
      const int inner = formula_.at(id).children[2];
      const bool is_nested = is_reduction(formula_.at(inner).kind) && has_tested_index(inner);
      for (const int by_range : {0, 1}) {
        if (by_range == 1 && !has_division(id)) break;
        edits_.push_back({What::ends_outside, id, 0, by_range, kNoNode});
        if (is_nested) edits_.push_back({What::ends_outside, id, 0, by_range, inner});
      }
    }
    const Kind kind = formula_.at(id).kind;
    // (By the length of one loop: divided_by.)
    const bool has_inner = is_reduction(formula_.at(formula_.at(id).children[2]).kind);
    if (kind == Kind::sum && has_inner && !is_within_a_sum(id)) add(What::averaged, id);
    if (kind == Kind::sum && formula_.at(formula_.at(id).children[2]).kind == Kind::count) {
      for (const int axis : {0, 1}) add(What::squared, id, axis);
    }
    of_windows_around(id);
    if (stride_of_taps(formula_, id) != kNoNode) {
      const int inner = formula_.at(id).children[2];
      const bool is_nested =
          is_reduction(formula_.at(inner).kind) && stride_of_taps(formula_, inner) != kNoNode;
      for (const int up : {0, 1}) {
        if (is_nested) edits_.push_back({What::taps_in_phases, id, up, 0, inner});
        edits_.push_back({What::taps_in_phases, id, up, 0, kNoNode});
      }
    }
    for (int axis = 0; axis < int(formula_.axes.size()); ++axis) {
      const int end = formula_.at(id).children[1];
      if (formula_.text(end) != formula_.text(formula_.axes[size_t(axis)].end)) continue;
      for (const int without : {0, 1}) edits_.push_back({What::so_far, id, axis, 0, without});
    }
    if (kind == Kind::sum && !is_within_a_sum(id)) {
      for (const int lanes : kLanes) add(What::every_second, id, 0, lanes);
      of_strided_windows(id);
    }
    add(What::last_term, id);
    add(What::first_term, id);
    for (const int parts : kPartSizes) add(What::whole_parts, id, 0, parts);
    for (const int parts : kTileSizes) add(What::again, id, 0, parts);
    if (formula_.at(id).kind == Kind::sum && !is_within_a_sum(id)) {
      const bool is_nested = formula_.at(formula_.at(id).children[2]).kind == Kind::sum;
      constexpr int kMostParts = 40;  // else a length is seldom longer than a few terms
      for (int parts = 2; parts <= kMostParts && is_nested; ++parts) {
        add(What::parts_rounded_down, id, 0, parts);
      }
      for (const int threads : kThreads) {
        for (const int blocks : {2, 4, 8, INT_MAX}) {
          edits_.push_back({What::parts_overlap, id, 0, threads, 0, blocks});
        }
      }
    }
    for (int axis = 0; axis < int(formula_.axes.size()); ++axis) {
      add(What::also_over, id, axis);
      add(What::carried, id, axis);
    }
    for (const int factor : parameters()) {
      add(What::divided_by, id, factor);
      add(What::multiplied_by, id, factor);
    }
  }

  void of_names() {
    for (const int name : parameters()) {
      const bool is_of_output = std::ranges::any_of(
          formula_.axes, [&](const OutputAxis& axis) { return axis.length_name == name; });
      if (is_of_output) add(What::one_always, name);
      for (const int other : parameters()) {
        if (other != name) add(What::other_name_always, name, other);
        const bool is_pair =
            name < other && is_length(name) && is_length(other) && is_of_one_thing(name, other);
        if (is_pair) add(What::names_exchanged, name, other);
      }
    }
    of_names_in_parts();
  }

  // The arguments of a function that computes such a part; both axes are given alike.
  void of_names_in_parts() {
    std::vector<int> names;
    for (const int id : nodes_of_parts(formula_)) {
      const Node& node = formula_.at(id);
      const bool is_one = node.kind == Kind::name && !formula_.is_variable[size_t(node.name)] &&
                          std::ranges::find(names, node.name) == names.end();
      if (is_one) names.push_back(node.name);
    }
    for (const int name : names) {
      const std::string& text = formula_.names[size_t(name)];
      if (mirrored(formula_, name) == name || text.ends_with('w')) continue;
      for (const int other : names) {
        const std::string& there = formula_.names[size_t(other)];
        const bool is_of_other_axis = mirrored(formula_, other) == other || there.ends_with('w');
        if (text < there && !is_of_other_axis) add(What::exchanged_in_parts, name, other);
      }
    }
  }

  // Height and width of one thing, or two numbers of things; nobody takes a kernel's width for the
  // height of an image, and the other way round.
  bool is_of_one_thing(int name, int other) const {
    const auto thing = [&](int one) {
      const std::string& text = formula_.names[size_t(one)];
      const bool is_size = text.ends_with('h') || text.ends_with('w');
      return is_size ? text.substr(0, text.size() - 1) : std::string("number");
    };
    return thing(name) == thing(other);
  }

  // Of a loop or of an axis.
  bool is_length(int name) const {
    const auto is = [&](int node) {
      return node != kNoNode && formula_.at(node).kind == Kind::name &&
             formula_.at(node).name == name;
    };
    const bool of_output = std::ranges::any_of(
        formula_.axes, [&](const OutputAxis& one) { return is(one.end) || is(one.length); });
    return of_output || std::ranges::any_of(formula_.nodes, [&](const Node& node) {
             if (is_reduction(node.kind)) return is(node.children[1]);
             bool found = false;
             for (size_t i = 1; node.kind == Kind::read && i < node.children.size(); i += 3) {
               found = found || is(node.children[i]);
             }
             return found;
           });
  }

  void of_output() {
    for (int axis = 0; axis < int(formula_.axes.size()); ++axis) {
      add(What::last_not_computed, kNoNode, axis);
      add(What::first_not_computed, kNoNode, axis);
      for (const int parts : kLeftOut) add(What::whole_parts_computed, kNoNode, axis, parts);
      add(What::not_stored_apart, kNoNode, axis);
      for (const int parts : kUnguarded) add(What::unguarded, kNoNode, axis, parts);
      if (axis > 0) add(What::one_for_length, formula_.axes[size_t(axis)].length);
    }
    if (formula_.axes.size() > 1) {
      const int last = int(formula_.axes.size()) - 2;
      for (const int multiple : kLonger) add(What::longer_rows, kNoNode, last, multiple);
    }
    if (const int turned = transposed_read(formula_); turned != kNoNode) {
      for (int pixels = 2; pixels <= 16; ++pixels) {
        add(What::transposed_in_parts, turned, 0, pixels);
      }
      for (const int pixels : {20, 24, 32, 64}) add(What::transposed_in_parts, turned, 0, pixels);
    }
    add(What::quarter, kNoNode);
    if (is_tested_read(formula_.root)) add(What::only_inside_stored, kNoNode);
    for (int axis = 1; axis < int(formula_.axes.size()); ++axis) {
      add(What::rest_forgotten, kNoNode, axis);
      const std::string own = formula_.text(formula_.axes[size_t(axis)].length);
      for (const int name : other_lengths(own)) add(What::taken_apart, kNoNode, axis, name);
    }
    for (int axis = 0; axis < int(formula_.axes.size()); ++axis) {
      for (int other = 0; other < int(formula_.axes.size()); ++other) {
        if (other != axis) of_two_axes(axis, other);
      }
      of_tiles(axis);
      if (axis + 2 >= int(formula_.axes.size())) of_register_tiles(axis);
    }
    for (const int factor : parameters()) {
      if (is_reduction(formula_.at(formula_.root).kind)) break;  // those of the reduction do
      add(What::divided_by, formula_.root, factor);
      add(What::multiplied_by, formula_.root, factor);
    }
  }

  // Numbers of blocks that are taken from the wrong axis.
  void of_two_axes(int axis, int other) {
    if (axis < other) edits_.push_back({What::ends_exchanged, kNoNode, axis, 0, other});
    for (const int parts : kBlockSizes) {
      edits_.push_back({What::parts_of_other, kNoNode, axis, parts, other, parts});
      if (other < axis) continue;
      for (const int of_other : kBlockSizes) {
        edits_.push_back({What::parts_exchanged, kNoNode, axis, parts, other, of_other});
      }
    }
  }

  void of_register_tiles(int axis) {
    for (const int threads : kRegisterTiles) {
      for (const int places : kRegisterTiles) {
        edits_.push_back({What::interleaved, kNoNode, axis, threads, 0, places});
        if (places < threads * places && places <= 8) {
          edits_.push_back({What::strips_overlap, kNoNode, axis, threads * places, 0, places});
        }
      }
    }
  }

  void of_tiles(int axis) {
    // A tile of inputs is larger than its tile of outputs by what two windows share.
    const std::string& variable = formula_.names[size_t(formula_.axes[size_t(axis)].variable)];
    const std::string length = variable == "i" ? "kh" : variable == "j" ? "kw" : "";
    const auto taps = std::ranges::find(formula_.names, length);
    if (length.empty() || taps == formula_.names.end()) return;
    for (const int parts : {8, 16, 32}) {
      const int overlap = int(taps - formula_.names.begin());
      edits_.push_back({What::gaps, kNoNode, axis, parts, overlap});
      const bool has_columns = variable == "i" && axis + 1 < int(formula_.axes.size()) &&
                               mirrored(formula_, overlap) != overlap;
      for (const int columns : {8, 16, 32}) {
        if (has_columns) edits_.push_back({What::gaps, kNoNode, axis, parts, overlap, columns});
      }
    }
  }

  const Formula& formula_;
  std::vector<Place> places_;
  std::vector<Edit> edits_;
};

}  // namespace

std::vector<Edit> edits_of(const Formula& formula) {
  return Finder(formula).all();
}

std::vector<Edit> edits_of_parts(const Formula& formula, const std::vector<int64_t>& sizes) {
  std::vector<Edit> edits;
  const std::vector<Place> places = places_of(formula);
  for (size_t axis = 0; axis < formula.axes.size() && axis < sizes.size(); ++axis) {
    if (sizes[axis] < 2 || sizes[axis] > INT_MAX) continue;
    for (int id = 0; id < int(formula.nodes.size()); ++id) {
      const Node& node = formula.at(id);
      const int parent = places[size_t(id)].parent;
      const bool is_index = node.kind == Kind::name && node.name == formula.axes[axis].variable &&
                            parent != kNoNode && formula.at(parent).kind == Kind::read;
      if (is_index) edits.push_back({What::counted_in_part, id, 0, int(sizes[axis])});
      const size_t child = places[size_t(id)].child;
      const bool is_outer = is_index && child + 3 < formula.at(parent).children.size();
      if (is_outer) {
        edits.push_back({What::part_unmultiplied, parent, int(child) / 3, int(sizes[axis])});
      }
    }
  }
  return edits;
}

}  // namespace convkit
