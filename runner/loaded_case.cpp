// SPDX-License-Identifier: MIT
#include "runner/loaded_case.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>
#include <sstream>
#include <utility>

#include "runner/protocol.h"

namespace convkit::runner {
namespace {

using harness::CaseError;

uint64_t page_bytes() {
  static const auto bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

uint64_t round_up(uint64_t value, uint64_t to) {
  return (value + to - 1) / to * to;
}

// Bytes, or MiB where there are many.
std::string size_text(uint64_t bytes) {
  constexpr uint64_t kMiB = 1 << 20;
  return bytes < kMiB ? std::to_string(bytes) + " bytes"
                      : std::to_string((bytes + kMiB / 2) / kMiB) + " MiB";
}

std::string does_not_fit(const std::string& name, uint64_t bytes) {
  const std::string begin =
      "the tensor `" + name + "` of " + size_text(bytes) + " does not fit into ";
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return begin + "the memory that is left";
  }
  return begin + "the " + size_text(limit.rlim_cur) +
         " of address space that the process may have (memory_mib in stage.toml)";
}

// For every function of a submission where there is none. A harness may ask for a size.
size_t stands_in() {
  return 0;
}

}  // namespace

GuardedMapping::GuardedMapping(const std::string& name, int fd, uint64_t offset, uint64_t bytes,
                               bool writable) {
  const uint64_t first_page = offset / page_bytes() * page_bytes();
  const uint64_t mapped = round_up(offset + bytes, page_bytes()) - first_page;
  reserved_bytes_ = mapped + 2 * protocol::kGuardBytes;
  void* reserved =
      mmap(nullptr, reserved_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) throw CaseError(does_not_fit(name, bytes));
  reserved_ = static_cast<unsigned char*>(reserved);
  // An input is mapped privately, so that it can be mapped at all when its file is sealed.
  void* pages =
      mmap(reserved_ + protocol::kGuardBytes, mapped, writable ? PROT_READ | PROT_WRITE : PROT_READ,
           (writable ? MAP_SHARED : MAP_PRIVATE) | MAP_FIXED, fd, static_cast<off_t>(first_page));
  if (pages == MAP_FAILED) {
    munmap(reserved_, reserved_bytes_);
    throw CaseError(does_not_fit(name, bytes));
  }
  data_ = static_cast<unsigned char*>(pages) + (offset - first_page);
}

GuardedMapping::GuardedMapping(GuardedMapping&& other) noexcept
    : reserved_(std::exchange(other.reserved_, nullptr)),
      reserved_bytes_(other.reserved_bytes_),
      data_(other.data_) {}

GuardedMapping::~GuardedMapping() {
  if (reserved_) munmap(reserved_, reserved_bytes_);
}

LoadedCase::LoadedCase(const std::string& request, int inputs_fd, int outputs_fd, void* library)
    : library_(library) {
  std::istringstream lines(request);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string kind, name;
    words >> kind >> name;
    if (kind == "case") {
      op_ = name;
    } else if (kind == "int") {
      long long value = 0;
      if (!(words >> value)) throw CaseError("bad parameter " + name);
      params_[name] = static_cast<double>(value);
    } else if (kind == "real") {
      std::string value;
      words >> value;
      params_[name] = std::strtod(value.c_str(), nullptr);
    } else if (kind == "device") {
      // `name` is the first of three numbers.
      const uint64_t bytes = std::strtoull(name.c_str(), nullptr, 10);
      if (!device_ || !(words >> slots_ >> slot_bytes_)) {
        throw CaseError("bad line in a request: " + line);
      }
      device_memory_ = static_cast<unsigned char*>(device_->map(inputs_fd, bytes));
    } else if (kind == "in" || kind == "out") {
      std::string type;
      uint64_t offset = 0;
      if (!(words >> type >> offset)) throw CaseError("bad tensor " + name);
      std::vector<int64_t> dims;
      for (int64_t dim = 0; words >> dim;) dims.push_back(dim);
      const bool output = kind == "out";
      const Type t = type == "float32"   ? Type::float32
                     : type == "float64" ? Type::float64
                     : type == "int32"   ? Type::int32
                                         : Type::uint8;
      uint64_t bytes = t == Type::float64 ? 8 : t == Type::uint8 ? 1 : 4;
      for (int64_t dim : dims) bytes *= static_cast<uint64_t>(dim);
      tensors_.push_back({name, output, t, std::move(dims), bytes, offset, std::nullopt, nullptr});
      if (device_memory_) continue;
      Tensor& added = tensors_.back();
      added.mapping.emplace(added.name, output ? outputs_fd : inputs_fd, offset, bytes, output);
      if (CONVKIT_RUNNER_ASAN) {
        added.checked_copy = std::make_unique<unsigned char[]>(bytes);
        std::memcpy(added.checked_copy.get(), added.mapping->data(), bytes);
      }
    } else {
      throw CaseError("unknown line in a request: " + kind);
    }
  }
}

const LoadedCase::Tensor& LoadedCase::tensor(std::string_view name, bool output, Type type) const {
  for (const Tensor& t : tensors_) {
    if (t.name != name || t.output != output) continue;
    if (t.type != type) throw CaseError("tensor " + t.name + " has another type");
    return t;
  }
  throw CaseError("the case has no " + std::string(output ? "output " : "input ") +
                  std::string(name));
}

std::span<const int64_t> LoadedCase::dims(std::string_view name) const {
  for (const Tensor& t : tensors_) {
    if (t.name == name) return t.dims;
  }
  throw CaseError("the case has no tensor " + std::string(name));
}

