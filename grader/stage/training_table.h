// SPDX-License-Identifier: MIT
// [[training]] of stage.toml: a network that a submission trains, judged by its answers for images
// that it has not seen.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "convkit/architecture.h"
#include "convkit/datasets.h"
#include "stage/sizes.h"

namespace convkit {

class TomlReader;

// How much is trained, and what is asked for. A GPU may have other amounts.
struct TrainingAmounts {
  int64_t train = 0;              // images given with their labels
  int64_t held_back = 0;          // images to answer
  unsigned seeds = 1;             // runs
  double accuracy = 0;            // least share of right answers, on average over the runs
  double synthetic = 0;           // the same where the data set is not there
  std::chrono::seconds wall{60};  // of one run
  Params params;                  // of the op, besides the seed; `epochs` is among them
  // What `params` trains. Then the training must show its network after each of its parts, about
  // sixteen steps each, and the grader trains some of them again.
  std::optional<Architecture> network;

  int64_t epochs() const { return whole("epochs"); }
  // The rest only where there is a `network`.
  int64_t batch() const { return whole("batch"); }
  int64_t steps_in_epoch() const { return (train + batch() - 1) / batch(); }
  int64_t parts_of_epoch() const { return std::max<int64_t>(steps_in_epoch() / 16, 1); }
  int64_t parts() const { return epochs() * parts_of_epoch(); }
  // The first step of a part; of the one behind the last, the number of steps.
  int64_t first_step(int64_t part) const {
    return part / parts_of_epoch() * steps_in_epoch() +
           part % parts_of_epoch() * steps_in_epoch() / parts_of_epoch();
  }

 private:
  int64_t whole(const char* name) const { return static_cast<int64_t>(params.at(name).value); }
};

struct TrainingTable {
  std::string name;
  std::string title;  // the one sentence that is public even of a hidden case
  std::string task, group, op;
  Dataset data = Dataset::mnist;
  bool permuted = false;  // the ten labels change their names, so that no older model is of use
  bool hidden = false;    // a case only where there is a hidden set
  TrainingAmounts on_cpu, on_gpu;
  std::string text;  // all that the table says: TomlReader::text
};

TrainingTable read_training(const TomlReader& in);

}  // namespace convkit
