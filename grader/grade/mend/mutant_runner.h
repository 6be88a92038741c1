// SPDX-License-Identifier: MIT
// Calls the functions of a MutantProgram as one mutant after the other.
#pragma once

#include <memory>

#include "grade/case.h"
#include "grade/mend/mutant_program.h"
#include "session/session.h"

namespace convkit {

class MutantRunner {
 public:
  // `which`: several may run at a time.
  MutantRunner(const ChangeRequest& request, const MutantProgram& program, size_t which);
  ~MutantRunner();
  MutantRunner(const MutantRunner&) = delete;
  MutantRunner& operator=(const MutantRunner&) = delete;

  // Whether the case's outputs are right and nothing is reported. 0: the program as it was.
  bool passes(int number, const CaseHead& head, const Trial& trial, double limit_s);
  // Whether the function whose first mutant has this number is called.
  bool reaches(int number, const CaseHead& head, const Trial& trial, double limit_s);

 private:
  bool passes_within(int number, const CaseHead& head, const Trial& trial, double limit_s);

  SessionOptions options_;
  int number_ = -1;    // an open file
  Ending ended_;       // of the last call
  double used_s_ = 0;  // by it: the runner's own time
  std::unique_ptr<Session> session_;
};

}  // namespace convkit
