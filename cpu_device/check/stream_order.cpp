// SPDX-License-Identifier: MIT
#include "cpu_device/check/stream_order.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "cpu_device/check/places.h"
#include "cpu_device/check/present.h"
#include "cpu_device/check/reports.h"
#include "cpu_device/check/shadow.h"

namespace convkit::simt::check {
namespace {

using TaskPointer = std::shared_ptr<const Task>;

constexpr size_t kMostLaunches = 4096;
constexpr size_t kMostUses = 1024;

std::vector<KnownLaunch> g_launches;  // those that began, in their order
uint64_t g_launched = 0;              // so many have begun

// Of what is no kernel.
struct RangeUse {
  uintptr_t begin, end;
  bool writes;
  TaskPointer task;
  uintptr_t pc = 0;  // of host code
};
std::vector<RangeUse> g_uses;
std::vector<RangeUse> g_unordered;  // with the running launch

template <class T>
void keep_at_most(std::vector<T>& all, size_t most) {
  if (all.size() > most) all.erase(all.begin(), all.begin() + static_cast<ptrdiff_t>(most / 2));
}

bool ordered(const Task& earlier, const Task& later) {
  return earlier.comes_before(later);
}

// Whether the launch, as a whole, comes before one of the task that was born so.
bool wholly_before(const KnownLaunch& launch, const Task& task, const Birth* birth) {
  if (launch.task.get() != &task) return ordered(*launch.task, task);
  const Birth* child = nullptr;
  return kinship(launch.number, launch.birth.get(), birth, &child) == Kinship::before;
}

// The first event of the launches that are not ordered with the task, or `none`.
uint32_t first_unordered(const Task& task, uint32_t none, const Birth* birth = nullptr) {
  const auto found =
      std::find_if(g_launches.begin(), g_launches.end(),
                   [&](const KnownLaunch& launch) { return !wholly_before(launch, task, birth); });
  return found == g_launches.end() ? none : std::min(none, found->first_event);
}

TaskPointer launch_at(uint32_t event) {
  const KnownLaunch* launch = known_launch(event);
  return launch == nullptr ? nullptr : launch->task;
}

// Streams take memory that CUDA knows: what else a copy reads or writes is done with the call.
bool is_of_cuda(uintptr_t at) {
  const auto* address = reinterpret_cast<const void*>(at);
  return is_device_address(address) || allocation_at(address, 0).has_value();
}

std::string on_stream(const Task& task) {
  const bool is_programs_own = task.is_launch || !task_line(task).file.empty();
  return (is_programs_own ? task_text(task) : task.name + ", which the caller has queued") + " " +
         place_text(task);
}

const char* verb(bool writes) {
  return writes ? "writes" : "reads";
}

std::string user_text(const RangeUse& use) {
  return use.task->is_host ? "host code at " + line_of(use.pc).text() : on_stream(*use.task) + ",";
}

std::string advice_for(const Task& one, const Task& other) {
  if (!one.is_host && !other.is_host) return order_advice(one, other);
  return "Let the host wait before it touches what the device uses: cudaDeviceSynchronize(), or "
         "cudaStreamSynchronize() of that stream.";
}

const char* kind_for(const Task& one, const Task& other) {
  return one.is_host || other.is_host ? "race_with_host" : "race_across_streams";
}

void quote(const SourceLine& line, Report& report) {
  if (!line.file.empty()) report.lines.push_back(line);
}

void quote(const RangeUse& use, Report& report) {
  quote(use.task->is_host ? line_of(use.pc) : task_line(*use.task), report);
}

std::string memory_text(uintptr_t at) {
  const Place place = name_place(at);
  return place.name.empty()
             ? "memory"
             : place.name + " (" + std::to_string(place.bytes) + " bytes" + place.remark + ")";
}

void report_uses(const RangeUse& earlier, const RangeUse& later, uintptr_t at) {
  Report report;
  report.kind = kind_for(*later.task, *earlier.task);
  quote(later, report);
  quote(earlier, report);
  report.sentence = user_text(later) + " " + verb(later.writes) + " " + memory_text(at) + ", and " +
                    user_text(earlier) + " " + verb(earlier.writes) +
                    " it: nothing orders the two.";
  report.advice = advice_for(*later.task, *earlier.task);
  tell(report);
}

// `stamp`: of the kernel's access.
void report_use_and_kernel(const RangeUse& use, const Task& launch, Stamp stamp, bool kernel_writes,
                           uintptr_t at, bool frees) {
  Report report;
  report.kind = kind_for(*use.task, launch);
  quote(use, report);
  quote(task_line(launch), report);
  const SourceLine line = line_of_stamp(stamp, 0);
  report.sentence = user_text(use) + " " + (frees ? "frees" : verb(use.writes)) + " " +
                    memory_text(at) + ", and " + on_stream(launch) + ", " + verb(kernel_writes) +
                    " it" + (line.file.empty() ? "" : " at " + line.text()) +
                    ": nothing orders the two.";
  report.advice =
      frees ? "Give cudaFreeAsync the stream of the kernel, or let its stream wait for an event "
              "that is recorded behind the kernel."
            : advice_for(*use.task, launch);
  tell(report);
}

// Calls visit(cell, address) for the cells of whole words and of single bytes.
template <class Visit>
bool any_cell(uintptr_t begin, uintptr_t end, const Visit& visit) {
  for (uintptr_t word = begin & ~uintptr_t{3}; word < end; word += 4) {
    const Cell* cell = cell_of(word);
    if (cell == nullptr) continue;
    if (!is_split(cell->write)) {
      if (visit(*cell, std::max(word, begin))) return true;
      continue;
    }
    const Cell* bytes = split_cells(split_index(cell->write));
    for (unsigned i = 0; i < 4; ++i) {
      const bool inside = word + i >= begin && word + i < end;
      if (inside && visit(bytes[i], word + i)) return true;
    }
  }
  return false;
}

bool meets_kernel(const RangeUse& use, bool frees) {
  constexpr uint32_t kNone = ~0u;
  const uint32_t first = first_unordered(*use.task, kNone);
  if (first == kNone) return false;
  const auto meets = [&](Stamp access, bool kernel_writes, uintptr_t at) {
    if (event_of(access) < first) return false;
    const TaskPointer launch = launch_at(event_of(access));
    if (!launch || ordered(*launch, *use.task)) return false;
    report_use_and_kernel(use, *launch, access, kernel_writes, at, frees);
    return true;
  };
  return any_cell(use.begin, use.end, [&](const Cell& cell, uintptr_t at) {
    return meets(cell.write, true, at) || (use.writes && meets(cell.read, false, at));
  });
}

bool overlap(const RangeUse& one, const RangeUse& other) {
  return one.begin < other.end && other.begin < one.end && (one.writes || other.writes);
}

void look_for_uses(const RangeUse& use) {
  const auto found = std::find_if(g_uses.begin(), g_uses.end(), [&](const RangeUse& earlier) {
    return overlap(earlier, use) && !ordered(*earlier.task, *use.task);
  });
  if (found != g_uses.end()) report_uses(*found, use, std::max(found->begin, use.begin));
}

}  // namespace

std::string order_advice(const Task& one, const Task& other) {
  if (one.graph && one.graph == other.graph) {
    return "Only its edges order the nodes of a graph. Add one with cudaGraphAddDependencies(), or "
           "give the second node the first as a dependency; while streams are captured, let the "
           "stream of the second wait for an event that is recorded behind the first.";
  }
  return "Use one stream for both. Or record an event behind the first, and let the stream of the "
         "second wait for it: cudaEventRecord(event, first); cudaStreamWaitEvent(second, event, "
         "0).";
}

const KnownLaunch* known_launch(uint32_t event) {
  const auto after = std::upper_bound(
      g_launches.begin(), g_launches.end(), event,
      [](uint32_t value, const KnownLaunch& launch) { return value < launch.first_event; });
  return after == g_launches.begin() ? nullptr : &*std::prev(after);
}

uint64_t number_of_running_launch() {
  return g_launches.empty() ? 0 : g_launches.back().number;
}

void order_launch(const Grid& grid) {
  g_unordered.clear();
  const TaskPointer task = running_task();
  if (!task) return;
  const uint32_t own = event_of(present.launch_floor);
  auto birth = std::static_pointer_cast<const Birth>(grid.birth);
  present.ordered_floor = event_stamp(first_unordered(*task, own, birth.get()));
  std::copy_if(g_uses.begin(), g_uses.end(), std::back_inserter(g_unordered),
               [&](const RangeUse& use) { return !ordered(*use.task, *task); });
  if (!g_unordered.empty()) look_closely(kForStreams, true);
  g_launches.push_back(
      {own,
       task,
       {grid.blocks_dim, grid.threads_dim},
       ++g_launched,
       std::move(birth),
       grid.is_child ? grid.name + ", launched at " + file_and_line(grid.file, grid.line) : ""});
  keep_at_most(g_launches, kMostLaunches);
}

void forget_launches() {
  g_launches.clear();
}

const KnownLaunch* unordered_launch(Stamp access) {
  const TaskPointer task = running_task();
  const KnownLaunch* launch = known_launch(event_of(access));
  if (!task || launch == nullptr) return nullptr;
  if (launch->task != task) return ordered(*launch->task, *task) ? nullptr : launch;
  const Birth* child = nullptr;
  switch (kinship(launch->number, launch->birth.get(), g_launches.back().birth.get(), &child)) {
    case Kinship::before:
      return nullptr;
    case Kinship::parent:
      return comes_before(access, *child) ? nullptr : launch;
    case Kinship::sibling:
      break;
  }
  return launch;
}

Kinship kinship_of(const KnownLaunch& earlier) {
  const Birth* child = nullptr;
  return kinship(earlier.number, earlier.birth.get(), g_launches.back().birth.get(), &child);
}

void use_in_stream(uintptr_t begin, size_t bytes, bool writes) {
  const TaskPointer task = running_task();
  if (!task || bytes == 0 || !is_of_cuda(begin)) return;
  const RangeUse use{begin, begin + bytes, writes, task};
  if (meets_kernel(use, false)) return;
  look_for_uses(use);
  g_uses.push_back(use);
  keep_at_most(g_uses, kMostUses);
}

void use_by_host(const Access& access) {
  const TaskPointer task = running_task() ? nullptr : host_task();  // none in a host function
  if (!task) return;
  const uintptr_t end = access.at + access.size;
  const bool writes = access.use & kWrite;
  // A loop over some arrays is one use of each.
  constexpr size_t kMostArrays = 8;
  const auto recent = g_uses.size() < kMostArrays ? g_uses.begin() : g_uses.end() - kMostArrays;
  const auto last = std::find_if(recent, g_uses.end(), [&](const RangeUse& use) {
    return use.task == task && use.pc == access.pc && use.begin <= access.at &&
           access.at <= use.end;
  });
  const bool again = last != g_uses.end();
  if (again && end <= last->end) return;
  const RangeUse use{access.at, end, writes, task, access.pc};
  if (!meets_kernel(use, false)) look_for_uses(use);
  if (again) {
    last->end = end;
  } else {
    g_uses.push_back(use);
    keep_at_most(g_uses, kMostUses);
  }
}

void look_for_copies(const Access& access) {
  const bool writes = access.use & kWrite;
  const auto found = std::find_if(g_unordered.begin(), g_unordered.end(), [&](const RangeUse& use) {
    return use.begin < access.at + access.size && access.at < use.end && (use.writes || writes);
  });
  if (found == g_unordered.end()) return;
  const RangeUse use = *found;
  g_unordered.erase(found);
  if (g_unordered.empty()) look_closely(kForStreams, false);
  const TaskPointer task = running_task();
  if (task) report_use_and_kernel(use, *task, stamp_of(access.pc), writes, access.at, false);
}

void free_in_stream(const Allocation& allocation) {
  const TaskPointer task = running_task();
  const auto begin = reinterpret_cast<uintptr_t>(allocation.begin);
  if (task) meets_kernel({begin, begin + allocation.bytes, true, task}, true);
  std::erase_if(g_uses, [&](const RangeUse& use) {
    return use.begin >= begin && use.begin < begin + allocation.bytes;
  });
}

std::string task_text(const Task& task) {
  if (task.is_launch) {
    return task.name + ", launched at " + file_and_line(task.file, task.line);
  }
  const auto* site = static_cast<const CallSite*>(task.site.get());
  return task.name + ", called at " + (site ? site->line() : SourceLine{}).text();
}

std::string callers_of_running_launch() {
  const TaskPointer task = lines_are_addresses() ? running_task() : nullptr;
  if (!task || !task->is_launch || !task->site) return "";
  const SourceLine line = static_cast<const CallSite*>(task->site.get())->line();
  return line.file.empty() ? "" : ", called from " + line.file;
}

SourceLine task_line(const Task& task) {
  // An address stands for a line, and a launch has none.
  if (task.is_launch)
    return lines_are_addresses() ? SourceLine{} : SourceLine{task.file, task.line};
  const auto* site = static_cast<const CallSite*>(task.site.get());
  return site ? site->line() : SourceLine{};
}

std::string stream_text(const StreamOrigin& stream) {
  if (stream.number == 0) return "the default stream";
  const auto* site = static_cast<const CallSite*>(stream.site.get());
  const SourceLine line = site ? site->line() : SourceLine{};
  // The program's own streams have lines; the grader's has none.
  return line.file.empty() ? "the given stream" : "the stream made at " + line.text();
}

std::string place_text(const Task& task) {
  if (!task.graph) return "on " + stream_text(*task.stream);
  const auto* site = static_cast<const CallSite*>(task.graph->site.get());
  return "in the graph launched at " + (site ? site->line() : SourceLine{}).text() + " on " +
         stream_text(*task.graph->stream);
}

}  // namespace convkit::simt::check
