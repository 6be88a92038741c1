// SPDX-License-Identifier: MIT
// A case as it arrived in the runner: parameters, and tensors mapped between guard pages.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runner/device_tensors.h"
#include "runner/harness.h"

namespace convkit::runner {

// A tensor's mapping: [guard][pages][guard]. Move-only owner.
class GuardedMapping {
 public:
  // `name`: of the tensor, for the CaseError where it does not fit.
  GuardedMapping(const std::string& name, int fd, uint64_t offset, uint64_t bytes, bool writable);
  ~GuardedMapping();
  GuardedMapping(GuardedMapping&& other) noexcept;
  GuardedMapping& operator=(GuardedMapping&&) = delete;

  unsigned char* data() const { return data_; }
  // The whole reserved range, guards included.
  const unsigned char* reserved_begin() const { return reserved_; }
  const unsigned char* reserved_end() const { return reserved_ + reserved_bytes_; }

 private:
  unsigned char* reserved_ = nullptr;
  size_t reserved_bytes_ = 0;
  unsigned char* data_ = nullptr;
};

// The position of an address relative to the tensors of a case; tensor is null if no tensor is
// near.
struct AddressReport {
  const char* tensor = nullptr;
  uint32_t region = 0;
  int64_t element = 0;
};

class LoadedCase final : public harness::Call {
 public:
  // Parses the request (see protocol.h) and maps its tensors. Throws harness::CaseError. `library`
  // may be null: every function is then one that does nothing.
  LoadedCase(const std::string& request, int inputs_fd, int outputs_fd, void* library);

  const std::string& op() const { return op_; }
  std::span<const int64_t> dims(std::string_view name) const override;
  int64_t integer(std::string_view name) const override;
  double real(std::string_view name) const override;

  // Fills in region, element and tensor of the flight record for a faulting address.
  // Async-signal-safe.
  void describe_address(const void* address, AddressReport& report) const;

  // How often the case's tensors are there: once, or where they lie in the device memory of a
  // timing, for each call of a request. Pointers that are asked for are those of the slot in use.
  unsigned slots() const { return slots_; }
  void use_slot(unsigned slot) { slot_ = slot; }

  // Around a launch of a GPU stage; nothing to do for others. See DeviceTensors.
  void load_device(bool late) const;
  void wait_for_device(DeviceTensors::Until until) const;
  void fetch_from_device() const;
  void report_leaks() const;
  std::string device_reports() const { return device_ ? device_->reports() : ""; }
  std::string device_counts() const;

  // Copies outputs that were written in checked copies back to the shared file.
  void publish_outputs() const;

  CUstream_st* stream() const override;
  void* device_scratch(std::string_view name, size_t bytes) const override;
  void expect_untouched() const override;

 protected:
  void* symbol_address(const char* symbol) const override;
  const void* input_bytes(std::string_view name, Type type) const override;
  void* output_bytes(std::string_view name, Type type) const override;
  void* device_bytes(std::string_view name, bool output, Type type) const override;

 private:
  struct Tensor {
    std::string name;
    bool output = false;
    Type type = Type::float32;
    std::vector<int64_t> dims;
    uint64_t bytes = 0;
    uint64_t offset = 0;                    // in a slot
    std::optional<GuardedMapping> mapping;  // without slots
    // Under AddressSanitizer the student gets a heap copy, whose every byte is checked.
    std::unique_ptr<unsigned char[]> checked_copy;
    unsigned char* memory() const { return checked_copy ? checked_copy.get() : mapping->data(); }
  };
  const Tensor& tensor(std::string_view name, bool output, Type type) const;
  const Tensor& host_tensor(std::string_view name, bool output, Type type) const;

  std::string op_;
  std::map<std::string, double, std::less<>> params_;
  std::vector<Tensor> tensors_;
  void* library_ = nullptr;
  std::unique_ptr<DeviceTensors> device_ = make_device_tensors();
  unsigned slots_ = 1, slot_ = 0;
  uint64_t slot_bytes_ = 0;
  unsigned char* device_memory_ = nullptr;  // of a timing
};

}  // namespace convkit::runner
