// SPDX-License-Identifier: MIT
#include "options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace convkit::train {

std::optional<Options> parse_options(int argc, char** argv) {
  Options o;
  CLI::App app("Trains a network with the functions of a submission of stage 07.");
  app.add_option("--submission", o.submission, "shared library built from the submission")
      ->required();
  app.add_option("--images", o.images, "training images, IDX")->required();
  app.add_option("--labels", o.labels, "their labels, IDX")->required();
  app.add_option("--test-images", o.test_images, "images for the accuracy, IDX")->required();
  app.add_option("--test-labels", o.test_labels, "their labels, IDX")->required();
  app.add_option("--data-name", o.data_name, "what to call the data");
  app.add_option("--out", o.out, "folder for checkpoint and pictures");
  app.add_option("--model", o.model, "mlp, lenet, cnn, or a file with a network's text");
  app.add_option("--epochs", o.epochs)->check(CLI::Range(1, 10000));
  app.add_option("--batch", o.batch)->check(CLI::Range(1, 65536));
  app.add_option("--lr", o.lr, "learning rate")->check(CLI::Range(0.0, 1e6));
  app.add_option("--momentum", o.momentum)->check(CLI::Range(0.0, 1.0));
  app.add_option("--weight-decay", o.weight_decay)->check(CLI::Range(0.0, 1.0));
  app.add_option("--optimizer", o.optimizer)->check(CLI::IsMember({"sgd", "adam"}));
  app.add_option("--schedule", o.schedule)->check(CLI::IsMember({"constant", "step", "cosine"}));
  app.add_option("--backend", o.backend)->check(CLI::IsMember({"own", "libraries"}));
  app.add_option("--seed", o.seed)->check(CLI::Range(int64_t{0}, int64_t{0x7fffffff}));
  app.add_option("--limit", o.limit, "use the first so many training images only")
      ->check(CLI::Range(int64_t{0}, int64_t{1} << 31));
  app.add_option("--resume", o.resume, "go on with this checkpoint");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() > 0) o.given.insert(option->get_single_name());
  }
  return o;
}

}  // namespace convkit::train
