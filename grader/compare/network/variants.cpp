// SPDX-License-Identifier: MIT
#include "compare/network/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "compare/diagnose.h"
#include "compare/network/wording.h"

namespace convkit {
namespace {

using Choice = NetworkOp::Choice;

bool is_forward(OpKind kind) {
  switch (kind) {
    case OpKind::convolution:
    case OpKind::pool_max:
    case OpKind::pool_average:
    case OpKind::relu:
    case OpKind::dense:
    case OpKind::normalise:
    case OpKind::normalise_by_running:
    case OpKind::dropout:
    case OpKind::softmax:
    case OpKind::reordered:
      return true;
    default:
      return false;
  }
}

bool has_weights(OpKind kind) {
  return kind == OpKind::convolution || kind == OpKind::dense;
}

// The input that an operation changes element by element, if it is one of those.
std::optional<size_t> passed_on(OpKind kind) {
  switch (kind) {
    case OpKind::relu:
    case OpKind::normalise:
    case OpKind::normalise_by_running:
    case OpKind::dropout:
    case OpKind::softmax:
    case OpKind::pixels:
      return 0;
    case OpKind::relu_back:
    case OpKind::normalise_back:
      return 1;
    default:
      return std::nullopt;
  }
}

// A program on its way to a variant.
class Change {
 public:
  explicit Change(const NetworkProgram& program)
      : program_(program), changed_(program.ops.size(), false) {}

  NetworkOp& op(size_t i) {
    changed_[i] = true;
    return program_.ops[i];
  }
  // Whatever takes the one value from operation `from` on takes the other.
  void replace(int value, int by, size_t from) {
    for (size_t i = from; i < program_.ops.size(); ++i) {
      for (int& in : program_.ops[i].in) {
        if (in != value) continue;
        in = by;
        changed_[i] = true;
      }
    }
    if (program_.result == value) program_.result = by;
  }
  void insert(size_t at, NetworkOp op) {
    program_.ops.insert(program_.ops.begin() + std::ptrdiff_t(at), std::move(op));
    changed_.insert(changed_.begin() + std::ptrdiff_t(at), true);
  }
  int constant(int64_t size, double value) {
    return program_.add("", size, std::vector<double>(size_t(size), value));
  }
  NetworkProgram& program() { return program_; }
  void move_images() { moves_images_ = true; }

  void come_of_trying() { is_plain_ = false; }

  NetworkVariant done(std::string sentence, std::string cause) && {
    return {std::move(program_), std::move(changed_), std::move(sentence),
            std::move(cause),    moves_images_,       is_plain_};
  }

 private:
  NetworkProgram program_;
  std::vector<bool> changed_;
  bool moves_images_ = false;
  bool is_plain_ = true;
};

class Generator {
 public:
  Generator(const NetworkProgram& program, const std::function<bool(NetworkVariant)>& visit)
      : program_(program), visit_(visit), groups_(groups_of(program)) {}

  void all() {
    for (const OpGroup& group : groups_) of_group(group);
    // The last first: less depends on them, so more can be tried.
    for (size_t i = groups_.size(); i-- > 0;) of_inputs(groups_[i]);
    for (size_t i = groups_.size(); i-- > 0;) whole_parts(groups_[i]);
  }

 private:
  const NetworkOp& first_of(const OpGroup& group) const { return program_.ops[group.ops[0]]; }

  // change(Change&, place of the operation); from the last to the first, so that what is inserted
  // moves none that is still to come. Returns false if nothing can be changed.
  template <class Function>
  void offer(const OpGroup& group, const std::string& sentence, const std::string& cause,
             Function change) {
    if (!goes_on_) return;
    Change made(program_);
    for (size_t i = group.ops.size(); i-- > 0;) {
      if (!change(made, group.ops[i])) return;
    }
    goes_on_ =
        visit_(std::move(made).done(sentence, kind_name(first_of(group).kind) + ": " + cause));
  }

