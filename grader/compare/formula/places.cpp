// SPDX-License-Identifier: MIT
#include "compare/formula/places.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace convkit {
namespace {

using Kind = Node::Kind;

// Visits the nodes of trees, each before those below it; below a node only where visit() is true.
template <class Visit>
void walk(const Formula& formula, std::vector<int> waiting, const Visit& visit) {
  while (!waiting.empty()) {
    const int id = waiting.back();
    waiting.pop_back();
    if (id == kNoNode || !visit(id)) continue;
    const std::vector<int>& children = formula.at(id).children;
    waiting.insert(waiting.end(), children.begin(), children.end());
  }
}

std::optional<int> known_name(const Formula& formula, std::string_view name) {
  const auto found = std::ranges::find(formula.names, name);
  if (found == formula.names.end()) return std::nullopt;
  return int(found - formula.names.begin());
}

bool is_mirror_of(const Formula& formula, int a, int b) {
  if (a == kNoNode || b == kNoNode) return a == b;
  const Node& one = formula.at(a);
  const Node& other = formula.at(b);
  if (one.kind != other.kind || one.children.size() != other.children.size()) return false;
  if (one.kind == Kind::number && one.number != other.number) return false;
  const bool has_variable =
      one.kind == Kind::name || one.kind == Kind::part || is_reduction(one.kind);
  if (has_variable ? mirrored(formula, one.name) != other.name : one.name != other.name) {
    return false;
  }
  for (size_t i = 0; i < one.children.size(); ++i) {
    if (!is_mirror_of(formula, one.children[i], other.children[i])) return false;
  }
  return true;
}

// Rows and columns may be taken from one index in different ways (`s // ow` and `s % ow`), and what
// is done with them may be alike: the node that stands at the same place in another axis of a read.
int at_same_path(const Formula& formula, const std::vector<Place>& places, int node) {
  std::vector<size_t> path;
  int at = node;
  while (places[size_t(at)].parent != kNoNode &&
         formula.at(places[size_t(at)].parent).kind != Kind::read) {
    path.push_back(places[size_t(at)].child);
    at = places[size_t(at)].parent;
  }
  if (places[size_t(at)].parent == kNoNode) return kNoNode;
  const Node& read = formula.at(places[size_t(at)].parent);
  const size_t child = places[size_t(at)].child;
  for (size_t other = child % 3; other < read.children.size(); other += 3) {
    int there = read.children[other];
    if (other == child || there == kNoNode) continue;
    for (size_t i = path.size(); i-- > 0 && there != kNoNode;) {
      const std::vector<int>& children = formula.at(there).children;
      there = path[i] < children.size() ? children[path[i]] : kNoNode;
    }
    if (there != kNoNode && there != node && is_mirror_of(formula, node, there) &&
        formula.text(node) != formula.text(there)) {
      return there;
    }
  }
  return kNoNode;
}

}  // namespace

std::vector<Place> places_of(const Formula& formula) {
  std::vector<Place> places(formula.nodes.size());
  for (size_t id = 0; id < formula.nodes.size(); ++id) {
    const std::vector<int>& children = formula.nodes[id].children;
    for (size_t i = 0; i < children.size(); ++i) {
      if (children[i] != kNoNode) places[size_t(children[i])] = {int(id), i};
    }
  }
  return places;
}

int mirrored(const Formula& formula, int name) {
  static constexpr std::pair<std::string_view, std::string_view> kPairs[] = {
      {"h", "w"}, {"kh", "kw"}, {"oh", "ow"}, {"i", "j"}, {"p", "q"}, {"r", "s"}};
  const std::string& text = formula.names[size_t(name)];
  std::string other;
  for (const auto& [row, column] : kPairs) {
    if (text == row) other = column;
    if (text == column) other = row;
  }
  if (text.ends_with("_h")) other = text.substr(0, text.size() - 1) + 'w';
  if (text.ends_with("_w")) other = text.substr(0, text.size() - 1) + 'h';
  const auto place = known_name(formula, other);
  // Of a tensor `w` and a width `w` there is one name only: the lengths of a formula are h and w.
  return place ? *place : name;
}

