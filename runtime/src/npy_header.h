// SPDX-License-Identifier: MIT
// The text at the head of a .npy file, and the elements after it.
#pragma once

#include "byte_stream.h"
#include "convkit/npy.h"

namespace convkit {

// Reads the header, leaving `stream` at the first element. The whole file is `file_bytes` long and
// must end with the last element. Throws FormatError beginning with `subject`.
NpyHeader read_npy_header(ByteStream& stream, uint64_t file_bytes, const std::string& subject);

// Everything before the elements, as NumPy writes it (format version 1, 64-byte aligned).
std::string make_npy_header(DType dtype, std::span<const int64_t> dims);

// Fills `into` and makes sure that the stream ends there. Throws FormatError beginning with
// `subject`.
void read_elements(ByteStream& stream, std::span<std::byte> into, const std::string& subject);

// Throws FormatError if `bytes` is more than `limit`.
void require_within(uint64_t bytes, uint64_t limit, const std::string& subject);

}  // namespace convkit
