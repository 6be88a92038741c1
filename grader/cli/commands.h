// SPDX-License-Identifier: MIT
// The commands. Each returns the exit code: 0 everything passed, 1 the submission falls short,
// 2 used wrongly, 3 the grader failed, 130 interrupted.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grade/kit.h"

namespace convkit {

int run_list(const Kit& kit);

struct StartOptions {
  std::string stage;
  std::vector<std::string> reference;  // stages whose solution is put beside the student's files
};
int run_start(const Kit& kit, const StartOptions& options);

struct CheckOptions {
  std::string stage;
  std::filesystem::path folder;  // empty: the student's work folder
  std::string only_case;
  std::filesystem::path json;
  bool watch = false, hint = false, sanitize = false, verbose = false;
};
int run_check(const Kit& kit, const CheckOptions& options);

struct RunOptions {
  std::string stage;
  std::filesystem::path folder;    // empty: the student's work folder
  std::vector<std::string> cases;  // empty: all visible ones
  std::vector<std::string> tool;   // the words before the program's name, if any
  unsigned seconds = 600;          // for one case
};
int run_under(const Kit& kit, const RunOptions& options);

struct TrainOptions {
  std::string stage;
  std::filesystem::path folder;  // empty: the student's work folder
  bool solution = false;         // the reference solution in its place
  std::string data;              // mnist, fashion, synthetic or a folder; empty: what there is
  std::filesystem::path out;     // of checkpoints and pictures; empty: work/training/NN_name
  // Passed on to the stage's program as they are; empty: its defaults.
  std::string model, epochs, batch, lr, seed;
  std::filesystem::path resume;
  std::vector<std::string> further;
};
int run_train(const Kit& kit, const TrainOptions& options);

struct PredictOptions {
  std::filesystem::path model;                // a checkpoint
  std::vector<std::filesystem::path> images;  // pictures of a digit each
  std::filesystem::path json;
};
int run_predict(const PredictOptions& options);

struct BenchOptions {
  std::string stage;
  std::filesystem::path folder;
  std::filesystem::path json;
  bool solution = false;  // time the reference solution too
  bool peers = true;      // vendor libraries where they build
  bool own = true;        // the student's work, if there is any
  double seconds = 2;     // per shape
  std::vector<std::string> shapes;
  bool sweep = false, ladder = false, chart = false;
  std::string table;          // the sweep, ladder or chart meant; empty: all of them
  std::filesystem::path svg;  // its picture; empty: in work/results
  bool again = false;         // whatever a sweep has found before
};
int run_bench(const Kit& kit, const BenchOptions& options);

struct SubmitOptions {
  std::vector<std::string> stages;
  std::filesystem::path archive;
  bool check = true;
};
int run_submit(const Kit& kit, const SubmitOptions& options);

struct GradeCommand {
  std::filesystem::path submission;
  std::vector<std::string> stages;
  std::filesystem::path json, gradescope;
  bool speed = true, hidden = true, reveal_hidden = false, verbose = false;
};
int run_grade(const Kit& kit, const GradeCommand& options);

struct RefgenOptions {
  std::string stage;
  std::string seed;
  std::filesystem::path out;
  bool check = false, list = false;
};
int run_refgen(const Kit& kit, const RefgenOptions& options);

struct VerifyOptions {
  std::vector<std::string> stages;
  bool speed = true;       // solutions must earn their speed points too
  bool references = true;  // reproduce every visible case
  bool handouts = true;    // run the commands of the handouts
  bool write_starter = false;
};
int run_verify(const Kit& kit, const VerifyOptions& options);

struct CcCommand {
  std::vector<std::string> arguments;  // nvcc's
};
int run_cc(const Kit& kit, const CcCommand& command);

int run_doctor(const Kit& kit);
int run_demo(const Kit& kit);

// A Python that imports NumPy: $CONVKIT_PYTHON, else python3 on PATH, else /usr/bin/python3.
// Throws UsageError saying what to install.
std::filesystem::path find_python();

}  // namespace convkit
