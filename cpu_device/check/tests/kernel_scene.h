// SPDX-License-Identifier: MIT
// A kernel as check mode sees it: a launch, blocks, and the thread whose turn it is.
#pragma once

#include "cpu_device/check/order.h"
#include "cpu_device/check/present.h"

namespace convkit::simt::check::test {

class KernelScene {
 public:
  KernelScene() {
    begin_launch(&thread_);
    begin_block({0, 0, 0});
  }
  ~KernelScene() { end_launch(); }
  KernelScene(const KernelScene&) = delete;
  KernelScene& operator=(const KernelScene&) = delete;

  void run(unsigned thread) { thread_ = thread; }

  // The stamp of an access by the thread, which then has its turn.
  Stamp access(unsigned thread) {
    thread_ = thread;
    return stamp_of(0x1234);
  }

 private:
  unsigned thread_ = 0;
};

}  // namespace convkit::simt::check::test
