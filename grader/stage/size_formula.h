// SPDX-License-Identifier: MIT
// A size that depends on parameters, as stage.toml writes it: "c*kh*kw + 1".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stage/shapes.h"

namespace convkit {

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
