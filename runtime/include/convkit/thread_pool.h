// SPDX-License-Identifier: MIT
// A fixed number of threads that run tasks in the order they were submitted.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace convkit {

class ThreadPool {
 public:
  // 0: as many threads as this process may use CPUs. If the system refuses some of them, the pool
  // has fewer; throws std::system_error if it refuses all.
  explicit ThreadPool(unsigned threads = 0);
  // Finishes all submitted tasks; an exception that nobody waited for is dropped.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned size() const { return static_cast<unsigned>(threads_.size()); }

  void submit(std::function<void()> task);

  // Returns when every submitted task has ended; then throws the first exception that one of them
  // threw since the last wait(). Not to be called from a task: that throws std::logic_error.
  void wait();

  // Calls body(begin, end) for pieces of [0, count) of at most `grain` indices, on the pool and on
  // the calling thread, and returns when all have ended. After an exception no new piece is begun,
  // and the first one is thrown here. May be called from a task.
  void parallel_for(int64_t count, int64_t grain,
                    const std::function<void(int64_t begin, int64_t end)>& body);

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;  // a task arrived, or the pool is closing
  std::condition_variable idle_;     // nothing is queued or running
  std::deque<std::function<void()>> queue_;
  unsigned running_ = 0;
  bool closing_ = false;
  std::exception_ptr first_error_;
  std::vector<std::thread> threads_;
};

}  // namespace convkit
