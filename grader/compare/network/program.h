// SPDX-License-Identifier: MIT
// What a network does in one case, as a list of operations on tensors: a forward pass, a backward
// pass, steps of a training. A mistake in it is an operation that differs, is missing, or takes the
// wrong tensor (network/variants.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compare/formula/formula.h"

namespace convkit {

enum class OpKind {
  // (inputs) -> (outputs). Images are [n][c][h][w], vectors [n][c].
  pixels,       // (bytes) -> (numbers), (byte / 255 - a) / b
  gather,       // (all, order) -> (some): n rows of c elements, from place `first` of the order on
  convolution,  // (x, w, b) -> (y), stride 1
  pool_max,     // (x) -> (y); the stride is the window, what is left over is not looked at
  pool_average,
  relu,
  dense,      // (x, w, b) -> (y)
  normalise,  // (x, scale, shift, mean0, variance0) -> (y, mean, inverse, new mean, new variance)
  normalise_by_running,  // (x, scale, shift, mean, variance) -> (y)
  dropout,               // (x) -> (y): what is kept follows from the seed, the step and the layer
  softmax,               // (x) -> (y), of n rows of c elements
  reordered,             // (x) -> (y), [c][h][w] of each image as `order` says
  cross_entropy,         // (logits, labels) -> (dlogits), divided by a
  convolution_dx,        // (dy, w) -> (dx)
  convolution_dw,        // (x, dy) -> (dw)
  channel_sums,          // (dy) -> (db), of n images [m][h][w]
  pool_max_back,         // (x, dy) -> (dx)
  pool_average_back,     // (dy) -> (dx)
  relu_back,             // (y, dy) -> (dx)
  dense_dx,              // (dy, w) -> (dx)
  dense_dw,              // (x, dy) -> (dw)
  dense_db,              // (dy) -> (db), of n rows of m elements
  normalise_back,        // (x, dy, scale, mean, inverse) -> (dx, dscale, dshift)
  sgd,                   // (w, g, velocity) -> (w, velocity); a: rate, b: momentum, decay
  adam,                  // (w, g, m, v) -> (w, m, v); a: rate, decay; step
  scaled,                // (x) -> (y), times a; of c elements
  sum,                   // (x, y) -> (z), of c elements
};

struct NetworkOp {
  OpKind kind;
  std::string layer;         // "conv1"
  std::vector<int> in, out;  // places in NetworkProgram::values

  int64_t n = 1, c = 1, h = 1, w = 1;  // of the input, forward
  int64_t m = 1, kh = 1, kw = 1, pad = 0;
  double a = 1, b = 1, decay = 0;
  uint64_t seed = 0;
  int64_t step = 0, index = 0;  // index of the layer, for dropout

  // --- what only mistakes do -------------------------------------------------------------------
  enum class Choice {
    right,
    all,          // of the elements of a window every one gets the gradient, not the largest only
    last,         // the last of the largest does
    whole_batch,  // softmax: one sum for all rows
    columns,      // one sum for each column
    logarithm,
    sum,        // averages are not divided
    from_zero,  // the search for the largest of a window begins with 0
  } choice = Choice::right;
  int order[3] = {0, 1, 2};  // of `reordered`: the axes c, h, w that it writes, outermost first
  int64_t first = 0;         // of `gather`
  int64_t whole_parts = 0;   // so many elements at a time are computed; the rest stays 0
  // Of a pooling, in its input: elements from one row, and one plane, to the next; 0: as many as
  // there are.
  int64_t row_step = 0, plane_step = 0;
  double rest = 0;    // of a pooling's way back: what is in no window
  int64_t batch = 0;  // of normalise: so many images share a mean and a variance; 0: all
  // Of a convolution: elements from one image of the input, and one filter, to the next; 0: alike.
  int64_t image_step = 0, filter_step = 0;
  // Instead of the operation: this formula of its output `formula_of`.
  std::shared_ptr<const Formula> formula;
  size_t formula_of = 0;

  // Of the output: of a convolution, and of a pooling.
  int64_t oh() const { return pools() ? h / kh : h + 2 * pad - kh + 1; }
  int64_t ow() const { return pools() ? w / kw : w + 2 * pad - kw + 1; }
  int64_t size() const { return n * c * h * w; }
  bool pools() const {
    return kind == OpKind::pool_max || kind == OpKind::pool_average ||
           kind == OpKind::pool_max_back || kind == OpKind::pool_average_back;
  }
  // Whether what it does to an image depends on no other.
  bool by_image() const;
};

struct NetworkValue {
  std::string name;  // "conv1_w", "what conv1 puts out"
  int64_t size = 0;
  std::vector<double> given;  // empty where an operation computes it
};

struct NetworkProgram {
  std::vector<NetworkValue> values;
  std::vector<NetworkOp> ops;
  int result = -1;     // the output that is judged
  int64_t images = 1;  // of the result, where operations go by images
  int64_t batch = 0;   // that are computed at a time; 0: all

  int add(std::string name, int64_t size, std::vector<double> given = {});
};

// The elements of all values; what nothing has computed is empty. Elements that lie behind the end
// of a tensor, or that nothing wrote, are predicted_anything().
class NetworkRun {
 public:
  explicit NetworkRun(const NetworkProgram& program);  // computes everything

  // What a changed program computes. It must have the same values as the first one, and may have
  // more; `changed` operations are computed, and what depends on them. If `image` is not negative,
  // only that one is computed where operations go by images.
  NetworkRun(const NetworkProgram& program, const NetworkRun& right,
             const std::vector<bool>& changed, int64_t image);

  const std::vector<double>& of(int value) const;
  int64_t work() const { return work_; }  // products, about

 private:
  const NetworkRun* right_ = nullptr;
  std::vector<std::optional<std::vector<double>>> own_;
  std::vector<const std::vector<double>*> given_;
  int64_t work_ = 0;
};

}  // namespace convkit
