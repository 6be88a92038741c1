// SPDX-License-Identifier: MIT
#include "cpu_device/profile/launch.h"

#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include "cpu_device/check/loaded_objects.h"
#include "cpu_device/check/present.h"
#include "cpu_device/engine/grid.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/profile/arithmetic_lines.h"
#include "cpu_device/profile/collect.h"
#include "cpu_device/profile/program_profile.h"

namespace convkit::simt::profile {
namespace {

using check::Range;
bool any_holds(const std::vector<Range>& ranges, uintptr_t at) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [at](const Range& range) { return range.holds(at); });
}

struct Launch {
  unsigned threads = 0;  // of a block
  Range arguments;
  std::vector<Range> shared;
  std::vector<Range> constants;  // __constant__ variables
  std::vector<Range> variables;  // all that the program and its libraries have
  unsigned generation = ~0u;     // of these
  uintptr_t os_thread = 0;       // whose shared memory it is
  KernelProfile* profile = nullptr;
  uint3 blocks{};
  bool to_trace = false;
};
Launch g_launch;

constexpr unsigned kNoWarp = ~0u;

// CONVKIT_PROFILE_TRACE: "BLOCK:WARP", the block counted by x, y, z.
std::optional<KernelTrace> wanted_trace() {
  const char* text = std::getenv("CONVKIT_PROFILE_TRACE");
  unsigned long long block = 0;
  KernelTrace wanted;
  if (text == nullptr || std::sscanf(text, "%llu:%u", &block, &wanted.warp) != 2) return {};
  wanted.block = block;
  return wanted;
}
const std::optional<KernelTrace> g_wanted = wanted_trace();

int add_variables(dl_phdr_info* object, size_t, void* list) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    static_cast<std::vector<Range>*>(list)->push_back(
        {object->dlpi_addr + segment.p_vaddr, segment.p_memsz});
  }
  return 0;
}

std::vector<Range> constant_memory_in(const std::vector<Range>& segments) {
  std::vector<Range> found;
  for (const Range& segment : segments) {
    const check::LoadedObject object = check::loaded_object_at(segment.begin);
    if (!object.writable) continue;
    for (const check::Variable& variable : check::variables_of(object).data) {
      const uintptr_t at = object.base + variable.begin;
      if (variable.in_constant_memory && segment.holds(at)) found.push_back({at, variable.bytes});
    }
  }
  return found;
}

void find_memory() {
  const uintptr_t os_thread = check::this_os_thread();
  if (g_launch.generation == device_code_generation() && g_launch.os_thread == os_thread) return;
  g_launch.generation = device_code_generation();
  g_launch.os_thread = os_thread;
  g_launch.shared = {{reinterpret_cast<uintptr_t>(dynamic_shared_memory()), kSharedBytesOptIn}};
  for (const SharedRange& range : static_shared_memory()) {
    g_launch.shared.push_back({reinterpret_cast<uintptr_t>(range.begin), range.bytes});
  }
  g_launch.variables.clear();
  dl_iterate_phdr(add_variables, &g_launch.variables);
  g_launch.constants = constant_memory_in(g_launch.variables);
}

bool is_private(uintptr_t at) {
  const auto* address = reinterpret_cast<const void*>(at);
  return g_launch.arguments.holds(at) || is_thread_stack(address) || is_builtin_variable(address);
}

// Of an access to memory that is not the device's; nothing where it is private.
std::optional<Kind> kind_of(uintptr_t at, Access access) {
  const bool shared = any_holds(g_launch.shared, at);
  if (!shared && is_private(at)) return std::nullopt;
  switch (access) {
    case Access::atomic:
      return shared ? Kind::shared_atomic : Kind::global_atomic;
    case Access::store:
      return shared ? Kind::shared_store : Kind::global_store;
    default:
      break;
  }
  if (shared) return Kind::shared_load;
  if (any_holds(g_launch.constants, at)) return Kind::constant_load;
  return any_holds(g_launch.variables, at) ? Kind::variable_load : Kind::global_load;
}

}  // namespace

Running& running = *new Running;

void launch_begins(const Grid& grid) {
  find_memory();
  const DeviceRange range = device_range();
  running.device_begin = reinterpret_cast<uintptr_t>(range.begin);
  running.device_bytes = range.bytes;
  g_launch.arguments = {reinterpret_cast<uintptr_t>(grid.arguments.data()), grid.arguments.size()};
  running.thread = running_thread();
  g_launch.threads = grid.threads;
  g_launch.profile = &program_profile().kernel(grid.name);
  ++g_launch.profile->launches;
  g_launch.profile->blocks += grid.blocks;
  g_launch.profile->threads = std::max<uint64_t>(g_launch.profile->threads, grid.threads);
  g_launch.profile->dynamic_shared_bytes =
      std::max<uint64_t>(g_launch.profile->dynamic_shared_bytes, grid.shared_bytes);
  running.blocks.find_loops(reinterpret_cast<uintptr_t>(grid.invoke));
  running.os_thread = check::this_os_thread();
  g_launch.blocks = grid.blocks_dim;
  g_launch.to_trace = g_wanted && g_launch.profile->launches == 1;
}

