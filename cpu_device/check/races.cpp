// SPDX-License-Identifier: MIT
#include "cpu_device/check/races.h"

#include <set>
#include <tuple>

#include "cpu_device/check/places.h"
#include "cpu_device/check/present.h"
#include "cpu_device/check/reports.h"
#include "cpu_device/check/shadow.h"
#include "cpu_device/check/stream_order.h"
#include "cpu_device/check/tensors.h"
#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {
namespace {

// The kind, both instructions, and the generation of the code: other code may take its place.
using Pair = std::tuple<const char*, uintptr_t, Stamp, unsigned>;
std::set<Pair> g_reported;

BarrierSite g_last_barrier = {};  // of the running block; no file: none yet

// Of accesses in the same launch.
const char* kind_of(const Race& race) {
  const bool is_volatile =
      race.story == Story::volatile_update || (race.shared && (race.access.use & kVolatileUse));
  if (is_volatile) return "race_volatile";
  if (race.across_blocks) return "race_across_blocks";
  return race.shared ? "race_shared" : "race_global_block";
}

Pair pair_of(const Race& race) {
  return {kind_of(race), race.access.pc, race.earlier & kPcMask, device_code_generation()};
}

std::string index_text(uint3 index) {
  return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," +
         std::to_string(index.z) + ")";
}

const char* later_verb(unsigned use) {
  if ((use & kAtomicUse) && (use & kWrite)) return "changes";
  return use & kWrite ? "writes" : "reads";
}

const char* earlier_verb(const Race& race) {
  if (!race.earlier_wrote) return "read";
  return race.earlier & kAtomic ? "changed" : "wrote";
}

// Who made the earlier access, as far as it is known.
std::string earlier_thread(const Race& race) {
  const unsigned thread = thread_of(race.earlier);
  if (!race.across_blocks) {
    return thread == race.thread ? "another thread of the block" : thread_text(thread);
  }
  const BlockAt block = block_at(event_of(race.earlier));
  const bool own = event_of(race.earlier) >= race.block;
  if (own || !block.known) return "a thread of another block";
  return thread_text(thread) + " of block " + index_text(block.index);
}

// Both write, or change what they have read, without a thought of each other.
bool both_write(const Race& race) {
  const bool plain = !(race.earlier & kAtomic) && !(race.access.use & kAtomicUse);
  const bool writes =
      race.story == Story::update || ((race.access.use & kWrite) && !(race.access.use & kRead));
  return plain && writes && race.earlier_wrote && race.story != Story::volatile_update;
}

// "threads (8,3,0) and (0,3,0) of block (0,0,0)"
std::string both_threads(const Race& race) {
  const BlockAt own = block_at(race.block);
  const unsigned earlier = thread_of(race.earlier);
  const bool one_block = !race.across_blocks && earlier != race.thread;
  if (one_block && own.known) {
    return "threads " + index_text(thread_index(race.thread)) + " and " +
           index_text(thread_index(earlier)) + " of block " + index_text(own.index);
  }
  return thread_text(race.thread) + (own.known ? " of block " + index_text(own.index) : "") +
         " and " + earlier_thread(race);
}

// If two threads share an element because rows of the array have another length than rows of
// threads.
std::string collision_of_rows(const Race& race) {
  const Place place = name_place(race.at);
  const uint3 threads = threads_of_block();
  const auto element = static_cast<int64_t>((race.at - place.begin) / race.access.size);
  const bool both =
      place.begin != 0 && !race.across_blocks &&
      is_in_rows_of_block_height(element, threads, thread_index(race.thread)) &&
      is_in_rows_of_block_height(element, threads, thread_index(thread_of(race.earlier)));
  return both ? exchanged_sizes(threads) : "";
}

// If one of the two threads computes nothing.
std::string beyond_output(const Race& race) {
  const BlockAt own = block_at(race.block), other = block_at(event_of(race.earlier));
  std::string text;
  if (own.known) text = beyond_outputs(own.index, thread_index(race.thread));
  if (text.empty() && other.known) {
    text = beyond_outputs(other.index, thread_index(thread_of(race.earlier)));
  }
  return text;
}

// If one of the two goes past the end of a row, or of another axis, with the neighbours that it
// computes: it has also written the last element before this one.
std::string beyond_end(const Race& race) {
  const Place place = name_place(race.at);
  if (race.shared || place.dims.empty() || place.element_bytes < sizeof(float)) return "";
  const auto bytes = static_cast<int64_t>(place.element_bytes);
  const BlockAt block = block_at(event_of(race.earlier));
  for (const EndOfAxis& end :
       ends_before(place.name, place.dims, static_cast<int64_t>(race.at - place.begin) / bytes)) {
    const Stamp write = last_write(place.begin + static_cast<uintptr_t>(end.element * bytes));
    const unsigned thread = thread_of(write);
    if (event_of(write) < kFirstEvent) continue;
    const BlockAt other = block_at(event_of(write));
    const bool is_own = event_of(write) >= race.block && thread == race.thread;
    const bool is_earlier = thread == thread_of(race.earlier) && other.known && block.known &&
                            index_text(other.index) == index_text(block.index);
    if (!is_own && !is_earlier) continue;
    const std::string of_block =
        race.across_blocks && other.known ? " of block " + index_text(other.index) : "";
    return beyond_end_text("Of the two, " + thread_text(thread) + of_block, place.name, place.dims,
                           end);
  }
  return "";
}

std::string sentence_of_both(const Race& race, const SourceLine& later, const SourceLine& earlier) {
  const Place place = name_place(race.at);
  const bool one_line = later == earlier;
  std::string text = both_threads(race) + " both " +
                     (race.story == Story::update ? "update " : "write ") +
                     describe(place, race.at, race.access.size) + " at " + later.text() +
                     (one_line ? "" : " and " + earlier.text());
  if (race.story == Story::update) {
    return text +
           ": each reads it and writes it back, and nothing orders them, so one update may "
           "be lost.";
  }
  return text + (race.across_blocks ? ", in the same launch." : ", with no barrier between.");
}

std::string advice_for_both(const Race& race, bool may_be_one_line) {
  std::string text = race.shared ? collision_of_rows(race) : beyond_output(race);
  if (text.empty()) text = beyond_end(race);
  if (!may_be_one_line && !race.across_blocks) {
    return text +
           "Put __syncthreads() between the two, at a place that every thread of the block "
           "reaches.";
  }
  return text + "If one thread is to compute this element, look at how the index is made from " +
         (race.across_blocks ? "blockIdx and threadIdx" : "threadIdx") +
         ". If several threads add to it, use atomicAdd().";
}

std::string text_of(BarrierSite site) {
  return site.file == nullptr || site.line <= 0 ? "" : file_and_line(site.file, site.line);
}

// What advice_on_loop() says, or the question that with_known_lines() of the grader answers.
std::string advice_on_loop_of(const SourceLine& later, const SourceLine& earlier) {
  const std::string met = text_of(g_last_barrier), waits = text_of(opening_barrier());
  if (met.empty()) return "";
  if (lines_are_addresses()) return kLoopQuestion + met + "," + waits;
  return advice_on_loop(met, waits, later.text(), earlier.text());
}

// What is missing where something was to order the two; "" if nothing was.
std::string missing_text(Missing missing) {
  switch (missing) {
    case Missing::device_scope:
      return "A fence or an atomic between them is for one block only, and the threads are of two: "
             "use __threadfence(), and atomics without `_block`.";
    case Missing::fence_of_lock:
      return "A lock orders what is done under it only if every thread that takes it calls "
             "__threadfence() right behind its atomicCAS() (__threadfence_block() if only threads "
             "of one block use it).";
    case Missing::fence_of_writer:
      return "The thread of the earlier access tells of it by an atomic or volatile access, but "
             "calls no fence between the two: put __threadfence() there (__threadfence_block() if "
             "only threads of its block wait for it).";
    case Missing::nothing_known:
      break;
  }
  return "";
}

// Whether the two instructions may be of one statement, where lines are not known.
bool are_close(const Race& race) {
  constexpr Stamp kBytes = 64;
  const Stamp distance = (race.access.pc - race.earlier) & kPcMask;
  return distance <= kBytes || distance >= kPcMask + 1 - kBytes;
}

std::string advice(const Race& race, bool may_be_one_line) {
  switch (race.story) {
    case Story::volatile_update:
      return "`volatile` makes no update whole: what another thread writes between the read and "
             "the write is lost. Use atomics.";
    case Story::volatile_data:
      return "`volatile` orders nothing. Make every access to the element under the same lock, or "
             "use atomics for it.";
    case Story::beside_atomic:
      return "A plain read beside atomics may see an old value, or one that changes right behind "
             "it: decide by what the atomic returns, or read with an atomic, too "
             "(cuda::atomic_ref, or atomicAdd(&x, 0)).";
    case Story::narrow_atomic:
      return "What ends in `_block` is atomic among the threads of one block, and others' changes "
             "may be lost: use the function without it.";
    default:
      break;
  }
  const bool sums = may_be_one_line && race.earlier_wrote && !race.across_blocks;
  if (race.across_blocks && present.cooperative) {
    return "Blocks run at the same time: put grid_group::sync() between the two, at a place that "
           "every thread of the grid reaches, or let each block write its own elements.";
  }
  if (race.across_blocks) {
    return "Blocks run in any order and at the same time: let each block write its own elements, "
           "use atomics, or make two launches. An atomic or a flag that tells of data needs "
           "__threadfence() in front of it.";
  }
  constexpr unsigned kWarpSize = 32;
  const bool one_warp = race.thread / kWarpSize == thread_of(race.earlier) / kWarpSize;
  if (race.shared && (race.access.use & kVolatileUse) && one_warp) {
    return "`volatile` does not keep the lanes of a warp in step: put __syncwarp() between the "
           "two.";
  }
  if ((race.earlier & kAtomic) || (race.access.use & kAtomicUse)) {
    return "Wait with __syncthreads() between the atomic accesses and the plain ones.";
  }
  const bool two_lanes =
      one_warp && !(race.earlier & kSeveralWarps) && race.thread != thread_of(race.earlier);
  if (race.shared && two_lanes && !sums) {
    return "Put __syncthreads() between the two, at a place that every thread of the block "
           "reaches, or __syncwarp() where only lanes of one warp, as these two, share the "
           "element.";
  }
  const Place place = name_place(race.at);
  if (!race.shared && place.begin != 0 && is_given_twice(place.begin, place.bytes)) {
    return "The kernel was given two pointers into this memory: what one thread writes through "
           "one, another still has to read through the other. Let it write to other memory than it "
           "reads.";
  }
  return sums ? "If all of them add to one element, use atomicAdd(); "
                "otherwise put __syncthreads() between the two."
              : "Put __syncthreads() between the two, "
                "at a place that every thread of the block reaches.";
}

}  // namespace

