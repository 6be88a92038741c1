// SPDX-License-Identifier: MIT
// What shows that a network has been trained: the grader trains parts of the way again.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grade/training/draw.h"
#include "grade/training/evidence.h"
#include "report/result.h"
#include "stage/training_table.h"

namespace convkit {

// What a submission says about its network.
struct NetworkHistory {
  std::vector<float> part_losses;  // [parts], the mean loss of each
  std::span<const float> states;   // [parts + 1][parameters]: before the first part, after each
};

struct NetworkEvidence {
  double start = 0;  // share of images held back that it had right before the first step
  double own = 0;    // share of the answers that its last state gives
  struct Part {
    int64_t index = 0;
    double direction =
        0;              // cosine of the angle between the way it went and the way a training goes
    double length = 0;  // of its way, divided by the length of the other
    double loss = 0;    // of the part trained again
  };
  std::vector<Part> parts;
  // The weights or the bias of a layer, over all these parts together.
  struct Array {
    std::string name;  // "the weights of conv1"
    double direction = 0, length = 0;
  };
  std::vector<Array> arrays;
};

// Numbers that a network is made of.
int64_t parameters_of(const Architecture& network);

// The parts to train again: all of them where that takes seconds, else the one in which the network
// went farthest and one that `seed` decides. Nobody knows either while the submission trains.
std::vector<int64_t> parts_to_train_again(const TrainingAmounts& amounts,
                                          const NetworkHistory& history, const std::string& seed);

// Trains them again, each from the submission's own state before it.
NetworkEvidence evidence_of(const TrainingAmounts& amounts, const TrainingDraw& draw,
                            const TrainingRun& run, const NetworkHistory& history,
                            std::span<const int64_t> parts);

// A history that was not written, or holds what is not a number. False, and the words in `result`.
bool judge_history(const NetworkHistory& history, std::string_view op, CaseResult& result);
// Whether the network has been trained, on these images and labels, and gave the answers.
bool judge_network(const NetworkEvidence& evidence, const NetworkHistory& history,
                   CaseResult& result);

}  // namespace convkit
