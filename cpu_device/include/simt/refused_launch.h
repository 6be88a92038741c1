// SPDX-License-Identifier: MIT
// CUDA has one error code for every launch that it refuses; the CPU device knows the reason.
#pragma once

#pragma GCC visibility push(default)
extern "C" {

// "The launch of k at k.cu:7 was refused: ..." Of the last one on this thread since the reason was
// forgotten; "" if there was none. Valid until the next launch.
const char* convkit_simt_refused_launch();
void convkit_simt_forget_refused_launch();
}
#pragma GCC visibility pop