int twin_of(const Formula& formula, const std::vector<Place>& places, int node) {
  const Place& place = places[size_t(node)];
  if (place.parent == kNoNode) {
    for (size_t axis = 0; axis < formula.axes.size(); ++axis) {
      const OutputAxis& one = formula.axes[axis];
      for (const OutputAxis& other : formula.axes) {
        if (&one == &other || mirrored(formula, one.variable) != other.variable) continue;
        if (!is_mirror_of(formula, one.end, other.end)) continue;
        if (node == one.end) return other.end;
        if (node == one.length) return other.length;
        if (node == one.index) return other.index;
      }
    }
    return kNoNode;
  }
  if (const int across = at_same_path(formula, places, node); across != kNoNode) return across;
  const Node& parent = formula.at(place.parent);
  for (int other = 0; other < int(formula.nodes.size()); ++other) {
    const Place& there = places[size_t(other)];
    if (other == node || there.parent == kNoNode || !is_mirror_of(formula, node, other)) continue;
    const Node& parent_there = formula.at(there.parent);
    if (parent.kind == Kind::read) {
      if (there.parent == place.parent && there.child % 3 == place.child % 3) return other;
    } else if (is_reduction(parent.kind)) {
      const bool alike = parent_there.kind == parent.kind && there.child == place.child &&
                         mirrored(formula, parent.name) == parent_there.name &&
                         parent.name != parent_there.name;
      if (alike) return other;
    } else if (there.child == place.child && there.parent != place.parent &&
               is_mirror_of(formula, place.parent, there.parent)) {
      return other;
    }
  }
  return kNoNode;
}

Complements complements_of(const Formula& formula, const std::vector<Place>& places, int node) {
  // The a of `1 - a`; kNoNode for other nodes.
  const auto subtracted = [&](int id) {
    const Node& one = formula.at(id);
    if (one.kind != Node::Kind::subtract) return kNoNode;
    const Node& left = formula.at(one.children[0]);
    const Node& right = formula.at(one.children[1]);
    const bool is_leaf = right.kind == Node::Kind::name || right.kind == Node::Kind::number;
    return left.kind == Node::Kind::number && left.number == 1 && is_leaf ? one.children[1]
                                                                          : kNoNode;
  };
  Complements found;
  if (subtracted(node) == kNoNode) return found;
  const Node& a = formula.at(subtracted(node));
  const auto is_a = [&](int id) {
    const Node& one = formula.at(id);
    return one.kind == a.kind && one.name == a.name && one.number == a.number;
  };
  for (int id = 0; id < int(formula.nodes.size()); ++id) {
    if (subtracted(id) != kNoNode && is_a(subtracted(id))) found.complements.push_back(id);
    const int parent = places[size_t(id)].parent;
    const bool multiplies = parent != kNoNode && formula.at(parent).kind == Node::Kind::multiply;
    if (multiplies && is_a(id)) found.factors.push_back(id);
  }
  return found;
}

std::vector<int> same_expressions(const Formula& formula, const std::vector<Place>& places,
                                  int node) {
  std::vector<int> found;
  const std::string text = formula.text(node);
  for (int id = 0; id < int(formula.nodes.size()); ++id) {
    const bool is_alike = formula.at(id).kind == formula.at(node).kind &&
                          places[size_t(id)].parent != kNoNode && formula.text(id) == text;
    if (is_alike || id == node) found.push_back(id);
  }
  return found;
}

bool uses_name(const Formula& formula, int tree, int name) {
  bool found = false;
  walk(formula, {tree}, [&](int id) {
    const Node& one = formula.at(id);
    found = found || (one.kind == Kind::name && one.name == name);
    return !found;
  });
  return found;
}

std::vector<int> uses_of_part(const Formula& formula, int name) {
  std::vector<int> uses;
  walk(formula, {formula.root}, [&](int id) {
    const Node& one = formula.at(id);
    if (one.kind == Kind::part && one.name == name) uses.push_back(id);
    return one.kind != Kind::part;
  });
  return uses;
}

std::vector<int> nodes_of_parts(const Formula& formula) {
  std::vector<bool> is_inside(formula.nodes.size());
  std::vector<int> parts, found;
  for (const Node& node : formula.nodes) {
    if (node.kind == Kind::part) parts.push_back(node.children[0]);
  }
  walk(formula, parts, [&](int id) {
    if (is_inside[size_t(id)]) return false;
    is_inside[size_t(id)] = true;
    found.push_back(id);
    return true;
  });
  return found;
}

std::vector<int> loops_over(const Formula& formula, int variable) {
  std::vector<int> found;
  for (int id = 0; id < int(formula.nodes.size()); ++id) {
    if (is_reduction(formula.at(id).kind) && formula.at(id).name == variable) found.push_back(id);
  }
  return found;
}

int split_variable(const Formula& formula, int node) {
  int at = node;
  while (formula.at(at).kind == Kind::floor_divide || formula.at(at).kind == Kind::modulo) {
    at = formula.at(at).children[0];
  }
  const Node& left = formula.at(at);
  const bool is_variable = left.kind == Kind::name && formula.is_variable[size_t(left.name)];
  return is_variable && at != node ? left.name : -1;
}

std::vector<int> divisors_of(const Formula& formula, int variable, const std::string& divisor) {
  std::vector<int> found;
  for (int id = 0; id < int(formula.nodes.size()); ++id) {
    if (split_variable(formula, id) != variable) continue;
    const int right = formula.at(id).children[1];
    if (formula.text(right) == divisor) found.push_back(right);
  }
  std::ranges::sort(found);
  return found;
}

