// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// The number of multiprocessors that need work: with less work than that, smaller tiles are faster.
#pragma once

#include <cstdint>

#ifndef GEMM_MULTIPROCESSORS
#define GEMM_MULTIPROCESSORS 132  // of an H100 or H200
#endif
constexpr int64_t kMultiprocessors = GEMM_MULTIPROCESSORS;
