// SPDX-License-Identifier: MIT
// Which part of a shared array the block has not written, for the report of a read from it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cpu_device/check/places.h"

namespace convkit::simt::check {

// "Of its 340 elements, 272 to 339 were written by no thread."; "" where all are written.
std::string gaps_text(const std::vector<bool>& written);

// Of the array, as far as the running block has come; "" where that is not known, or says nothing.
std::string unwritten_part(const Place& array, size_t element_bytes);

}  // namespace convkit::simt::check
