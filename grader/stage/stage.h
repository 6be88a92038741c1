// SPDX-License-Identifier: MIT
// A stage, as described by assignments/<id>/stage.toml: everything the grader knows about it.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "stage/adjoint_table.h"
#include "stage/bench_tables.h"
#include "stage/drawn_table.h"
#include "stage/sizes.h"
#include "stage/training_table.h"

namespace convkit {

struct Hint {
  std::string text;
  std::vector<std::string> until;  // cases and functions: once all of them pass, it is done
};

struct Task {
  std::string id;  // "01.3"
  std::string title;
  std::string file;
  std::vector<Hint> hints;  // from a nudge to nearly the answer
};

struct Group {
  std::string name;  // as in the case specs
  std::string title;
  double points = 0;
};

struct StageLimits {
  std::chrono::seconds build{60};        // one compiler run ...
  std::chrono::seconds all_builds{300};  // ... and the sum over the files of a stage
  std::chrono::seconds one_case{10};
  std::chrono::seconds all_cases{120};      // of a stage together
  uint64_t memory_bytes = 2048ull << 20;    // address space
  uint64_t resident_bytes = 2048ull << 20;  // memory in use
  uint64_t output_bytes = 1024ull << 10;
};

struct Stage {
  std::string id;                   // "01_blur"
  int number = 0;                   // 1
  std::filesystem::path directory;  // assignments/<id>
  std::string title, summary, time;
  std::vector<std::string> needs;      // ids of stages to be done before
  std::string device;                  // "cpu" or "gpu"
  std::string api;                     // header name inside `directory`
  std::vector<std::string> files;      // what a submission must contain
  std::string begin;                   // the file that the handout begins with, one of them
  std::vector<std::string> flags;      // of the compiler
  std::vector<std::string> libraries;  // NVIDIA's, such as "cublas", or their stand-ins
  std::vector<std::string> forbidden_symbols;
  StageLimits limits;
  // What stage.toml says of all cases alike, the limits left aside (TomlReader::text).
  std::string rules;
  double unit_roundoff = 0x1p-24;
  double factor = 1;
  // Ops whose outputs are sums of products, and the two inputs that are multiplied: {"x", "w"}.
  std::map<std::string, std::array<std::string, 2>> products;
  // The functions with cases of their own that an op calls, by op: {"unroll_elements"}.
  std::map<std::string, std::vector<std::string>> calls;
  // What the elements of an output are, by op and output: {"n", "m", "oh", "ow"}.
  std::map<std::string, std::map<std::string, std::vector<std::string>>> elements;
  // What the values of an int32 output are called, by op and output: {{0, "cudaSuccess"}}.
  std::map<std::string, std::map<std::string, std::map<int32_t, std::string>>> values;
  std::vector<std::string> same_bits;   // ops that must give the same bits on every run
  std::vector<std::string> by_library;  // ops that must call a library of the device
  std::vector<std::string> on_device;   // ops that must launch a kernel or call a library
  std::vector<Task> tasks;
  std::vector<Group> groups;
  std::vector<SpeedCase> speed;
  std::vector<DrawnTable> drawn;
  std::vector<AdjointTable> adjoint;
  std::vector<TrainingTable> training;
  std::vector<Sweep> sweeps;
  std::vector<Ladder> ladders;
  std::vector<Chart> charts;

  double max_points() const;
  double speed_points() const;
  const Task* task(const std::string& task_id) const;
};

// Reads and checks one stage.toml. Throws KitError naming file, line and key.
Stage load_stage(const std::filesystem::path& file);

// The same from the file's text, which is not read again.
Stage parse_stage(const std::string& text, const std::filesystem::path& file);

// A stage whose stage.toml cannot be used.
struct BrokenStage {
  std::string id;     // the folder's name
  std::string fault;  // a sentence with file, line and key
};

struct LoadedStages {
  std::vector<Stage> stages;        // by id
  std::vector<BrokenStage> broken;  // by id
};

// All stages below `assignments`. One that is broken does not stop the others; throws KitError if
// there are no others.
LoadedStages load_stages(const std::filesystem::path& assignments);

// "3", "03", "03_blur" -> the stage; throws UsageError listing what exists (and what may have
// been meant), or KitError where it is one of `broken`.
const Stage& find_stage(const std::vector<Stage>& stages, const std::string& name,
                        const std::vector<BrokenStage>& broken = {});

}  // namespace convkit
