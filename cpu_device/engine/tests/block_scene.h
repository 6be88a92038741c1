// SPDX-License-Identifier: MIT
// Runs a lambda as the kernel of one block, on the thread of the test.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cpu_device/engine/block_runner.h"
#include "simt/builtin_variables.h"

namespace convkit::simt::test {

class BlockScene {
 public:
  explicit BlockScene(uint3 threads, uint64_t seed = 0) : threads_(threads), seed_(seed) {
    set_this_runner(runner_.get());
  }
  explicit BlockScene(unsigned threads, uint64_t seed = 0) : BlockScene({threads, 1, 1}, seed) {}
  ~BlockScene() { set_this_runner(nullptr); }

  // The fault, if any, is in grid().fault.
  bool run(std::function<void(BlockRunner&)> kernel, uint3 block = {0, 0, 0}) {
    grid_ = std::make_unique<Grid>();
    grid_->invoke = &invoke;
    grid_->name = "kernel";
    grid_->file = "host.cu";
    grid_->line = 1;
    grid_->blocks_dim = {4, 3, 2};
    grid_->threads_dim = threads_;
    grid_->threads = threads_.x * threads_.y * threads_.z;
    grid_->blocks = 24;
    grid_->seed = seed_;
    Arguments arguments{&kernel, runner_.get()};
    const auto* bytes = reinterpret_cast<const unsigned char*>(&arguments);
    grid_->arguments.assign(bytes, bytes + sizeof arguments);
    blocks_begun_ = runner_->run(*grid_, block, 0, most_blocks_);
    return !grid_->failed;
  }
  // A kernel that takes whole blocks gets so many together.
  void offer(uint64_t most_blocks) { most_blocks_ = most_blocks; }
  uint64_t blocks_begun() const { return blocks_begun_; }
  const Grid& grid() const { return *grid_; }

 private:
  struct Arguments {
    std::function<void(BlockRunner&)>* kernel;
    BlockRunner* runner;
  };
  static void invoke(const void* arguments) {
    const auto& a = *static_cast<const Arguments*>(arguments);
    (*a.kernel)(*a.runner);
  }

  uint3 threads_;
  uint64_t seed_, most_blocks_ = 1, blocks_begun_ = 0;
  std::unique_ptr<BlockRunner> runner_ = std::make_unique<BlockRunner>();
  std::unique_ptr<Grid> grid_;
};

}  // namespace convkit::simt::test
