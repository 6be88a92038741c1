// SPDX-License-Identifier: MIT
// Work that nobody has waited for.
#pragma once

#include <cstdint>
#include <optional>

namespace convkit::simt::check {

// `unjoined_stream`, when the given stream has finished: what is still in others. The number is
// that of engine/task.h; none: it is not known.
void report_unjoined(std::optional<uint64_t> given);

// `unwaited_work`, at the end of a program: what never ran, or what nobody waited for.
void report_unwaited();

}  // namespace convkit::simt::check
