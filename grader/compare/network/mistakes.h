// SPDX-License-Identifier: MIT
// Which single mistake in a network explains a wrong output.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compare/diagnose.h"
#include "compare/network/program.h"

namespace convkit {

struct NetworkOperation {
  const char* op;    // the case's, as a shell pattern
  const char* hint;  // what students read with every mistake in it
  // What a right program does in the case. Nothing where that is not known.
  std::optional<NetworkProgram> (*program)(const Evidence&);
  // Mistakes outside of the layers, each as a whole program; may be null. Until visit returns
  // false.
  using Visit = std::function<bool(const NetworkProgram&, const std::string& sentence)>;
  void (*others)(const Evidence&, const Visit& visit) = nullptr;
};

// Stages register theirs with a static object.
struct RegisterNetworks {
  explicit RegisterNetworks(std::span<const NetworkOperation> operations);
};

// Every mistake that explains all elements, the likeliest first. Takes at most about 0.2 s.
Guesses guesses_of_networks(const Evidence& evidence);

// Whether such a guess would show in an output, whose `got` is not looked at.
bool network_would_show(const Guess& guess, const Evidence& evidence);

}  // namespace convkit
