// SPDX-License-Identifier: MIT
#include "grade/speed/timing_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "convkit/kit_error.h"
#include "device_memory/values.h"
#include "process/channels.h"
#include "process/descriptor_message.h"

namespace convkit {
namespace {

namespace memory = device_memory;
using memory::Exchange;
using memory::Verb;

// cudaMalloc's promise, in elements. Functions may read whole vectors at the end of a tensor.
constexpr uint64_t kAlignment = 256 / sizeof(float);
constexpr auto kPatience = std::chrono::seconds(60);

uint64_t padded(int64_t elements) {
  return (static_cast<uint64_t>(elements) + kAlignment - 1) / kAlignment * kAlignment;
}

TensorSpec float_spec(const TensorShape& shape) {
  return {shape.name, DType::float32, shape.dims};
}

}  // namespace

TimingMemory::TimingMemory(const std::filesystem::path& program, const SpeedCase& speed,
                           uint32_t regions, uint32_t most_calls,
                           const std::vector<std::vector<float>>& magnitudes) {
  for (const TensorShape& input : speed.inputs) {
    inputs_.push_back({float_spec(input), layout_.inputs * sizeof(float)});
    layout_.inputs += padded(input.elements());
  }
  layout_.output_at = layout_.inputs;
  layout_.output = static_cast<uint64_t>(speed.output.elements());
  layout_.slot = layout_.inputs + padded(speed.output.elements());
  outputs_.push_back({float_spec(speed.output), layout_.output_at * sizeof(float)});

  const FileDescriptor file(memfd_create("convkit-exchange", MFD_CLOEXEC));
  exchange_bytes_ = Exchange::end(layout_, most_calls) * sizeof(float);
  if (!file || ftruncate(file.get(), static_cast<off_t>(exchange_bytes_)) != 0) {
    throw std::system_error(errno, std::generic_category(), "memfd_create");
  }
  void* mapped = mmap(nullptr, exchange_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (mapped == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  exchange_ = static_cast<float*>(mapped);
  for (size_t i = 0; i < magnitudes.size(); ++i) {
    std::ranges::copy(magnitudes[i], exchange_ + inputs_[i].offset / sizeof(float));
  }

  ChannelEnds channel = make_message_channel();
  socket_ = std::move(channel.ours);
  Command command;
  command.argv = {program.string()};
  for (const uint64_t number :
       {layout_.inputs, layout_.output_at, layout_.output, layout_.slot, uint64_t(most_calls)}) {
    command.argv.push_back(std::to_string(number));
  }
  command.environment = handed_on({"PATH", "HOME", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"});
  command.fds = {{channel.theirs.get(), memory::kSocketFd}, {file.get(), memory::kExchangeFd}};
  process_ = std::make_unique<Process>(command, Limits{});

  memory::Request request{Verb::create};
  request.calls = most_calls;
  request.regions = regions;
  const memory::Reply reply = ask(request);
  slots_ = reply.slots;
  region_bytes_ = reply.bytes;
  for (uint32_t i = 0; i < regions; ++i) regions_.push_back(receive_descriptor());
}

TimingMemory::~TimingMemory() {
  process_.reset();  // before its memory goes
  if (exchange_) munmap(exchange_, exchange_bytes_);
}

DeviceSlots TimingMemory::slots_of(uint32_t region) const {
  DeviceSlots slots;
  slots.fd = regions_.at(region).get();
  slots.slot_bytes = layout_.slot * sizeof(float);
  slots.slots = slots_;
  slots.bytes = region_bytes_;
  slots.inputs = inputs_;
  slots.outputs = outputs_;
  return slots;
}

double TimingMemory::poison(uint32_t region, uint32_t calls) {
  return ask({Verb::poison, region, calls}).seconds;
}

double TimingMemory::reveal(uint32_t region, uint32_t calls, const InputKey& key) {
  memory::Request request{Verb::reveal, region, calls};
  std::ranges::copy(key, request.key);
  return ask(request).seconds;
}

void TimingMemory::reveal_magnitudes(uint32_t region, uint32_t calls) {
  ask({Verb::reveal_magnitudes, region, calls});
}

void TimingMemory::snapshot(uint32_t region, uint32_t calls, const Draw& draw) {
  memory::Request request{Verb::snapshot, region, calls, draw.full};
  request.seed = draw.seed;
  ask(request);
}

TimingMemory::State TimingMemory::state() {
  const memory::Reply reply = ask({Verb::idle});
  return {reply.seconds, reply.slowed_down != 0};
}

TimingMemory::Kept TimingMemory::fetch(uint32_t calls) {
  ask({Verb::fetch});
  return {exchanged(Exchange::output(layout_), layout_.output),
          exchanged(Exchange::samples(layout_), calls * sampled())};
}

void TimingMemory::fetch_inputs(uint32_t region, uint32_t call) {
  ask({Verb::fetch_inputs, region, 0, call});
}

std::span<const float> TimingMemory::fetched_input(size_t input) const {
  const DeviceSlots::Tensor& tensor = inputs_.at(input);
  return exchanged(Exchange::inputs(layout_) + tensor.offset / sizeof(float),
                   tensor.spec.bytes() / sizeof(float));
}

uint64_t TimingMemory::place(const Draw& draw, uint64_t call, uint64_t sample) const {
  return memory::place_of(draw.seed, call, sample, sampled(), layout_.output);
}

memory::Reply TimingMemory::ask(const memory::Request& request) {
  memory::Reply reply;
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  bool alive = send(socket_.get(), &request, sizeof request, MSG_NOSIGNAL) == sizeof request;
  while (alive) {
    if (recv(socket_.get(), &reply, sizeof reply, MSG_DONTWAIT) == sizeof reply) {
      if (reply.done) return reply;
      throw KitError(fmt::format("The device memory of the timing: {}.", reply.text));
    }
    alive = process_->poll(std::chrono::milliseconds(200), socket_.get()) &&
            std::chrono::steady_clock::now() < deadline;
  }
  throw KitError(fmt::format("The process that owns the device memory of the timing ended. {}",
                             process_->output()));
}

FileDescriptor TimingMemory::receive_descriptor() {
  std::array<int, 1> fds;
  char nothing = 0;
  receive_with_descriptors(socket_.get(), &nothing, sizeof nothing, fds);
  return FileDescriptor(fds[0]);
}

}  // namespace convkit