  void of_group(const OpGroup& group) {
    const OpKind kind = first_of(group).kind;
    if (passed_on(kind)) left_out(group);
    if (has_weights(kind)) {
      bias(group);
      relu_added(group);
      padding(group);
    }
    if (kind == OpKind::convolution) convolution_steps(group);
    if (kind == OpKind::pool_max || kind == OpKind::pool_average) pooling(group);
    if (kind == OpKind::pool_max_back || kind == OpKind::pool_average_back) pooling_back(group);
    if (first_of(group).pools()) pooling_steps(group);
    if (kind == OpKind::softmax) softmax(group);
    if (kind == OpKind::softmax || kind == OpKind::normalise_by_running ||
        kind == OpKind::dropout || kind == OpKind::pixels) {
      twice(group);
    }
    if (kind == OpKind::reordered) order(group);
    if (kind == OpKind::normalise) by_running(group);
    if (kind == OpKind::normalise_by_running) by_batch(group);
    if (kind == OpKind::normalise_back) gradients_exchanged(group);
    if (kind == OpKind::cross_entropy) divisor(group);
    if (kind == OpKind::sgd || kind == OpKind::adam) optimizer(group);
    if (is_forward(kind)) exchanged(group);
  }

  void left_out(const OpGroup& group) {
    const NetworkOp& one = first_of(group);
    offer(group, left_out_sentence(one, group.place), "left out", [&](Change& made, size_t at) {
      const NetworkOp op = made.program().ops[at];
      made.replace(op.out[0], op.in[*passed_on(op.kind)], at + 1);
      return true;
    });
  }

  void bias(const OpGroup& group) {
    offer(group, fmt::format("The bias of {} is left out.", group.place), "no bias",
          [&](Change& made, size_t at) {
            NetworkOp& op = made.op(at);
            op.in[2] = made.constant(op.m, 0);
            return true;
          });
  }

  void relu_added(const OpGroup& group) {
    offer(group,
          fmt::format("ReLU is applied to what {} puts out, where the network has none: its "
                      "negative numbers become 0.",
                      group.place),
          "ReLU added", [&](Change& made, size_t at) {
            const NetworkOp op = made.program().ops[at];
            for (const NetworkOp& other : program_.ops) {
              if (other.kind == OpKind::relu && other.in[0] == op.out[0]) return false;
            }
            NetworkOp relu{OpKind::relu, op.layer, {op.out[0]}, {}};
            relu.n = op.n, relu.c = op.m;
            if (op.kind == OpKind::convolution) relu.h = op.oh(), relu.w = op.ow();
            const int y = made.program().add("", relu.size());
            made.replace(op.out[0], y, at + 1);
            relu.out = {y};
            made.insert(at + 1, relu);
            return true;
          });
  }

  // The convolution, and what only follows from its sizes, up to a layer that has sizes of its own.
  void padding(const OpGroup& group) {
    const NetworkOp& one = first_of(group);
    const bool is_one_layer = std::ranges::all_of(
        group.ops, [&](size_t at) { return program_.ops[at].layer == one.layer; });
    if (one.kind != OpKind::convolution || !is_one_layer) return;
    for (int64_t pad = 0; pad <= std::max<int64_t>(one.pad + 1, 2); ++pad) {
      if (pad == one.pad) continue;
      const NetworkOp changed_one = with_pad(one, pad);
      if (changed_one.oh() < 1 || changed_one.ow() < 1) continue;
      offer(group,
            fmt::format("{} is computed with padding {} instead of {}: it puts out {} x {} numbers "
                        "for each map instead of {} x {}.",
                        capital(group.place), pad, one.pad, changed_one.oh(), changed_one.ow(),
                        one.oh(), one.ow()),
            fmt::format("padding {}", pad > one.pad ? "larger" : "smaller"),
            [&](Change& made, size_t at) {
              made.op(at).pad = pad;
              made.move_images();
              const NetworkOp op = made.program().ops[at];
              return resize(made, at, op.out[0], op.oh(), op.ow());
            });
    }
  }
  static NetworkOp with_pad(NetworkOp op, int64_t pad) {
    op.pad = pad;
    return op;
  }
  static bool resize(Change& made, size_t from, int value, int64_t h, int64_t w) {
    for (size_t i = from + 1; i < made.program().ops.size(); ++i) {
      const NetworkOp& op = made.program().ops[i];
      const bool follows =
          op.kind == OpKind::relu || op.kind == OpKind::pool_max || op.kind == OpKind::pool_average;
      if (!follows || op.in[0] != value) continue;
      NetworkOp& changed = made.op(i);
      changed.h = h, changed.w = w;
      const int64_t oh = changed.pools() ? changed.oh() : h;
      const int64_t ow = changed.pools() ? changed.ow() : w;
      return oh > 0 && ow > 0 && resize(made, i, changed.out[0], oh, ow);
    }
    return true;
  }

