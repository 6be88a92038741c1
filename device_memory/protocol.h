// SPDX-License-Identifier: MIT
// The device memory of a timing belongs to a process of its own, which no submission runs in. It
// shares a region of it with each contestant's runner, and the grader tells it when inputs appear
// there and what to keep of the outputs.
//
// A region holds one slot for each call of a request: the call's inputs, then its output. All
// tensors are float32, and offsets and sizes are counted in elements.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convkit::device_memory {

inline constexpr int kSocketFd = 3;    // SOCK_SEQPACKET: a Request, a Reply
inline constexpr int kExchangeFd = 4;  // a file that both sides map: Exchange

struct Layout {
  uint64_t inputs = 0;  // all inputs of one call, from the slot's beginning
  uint64_t output_at = 0;
  uint64_t output = 0;
  uint64_t slot = 0;  // from one slot to the next
};

// Elements of each call's output that are kept: as many drawn ones, or all where there are fewer.
inline constexpr uint64_t kSampled = 1024;
inline uint64_t sampled_of(const Layout& layout) {
  return layout.output < kSampled ? layout.output : kSampled;
}

// The file: magnitudes and inputs as they lie in a slot, the samples of one call after the other,
// and one call's whole output.
struct Exchange {
  static uint64_t magnitudes(const Layout&) { return 0; }
  static uint64_t inputs(const Layout& l) { return l.inputs; }
  static uint64_t output(const Layout& l) { return inputs(l) + l.inputs; }
  static uint64_t samples(const Layout& l) { return output(l) + l.output; }
  static uint64_t end(const Layout& l, uint64_t slots) {
    return samples(l) + slots * sampled_of(l);
  }
};

// Calls count from 0. All verbs wait until the device has done them.
enum class Verb : uint32_t {
  create = 1,  // Request::regions with at most Request::calls slots each; the reply has their
               // number and the size of a region, and a message with a descriptor for each region
               // follows
  poison,      // the outputs of so many calls hold the sentinel; Reply::seconds: how long
               // the device took to write them
  reveal,      // their inputs: magnitudes times what `key` says (values.h); likewise
  reveal_magnitudes,  // their inputs: the magnitudes themselves
  snapshot,           // keeps the elements that `seed` draws of each call, and all of call `full`
  fetch,              // copies what was kept to the exchange
  fetch_inputs,       // copies the inputs of call `full`, as they are now in the region
  idle,               // how long a kernel that does nothing takes: Reply::seconds; and whether the
                      // device is slowed down by heat or power: Reply::slowed_down
};

struct Request {
  Verb verb;
  uint32_t region = 0;
  uint32_t calls = 0;
  uint32_t full = 0;
  uint32_t regions = 0;
  uint32_t key[8] = {};
  uint64_t seed = 0;
};

struct Reply {
  uint32_t done = 0;  // 0: `text` says why not
  uint32_t slots = 0;
  uint64_t bytes = 0;  // of a region
  double seconds = 0;
  uint32_t slowed_down = 0;
  char text[232] = {};
};

}  // namespace convkit::device_memory
