// SPDX-License-Identifier: MIT
// What a grading draws follows from a nonce, which nobody knows before the submission was read. The
// result keeps it, so that the grading can be repeated.
#pragma once

#include <string>

namespace convkit {

struct Nonce {
  std::string digits;  // 64, hexadecimal, of 256 bits
  std::string sha256;  // of the only submission that it is for, or ""
};

// From the kernel's generator. Throws KitError where it gives nothing.
Nonce draw_nonce();
// 64 hexadecimal digits, or the file of a result, whose submission it is then for. Throws
// UsageError for anything else.
Nonce nonce_of(const std::string& digits_or_file);

}  // namespace convkit
