// SPDX-License-Identifier: MIT
// The settings of the CPU device from the environment.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convkit::simt {

// Each byte of unwritten memory of a kernel has this value, unless the settings say another: it is
// not zero, and floats are NaN.
inline constexpr unsigned char kPoison = 0xff;

struct Settings {
  unsigned cores;        // that the process may use
  unsigned threads;      // CONVKIT_SIMT_THREADS: OS threads that run blocks; default: usable cores
  uint64_t seed;         // CONVKIT_SIMT_SEED: shuffles blocks and threads; 0: in order
  double timeout_s;      // CONVKIT_SIMT_TIMEOUT: seconds a kernel may run; default 60
  size_t memory_bytes;   // CONVKIT_SIMT_MEMORY_MIB: device memory; default: half of what there is
  unsigned char poison;  // CONVKIT_SIMT_POISON: each byte of fresh shared memory; default: kPoison
  // CONVKIT_SIMT_GLOBAL_POISON: of fresh global memory; default: 0, in check mode kPoison
  unsigned char global_poison;
  unsigned devices;     // CONVKIT_SIMT_DEVICES: how many devices there seem to be; default 1
  bool count_accesses;  // CONVKIT_SIMT_COUNT=1: check mode counts loads and stores
};

// Read once. A value that is not a number in its range ends the program with one sentence.
const Settings& settings();

}  // namespace convkit::simt
