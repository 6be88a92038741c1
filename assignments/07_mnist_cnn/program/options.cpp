// SPDX-License-Identifier: MIT
#include "options.h"

#include <cstdio>

#include "command_line/command_line.h"

namespace convkit::train {

std::optional<Options> parse_options(int argc, char** argv) {
  Options o;
  CommandLine line("", "Trains a network with the functions of a submission of stage 07.");
  const convkit::Options options = line.options();
  options.value("--submission", o.submission, "shared library built from the submission")
      .required();
  options.value("--images", o.images, "training images, IDX").required();
  options.value("--labels", o.labels, "their labels, IDX").required();
  options.value("--test-images", o.test_images, "images for the accuracy, IDX").required();
  options.value("--test-labels", o.test_labels, "their labels, IDX").required();
  options.value("--data-name", o.data_name, "what to call the data");
  options.value("--out", o.out, "folder for checkpoint and pictures");
  options.value("--model", o.model, "mlp, lenet, cnn, or a file with a network's text");
  options.value("--epochs", o.epochs).between(1, 10000);
  options.value("--batch", o.batch).between(1, 65536);
  options.value("--lr", o.lr, "learning rate").between(0.0, 1e6);
  options.value("--momentum", o.momentum).between(0.0, 1.0);
  options.value("--weight-decay", o.weight_decay).between(0.0, 1.0);
  options.value("--optimizer", o.optimizer).one_of({"sgd", "adam"});
  options.value("--schedule", o.schedule).one_of({"constant", "step", "cosine"});
  options.value("--backend", o.backend).one_of({"own", "libraries"});
  options.value("--seed", o.seed).between(int64_t{0}, int64_t{0x7fffffff});
  options.value("--limit", o.limit, "use the first so many training images only")
      .between(int64_t{0}, int64_t{1} << 31);
  options.value("--patience", o.patience, "say what is quicker where it takes more seconds")
      .between(0.0, 1e9);
  options.value("--resume", o.resume, "go on with this checkpoint");
  if (const auto help = line.parse(argc, argv)) {
    std::fputs(help->c_str(), stdout);
    return std::nullopt;
  }
  o.given = line.given();
  return o;
}

}  // namespace convkit::train
