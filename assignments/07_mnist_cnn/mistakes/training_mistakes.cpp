// SPDX-License-Identifier: MIT
// Steps of a training, and mistakes in the loop around the layers: batches, order, calls.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "compare/network/mistakes.h"
#include "network_values.h"

namespace convkit::stage_07 {
namespace {

// Which images a step takes, and whose labels.
enum class Rows { of_epoch, as_they_lie, of_first_batch };

// What a training does. As it stands it is right; a mistake changes one thing.
struct Plan {
  explicit Plan(const Evidence& of)
      : evidence(of),
        count(whole(evidence, "count")),
        batch(whole(evidence, "batch")),
        first(whole(evidence, "first")),
        steps_in_epoch((count + batch - 1) / batch) {
    const int64_t steps = whole(evidence, "steps");
    // The harness does the first half in one call, and the rest in another.
    second_call = (steps + 1) / 2;
    for (int64_t i = 0; i < steps; ++i) steps_done.push_back(first + i);
  }

  int64_t epoch(int64_t step) const { return step / steps_in_epoch; }
  int64_t first_row(int64_t step) const { return step % steps_in_epoch * batch; }
  int64_t images(int64_t step) const { return std::min(batch, count - first_row(step)); }

  const Evidence& evidence;
  int64_t count, batch, first, steps_in_epoch;
  std::vector<int64_t> steps_done;
  int64_t second_call;  // begins with this one of them
  Rows images_taken = Rows::of_epoch, labels_taken = Rows::of_epoch;
  std::function<int64_t(int64_t)> order_of = [](int64_t epoch) { return epoch; };
  std::function<int64_t(int64_t)> batch_of = [](int64_t step) { return step; };
  int64_t adam_begins = 0;  // its t is so much smaller
  int64_t divisor = 0;      // of the mean; 0: the number of images in the batch
  bool with_adam = whole(evidence, "optimizer") == 1;
  bool clears_in_each_call = false, clears_in_each_step = false;
  bool adds_gradients = false, steps_before_backward = false;

  std::optional<NetworkProgram> program() const;
};

class Builder {
 public:
  Builder(const Plan& plan, const Architecture& network) : plan_(plan), network_(network) {
    const Evidence& evidence = plan.evidence;
    images_ =
        program_.add("the bytes", plan.count * network.input.size(), input(evidence, "images"));
    labels_ = program_.add("the labels", plan.count, input(evidence, "labels"));
    parameters_ = given_parameters(program_, network, evidence);
    clear();
  }

  std::optional<NetworkProgram> done() {
    for (size_t i = 0; i < plan_.steps_done.size(); ++i) {
      const bool begins_call = int64_t(i) == plan_.second_call;
      if (plan_.clears_in_each_step || (begins_call && plan_.clears_in_each_call)) clear();
      step(plan_.steps_done[i]);
    }
    program_.result = value_of_output(plan_.evidence, "new_", parameters_);
    if (program_.result < 0) return std::nullopt;
    return std::move(program_);
  }

 private:
  void clear() {
    for (const auto& [name, value] : parameters_) {
      const int64_t size = program_.values[size_t(value)].size;
      for (auto* moments : {&m_, &v_}) {
        (*moments)[name] = program_.add("", size, std::vector<double>(size_t(size), 0));
      }
    }
  }

  int gathered(int all, int64_t size, int order, Rows rows, int64_t step, const char* name) {
    NetworkOp op{OpKind::gather, name, {all, order}, {}};
    op.n = plan_.images(step), op.c = size;
    op.first = rows == Rows::of_first_batch ? 0 : plan_.first_row(step);
    if (rows == Rows::as_they_lie) {
      std::vector<double> in_order;
      for (int64_t i = 0; i < plan_.count; ++i) in_order.push_back(double(i));
      op.in[1] = program_.add("", plan_.count, in_order);
    }
    op.out = {program_.add(name, op.n * size)};
    program_.ops.push_back(op);
    return op.out[0];
  }