int node_of_length(const Formula& formula, const std::string& length) {
  for (int id = 0; id < int(formula.nodes.size()); ++id) {
    const Node& one = formula.at(id);
    const bool is_one = one.kind == Kind::name || one.kind == Kind::part;
    if (is_one && formula.names[size_t(one.name)] == length) return id;
  }
  return kNoNode;
}

std::optional<Plane> other_plane_of(const Formula& formula, int read) {
  const std::vector<int>& children = formula.at(read).children;
  const size_t axes = children.size() / 3;
  const std::string rows = formula.text(children[axes * 3 - 5]);
  const std::string columns = formula.text(children[axes * 3 - 2]);
  const bool is_input = rows == "h" && columns == "w", is_output = rows == "oh" && columns == "ow";
  if (!is_input && !is_output) return std::nullopt;
  const Plane other = {node_of_length(formula, is_input ? "oh" : "h"),
                       node_of_length(formula, is_input ? "ow" : "w")};
  return other.rows == kNoNode || other.columns == kNoNode ? std::nullopt : std::optional(other);
}

std::optional<Dividend> dividend_of(const Formula& formula, int call) {
  const Node& difference = formula.at(formula.at(call).children[0]);
  if (difference.kind != Kind::subtract) return std::nullopt;
  const Node& sum = formula.at(difference.children[0]);
  if (sum.kind != Kind::add) return std::nullopt;
  const Dividend found = {sum.children[0], sum.children[1], difference.children[1]};
  const Node& pad = formula.at(found.pad);
  const bool is_pad = pad.kind == Kind::name && formula.names[size_t(pad.name)].starts_with("pad_");
  return is_pad ? std::optional(found) : std::nullopt;
}

int stride_of_taps(const Formula& formula, int loop) {
  const Node& taps = formula.at(loop);
  for (const TestedIndex& one : tested_indices(formula, taps.children[2], taps.name)) {
    const Node& call = formula.at(one.index);
    const bool divides =
        call.kind == Node::Kind::call && formula.names[size_t(call.name)] == "exact";
    if (!divides || !dividend_of(formula, one.index)) continue;
    const Node& stride = formula.at(call.children[1]);
    const bool is_one =
        stride.kind == Node::Kind::name && formula.names[size_t(stride.name)].starts_with("stride");
    if (is_one) return call.children[1];
  }
  return kNoNode;
}

int transposed_read(const Formula& formula) {
  const Node& read = formula.at(formula.root);
  constexpr size_t kAxes = 4;
  if (read.kind != Node::Kind::read || formula.axes.size() != kAxes ||
      read.children.size() != 3 * kAxes) {
    return kNoNode;
  }
  std::vector<int> order;  // by axis of the read, the output's
  for (size_t axis = 0; axis < kAxes; ++axis) {
    const Node& index = formula.at(read.children[axis * 3]);
    const auto same = std::ranges::find_if(formula.axes, [&](const OutputAxis& one) {
      return index.kind == Node::Kind::name && one.variable == index.name;
    });
    if (same == formula.axes.end() || read.children[axis * 3 + 2] != kNoNode) return kNoNode;
    order.push_back(int(same - formula.axes.begin()));
  }
  const bool turns = order == std::vector{0, 2, 3, 1} || order == std::vector{0, 3, 1, 2};
  return turns ? formula.root : kNoNode;
}

std::optional<FirstWindow> first_window_of(const Formula& formula, int loop) {
  const Node& windows = formula.at(loop);
  for (const TestedIndex& one : tested_indices(formula, windows.children[2], windows.name)) {
    const Node& call = formula.at(one.index);
    const bool divides =
        call.kind == Node::Kind::call && formula.names[size_t(call.name)] == "exact";
    const auto dividend = divides ? dividend_of(formula, one.index) : std::nullopt;
    if (!dividend) continue;
    const Node& moved = formula.at(dividend->tap);
    if (moved.kind != Node::Kind::multiply) continue;
    const Node& window = formula.at(moved.children[0]);
    const Node& stride = formula.at(moved.children[1]);
    const bool is_one = window.kind == Node::Kind::name && window.name == windows.name &&
                        stride.kind == Node::Kind::name &&
                        formula.names[size_t(stride.name)].starts_with("stride");
    if (!is_one) continue;
    const int place = formula.at(call.children[0]).children[0];
    return FirstWindow{place, moved.children[1], call.children[1], one.length};
  }
  return std::nullopt;
}

std::vector<TestedIndex> tested_indices(const Formula& formula, int tree, int variable) {
  std::vector<TestedIndex> found;
  walk(formula, {tree}, [&](int id) {
    const Node& one = formula.at(id);
    if (one.kind != Kind::read) return true;
    for (size_t i = 0; i < one.children.size(); i += 3) {
      const int length = one.children[i + 2];
      if (length != kNoNode && uses_name(formula, one.children[i], variable)) {
        found.push_back({id, one.children[i], length});
      }
    }
    return false;
  });
  return found;
}

}  // namespace convkit
