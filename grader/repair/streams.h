// SPDX-License-Identifier: MIT
// Changes of what the host queues on the device: the stream, the wait for it, the clearing before.
#pragma once

#include "repair/draft.h"

namespace convkit::repair {

// A call whose name is at `k`, with its bracket behind that: `cudaMemset(...)` for
// `cudaMemsetAsync(..., stream)`.
void put_call_on_stream(Draft& draft, size_t k);
// The launches in a statement, which ends before its `;`.
void put_launch_on_stream(Draft& draft, Part statement);
// What may have to be done before the statement at `k` of a function's body or of a block in it.
void prepare_device(Draft& draft, size_t k, size_t end, size_t depth);

}  // namespace convkit::repair
