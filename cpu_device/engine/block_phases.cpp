// SPDX-License-Identifier: MIT
// Threads of one block that arrive at a cuda::barrier and wait until a phase of it is complete.
#include "cpu_device/engine/block_runner.h"
#include "cpu_device/engine/hooks.h"

namespace convkit::simt {
namespace {

constexpr unsigned kMostExpected = (1u << 20) - 1;  // as libcu++ has it

}  // namespace

void BlockRunner::check_initialised(const ConvkitSimtBarrier& barrier, Site site) {
  const bool fits = barrier.expected <= kMostExpected && barrier.pending <= kMostExpected;
  if (fits) return;
  Fault fault;
  fault.error = cudaErrorLaunchFailure;
  fault.kind = "uninitialised_shared";
  fault.sentence = "a cuda::barrier is used at " + site_text(site.file, site.line) +
                   " that no thread of the block has initialised with a count of up to " +
                   std::to_string(kMostExpected) + ".";
  fault.advice =
      "One thread calls init(&barrier, arrivals); then all wait with __syncthreads() before they "
      "use it.";
  abandon(std::move(fault));
}

unsigned BlockRunner::arrive(ConvkitSimtBarrier& barrier, unsigned count, unsigned fewer,
                             const char* file, int line) {
  check_initialised(barrier, {file, line});
  const unsigned phase = barrier.phase;
  if (count > barrier.pending) {
    Fault fault;
    fault.error = cudaErrorLaunchFailure;
    fault.kind = "divergent_barrier";
    fault.sentence =
        "more arrivals at a cuda::barrier than its phase expects: " + std::to_string(count) +
        " at " + site_text(file, line) + ", and " + std::to_string(barrier.pending) + " of " +
        std::to_string(barrier.expected) + " are missing.";
    fault.advice = "init() is given the number of arrivals that complete a phase.";
    abandon(std::move(fault));
  }
  if (check_hooks) check_hooks->phase_arrival(&barrier, phase);
  barrier.expected -= fewer;
  barrier.pending -= count;
  if (barrier.pending != 0) return phase;
  ++barrier.phase;
  barrier.pending = barrier.expected;
  if (const auto found = waiting_.find(&barrier); found != waiting_.end()) {
    for (const Waiting& waiting : found->second) {
      ready_[waiting.thread / 64] |= uint64_t{1} << (waiting.thread % 64);
    }
    waiting_.erase(found);
  }
  return phase;
}

void BlockRunner::wait_for(ConvkitSimtBarrier& barrier, unsigned phase, const char* file,
                           int line) {
  check_initialised(barrier, {file, line});
  if (barrier.phase == phase) {
    prepare_to_wait();
    waiting_[&barrier].push_back({current_, {file, line}});
    wait();
  }
  if (check_hooks) check_hooks->phase_passed(&barrier, phase);
}

// A barrier that nobody waits at takes the count of whoever comes first, as it does on a GPU.
void BlockRunner::named_barrier(unsigned number, unsigned count, bool waits, const char* file,
                                int line) {
  const bool exists = number < named_.size(), fits = count % kWarpSize == 0;
  if (count == 0) count = count_;
  ConvkitSimtBarrier& barrier = named_[exists ? number : 0];
  const bool in_use = barrier.pending != barrier.expected;
  if (!exists || !fits || (in_use && barrier.expected != count)) {
    Fault fault;
    fault.error = cudaErrorLaunchFailure;
    fault.kind = "divergent_barrier";
    fault.sentence =
        "barrier " + std::to_string(number) + " is given " + std::to_string(count) +
        " threads at " + site_text(file, line) +
        (in_use ? ", and others wait there for " + std::to_string(barrier.expected) + " threads."
                : ".");
    fault.advice =
        "A block has barriers 0 to 15, and all who meet at one give the same number of threads, a "
        "multiple of 32.";
    abandon(std::move(fault));
  }
  barrier.expected = count;
  if (!in_use) barrier.pending = count;
  const unsigned phase = arrive(barrier, 1, 0, file, line);
  if (waits) wait_for(barrier, phase, file, line);
}

// Every thread that is left waits, some of them for arrivals that nobody can make any more.
void BlockRunner::waits_for_arrivals(const ConvkitSimtBarrier& barrier) {
  const std::vector<Waiting>& threads = waiting_[const_cast<ConvkitSimtBarrier*>(&barrier)];
  const bool named = &barrier >= named_.data() && &barrier < named_.data() + named_.size();
  Fault fault;
  fault.error = cudaErrorLaunchTimeout;
  fault.kind = "divergent_barrier";
  fault.sentence = "no thread of the block can continue: " + std::to_string(threads.size()) +
                   " of " + std::to_string(left_) + " wait for " +
                   (named ? "a barrier of PTX, " : "a cuda::barrier, ") +
                   whereabouts(threads.front().thread, threads.front().site) +
                   " among them, at which " + std::to_string(barrier.expected - barrier.pending) +
                   " of " + std::to_string(barrier.expected) + " arrivals have come.";
  fault.advice = named ? "As many threads as bar.sync is given must come to it."
                       : "As many arrivals as init() was given must come in each phase.";
  current_ = threads.front().thread;
  abandon(std::move(fault));
}

}  // namespace convkit::simt
