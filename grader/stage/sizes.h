// SPDX-License-Identifier: MIT
// Sizes, as the files of a stage state them: parameters of an operation, shapes of its tensors.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace convkit {

// Parameters of a case by name: n, c, h, w, ..., slope. Integers are exact in a double (sizes are
// below 2^53).
struct Param {
  double value = 0;
  bool integer = true;
};
using Params = std::map<std::string, Param>;

// "n 2, c 3, h 8, w 8, m 4, kernel 3 x 3, stride 2, padding 1": without what is as it is mostly, a
// stride, dilation or number of groups of 1 and a padding or flag of 0.
std::string size_words(const Params& params);

struct TensorShape {
  std::string name;
  std::vector<int64_t> dims;
  int64_t elements() const {
    int64_t product = 1;
    for (int64_t dim : dims) product *= dim;
    return product;
  }
};

// A size that depends on parameters, as stage.toml writes it: "c*kh*kw + 1".
// A sum of products of whole numbers and names.
class SizeFormula {
 public:
  // Nothing where the text is none.
  static std::optional<SizeFormula> parse(const std::string& text);

  const std::string& text() const { return text_; }
  std::vector<std::string> names() const;
  // Throws KitError naming a parameter that there is not.
  int64_t value(const Params& params) const;

 private:
  struct Factor {
    std::string name;  // or, where it is empty,
    int64_t number = 1;
  };
  std::string text_;
  std::vector<std::vector<Factor>> sum_;
};

}  // namespace convkit
