// SPDX-License-Identifier: MIT
#include "cpu_device/engine/workers.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <system_error>
#include <thread>
#include <tuple>

#include "cpu_device/engine/block_runner.h"
#include "cpu_device/engine/faults.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/engine/resident_blocks.h"
#include "cpu_device/engine/settings.h"
#include "cpu_device/engine/shared_memory.h"
#include "cpu_device/engine/shared_poison.h"

namespace convkit::simt {
namespace {

using Clock = std::chrono::steady_clock;

class Worker {
 public:
  explicit Worker(unsigned number) : number_(number) {}

  void work_on(Grid& grid) {
    begin_poison(grid);
    if (check_hooks) check_hooks->kernel_begins(grid);
    work_on_blocks(grid);
    if (check_hooks && (!grid.turns || grid.turns->leave(number_))) check_hooks->kernel_ends(grid);
  }

  // One more, that was asked for.
  void help_with(Grid& grid) {
    begin_poison(grid);
    if (!check_hooks || grid.turns->enter(number_)) work_on_blocks(grid);
    if (check_hooks && grid.turns->leave(number_)) check_hooks->kernel_ends(grid);
  }

  void work_on_blocks(Grid& grid) {
    // As many at a time as let the workers finish nearly together.
    const uint64_t chunk =
        std::clamp<uint64_t>(grid.blocks / (32 * uint64_t{worker_count()}), 1, 64);
    while (!grid.failed.load(std::memory_order_relaxed) && take(grid, chunk)) {
      const uint64_t begin = next_;
      while (next_ < end_) {
        if (grid.failed.load(std::memory_order_relaxed)) break;
        const uint64_t block = next_++;
        next_ += run(grid, block, end_ - block) - 1;
      }
      grid.blocks_done.fetch_add(end_ - begin, std::memory_order_relaxed);
    }
    shared_.end();
  }

  // Of a cooperative launch: the block of this worker's number.
  void work_on_resident_block(Grid& grid) {
    begin_poison(grid);
    if (grid.resident->begin(number_)) {
      run(grid, number_, 1);
      grid.blocks_done.fetch_add(1, std::memory_order_relaxed);
    }
    shared_.end();
    grid.resident->end(number_);
  }

  BlockRunner& runner() { return *runner_; }
  unsigned number() const { return number_; }

  // What has been taken and not begun.
  void give_back(Grid& grid) {
    if (next_ == end_) return;
    const std::lock_guard lock(grid.mutex);
    grid.given_back.emplace_back(next_, end_);
    grid.some_given_back.store(true);
    end_ = next_;
  }

 private:
  bool take(Grid& grid, uint64_t chunk) {
    if (grid.some_given_back.load(std::memory_order_relaxed)) {
      const std::lock_guard lock(grid.mutex);
      if (!grid.given_back.empty()) {
        std::tie(next_, end_) = grid.given_back.back();
        grid.given_back.pop_back();
        grid.some_given_back.store(!grid.given_back.empty());
        return true;
      }
    }
    next_ = grid.next_block.fetch_add(chunk, std::memory_order_relaxed);
    end_ = std::min(grid.blocks, next_ + chunk);
    return next_ < grid.blocks;
  }

  void begin_poison(const Grid& grid) {
    if (generation_ != shared_generation()) {
      generation_ = shared_generation();
      shared_.reset(static_shared_ranges());
    }
    shared_.begin({reinterpret_cast<const void*>(grid.invoke), grid.function});
  }

  // The block of this number, or up to `most` from it on. Returns how many.
  uint64_t run(Grid& grid, uint64_t number, uint64_t most) {
    if (grid.shared_bytes != 0) std::memset(dynamic_shared(), grid.poison, grid.shared_bytes);
    const uint64_t begun = runner_->run(grid, grid.block_index(number), number_, most);
    shared_.after_block();
    return begun;
  }

  unsigned number_;
  uint64_t next_ = 0, end_ = 0;  // the blocks that it has taken and not begun
  unsigned generation_ = ~0u;
  SharedPoison shared_;
  std::unique_ptr<BlockRunner> runner_ = std::make_unique<BlockRunner>();
};

thread_local Worker* this_worker = nullptr;

// The pool is never destroyed: a program may end while a kernel hangs.
class Pool {
 public:
  // Makes threads until there are so many, or the system allows no more. Returns how many there
  // are.
  uint64_t grow_to(uint64_t wanted) {
    const std::lock_guard lock(mutex_);
    try {
      while (threads_ < wanted) {
        std::thread(&Pool::serve, this, threads_, round_.load()).detach();
        ++threads_;
      }
    } catch (const std::system_error&) {
      if (threads_ == 0) throw;
    }
    return threads_;
  }

