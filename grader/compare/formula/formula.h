// SPDX-License-Identifier: MIT
// What an operation computes, as a formula over the indices of its output. Programs that differ
// from it in one place are what students write by mistake (formula/edits.h).
//
//   y[image<n, map<m, i<oh, j<ow] = b[map:m]
//     + sum(k<c, p<kh, q<kw) x[image:n, k:c, i*stride_h - pad_h + p*dilation_h ? h, ... ? w]
//                            * w[map:m, k:c, p:kh, q:kw]
//
// `i<oh` is a loop; oh is a parameter of the case, else the length of that axis of the output.
// `index:length` is an axis of a tensor in memory; `index ? length` is one whose index is tested:
// outside, the product that it is part of does not count. Reductions are sum, max and count (of the
// terms that count); functions exp, log, sqrt, tanh, abs, cos, exact(a, b), which is a / b where
// that leaves no rest, max(a, b), min(a, b) and pow(a, b). `a // b` is rounded down. if(c, a, b)
// chooses. `; name = ...` at the end defines a part that the formula uses by its name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace convkit {

inline constexpr int kNoNode = -1;

struct Node {
  enum class Kind {
    number,
    name,  // a variable or a parameter: `name` is its place in Formula::names
    part,  // child 0 is what it stands for, shared by all its uses
    negate,
    add,
    subtract,
    multiply,
    divide,
    floor_divide,
    modulo,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    call,    // `name` is the place of the function's name
    choose,  // condition, then, else
    read,    // three children an axis: index, length, and the length it is tested with or kNoNode
    sum,     // begin, end, term; `name` is the variable
    max,
    count,
  } kind;
  double number = 0;
  int name = -1;
  std::vector<int> children;
  bool zero_outside = false;  // of a read: an index outside yields 0, which counts
  // Of a read, a bit for each axis whose index is not tested at this side.
  unsigned untested_below = 0, untested_above = 0;
  // Of a read: only an index outside along both of its last axes is outside; else it is clamped, or
  // reads what lies there. Or only one that lies before or behind them all in memory.
  enum class Outside : uint8_t {
    along_any,
    along_both,
    along_both_clamped,
    of_plane,
  } outside_if = {};
  bool only_quarter = false;  // only so much of the tensor holds its values, and the rest 0
  int stops = kNoNode;        // of a reduction: where this is 0 or lies outside, its loop ends
  int added = kNoNode;        // of a read: added to the place in memory
  bool zero_behind = false;   // of a read: behind the tensor's end memory holds 0
};

inline bool is_reduction(Node::Kind kind) {
  return kind == Node::Kind::sum || kind == Node::Kind::max || kind == Node::Kind::count;
}

// Of the output: a loop over `variable` from begin to end, whose results are stored at `index`.
struct OutputAxis {
  int variable;
  int begin, end, index, length;  // nodes
  int length_name;                // where the length is one name; else -1
};

class Formula {
 public:
  // Throws std::invalid_argument, with the place, for text that is not a formula.
  explicit Formula(std::string_view text);

  std::string output;  // the tensor's name
  std::vector<OutputAxis> axes;
  std::vector<Node> nodes;
  int root = kNoNode;
  // Over the output's variables: a result is stored where this is 1, and not where it is 0. Between
  // them only a part of the element's bytes is.
  int stored = kNoNode;
  bool only_inside_stored = false;  // not where the result lies outside of what it is read from
  std::vector<std::string> names;
  std::vector<bool> is_variable;  // by name

  // As a reader writes it, without the lengths of axes.
  std::string text(int node) const;
  const Node& at(int node) const { return nodes[size_t(node)]; }
  Node& at(int node) { return nodes[size_t(node)]; }
  int add(Node node);
  int name_of(std::string_view name);  // its place; added if it is not known
};

}  // namespace convkit