  void pooling(const OpGroup& group) {
    const bool is_max = first_of(group).kind == OpKind::pool_max;
    offer(group,
          is_max
              ? fmt::format("{} takes the mean of each window; it is a max pooling.", group.place)
              : fmt::format("{} takes the largest of each window; it is an average pooling.",
                            group.place),
          "other pooling", [&](Change& made, size_t at) {
            NetworkOp& op = made.op(at);
            op.kind = is_max ? OpKind::pool_average : OpKind::pool_max;
            return true;
          });
    if (is_max) {
      offer(group,
            fmt::format("The maximum of {} starts at 0: windows of negative numbers alone give 0.",
                        group.place),
            "from zero", [&](Change& made, size_t at) {
              made.op(at).choice = Choice::from_zero;
              return true;
            });
      return;
    }
    offer(group, fmt::format("{} adds up each window and does not divide.", group.place), "sum",
          [&](Change& made, size_t at) {
            made.op(at).choice = Choice::sum;
            return true;
          });
  }

  void pooling_back(const OpGroup& group) {
    const bool is_max = first_of(group).kind == OpKind::pool_max_back;
    const auto choose = [&](Choice choice, const char* sentence, const char* cause) {
      offer(group, fmt::format("On the way back through {}, {}", group.place, sentence), cause,
            [&](Change& made, size_t at) {
              made.op(at).choice = choice;
              return true;
            });
    };
    rest_kept(group);
    if (!is_max) {
      return choose(Choice::sum,
                    "every element gets the whole gradient of its window; it gets the gradient "
                    "divided by the number of elements.",
                    "not divided");
    }
    choose(Choice::all,
           "all elements of a window get its gradient; only the largest one does, the others get "
           "0.",
           "all");
    choose(Choice::last,
           "the last of equal largest elements gets the gradient of the window; the first one "
           "does.",
           "last");
    offer(group,
          fmt::format("On the way back through {}, every element gets an equal part of the "
                      "gradient of its window, as in an average pooling; the largest one gets all.",
                      group.place),
          "average", [&](Change& made, size_t at) {
            NetworkOp& op = made.op(at);
            op.kind = OpKind::pool_average_back;
            op.in.erase(op.in.begin());
            return true;
          });
  }

  // What was there before is not known, but for an output that nobody writes.
  void rest_kept(const OpGroup& group) {
    const bool leaves_any = std::ranges::any_of(group.ops, [&](size_t at) {
      const NetworkOp& op = program_.ops[at];
      return op.oh() * op.kh != op.h || op.ow() * op.kw != op.w;
    });
    if (!leaves_any) return;
    offer(group,
          fmt::format("On the way back through {}, rows and columns that are left over beside the "
                      "windows are not written: they keep what the memory held before, and must "
                      "become 0, also where only rows or only columns are left over.",
                      group.place),
          "rest kept", [&](Change& made, size_t at) {
            NetworkOp& op = made.op(at);
            op.rest = op.out[0] == program_.result ? predicted_unwritten() : predicted_anything();
            return true;
          });
  }

  void convolution_steps(const OpGroup& group) {
    const auto step = [&](int64_t NetworkOp::*which, int64_t (*length)(const NetworkOp&),
                          const char* sentence) {
      offer(group, fmt::format("{}, {}", where_in(first_of(group), group.place), sentence),
            sentence, [&](Change& made, size_t at) {
              NetworkOp& op = made.op(at);
              op.*which = length(op);
              return true;
            });
    };
    const NetworkOp& one = first_of(group);
    if (one.c > 1) {
      step(
          &NetworkOp::image_step, [](const NetworkOp& op) { return op.h * op.w; },
          "the images of the batch are taken to be h * w elements apart, without the channels: all "
          "but the first are read from the wrong place.");
      step(
          &NetworkOp::filter_step, [](const NetworkOp& op) { return op.kh * op.kw; },
          "filters are taken to be kh * kw weights apart, without the channels: all but the first "
          "are read from the wrong place.");
    }
    if (one.m * one.oh() * one.ow() != one.c * one.h * one.w) {
      step(
          &NetworkOp::image_step, [](const NetworkOp& op) { return op.m * op.oh() * op.ow(); },
          "the images of the input are taken to be m * oh * ow elements apart, as those of the "
          "output are: all but the first are read from the wrong place.");
    }
  }

