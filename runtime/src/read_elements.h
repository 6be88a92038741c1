// SPDX-License-Identifier: MIT
// The elements of an array, after its header.
#pragma once

#include "byte_stream.h"

namespace convkit {

// Fills `into` and makes sure that the stream ends there. Throws FormatError beginning with
// `subject`.
void read_elements(ByteStream& stream, std::span<std::byte> into, const std::string& subject);

// Throws FormatError if `bytes` is more than `limit`.
void require_within(uint64_t bytes, uint64_t limit, const std::string& subject);

}  // namespace convkit
