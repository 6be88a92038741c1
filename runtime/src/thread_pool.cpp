// SPDX-License-Identifier: MIT
#include "convkit/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace convkit {
namespace {

// The pool whose task this thread is running.
thread_local const ThreadPool* current_pool = nullptr;

// CPUs this process may use: fewer than the machine has under taskset or in a container.
unsigned usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

// One parallel_for. Shared by the caller and the tasks it queued, which may start after it ended.
struct Loop {
  int64_t count = 0, grain = 1;
  const std::function<void(int64_t, int64_t)>* body = nullptr;  // alive while pieces are left
  std::mutex mutex;
  std::condition_variable ended;
  int64_t next = 0;
  int64_t active = 0;
  std::exception_ptr error;

  bool finished() const { return next == count && active == 0; }

  // Runs pieces until none is left.
  void help() {
    std::unique_lock lock(mutex);
    while (next < count) {
      const int64_t begin = next;
      next += std::min(grain, count - begin);
      const int64_t end = next;
      ++active;
      lock.unlock();
      std::exception_ptr thrown;
      try {
        (*body)(begin, end);
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      --active;
      if (thrown) {
        if (!error) error = thrown;
        next = count;
      }
    }
    if (finished()) ended.notify_all();
  }
};

}  // namespace

ThreadPool::ThreadPool(unsigned threads) {
  if (threads == 0) threads = usable_cpus();
  try {
    for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
  } catch (const std::system_error&) {
    // A limit on processes: fewer threads do the same work, none does not.
    if (threads_.empty()) throw;
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run() {
  current_pool = this;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    if (queue_.empty()) return;
    auto task = std::move(queue_.front());
    queue_.pop_front();
    ++running_;
    lock.unlock();
    std::exception_ptr error;
    try {
      task();
    } catch (...) {
      error = std::current_exception();
    }
    task = nullptr;  // what it holds is released before wait() returns
    lock.lock();
    --running_;
    if (error && !first_error_) first_error_ = error;
    if (running_ == 0 && queue_.empty()) idle_.notify_all();
  }
}

void ThreadPool::submit(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(task));
  }
  changed_.notify_one();
}

void ThreadPool::wait() {
  if (current_pool == this) throw std::logic_error("A task of a thread pool waits for its pool.");
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return running_ == 0 && queue_.empty(); });
  if (first_error_) std::rethrow_exception(std::exchange(first_error_, nullptr));
}

void ThreadPool::parallel_for(int64_t count, int64_t grain,
                              const std::function<void(int64_t, int64_t)>& body) {
  if (count <= 0) return;
  const auto loop = std::make_shared<Loop>();
  loop->count = count;
  loop->grain = std::max<int64_t>(1, grain);
  loop->body = &body;
  // The caller works too, so the loop ends even if every thread of the pool is busy.
  const int64_t pieces = (count - 1) / loop->grain + 1;
  const auto helpers = std::min<int64_t>(size(), pieces - 1);
  for (int64_t i = 0; i < helpers; ++i) submit([loop] { loop->help(); });
  loop->help();
  std::unique_lock lock(loop->mutex);
  loop->ended.wait(lock, [&] { return loop->finished(); });
  if (loop->error) std::rethrow_exception(loop->error);
}

}  // namespace convkit
