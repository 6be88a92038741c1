// SPDX-License-Identifier: MIT
// What a search for a change has found, and what a student is told of it.
#pragma once

#include <string>
#include <vector>

#include "grade/mend/mutant_program.h"

namespace convkit {

// A change with which all visible cases pass.
struct Repair {
  repair::Cause cause;
  std::string text;  // MutantProgram::change_text()
  std::string file;
  size_t first_line = 0, last_line = 0;
  size_t length = 0;                        // of what it puts in
  bool on_device = false, decides = false;  // Mutant
  bool is_one_of_several = false;           // other changes of its lines pass what is tried first
};
struct FoundRepairs {
  std::vector<Repair> repairs;
  size_t looked_at = 0, known = 0;
  bool all_likely = false;  // no likely change was left untried
};

Repair repair_by(const MutantProgram& program, int number);

// Of several changes of the same lines the shortest is told.
bool is_at_one_place(const Repair& one, const Repair& other);

// In a GPU stage most of the host's code chooses kernels and sizes: a change there can go round
// what is wrong in a kernel.
bool computes(const Repair& one, const Stage& stage);

// Whether one is in code that computes: the search may end.
bool is_settled(const FoundRepairs& found, const Stage& stage);

// Of at least one repair of `op`, which has so many visible cases:
// "Another variable is meant, in line 12 of a.cpp:\n- q < kh;\n+ q < kw;\nWith this one change
// all 9 ...". The cause is told as such only where every likely change was tried, no other one
// mends it, more than a case or two speak for it, and it is in code that computes.
std::string words_of(FoundRepairs found, const Stage& stage, const std::string& op, size_t cases);

}  // namespace convkit
