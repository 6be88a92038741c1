// SPDX-License-Identifier: MIT
// The result of grading one submission. Everything else (terminal, platforms.h, later reports) is a
// view of this; docs/result.schema.json describes its JSON form.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/symptoms.h"

namespace convkit {

enum class Status {
  pass,
  wrong,
  not_started,
  build_failed,
  crashed,
  timed_out,
  limit,
  policy,
  slow,
  skipped,
  pending,
  grader_error,  // the kit's own fault: never costs a student points
  unfinished,    // of a stage: what is not PASS is NOT_STARTED, or was not run
};
const char* name_of(Status status);  // "PASS", "NOT_STARTED", ...
// GRADER_ERROR for any other text.
Status status_named(std::string_view name);

// The submission's code ran and did not do what was asked: WRONG, CRASHED, TIMED_OUT or LIMIT.
bool has_failed(Status status);
// It was ended before it was done, TIMED_OUT or LIMIT: running it once more takes as long again.
bool was_cut_off(Status status);
// A verdict on the submission, for it or against it: neither PENDING nor the kit's own fault. What
// is not judged keeps its points pending.
bool is_judged(Status status);

// Why a case was not run, where one reason leaves out several cases. Their messages tell it.
enum class LeftOut {
  no,
  not_built,     // nothing of the submission could be compiled
  not_loaded,    // its library could not be
  given_up,      // earlier cases of its function hung, flooded or took long to crash
  time_used_up,  // the stage's
  machine_busy,  // the stage took long and hardly computed: the case is PENDING
  interrupted,
};
const char* name_of(LeftOut why);  // "not_built", ...; "" for `no`

struct CaseResult {
  std::string name, group, task, op;
  Status status = Status::pending;
  std::string message;  // of a hidden case: its public sentence, nothing else
  std::string hint;
  std::string map;      // where the output is wrong, lines joined by '\n'
  std::string mistake;  // id of the known mistake that explains the output, or ""
  std::string printed;  // the first bytes of what the submission printed
  std::string sizes;    // of a case that does not pass: "n 1, c 1, h 5, w 5, kernel 3 x 3", or ""
  // What the compiler has warned of in the function, of its first failing case: "a.cpp:3: ...".
  std::vector<std::string> warnings;
  bool hidden = false;
  LeftOut left_out = LeftOut::no;
  // Not part of the document.
  Symptoms symptoms;                       // of a wrong output
  std::map<std::string, double> drawn;     // of a shape that was drawn and fails: its parameters
  std::vector<std::string> right_outputs;  // beside a wrong one
  // The CPU device has reported the fault; what check mode has seen beside the verdict.
  bool by_device = false;
  bool explained = false;  // a known mistake gives the whole output, or makes the access
  std::string aside;
  // The end of `message`, where check mode knows why an output is wrong that the grader judged.
  std::string explanation;
  // Whether check mode has seen that a grid does not cover the output: the kind of its report.
  std::string grid;
};

// The cases of one group share its points evenly.
struct GroupResult {
  std::string name, title;
  unsigned passed = 0, total = 0;
  double points = 0, max_points = 0;
};

struct SpeedResult {
  std::string name, title;
  Status status = Status::pending;
  std::string message;
  double points = 0, max_points = 0, pending_points = 0;
  // The figures of the pairs (baseline, submission) measured in turn; 0 if nothing was measured.
  unsigned pairs = 0;
  double ratio = 0, ratio_low = 0, ratio_high = 0;  // median and quartiles
  double submission_ms = 0, baseline_ms = 0;        // medians
  double gflops = 0;
};

// The cases a stage was judged by: two results with the same sets are comparable.
struct ReferenceSet {
  std::string set;  // "visible" or "hidden"
  size_t cases = 0;
  std::string seed;  // a hidden set's mark of its secret, from which nobody gets the secret; or ""
  std::string manifest_sha256;
};

struct FailedFile {
  std::string file;
  Status status = Status::build_failed;  // or how its compiler ended: TIMED_OUT, LIMIT
  std::string message;                   // the first error
};

struct StageResult {
  std::string id, title;
  Status status = Status::pending;
  std::string message;
  std::string log;                       // what the compiler said
  std::vector<FailedFile> failed_files;  // those that the compiler did not accept
  std::vector<std::string> notes;
  double points = 0, max_points = 0, pending_points = 0;
  std::vector<ReferenceSet> references;
  std::vector<GroupResult> groups;
  std::vector<CaseResult> cases;
  std::vector<SpeedResult> speed;
  double build_s = 0, run_s = 0;
  std::vector<std::string> kept;  // functions with verdicts of an earlier result
};

struct Result {
  std::string kit_version;
  std::string started;  // UTC, ISO 8601
  std::string device;   // "cpu"
  std::string sandbox;
  std::string submission_name, submission_sha256;
  std::string nonce;  // 64 hexadecimal digits: what was drawn follows from them; or ""
  // What else the verdicts depend on, and which (grade/depends.h).
  std::map<std::string, std::string> depends, fingerprints;
  // What was asked for: whether hidden cases were graded and what they say told, and whether GPU
  // stages ran in check mode, too. Empty for `check`.
  std::map<std::string, bool> choices;
  std::vector<std::string> notes;
  std::vector<StageResult> stages;
  bool interrupted = false;
  std::string error;  // GRADER_ERROR or a submission that could not be read

  double points() const;
  double max_points() const;
  double pending_points() const;
  // 0 everything passed, 1 the submission falls short, 3 the grader failed.
  int exit_code() const;
};

// Points are shown and stored to two decimals; sums are made before.
double to_two_decimals(double points);

// JSON text, two-space indent, a newline at the end.
std::string to_json(const Result& result);

// Nothing of the stage could be built, so nothing of it ran.
bool built_nothing(const StageResult& stage);

// The status of a stage from those of its cases and speed: the gravest that occurred. One that is
// begun and holds nothing graver than NOT_STARTED is UNFINISHED.
Status combine(const StageResult& stage);

}  // namespace convkit
