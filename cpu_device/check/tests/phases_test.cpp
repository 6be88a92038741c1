// SPDX-License-Identifier: MIT
// Phases of a cuda::barrier: who has waited for one knows what was done before it.
#include "cpu_device/check/phases.h"

#include "catch.h"
#include "kernel_scene.h"

namespace convkit::simt::check {

using test::KernelScene;

namespace {

const int kBarrier = 0, kOther = 1;

}  // namespace

TEST_CASE("what a thread did before it arrived comes before those who wait, and no one else") {
  KernelScene scene;
  const Stamp before = scene.access(3);
  phase_arrival(&kBarrier, 0);
  const Stamp after = scene.access(3);
  scene.run(40);
  CHECK_FALSE(met_at_phase(before));
  phase_arrival(&kBarrier, 0);
  CHECK_FALSE(met_at_phase(before));
  phase_passed(&kBarrier, 0);
  CHECK(met_at_phase(before));
  CHECK_FALSE(met_at_phase(after));
  scene.run(41);
  CHECK_FALSE(met_at_phase(before));
}

TEST_CASE("what was learned at one barrier is handed on at the next") {
  KernelScene scene;
  const Stamp before = scene.access(3);
  phase_arrival(&kBarrier, 0);
  scene.run(4);
  phase_passed(&kBarrier, 0);
  phase_arrival(&kOther, 5);
  scene.run(5);
  phase_passed(&kOther, 5);
  CHECK(met_at_phase(before));
}

TEST_CASE("a phase does not know the arrivals at the one after it") {
  KernelScene scene;
  scene.run(3);
  phase_arrival(&kBarrier, 0);
  const Stamp between = scene.access(3);
  phase_arrival(&kBarrier, 1);
  scene.run(4);
  phase_passed(&kBarrier, 0);
  CHECK_FALSE(met_at_phase(between));
  phase_passed(&kBarrier, 1);
  CHECK(met_at_phase(between));
}

}  // namespace convkit::simt::check
