// SPDX-License-Identifier: MIT
#pragma once

namespace convkit {

// Float32 operations per second (a fused multiply-add counts as two) of one core, measured: the
// best of many short runs of independent FMAs at the widest vectors this processor has.
double measured_fma_peak_flops();

}  // namespace convkit
