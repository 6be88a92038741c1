// SPDX-License-Identifier: MIT
// What the CPU device's profiler has counted of one run (cpu_device/profile), as the grader reads
// it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "profile/card.h"
#include "profile/roofline.h"

namespace convkit {

// The accesses of one kind in one line of the source. What does not belong to the kind is 0.
struct ProfiledLine {
  std::string file;
  int line = 0;
  std::string kind;  // "global_load", "shared_store", "global_atomic", ...
  uint64_t requests = 0, lanes = 0, possible_lanes = 0;
  uint64_t sectors = 0, bytes_used = 0, bytes_moved = 0;  // global memory
  uint64_t wavefronts = 0, bank_conflicts = 0;            // shared memory
  uint64_t addresses = 0, passes = 0, most_on_one_address = 0;
  uint64_t words = 0;  // constant memory

  // Adds the counts of another line of that kind.
  ProfiledLine& operator+=(const ProfiledLine& other);
};

struct ProfiledArithmetic {
  std::string file;
  int line = 0;
  OperationCounts counts;
};

struct ProfiledBarrier {
  std::string file;
  int line = 0;
  uint64_t times = 0;  // blocks that passed it
};

// One instruction of a warp that accesses memory, or a barrier.
struct ProfiledStep {
  std::string file;
  int line = 0;
  std::string kind;           // as of a ProfiledLine, or "barrier"; then nothing follows
  std::string place;          // "x", "tile", "allocation 2"
  std::vector<int64_t> dims;  // of a tensor; else empty
  unsigned bytes = 0;         // of each lane's access
  unsigned cost = 0;          // sectors, wavefronts, or the most lanes on one address
  // Of the place, in C order, by lane; nothing where a lane takes no part.
  std::vector<std::optional<int64_t>> elements;
};

// What one warp did in the first launch of a kernel, in its order.
struct ProfiledTrace {
  uint64_t block = 0;  // counted by x, y, z
  unsigned warp = 0, lanes = 0;
  uint64_t left_out = 0;  // accesses behind the last step
  std::vector<ProfiledStep> steps;
};

struct ProfiledKernel {
  std::string name;
  uint64_t launches = 0, blocks = 0, threads_per_block = 0, not_counted = 0;
  uint64_t dynamic_shared_bytes = 0;  // of a block; the most of all launches
  std::string limiter, sentence;
  std::vector<ProfiledLine> lines;             // by file and line
  std::vector<ProfiledArithmetic> arithmetic;  // by file and line
  std::string arithmetic_unknown;              // why it is not known: a sentence; or ""
  // Of each launch, added up; an atomic operation loads and stores.
  uint64_t different_sectors_loaded = 0, different_sectors_stored = 0;
  std::vector<ProfiledBarrier> barriers;
  std::optional<ProfiledTrace> trace;        // where one was asked for, of a warp that there is
  std::optional<KernelOccupancy> occupancy;  // on a card, where one was named
  std::optional<Roofline> roofline;          // likewise, of arithmetic that is known
};

OperationCounts operations_of(const ProfiledKernel& kernel);
Traffic traffic_of(const ProfiledKernel& kernel);

// One call of a function of a stage.
struct ProfiledCase {
  std::string op, name, sizes;
  std::string problem;  // why there are no kernels, or ""
  std::vector<ProfiledKernel> kernels;
};

// "conv_forward, case small  N 2, ..."
std::string case_line(const ProfiledCase& profile);

struct ProfiledRun {
  std::vector<ProfiledKernel> kernels;
  std::string printed;  // by the program, before
};

// From what a program has printed, at whose end the profiler has written its JSON. Files that the
// compiler names otherwise are looked for in `sources`, by their last names. Throws KitError where
// there is no profile.
ProfiledRun read_profile(const std::string& output, const std::filesystem::path& sources = {});

nlohmann::ordered_json json_of(const std::string& stage, const std::vector<ProfiledCase>& cases);
// What the above has written into a file. Throws UsageError naming the file that cannot be read, is
// no such document, or is one of another stage.
std::vector<ProfiledCase> saved_profile(const std::filesystem::path& file,
                                        const std::string& stage);

}  // namespace convkit
