// SPDX-License-Identifier: MIT
// The functions of a submission, and one network of it.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "convkit/architecture.h"
#include "mnist_cnn.h"

namespace convkit::train {

struct Submission {
  // Throws UsageError naming the file or the missing function.
  explicit Submission(const std::filesystem::path& library);

  decltype(mnist_create)* create;
  decltype(mnist_destroy)* destroy;
  decltype(mnist_problem)* problem;
  decltype(mnist_layers)* layers;
  decltype(mnist_parameters)* parameters;
  decltype(mnist_train)* train;
  decltype(mnist_predict)* predict;
};

class Network {
 public:
  // Throws UsageError with the submission's own sentence.
  Network(const Submission& submission, const std::string& text, int batch, int64_t seed,
          const std::string& backend);
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  MnistNetwork* get() const { return network_; }
  const Submission& submission() const { return submission_; }
  const std::string& text() const { return text_; }
  std::vector<MnistParameter> parameters() const;
  std::vector<MnistLayer> layers() const;
  // [count][classes]. Throws std::runtime_error.
  std::vector<float> predict(const uint8_t* images, int count) const;
  int classes() const { return layers().back().shape[0]; }
  int64_t input_pixels() const { return parse_architecture(text_).input.size(); }

 private:
  const Submission& submission_;
  std::string text_;
  MnistNetwork* network_ = nullptr;
};

// Between host and device, whole arrays. Throw std::runtime_error.
std::vector<float> from_device(const float* d_values, int64_t count);
void to_device(float* d_values, std::span<const float> values);

}  // namespace convkit::train
