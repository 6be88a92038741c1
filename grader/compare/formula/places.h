// SPDX-License-Identifier: MIT
// Where the nodes of a formula stand, and which of them do for columns what others do for rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/formula/formula.h"

namespace convkit {

// The node's parent, and as which child it stands there. The output's nodes have no parent.
struct Place {
  int parent = kNoNode;
  size_t child = 0;
};
std::vector<Place> places_of(const Formula& formula);

// The name that means for columns what this one means for rows, or the other way round; the name
// itself where it belongs to neither.
int mirrored(const Formula& formula, int name);

// The node that is for the other axis what this one is; kNoNode if there is none.
int twin_of(const Formula& formula, const std::vector<Place>& places, int node);

// Of a node `1 - a`, where a is a name or a number: where else a stands as a factor, and in other
// places `1 - a` itself. Nothing of other nodes.
struct Complements {
  std::vector<int> factors, complements;
};
Complements complements_of(const Formula& formula, const std::vector<Place>& places, int node);

// Other nodes that read as this one does, and itself; those of the output are none of them.
std::vector<int> same_expressions(const Formula& formula, const std::vector<Place>& places,
                                  int node);

// Whether a tree reads the parameter, variable or size of this name.
bool uses_name(const Formula& formula, int tree, int name);

// Where the formula itself, not another of its parts, uses the part.
std::vector<int> uses_of_part(const Formula& formula, int name);

// All nodes of what the formula's parts stand for.
std::vector<int> nodes_of_parts(const Formula& formula);

// The reductions over a variable.
std::vector<int> loops_over(const Formula& formula, int variable);

// The variable that `//` and `%` take apart in the tree of this node, such as `r // kw % kh`; -1 if
// there is none.
int split_variable(const Formula& formula, int node);
// By what a variable is divided, in the places where the divisor reads so.
std::vector<int> divisors_of(const Formula& formula, int variable, const std::string& divisor);

// The lengths of the other plane than the read's own, as far as the formula has them: oh and ow
// where its last two lengths are h and w, and the other way round.
struct Plane {
  int rows, columns;
};
std::optional<Plane> other_plane_of(const Formula& formula, int read);

// Of exact(r + pad - tap, stride): the nodes of r, pad and the tap.
struct Dividend {
  int variable, pad, tap;
};
std::optional<Dividend> dividend_of(const Formula& formula, int call);

// Of a loop over windows in whose terms a tap is found as exact(place - window * stride, dilation)
// ? taps: the nodes of these.
struct FirstWindow {
  int place, stride, dilation, taps;
};
std::optional<FirstWindow> first_window_of(const Formula& formula, int loop);

// The read of a formula that is nothing but a copy of [image][channel][row][column] to
// [image][row][column][channel], or the other way round; else kNoNode.
int transposed_read(const Formula& formula);

// Of a loop over taps in whose terms an output is found as exact(place - tap, stride): the stride's
// node; else kNoNode.
int stride_of_taps(const Formula& formula, int loop);

// A node that is this length alone, as a name or a part; kNoNode if there is none.
int node_of_length(const Formula& formula, const std::string& length);

// The indices of tested axes, with the lengths they are tested with, that are made from the
// variable: of what is read in a tree.
struct TestedIndex {
  int read, index, length;
};
std::vector<TestedIndex> tested_indices(const Formula& formula, int tree, int variable);

}  // namespace convkit
