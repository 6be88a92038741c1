// SPDX-License-Identifier: MIT
// Saying what is wrong with a wrong output: computed from the evidence, silent where nothing fits.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compare/compare.h"
#include "compare/symptoms.h"

namespace convkit {

// A named tensor of a case, in host memory, C order. Exactly one of f32, f64 and i32 is not empty
// (unless the tensor has no elements).
struct CaseTensor {
  std::string name;
  std::vector<int64_t> dims;
  std::span<const float> f32;
  std::span<const double> f64;
  std::span<const int32_t> i32;
  // What its elements are, if they are no array of alike numbers: {"n", "m", "oh", "ow"}.
  std::vector<std::string> elements = {};
  // What its values are called, if they are no numbers: {{1, "cudaErrorInvalidValue"}}.
  std::map<int32_t, std::string> values = {};
};

// Everything known about one failed output.
struct Evidence {
  std::string op;                        // "conv2d_forward"
  std::map<std::string, double> params;  // n, c, h, w, ..., as in the case's spec
  std::vector<std::string> libraries;    // that the submission may call, such as "cudnn"
  std::vector<CaseTensor> inputs;
  CaseTensor got;        // f32 or i32
  CaseTensor reference;  // f64 or i32
  std::span<const double> magnitude;
  Tolerance tolerance;
  Comparison comparison;
  bool on_device = false;               // kernels compute it: no loops run over outputs
  bool by_library = false;              // calls of a library compute it: no loops at all
  std::vector<std::string> calls = {};  // functions with cases of their own that the op calls
};

struct Diagnosis {
  std::string id;       // "flipped_kernel"; empty when no known mistake fits
  std::string message;  // what is wrong: counts, where, worst element; always filled
  std::string map;  // a small character map of the wrong region, lines joined by '\n'; may be empty
  std::string hint;  // one sentence that teaches; only when `id` is set or the pattern is plain
};

Symptoms examine(const Evidence& evidence);

// The facts with these guesses: the mistake that models name, if it is one; else what is related.
Diagnosis diagnosis_of(const Symptoms& symptoms, std::span<const Guess> guesses);

// Whether the mistake would show in an output (whose `got` and `comparison` are not looked at).
// False where that is not known.
bool would_show(const Guess& guess, const Evidence& evidence);

// Of a model, and of a wrong output that it does not explain: whether the mistake would show there
// plainly, so that the output speaks against it.
bool misses(const Guess& guess, const Evidence& evidence);

// Every guess of one kind that explains an output.
struct Guesses {
  std::vector<Guess> guesses;
  bool complete = false;                 // nothing was left untried
  std::vector<std::string> layers = {};  // of a network: the functions of its layers
};

// Of this output alone.
Diagnosis diagnose(const Evidence& evidence);

// A model of one known mistake: computes, in double, what an implementation with that mistake
// would put out. If the student's output agrees with it (and the reference does not), the mistake
// is named. Returns nothing where the mistake does not apply or costs too much to compute.
struct MistakeModel {
  const char* id;
  const char* op;        // the ops it applies to, as a shell pattern: "conv2d*"
  const char* sentence;  // what the student reads: "The kernel is flipped: ..."
  const char* hint;
  // One value for each element of the output, C order. Besides numbers (and plain NaN, where the
  // mistake yields NaN) a model may predict:
  std::optional<std::vector<double>> (*predict)(const Evidence& evidence);
  // Widens the comparison with the student's output, for mistakes that amplify rounding.
  double slack = 1;
  // On so many elements at least the prediction must differ from the reference. 0: 4, or a tenth of
  // a larger output; at most 16. Set it only for mistakes that show on few elements by their
  // nature.
  int64_t fewest = 0;
  // It explains an output that is all 0 or all unwritten. Too much leads to those, so set it only
  // for what is by far the likeliest cause.
  bool of_nothing = false;
  // In its place where kernels compute the output; null: the same.
  const char* hint_on_device = nullptr;
  // What it says of the grid: that it was counted by a division which rounds down, or that it has a
  // thread for each output.
  enum class Grid { any, rounded_down, covers } grid = Grid::any;
  // It tries the usual sizes of tiles: what the mistake does to an output that it cannot hold them
  // against is not known.
  bool of_some_size = false;
  // Whether something plainer could leave the same output: then another one must suggest it.
  bool (*may_be_plainer)(const Evidence& evidence) = nullptr;
};

// Values with a meaning of their own in a prediction. They are NaN: tell them apart by their bits.
double predicted_unwritten();       // the element keeps its sentinel
double predicted_from_unwritten();  // computed from an element that was not written
double predicted_anything();        // not determined by the mistake: reads outside a tensor, say

// Stages register their models (assignments/*/mistakes/*.cpp) with a static object. If several
// models of one id fit, the first one registered is named, so put the one that assumes least first.
// If models of different ids fit all that is known, none is named.
struct RegisterMistakes {
  explicit RegisterMistakes(std::span<const MistakeModel> models);
};
std::span<const MistakeModel> registered_mistakes();

// Whether the guess is a model that says something else of the grid than what was seen: it does not
// cover the output and was, or was not, counted by a division which rounds down.
bool is_contradicted_by_grid(const Guess& guess, bool rounded_down);

// Whether an output is all 0 or all unwritten, which too much leads to.
bool holds_nothing(const Evidence& evidence);
// The same, or all NaN.
bool holds_no_values(const Evidence& evidence);

// The models that explain the whole output, in the order of registration.
struct MatchingMistake {
  const MistakeModel* model;
  Weight weight;
  // It is not to be told for this output alone: too much leads to all 0 or all unwritten, or
  // something plainer to the same.
  bool needs_support;
};
std::vector<MatchingMistake> matching_mistakes(const Evidence& evidence);
// The first of them that needs no support; null if there is none, or if their ids differ.
const MistakeModel* matching_mistake(const Evidence& evidence);

// An op that is composed of others. How its outputs relate to the expected ones says nothing about
// the mistake, which lies in one of the parts; `hint` says so.
struct ComposedOp {
  const char* op;
  const char* hint;
};
struct RegisterComposedOp {
  explicit RegisterComposedOp(const ComposedOp& op);
};
const ComposedOp* composed_op(const std::string& op);  // null if it is not registered

}  // namespace convkit
