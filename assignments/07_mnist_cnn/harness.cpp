// SPDX-License-Identifier: MIT
// Stage 07: how a case becomes calls of the submission's functions.
#include "runner/harness.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "network_case.h"

namespace convkit::harness {
namespace {

int whole(const Call& call, const char* name) {
  return int(call.integer(name));
}

float number(const Call& call, const char* name) {
  return float(call.real(name));
}

Launch dense(const Call& call) {
  return
      [function = call.entry<decltype(dense_forward)>("dense_forward"),
       x = call.device_input<float>("x"), w = call.device_input<float>("w"),
       b = call.device_input<float>("b"), y = call.device_output<float>("y"), n = whole(call, "n"),
       in = whole(call, "in"), out = whole(call, "out"), stream = call.stream()] {
        check_cuda(function(x, w, b, y, n, in, out, stream), "dense_forward");
      };
}

Launch softmax(const Call& call) {
  return [function = call.entry<decltype(softmax_forward)>("softmax_forward"),
          x = call.device_input<float>("x"), y = call.device_output<float>("y"),
          n = whole(call, "n"), k = whole(call, "k"),
          stream = call.stream()] { check_cuda(function(x, y, n, k, stream), "softmax_forward"); };
}

Launch cross_entropy(const Call& call) {
  return
      [function = call.entry<decltype(softmax_cross_entropy)>("softmax_cross_entropy"),
       logits = call.device_input<float>("logits"), labels = device_bytes_of(call, "labels"),
       losses = call.device_output<float>("losses"), dlogits = call.device_output<float>("dlogits"),
       n = whole(call, "n"), k = whole(call, "k"), stream = call.stream()] {
        check_cuda(function(logits, labels.get(), losses, dlogits, n, k, stream),
                   "softmax_cross_entropy");
      };
}

Launch batchnorm(const Call& call) {
  return
      [function = call.entry<decltype(batchnorm_forward)>("batchnorm_forward"),
       x = call.device_input<float>("x"), scale = call.device_input<float>("scale"),
       shift = call.device_input<float>("shift"), y = call.device_output<float>("y"),
       mean = call.device_output<float>("mean"), inverse = call.device_output<float>("inverse"),
       moving_mean = call.device_output<float>("running_mean"),
       moving_variance = call.device_output<float>("running_variance"),
       before = std::vector<Transfer>{from_input(call, "mean0", "running_mean"),
                                      from_input(call, "variance0", "running_variance")},
       momentum = number(call, "momentum"), epsilon = number(call, "epsilon"), n = whole(call, "n"),
       c = whole(call, "c"), area = whole(call, "area"), stream = call.stream()] {
        copy(before, stream);
        check_cuda(function(x, scale, shift, y, mean, inverse, moving_mean, moving_variance,
                            momentum, epsilon, n, c, area, stream),
                   "batchnorm_forward");
      };
}

Launch batchnorm_gradients(const Call& call) {
  return [function = call.entry<decltype(batchnorm_backward)>("batchnorm_backward"),
          x = call.device_input<float>("x"), dy = call.device_input<float>("dy"),
          scale = call.device_input<float>("scale"), mean = call.device_input<float>("mean"),
          inverse = call.device_input<float>("inverse"), dx = call.device_output<float>("dx"),
          dscale = call.device_output<float>("dscale"),
          dshift = call.device_output<float>("dshift"), n = whole(call, "n"), c = whole(call, "c"),
          area = whole(call, "area"), stream = call.stream()] {
    check_cuda(function(x, dy, scale, mean, inverse, dx, dscale, dshift, n, c, area, stream),
               "batchnorm_backward");
  };
}

Launch fold(const Call& call) {
  return [function = call.entry<decltype(batchnorm_fold)>("batchnorm_fold"),
          w = call.device_input<float>("w"), b = call.device_input<float>("b"),
          scale = call.device_input<float>("scale"), shift = call.device_input<float>("shift"),
          mean = call.device_input<float>("mean"), variance = call.device_input<float>("variance"),
          epsilon = number(call, "epsilon"), folded_w = call.device_output<float>("folded_w"),
          folded_b = call.device_output<float>("folded_b"), m = whole(call, "m"),
          taps = whole(call, "taps"), stream = call.stream()] {
    check_cuda(
        function(w, b, scale, shift, mean, variance, epsilon, folded_w, folded_b, m, taps, stream),
        "batchnorm_fold");
  };
}

Launch dropout(const Call& call) {
  return [function = call.entry<decltype(dropout_forward)>("dropout_forward"),
          x = call.device_input<float>("x"), keep = device_bytes_of(call, "keep"),
          y = call.device_output<float>("y"), probability = number(call, "probability"),
          size = whole(call, "size"), stream = call.stream()] {
    check_cuda(function(x, keep.get(), y, probability, size, stream), "dropout_forward");
  };
}

Launch sgd(const Call& call) {
  return [function = call.entry<decltype(sgd_step)>("sgd_step"),
          gradient = call.device_input<float>("gradient"), w = call.device_output<float>("w"),
          velocity = call.device_output<float>("velocity"),
          before = std::vector<Transfer>{from_input(call, "w0", "w"),
                                         from_input(call, "velocity0", "velocity")},
          lr = number(call, "lr"), momentum = number(call, "momentum"),
          weight_decay = number(call, "weight_decay"), size = whole(call, "size"),
          stream = call.stream()] {
    copy(before, stream);
    check_cuda(function(w, gradient, velocity, lr, momentum, weight_decay, size, stream),
               "sgd_step");
  };
}

Launch adam(const Call& call) {
  return [function = call.entry<decltype(adam_step)>("adam_step"),
          gradient = call.device_input<float>("gradient"), w = call.device_output<float>("w"),
          m = call.device_output<float>("m"), v = call.device_output<float>("v"),
          before = std::vector<Transfer>{from_input(call, "w0", "w"), from_input(call, "m0", "m"),
                                         from_input(call, "v0", "v")},
          lr = number(call, "lr"), weight_decay = number(call, "weight_decay"),
          step = call.integer("step"), size = whole(call, "size"), stream = call.stream()] {
    copy(before, stream);
    check_cuda(function(w, gradient, m, v, lr, weight_decay, step, size, stream), "adam_step");
  };
}

Launch start(const Call& call) {
  return [function = call.entry<decltype(initialise)>("initialise"),
          w = call.device_output<float>("w"), size = whole(call, "size"),
          fan_in = whole(call, "fan_in"), fan_out = whole(call, "fan_out"),
          xavier = whole(call, "xavier"), seed = uint64_t(call.integer("seed")),
          numbers = uint64_t(call.integer("stream")), stream = call.stream()] {
    check_cuda(function(w, size, fan_in, fan_out, xavier, seed, numbers, stream), "initialise");
  };
}

Launch rates(const Call& call) {
  MnistSettings settings{};
  settings.epochs = whole(call, "epochs"), settings.schedule = whole(call, "schedule");
  settings.lr = number(call, "lr"), settings.step_epochs = whole(call, "step_epochs");
  settings.step_factor = number(call, "step_factor");
  return [function = call.entry<decltype(learning_rate)>("learning_rate"),
          rates = call.output<float>("rates"), settings] {
    for (int epoch = 0; epoch < settings.epochs; ++epoch) function(&settings, epoch, &rates[epoch]);
  };
}

// As in a training, a later epoch finds in the array the order of another one.
Launch order(const Call& call) {
  return [function = call.entry<decltype(epoch_order)>("epoch_order"),
          order = call.output<int32_t>("order"), seed = uint64_t(call.integer("seed")),
          epoch = whole(call, "epoch"), count = whole(call, "count")] {
    if (epoch > 0) function(seed, 0, count, order);
    function(seed, epoch, count, order);
  };
}

std::shared_ptr<Network> small_network(const Call& call, int batch) {
  return std::make_shared<Network>(call, text_of(kNetworks, call.integer("net")), batch,
                                   uint64_t(call.integer("seed")));
}

Launch forward(const Call& call) {
  const auto network = small_network(call, whole(call, "n"));
  return [function = call.entry<decltype(mnist_forward)>("mnist_forward"), network,
          before = network->parameters_from(call), x = call.device_input<float>("x"),
          logits = call.device_output<float>("logits"), n = whole(call, "n"),
          training = whole(call, "training"), step = call.integer("step"), stream = call.stream()] {
    copy(before, stream);
    check_cuda(function(network->get(), x, n, training, step, logits, stream), "mnist_forward");
  };
}

// What a network holds when it has just been made. The first one only tells which outputs there
// are: a stub that it reaches is not counted for this call.
Launch new_network(const Call& call) {
  const auto make = [&call, text = text_of(kNetworks, call.integer("net")),
                     seed = uint64_t(call.integer("seed"))] {
    return std::make_shared<Network>(call, text, 4, seed);
  };
  const auto network = make();
  return [make, network, outputs = network->parameters_to(call), stubs = Stubs(call),
          stream = call.stream()] {
    const auto another = make();
    if (stubs.any_reached()) return;  // nothing is written yet
    copy(another->instead(outputs), stream);
    check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  };
}

// A network has room for more images than it is given; the gradients are stored where the outputs'
// old content was, so that unwritten elements are noticed.
Launch gradients(const Call& call) {
  const auto network = small_network(call, whole(call, "n") + 3);
  return [forward = call.entry<decltype(mnist_forward)>("mnist_forward"),
          backward = call.entry<decltype(mnist_backward)>("mnist_backward"), network,
          before = network->parameters_from(call), x = call.device_input<float>("x"),
          dlogits = call.device_input<float>("dlogits"), dx = call.device_output<float>("dx"),
          logits = static_cast<float*>(
              call.device_scratch("logits", sizeof(float) * size_t(elements(call, "dlogits")))),
          poison = network->gradients_to(call, true), after = network->gradients_to(call, false),
          n = whole(call, "n"), step = call.integer("step"), stream = call.stream()] {
    copy(before, stream);
    copy(poison, stream);
    check_cuda(forward(network->get(), x, n, 1, step, logits, stream), "mnist_forward");
    check_cuda(backward(network->get(), x, dlogits, n, dx, stream), "mnist_backward");
    copy(after, stream);
  };
}

MnistSettings settings_of(const Call& call, int epochs) {
  MnistSettings settings{};
  settings.batch = whole(call, "batch"), settings.epochs = epochs;
  settings.lr = number(call, "lr"), settings.momentum = number(call, "momentum");
  settings.weight_decay = number(call, "weight_decay");
  settings.seed = uint64_t(call.integer("seed"));
  settings.optimizer = whole(call, "optimizer");
  settings.step_epochs = 1, settings.step_factor = 1;
  return settings;
}

// The answers go to pinned memory, and what counts is what lies there when the function returns.
Launch predict(const Call& call) {
  const auto network = std::make_shared<Network>(call, text_of(kNetworks, call.integer("net")),
                                                 whole(call, "batch"), 1);
  auto* const probabilities = call.output<float>("probabilities");
  const int64_t size = elements(call, "probabilities");
  return [function = call.entry<decltype(mnist_predict)>("mnist_predict"), network,
          before = network->parameters_from(call), images = bytes_of(call, "images"), probabilities,
          size, pinned = std::make_shared<Pinned>(probabilities, size),
          count = whole(call, "count"), stream = call.stream()] {
    copy(before, stream);
    check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    check_cuda(function(network->get(), images.data(), count, probabilities), "mnist_predict");
    const std::vector<float> answers(probabilities, probabilities + size);
    check_cuda(cudaDeviceSynchronize(), "mnist_predict");
    if (std::memcmp(answers.data(), probabilities, sizeof(float) * answers.size()) != 0) {
      throw CudaFailure(
          "returned while copies to `probabilities` were still under way: what came later is not "
          "there for the caller. Wait for the stream, with cudaStreamSynchronize(), before you "
          "return.");
    }
  };
}

// A new network is asked, trained for a step, gets the weights of the case, and is asked again;
// only the second answer counts.
Launch predict_again(const Call& call) {
  const auto network = small_network(call, whole(call, "batch"));
  return
      [train = call.entry<decltype(mnist_train)>("mnist_train"),
       predict = call.entry<decltype(mnist_predict)>("mnist_predict"), network,
       before = network->parameters_from(call), count = size_t(elements(call, "probabilities")),
       probabilities = call.output<float>("probabilities"), images = bytes_of(call, "images"),
       labels = bytes_of(call, "labels"), settings = settings_of(call, 1), stream = call.stream()] {
        const MnistData data{images.data(), labels.data(), int(labels.size())};
        const auto ask = [&](float* answers) {
          check_cuda(predict(network->get(), images.data(), data.count, answers), "mnist_predict");
        };
        std::vector<float> first_answers(count);
        ask(first_answers.data());
        int64_t done = 0;
        check_cuda(train(network->get(), &data, &settings, 0, 1, nullptr, nullptr, &done),
                   "mnist_train");
        if (done == 0) return;  // not written yet
        copy(before, stream);
        check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        note_call(
            "mnist_predict was called, then mnist_train, then the parameters of the network were "
            "changed, and mnist_predict was called once more.");
        ask(probabilities);
      };
}

// A network from its beginning to its end: made, trained for a step, asked and destroyed. An answer
// is good if it is a row of probabilities.
Launch lifetime(const Call& call) {
  return [&call, train = call.entry<decltype(mnist_train)>("mnist_train"),
          predict = call.entry<decltype(mnist_predict)>("mnist_predict"),
          images = bytes_of(call, "images"), labels = bytes_of(call, "labels"),
          settings = settings_of(call, 1), good = call.output<int32_t>("good"),
          count = whole(call, "count")] {
    const Network network(call, text_of(kNetworks, call.integer("net")), settings.batch, 1);
    const MnistData data{images.data(), labels.data(), count};
    int64_t done = 0;
    check_cuda(train(network.get(), &data, &settings, 0, 1, nullptr, nullptr, &done),
               "mnist_train");
    std::vector<float> answers(size_t(count) * 4, std::numeric_limits<float>::quiet_NaN());
    check_cuda(predict(network.get(), images.data(), count, answers.data()), "mnist_predict");
    if (done == 0 || std::isnan(answers[0])) return;  // not written yet
    for (int i = 0; i < count; ++i) {
      float sum = 0;
      for (int k = 0; k < 4; ++k) sum += answers[size_t(4 * i + k)];
      good[i] = std::abs(sum - 1) < 1e-3f;
    }
  };
}

// The steps are done in two calls, as if the training had been stopped in between. With a schedule
// the learning rate halves from epoch to epoch.
Launch steps(const Call& call) {
  const auto network =
      std::make_shared<Network>(call, text_of(kNetworks, call.integer("net")), whole(call, "batch"),
                                uint64_t(call.integer("seed")));
  MnistSettings settings = settings_of(call, 100);
  settings.schedule = whole(call, "schedule"), settings.step_factor = 0.5f;
  return [function = call.entry<decltype(mnist_train)>("mnist_train"), network, settings,
          before = network->parameters_from(call), after = network->parameters_to(call),
          images = bytes_of(call, "images"), labels = bytes_of(call, "labels"),
          first = call.integer("first"), steps = call.integer("steps"), stream = call.stream()] {
    copy(before, stream);
    check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    const MnistData data{images.data(), labels.data(), int(labels.size())};
    int64_t done = 0, more = 0;
    const int64_t half = (steps + 1) / 2;
    check_cuda(function(network->get(), &data, &settings, first, half, nullptr, nullptr, &done),
               "mnist_train");
    if (done == 0) return;  // not written yet: the outputs stay as they are
    check_cuda(function(network->get(), &data, &settings, first + half, steps - half, nullptr,
                        nullptr, &more),
               "mnist_train");
    copy(after, stream);
  };
}

// Sum of losses over images.
int note_loss(void* user, const MnistProgress* progress) {
  *static_cast<double*>(user) += double(progress->loss) * progress->images;
  return 0;
}

// A whole training, and what the network says about images it has not seen. It stops after each
// part of an epoch and shows the network, so that the grader can train such a part again.
Launch train(const Call& call) {
  return [network = std::make_shared<Network>(call, text_of(kModels, call.integer("model")),
                                              whole(call, "batch"), uint64_t(call.integer("seed"))),
          function = call.entry<decltype(mnist_train)>("mnist_train"),
          predict = call.entry<decltype(mnist_predict)>("mnist_predict"),
          images = call.input<uint8_t>("images"), labels = call.input<uint8_t>("labels"),
          queries = call.input<uint8_t>("queries"), answers = call.output<int32_t>("answers"),
          losses = call.output<float>("losses"), part_losses = call.output<float>("part_losses"),
          states = call.output<float>("states"), size = int(call.dims("states")[1]),
          parts = int(elements(call, "part_losses")), count = int(elements(call, "labels")),
          asked = int(elements(call, "answers")), epochs = whole(call, "epochs"),
          schedule = whole(call, "schedule"), settings = settings_of(call, whole(call, "epochs"))] {
    MnistSettings all = settings;
    all.schedule = schedule;
    const MnistData data{images, labels, count};
    const int in_epoch = (count + all.batch - 1) / all.batch, pieces = parts / epochs;
    network->values_to(states, size);
    double in_epoch_sum = 0;
    for (int part = 0; part < parts; ++part) {
      const int64_t before = int64_t(part / pieces) * in_epoch;
      const int piece = part % pieces;
      const int from = piece * in_epoch / pieces, to = (piece + 1) * in_epoch / pieces;
      double sum = 0;
      int64_t done = 0;
      check_cuda(
          function(network->get(), &data, &all, before + from, to - from, note_loss, &sum, &done),
          "mnist_train");
      if (done == 0) return;
      in_epoch_sum = piece == 0 ? sum : in_epoch_sum + sum;
      part_losses[part] = float(sum / (std::min(to * all.batch, count) - from * all.batch));
      network->values_to(states + int64_t(part + 1) * size, size);
      // A loss that is not a number ends a training: let the grader see where.
      if (piece + 1 == pieces || !std::isfinite(sum)) {
        losses[part / pieces] = float(in_epoch_sum / count);
      }
      if (done < to - from) return;
    }
    std::vector<float> probabilities(size_t(asked) * 10);
    check_cuda(predict(network->get(), queries, asked, probabilities.data()), "mnist_predict");
    for (int i = 0; i < asked; ++i) {
      const float* row = &probabilities[size_t(i) * 10];
      answers[i] = int32_t(std::max_element(row, row + 10) - row);
    }
  };
}

// Forward and backward of a batch, as in every step of a training: the gradient of the first
// filters needs everything else. All parameters and dlogits are inputs, so that one network serves
// all calls of a timing, up to a thousand of which are prepared at once.
Launch training_step(const Call& call) {
  static std::weak_ptr<Network> of_this_case;
  const int n = whole(call, "n");
  auto network = of_this_case.lock();
  if (!network) {
    network = std::make_shared<Network>(call, text_of(kModels, call.integer("model")), n, 1);
    of_this_case = network;
  }
  return [forward = call.entry<decltype(mnist_forward)>("mnist_forward"),
          backward = call.entry<decltype(mnist_backward)>("mnist_backward"), network,
          before = network->parameters_from(call), x = call.device_input<float>("x"),
          dlogits = call.device_input<float>("dlogits"),
          logits = static_cast<float*>(
              call.device_scratch("logits", sizeof(float) * size_t(elements(call, "dlogits")))),
          after = network->gradients_to(call, false, "conv1.weight"), n, stream = call.stream()] {
    copy(before, stream);
    check_cuda(forward(network->get(), x, n, 1, 0, logits, stream), "mnist_forward");
    check_cuda(backward(network->get(), x, dlogits, n, nullptr, stream), "mnist_backward");
    copy(after, stream);
  };
}

constexpr Op kOps[] = {
    {"dense_forward", dense},
    {"softmax_forward", softmax},
    {"softmax_cross_entropy", cross_entropy},
    {"batchnorm_forward", batchnorm},
    {"batchnorm_backward", batchnorm_gradients},
    {"batchnorm_fold", fold},
    {"dropout_forward", dropout},
    {"sgd_step", sgd},
    {"adam_step", adam},
    {"initialise", start},
    {"learning_rate", rates},
    {"epoch_order", order},
    {"network_start", new_network},
    {"network_forward", forward},
    {"network_gradients", gradients},
    {"network_predict", predict},
    {"network_predict_again", predict_again},
    {"network_lifetime", lifetime, true},
    {"train_steps", steps},
    {"train", train},
    {"training_step", training_step},
};

}  // namespace

std::span<const Op> stage_ops() {
  return kOps;
}

}  // namespace convkit::harness
