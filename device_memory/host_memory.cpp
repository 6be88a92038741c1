// SPDX-License-Identifier: MIT
// Host memory in the place of a GPU's, so that timings of device tensors can be tested without one.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "convkit/sentinel.h"
#include "device_memory/memory.h"
#include "device_memory/values.h"

namespace convkit::device_memory {
namespace {

class HostMemory final : public Memory {
 public:
  HostMemory(const Layout& layout, float* exchange) : layout_(layout), exchange_(exchange) {}

  Regions create(uint32_t regions, uint32_t most_slots) override {
    Regions made;
    made.slots = std::min<uint32_t>(most_slots, 16);
    made.bytes = made.slots * layout_.slot * sizeof(float);
    samples_.resize(made.slots * sampled_of(layout_));
    for (uint32_t i = 0; i < regions; ++i) {
      const int fd = memfd_create("convkit-device-memory", MFD_CLOEXEC);
      if (fd < 0 || ftruncate(fd, static_cast<off_t>(made.bytes)) != 0) {
        throw std::runtime_error("no shared memory");
      }
      void* mapped = mmap(nullptr, made.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      if (mapped == MAP_FAILED) throw std::runtime_error("shared memory cannot be mapped");
      regions_.push_back(static_cast<float*>(mapped));
      made.descriptors.push_back(fd);
    }
    return made;
  }

  double poison(uint32_t region, uint32_t calls) override {
    for (uint32_t call = 0; call < calls; ++call) {
      fill_sentinel(output(region, call), layout_.output * sizeof(float));
    }
    return 0;
  }

  double reveal(uint32_t region, uint32_t calls, const uint32_t* key) override {
    for (uint32_t call = 0; call < calls; ++call) {
      float* inputs = slot(region, call);
      for (uint64_t i = 0; i < layout_.inputs; i += 16) {
        uint32_t bits[16] = {};
        if (key) chacha8(key, i / 16, call, bits);
        for (uint64_t j = i; j < std::min(i + 16, layout_.inputs); ++j) {
          inputs[j] = value_of(exchange_[j], bits[j - i]);
        }
      }
    }
    return 0;
  }

  void snapshot(uint32_t region, uint32_t calls, uint32_t full, uint64_t seed) override {
    const uint64_t sampled = sampled_of(layout_);
    for (uint64_t call = 0; call < calls; ++call) {
      const float* values = output(region, static_cast<uint32_t>(call));
      for (uint64_t s = 0; s < sampled; ++s) {
        samples_[call * sampled + s] = values[place_of(seed, call, s, sampled, layout_.output)];
      }
    }
    full_.assign(output(region, full), output(region, full) + layout_.output);
  }

  void fetch() override {
    std::copy(full_.begin(), full_.end(), exchange_ + Exchange::output(layout_));
    std::copy(samples_.begin(), samples_.end(), exchange_ + Exchange::samples(layout_));
  }

  void fetch_inputs(uint32_t region, uint32_t call) override {
    std::copy_n(slot(region, call), layout_.inputs, exchange_ + Exchange::inputs(layout_));
  }

  double idle_s() override { return 0; }
  bool slowed_down() override { return false; }

 private:
  float* slot(uint32_t region, uint32_t call) { return regions_.at(region) + call * layout_.slot; }
  float* output(uint32_t region, uint32_t call) { return slot(region, call) + layout_.output_at; }

  Layout layout_;
  float* exchange_;
  std::vector<float*> regions_;
  std::vector<float> samples_, full_;
};

}  // namespace

std::unique_ptr<Memory> make_memory(const Layout& layout, float* exchange, uint32_t) {
  return std::make_unique<HostMemory>(layout, exchange);
}

}  // namespace convkit::device_memory
