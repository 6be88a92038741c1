// SPDX-License-Identifier: MIT
// The memory behind the requests of protocol.h: of a GPU, or of the host for tests.
#pragma once

#include <memory>
#include <vector>

#include "device_memory/protocol.h"

namespace convkit::device_memory {

struct Regions {
  uint32_t slots = 0;            // of each
  uint64_t bytes = 0;            // of each
  std::vector<int> descriptors;  // one of each, which a runner maps
};

// All functions throw std::runtime_error.
class Memory {
 public:
  virtual ~Memory() = default;

  // At most as many slots as asked and as fit into a quarter of what is free.
  virtual Regions create(uint32_t regions, uint32_t most_slots) = 0;
  // Both return the seconds in which the device wrote that; 0 if unknown.
  virtual double poison(uint32_t region, uint32_t calls) = 0;
  // `key`: null for the magnitudes themselves.
  virtual double reveal(uint32_t region, uint32_t calls, const uint32_t* key) = 0;
  virtual void snapshot(uint32_t region, uint32_t calls, uint32_t full, uint64_t seed) = 0;
  virtual void fetch() = 0;
  virtual void fetch_inputs(uint32_t region, uint32_t call) = 0;
  virtual double idle_s() = 0;
  virtual bool slowed_down() = 0;
};

// `exchange` has room for `most_slots`, and the magnitudes are in it.
std::unique_ptr<Memory> make_memory(const Layout& layout, float* exchange, uint32_t most_slots);

}  // namespace convkit::device_memory