  // What fills no window is part of the input all the same: of its rows and of its planes. The two
  // directions of a layer mostly share the code that finds a window.
  void pooling_steps(OpGroup group) {
    if (is_forward(first_of(group).kind)) add_ways_back(group);
    struct Covered {
      bool rows_of_planes, columns_of_planes, columns_of_rows;
      const char* sentence;
    };
    static constexpr Covered kCovered[] = {
        {true, false, false, "a plane of the input is counted with oh * kh rows; it has h"},
        {false, true, false, "a plane of the input is counted with ow * kw columns; it has w"},
        {true, true, false, "a plane of the input is counted as oh * kh x ow * kw; it is h x w"},
        {false, false, true, "a row of the input is counted with ow * kw elements; it has w"},
        {false, true, true,
         "rows and planes of the input are counted with ow * kw columns, not with w"},
        {true, true, true, "the input is counted as oh * kh x ow * kw in each plane; it is h x w"},
    };
    for (const Covered& covered : kCovered) {
      const auto change = [&](NetworkOp& op) {
        const int64_t columns = op.ow() * op.kw, rows = op.oh() * op.kh;
        op.row_step = covered.columns_of_rows ? columns : op.w;
        op.plane_step =
            (covered.rows_of_planes ? rows : op.h) * (covered.columns_of_planes ? columns : op.w);
        // Else a plainer one is the same.
        return (!covered.rows_of_planes || rows != op.h) &&
               (columns != op.w || !(covered.columns_of_planes || covered.columns_of_rows));
      };
      const bool tells = std::ranges::any_of(group.ops, [&](size_t at) {
        NetworkOp op = program_.ops[at];
        return change(op);
      });
      if (!tells) continue;
      offer(group,
            fmt::format("{}, {}: what is left over beside the windows belongs to it, too, and "
                        "moves all windows behind it.",
                        where_in(first_of(group), group.place), covered.sentence),
            covered.sentence, [&](Change& made, size_t at) {
              change(made.op(at));
              made.move_images();
              return true;
            });
    }
  }
  void add_ways_back(OpGroup& group) const {
    const std::vector<size_t> forward = group.ops;
    for (size_t i = 0; i < program_.ops.size(); ++i) {
      const NetworkOp& op = program_.ops[i];
      const bool goes_back = op.pools() && !is_forward(op.kind);
      const bool is_same_layer = std::ranges::any_of(
          forward, [&](size_t at) { return program_.ops[at].layer == op.layer; });
      if (goes_back && is_same_layer) group.ops.push_back(i);
    }
  }

  void softmax(const OpGroup& group) {
    const auto choose = [&](Choice choice, const char* sentence, const char* cause) {
      offer(group, sentence, cause, [&](Change& made, size_t at) {
        made.op(at).choice = choice;
        return true;
      });
    };
    choose(Choice::whole_batch,
           "The softmax is taken over all images at once: the probabilities of the whole batch "
           "add up to 1. Those of each image do: each row is a softmax of its own.",
           "whole batch");
    choose(Choice::columns,
           "The softmax is taken over the images, for each class, instead of over the classes of "
           "each image.",
           "columns");
    choose(Choice::logarithm, "The output is the logarithm of the probabilities.", "logarithm");
  }

  void twice(const OpGroup& group) {
    offer(group, fmt::format("{} is applied twice.", capital(group.place)), "twice",
          [&](Change& made, size_t at) {
            NetworkOp again = made.program().ops[at];
            const int y = made.program().add("", again.size());
            const int first = again.out[0];
            made.replace(first, y, at + 1);
            again.in[0] = first;
            again.out = {y};
            made.insert(at + 1, again);
            return true;
          });
  }

