// SPDX-License-Identifier: MIT
// What check mode remembers of an access, in 64 bits.
//
//    63   several warps read it since the last barrier (so the largest stamps are the ones that
//         make a further read uninteresting: one comparison)
// 37-62   event: time is counted in barriers, warp functions, fences and beginnings of blocks
//    36   the access was atomic
// 26-35   the thread's number in its block: warp, then lane
//    25   several lanes of this warp did
//    24   other blocks of this launch did so before
//  0-23   the lower bits of the return address into the program
#pragma once

#include <cstdint>

namespace convkit::simt::check {

using Stamp = uint64_t;

inline constexpr Stamp kPcMask = (Stamp{1} << 24) - 1;
inline constexpr Stamp kOtherBlocks = Stamp{1} << 24;
inline constexpr Stamp kSeveralLanes = Stamp{1} << 25;
inline constexpr unsigned kThreadShift = 26;
inline constexpr Stamp kThreadMask = Stamp{1023} << kThreadShift;
inline constexpr Stamp kWarpMask = Stamp{31} << 31;
inline constexpr Stamp kAtomic = Stamp{1} << 36;
inline constexpr unsigned kEventShift = 37;
inline constexpr uint32_t kMostEvents = (1u << 26) - 1;
inline constexpr Stamp kEventMask = Stamp{kMostEvents} << kEventShift;
inline constexpr Stamp kSeveralWarps = Stamp{1} << 63;

constexpr Stamp event_stamp(uint32_t event) {
  return Stamp{event} << kEventShift;
}
constexpr uint32_t event_of(Stamp stamp) {
  return static_cast<uint32_t>((stamp & kEventMask) >> kEventShift);
}
constexpr unsigned thread_of(Stamp stamp) {
  return static_cast<unsigned>(stamp >> kThreadShift) & 1023;
}

// The known accesses of four bytes: the last write and the reads since.
struct Cell {
  Stamp write;
  Stamp read;
};

// Writes that no kernel made, or one that is forgotten.
inline constexpr Stamp kUnknown = 0;                 // not looked up yet
inline constexpr Stamp kUnwritten = event_stamp(1);  // allocated; nobody wrote it
inline constexpr Stamp kWritten = event_stamp(2);    // written before any launch that still counts
inline constexpr Stamp kWrittenByKernel = event_stamp(3);  // the same, but by a kernel
inline constexpr uint32_t kFirstEvent = 4;

// Whether a kernel made this write, however long ago.
constexpr bool is_of_kernel(Stamp write) {
  return event_of(write) >= event_of(kWrittenByKernel);
}

// Four bytes that are accessed one by one have four cells elsewhere; `write` then holds their
// place.
constexpr bool is_split(Stamp write) {
  return (write & (kSeveralWarps | kEventMask)) == kSeveralWarps;
}
constexpr Stamp split_at(uint32_t index) {
  return kSeveralWarps | index;
}
constexpr uint32_t split_index(Stamp write) {
  return static_cast<uint32_t>(write);
}

}  // namespace convkit::simt::check