const LoadedCase::Tensor& LoadedCase::host_tensor(std::string_view name, bool output,
                                                  Type type) const {
  const Tensor& t = tensor(name, output, type);
  if (!t.mapping) throw CaseError("tensor " + t.name + " lies in device memory only");
  return t;
}

const void* LoadedCase::input_bytes(std::string_view name, Type type) const {
  return host_tensor(name, false, type).memory();
}

void* LoadedCase::output_bytes(std::string_view name, Type type) const {
  return host_tensor(name, true, type).memory();
}

void* LoadedCase::device_bytes(std::string_view name, bool output, Type type) const {
  if (!device_) throw CaseError("a CPU stage has no device memory");
  const Tensor& t = tensor(name, output, type);
  if (device_memory_) return device_memory_ + slot_ * slot_bytes_ + t.offset;
  void* data = device_->add(t.name, t.memory(), t.bytes, output);
  device_->describe(data, t.dims,
                    t.type == Type::float64 ? 8
                    : t.type == Type::uint8 ? 1
                                            : 4,
                    output);
  return data;
}

void* LoadedCase::device_scratch(std::string_view name, size_t bytes) const {
  if (!device_) throw CaseError("a CPU stage has no device memory");
  return device_->add_scratch(std::string(name), bytes);
}

CUstream_st* LoadedCase::stream() const {
  if (!device_) throw CaseError("a CPU stage has no streams");
  return device_->stream();
}

void LoadedCase::load_device(bool late) const {
  if (device_) device_->load(late);
}

void LoadedCase::wait_for_device(DeviceTensors::Until until) const {
  if (device_) device_->wait(until);
}

void LoadedCase::fetch_from_device() const {
  if (device_) device_->fetch();
}

void LoadedCase::expect_untouched() const {
  if (!device_) return;
  device_->expect_untouched();
  const bool reported = device_->reports().find_first_not_of(' ') != std::string::npos;
  if (reported) harness::call_note().kept = true;
}

void LoadedCase::report_leaks() const {
  if (device_) device_->report_leaks();
}

std::string LoadedCase::device_counts() const {
  if (!device_) return "";
  std::vector<std::span<const unsigned char>> outputs;
  for (const Tensor& t : tensors_) {
    if (t.output && t.mapping) outputs.emplace_back(t.memory(), t.bytes);
  }
  return device_->counts(outputs);
}

int64_t LoadedCase::integer(std::string_view name) const {
  return static_cast<int64_t>(real(name));
}

double LoadedCase::real(std::string_view name) const {
  const auto found = params_.find(name);
  if (found == params_.end()) throw CaseError("the case has no parameter " + std::string(name));
  return found->second;
}

void* LoadedCase::symbol_address(const char* symbol) const {
  if (!library_) return reinterpret_cast<void*>(stands_in);
  if (void* address = dlsym(library_, symbol)) return address;
  throw harness::MissingEntry(symbol);
}

void LoadedCase::describe_address(const void* address, AddressReport& report) const {
  const auto* at = static_cast<const unsigned char*>(address);
  for (const Tensor& t : tensors_) {
    if (!t.mapping) continue;
    if (at < t.mapping->reserved_begin() || at >= t.mapping->reserved_end()) continue;
    const unsigned char* begin = t.mapping->data();
    report.tensor = t.name.c_str();
    const int64_t width = t.type == Type::float64 ? 8 : t.type == Type::uint8 ? 1 : 4;
    report.element = (at - begin) / width;
    report.region = at < begin             ? protocol::kBeforeTensor
                    : at < begin + t.bytes ? protocol::kInsideTensor
                                           : protocol::kAfterTensor;
    return;
  }
}

void LoadedCase::publish_outputs() const {
  for (const Tensor& t : tensors_) {
    if (t.output && t.checked_copy) std::memcpy(t.mapping->data(), t.checked_copy.get(), t.bytes);
  }
}

}  // namespace convkit::runner

namespace convkit::harness {
namespace {

int int_of(const Call& call, const char* name) {
  return static_cast<int>(call.integer(name));
}

}  // namespace

Conv2dShape Call::conv2d_shape() const {
  Conv2dShape s;
  s.n = int_of(*this, "n"), s.c = int_of(*this, "c");
  s.h = int_of(*this, "h"), s.w = int_of(*this, "w");
  s.m = int_of(*this, "m"), s.kh = int_of(*this, "kh"), s.kw = int_of(*this, "kw");
  s.pad_h = int_of(*this, "pad_h"), s.pad_w = int_of(*this, "pad_w");
  s.stride_h = int_of(*this, "stride_h"), s.stride_w = int_of(*this, "stride_w");
  s.dilation_h = int_of(*this, "dilation_h"), s.dilation_w = int_of(*this, "dilation_w");
  s.groups = int_of(*this, "groups");
  return s;
}

Pool2dShape Call::pool2d_shape() const {
  Pool2dShape s;
  s.n = int_of(*this, "n"), s.c = int_of(*this, "c");
  s.h = int_of(*this, "h"), s.w = int_of(*this, "w");
  s.kh = int_of(*this, "kh"), s.kw = int_of(*this, "kw");
  s.pad_h = int_of(*this, "pad_h"), s.pad_w = int_of(*this, "pad_w");
  s.stride_h = int_of(*this, "stride_h"), s.stride_w = int_of(*this, "stride_w");
  return s;
}

}  // namespace convkit::harness
