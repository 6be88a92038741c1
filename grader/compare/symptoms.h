// SPDX-License-Identifier: MIT
// What a wrong output shows, and what may have caused it.
#pragma once

#include <string>
#include <vector>

namespace convkit {

struct Guess {
  std::string id;        // "flipped_kernel"
  std::string sentence;  // may be empty: the facts say it
  std::string hint;      // may be empty
  // A model of the mistake predicts every element; else the guess is read from how the values, or
  // the places of the wrong ones, are related.
  bool modelled = false;

  bool operator==(const Guess&) const = default;
};

// Of one output, which may leave several guesses open and suggest wrong ones.
struct Symptoms {
  std::string facts;           // counts, where, worst element
  std::string hint;            // to the facts; may be empty
  std::string map;             // a small character map of the wrong region; may be empty
  std::vector<Guess> guesses;  // each holds for the whole output; those of models first
};

}  // namespace convkit
