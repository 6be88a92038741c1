// SPDX-License-Identifier: MIT
// Numbers of the zip format (PKWARE APPNOTE.TXT 6.3): signatures, field offsets, flags.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convkit::zip {

inline constexpr uint32_t kLocalSignature = 0x04034b50;
inline constexpr uint32_t kCentralSignature = 0x02014b50;
inline constexpr uint32_t kEndSignature = 0x06054b50;
inline constexpr uint32_t kEnd64Signature = 0x06064b50;
inline constexpr uint32_t kEnd64LocatorSignature = 0x07064b50;

// Sizes of the records without their variable parts.
inline constexpr size_t kLocalBytes = 30;
inline constexpr size_t kCentralBytes = 46;
inline constexpr size_t kEndBytes = 22;
inline constexpr size_t kEnd64Bytes = 56;
inline constexpr size_t kEnd64LocatorBytes = 20;

inline constexpr uint16_t kStored = 0;
inline constexpr uint16_t kDeflated = 8;

inline constexpr uint16_t kEncryptedFlags = 1u << 0 | 1u << 6 | 1u << 13;
inline constexpr uint16_t kPatchFlag = 1u << 5;
inline constexpr uint16_t kSizesFollowFlag = 1u << 3;  // the local header does not know the sizes

// A field with this value is found in the zip64 extra field instead.
inline constexpr uint32_t kIn64 = 0xffffffff;
inline constexpr uint16_t kIn64Short = 0xffff;
inline constexpr uint16_t kZip64Extra = 0x0001;

}  // namespace convkit::zip
