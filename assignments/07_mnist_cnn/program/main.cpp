// SPDX-License-Identifier: MIT
// The training program of stage 07: loads a submission and trains one of its networks. It has
// everything that is not the lesson: data, progress, checkpoints, pictures. `convkit train` starts
// it.
//
// Exit codes: 0 trained; 130 stopped by Ctrl-C, with a checkpoint written; 1 the training failed (a
// loss that is no number, an error of the submission); 2 called wrongly, or data that cannot be
// used.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "checkpoint.h"
#include "data.h"
#include "models.h"
#include "pictures.h"
#include "progress_bar.h"
#include "report.h"

namespace convkit::train {
namespace {

namespace fs = std::filesystem;

volatile sig_atomic_t g_stop = 0;

void on_interrupt(int) {
  g_stop = 1;
}

// The data of a step's callback.
struct Running {
  Checkpoint* state;
  ProgressBar* bar;
  const Options* options;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  bool offered = false;   // something quicker
  int64_t bad_step = -1;  // the loss was not a number there
  float bad_loss = 0;
};

// A machine that needs long for the large network trains a small one in minutes. Told once, in the
// first epoch, when the speed is known.
void offer_quicker(Running& running, const Checkpoint& state) {
  constexpr double kKnownAfter = 3;  // seconds
  const double patience = running.options->patience;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - running.start;
  if (running.offered || state.epoch > 0 || took.count() < std::min(kKnownAfter, patience)) return;
  const double left = running.bar->seconds_left(state.images);
  if (left <= 0) return;
  running.offered = true;
  const std::string offer = left < patience ? "" : quicker_offer(*running.options, left);
  if (!offer.empty()) running.bar->say(offer);
}

int after_step(void* user, const MnistProgress* p) {
  auto& running = *static_cast<Running*>(user);
  Checkpoint& state = *running.state;
  if (!std::isfinite(p->loss) && running.bad_step < 0) {
    running.bad_step = p->step, running.bad_loss = p->loss;
  }
  state.loss_sum += double(p->loss) * p->images;
  state.right += p->right;
  state.images += p->images;
  const double images = double(state.images);
  running.bar->show(state.images, state.loss_sum / images, double(state.right) / images);
  offer_quicker(running, state);
  return g_stop != 0 || running.bad_step >= 0;
}

MnistSettings settings_of(const Options& o) {
  MnistSettings s{};
  s.batch = o.batch, s.epochs = o.epochs;
  s.optimizer = o.optimizer == "adam" ? kMnistAdam : kMnistSgd;
  s.schedule = o.schedule == "cosine" ? kMnistCosine
               : o.schedule == "step" ? kMnistStep
                                      : kMnistConstant;
  s.lr = static_cast<float>(o.lr), s.momentum = static_cast<float>(o.momentum);
  s.weight_decay = static_cast<float>(o.weight_decay);
  s.step_epochs = std::max(1, o.epochs / 3), s.step_factor = 0.1f;
  s.seed = static_cast<uint64_t>(o.seed);
  return s;
}

void draw(const Options& o, const Network& network, const History& history,
          const TestResult& result) {
  const std::string what =
      fmt::format("{}, {:.2f} % of the test images right", o.data_name, 100 * result.accuracy);
  draw_curves(o.out / "curves.svg", what, history);
  draw_confusion(o.out / "confusion.svg", what, result.confusion, network.classes());
  for (const MnistParameter& p : network.parameters()) {
    if (std::string(p.name) != "conv1.weight" || p.rank != 4) continue;
    draw_filters(o.out / "filters.svg", "The filters of conv1", from_device(p.d_value, p.size),
                 p.dims[0], p.dims[1], p.dims[2], p.dims[3]);
  }
}

// One epoch, or what is left of it. Returns the program's exit code, or -1 to go on.
int train_epoch(const Options& o, const Network& network, const ImageSet& train,
                const ImageSet& test_set, Checkpoint& state) {
  const MnistSettings settings = settings_of(o);
  const MnistData data{train.images.data(), train.labels.data(), static_cast<int>(train.count)};
  const int64_t of_epoch = (train.count + o.batch - 1) / o.batch;
  const int64_t steps = (state.epoch + 1) * of_epoch - state.step;
  ProgressBar bar(fmt::format("epoch {}/{}", state.epoch + 1, o.epochs), train.count,
                  (o.epochs - state.epoch - 1) * train.count, isatty(STDOUT_FILENO) == 1);
  Running running{&state, &bar, &o};
  int64_t done = 0;
  const Submission& submission = network.submission();
  const cudaError_t error = submission.train(network.get(), &data, &settings, state.step, steps,
                                             after_step, &running, &done);
  state.step += done;
  const double images = double(std::max<int64_t>(state.images, 1));
  const double loss = state.loss_sum / images, accuracy = double(state.right) / images;
  const fs::path file = o.out / "model.npz";
  if (error != cudaSuccess) {
    fmt::print(stderr, "The training failed: {} {}\n", cudaGetErrorString(error),
               submission.problem());
    return 1;
  }
  if (running.bad_step >= 0) {
    bar.finish(state.images, loss, accuracy, "");
    fmt::print(
        stderr,
        "The loss is {} at step {} (epoch {}). "
        "The learning rate, {:g}, may be too large: try --lr {:g}.{}\n",
        running.bad_loss, running.bad_step, state.epoch + 1, o.lr, o.lr / 10,
        fs::exists(file) ? fmt::format(" The last good checkpoint is {}.", file.string()) : "");
    return 1;
  }
  if (done < steps) {
    bar.finish(state.images, loss, accuracy, "");
    if (g_stop == 0) {
      fmt::print(stderr, "mnist_train did {} of {} steps and gave no reason.\n", done, steps);
      return 1;
    }
    save(file, network, o, train.count, state);
    fmt::print("Stopped at step {}. To go on: the same command with --resume {}\n", state.step,
               file.string());
    return 130;
  }
  const TestResult result = test(network, test_set);
  bar.finish(state.images, loss, accuracy, fmt::format("  test {:.2f} %", 100 * result.accuracy));
  state.history.loss.push_back(static_cast<float>(loss));
  state.history.accuracy.push_back(static_cast<float>(accuracy));
  state.history.test_accuracy.push_back(static_cast<float>(result.accuracy));
  ++state.epoch;
  state.loss_sum = 0, state.right = state.images = 0;
  save(file, network, o, train.count, state);
  draw(o, network, state.history, result);
  if (state.epoch >= o.epochs) {
    fmt::print("\n{}\n", confusion_text(result.confusion, network.classes()));
    fmt::print("Test accuracy {:.2f} % on {} images of {}. Network and pictures: {}\n",
               100 * result.accuracy, test_set.count, o.data_name, o.out.string());
  }
  return -1;
}

int run(Options o) {
  const bool resumed = !o.resume.empty();
  std::string text = resumed ? read_settings(o.resume, o) : "";
  if (!resumed || o.given.count("model") != 0) text = model_text(o.model);
  const ImageSet train = load(o.images, o.labels, o.limit);
  const ImageSet test_set = load(o.test_images, o.test_labels, 0);
  if (train.height != test_set.height || train.width != test_set.width) {
    throw UsageError(fmt::format("Training images are {}x{}, test images {}x{}.", train.height,
                                 train.width, test_set.height, test_set.width));
  }
  if (train.count < o.batch) {
    throw UsageError(
        fmt::format("--batch {} is larger than the data: {} images.", o.batch, train.count));
  }
  const Submission submission(o.submission);
  const Network network(submission, text, o.batch, o.seed, o.backend);
  if (network.input_pixels() != int64_t(train.height) * train.width) {
    throw UsageError(fmt::format("The network's first line does not fit images of {}x{}.",
                                 train.height, train.width));
  }
  Checkpoint state;
  if (resumed) state = restore(o.resume, network, train.count);
  fs::create_directories(o.out);
  fmt::print("{}\n{} images of {}, {} to test; batch {}, {}, learning rate {:g}, seed {}\n",
             summary(network), train.count, o.data_name, test_set.count, o.batch, o.optimizer, o.lr,
             o.seed);
  if (resumed) fmt::print("Going on after step {}.\n", state.step);
  if (state.epoch >= o.epochs) {
    fmt::print("All {} epochs are done: --epochs {} adds one.\n", o.epochs, state.epoch + 1);
  }
  std::fflush(stdout);

  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESETHAND;  // a second Ctrl-C ends the program at once
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  while (state.epoch < o.epochs) {
    const int code = train_epoch(o, network, train, test_set, state);
    if (code >= 0) return code;
  }
  return 0;
}

}  // namespace
}  // namespace convkit::train

int main(int argc, char** argv) try {
  using namespace convkit::train;
  const std::optional<Options> options = parse_options(argc, argv);
  return options ? run(*options) : 0;
} catch (const convkit::train::UsageError& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
