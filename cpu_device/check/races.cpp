// SPDX-License-Identifier: MIT
#include "cpu_device/check/races.h"

#include "cpu_device/check/places.h"
#include "cpu_device/check/present.h"
#include "cpu_device/check/reports.h"

namespace convkit::simt::check {
namespace {

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

std::string advice(const Race& race, bool may_be_one_line) {
  if (race.volatile_update) {
    return "`volatile` makes no update whole: what another thread writes between the read and the "
           "write is lost. Use atomics.";
  }
  const bool sums = may_be_one_line && race.earlier_wrote && !race.across_blocks;
  if (race.across_blocks) {
    return "Blocks run in any order and at the same time: let each block write its own elements, "
           "use atomics, or make two launches.";
  }
  if ((race.earlier & kAtomic) || (race.access.use & kAtomicUse)) {
    return "Wait with __syncthreads() between the atomic accesses and the plain ones.";
  }
  return sums ? "If all of them add to one element, use atomicAdd(); "
                "otherwise put __syncthreads() between the two."
              : "Put __syncthreads() between the two, "
                "at a place that every thread of the block reaches.";
}

}  // namespace

void report_race(const Race& race) {
  Report report;
  const bool is_volatile =
      race.volatile_update || (race.shared && (race.access.use & kVolatileUse));
  report.kind = is_volatile          ? "race_volatile"
                : race.across_blocks ? "race_across_blocks"
                : race.shared        ? "race_shared"
                                     : "race_global_block";
  const SourceLine later = line_of(race.access.pc);
  const SourceLine earlier = line_of_stamp(race.earlier, race.access.pc);
  report.lines = {later, earlier};
  report.where = race.where;
  report.sentence = thread_text(race.thread) + " " + later_verb(race.access.use) + " " +
                    describe(name_place(race.at), race.at, race.access.size) + " at " +
                    later.text() + ", and " + earlier_thread(race) + " " + earlier_verb(race) +
                    " it at " + earlier.text() +
                    (race.across_blocks ? ", in the same launch." : ", with no barrier between.");
  report.advice = advice(race, later == earlier || lines_are_addresses());
  tell(report);
}

}  // namespace convkit::simt::check