  // What the rest held before is not known; fresh memory holds 0.
  void whole_parts(const OpGroup& group) {
    const NetworkOp& one = first_of(group);
    if (one.kind == OpKind::gather || one.kind == OpKind::reordered) return;
    const int64_t size = size_of(one);
    int64_t smallest = std::numeric_limits<int64_t>::max();
    for (const size_t at : group.ops) smallest = std::min(smallest, size_of(program_.ops[at]));
    // Groups of several sizes leave the same rest.
    std::map<int64_t, std::vector<int64_t>> of_rest;
    for (const int64_t parts : {2, 4, 8, 16, 32, 64, 128, 256}) {
      if (size % parts != 0 && 2 * parts <= smallest) of_rest[size % parts].push_back(parts);
    }
    for (const auto& [rest, sizes] : of_rest) {
      std::string several = std::to_string(sizes[0]);
      for (size_t i = 1; i < sizes.size(); ++i) several += fmt::format(" or {}", sizes[i]);
      for (const int64_t parts : sizes) {
        offer(
            group,
            fmt::format("{}: only whole groups of {} elements are computed. The rest, the last {} "
                        "of {}, is not written and stays 0.",
                        where_in(one, group.place), several, rest, size),
            fmt::format("whole groups of {}", parts), [&](Change& made, size_t at) {
              made.op(at).whole_parts = parts;
              return true;
            });
      }
    }
  }
  int64_t size_of(const NetworkOp& op) const { return program_.values[size_t(op.out[0])].size; }

  void order(const OpGroup& group) {
    static constexpr int kOrders[][3] = {{1, 2, 0}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}, {2, 0, 1}};
    static constexpr const char* kNames[] = {"channel", "row", "column"};
    for (const auto& order : kOrders) {
      offer(group,
            fmt::format("The features are flattened as [{}][{}][{}], but the weights of the next "
                        "layer belong to the order [channel][row][column], as they lie in memory.",
                        kNames[order[0]], kNames[order[1]], kNames[order[2]]),
            fmt::format("{}{}{}", order[0], order[1], order[2]), [&](Change& made, size_t at) {
              NetworkOp& op = made.op(at);
              std::copy(order, order + 3, op.order);
              return true;
            });
    }
  }

  // What the backward pass has of the batch's mean is then not known: the running one, or what was
  // there before, 0.
  void by_running(const OpGroup& group) {
    for (const bool is_kept : {true, false}) {
      offer(group,
            fmt::format("{} works as in inference in a pass that trains: by its running means, "
                        "which do not move. With training, it normalises by mean and variance of "
                        "the batch.",
                        group.place),
            is_kept ? "by running means" : "by running means, none for the way back",
            [&](Change& made, size_t at) {
              const NetworkOp op = made.program().ops[at];
              NetworkOp& changed = made.op(at);
              changed.kind = OpKind::normalise_by_running;
              changed.out = {op.out[0]};
              made.replace(op.out[3], op.in[3], at + 1);
              made.replace(op.out[4], op.in[4], at + 1);
              std::vector<double> inverse;
              for (const double variance : program_.values[size_t(op.in[4])].given) {
                inverse.push_back(is_kept ? 1 / std::sqrt(variance + op.b) : 0);
              }
              if (int64_t(inverse.size()) != op.c) return false;  // moved by a step before
              made.replace(op.out[1], is_kept ? op.in[3] : made.constant(op.c, 0), at + 1);
              made.replace(op.out[2], made.program().add("", op.c, inverse), at + 1);
              return true;
            });
    }
  }

