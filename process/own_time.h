// SPDX-License-Identifier: MIT
// The time that a program has had, on a machine that others use, too.
#pragma once

#include <sys/types.h>

#include <chrono>

namespace convkit {

// A machine on which everything takes this many times as long is too busy to grade.
constexpr int kBusyPatience = 5;

// Counts against a limit. As long as a thread of the program can run, its time is what its threads
// ran, and no more than passed: what other programs took of a busy machine costs it nothing. While
// all its threads sleep, its time is the time that passes: a deadlock uses no processor, and ends.
// Which of the two it is, is looked at now and then; the time since the last look is then of that
// kind. (The kernel also tells how long a thread waited for a processor, but forgets it with the
// thread, and adds up what threads of one program take from each other.)
class OwnTime {
 public:
  using Clock = std::chrono::steady_clock;

  // From `begin` on. A limit of zero is none.
  OwnTime(std::chrono::milliseconds limit, Clock::time_point begin, double processor_s);

  // How long nothing needs to be looked at, if nothing else happens.
  Clock::duration until_look(Clock::time_point now) const;
  // To be called when that is over: looks at `program`, or at it and all that descend from it. Of
  // these, one that can run is enough: a compiler's driver sleeps while the compiler proper runs.
  void look(pid_t program, Clock::time_point now);
  void look_at_family(pid_t program, Clock::time_point now);
  // What a look has found: whether a thread can run, and the processor time of all so far.
  void count(Clock::time_point now, bool can_run, double processor_s);

  // For how long all threads slept, as far as was looked at.
  Clock::duration slept() const { return slept_; }
  double used_s() const { return std::chrono::duration<double>(used_).count(); }
  bool used_up() const { return limited() && used_ >= limit_; }
  // The limit is not used up, and yet many times as much has passed.
  bool starved() const { return limited() && last_ - begin_ >= kBusyPatience * limit_; }

 private:
  bool limited() const { return limit_.count() > 0; }

  Clock::duration limit_, interval_;
  Clock::time_point begin_, last_;
  double processor_s_;
  Clock::duration used_{0}, slept_{0};
};

}  // namespace convkit
