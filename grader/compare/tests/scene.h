// SPDX-License-Identifier: MIT
// A failed output made by hand: a reference with distinct values, and a copy to spoil.
#pragma once

#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "compare/diagnose.h"
#include "convkit/sentinel.h"

namespace convkit {

struct Scene {
  std::string op = "some_op";
  std::string name = "y";
  std::vector<int64_t> dims;
  std::map<std::string, double> params;
  std::vector<float> got;
  std::vector<double> reference;
  std::vector<double> magnitude;
  std::vector<float> bias;  // becomes input "b" unless empty
  Tolerance tolerance{10};

  // Values between 1 and 2 with either sign, magnitude 4.
  explicit Scene(std::vector<int64_t> dims_of_y) : dims(std::move(dims_of_y)) {
    const auto elements =
        size_t(std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>()));
    std::mt19937 random(7);
    for (size_t i = 0; i < elements; ++i) {
      const float sign = random() % 2 == 0 ? 1.0f : -1.0f;
      got.push_back(sign * (1 + float(random() >> 9) * 0x1p-23f));
    }
    reference.assign(got.begin(), got.end());
    magnitude.assign(elements, 4);
  }

  size_t at(int64_t a, int64_t b, int64_t c, int64_t d) const {
    return size_t(((a * dims[1] + b) * dims[2] + c) * dims[3] + d);
  }

  void set_bits(size_t index, uint32_t bits) { std::memcpy(&got[index], &bits, sizeof bits); }
  void unwrite(size_t index) { set_bits(index, kSentinelBits); }

  // Applies `change(n, c, h, w)` to the elements of a 4-D output for which it says so.
  template <class Where>
  void spoil(Where where) {
    for (int64_t a = 0; a < dims[0]; ++a) {
      for (int64_t b = 0; b < dims[1]; ++b) {
        for (int64_t c = 0; c < dims[2]; ++c) {
          for (int64_t d = 0; d < dims[3]; ++d) {
            if (where(a, b, c, d))
              got[at(a, b, c, d)] += 0.37f + 0.01f * float(at(a, b, c, d) % 13);
          }
        }
      }
    }
  }

  // Refers to this scene, which must outlive it.
  Evidence evidence() const {
    Evidence result;
    result.op = op;
    result.params = params;
    if (!bias.empty()) result.inputs.push_back({"b", {int64_t(bias.size())}, bias, {}, {}});
    result.got = {name, dims, got, {}, {}};
    result.reference = {name, dims, {}, reference, {}};
    result.magnitude = magnitude;
    result.tolerance = tolerance;
    result.comparison = compare(got, reference, magnitude, tolerance);
    return result;
  }

  Diagnosis diagnosis() const { return diagnose(evidence()); }
};

}  // namespace convkit