  void by_batch(const OpGroup& group) {
    normalised_by_batch(
        group, fmt::format("{} normalises by mean and variance of the batch, as in training; here "
                           "its running means belong.",
                           group.place));
    OpGroup alone{{}, group.place};
    std::ranges::copy_if(group.ops, std::back_inserter(alone.ops),
                         [&](size_t at) { return !is_behind_weights(at); });
    if (alone.ops.empty() || alone.ops.size() == group.ops.size()) return;
    normalised_by_batch(alone,
                        "Normalisations that no layer takes over (fold) work by mean and variance "
                        "of the batch, as in training; here their running means belong.");
  }
  void normalised_by_batch(const OpGroup& group, const std::string& sentence) {
    offer(group, sentence, "by the batch", [&](Change& made, size_t at) {
      NetworkOp& op = made.op(at);
      op.kind = OpKind::normalise;
      op.batch = program_.batch;
      for (int i = 0; i < 4; ++i) {
        const int value = made.program().add("", op.c);
        made.program().ops[at].out.push_back(value);
      }
      made.move_images();
      return true;
    });
  }
  bool is_behind_weights(size_t at) const {
    return std::ranges::any_of(program_.ops, [&](const NetworkOp& op) {
      return has_weights(op.kind) && op.out[0] == program_.ops[at].in[0];
    });
  }

  void divisor(const OpGroup& group) {
    const NetworkOp& one = first_of(group);
    const auto divided = [&](double by, const std::string& sentence, const char* cause) {
      offer(group, sentence, cause, [&](Change& made, size_t at) {
        made.op(at).a = by;
        return true;
      });
    };
    divided(1,
            "The gradient is that of the sum of the losses: it is not divided by the number of "
            "images in the batch.",
            "not divided");
    divided(double(one.c),
            "The gradient of the loss is divided by the number of classes instead "
            "of the number of images.",
            "by classes");
    offer(group, "The gradient of the loss has the wrong sign.", "sign",
          [&](Change& made, size_t at) {
            made.op(at).a *= -1;
            return true;
          });
  }

  // Those of scale and shift have the same shape.
  void gradients_exchanged(const OpGroup& group) {
    offer(group,
          fmt::format("{}, the gradients of scale and shift are exchanged: each is stored in the "
                      "other's place.",
                      where_in(first_of(group), group.place)),
          "gradients exchanged", [](Change& made, size_t at) {
            std::swap(made.op(at).out[1], made.op(at).out[2]);
            return true;
          });
  }

  void optimizer(const OpGroup& group) {
    const bool has_decay = first_of(group).decay != 0;
    // All parameters, or those of one layer: that is not the same mistake.
    const bool is_all = group.place == every_of(first_of(group).kind);
    const auto set = [&](const std::string& sentence, const char* cause, auto change) {
      offer(group, sentence, fmt::format("{} of {}", cause, is_all ? "all" : group.place),
            [&](Change& made, size_t at) { return change(made, made.op(at)); });
    };
    const std::string& of = group.place;
    if (has_decay) {
      set(fmt::format("{} have no weight decay; it applies to all trained parameters.",
                      capital(of)),
          "no decay", [](Change&, NetworkOp& op) {
            op.decay = 0;
            return true;
          });
    }
    set(fmt::format("{} have no momentum: each step begins with a velocity of 0.", capital(of)),
        "no momentum", [](Change& made, NetworkOp& op) {
          if (op.kind == OpKind::adam) {
            op.in[3] = made.constant(op.c, 0);
          } else if (op.b == 0) {
            return false;
          }
          op.in[2] = made.constant(op.c, 0);
          return true;
        });
    set(fmt::format("{} get a gradient of 0: it is never computed, or cleared.", capital(of)),
        "no gradient", [](Change& made, NetworkOp& op) {
          op.in[1] = made.constant(op.c, 0);
          return true;
        });
    set(fmt::format("{} do not change: the step leaves them out.", capital(of)), "no step",
        [](Change&, NetworkOp& op) {
          op.a = 0;
          return true;
        });
    set(fmt::format("{} move up the slope: the step is added instead of subtracted.", capital(of)),
        "upwards", [](Change&, NetworkOp& op) {
          op.a *= -1;
          return true;
        });
  }

