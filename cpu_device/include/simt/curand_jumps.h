// SPDX-License-Identifier: MIT
// Skipping ahead in cuRAND's generators, which takes tables that the engine makes on first use.
#pragma once

#pragma GCC visibility push(default)
extern "C" {

// Advances the five words of XORWOW's linear part by `subsequences` * 2^67 + `steps` draws.
void convkit_simt_xorwow_jump(unsigned words[5], unsigned long long subsequences,
                              unsigned long long steps);

// Advances both parts of MRG32k3a by `count` * 2^`log2_stride` draws; log2_stride is at most 127.
void convkit_simt_mrg32k3a_jump(unsigned first[3], unsigned second[3], unsigned log2_stride,
                                unsigned long long count);
}
#pragma GCC visibility pop