void launch_ends(const Grid&) {
  running.os_thread = 0;
  uint64_t left_out = 0;
  for (const auto& [instruction, sums] : running.collector.take(left_out)) {
    g_launch.profile->instructions[instruction] += sums;
  }
  g_launch.profile->left_out += left_out;
  const DifferentSectors sectors = running.collector.take_sectors();
  g_launch.profile->sectors.loaded += sectors.loaded;
  g_launch.profile->sectors.stored += sectors.stored;
  running.blocks.take(g_launch.profile->blocks_passed);
}

namespace {

// The blocks of a cooperative launch have an OS thread each.
void come_to_this_os_thread() {
  if (running.os_thread == check::this_os_thread()) return;
  find_memory();
  running.thread = running_thread();
  running.os_thread = check::this_os_thread();
}

bool is_to_be_traced(uint3 block) {
  return g_launch.to_trace && block_number(block, g_launch.blocks) == g_wanted->block;
}

}  // namespace

void block_begins(uint3 block) {
  if (is_to_be_traced(block)) running.trace.begin();
  block_resumes(block);
}

void block_resumes(uint3 block) {
  come_to_this_os_thread();
  running.collector.begin_block(g_launch.threads);
  for (unsigned i = 0; i < g_launch.threads; ++i) running.loops[i].clear();
  if (is_to_be_traced(block)) running.traced_warp = g_wanted->warp;
}

void block_leaves() {
  running.collector.block_meets();
  if (running.traced_warp != kNoWarp) running.trace.meet();
  running.traced_warp = kNoWarp;
}

void block_ends() {
  running.collector.block_meets();
  if (running.traced_warp == kNoWarp) return;
  running.traced_warp = kNoWarp;
  g_launch.to_trace = false;
  KernelTrace& trace = g_launch.profile->trace;
  trace = *g_wanted;
  trace.lanes =
      std::min(kLanes, g_launch.threads - std::min(g_launch.threads, kLanes * trace.warp));
  trace.left_out = running.trace.left_out();
  trace.steps = named_steps(running.trace);
}

void barrier_opens() {
  running.collector.block_meets();
  const BarrierSite site = opening_barrier();
  const std::string file = site.file == nullptr ? "" : site.file;
  ++g_launch.profile->barriers[{file, site.line}];
  if (running.traced_warp != kNoWarp) running.trace.barrier(file, site.line);
}

void warp_meets(unsigned warp, unsigned lanes, unsigned live) {
  if ((live & ~lanes) != 0) return;
  running.collector.warp_meets(warp);
  if (warp == running.traced_warp) running.trace.meet();
}

void accessed_otherwise(uintptr_t at, size_t size, Access access, uintptr_t pc) {
  const bool in_device = at - running.device_begin < running.device_bytes;
  const std::optional<Kind> kind = in_device ? in_device_memory(access) : kind_of(at, access);
  if (!kind) return;
  // Larger ones go in as many accesses as the alignment asks for.
  while (size != 0) {
    size_t part = 16;
    while (part > size || at % part != 0) part /= 2;
    running.add({pc, *kind}, at, static_cast<unsigned>(part));
    at += part;
    size -= part;
  }
}

bool PassedBlocks::turn_to(uintptr_t pc) {
  for (const Code& code : codes_) {
    if (pc - code.begin >= code.bytes) continue;
    code_ = code;
    return true;
  }
  const check::Range segment = check::loaded_object_at(pc).segment;
  if (!segment.holds(pc)) return false;
  void* blocks = mmap(nullptr, segment.bytes * sizeof(Block), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (blocks == MAP_FAILED) return false;
  codes_.push_back({segment.begin, segment.bytes, static_cast<Block*>(blocks)});
  code_ = codes_.back();
  return true;
}

void PassedBlocks::find_loops(uintptr_t pc) {
  if (!turn_to(pc) || !searched_.insert(code_.begin).second) return;
  const check::LoadedObject object = check::loaded_object_at(pc);
  const std::optional<MachineCode>& code = machine_code_of(object);
  if (!code) return;
  const MachineCode::Loops loops = code->loops();
  const auto before = static_cast<uint32_t>(outer_.size()) - 1;
  for (const auto& [address, place] : loops.places) {
    const uintptr_t offset = object.base + address - code_.begin;
    if (offset >= code_.bytes) continue;
    code_.blocks[offset].place = place;
    code_.blocks[offset].place.loop += before;
  }
  for (size_t i = 1; i < loops.outer.size(); ++i) {
    outer_.push_back(loops.outer[i] == 0 ? 0 : loops.outer[i] + before);
  }
}

void PassedBlocks::take(std::map<uintptr_t, uint64_t>& sums) {
  for (const uintptr_t pc : passed_) {
    for (const Code& code : codes_) {
      if (pc - code.begin >= code.bytes) continue;
      uint64_t& passed = code.blocks[pc - code.begin].passed;
      sums[pc] += passed;
      passed = 0;
      break;
    }
  }
  passed_.clear();
}

}  // namespace convkit::simt::profile
