// SPDX-License-Identifier: MIT
#include "process/own_time.h"

#include <algorithm>
#include <vector>

#include "process/footprint.h"

namespace convkit {
namespace {

// Looks in a limit's time, and the time between two looks: each reads some files of the kernel.
constexpr int kLooks = 40;
constexpr auto kShortestInterval = std::chrono::milliseconds(25);

}  // namespace

OwnTime::OwnTime(std::chrono::milliseconds limit, Clock::time_point begin, double processor_s)
    : limit_(limit),
      interval_(std::max<Clock::duration>(limit_ / kLooks, kShortestInterval)),
      begin_(begin),
      last_(begin),
      processor_s_(processor_s) {}

OwnTime::Clock::duration OwnTime::until_look(Clock::time_point now) const {
  if (!limited()) return std::chrono::hours(1);
  const Clock::duration least = kShortestInterval;
  return last_ + std::max(least, std::min(interval_, limit_ - used_)) - now;
}

void OwnTime::look(pid_t program, Clock::time_point now) {
  count(now, can_run(program), processor_time_s(program));
}

void OwnTime::look_at_family(pid_t program, Clock::time_point now) {
  const std::vector<pid_t> family = family_of(program);
  count(now, std::ranges::any_of(family, can_run), family_processor_time_s(family));
}

void OwnTime::count(Clock::time_point now, bool can_run, double processor_s) {
  const Clock::duration passed = now - last_;
  const auto ran = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(processor_s - processor_s_));
  used_ += can_run ? std::clamp(ran, Clock::duration(0), passed) : passed;
  if (!can_run) slept_ += passed;
  last_ = now;
  processor_s_ = processor_s;
}

}  // namespace convkit
