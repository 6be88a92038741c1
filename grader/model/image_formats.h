// SPDX-License-Identifier: MIT
// The formats that the image library does not handle: PGM and PPM; and a check of a JPEG's segments
// before the library reads them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "model/image_file.h"

namespace convkit {

// Binary PGM (P5) or PPM (P6) with 8 or 16 bits. Nothing where it is damaged or cut short.
std::optional<GreyImage> parse_pnm(std::span<const std::byte> memory);

// How many bytes a JPEG has up to the end of its image: what follows, such as a film, is not for
// the library. Nothing where segments do not follow each other, the end is missing, or a table of
// Huffman codes has more than the 256 there can be, which older versions of the library write
// beyond its array.
std::optional<size_t> jpeg_length(std::span<const std::byte> memory);

}  // namespace convkit
