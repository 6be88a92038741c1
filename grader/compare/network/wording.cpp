// SPDX-License-Identifier: MIT
#include "compare/network/wording.h"

#include <fmt/format.h>

#include <cctype>

namespace convkit {

std::string kind_name(OpKind kind) {
  switch (kind) {
    case OpKind::pixels:
      return "pixels";
    case OpKind::gather:
      return "batch";
    case OpKind::convolution:
      return "convolution";
    case OpKind::pool_max:
      return "max pooling";
    case OpKind::pool_average:
      return "average pooling";
    case OpKind::relu:
      return "ReLU";
    case OpKind::dense:
      return "dense layer";
    case OpKind::normalise:
      return "batch normalisation";
    case OpKind::normalise_by_running:
      return "batch normalisation by running means";
    case OpKind::dropout:
      return "dropout";
    case OpKind::softmax:
      return "softmax";
    case OpKind::reordered:
      return "flatten";
    case OpKind::cross_entropy:
      return "gradient of the loss";
    case OpKind::convolution_dx:
      return "dx of a convolution";
    case OpKind::convolution_dw:
      return "dw of a convolution";
    case OpKind::channel_sums:
      return "db of a convolution";
    case OpKind::pool_max_back:
      return "max pooling backwards";
    case OpKind::pool_average_back:
      return "average pooling backwards";
    case OpKind::relu_back:
      return "ReLU backwards";
    case OpKind::dense_dx:
      return "dx of a dense layer";
    case OpKind::dense_dw:
      return "dw of a dense layer";
    case OpKind::dense_db:
      return "db of a dense layer";
    case OpKind::normalise_back:
      return "batch normalisation backwards";
    case OpKind::sgd:
      return "SGD";
    case OpKind::adam:
      return "Adam";
    case OpKind::scaled:
      return "factor";
    case OpKind::sum:
      return "sum";
  }
  return "";
}

std::string every_of(OpKind kind) {
  switch (kind) {
    case OpKind::sgd:
    case OpKind::adam:
      return "all parameters";
    case OpKind::convolution:
    case OpKind::convolution_dx:
    case OpKind::convolution_dw:
    case OpKind::channel_sums:
      return "every convolution";
    case OpKind::dense:
    case OpKind::dense_dx:
    case OpKind::dense_dw:
    case OpKind::dense_db:
      return "every dense layer";
    case OpKind::pool_max_back:
      return "every max pooling";
    case OpKind::pool_average_back:
      return "every average pooling";
    case OpKind::relu_back:
      return "every ReLU";
    case OpKind::normalise_back:
      return "every batch normalisation";
    default:
      return "every " + kind_name(kind);
  }
}

std::string capital(std::string text) {
  if (!text.empty() && std::islower(static_cast<unsigned char>(text[0]))) {
    const size_t end = text.find_first_of(" 0123456789");
    const bool is_name = end != std::string::npos && text[end] != ' ';  // conv1
    if (!is_name) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  }
  return text;
}

std::string where_in(const NetworkOp& op, const std::string& place) {
  switch (op.kind) {
    case OpKind::pixels:
      return "Where bytes of an image become numbers";
    case OpKind::cross_entropy:
      return "In the gradient of the loss";
    case OpKind::convolution_dw:
    case OpKind::dense_dw:
      return fmt::format("In the gradient of the weights of {}", place);
    case OpKind::channel_sums:
    case OpKind::dense_db:
      return fmt::format("In the gradient of the bias of {}", place);
    case OpKind::convolution_dx:
    case OpKind::dense_dx:
    case OpKind::pool_max_back:
    case OpKind::pool_average_back:
    case OpKind::relu_back:
    case OpKind::normalise_back:
      return fmt::format("On the way back through {}", place);
    case OpKind::sgd:
    case OpKind::adam:
      return fmt::format("In the optimizer's step of {}", place);
    default:
      return fmt::format("In {}", place);
  }
}

std::string left_out_sentence(const NetworkOp& op, const std::string& place) {
  switch (op.kind) {
    case OpKind::relu:
      return fmt::format("{} is left out: negative numbers go on as they are, and should be 0.",
                         capital(place));
    case OpKind::relu_back:
      return fmt::format(
          "On the way back through {}, the gradient passes everywhere, also where the output was "
          "0; there it should be 0.",
          place);
    case OpKind::normalise_back:
      return fmt::format("On the way back, {} is left out: its dx is its dy.", place);
    case OpKind::softmax:
      return "The softmax is left out: the output is what goes into it.";
    case OpKind::pixels:
      return "The bytes of the images are used as they are: (byte / 255 - 0.1307) / 0.3081 belongs "
             "there.";
    default:
      return fmt::format("{} is left out.", capital(place));
  }
}

}  // namespace convkit
