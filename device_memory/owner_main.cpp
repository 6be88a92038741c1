// SPDX-License-Identifier: MIT
// convkit-gpu-memory: owns the device memory of one timing and does what the grader asks
// (protocol.h). It trusts the grader, and nothing of a submission reaches it.
//
//   convkit-gpu-memory INPUTS OUTPUT_AT OUTPUT SLOT MOST_SLOTS     started by the grader only
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "device_memory/memory.h"
#include "process/descriptor_message.h"

namespace convkit::device_memory {
namespace {

void send_descriptor(int fd) {
  const char nothing = 0;
  send_with_descriptors(kSocketFd, &nothing, sizeof nothing, std::array{fd});
  close(fd);
}

void answer(Memory& memory, const Request& r, Reply& reply, Regions& regions) {
  switch (r.verb) {
    case Verb::create:
      regions = memory.create(r.regions, r.calls);
      reply.slots = regions.slots;
      reply.bytes = regions.bytes;
      break;
    case Verb::poison:
      reply.seconds = memory.poison(r.region, r.calls);
      break;
    case Verb::reveal:
      reply.seconds = memory.reveal(r.region, r.calls, r.key);
      break;
    case Verb::reveal_magnitudes:
      memory.reveal(r.region, r.calls, nullptr);
      break;
    case Verb::snapshot:
      memory.snapshot(r.region, r.calls, r.full, r.seed);
      break;
    case Verb::fetch:
      memory.fetch();
      break;
    case Verb::fetch_inputs:
      memory.fetch_inputs(r.region, r.full);
      break;
    case Verb::idle:
      reply.seconds = memory.idle_s();
      reply.slowed_down = memory.slowed_down();
      break;
  }
  reply.done = 1;
}

int run(const Layout& layout, uint32_t most_slots) {
  const size_t bytes = Exchange::end(layout, most_slots) * sizeof(float);
  void* exchange = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, kExchangeFd, 0);
  if (exchange == MAP_FAILED) {
    std::fputs("This program is started by the grader only; see device_memory/protocol.h.\n",
               stderr);
    return 2;
  }
  std::unique_ptr<Memory> memory;
  Request request{};
  while (recv(kSocketFd, &request, sizeof request, 0) == sizeof request) {
    Reply reply;
    Regions regions;
    try {
      if (!memory) memory = make_memory(layout, static_cast<float*>(exchange), most_slots);
      answer(*memory, request, reply, regions);
    } catch (const std::exception& error) {
      std::strncpy(reply.text, error.what(), sizeof reply.text - 1);
    }
    if (send(kSocketFd, &reply, sizeof reply, MSG_NOSIGNAL) < 0) break;
    for (const int fd : regions.descriptors) send_descriptor(fd);
  }
  return 0;
}

}  // namespace
}  // namespace convkit::device_memory

int main(int argc, char** argv) {
  const auto number = [&](int i) { return i < argc ? std::strtoull(argv[i], nullptr, 10) : 0; };
  return convkit::device_memory::run({number(1), number(2), number(3), number(4)},
                                     static_cast<uint32_t>(number(5)));
}
