// SPDX-License-Identifier: MIT
// From a picture of a digit, such as a photo of one on paper, to 28x28 pixels as MNIST has them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/image_file.h"

namespace convkit {

struct FoundDigit {
  std::vector<uint8_t> image;  // [28][28], 0 the background, 255 ink
  std::string note;            // worth telling, or ""
};

// An image of 28x28 pixels is taken as it is, inverted where its paper is bright. Any other one is
// prepared: uneven light divided out, ink told from paper, the largest stroke and what belongs to
// it cut out, scaled to fit 20x20 with its proportions and put with its centre of mass in the
// middle. That is how MNIST was made: Y. LeCun, L. Bottou, Y. Bengio, P. Haffner, "Gradient-Based
// Learning Applied to Document Recognition", Proc. IEEE 86(11), 1998, section III.A. `name` stands
// for the file in messages. Throws FormatError where no stroke stands out.
FoundDigit find_digit(const GreyImage& image, const std::string& name);

}  // namespace convkit