  void step(int64_t number) {
    const Evidence& evidence = plan_.evidence;
    const int64_t taken = plan_.batch_of(number);
    const uint64_t seed = uint64_t(whole(evidence, "seed"));
    const int order = program_.add(
        "", plan_.count,
        order_of_epoch(seed, uint64_t(plan_.order_of(plan_.epoch(taken))), plan_.count));
    const int64_t size = network_.input.size();
    const int bytes =
        gathered(images_, size, order, plan_.images_taken, taken, "the bytes of the batch");
    const int labels = gathered(labels_, 1, order, plan_.labels_taken, taken, "the labels");

    NetworkPass pass;
    pass.n = plan_.images(taken);
    pass.training = true;
    pass.seed = seed;
    pass.step = number;
    const int x = add_pixels(program_, network_, bytes, pass.n);
    const NetworkParameters before = parameters_;
    const ForwardValues forward = add_forward(program_, network_, parameters_, x, pass);
    NetworkOp loss{OpKind::cross_entropy, "the loss", {forward.last, labels}, {}};
    loss.n = pass.n, loss.c = network_.layers.back().in.c;
    loss.a = double(plan_.divisor > 0 ? plan_.divisor : pass.n);
    loss.out = {program_.add("dlogits", loss.size())};
    program_.ops.push_back(loss);
    if (plan_.steps_before_backward) {
      if (old_.empty()) old_ = no_gradients(before);
      update(before, old_, number);
      old_ = add_backward(program_, network_, parameters_, forward, pass, loss.out[0]).gradients;
      return;
    }
    BackwardValues back = add_backward(program_, network_, before, forward, pass, loss.out[0]);
    if (plan_.adds_gradients) add_old(back.gradients);
    update(before, back.gradients, number);
  }

  // Of new memory, which holds 0; running means have none.
  NetworkParameters no_gradients(const NetworkParameters& parameters) {
    NetworkParameters none;
    for (const auto& [name, value] : parameters) {
      if (name.ends_with("_mean") || name.ends_with("_variance")) continue;
      const int64_t size = program_.values[size_t(value)].size;
      none[name] = program_.add("", size, std::vector<double>(size_t(size), 0));
    }
    return none;
  }

  void add_old(NetworkParameters& gradients) {
    for (auto& [name, value] : gradients) {
      const auto old = old_.find(name);
      if (old != old_.end()) {
        NetworkOp op{OpKind::sum, name, {value, old->second}, {}};
        op.c = program_.values[size_t(value)].size;
        op.out = {program_.add("", op.c)};
        program_.ops.push_back(op);
        value = op.out[0];
      }
      old_[name] = value;
    }
  }

  void update(const NetworkParameters& before, const NetworkParameters& gradients, int64_t step) {
    const Evidence& evidence = plan_.evidence;
    for (const auto& [name, gradient] : gradients) {
      const std::string layer = name.substr(0, name.find('_'));
      NetworkOp op{plan_.with_adam ? OpKind::adam : OpKind::sgd,
                   "the parameters of " + layer,
                   {before.at(name), gradient, m_.at(name)},
                   {}};
      op.c = program_.values[size_t(gradient)].size;
      op.a = number(evidence, "lr"), op.b = number(evidence, "momentum");
      op.decay = number(evidence, "weight_decay");
      op.step = step - plan_.adam_begins;
      if (plan_.with_adam) op.in.push_back(v_.at(name));
      op.out = {program_.add("the new " + name, op.c), program_.add("", op.c)};
      if (plan_.with_adam) op.out.push_back(program_.add("", op.c));
      parameters_[name] = op.out[0];
      m_[name] = op.out[1];
      if (plan_.with_adam) v_[name] = op.out[2];
      program_.ops.push_back(op);
    }
  }