// A launch that comes of the same launch by the host made the earlier access.
void say_race_of_grids(const KnownLaunch& launch, Report& report) {
  const bool is_parent = kinship_of(launch) == Kinship::parent;
  report.kind = "race_across_grids";
  report.sentence +=
      is_parent
          ? ": this grid comes of a launch in that kernel, and nothing orders the two accesses."
          : ": both grids come of one launch, and nothing orders them.";
  report.advice =
      is_parent
          ? "Before a child grid comes only what its thread did before the launch, and what its "
            "block did before a __syncthreads() before the launch. A launch in "
            "cudaStreamTailLaunch runs behind the whole parent."
          : "Launch both in one stream of one block, or the second in cudaStreamTailLaunch.";
}

// A launch that nothing orders with the running one made the earlier access.
void report_race_of_streams(const Race& race) {
  const KnownLaunch* launch = unordered_launch(race.earlier);
  const auto own = running_task();
  if (launch == nullptr || !own) return;
  const bool of_family = launch->task == own;
  Report report;
  report.kind = "race_across_streams";
  const SourceLine later = line_of(race.access.pc);
  const SourceLine earlier = line_of_stamp(race.earlier, race.access.pc);
  report.lines = {later, earlier};
  report.where = race.where;
  report.sentence = thread_text(race.thread) + " " + later_verb(race.access.use) + " " +
                    describe(name_place(race.at), race.at, race.access.size) + " at " +
                    later.text() + ", and " +
                    (launch->text.empty() ? task_text(*launch->task) : launch->text) +
                    (of_family ? "" : " " + place_text(*launch->task)) + ", " + earlier_verb(race) +
                    " it at " + earlier.text();
  if (of_family) {
    say_race_of_grids(*launch, report);
  } else {
    report.sentence += ": nothing orders that launch and this one, " + place_text(*own) + ".";
    report.advice = order_advice(*launch->task, *own);
  }
  tell(report);
}

