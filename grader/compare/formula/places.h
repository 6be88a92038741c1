// SPDX-License-Identifier: MIT
// Where the nodes of a formula stand, and which of them do for columns what others do for rows.
#pragma once

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

}  // namespace convkit
