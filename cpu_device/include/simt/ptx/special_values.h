// SPDX-License-Identifier: MIT
// The special registers of PTX (PTX ISA, "Special Registers").
#pragma once

#include "simt/builtin_variables.h"
#include "simt/clocks.h"
#include "simt/device_side.h"
#include "simt/ptx/opcodes.h"
#include "simt/qualifiers.h"

namespace convkit::simt::ptx {

constexpr bool is_special(int index, std::string_view name) {
  return kSpecialNames[index] == name;
}

static __forceinline__ unsigned threads_of_block() {
  return blockDim.x * blockDim.y * blockDim.z;
}
static __forceinline__ unsigned number_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// The axis of "tid.x" and the like.
template <int index, class Triple>
static __forceinline__ unsigned coordinate(const Triple& triple) {
  constexpr char axis = kSpecialNames[index].back();
  return axis == 'x' ? triple.x : axis == 'y' ? triple.y : triple.z;
}

template <int index>
static __forceinline__ unsigned lanemask() {
  const unsigned own = 1u << convkit_simt_lane();
  if constexpr (is_special(index, "lanemask_lt")) return own - 1;
  if constexpr (is_special(index, "lanemask_le")) return own | (own - 1);
  if constexpr (is_special(index, "lanemask_gt")) return ~(own | (own - 1));
  if constexpr (is_special(index, "lanemask_ge")) return ~(own - 1);
  return own;
}

template <int index>
static __forceinline__ unsigned long long clock_value() {
  timespec now;
  if constexpr (kSpecialNames[index].substr(0, 5) == "clock") {
    if constexpr (is_special(index, "clock")) return static_cast<unsigned>(monotonic_ns());
    if constexpr (is_special(index, "clock_hi")) return monotonic_ns() >> 32;
    return monotonic_ns();
  }
  clock_gettime(CLOCK_REALTIME, &now);
  const unsigned long long ns = static_cast<unsigned long long>(now.tv_sec) * 1000000000ull +
                                static_cast<unsigned long long>(now.tv_nsec);
  if constexpr (is_special(index, "globaltimer_lo")) return static_cast<unsigned>(ns);
  if constexpr (is_special(index, "globaltimer_hi")) return ns >> 32;
  return ns;
}

template <int index>
static __forceinline__ unsigned long long special_value() {
  constexpr std::string_view name = kSpecialNames[index];
  constexpr std::string_view first = name.substr(0, name.find('.'));
  if constexpr (first == "tid") return coordinate<index>(threadIdx);
  if constexpr (first == "ntid") return coordinate<index>(blockDim);
  if constexpr (first == "ctaid") return coordinate<index>(blockIdx);
  if constexpr (first == "nctaid") return coordinate<index>(gridDim);
  if constexpr (name == "laneid") return convkit_simt_lane();
  if constexpr (name == "warpid") return number_in_block() / 32;
  if constexpr (name == "nwarpid") return 2048 / 32;
  if constexpr (name == "smid") return convkit_simt_multiprocessor();
  if constexpr (name == "nsmid") return convkit_simt_multiprocessors();
  if constexpr (name == "dynamic_smem_size") return convkit_simt_dynamic_bytes();
  if constexpr (name == "WARP_SZ") return 32;
  if constexpr (name.substr(0, 8) == "lanemask") return lanemask<index>();
  if constexpr (name.substr(0, 5) == "clock" || name.substr(0, 11) == "globaltimer") {
    return clock_value<index>();
  }
  return 0;
}

}  // namespace convkit::simt::ptx