  // On the first `wanted` threads.
  void run(Grid& grid, uint64_t wanted) {
    wanted = std::min(wanted, grow_to(wanted));
    {
      const std::lock_guard lock(mutex_);
      grid_ = &grid;
      wanted_ = static_cast<unsigned>(wanted);
      busy_.store(wanted_, std::memory_order_relaxed);
      round_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
    spin([&] { return busy_.load(std::memory_order_acquire) == 0; });
    std::unique_lock lock(mutex_);
    const auto limit = std::chrono::duration<double>(settings().timeout_s);
    const auto start = grid.is_child ? grid.begun : Clock::now();
    while (busy_.load(std::memory_order_acquire) != 0) {
      if (done_.wait_for(lock, std::chrono::milliseconds(100)) == std::cv_status::timeout &&
          Clock::now() - start > limit) {
        stop(grid);
      }
    }
    grid_ = nullptr;
  }

  // One more for the grid that is running; called by one of its workers. False: there can be none.
  bool add_worker() {
    constexpr unsigned kMost = 1024;
    const std::lock_guard lock(mutex_);
    if (asked_ == idle_) {
      if (added_ == kMost) return false;
      try {
        std::thread(&Pool::serve_on_request, this, worker_count() + added_).detach();
      } catch (const std::system_error&) {
        return false;
      }
      ++added_;
      ++idle_;
    }
    ++asked_;
    busy_.fetch_add(1, std::memory_order_relaxed);
    request_.notify_one();
    return true;
  }

 private:
  template <class Done>
  static void spin(const Done& done) {
    // If there are fewer cores than workers and the host, a waiting thread may keep the one that it
    // waits for from running.
    if (settings().threads >= settings().cores) return;
    // Some 10 us: about as long as waking a sleeping thread takes.
    for (int i = 0; i < 400 && !done(); ++i) {
#if defined(__x86_64__)
      _mm_pause();
#endif
    }
  }

  void set_up(Worker& worker) {
    block_signals_of_the_host();
    this_worker = &worker;
    set_this_runner(&worker.runner());
    use_fault_stack();
    const std::lock_guard lock(mutex_);
    handles_.push_back(pthread_self());
  }

  void finish() {
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    const std::lock_guard lock(mutex_);
    done_.notify_one();
  }

  void serve_on_request(unsigned number) {
    Worker worker(number);
    set_up(worker);
    for (;;) {
      Grid* grid = nullptr;
      {
        std::unique_lock lock(mutex_);
        request_.wait(lock, [&] { return asked_ != 0; });
        --asked_;
        --idle_;
        grid = grid_;
      }
      worker.help_with(*grid);
      {
        const std::lock_guard lock(mutex_);
        ++idle_;
      }
      finish();
    }
  }

  // `seen`: the last round before the thread was made.
  void serve(unsigned number, unsigned seen) {
    Worker worker(number);
    set_up(worker);
    for (;;) {
      spin([&] { return round_.load(std::memory_order_acquire) != seen; });
      Grid* grid = nullptr;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return round_.load(std::memory_order_relaxed) != seen; });
        seen = round_.load(std::memory_order_relaxed);
        if (number < wanted_) grid = grid_;
      }
      if (!grid) continue;
      if (grid->resident) {
        worker.work_on_resident_block(*grid);
      } else {
        worker.work_on(*grid);
      }
      finish();
    }
  }

  // The kernel has had its time: each worker is interrupted where it stands.
  void stop(Grid& grid) {
    end_for_time(grid);
    for (pthread_t handle : handles_) pthread_kill(handle, kStopSignal);
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::atomic<unsigned> round_{0}, busy_{0};
  unsigned wanted_ = 0, threads_ = 0;
  // Threads beyond those: how many were made, wait for a request, and have been asked for.
  std::condition_variable request_;
  unsigned added_ = 0, idle_ = 0, asked_ = 0;
  Grid* grid_ = nullptr;
  std::vector<pthread_t> handles_;
};

Pool& pool() {
  static Pool* const the_pool = new Pool;
  return *the_pool;
}

// Apart, so that other launches do not wake so many.
Pool& resident_pool() {
  static Pool* const the_pool = new Pool;
  return *the_pool;
}

}  // namespace

void end_for_time(Grid& grid) {
  Fault fault;
  fault.error = cudaErrorLaunchTimeout;
  fault.kind = "endless_kernel";
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%g", settings().timeout_s);
  const std::string blocks = std::to_string(grid.blocks_done.load()) + " of " +
                             std::to_string(grid.blocks) + " blocks were done.";
  fault.sentence =
      grid.is_child
          ? "a launch by the host and the grids that came of it were still running "
            "after " +
                std::string(seconds) + " s; of the last, " + blocks
          : "the kernel was still running after " + std::string(seconds) + " s; " + blocks;
  fault.advice = std::string("Look for a loop whose condition never changes") +
                 (grid.is_child ? ", or kernels that launch each other without end" : "") +
                 ". CONVKIT_SIMT_TIMEOUT=SECONDS allows more.";
  grid.fail(std::move(fault), grid.launch_text());
}

void run_on_workers(Grid& grid) {
  if (grid.resident) return resident_pool().run(grid, grid.blocks);
  // In check mode blocks run one after the other.
  pool().run(grid, std::min<uint64_t>(check_hooks ? 1 : worker_count(), grid.blocks));
}

void ask_for_worker(Grid& grid) {
  if (check_hooks || grid.resident) return;
  this_worker->give_back(grid);
  if (!grid.some_given_back && grid.next_block >= grid.blocks) return;
  pool().add_worker();
}

bool others_can_run(Grid& grid) {
  this_worker->give_back(grid);
  return grid.some_given_back || grid.next_block < grid.blocks ||
         (grid.turns && !grid.turns->is_alone());
}

bool let_others_run(Grid& grid) {
  const unsigned self = this_worker->number();
  if (!grid.turns) grid.turns = std::make_shared<Turns>(grid, self);
  const bool begins = grid.some_given_back || grid.next_block < grid.blocks;
  return begins && pool().add_worker() ? grid.turns->pass_to_new(self) : grid.turns->pass(self);
}

uint64_t make_resident_workers(uint64_t blocks) {
  try {
    // Those of ordinary launches first: there may be no thread left for them afterwards.
    pool().grow_to(check_hooks ? 1 : worker_count());
    return resident_pool().grow_to(blocks);
  } catch (const std::system_error&) {
    return 0;
  }
}

unsigned worker_count() {
  return settings().threads;
}

}  // namespace convkit::simt
