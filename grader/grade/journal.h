// SPDX-License-Identifier: MIT
// What a grading has found out so far, on the disk case by case: `grade --resume` goes on from it
// after kill -9 or a power cut. One line of JSON for the head, one for each case and timing; a line
// counts when it has its line feed.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "grade/case_runner.h"
#include "grade/check_run.h"
#include "grade/earlier_verdicts.h"
#include "report/result.h"

namespace convkit {

// All that the verdicts of a grading depend on besides the nonce: what, as a reader calls it, and
// which. {"device", "cpu"}
using GradingIdentity = std::map<std::string, std::string>;

// Which grading a journal is of. Only `nonce` and `started` may differ from one to the next.
struct JournalHead {
  GradingIdentity grading;
  std::string nonce, started;
};

struct CaseRecord {
  CaseResult result;
  bool final = false;              // nothing that happens later can change it
  std::vector<std::string> notes;  // about the stage, that came with it
  double run_s = 0;                // of the stage's cases until then
  double charged_s = 0;            // of the stage's time (time_budget.h)
  CaseRunner::Memory memory;       // of its side, after it
  CheckRun::Memory checked;        // of all cases, after it
};

class Journal;

// The part of one stage.
class StageJournal {
 public:
  StageJournal(Journal& journal, std::string stage) : journal_(journal), stage_(std::move(stage)) {}

  // What an earlier run wrote, or nullptr. The last case of either side, visible and hidden, is
  // left out unless it is final: whether it forged its reply was still open.
  const CaseRecord* known(size_t index) const;
  const SpeedResult* known_speed(const std::string& name) const;
  // What was kept of an earlier result.
  const KeptVerdicts& kept() const { return kept_; }

  // On the disk when they return. A later record of a case replaces the earlier one.
  void add(size_t index, const CaseRecord& record);
  void add(const SpeedResult& result);
  void add(const KeptVerdicts& kept);

 private:
  friend class Journal;

  Journal& journal_;
  std::string stage_;
  std::map<size_t, CaseRecord> cases_;
  std::map<std::string, SpeedResult> speed_;
  KeptVerdicts kept_;
};

class Journal {
 public:
  // Empty path: nothing is kept.
  explicit Journal(std::filesystem::path file) : file_(std::move(file)) {}
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // Until the end of this object no other grading writes to the file. Throws UsageError where one
  // does now, or where the file cannot be written.
  void lock();
  // The head of the file, if there is one; its records are known from now on.
  std::optional<JournalHead> read();
  // Goes on behind what read() found, or begins a new file.
  void open(const JournalHead& head);
  // For a grading that has ended.
  void remove();

  StageJournal& of(const std::string& stage);

 private:
  friend class StageJournal;
  void append(const std::string& line);
  void take(const std::string& line);

  std::filesystem::path file_;
  int fd_ = -1;
  long known_bytes_ = 0;  // whole lines of an earlier run
  std::mutex mutex_;
  std::map<std::string, StageJournal> stages_;
};

}  // namespace convkit