  // An operation that changes each element by itself and the one that takes its output change
  // places.
  void exchanged(const OpGroup& group) {
    const NetworkOp& one = first_of(group);
    const bool alone = one.kind == OpKind::relu || one.kind == OpKind::normalise ||
                       one.kind == OpKind::normalise_by_running || one.kind == OpKind::dropout;
    if (!alone || group.ops.size() != 1) return;
    const size_t at = group.ops[0];
    if (at + 1 >= program_.ops.size()) return;
    const NetworkOp& next = program_.ops[at + 1];
    const bool can = is_forward(next.kind) && !has_weights(next.kind) && next.in[0] == one.out[0] &&
                     next.kind != OpKind::softmax && next.kind != OpKind::reordered;
    if (!can) return;
    offer(
        group,
        fmt::format("{} comes before {}; it belongs behind it.", capital(next.layer), group.place),
        "exchanged", [&](Change& made, size_t) {
          NetworkOp first = program_.ops[at + 1], second = program_.ops[at];
          first.in[0] = one.in[0];
          first.out[0] = made.program().add("", program_.values[size_t(next.out[0])].size);
          second.in[0] = first.out[0];
          second.out[0] = next.out[0];
          if (first.pools()) second.h = first.oh(), second.w = first.ow();
          made.op(at) = std::move(first);
          made.op(at + 1) = std::move(second);
          return true;
        });
  }

  // Another tensor of at least the size stands where one belongs.
  void of_inputs(const OpGroup& group) {
    const NetworkOp& one = first_of(group);
    if (group.ops.size() != 1 || one.kind == OpKind::gather) return;
    for (size_t k = 0; k < one.in.size(); ++k) {
      const NetworkValue& right = program_.values[size_t(one.in[k])];
      for (int other = 0; other < int(program_.values.size()); ++other) {
        const NetworkValue& there = program_.values[size_t(other)];
        const bool differs = other != one.in[k] && !goes_around(one.in[k], other);
        if (!differs || there.name.empty() || !is_known_before(other, group.ops[0])) continue;
        // A forward pass reads what lies in memory; elsewhere only the same shape is mistaken.
        const bool fits =
            is_forward(one.kind) ? there.size >= right.size : there.size == right.size;
        if (!fits) continue;
        offer(group,
              fmt::format("{}: {} stands where {} belongs.", where_in(one, group.place), there.name,
                          right.name),
              fmt::format("{} for {}", there.name, right.name), [&](Change& made, size_t at) {
                made.op(at).in[k] = other;
                made.come_of_trying();
                return true;
              });
      }
    }
  }

  // The operation between them is then left out, which has been tried.
  bool goes_around(int value, int before) const {
    return std::ranges::any_of(program_.ops, [&](const NetworkOp& op) {
      const auto passed = passed_on(op.kind);
      return passed && op.out[0] == value && op.in[*passed] == before;
    });
  }

  bool is_known_before(int value, size_t op) const {
    if (!program_.values[size_t(value)].given.empty()) return true;
    for (size_t i = 0; i < op; ++i) {
      const std::vector<int>& out = program_.ops[i].out;
      if (std::ranges::find(out, value) != out.end()) return true;
    }
    return false;
  }

  const NetworkProgram& program_;
  const std::function<bool(NetworkVariant)>& visit_;
  std::vector<OpGroup> groups_;
  bool goes_on_ = true;
};

}  // namespace

std::vector<OpGroup> groups_of(const NetworkProgram& program) {
  std::vector<std::pair<OpKind, std::vector<OpGroup>>> kinds;  // groups of one layer each
  for (size_t i = 0; i < program.ops.size(); ++i) {
    const NetworkOp& op = program.ops[i];
    auto kind = std::ranges::find(kinds, op.kind, [](const auto& one) { return one.first; });
    if (kind == kinds.end()) kind = kinds.insert(kinds.end(), {op.kind, {}});
    auto group = std::ranges::find(kind->second, op.layer, &OpGroup::place);
    if (group == kind->second.end()) {
      group = kind->second.insert(kind->second.end(), {{}, op.layer});
    }
    group->ops.push_back(i);
  }
  std::vector<OpGroup> all;
  for (const auto& [kind, layers] : kinds) {
    if (layers.size() > 1) {
      OpGroup every{{}, every_of(kind)};
      for (const OpGroup& layer : layers) {
        every.ops.insert(every.ops.end(), layer.ops.begin(), layer.ops.end());
      }
      std::ranges::sort(every.ops);
      all.push_back(std::move(every));
    }
    all.insert(all.end(), layers.begin(), layers.end());
  }
  return all;
}

void for_each_variant(const NetworkProgram& program,
                      const std::function<bool(NetworkVariant)>& visit) {
  Generator(program, visit).all();
}

}  // namespace convkit
