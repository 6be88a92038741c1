// SPDX-License-Identifier: MIT
// The words of both views of a profile, and the source that stands beside them.
#pragma once

#include <map>
#include <string>

#include "profile/profile.h"

namespace convkit {

// "17,971"
std::string grouped(uint64_t value);
// "global load", of the name of a kind
std::string kind_words(std::string kind);
// "1 launch, 16 blocks of 256 threads"
std::string launch_words(const ProfiledKernel& kernel);
// "global load    4,608 requests of 28.1 lanes, 17,971 sectors (3.9 a request), 97 % of the bytes
// used"
std::string access_words(const ProfiledLine& line);
// "arithmetic     4,096 float fma, 12 special"
std::string arithmetic_words(const OperationCounts& counts);
// "barrier        4 times, by a block"
std::string barrier_words(const ProfiledBarrier& barrier);
// "On an H200, 4 blocks of 512 threads are on a multiprocessor at a time: all of its 64 warps.
// ...", or "" where no card was named.
std::string occupancy_words(const ProfiledKernel& kernel);
// "512 FLOP: 0.25 for each byte that moves in L1, ... On an H200 at most 1,200 of 67,000 GFLOP/s
// (estimate): memory-bound, ...", or why there is none; "" where no card was named.
std::string roofline_words(const ProfiledKernel& kernel);
// "tiled.cu", or "at an unknown line" where `file` is "".
std::string file_words(const std::string& file);

// The lines [first, last] of a file by number, as far as it has them; none where it is not there.
std::map<int, std::string> source_lines(const std::string& file, int first, int last);

// The steps of one warp.
//
// "x[0,0,0,0..30] by lanes 0-30": which elements the lanes access, in runs of lanes whose elements
// are equally far from each other; of many runs the first ones.
std::string elements_words(const ProfiledStep& step);
// "4 sectors", "1 wavefront", "8 lanes on one address"
std::string cost_words(const ProfiledStep& step);
// "conv2d_kernel, block 0, warp 1 (threads 32 to 63)"
std::string warp_words(const ProfiledKernel& kernel);

// All steps under the lines of the source that make them. `kernel` has a trace.
std::string trace_text(const ProfiledKernel& kernel);

}  // namespace convkit