  const Plan& plan_;
  const Architecture& network_;
  NetworkProgram program_;
  int images_ = -1, labels_ = -1;
  NetworkParameters parameters_, m_, v_, old_;
};

std::optional<NetworkProgram> Plan::program() const {
  const auto network = architecture_of(evidence);
  if (!network || count < 1 || batch < 1) return std::nullopt;
  return Builder(*this, *network).done();
}

std::optional<NetworkProgram> training(const Evidence& evidence) {
  return Plan(evidence).program();
}

void loop_mistakes(const Evidence& evidence, const NetworkOperation::Visit& visit) {
  bool goes_on = true;
  const auto with = [&](const char* sentence, auto change) {
    if (!goes_on) return;
    Plan plan(evidence);
    change(plan);
    const auto program = plan.program();
    if (program) goes_on = visit(*program, sentence);
  };
  with(
      "The gradient of a batch that is smaller, the last one of an epoch, is divided by the size "
      "of a full batch: its mean is over its own images.",
      [](Plan& plan) { plan.divisor = plan.batch; });
  with(
      "first_step is ignored: every call begins with step 0, so a training that continues takes "
      "the first batches again.",
      [](Plan& plan) {
        for (size_t i = 0; i < plan.steps_done.size(); ++i) {
          const int64_t at = int64_t(i);
          plan.steps_done[i] = at < plan.second_call ? at : at - plan.second_call;
        }
      });
  with(
      "first_step is taken for the number of a batch only: Adam's t counts the steps of this call "
      "instead of all steps.",
      [](Plan& plan) { plan.adam_begins = plan.first; });
  with(
      "The velocity (and Adam's m and v) is set to 0 in every call: a training that continues "
      "loses it. It belongs to the network, which keeps it between calls.",
      [](Plan& plan) { plan.clears_in_each_call = true; });
  with("The velocity (and Adam's m and v) is set to 0 in every step: it goes on from step to step.",
       [](Plan& plan) { plan.clears_in_each_step = true; });
  with("The gradients of a step are added to those of the step before: each step has its own.",
       [](Plan& plan) { plan.adds_gradients = true; });
  with(
      "The optimizer takes its step before the backward pass: it moves by the gradient of the step "
      "before, in the first one by 0.",
      [](Plan& plan) { plan.steps_before_backward = true; });
  with(
      "Labels do not belong to their images: the images are taken in the order of the epoch, the "
      "labels in the order of the data.",
      [](Plan& plan) { plan.labels_taken = Rows::as_they_lie; });
  with(
      "Labels do not belong to their images: the labels are taken in the order of the epoch, the "
      "images in the order of the data.",
      [](Plan& plan) { plan.images_taken = Rows::as_they_lie; });
  with("The images are taken in the order of the data: it is not shuffled by epoch_order.",
       [](Plan& plan) { plan.images_taken = plan.labels_taken = Rows::as_they_lie; });
  with("Every batch has the labels of the first batch of its epoch.",
       [](Plan& plan) { plan.labels_taken = Rows::of_first_batch; });
  with("Every batch has the images of the first batch of its epoch, with labels of its own.",
       [](Plan& plan) { plan.images_taken = Rows::of_first_batch; });
  with("Every step takes the first batch of its epoch again.",
       [](Plan& plan) { plan.images_taken = plan.labels_taken = Rows::of_first_batch; });
  with("Every epoch takes the images in the order of epoch 0.",
       [](Plan& plan) { plan.order_of = [](int64_t) { return int64_t{0}; }; });
  with("An epoch takes the images in the order of the next one.",
       [](Plan& plan) { plan.order_of = [](int64_t epoch) { return epoch + 1; }; });
  with("A step has the order of its own number instead of that of its epoch.", [](Plan& plan) {
    const int64_t steps = plan.steps_in_epoch;
    plan.order_of = [first = plan.first, steps](int64_t epoch) {
      return epoch * steps + first % steps;
    };
  });
  with("The smaller last batch of an epoch is left out: an epoch has ceil(count / batch) steps.",
       [](Plan& plan) { plan.steps_in_epoch = std::max<int64_t>(plan.count / plan.batch, 1); });
  with("A step takes the batch of the next step.",
       [](Plan& plan) { plan.batch_of = [](int64_t step) { return step + 1; }; });
  with("A step takes the batch of the step before.", [](Plan& plan) {
    plan.batch_of = [](int64_t step) { return std::max<int64_t>(step - 1, 0); };
  });
  with("Every step of a call takes the batch of its first step.",
       [](Plan& plan) { plan.batch_of = [first = plan.first](int64_t) { return first; }; });
  with("One step too few is done.", [](Plan& plan) { plan.steps_done.pop_back(); });
  with("One step too many is done.",
       [](Plan& plan) { plan.steps_done.push_back(plan.steps_done.back() + 1); });
  with("The optimizer is SGD where Adam is asked for, or the other way round.",
       [](Plan& plan) { plan.with_adam = !plan.with_adam; });
}

constexpr const char* kTrainingHint =
    "A step: the batch as numbers, forward with training, softmax_cross_entropy, backward, the "
    "optimizer. Step s is batch s % steps of epoch s / steps, with the order and the learning rate "
    "of that epoch; all else the network keeps.";

const NetworkOperation kTraining[] = {
    {"train_steps", kTrainingHint, training, loop_mistakes},
};
const RegisterNetworks kTrainingRegistered(kTraining);
const RegisterComposedOp kTrainStepsComposed({"train_steps", kTrainingHint});

}  // namespace
}  // namespace convkit::stage_07