void report_race(const Race& race) {
  if (race.across_streams) return report_race_of_streams(race);
  if (!g_reported.insert(pair_of(race)).second) return;
  Report report;
  report.kind = kind_of(race);
  const SourceLine later = line_of(race.access.pc);
  const SourceLine earlier = line_of_stamp(race.earlier, race.access.pc);
  report.lines = {later, earlier};
  report.where = race.where;
  report.sentence = thread_text(race.thread) + " " + later_verb(race.access.use) + " " +
                    describe(name_place(race.at), race.at, race.access.size) + " at " +
                    later.text() + ", and " + earlier_thread(race) + " " + earlier_verb(race) +
                    " it at " + earlier.text() +
                    (race.across_blocks ? ", in the same launch." : ", with no barrier between.");
  const bool may_be_one_line = later == earlier || (lines_are_addresses() && are_close(race));
  if (race.missing != Missing::nothing_known) {
    report.advice = missing_text(race.missing);
  } else if (both_write(race)) {
    report.sentence = sentence_of_both(race, later, earlier);
    report.advice = advice_for_both(race, may_be_one_line);
  } else {
    report.advice = advice(race, may_be_one_line);
  }
  if (!race.across_blocks && !may_be_one_line && race.missing == Missing::nothing_known) {
    report.advice += advice_on_loop_of(later, earlier);
  }
  tell(report);
}

// Of streams, the launch that made the earlier access counts, too.
bool was_reported(const Race& race) {
  return !race.across_streams && g_reported.contains(pair_of(race));
}

void forget_races() {
  g_reported.clear();
}

void block_met(BarrierSite site) {
  g_last_barrier = site;
}

}  // namespace convkit::simt::check
