// SPDX-License-Identifier: MIT
// How a camera was held: the orientation in a JPEG's EXIF block.
// Source: CIPA DC-008 (Exif 2.32), 4.5.4 and 4.6.4, tag 274.
#pragma once

#include <cstddef>
#include <span>

#include "model/image_file.h"

namespace convkit {

// 1 (upright) to 8; 1 where there is none, or nothing that makes sense.
int exif_orientation(std::span<const std::byte> file);

// The image in the orientation in which it should be seen.
GreyImage turned(GreyImage image, int orientation);

}  // namespace convkit
