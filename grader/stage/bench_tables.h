// SPDX-License-Identifier: MIT
// What `bench` shows: the tables [[speed]], [[chart]], [[sweep]] and [[ladder]] of stage.toml.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stage/sizes.h"

namespace convkit {

class TomlReader;

// [[speed]]: a shape that is timed. `count` is a smaller shape of the same operation.
struct CountedShape {
  Params params;
  std::vector<TensorShape> inputs;
  TensorShape output;
  double flop = 0;
};

// Points are earned log-linearly between the ratios `none` and `full` of the baseline's time to the
// submission's.
struct SpeedCase {
  std::string name;
  std::string title;
  std::string op;
  double points = 0;  // 0: shown by `bench` only
  double none = 1, full = 1;
  double terms = 1;  // products in one output, for the error bound
  double flop = 0;
  Params params;
  std::vector<TensorShape> inputs;
  TensorShape output;
  std::optional<CountedShape> count;  // what is counted on the CPU device instead
  std::string text;                   // all that the table says: TomlReader::text
};

// [[chart]]: figures that a submission itself measures.
struct ChartShape {
  std::string title;
  Params params;
  std::vector<TensorShape> inputs;
};

// `op` fills a float32 tensor of rows x columns for each shape; NaN if there is no figure.
struct Chart {
  std::string name, title;
  std::string op;
  std::string output;                // the tensor's name
  std::vector<std::string> rows;     // "WINOGRAD"
  std::vector<std::string> columns;  // "milliseconds"
  std::vector<ChartShape> shapes;
};

Chart read_chart(const TomlReader& in);

inline constexpr double kMostPoints = 10000;  // of one group or one shape

// One constant that a file of a submission lets be set from outside (#ifndef NAME), with the values
// to try.
struct SweepMacro {
  std::string name;
  std::vector<int64_t> values;
};

// The product of all values; what does not compile or does not launch is not there.
struct Sweep {
  std::string name, title;
  std::string file;  // the file of the submission that is compiled again
  SpeedCase shape;
  std::vector<SweepMacro> macros;
  std::string across, down;  // the macros on the axes of the picture

  size_t combinations() const;
  // The values of combination `index`, in the order of `macros`; the last one changes fastest.
  std::vector<int64_t> values(size_t index) const;
};

// One step: an operation of the submission, or the same shape done by other code: `from` or `rung`.
struct LadderStep {
  std::string title;
  std::string op;
  std::string from;  // "", or what defines it in the stage's folder: "baseline", "peers/cublas.cu"
  // Both "", or a step on the way to the solution: the solution with the file `rung` in the place
  // of the file `in_place_of`. Both are paths in the solution's folder.
  std::string rung, in_place_of;
  bool peer = false;  // what shares are taken of; a library, too
  // A library does the work: what it does is not counted on the CPU device.
  bool library = false;
  Params params;  // besides those of the shape
};

struct Ladder {
  std::string name, title;
  SpeedCase shape;
  std::vector<LadderStep> steps;
};

SpeedCase read_speed(const TomlReader& in);
// `speeds`: of the same stage; a sweep or ladder may take its shape from one of them.
Sweep read_sweep(const TomlReader& in, const std::vector<SpeedCase>& speeds,
                 const std::vector<std::string>& files);
Ladder read_ladder(const TomlReader& in, const std::vector<SpeedCase>& speeds);

}  // namespace convkit
